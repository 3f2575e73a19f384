//! Compares every verdict with a plain exhaustive search that shares no code with the theorems.

use super::*;
use crate::board::{Board, Csr, Leaper, Square};
use crate::problem::Goal;
use foldhash::fast::FixedState;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::collections::HashSet;
use std::sync::Arc;

/// The oracle: depth-first search, fewest onward moves first, with a memo of failed positions.
struct Oracle {
    near: Vec<u64>,
    all: u64,
    failed: HashSet<(u64, Square), FixedState>,
}

impl Oracle {
    fn new(graph: &Graph) -> Oracle {
        let mask =
            |set: &mut dyn Iterator<Item = Square>| set.fold(0, |mask, v| mask | 1 << v.index());
        let near = Square::below(graph.len()).map(|v| mask(&mut graph.neighbours(v))).collect();
        Oracle { near, all: mask(&mut graph.vertices()), failed: HashSet::default() }
    }

    /// Returns whether a tour leads from `start` to one of `ends`.
    fn leads(&mut self, start: Square, ends: u64) -> bool {
        self.failed = HashSet::default();
        self.go(start, self.all & !(1 << start.index()), ends)
    }

    fn go(&mut self, v: Square, left: u64, ends: u64) -> bool {
        if left == 0 {
            return ends >> v.index() & 1 == 1;
        }
        let mut single = 0;
        for u in ones(left) {
            match (self.near[u.index()] & (left | 1 << v.index())).count_ones() {
                0 => return false,
                1 => single += 1,
                _ => {}
            }
        }
        if single > 1 || left & ends == 0 || self.failed.contains(&(left, v)) {
            return false;
        }
        if self.flood(self.near[v.index()] & left, left) != left {
            return false;
        }
        let mut next: Vec<Square> = ones(self.near[v.index()] & left).collect();
        next.sort_by_key(|&u| (self.near[u.index()] & left).count_ones());
        let found = next.into_iter().any(|u| self.go(u, left & !(1 << u.index()), ends));
        if !found {
            self.failed.insert((left, v));
        }
        found
    }

    /// Returns the squares of `left` that can be reached from a part of it.
    fn flood(&self, mut part: u64, left: u64) -> u64 {
        loop {
            let more = ones(part).fold(part, |more, u| more | self.near[u.index()] & left);
            if more == part {
                return part;
            }
            part = more;
        }
    }

    /// Returns whether the problem has a solution.
    fn answers(&mut self, problem: &Problem) -> bool {
        let end = problem.end().map_or(self.all, |e| 1 << e.index());
        problem.starts().iter().any(|s| {
            let closing = if problem.is_closed() { self.near[s.index()] } else { self.all };
            (!problem.is_closed() || self.all.count_ones() > 2) && self.leads(s, end & closing)
        })
    }
}

fn ones(mask: u64) -> impl Iterator<Item = Square> {
    let mut rest = mask;
    std::iter::from_fn(move || {
        let lowest = (rest != 0).then(|| Square::new(rest.trailing_zeros()));
        rest &= rest.wrapping_sub(1);
        lowest
    })
}

/// Checks a verdict against the oracle; returns whether there was one.
fn check(oracle: &mut Oracle, problem: &Problem) -> bool {
    let verdict = known(problem);
    let context = || {
        let name = |v: Option<Square>| v.map(|v| problem.graph().name(v));
        let (closed, ends) = (problem.is_closed(), (name(problem.start()), name(problem.end())));
        format!("{}, closed {closed}, ends {ends:?}: {verdict:?}", problem.graph())
    };
    match &verdict {
        Existence::Open => return false,
        Existence::Impossible(f) => assert!(!oracle.answers(problem), "{} {}", context(), f.reason),
        Existence::Exists(f) => assert!(oracle.answers(problem), "{} {}", context(), f.reason),
    }
    true
}

fn knight(rows: u64, cols: u64) -> Graph {
    Graph::knight(Board::new(rows, cols).unwrap())
}

const GOALS: [Goal; 2] = [Goal::Open, Goal::Closed];

fn fixed(graph: &Graph, goal: Goal, start: Option<Square>, end: Option<Square>) -> Problem {
    Problem::new(graph.clone(), goal, start, end).unwrap()
}

#[test]
fn free_ends_on_rectangles_are_always_decided_correctly() {
    let mut sides: Vec<(u64, u64)> = (1..=5).flat_map(|m| (m..=6).map(move |n| (m, n))).collect();
    sides.extend([(3, 7), (3, 8), (3, 9), (3, 10), (4, 7), (6, 6), (1, 12), (2, 11)]);
    for (m, n) in sides {
        for graph in [knight(m, n), knight(n, m)] {
            let mut oracle = Oracle::new(&graph);
            for goal in GOALS {
                assert!(check(&mut oracle, &fixed(&graph, goal, None, None)), "{graph} {goal:?}");
            }
        }
    }
}

