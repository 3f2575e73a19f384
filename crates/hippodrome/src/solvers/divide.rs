//! `divide`: cuts a rectangle into blocks of about 8x8 and joins their tours into one.
//!
//! Every block is covered by two paths, a way out and a way back, found by `exact`; a snake through
//! all blocks goes out along the first paths and returns along the second. The remainder at the
//! sides is part of one larger block, the head, which also holds the ends of an open tour. So every
//! rectangle that has a closed tour gets one, with any start, and every rectangle that has an open
//! tour gets one. A tour with both ends given begins in the head, covers each block between the two
//! by one path, and visits the others out and back: so any two squares of a square board that
//! colours allow are joined by a tour.
//! Source: Parberry (1997), after Conrad et al. (1994) and Cull & De Curtins (1978). Cost: O(1) per
//! square, as much as writing numbers to memory; a search of a few milliseconds for the blocks.
//! Limits: two given ends are unsupported on most boards of four rows, and on some of three and
//! five.
//!
//! Departures:
//! 1. Blocks make one snake, not a tree of quadrants, so that the tour is written in order, and the
//!    square at a time and the time of a square are arithmetic ([`Construction`]).
//! 2. No base board is copied from the papers: each is found when it is first needed.
//! 3. Boards of three and four rows need no case of their own; the same gates serve.

mod block;
mod construction;
mod cuts;
mod snake;
mod strands;
mod view;

#[cfg(test)]
mod tests;

pub use construction::{Construction, Refusal};

use crate::problem::Problem;
use crate::problem::theorems::knight_rectangle;
use crate::search::{
    Allotment, Budget, End, Footprint, Info, Offer, Preparation, Prepared, Promise, Resources, Run,
    SearchEvent, Solver, Values,
};
use std::ops::ControlFlow;

/// The registry entry.
pub struct Divide;

static INFO: Info = Info {
    name: "divide",
    summary: "Joins small blocks into a tour of any rectangle that has one.",
    source: "Parberry 1997; Conrad et al. 1994; Cull & De Curtins 1978",
    good_for: "a closed or open tour of any rectangle, up to four billion squares, at once",
    footprint: Footprint { shared: 0, per_thread: 0 },
    offers: &[Offer::one_tour(20, &[], None, |p| {
        p.graph().order() > Offer::LARGE
            && !p.is_constrained()
            && knight_rectangle(p.graph()).is_some()
    })],
    // Tours between two given squares may take a search, or not be served.
    constructs: Some(|p| {
        let between = p.start().is_some() && p.end().is_some();
        !between && !p.is_constrained() && knight_rectangle(p.graph()).is_some()
    }),
    ..Info::PLAIN
};

impl Solver for Divide {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn prepare(&self, problem: &Problem, _values: &Values, _: &Resources<'_>) -> Preparation {
        let first = match Construction::new(problem) {
            Ok(construction) => Some(construction),
            Err(Refusal::Impossible(_)) => None,
            Err(Refusal::Unsupported(reason)) => return Err(reason),
        };
        Ok(Box::new(PreparedDivide { problem: problem.clone(), first }))
    }
}

struct PreparedDivide {
    problem: Problem,
    /// `None` if it is proved that there is no tour.
    first: Option<Construction>,
}

impl Prepared for PreparedDivide {
    fn promise(&self) -> Promise {
        Promise { complete: self.first.is_none(), ..Promise::COMPLETE }
    }

    /// One unit, which writes one tour at a time: a second one would need as much memory again.
    fn allot(&self, unit: u64, budget: &Budget) -> Option<Allotment> {
        let starts = self.problem.start_count() as u64;
        (unit == 0).then(|| budget.split(0, 1, starts, self.problem.start()))
    }

    fn run(&self, _unit: u64, run: &mut Run<'_>) -> End {
        End::of(self.every(run), self.first.is_none())
    }
}

impl PreparedDivide {
    /// One tour, or one from each square where neither end is given. A square that is not served is
    /// an attempt as well, and as its search is not counted, the clock is looked at for each.
    fn every(&self, run: &mut Run<'_>) -> ControlFlow<()> {
        let Some(first) = &self.first else { return run.charge(1, 0) };
        let begun = first.square(0);
        write(first, run)?;
        if self.problem.start().or(self.problem.end()).is_some() {
            return ControlFlow::Continue(());
        }
        for start in self.problem.starts().iter().filter(|&start| start != begun) {
            run.go_on()?;
            match Construction::new(&self.problem.starting_at(start)) {
                Ok(tour) => write(&tour, run)?,
                Err(_) => run.charge(1, 0)?,
            }
        }
        ControlFlow::Continue(())
    }
}

/// Writes the tour down and claims it.
fn write(tour: &Construction, run: &mut Run<'_>) -> ControlFlow<()> {
    let mut squares = Vec::with_capacity(tour.len() as usize);
    let mut at = 0;
    while at < tour.len() {
        // The first square takes no move.
        let piece = run.pace(tour.len() as usize).saturating_add((at == 0).into());
        let to = tour.len().min(at.saturating_add(piece));
        tour.write(at..to, &mut squares);
        if run.is_watched() {
            run.event(&SearchEvent::Path(&squares))?;
        }
        let last = to == tour.len();
        let flow = run.charge(last.into(), to - at - u64::from(at == 0));
        if last {
            run.claim(squares)?;
            return flow;
        }
        flow?;
        at = to;
    }
    ControlFlow::Continue(())
}
