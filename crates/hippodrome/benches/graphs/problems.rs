//! The graphs to solve, by kind, with known verdicts.

use super::families::{self, Edges};
use crate::lab::is_quick;
use hippodrome::board::generators::generate;
use hippodrome::board::graph_file::read_graph;
use hippodrome::board::{Board, Csr, Graph, Leaper, Square};
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::sync::Arc;

/// Graphs that are reported together.
pub struct Kind {
    pub name: &'static str,
    pub instances: Vec<Instance>,
}

/// A graph to solve.
pub struct Instance {
    pub name: String,
    pub graph: Graph,
    /// Whether it has a Hamiltonian cycle, if that is known.
    pub verdict: Option<bool>,
}

impl Instance {
    pub fn assert_verdict(&self, program: &str, found: Option<bool>) {
        let agrees = found.is_none() || self.verdict.is_none() || found == self.verdict;
        assert!(agrees, "{}: {program} found {found:?}, known is {:?}", self.name, self.verdict);
    }
}

/// Numbers the vertices at random, so that their order gives no hint.
fn instance(name: String, verdict: Option<bool>, edges: &Edges) -> Instance {
    let vertices = edges.iter().map(|&(u, v)| u.max(v) + 1).max().unwrap_or(0);
    let mut numbers: Vec<u32> = (0..vertices).collect();
    numbers.shuffle(&mut Xoshiro256PlusPlus::seed_from_u64(u64::from(vertices)));
    let edges: Edges =
        edges.iter().map(|&(u, v)| (numbers[u as usize], numbers[v as usize])).collect();
    let names = (0..vertices).map(|v| v.to_string()).collect();
    let graph = Graph::File(Arc::new(Csr::new(name.clone(), names, &edges)));
    Instance { name, graph, verdict }
}

pub fn generated(boards: Option<u64>) -> Vec<Kind> {
    let mut kinds = look_alikes();
    let (small, count, large) = if is_quick() { (20, 3, 0) } else { (60, 10, 2) };
    let count = boards.unwrap_or(count);
    let large = if boards.is_some() { count.div_ceil(10) } else { large };
    kinds.push(Kind { name: "knight boards with 20% holes", instances: holed(small, 20, count) });
    if !is_quick() {
        let instances = holed(300, 10, large);
        kinds.push(Kind { name: "large knight boards with 10% holes", instances });
    }
    kinds.push(Kind { name: "least boards of leapers", instances: leapers() });
    kinds.extend(named_families());
    kinds
}

/// Returns imitations of the kinds of graphs in the FHCP challenge set; their names give the number of
/// vertices.
fn look_alikes() -> Vec<Kind> {
    let part = if is_quick() { 10 } else { 1 };
    // Numbers of the form 6k + 5: these flower snarks and Petersen graphs have no cycle.
    let without = |n: u32| n / part / 6 * 6 + 5;
    let snark = |n| families::generated(&format!("flower:{}", without(n)));
    let petersen = |n| families::generated(&format!("petersen:{n},2"));
    let cubic = vec![
        // Flower snarks are maximally non-Hamiltonian (Clark & Entringer 1983).
        (Some(true), families::with_edge(snark(150), 1)),
        (Some(true), families::with_edge(snark(600), 2)),
        (None, families::with_edge(petersen(without(320)), 3)),
        (Some(true), families::truncated(&petersen(600 / part))),
    ];
    let hubs = vec![
        (Some(true), families::nested(500 / part)),
        (Some(true), families::hubs(2600 / part, 5, 4)),
        (Some(true), families::hubs(1500 / part, 20, 5)),
    ];
    let chains = vec![
        (Some(true), families::chains(600 / part, 6)),
        (Some(true), families::chains(2700 / part, 7)),
        (Some(true), families::chains(6900 / part, 8)),
    ];
    let cells = vec![
        (Some(true), families::cells(60 / part, 9)),
        (Some(true), families::cells(200 / part, 10)),
    ];
    let kind = |(name, list): (&'static str, Vec<(Option<bool>, Edges)>)| {
        let name_of = |edges: &Edges| {
            let vertices = edges.iter().map(|&(u, v)| u.max(v) + 1).max().unwrap_or(0);
            format!("{vertices} vertices, {} edges", edges.len())
        };
        let each = list.iter().map(|(verdict, edges)| instance(name_of(edges), *verdict, edges));
        Kind { name, instances: each.collect() }
    };
    let kinds = [
        ("cubic but for two vertices, narrow", cubic),
        ("a few hubs", hubs),
        ("many vertices of degree 2", chains),
        ("degree 4, some of degree 14", cells),
    ];
    kinds.map(kind).into()
}

