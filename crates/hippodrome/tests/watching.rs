//! Whoever watches a search sees partial paths of it and does not disturb it.

mod lab;

use hippodrome::board::Square;
use hippodrome::budget::Budget;
use hippodrome::driver::{Moment, Plan, Report};
use hippodrome::graph::Graph;
use hippodrome::problem::Problem;
use hippodrome::run::{Control, Frame, Observer};
use hippodrome::solver::Prepared;
use hippodrome::tour::Verified;
use lab::{Variant, closed, open, variants};
use std::ops::ControlFlow;

/// Checks every frame, and stops the run after so many.
struct Watcher<'g> {
    graph: &'g Graph,
    what: String,
    frames: u64,
    stop_after: u64,
    longest: usize,
}

impl Observer for Watcher<'_> {
    fn frame(&mut self, frame: &Frame<'_>) -> ControlFlow<()> {
        let Frame::Path(path) = frame;
        for (step, &square) in path.iter().enumerate() {
            assert!(self.graph.has(square), "{}: {square} in {path:?}", self.what);
            assert!(!path[..step].contains(&square), "{}: a repeat in {path:?}", self.what);
        }
        for pair in path.windows(2) {
            assert!(self.graph.adjacent(pair[0], pair[1]), "{}: a jump in {path:?}", self.what);
        }
        self.frames += 1;
        self.longest = self.longest.max(path.len());
        if self.frames >= self.stop_after {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }
}

/// Runs a prepared solver, watched or not; the tours and the report.
fn run(
    variant: &Variant,
    problem: &Problem,
    prepared: &dyn Prepared,
    budget: Budget,
    watcher: Option<&mut Watcher<'_>>,
) -> (Vec<Vec<Square>>, Report) {
    let control = Control::default();
    let solver = variant.choice.name();
    let plan = Plan { problem, solver, prepared, seed: 3, budget, control: &control };
    let mut tours = Vec::new();
    let mut take = |tour: Verified<'_>, _: &Moment| {
        tours.push(tour.squares().to_vec());
        ControlFlow::Continue(())
    };
    let report = match watcher {
        Some(watcher) => plan.watch(watcher, &mut take).unwrap(),
        None => plan.run(1, Some(&mut take)).unwrap(),
    };
    (tours, report)
}

/// Every variant on a problem within budgets, watched and unwatched.
fn compare(problem: &Problem, moves: u64) {
    let graph = problem.graph();
    for variant in variants() {
        let Ok(prepared) = variant.choice.solver.prepare(problem, &variant.choice.values) else {
            continue;
        };
        let what = format!("{} on {graph}", variant.name);
        let whole = graph.order() < 15 && prepared.promise().exhausts;
        let moves = (!whole).then_some(moves);
        let budget = Budget { moves, ..Budget::UNLIMITED };
        let mut watcher =
            Watcher { graph, what: what.clone(), frames: 0, stop_after: u64::MAX, longest: 0 };
        let (seen, watched) = run(&variant, problem, &*prepared, budget, Some(&mut watcher));
        let (tours, unwatched) = run(&variant, problem, &*prepared, budget, None);
        assert_eq!(seen, tours, "{what}: other tours when watched");
        assert_eq!(watched.stats, unwatched.stats, "{what}: other counts when watched");
        assert_eq!(watched.status, unwatched.status, "{what}: another end when watched");
        assert_eq!(watched.by_start, unwatched.by_start, "{what}");
        let (frames, longest) = (watcher.frames, watcher.longest);
        assert!(frames > 0 || watched.stats.moves == 0, "{what}: nothing to see");
        assert!(tours.is_empty() || longest > 2, "{what}: {longest} squares at most");

        let mut early =
            Watcher { graph, what: what.clone(), frames: 0, stop_after: frames / 2, longest: 0 };
        if frames > 3 {
            let (some, _) = run(&variant, problem, &*prepared, budget, Some(&mut early));
            assert!(some.len() <= tours.len(), "{what}: stopped, it found more");
        }
    }
}

#[test]
fn watching_changes_nothing_on_small_boards() {
    compare(&open("3x4"), 0);
    compare(&open("4x4-a1-d1"), 0);
    compare(&closed("4x4-a1-d1"), 0);
    compare(&open("3x3/1,2+0,1"), 0);
    compare(&open("petersen"), 0);
    compare(&closed("wheel"), 0);
}

#[test]
fn watching_changes_nothing_within_a_budget() {
    compare(&open("5x5"), 5000);
    compare(&open("6x6"), 9000);
    compare(&closed("6x6"), 9000);
}

#[test]
fn watching_changes_nothing_on_boards_of_more_than_64_squares() {
    compare(&open("9x9"), 9000);
    compare(&closed("10x10-e5-e6"), 9000);
}