#[test]
fn one_fixed_end_on_rectangles_is_judged_correctly() {
    for (m, n) in [(3, 4), (7, 3), (3, 8), (4, 5), (6, 4), (5, 5), (5, 6), (3, 3), (2, 4)] {
        let graph = knight(m, n);
        let mut oracle = Oracle::new(&graph);
        for v in graph.vertices() {
            for goal in GOALS {
                check(&mut oracle, &fixed(&graph, goal, Some(v), None));
                check(&mut oracle, &fixed(&graph, goal, None, Some(v)));
            }
        }
    }
}

#[test]
fn two_fixed_ends_on_rectangles_are_judged_correctly() {
    for (m, n) in [(3, 4), (4, 5), (5, 4), (5, 5), (3, 7), (4, 6), (5, 6), (10, 3)] {
        let graph = knight(m, n);
        let mut oracle = Oracle::new(&graph);
        for s in graph.vertices() {
            for e in graph.vertices().filter(|&e| e != s) {
                for goal in GOALS {
                    check(&mut oracle, &fixed(&graph, goal, Some(s), Some(e)));
                }
            }
        }
    }
}

#[test]
fn on_six_by_six_all_ends_of_different_colours_are_joined() {
    let graph = knight(6, 6);
    let mut oracle = Oracle::new(&graph);
    let dark = |v: Square| graph.board().is_some_and(|board| board.is_dark(v));
    for s in [0, 1, 2, 7, 8, 14].map(Square::new) {
        for e in graph.vertices().filter(|&e| dark(e) != dark(s)) {
            let problem = fixed(&graph, Goal::Open, Some(s), Some(e));
            assert!(matches!(known(&problem), Existence::Exists(_)));
            check(&mut oracle, &problem);
        }
    }
}

/// Checks free, half-fixed and fixed ends for both goals. Returns the number of impossible problems
/// and the number of these that the theorems recognise.
fn sweep(graph: &Graph, rng: &mut Xoshiro256PlusPlus) -> (usize, usize) {
    let mut oracle = Oracle::new(graph);
    let squares: Vec<Square> = graph.vertices().collect();
    let mut pick = || Some(squares[rng.random_range(0..squares.len())]);
    let (mut none, mut recognised) = (0, 0);
    for goal in GOALS {
        for ends in
            [(None, None), (pick(), None), (None, pick()), (pick(), pick()), (pick(), pick())]
        {
            let Ok(problem) = Problem::new(graph.clone(), goal, ends.0, ends.1) else { continue };
            let known = check(&mut oracle, &problem);
            if !oracle.answers(&problem) {
                none += 1;
                recognised += usize::from(known);
            }
        }
    }
    (none, recognised)
}

#[test]
fn random_boards_with_holes_are_judged_correctly() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    let (mut none, mut recognised) = (0, 0);
    for round in 0..500 {
        let leapers = ["1,2", "1,2", "0,1", "1,2+0,1", "1,1", "0,1+1,1", "1,3", "0,2", "0,1+0,2"];
        let leaper: Leaper = leapers[round % leapers.len()].parse().unwrap();
        // On dense graphs the oracle takes long to prove that there is no tour.
        let longest = if leaper.pairs().len() > 1 { 4 } else { 6 };
        let (rows, cols) = (rng.random_range(2..=4), rng.random_range(3..=longest));
        let board = Board::new(rows, cols).unwrap();
        let share = rng.random_range(0..4);
        let holes: Vec<Square> =
            Square::below(board.len()).filter(|_| rng.random_range(0..10) < share).collect();
        let Ok(board) = board.with_holes(holes) else { continue };
        let found = sweep(&Graph::leaper(board, leaper), &mut rng);
        (none, recognised) = (none + found.0, recognised + found.1);
    }
    assert!(
        recognised * 10 > none * 8,
        "only {recognised} of {none} impossible problems are recognised"
    );
}

#[test]
fn random_sparse_graphs_are_judged_correctly() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(2);
    let (mut none, mut recognised) = (0, 0);
    for round in 0..2000 {
        let n: u32 = rng.random_range(1..=10);
        let mut edges: Vec<(u32, u32)> = (1..n).map(|v| (rng.random_range(0..v), v)).collect();
        let more = rng.random_range(0..=n);
        edges.extend((0..more).map(|_| (rng.random_range(0..n), rng.random_range(0..n))));
        if round % 4 == 0 {
            edges.truncate(rng.random_range(0..=edges.len()));
        }
        let names = (0..n).map(|v| format!("v{v}")).collect();
        let graph = Graph::File(Arc::new(Csr::new(format!("graph {round}"), names, &edges)));
        let found = sweep(&graph, &mut rng);
        (none, recognised) = (none + found.0, recognised + found.1);
    }
    assert!(
        recognised * 10 > none * 8,
        "only {recognised} of {none} impossible problems are recognised"
    );
}

