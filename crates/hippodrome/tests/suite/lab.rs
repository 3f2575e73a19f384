//! Functions that the test suites share: solver variants with all parameters, graphs by name, and runs of an
//! enumeration.

use hippodrome::board::graph_file::read_graph;
use hippodrome::board::{Board, Graph, Square};
use hippodrome::lab::enumerate::{Enumeration, Summary};
use hippodrome::problem::{Goal, Problem};
use hippodrome::search::{Control, Param, ParamKind};
use hippodrome::solvers::registry::{Choice, SOLVERS};
use std::ops::ControlFlow;
use std::sync::LazyLock;

/// A solver with one setting of its parameters.
#[derive(Clone)]
pub struct Variant {
    /// The solver and its parameters as typed, without defaults.
    pub name: String,
    pub choice: Choice,
}

/// Maximum number of combinations per solver. If there are more, parameters are varied one at a time.
const MANY: usize = 120;

/// Returns the values of a parameter to test: the default first, then every word and a permutation, or the
/// smallest number (another number if that is the default).
fn values(param: &Param) -> Vec<String> {
    let words = |words: &[(&str, &str)]| words.iter().map(|(w, _)| w.to_string()).collect();
    let mut values: Vec<String> = match param.kind {
        ParamKind::Choice(choices) => words(choices),
        ParamKind::Order(choices) => words(choices),
        ParamKind::Int { min, .. } if min.to_string() == param.default => {
            vec![(min + 1).to_string()]
        }
        ParamKind::Int { min, .. } => vec![min.to_string()],
        ParamKind::Real { min, max } if min.to_string() == param.default => vec![max.to_string()],
        ParamKind::Real { min, .. } => vec![min.to_string()],
    };
    if let ParamKind::Order(_) = param.kind {
        values.push("62514037".into());
    }
    values.retain(|value| value != param.default);
    values.insert(0, param.default.into());
    values
}

/// Returns every combination of the parameters' values. Parameters with their default value are left out.
fn combinations(params: &[Param]) -> Vec<Vec<String>> {
    let mut settings: Vec<Vec<String>> = vec![Vec::new()];
    for param in params {
        let mut more = Vec::new();
        for setting in &settings {
            for value in values(param) {
                let mut setting = setting.clone();
                if value != param.default {
                    setting.push(format!("{}={value}", param.name));
                }
                more.push(setting);
            }
        }
        settings = more;
    }
    settings
}

/// Returns every registered solver with every combination of its parameters' values. If there are too many
/// combinations, varies one parameter at a time.
pub fn variants() -> Vec<Variant> {
    let mut all = Vec::new();
    for solver in SOLVERS {
        let info = solver.info();
        let number: usize = info.params.iter().map(|p| values(p).len()).product();
        let settings = if number <= MANY {
            combinations(info.params)
        } else {
            let changes = info.params.iter().flat_map(|p| combinations(std::slice::from_ref(p)));
            let changes = changes.filter(|setting| !setting.is_empty());
            std::iter::once(Vec::new()).chain(changes).collect()
        };
        for setting in settings {
            let name = [&[info.name.to_string()], &setting[..]].concat().join(" ");
            all.push(Variant { name, choice: choice(info.name, &setting) });
        }
    }
    all
}

/// Returns a solver by name, with parameters.
pub fn choice<S: AsRef<str>>(name: &str, params: &[S]) -> Choice {
    Choice::new(name, params).unwrap()
}

/// Creates a graph from its name: a size, then `-` and the holes, then `/` and the leaper; or `petersen`,
/// `wheel`.
pub fn graph(name: &str) -> Graph {
    match name {
        "petersen" => {
            let ring = (0..5).map(|i| format!("{i} {}\n{i} {}\n", (i + 1) % 5, i + 5));
            let star = (0..5).map(|i| format!("{} {}\n", i + 5, (i + 2) % 5 + 5));
            read_graph(name, &ring.chain(star).collect::<String>()).unwrap()
        }
        "wheel" => {
            let rim = (1..=7).map(|i| format!("rim{i} rim{}\nhub rim{i}\n", i % 7 + 1));
            read_graph(name, &rim.collect::<String>()).unwrap()
        }
        _ => {
            let (ground, leaper) = name.split_once('/').unwrap_or((name, "1,2"));
            let (shape, holes) = ground.split_once('-').unwrap_or((ground, ""));
            let board = Board::parse(shape).unwrap();
            let holes: Vec<Square> =
                holes.split_terminator('-').map(|h| board.place(h).unwrap()).collect();
            Graph::leaper(board.with_holes(holes).unwrap(), leaper.parse().unwrap())
        }
    }
}

/// Creates the problem of finding open tours of a named graph.
pub fn open(name: &str) -> Problem {
    Problem::open(graph(name))
}

/// Creates the problem of finding closed tours of a named graph.
pub fn closed(name: &str) -> Problem {
    Problem::closed(graph(name))
}

/// Creates the problem of finding open tours of a named graph that begin on a given square.
pub fn open_from(name: &str, start: &str) -> Problem {
    let graph = graph(name);
    let start = graph.vertex(start).unwrap();
    Problem::new(graph, Goal::Open, Some(start), None).unwrap()
}

/// Creates an enumeration on one thread. [`Enumeration::new`] queries the number of cores, which
/// takes longer than many of the searches here.
pub fn on_one_thread(problem: Problem, choice: Choice) -> Enumeration {
    static USUAL: LazyLock<Enumeration> = LazyLock::new(|| {
        let usual = Enumeration::new(open("1x1"), Choice::new::<&str>("exact", &[]).unwrap());
        Enumeration { threads: 1, ..usual }
    });
    Enumeration { problem, choice, ..USUAL.clone() }
}

/// Runs an enumeration and collects its tours.
pub fn collect(run: &Enumeration) -> (Vec<Vec<Square>>, Summary) {
    let mut tours = Vec::new();
    let mut take = |tour: hippodrome::tour::Verified<'_>| {
        tours.push(tour.squares().to_vec());
        ControlFlow::Continue(())
    };
    let summary = run.run(&Control::default(), Some(&mut take)).unwrap();
    (tours, summary)
}

/// Runs an enumeration without collecting its tours.
pub fn count(run: &Enumeration) -> Summary {
    run.run(&Control::default(), None).unwrap()
}
