//! One walk by the rule from start to dead end, and the rules for ties.

use super::terrain::{Count, Terrain, enter};
use crate::board::{Graph, Square};
use crate::search::{Run, SearchEvent, Unsupported};
use rand::RngExt;
use std::cmp::Reverse;
use std::ops::ControlFlow;

/// What decides a tie.
pub(super) enum Rule {
    First,
    /// The least square: only the sequence of a search that tries them all.
    Ascending,
    Random,
    Pohl,
    /// The farthest from the centre; rows and columns of the board are kept for it.
    Roth(u32, u32),
}

/// A place to go, with the number of its free neighbours.
#[derive(Clone, Copy)]
pub(super) struct Candidate<C> {
    pub(super) count: C,
    pub(super) place: usize,
}

impl Rule {
    /// Roth's rule, which needs a board.
    pub(super) fn roth(graph: &Graph) -> Result<Rule, Unsupported> {
        let board = graph.board().ok_or_else(|| {
            Unsupported("ties=roth measures the distance from the centre of a board, which a graph from a file does not have; use ties=pohl".into())
        })?;
        Ok(Rule::Roth(board.rows(), board.cols()))
    }

    /// The second criterion, least first; equal ones stay in the move order.
    pub(super) fn key<T: Terrain>(
        &self,
        terrain: &T,
        counts: &[T::Count],
        place: usize,
    ) -> Reverse<u64> {
        match self {
            Rule::First | Rule::Random => Reverse(0),
            Rule::Ascending => Reverse(u64::MAX - u64::from(terrain.square(place))),
            Rule::Pohl => {
                let free =
                    terrain.near(place).map(|n| counts[n]).filter(|&c| c != T::Count::BLOCKED);
                let sum: u64 = free.map(|c| u64::from(c.into())).sum();
                Reverse(u64::MAX - sum)
            }
            Rule::Roth(rows, cols) => {
                let square = terrain.square(place);
                let off = |at: u32, size: u32| u64::from((2 * at).abs_diff(size - 1)).pow(2);
                Reverse(off(square / cols, *rows) + off(square % cols, *cols))
            }
        }
    }

    /// The choice among places with equally few onward moves.
    fn pick<T: Terrain>(
        &self,
        terrain: &T,
        counts: &[T::Count],
        tied: &[usize],
        run: &mut Run<'_>,
    ) -> usize {
        match (self, tied) {
            (_, [only]) => *only,
            (Rule::First, _) => tied[0],
            (Rule::Random, _) => tied[run.rng.random_range(0..tied.len())],
            _ => {
                let key = |&&place: &&usize| self.key(terrain, counts, place);
                *tied.iter().min_by_key(key).unwrap_or(&tied[0])
            }
        }
    }
}

/// The free places next to `place` with the fewest onward moves, in the move order.
#[inline]
fn fewest<T: Terrain>(terrain: &T, counts: &[T::Count], place: usize, tied: &mut Vec<usize>) {
    tied.clear();
    let mut least = T::Count::BLOCKED;
    for next in terrain.near(place) {
        let count = counts[next];
        if count < least {
            least = count;
            tied.clear();
        }
        if count == least && count != T::Count::BLOCKED {
            tied.push(next);
        }
    }
}

/// Walks from `start` again and again if chance is involved, once otherwise.
pub(super) fn walks<T: Terrain, const WATCH: bool>(
    terrain: &T,
    rule: &Rule,
    start: Square,
    run: &mut Run<'_>,
) -> ControlFlow<()> {
    let fresh = terrain.counts();
    let mut counts = fresh.clone();
    let mut tied = Vec::new();
    loop {
        let mut path = Vec::with_capacity(terrain.order());
        let mut here = terrain.place(start);
        let (mut charged, mut pace) = (0, run.pace(terrain.order()));
        loop {
            enter(terrain, &mut counts, here);
            path.push(terrain.square(here));
            if path.len() as u64 - charged > pace {
                charged += pace;
                run.charge(0, pace)?;
                pace = run.pace(terrain.order());
            }
            if WATCH {
                run.event(&SearchEvent::Path(&path))?;
            }
            fewest(terrain, &counts, here, &mut tied);
            if tied.is_empty() {
                break;
            }
            here = rule.pick(terrain, &counts, &tied, run);
        }
        let flow = run.charge(1, path.len() as u64 - 1 - charged);
        if path.len() == terrain.order() {
            run.claim(path)?;
        }
        flow?;
        if !matches!(rule, Rule::Random) {
            return ControlFlow::Continue(());
        }
        counts.copy_from_slice(&fresh);
    }
}