#[test]
fn knuths_conditions_agree_with_a_walk() {
    for leaper in ["1,2", "1,1", "2,3", "1,4", "1,3", "2,4", "3,4"] {
        for rows in 2..=9 {
            for cols in 2..=9 {
                let board = Board::new(rows, cols).unwrap();
                let graph = Graph::leaper(board.clone(), leaper.parse().unwrap());
                let by_walk = walk::walk(&graph, Square::new(0), None).parts == 1;
                let by_theorem = graph.piece().and_then(|p| obstacles::is_connected(&board, p));
                assert_eq!(by_theorem, Some(by_walk), "{graph}");
            }
        }
    }
}

#[test]
fn a_path_and_a_star_of_a_million_vertices_need_no_recursion() {
    let n = 1_000_000;
    let make = |edges: Vec<(u32, u32)>| {
        let names = (0..n).map(|v| v.to_string()).collect();
        Graph::File(Arc::new(Csr::new("large".into(), names, &edges)))
    };
    let path = make((1..n).map(|v| (v - 1, v)).collect());
    assert_eq!(known(&Problem::open(path.clone())), Existence::Open);
    assert!(known(&fixed(&path, Goal::Open, Some(Square::new(1)), None)).is_impossible());
    assert!(known(&Problem::closed(path)).is_impossible());
    let wheel = make((1..n).flat_map(|v| [(0, v), (v, 1 + v % (n - 1))]).collect());
    assert_eq!(known(&Problem::closed(wheel)), Existence::Open);
    // Triangles that share one vertex: every degree is even; only the cut rules out a tour.
    let friends =
        make((1..n - 1).step_by(2).flat_map(|v| [(0, v), (0, v + 1), (v, v + 1)]).collect());
    assert!(known(&Problem::open(friends)).is_impossible());
}

#[test]
fn reasons_name_the_obstacle() {
    let reason = |problem: &Problem| {
        let verdict = known(problem);
        let finding = verdict.finding().expect("known");
        format!("{}: {}", finding.theorem, finding.reason)
    };
    let graph = knight(4, 5);
    let at = |name: &str| graph.vertex(name).ok();
    insta::assert_snapshot!(
        [
            reason(&Problem::closed(knight(5, 5))),
            reason(&Problem::closed(knight(8, 3))),
            reason(&Problem::open(knight(4, 4))),
            reason(&Problem::closed(knight(8, 8))),
            reason(&fixed(&graph, Goal::Open, at("b2"), None)),
            reason(&fixed(&graph, Goal::Open, at("a1"), at("e1"))),
            reason(&fixed(&knight(8, 8), Goal::Open, Some(Square::new(0)), Some(Square::new(1)))),
            reason(&fixed(&knight(8, 8), Goal::Closed, Some(Square::new(0)), Some(Square::new(1)))),
            reason(&Problem::open(Graph::leaper(Board::new(8, 8).unwrap(), "1,3".parse().unwrap()))),
            reason(&Problem::open(Graph::leaper(Board::new(4, 4).unwrap(), "2,3".parse().unwrap()))),
            reason(&Problem::closed(knight(1, 2))),
            reason(&Problem::open(knight(1, 1))),
        ]
        .join("\n"),
        @r"
    Schwenk 1991: 5x5 has 13 dark and 12 light squares; a knight changes colour at each move, so a closed tour needs equally many of both
    Schwenk 1991: if a tour uses a2-c3, then a7 on 8x3 has only one move left, where a closed tour needs two: b5 has the forced moves c7-b5-a3; c6 has the forced moves b8-c6-a5; if it does not, then a4 on 8x3 has only one move left, where a closed tour needs two: c3 has the forced moves b1-c3-b5; c5 has the forced moves b7-c5-a6; b6 has the forced moves c8-b6-a8
    Chia & Ong 2005: remove the 4 squares b2, c2, b3 and c3: the rest of 4x4 falls into 6 parts, but a tour would fall into at most 5
    Schwenk 1991: the 8x8 board has a closed tour
    Pósa's colouring: both ends of a tour of the 4x5 board lie on its top and bottom rows, and b2 does not
    colouring: 4x5 has 10 dark and 10 light squares; a knight changes colour at each move, so a tour has one end of each colour, but a1 and e1 have the same
    Conrad et al. 1994: on the 8x8 board a tour leads from a1 to b1
    definition: a closed tour returns to its start, but there is no move between b1 and a1
    connectivity: on 8x8 for the 1,3-leaper no move leads from a dark square to a light one
    Knuth 1994: on 4x4 for the 2,3-leaper the leaper cannot reach every square from a1
    definition: a closed tour needs at least 3 squares, and 1x2 has only 2
    definition: the only square of 1x1 is a tour by itself
    "
    );
}
