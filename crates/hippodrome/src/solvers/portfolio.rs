//! The solvers that suit a problem best, in the order they are tried for one tour.

use crate::board::Square;
use crate::problem::Problem;
use crate::problem::theorems::{knight_rectangle, known};
use crate::search::{Budget, Control, Driver, Resources, Solver, Status, Values};
use crate::solvers::divide::Divide;
use crate::solvers::exact::Exact;
use crate::solvers::warnsdorff::Warnsdorff;
use std::ops::ControlFlow;

/// Boards with more squares than this are built rather than searched, where that is possible.
/// Chosen by hand: at 50x50 a search takes milliseconds.
pub(crate) const LARGE: usize = 2_500;

/// A solver of the portfolio, with its parameters and what it may spend.
pub(crate) struct Stage {
    pub(crate) solver: &'static dyn Solver,
    pub(crate) values: Values,
    pub(crate) budget: Budget,
}

/// Returns the solvers for a problem in the order they are tried.
///
/// On small boards a walk by Warnsdorff's rule with random ties is the quickest where it succeeds.
/// Large rectangles are built from blocks; where that is unsupported, Warnsdorff's rule with the
/// best known ties may succeed. The complete search comes last, first with random ties so that the
/// seed makes a difference. The limits of attempts are chosen by hand.
pub(crate) fn stages(problem: &Problem) -> Vec<Stage> {
    let order = problem.graph().order();
    let large = order > LARGE;
    let walks = !problem.is_closed() && problem.end().is_none();
    let rectangle = large && knight_rectangle(problem.graph()).is_some();
    // The solver, how it breaks ties, its attempts, and whether it suits the problem.
    type Candidate = (&'static dyn Solver, Option<&'static str>, Option<u64>, bool);
    let all: [Candidate; 6] = [
        (&Warnsdorff, Some("random"), Some(40), walks && order > 16 && !large),
        (&Divide, None, None, rectangle),
        (&Warnsdorff, Some("squirrel-cull"), Some(1), walks && large),
        (&Warnsdorff, Some("roth"), Some(4), walks && large),
        (&Exact, Some("random"), Some(200), !large),
        (&Exact, Some("first"), None, true),
    ];
    let suited = all.into_iter().filter(|stage| stage.3);
    let stages = suited.filter_map(|(solver, ties, attempts, _)| {
        let info = solver.info();
        let values =
            Values::resolve(info.name, info.params, ties.map(|ties| ("ties", ties))).ok()?;
        Some(Stage { solver, values, budget: Budget { attempts, ..Budget::UNLIMITED } })
    });
    stages.collect()
}

/// What a search for one tour found.
#[derive(Default)]
pub(crate) struct FirstTour {
    pub(crate) tour: Option<Vec<Square>>,
    /// Whether it is proved that there is none.
    pub(crate) impossible: bool,
    pub(crate) moves: u64,
}

/// Searches for one tour, on this thread and within a number of moves; `None` if no solver supports
/// the problem.
pub(crate) fn first_tour(problem: &Problem, seed: u64, most_moves: u64) -> Option<FirstTour> {
    let mut found = FirstTour { impossible: known(problem).is_impossible(), ..Default::default() };
    let stages = if found.impossible { Vec::new() } else { stages(problem) };
    let count = stages.len();
    for (number, Stage { solver, values, budget }) in (1..).zip(stages) {
        let prepared = match solver.prepare(problem, &values, &Resources::on(1)) {
            Err(_) if number < count => continue,
            prepared => prepared.ok()?,
        };
        let moves = Some(most_moves.saturating_sub(found.moves));
        let driver = Driver {
            problem,
            solver: solver.info().name,
            prepared: &*prepared,
            seed,
            budget: Budget { moves, tours: Some(1), ..budget },
            control: &Control::default(),
        };
        let report = driver.run(
            1,
            Some(&mut |tour, _| {
                found.tour = Some(tour.squares().to_vec());
                ControlFlow::Break(())
            }),
        );
        let report = report.ok()?;
        found.moves += report.stats.moves;
        found.impossible = found.tour.is_none() && report.status == Status::Complete;
        let given_up = budget == Budget::UNLIMITED && report.status == Status::Limit;
        let spent = found.moves >= most_moves || given_up;
        if found.tour.is_some() || found.impossible || spent {
            break;
        }
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Board, Graph};
    use crate::lab::find::{Outcome, TourSearch};
    use crate::problem::Goal;

    #[test]
    fn the_first_tour_is_the_one_that_find_finds() {
        for (board, goal) in [("6x6", Goal::Open), ("8x8", Goal::Closed), ("3x3", Goal::Open)] {
            let graph = Graph::knight(Board::parse(board).unwrap());
            let problem = Problem::new(graph, goal, None, None).unwrap();
            let (seed, moves) = (7, 1_000_000);
            let budget = Budget { moves: Some(moves), ..Budget::UNLIMITED };
            let search =
                TourSearch { problem: problem.clone(), choice: None, seed, threads: 1, budget };
            let found = search.run(&Control::default()).unwrap();
            let first = first_tour(&problem, seed, moves).unwrap();
            assert_eq!(first.moves, found.moves);
            assert_eq!(first.impossible, matches!(found.outcome, Outcome::Impossible(_)));
            let tour = match found.outcome {
                Outcome::Found(tour) => Some(tour.squares().to_vec()),
                _ => None,
            };
            assert_eq!(first.tour, tour, "{board}");
        }
    }
}
