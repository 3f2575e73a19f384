//! Runs every solver with every choice of its parameters on every small board, and compares the results with
//! brute force: tours are valid, results reported as complete are complete, and counts are correct.
//!
//! The oracle uses only [`Graph::adjacent`]. Larger boards are searched within a budget, and there
//! only the validity of each tour is checked.

use crate::lab::{Variant, collect, graph, on_one_thread, variants};
use hippodrome::board::{Graph, Square};
use hippodrome::lab::enumerate::{EnumerateError, Enumeration};
use hippodrome::problem::{Goal, Problem};
use hippodrome::search::{Budget, Control, Status};
use hippodrome::solvers::registry::{Choice, SOLVERS};
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::sync::LazyLock;

/// Minimum number of squares of boards that are searched within a budget.
const LARGE: usize = 20;

static VARIANTS: LazyLock<Vec<Variant>> = LazyLock::new(variants);

/// Lists all tours of a graph by plain recursion. With `prune`, a branch is abandoned when too many
/// unvisited squares have fewer than two ways in and out.
struct Oracle<'g> {
    near: Vec<u64>,
    path: Vec<Square>,
    prune: bool,
    tours: HashSet<Vec<Square>>,
    graph: &'g Graph,
}

impl Oracle<'_> {
    fn tours(graph: &Graph, prune: bool) -> HashSet<Vec<Square>> {
        let all = Square::below(graph.len());
        let row = |u| {
            all.clone().filter(|&v| graph.adjacent(u, v)).fold(0, |row, v| row | 1 << v.index())
        };
        let near = all.clone().map(row).collect();
        let mut oracle = Oracle { near, path: Vec::new(), prune, tours: HashSet::new(), graph };
        let squares: u64 = all.clone().filter(|&v| graph.has(v)).map(|v| 1 << v.index()).sum();
        for start in all.filter(|&v| graph.has(v)) {
            oracle.visit(start, squares & !(1 << start.index()));
        }
        oracle.tours
    }

    fn visit(&mut self, square: Square, left: u64) {
        self.path.push(square);
        if left == 0 {
            self.tours.insert(self.path.clone());
        } else if !self.prune || self.hope(square, left) {
            for next in Square::below(self.graph.len()) {
                if left & self.near[square.index()] & 1 << next.index() != 0 {
                    self.visit(next, left & !(1 << next.index()));
                }
            }
        }
        self.path.pop();
    }

    fn hope(&self, here: Square, left: u64) -> bool {
        let ways = |v: &usize| (self.near[*v] & (left | 1 << here.index())).count_ones();
        let squares = (0..self.graph.len()).filter(|&v| left >> v & 1 == 1);
        let poor: Vec<u32> = squares.map(|v| ways(&v)).filter(|&n| n < 2).collect();
        matches!(poor[..], [] | [1])
    }
}

/// Returns whether a tour solves the problem, by definition.
fn answers(problem: &Problem, tour: &[Square]) -> bool {
    let (first, last) = (tour[0], tour[tour.len() - 1]);
    let closed = tour.len() > 2 && problem.graph().adjacent(last, first);
    (closed || !problem.is_closed())
        && problem.start().is_none_or(|s| s == first)
        && problem.end().is_none_or(|e| e == last)
}

/// Returns the problems of a graph: open and closed; ends free, one or both fixed.
fn problems(graph: &Graph) -> Vec<(String, Problem)> {
    let squares: Vec<Square> = graph.vertices().collect();
    let (first, last) = (squares[0], squares[squares.len() - 1]);
    let middle = squares[squares.len() / 2];
    let near = squares.iter().copied().find(|&v| graph.adjacent(first, v));
    let mut ends = vec![(None, None), (Some(first), None), (Some(middle), None)];
    ends.extend([(None, Some(last)), (Some(first), Some(last)), (Some(last), Some(middle))]);
    ends.push((Some(first), near.or(Some(last))));
    let mut problems = BTreeMap::new();
    for goal in [Goal::Open, Goal::Closed] {
        for (start, end) in &ends {
            let name = |v: &Option<Square>| v.map_or("*".into(), |v| graph.name(v));
            let label = format!("{goal:?} {}..{}", name(start), name(end));
            if let Ok(problem) = Problem::new(graph.clone(), goal, *start, *end) {
                problems.insert(label, problem);
            }
        }
    }
    problems.into_iter().collect()
}

/// Returns the budget of a variant: unlimited on small boards, if it ends on its own. A fixed start
/// square needs fewer attempts.
fn budget(variant: &Variant, problem: &Problem, exhausts: bool) -> Budget {
    match (exhausts, problem.graph().order() >= LARGE && variant.choice.name() != "exact") {
        (false, _) => {
            let attempts = if problem.start().is_some() { 60 } else { 200 };
            Budget { attempts: Some(attempts), ..Budget::UNLIMITED }
        }
        (true, true) => Budget { moves: Some(30_000), ..Budget::UNLIMITED },
        (true, false) => Budget::UNLIMITED,
    }
}

