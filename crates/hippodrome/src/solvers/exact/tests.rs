//! Compares the exact search with brute force, with known counts, and with its promises.

use super::*;
use crate::board::{Board, Csr, Graph};
use crate::problem::Goal;
use crate::search::{
    Consumer, Control, Driver, Moment, Observer, RunReport, SearchEvent, Stats, Status,
};
use crate::solvers::registry::Choice;
use crate::tour::Verified;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::ops::ControlFlow;
use std::sync::Arc;

fn knight(board: &str) -> Graph {
    Graph::knight(Board::parse(board).unwrap())
}

fn prepare(problem: &Problem, params: &[&str]) -> Box<dyn Prepared> {
    let choice = Choice::new("exact", params).unwrap();
    choice.solver.prepare(problem, &choice.values, &Resources::on(1)).unwrap()
}

fn go(
    problem: &Problem,
    params: &[&str],
    budget: Budget,
    threads: usize,
    take: Option<Consumer<'_>>,
) -> RunReport {
    let (control, prepared) = (Control::default(), prepare(problem, params));
    let prepared = &*prepared;
    let plan = Driver { problem, solver: "exact", prepared, seed: 1, budget, control: &control };
    plan.run(threads, take).unwrap()
}

/// Returns all tours in the order found.
fn list(problem: &Problem, params: &[&str], threads: usize) -> (RunReport, Vec<Vec<Square>>) {
    let mut tours = Vec::new();
    let mut take = |tour: Verified<'_>, _: &Moment| {
        tours.push(tour.squares().to_vec());
        ControlFlow::Continue(())
    };
    let report = go(problem, params, Budget::UNLIMITED, threads, Some(&mut take));
    (report, tours)
}

/// Returns all tours in order, found by walking every path.
fn brute(problem: &Problem) -> Vec<Vec<Square>> {
    fn walk(p: &Problem, path: &mut Vec<Square>, tours: &mut Vec<Vec<Square>>) {
        let (g, here) = (p.graph(), path[path.len() - 1]);
        if path.len() == g.order() {
            let closes = path.len() > 2 && g.adjacent(here, path[0]);
            if p.end().is_none_or(|e| e == here) && (closes || !p.is_closed()) {
                tours.push(path.clone());
            }
            return;
        }
        for next in g.vertices() {
            if g.adjacent(here, next) && !path.contains(&next) {
                path.push(next);
                walk(p, path, tours);
                path.pop();
            }
        }
    }
    let mut tours = Vec::new();
    problem.starts().iter().for_each(|s| walk(problem, &mut vec![s], &mut tours));
    tours
}

/// Returns problems with both goals, and with free ends, one fixed end, and two fixed ends.
fn problems(graph: &Graph, rng: &mut Xoshiro256PlusPlus) -> Vec<Problem> {
    let vertices: Vec<Square> = graph.vertices().collect();
    let mut some = || vertices[rng.random_range(0..vertices.len())];
    let (a, b) = (some(), some());
    let mut problems = Vec::new();
    for goal in [Goal::Open, Goal::Closed] {
        for (start, end) in [(None, None), (Some(a), None), (None, Some(b)), (Some(a), Some(b))] {
            problems.extend(Problem::new(graph.clone(), goal, start, end).ok());
        }
    }
    problems
}

fn agrees_with_brute_force(graph: &Graph, rng: &mut Xoshiro256PlusPlus) -> usize {
    let mut count = 0;
    for problem in problems(graph, rng) {
        let (report, mut tours) = list(&problem, &[], 1);
        let expected = brute(&problem);
        let (goal, ends) = (problem.is_closed(), (problem.start(), problem.end()));
        assert_eq!(report.status, Status::Complete);
        assert_eq!(report.stats.tours, expected.len() as u64, "{graph} {goal} {ends:?}");
        tours.sort_unstable();
        assert!(tours == expected, "{graph} {goal} {ends:?}");
        count += tours.len();
    }
    count
}

