//! Tests that watching a search shows legal partial paths and does not change the result.

use crate::lab::{Variant, closed, open, variants};
use hippodrome::board::{Graph, Square};
use hippodrome::lab::enumerate::Enumeration;
use hippodrome::problem::Problem;
use hippodrome::search::{
    Budget, Control, Driver, Moment, Observer, Prepared, Resources, RunReport, SearchEvent, Stats,
};
use hippodrome::solvers::registry::Choice;
use hippodrome::tour::Verified;
use std::ops::ControlFlow;

/// Checks every frame, and stops the run after `stop_after` frames.
struct Watcher<'g> {
    graph: &'g Graph,
    what: String,
    frames: u64,
    stop_after: u64,
    longest: usize,
    so_far: Stats,
    /// The squares of the current path.
    met: Vec<bool>,
}

impl<'g> Watcher<'g> {
    fn new(graph: &'g Graph, what: &str, stop_after: u64) -> Watcher<'g> {
        let (what, so_far, met) = (what.to_string(), Stats::default(), vec![false; graph.len()]);
        Watcher { graph, what, frames: 0, stop_after, longest: 0, so_far, met }
    }

    /// Checks events that are not steps: they refer to moves of the graph.
    fn beside(&self, event: &SearchEvent<'_>) -> ControlFlow<()> {
        let is_move = |u: Square, v: Square| assert!(self.graph.adjacent(u, v), "{}", self.what);
        match event {
            SearchEvent::Moves(moves) => moves.iter().for_each(|&(u, v)| is_move(u, v)),
            SearchEvent::MoveWeights(laid) => {
                assert!(laid.len() as u64 == 2 * self.graph.edges(), "{}", self.what);
                laid.iter().for_each(|&(u, v, amount)| {
                    is_move(u, v);
                    assert!(amount >= 0.0, "{}: {amount} from {u:?} to {v:?}", self.what);
                });
            }
            SearchEvent::Population(moves) => {
                let most = self.graph.order() as u32;
                assert!(moves.iter().all(|&moves| moves <= most), "{}: {moves:?}", self.what);
            }
            SearchEvent::Path(_) | SearchEvent::Stack { .. } => unreachable!("a step"),
            // Checked in explaining.rs.
            _ => {}
        }
        ControlFlow::Continue(())
    }
}

impl Observer for Watcher<'_> {
    fn event(&mut self, event: &SearchEvent<'_>, so_far: &Stats) -> ControlFlow<()> {
        assert!(so_far.moves >= self.so_far.moves && so_far.attempts >= self.so_far.attempts);
        self.so_far = *so_far;
        let Some(path) = event.path() else { return self.beside(event) };
        self.met.fill(false);
        for &square in path {
            assert!(self.graph.has(square), "{}: {square:?} in {path:?}", self.what);
            let before = std::mem::replace(&mut self.met[square.index()], true);
            assert!(!before, "{}: a repeat in {path:?}", self.what);
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

/// Runs a prepared solver, watched or not, and returns the tours and the report.
fn run(
    variant: &Variant,
    problem: &Problem,
    prepared: &dyn Prepared,
    budget: Budget,
    watcher: Option<&mut Watcher<'_>>,
) -> (Vec<Vec<Square>>, RunReport) {
    let control = Control::default();
    let solver = variant.choice.name();
    let plan = Driver { problem, solver, prepared, seed: 3, budget, control: &control };
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

/// Runs every variant on a problem within budgets, watched and unwatched.
fn compare(problem: &Problem, moves: u64) {
    let graph = problem.graph();
    for variant in variants() {
        let Ok(prepared) =
            variant.choice.solver.prepare(problem, &variant.choice.values, &Resources::on(1))
        else {
            continue;
        };
        let what = format!("{} on {graph}", variant.name);
        let whole = graph.order() < 15 && prepared.promise().exhausts;
        let moves = (!whole).then_some(moves);
        let budget = Budget { moves, ..Budget::UNLIMITED };
        let mut watcher = Watcher::new(graph, &what, u64::MAX);
        let (seen, watched) = run(&variant, problem, &*prepared, budget, Some(&mut watcher));
        let (tours, unwatched) = run(&variant, problem, &*prepared, budget, None);
        assert_eq!(seen, tours, "{what}: other tours when watched");
        assert_eq!(watched.stats, unwatched.stats, "{what}: other counts when watched");
        assert_eq!(watched.status, unwatched.status, "{what}: another end when watched");
        assert_eq!(watched.by_start, unwatched.by_start, "{what}");
        let (frames, longest) = (watcher.frames, watcher.longest);
        assert!(frames > 0 || watched.stats.moves == 0, "{what}: nothing to see");
        assert!(tours.is_empty() || longest > 2, "{what}: {longest} squares at most");

        let mut early = Watcher::new(graph, &what, frames / 2);
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

/// Counts the frames of each kind that a solver sends.
#[derive(Default)]
struct Kinds {
    laid: usize,
    moves: usize,
    generations: usize,
    open_ends: usize,
}

impl Observer for Kinds {
    fn event(&mut self, event: &SearchEvent<'_>, _: &Stats) -> ControlFlow<()> {
        match event {
            SearchEvent::Stack { path, untried, marks } => {
                assert_eq!(path.len(), marks.len(), "one mark per depth");
                assert!(marks.is_sorted() && *marks.last().unwrap() <= untried.len());
                self.open_ends += untried.len();
            }
            SearchEvent::Moves(_) => self.moves += 1,
            SearchEvent::MoveWeights(_) => self.laid += 1,
            SearchEvent::Population(fitness) => self.generations += fitness.len(),
            _ => {}
        }
        ControlFlow::Continue(())
    }
}

#[test]
fn colonies_networks_generations_and_stacks_send_their_own_events() {
    let shown = |solver: &str, params: &[&str]| {
        let choice = Choice::new(solver, params).unwrap();
        let budget = Budget { attempts: Some(250), ..Budget::UNLIMITED };
        let run = Enumeration { budget, ..Enumeration::new(open("5x5"), choice) };
        let mut kinds = Kinds::default();
        let mut tours = 0;
        let mut take = |_: Verified<'_>, moment: &Moment| {
            tours += 1;
            assert!(moment.stats.tours >= tours && moment.stats.attempts > 0, "{solver}");
            ControlFlow::Continue(())
        };
        let summary = run.watch(&Control::default(), &mut kinds, &mut take).unwrap();
        assert_eq!(summary.total.distinct, tours, "{solver}");
        kinds
    };
    // A cycle sends one ant from each of 25 squares; the last cycle ends with the budget.
    for (solver, params) in
        [("mace", &[][..]), ("mace", &["kernel=plain"]), ("colonies", &["repulsion=1"])]
    {
        let laid = shown(solver, params).laid;
        assert!((9..=10).contains(&laid), "{solver} {params:?}: {laid}");
    }
    assert!(shown("neural", &[]).moves >= 250);
    assert!(shown("uniform", &[]).moves >= 250);
    assert!(shown("backtrack", &[]).open_ends > 250);
    // There are ten chromosomes from each of 25 squares: two generations of four, and two more.
    assert_eq!(shown("ga-repair", &["population=4"]).generations, 25 * 8);
}