/// Runs one variant on one problem, and returns its status or the reason why it is unsupported.
fn conforms(
    variant: &Variant,
    label: &str,
    problem: &Problem,
    known: &HashSet<Vec<Square>>,
) -> Result<Status, String> {
    let what = format!("{} on {label}", variant.name);
    let mut run = on_one_thread(problem.clone(), variant.choice.clone());
    let promise = match run.promise() {
        Ok(promise) => promise,
        Err(EnumerateError::Unsupported { reason, .. }) => return Err(reason.to_string()),
        Err(other) => panic!("{what}: {other}"),
    };
    run.by_start = true;
    run.budget = budget(variant, problem, promise.exhausts);
    let (tours, summary) = collect(&run);
    let total = summary.total;
    for tour in &tours {
        assert!(answers(problem, tour) && known.contains(tour), "{what}: {tour:?} is invalid");
    }
    let distinct: HashSet<_> = tours.iter().collect();
    assert_eq!(distinct.len(), tours.len(), "{what}: a tour came twice");
    assert_eq!(total.distinct, tours.len() as u64, "{what}: count of distinct tours");
    assert!(total.tours >= total.distinct, "{what}: count of tours");
    assert!(promise.repeats || total.tours == total.distinct, "{what}: unexpected duplicates");
    let ring = |t: &&Vec<Square>| t.len() > 2 && problem.graph().adjacent(t[0], t[t.len() - 1]);
    let closed = tours.iter().filter(ring).count() as u64;
    assert_eq!(total.closed, closed, "{what}: count of closed tours");
    let sum = |of: fn(&hippodrome::lab::enumerate::Totals) -> u64| {
        summary.by_start.values().map(of).sum()
    };
    assert_eq!((total.tours, total.distinct), (sum(|t| t.tours), sum(|t| t.distinct)), "{what}");
    for (&start, tally) in &summary.by_start {
        let from = tours.iter().filter(|t| t[0] == start).count() as u64;
        assert_eq!(tally.distinct, from, "{what}: tours from {start:?}");
    }
    match summary.status {
        Status::Complete => {
            let all = known.iter().filter(|tour| answers(problem, tour)).count();
            assert_eq!(tours.len(), all, "{what}: called complete");
        }
        Status::Exhausted => {}
        Status::Limit => {
            let own = ["nodes=", "states="].iter().any(|limit| variant.name.contains(limit));
            let limited = !run.budget.is_unlimited() || own;
            assert!(limited, "{what}: no limit was set");
        }
        Status::Interrupted => panic!("{what}: unexpected interrupt"),
    }
    Ok(summary.status)
}

/// Runs every variant on every problem of some graphs, and counts each status.
fn sweep<'n>(names: impl IntoIterator<Item = &'n str>) -> BTreeMap<String, usize> {
    let mut ends = BTreeMap::new();
    for name in names {
        let graph = graph(name);
        let known = Oracle::tours(&graph, graph.order() >= LARGE);
        for (label, problem) in problems(&graph) {
            let label = format!("{name} {label}");
            for variant in VARIANTS.iter() {
                if let Ok(status) = conforms(variant, &label, &problem, &known) {
                    *ends.entry(format!("{} {status:?}", variant.choice.name())).or_default() += 1;
                    let exact = variant.choice.name() == "exact";
                    assert!(!exact || status == Status::Complete, "exact on {label}: {status:?}");
                }
            }
        }
    }
    ends
}

fn rectangles(squares: std::ops::Range<usize>) -> Vec<String> {
    let shapes = (1..=5).flat_map(|rows| (1..=6).map(move |cols| (rows, cols)));
    let sized = shapes.filter(|(rows, cols)| squares.contains(&(rows * cols)));
    sized.map(|(rows, cols)| format!("{rows}x{cols}")).collect()
}

const ODD_BOARDS: &[&str] = &[
    "3x3-b2",
    "3x4-a1",
    "4x4-a1",
    "4x4-a1-b1",
    "4x4-a1-d1",
    "4x4-a1-d4",
    "4x4-a1-a4-d1-d4",
    "3x5-c2-a1",
    "4x5-c1",
    "4x5-b2-d3",
    "5x5-c3",
    "5x5-a1-b1",
];
const OTHER_PIECES: &[&str] = &[
    "1x2/0,1",
    "1x5/0,1",
    "2x3/0,1",
    "3x3/0,1",
    "3x4/0,1",
    "4x4/0,1",
    "2x2/1,1",
    "3x3-b1/1,1",
    "4x4/1,1",
    "4x4/1,3",
    "4x5/1,3",
    "2x3/1,2+0,1",
    "3x3/1,2+0,1",
    "3x4-b2/1,2+0,1",
    "1x3/0,1+0,2",
];
const FILES: &[&str] = &["petersen", "wheel"];

