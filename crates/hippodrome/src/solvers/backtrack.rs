//! `backtrack`: plain depth-first search with a fixed move order.
//!
//! At each step the knight enters the first free square in the move order; when no square is left, the last
//! move is undone. Each path that cannot be extended, whether complete or stuck, is one attempt, as in Table
//! 1 of Hingston & Kendall (2005).
//! Source: Gordon & Slocum (2004), Section V.C; the 2020 comparison, Section 3.1.
//! Cost: a few nanoseconds per move on boards of at most 64 squares, which are searched as
//! bitboards; memory linear in the board. Limits: the search is complete, but infeasible as a proof beyond
//! 6x6.
//! Departures: (1) a square without a free neighbour is detected before it is entered, which
//! changes no count.

mod large;
mod small;

use crate::board::bits::Bits;
use crate::board::{Graph, Square};
use crate::problem::{Problem, Starts};
use crate::search::{
    Allotment, Budget, End, EventKind, Family, Info, Params, Preparation, Prepared, Promise,
    Resources, Run, Solver, Values,
};
use crate::solvers::move_order::MoveOrder;
use std::ops::ControlFlow;

/// The registry entry.
pub struct Backtrack;

static INFO: Info = Info {
    name: "backtrack",
    title: "Depth-first search",
    family: Family::Search,
    summary: "Depth-first search that tries the moves in a fixed order and undoes the last one when stuck.",
    source: "Gordon & Slocum 2004; Hingston & Kendall 2004, 2005; TCD 2020",
    good_for: "the papers' baseline; every tour of boards up to 5x5",
    params: MoveOrder::PARAMS,
    events: &[EventKind::Stack, EventKind::Start, EventKind::DeadEnd, EventKind::Back],
    ..Info::PLAIN
};

impl Solver for Backtrack {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn prepare(&self, problem: &Problem, values: &Values, _: &Resources<'_>) -> Preparation {
        let sequence = MoveOrder::from_values(values).sequence(problem.graph())?;
        let search = DepthFirst::new(problem, sequence);
        Ok(Box::new(PreparedBacktrack { starts: problem.starts(), search }))
    }
}

struct PreparedBacktrack {
    starts: Starts,
    search: DepthFirst,
}

impl Prepared for PreparedBacktrack {
    fn promise(&self) -> Promise {
        Promise::COMPLETE
    }

    fn allot(&self, unit: u64, budget: &Budget) -> Option<Allotment> {
        budget.each(unit, &self.starts)
    }

    fn run(&self, unit: u64, run: &mut Run<'_>) -> End {
        let Some(start) = self.starts.get(unit) else { return End::Limit };
        End::of(self.search.from(start, run), true)
    }
}

/// The depth-first search, on the fastest representation of the graph.
pub(super) struct DepthFirst {
    graph: Graph,
    sequence: Option<Vec<usize>>,
    small: Option<Box<small::BitboardSearch>>,
}

impl DepthFirst {
    pub(super) fn new(problem: &Problem, sequence: Option<Vec<usize>>) -> DepthFirst {
        let graph = problem.graph().clone();
        let small = Bits::new(&graph).and_then(|bits| {
            small::BitboardSearch::new(bits, &graph, sequence.as_deref().unwrap_or(&[]))
        });
        DepthFirst { graph, sequence, small: small.map(Box::new) }
    }

    /// Searches from one start square. Returns `Break` if the search is stopped.
    pub(super) fn from(&self, start: Square, run: &mut Run<'_>) -> ControlFlow<()> {
        match (&self.small, &self.sequence, run.is_watched()) {
            (Some(small), Some(_), false) => small.search::<false>(start, run),
            (Some(small), None, false) => small.search::<true>(start, run),
            (None, _, false) => {
                large::search::<false>(&self.graph, self.sequence.as_deref(), start, run)
            }
            (_, _, true) => {
                large::search::<true>(&self.graph, self.sequence.as_deref(), start, run)
            }
        }
    }
}