#[test]
fn boards_have_the_tours_that_brute_force_finds() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(2);
    let mut seen = 0;
    for (rows, cols) in (1..=4).flat_map(|rows| (rows..=5).map(move |cols| (rows, cols))) {
        let full = Board::new(rows, cols).unwrap();
        for leaper in ["1,2", "1,3", "0,1", "1,2+0,1"] {
            let dense = leaper.len() > 3;
            for missing in [0, 1, 2, 4] {
                // Brute force on a dense graph is slow beyond a dozen squares.
                let missing =
                    if dense { missing.max((rows * cols).saturating_sub(11)) } else { missing };
                let holes =
                    (0..missing).map(|_| Square::from_index(rng.random_range(0..full.len())));
                let Ok(board) = full.with_holes(holes.collect::<Vec<_>>()) else { continue };
                if dense && board.squares() > 13 {
                    continue;
                }
                let graph = Graph::leaper(board, leaper.parse().unwrap());
                seen += agrees_with_brute_force(&graph, &mut rng);
            }
        }
    }
    assert!(seen > 10_000, "only {seen} tours were compared");
}

#[test]
fn random_graphs_have_the_tours_that_brute_force_finds() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(3);
    let mut seen = 0;
    for round in 0..150 {
        let order = rng.random_range(1..=8u32);
        let density = [0.3, 0.5, 0.8, 1.0][round % 4];
        let pairs = (0..order).flat_map(|u| (0..u).map(move |v| (u, v)));
        let edges: Vec<(u32, u32)> = pairs.filter(|_| rng.random_bool(density)).collect();
        let names = (0..order).map(|v| v.to_string()).collect();
        let graph = Graph::File(Arc::new(Csr::new(format!("random {round}"), names, &edges)));
        seen += agrees_with_brute_force(&graph, &mut rng);
    }
    assert!(seen > 10_000, "only {seen} tours were compared");
}

#[test]
fn known_counts_are_reproduced() {
    let open = [("3x4", 16), ("3x7", 104), ("3x8", 792), ("3x10", 6096), ("4x5", 164)];
    let more = [("4x6", 1488), ("4x7", 12756), ("5x5", 1728), ("5x6", 37568), ("4x4", 0)];
    for (board, count) in open.into_iter().chain(more) {
        let report = go(&Problem::open(knight(board)), &[], Budget::UNLIMITED, 1, None);
        assert_eq!((report.status, report.stats.tours), (Status::Complete, count), "{board} open");
    }
    let closed = [("3x10", 16), ("3x12", 176), ("5x6", 8), ("6x6", 9862), ("3x8", 0), ("4x8", 0)];
    for (board, cycles) in closed.into_iter().chain([("4x10", 0), ("4x500", 0), ("7x7", 0)]) {
        let problem = Problem::closed(knight(board));
        let directed = 2 * cycles * problem.graph().order() as u64;
        let report = go(&problem, &[], Budget::UNLIMITED, 1, None);
        assert_eq!((report.status, report.stats.tours), (Status::Complete, directed), "{board}");
        assert_eq!(report.stats.closed, directed);
    }
}

#[test]
fn no_tour_is_found_twice_and_threads_change_nothing() {
    for problem in [Problem::open(knight("5x6")), Problem::closed(knight("5x6"))] {
        let (report, tours) = list(&problem, &[], 1);
        let (other, same) = list(&problem, &[], 2);
        assert_eq!((report.status, report.stats), (other.status, other.stats));
        assert!(tours == same);
        let mut sorted = tours.clone();
        sorted.sort_unstable();
        sorted.dedup();
        assert_eq!(sorted.len(), tours.len());
    }
}

