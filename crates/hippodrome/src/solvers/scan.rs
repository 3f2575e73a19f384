//! `scan`: backtracking that first searches for a start square with tours.
//!
//! Depth-first search finds thousands of tours from some start squares and none from most. So each
//! start square in turn gets a small budget of attempts. From the first square that yields a tour,
//! the search continues as long as the run's budget allows.
//! Source: Gordon & Slocum (2004), Section VII, the closing proposal.
//! Cost: as `backtrack`. Limits: one unit, so one thread. After a whole round without a tour, the
//! budget per square is doubled. A round that exhausts every square is a proof.
//! Departures: (1) a budget in attempts instead of "a few seconds"; (2) later rounds restart the
//! search of each square with twice the budget; (3) the search stays on a square until its tree is
//! exhausted or the run's budget is spent, then continues with the next square.

use crate::board::Square;
use crate::problem::{Problem, Starts};
use crate::search::{
    Allotment, Budget, End, EventKind, Family, Info, Params, Preparation, Prepared, Promise,
    Resources, Run, SearchEvent, Solver, Unsupported, Values, params,
};
use crate::solvers::backtrack::DepthFirst;
use crate::solvers::move_order::MoveOrder;
use std::ops::ControlFlow;

/// The registry entry.
pub struct Scan;

static INFO: Info = Info {
    name: "scan",
    title: "Depth-first in turns",
    family: Family::Search,
    summary: "Backtracking that tries each start square briefly and stays where tours appear.",
    source: "Gordon & Slocum 2004, Section VII",
    good_for: "many tours from plain backtracking, if the start square does not matter",
    params: ScanParams::PARAMS,
    events: &[
        EventKind::Stack,
        EventKind::Start,
        EventKind::DeadEnd,
        EventKind::Back,
        EventKind::Probe,
        EventKind::GiveUp,
    ],
    ..Info::PLAIN
};

params! {
    /// Parameters of `scan`.
    struct ScanParams {
        moves: MoveOrder;
        probe: u64 = "100k" in 1..=u64::MAX, "Attempts from a start square before the next is tried.";
    }
}

impl Solver for Scan {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn prepare(&self, problem: &Problem, values: &Values, _: &Resources<'_>) -> Preparation {
        let params = ScanParams::from_values(values);
        let sequence = params.moves.sequence(problem.graph())?;
        if sequence.is_none() {
            return Err(Unsupported(
                "scan repeats a search with a larger budget, so the order of moves must be fixed; use order=a, b, tcd or a permutation".into(),
            ));
        }
        let search = DepthFirst::new(problem, sequence);
        Ok(Box::new(PreparedScan { starts: problem.starts(), search, probe: params.probe }))
    }
}

struct PreparedScan {
    starts: Starts,
    search: DepthFirst,
    probe: u64,
}

impl Prepared for PreparedScan {
    fn promise(&self) -> Promise {
        Promise::COMPLETE
    }

    fn allot(&self, unit: u64, budget: &Budget) -> Option<Allotment> {
        (unit == 0).then(|| budget.split(0, 1, self.starts.count(), None))
    }

    fn run(&self, _unit: u64, run: &mut Run<'_>) -> End {
        let mut left: Vec<Square> = self.starts.iter().collect();
        let mut probe = self.probe;
        while !left.is_empty() {
            let mut unfinished = Vec::new();
            for start in left {
                run.give_up_after(probe);
                if run.event(&SearchEvent::Probe { square: start, attempts: probe }).is_break() {
                    return End::Limit;
                }
                match self.search.from(start, run) {
                    ControlFlow::Continue(()) => {}
                    ControlFlow::Break(()) if run.gave_up() => {
                        unfinished.push(start);
                        if run.event(&SearchEvent::GiveUp { square: start }).is_break() {
                            return End::Limit;
                        }
                    }
                    ControlFlow::Break(()) => return End::Limit,
                }
            }
            left = unfinished;
            probe = probe.saturating_mul(2);
        }
        End::Exhausted { proof: true }
    }
}
