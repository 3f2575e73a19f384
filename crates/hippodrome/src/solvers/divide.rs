//! `divide`: divides a rectangle into blocks of about 8x8 and joins their paths into one tour.
//!
//! Every block is covered by two paths, one outbound and one inbound, found by `exact`. A snake
//! through all blocks follows the outbound paths to its end and returns along the inbound paths. The
//! remainders at the sides belong to one larger block, the head, which also contains the ends of an open
//! tour. This gives a tour, closed or open, of every rectangle that has one; a closed tour can begin on any
//! square. If both ends are given, the tour begins in the head, covers each block between the ends by one
//! path, and visits the other blocks outbound and inbound. On a square board this gives a tour between any
//! two squares that the colours allow.
//! Source: Parberry (1997), after Conrad et al. (1994) and Cull & De Curtins (1978). Cost: O(1) per
//! square, about as fast as writing numbers to memory, plus a few milliseconds to find the blocks.
//! Limits: two given ends are unsupported on most boards of four rows, and on some boards of three
//! or five rows.
//!
//! Departures:
//! 1. Blocks form one snake, not a tree of quadrants, so the tour is written in order, and both the
//!    square at a given time and the time of a given square can be computed directly ([`Construction`]).
//! 2. No base board is copied from the papers: each is searched for when it is first needed.
//! 3. Boards of three and four rows use the same gates and need no special case.

mod block;
mod construction;
mod cuts;
mod snake;
mod strands;
mod view;

#[cfg(test)]
mod tests;

pub use construction::{Construction, Refusal};

use crate::board::{Board, Graph, Square};
use crate::problem::Problem;
use crate::problem::theorems::knight_rectangle;
use crate::search::{
    Allotment, Budget, End, EventKind, Family, Footprint, Info, Offer, Preparation, Prepared,
    Promise, Resources, Run, SearchEvent, Solver, Values,
};
use std::collections::HashMap;
use std::ops::ControlFlow;

/// The registry entry.
pub struct Divide;

static INFO: Info = Info {
    name: "divide",
    title: "Divide and conquer",
    family: Family::Construction,
    summary: "Joins small blocks into a tour of any rectangle that has one.",
    source: "Parberry 1997; Conrad et al. 1994; Cull & De Curtins 1978",
    good_for: "a closed or open tour of any rectangle, up to four billion squares, immediately",
    events: &[EventKind::Path, EventKind::Division, EventKind::Crossing],
    footprint: Footprint { shared: 0, per_thread: 0 },
    offers: &[Offer::one_tour(20, &[], None, |p| {
        p.graph().order() > Offer::LARGE
            && !p.is_constrained()
            && knight_rectangle(p.graph()).is_some()
    })],
    // Tours between two given squares may need a search or be unsupported.
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
    /// The first tour; `None` if a proof shows that there is no tour.
    first: Option<Construction>,
}

impl Prepared for PreparedDivide {
    fn promise(&self) -> Promise {
        Promise { complete: self.first.is_none(), ..Promise::COMPLETE }
    }

    /// Allots a single unit, because two tours at a time would need twice the memory.
    fn allot(&self, unit: u64, budget: &Budget) -> Option<Allotment> {
        let starts = self.problem.start_count() as u64;
        (unit == 0).then(|| budget.split(0, 1, starts, self.problem.start()))
    }

    fn run(&self, _unit: u64, run: &mut Run<'_>) -> End {
        End::of(self.every(run), self.first.is_none())
    }
}

impl PreparedDivide {
    /// Writes one tour, or one tour per start square if neither end is given. A start square for which the
    /// construction fails also counts as an attempt. The search for blocks is not charged, so the limits are
    /// checked for each start square.
    fn every(&self, run: &mut Run<'_>) -> ControlFlow<()> {
        let Some(first) = &self.first else { return run.charge(1, 0) };
        let begun = first.square(0);
        write(first, run)?;
        if self.problem.start().or(self.problem.end()).is_some() {
            return ControlFlow::Continue(());
        }
        for start in self.problem.starts().iter().filter(|&start| start != begun) {
            run.check_limits()?;
            match Construction::new(&self.problem.starting_at(start)) {
                Ok(tour) => write(&tour, run)?,
                Err(_) => run.charge(1, 0)?,
            }
        }
        ControlFlow::Continue(())
    }
}