#[test]
fn restarts_neither_lose_nor_repeat_tours() {
    let (mut afresh, mut seen) = (0, 0);
    for end in (1..36).step_by(2) {
        let problem =
            Problem::new(knight("4x9"), Goal::Open, Some(Square::new(0)), Some(Square::new(end)))
                .unwrap();
        let (plain, mut expected) = list(&problem, &["restarts=0"], 1);
        let (again, mut tours) = list(&problem, &["restarts=50"], 1);
        afresh += again.stats.attempts - plain.stats.attempts;
        tours.sort_unstable();
        expected.sort_unstable();
        assert!(tours == expected);
        seen += tours.len();
    }
    assert!(afresh > 1000 && seen > 1000, "{afresh} more attempts, {seen} tours");
}

#[test]
fn limits_are_kept() {
    let problem = Problem::open(knight("6x6"));
    for (attempts, least) in [(1, 1), (10, 10), (1000, 500)] {
        let budget = Budget { attempts: Some(attempts), ..Budget::UNLIMITED };
        let RunReport { status, stats, .. } = go(&problem, &[], budget, 1, None);
        assert_eq!(status, Status::Limit);
        // A part that is exhausted does not spend the rest of its share.
        assert!((least..=attempts).contains(&stats.attempts), "{}", stats.attempts);
    }
    let budget = Budget { moves: Some(100_000), ..Budget::UNLIMITED };
    let RunReport { status, stats, .. } = go(&problem, &[], budget, 1, None);
    assert_eq!(status, Status::Limit);
    // A part stops after the consequences of the choice that spent its share, or when it is exhausted.
    assert!((50_000..110_000).contains(&stats.moves), "{}", stats.moves);
}

#[test]
fn large_boards_give_a_tour_immediately() {
    for (board, goal) in [
        ("8x8", Goal::Open),
        ("8x8", Goal::Closed),
        ("31x31", Goal::Open),
        ("50x50", Goal::Open),
        ("50x50", Goal::Closed),
        ("3x400", Goal::Closed),
        ("150x150", Goal::Closed),
    ] {
        let problem = Problem::new(knight(board), goal, None, None).unwrap();
        let mut take = |_: Verified<'_>, _: &Moment| ControlFlow::Break(());
        let RunReport { stats, .. } = go(&problem, &[], Budget::UNLIMITED, 1, Some(&mut take));
        assert_eq!((stats.tours, stats.attempts), (1, 1), "{board}");
    }
}

#[test]
fn watching_shows_growing_paths_and_the_same_tours() {
    struct Eye(Graph, usize, usize);
    impl Observer for Eye {
        fn event(&mut self, event: &SearchEvent<'_>, _: &Stats) -> ControlFlow<()> {
            let Some(path) = event.path() else { return ControlFlow::Continue(()) };
            assert!(path.windows(2).all(|pair| self.0.adjacent(pair[0], pair[1])));
            (self.1, self.2) = (self.1 + 1, self.2.max(path.len()));
            ControlFlow::Continue(())
        }
    }
    for problem in [Problem::open(knight("5x6")), Problem::closed(knight("6x6"))] {
        let (control, prepared) = (Control::default(), prepare(&problem, &[]));
        let (prepared, budget) = (&*prepared, Budget::UNLIMITED);
        let plan = Driver {
            problem: &problem,
            solver: "exact",
            prepared,
            seed: 1,
            budget,
            control: &control,
        };
        let mut eye = Eye(problem.graph().clone(), 0, 0);
        let mut tours = Vec::new();
        let mut take = |tour: Verified<'_>, _: &Moment| {
            tours.push(tour.squares().to_vec());
            ControlFlow::Continue(())
        };
        plan.watch(&mut eye, &mut take).unwrap();
        assert!(tours == list(&problem, &[], 1).1);
        assert!(eye.1 > 10 && eye.2 > 10, "{} frames, longest {}", eye.1, eye.2);
    }
}

#[test]
fn a_board_too_large_for_memory_is_rejected_with_a_reason() {
    let problem = Problem::open(knight("20000x20000"));
    let choice = Choice::new("exact", &[] as &[&str]).unwrap();
    let refusal = choice.solver.prepare(&problem, &choice.values, &Resources::on(1)).err().unwrap();
    assert!(refusal.to_string().contains("1600000000"), "{refusal}");
}