fn named_families() -> Vec<Kind> {
    let instance = |text: &str| {
        let (name, arguments) = text.split_once(':').unwrap_or((text, ""));
        let verdict = match name {
            // Alspach (1983): for 2 < k < n/2 - 1 there is always a cycle.
            "petersen" => match arguments.split_once(',') {
                Some((n, "2")) => Some(n.parse::<u32>().expect("a number") % 6 != 5),
                _ => Some(true),
            },
            "cube" => Some(true),
            "flower" | "coxeter" | "tutte" | "meredith" => Some(false),
            _ => None,
        };
        let graph = generate(text, None).expect("a graph");
        Instance { name: text.to_string(), graph, verdict }
    };
    let kind = |(name, quick, full): (&'static str, &str, &str)| {
        let list = if is_quick() { quick } else { full };
        Kind { name, instances: list.split(' ').map(instance).collect() }
    };
    let kinds = [
        (
            "generalized Petersen graphs",
            "petersen:5,2 petersen:101,2 petersen:102,2 petersen:20,3",
            "petersen:101,2 petersen:102,2 petersen:1001,2 petersen:1002,2 petersen:5000,2 \
             petersen:1001,3 petersen:1000,7",
        ),
        (
            "flower snarks and other graphs without cycle",
            "flower:5 flower:21 coxeter tutte",
            "flower:5 flower:21 flower:51 flower:501 flower:2001 coxeter tutte meredith",
        ),
        ("hypercubes", "cube:4 cube:8", "cube:4 cube:8 cube:10 cube:12 cube:14"),
        (
            "random cubic graphs",
            "random-regular:50,3 random-regular:300,3",
            "random-regular:100,3 random-regular:300,3 random-regular:1000,3 \
             random-regular:3000,3 random-regular:10000,3",
        ),
    ];
    kinds.map(kind).into()
}

/// Returns the smallest boards with closed tours of the leapers {a, a+1}, OEIS A152138.
fn leapers() -> Vec<Instance> {
    let boards =
        [("1,2", "3x10"), ("2,3", "5x16"), ("3,4", "7x22"), ("4,5", "9x46"), ("5,6", "11x56")];
    let count = if is_quick() { 2 } else { boards.len() };
    let each = |&(leaper, board): &(&str, &str)| {
        let piece: Leaper = leaper.parse().expect("a leaper");
        let graph = Graph::leaper(Board::parse(board).expect("a board"), piece);
        Instance { name: format!("{{{leaper}}} {board}"), graph, verdict: Some(true) }
    };
    boards[..count].iter().map(each).collect()
}

fn holed(side: u32, percent: usize, count: u64) -> Vec<Instance> {
    let each = |seed| {
        let graph = Graph::knight(random_holes(side, percent, seed));
        Instance { name: format!("{side}x{side}, seed {seed}"), graph, verdict: None }
    };
    (1..=count).map(each).collect()
}

/// Returns a square board with random holes, equally many dark and light squares, and at least two moves from
/// every square.
fn random_holes(side: u32, percent: usize, seed: u64) -> Board {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut board = Board::new(side.into(), side.into()).expect("a board");
    let mut squares: Vec<Square> = board.iter().collect();
    squares.shuffle(&mut rng);
    squares.truncate(board.len() * percent / 100);
    loop {
        board = board.with_holes(squares).expect("squares are left");
        let graph = Graph::knight(board.clone());
        squares = graph.vertices().filter(|&v| graph.degree(v) < 2).collect();
        if !squares.is_empty() {
            continue;
        }
        let (dark, light): (Vec<Square>, Vec<Square>) =
            board.iter().partition(|&v| board.is_dark(v));
        let more = if dark.len() > light.len() { &dark } else { &light };
        for _ in 0..dark.len().abs_diff(light.len()) {
            squares.push(more[rng.random_range(0..more.len())]);
        }
        if squares.is_empty() {
            return board;
        }
    }
}

/// Reads the graph files of a folder; the degrees of a graph decide its kind.
pub fn in_folder(folder: &str) -> Vec<Kind> {
    let names = ["cubic and nearly cubic", "hubs", "many vertices of degree 2", "degree 4 to 14"];
    let mut kinds = names.map(|name| Kind { name, instances: Vec::new() });
    let entries = std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{folder}: {error}"));
    for entry in entries {
        let path = entry.expect("a folder entry").path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let text = std::fs::read_to_string(&path).map_err(|error| format!("{name}: {error}"));
        match text.and_then(|text| read_graph(&name, &text).map_err(|error| error.to_string())) {
            Ok(graph) => {
                let kind = &mut kinds[kind_of(&graph)];
                kind.instances.push(Instance { name, graph, verdict: None });
            }
            Err(error) => println!("skipped: {error}"),
        }
    }
    for kind in &mut kinds {
        kind.instances.sort_by_key(|instance| instance.graph.order());
    }
    kinds.into_iter().filter(|kind| !kind.instances.is_empty()).collect()
}

fn kind_of(graph: &Graph) -> usize {
    let share = |is: &dyn Fn(usize) -> bool| {
        let count = graph.vertices().filter(|&v| is(graph.degree(v))).count();
        count as f64 / graph.order() as f64
    };
    if share(&|degree| degree == 3) > 0.95 {
        0
    } else if share(&|degree| degree == 2) > 0.05 {
        2
    } else if share(&|degree| degree > 14) > 0.0 {
        1
    } else {
        3
    }
}