#[test]
fn the_pruned_oracle_agrees_with_the_plain_one() {
    for name in ["3x4", "4x4", "4x5", "4x5-b2-d3", "3x3/0,1", "3x3/1,2+0,1", "petersen", "wheel"] {
        let graph = graph(name);
        let plain = Oracle::tours(&graph, false);
        assert_eq!(Oracle::tours(&graph, true), plain, "{name}");
        assert!(
            plain.is_empty() == ["4x4", "4x5-b2-d3"].contains(&name),
            "{name} has {} tours",
            plain.len()
        );
    }
    assert_eq!(Oracle::tours(&graph("5x5"), true).len(), 1728);
    assert_eq!(Oracle::tours(&graph("petersen"), false).len(), 240);
}

#[test]
fn every_solver_conforms_on_boards_below_twenty_squares() {
    let names = rectangles(1..LARGE);
    let ends = sweep(names.iter().map(String::as_str));
    for solver in ["backtrack", "scan", "warnsdorff", "best-first", "exact"] {
        assert!(ends[&format!("{solver} Complete")] > 100, "{ends:?}");
    }
}

#[test]
fn every_solver_conforms_on_4x5_to_5x6() {
    let names = rectangles(LARGE..31);
    assert_eq!(names, ["4x5", "4x6", "5x4", "5x5", "5x6"]);
    let ends = sweep(names.iter().map(String::as_str));
    assert!(ends.keys().any(|k| k == "backtrack Limit") && ends["exact Complete"] > 80, "{ends:?}");
}

#[test]
fn every_solver_conforms_on_boards_with_holes() {
    sweep(ODD_BOARDS.iter().copied());
}

#[test]
fn every_solver_conforms_with_other_pieces_and_graphs_from_files() {
    sweep(OTHER_PIECES.iter().chain(FILES).copied());
}

/// Formats boards with the problems that a solver rejects there; `all` stands for all problems.
fn places(refused: &BTreeMap<String, BTreeSet<String>>) -> String {
    let mut by_problems: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for (name, labels) in refused {
        let all = labels.len() == problems(&graph(name)).len();
        let labels: Vec<&str> = labels.iter().map(String::as_str).collect();
        let which = if all { "all".to_string() } else { labels.join(", ") };
        by_problems.entry(which).or_default().push(name);
    }
    let line =
        |(which, names): (&String, &Vec<&str>)| format!("    {} ({which})\n", names.join(" "));
    by_problems.iter().map(line).collect()
}

#[test]
fn what_is_unsupported_is_known() {
    type Places = BTreeMap<String, BTreeSet<String>>;
    let mut refused: BTreeMap<String, BTreeMap<&str, Places>> = BTreeMap::new();
    let boards = rectangles(1..31);
    let others = ODD_BOARDS.iter().chain(OTHER_PIECES).chain(FILES).copied();
    for name in boards.iter().map(String::as_str).chain(others) {
        for (label, problem) in problems(&graph(name)) {
            for variant in VARIANTS.iter() {
                let run = on_one_thread(problem.clone(), variant.choice.clone());
                if let Err(error) = run.promise() {
                    let by_variant = refused.entry(error.to_string()).or_default();
                    let places = by_variant.entry(&variant.name).or_default();
                    places.entry(name.to_string()).or_default().insert(label.clone());
                }
            }
        }
    }
    let mut text = String::new();
    for (reason, by_variant) in refused {
        text += &format!("{reason}\n");
        let mut groups: BTreeMap<String, Vec<&str>> = BTreeMap::new();
        for (variant, refused) in by_variant {
            groups.entry(places(&refused)).or_default().push(variant);
        }
        for (places, variants) in groups {
            text += &format!("  {}\n{places}", variants.join("\n  "));
        }
    }
    insta::assert_snapshot!(text);
}

/// Four vertices form the path 3-1-2-4, so no tour starts on vertex 1 or 2.
#[test]
fn a_random_solver_abandons_starts_without_tours() {
    let text = "3 1\n1 2\n2 4\n";
    let line = hippodrome::board::graph_file::read_graph("line", text).unwrap();
    for solver in SOLVERS {
        let choice = Choice::new::<&str>(solver.info().name, &[]).unwrap();
        let time = Some(std::time::Duration::from_secs(20));
        let budget = Budget { tours: Some(1), time, ..Budget::UNLIMITED };
        let run = Enumeration {
            budget,
            threads: 2,
            ..Enumeration::new(Problem::open(line.clone()), choice)
        };
        match run.run(&Control::default(), None) {
            Ok(summary) => assert_eq!(summary.total.distinct, 1, "{}", solver.info().name),
            Err(EnumerateError::Unsupported { .. }) => {}
            Err(error) => panic!("{}: {error}", solver.info().name),
        }
    }
}
