//! Claims an undirected tour in both directions and, if it is closed, from every square.

use crate::board::Square;
use crate::problem::Problem;
use crate::search::{Run, SearchEvent};
use std::ops::ControlFlow;

/// Claims every directed version of a tour that solves the problem.
pub(super) fn claim_all(
    problem: &Problem,
    mut tour: Vec<Square>,
    run: &mut Run<'_>,
) -> ControlFlow<()> {
    // A closed tour keeps its first square when it is reversed.
    let fixed = usize::from(problem.is_closed());
    let rotations = match (problem.is_closed(), problem.start()) {
        (true, None) => {
            if let Some(end) = problem.end() {
                return claim_to(end, tour, run);
            }
            tour.len()
        }
        (true, Some(start)) => {
            let first = tour.iter().position(|&s| s == start).unwrap_or(0);
            tour.rotate_left(first);
            1
        }
        (false, _) => 1,
    };
    for turn in 0..rotations {
        if turn > 0 {
            tour.rotate_left(1);
        }
        run.claim(&tour)?;
        if tour.len() > 1 {
            let mut back = tour.clone();
            back[fixed..].reverse();
            run.claim(back)?;
        }
    }
    ControlFlow::Continue(())
}

/// Claims a closed tour in both directions, each ending on `end`.
fn claim_to(end: Square, mut tour: Vec<Square>, run: &mut Run<'_>) -> ControlFlow<()> {
    let first = tour.iter().position(|&s| s == end).unwrap_or(0);
    tour.rotate_left(first);
    let mut back = tour.clone();
    back.reverse();
    tour.rotate_left(1);
    run.claim(tour)?;
    run.claim(back)
}

/// Sends a tour to the observer, if the run is watched.
pub(super) fn show(tour: &[Square], run: &mut Run<'_>) -> ControlFlow<()> {
    if run.is_watched() { run.event(&SearchEvent::Path(tour)) } else { ControlFlow::Continue(()) }
}