/// Writes the tour and claims it.
fn write(tour: &Construction, run: &mut Run<'_>) -> ControlFlow<()> {
    let mut squares = Vec::with_capacity(tour.len() as usize);
    let mut at = 0;
    let watch = run.is_watched().then(|| BlockWatch::new(tour, run.graph()));
    if let Some(watch) = &watch {
        let [rows, cols] = &watch.parts;
        run.event(&SearchEvent::Division { parts: [rows, cols] })?;
    }
    while at < tour.len() {
        // Reaching the first square takes no move.
        let piece = run.pace(tour.len() as usize).saturating_add((at == 0).into());
        let to = tour.len().min(at.saturating_add(piece));
        tour.write(at..to, &mut squares);
        if let Some(watch) = &watch {
            watch.blocks(&squares, at, run)?;
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

/// Maximum number of squares of a watched construction whose crossings are listed in advance. Chosen by hand: the
/// tour is written twice.
const LISTED_UP_TO: u64 = 1 << 20;

/// Row and column of a block, from 1.
type BlockNumber = (u32, u32);

/// The blocks of a watched construction.
struct BlockWatch<'g> {
    board: Option<&'g Board>,
    parts: [Vec<u32>; 2],
    /// The moves from one block to another, of a tour that is not too large.
    crossings: HashMap<[BlockNumber; 2], Vec<(Square, Square)>>,
}

impl<'g> BlockWatch<'g> {
    fn new(tour: &Construction, graph: &'g Graph) -> BlockWatch<'g> {
        let (board, parts, crossings) = (graph.board(), tour.parts(), HashMap::new());
        let mut watch = BlockWatch { board, parts, crossings };
        if let (Some(board), true) = (watch.board, tour.len() <= LISTED_UP_TO) {
            for pair in tour.tour().windows(2) {
                let blocks = [pair[0], pair[1]].map(|square| watch.block(board, square));
                if blocks[0] != blocks[1] {
                    watch.crossings.entry(blocks).or_default().push((pair[0], pair[1]));
                }
            }
        }
        watch
    }

    /// Returns row and column of the block that contains a square, from 1.
    fn block(&self, board: &Board, square: Square) -> BlockNumber {
        let part = |lengths: &[u32], at: u32| {
            let mut end = 0;
            let before = lengths.iter().take_while(|&&length| {
                end += length;
                end <= at
            });
            1 + before.count() as u32
        };
        (part(&self.parts[0], board.row(square)), part(&self.parts[1], board.col(square)))
    }

    /// Returns the only move between two blocks.
    fn only(&self, blocks: [BlockNumber; 2]) -> Option<(Square, Square)> {
        match self.crossings.get(&blocks).map(Vec::as_slice) {
            Some([only]) => Some(*only),
            _ => None,
        }
    }

    /// Sends the path at the end of each block and the move to the next, from move number `from` on.
    fn blocks(&self, squares: &[Square], from: u64, run: &mut Run<'_>) -> ControlFlow<()> {
        let Some(board) = self.board else { return run.event(&SearchEvent::Path(squares)) };
        let first = (from as usize).max(1);
        for step in first..squares.len() {
            let (u, v) = (squares[step - 1], squares[step]);
            let (left, block) = (self.block(board, u), self.block(board, v));
            if block != left {
                run.event(&SearchEvent::Path(&squares[..step]))?;
                let (squares, step) = ((u, v), step as u64);
                let back = self.only([block, left]);
                run.event(&SearchEvent::Crossing { step, squares, block, back })?;
            }
        }
        run.event(&SearchEvent::Path(squares))
    }
}
