//! One walk by the rule from start to dead end, and the rules for ties.

use super::terrain::{OnwardCount, Terrain, enter};
use crate::board::{Graph, Square};
use crate::search::{MoveOption, Run, SearchEvent, TieBreaker, Unsupported};
use crate::solvers::tie_break::RothDistance;
use rand::RngExt;
use std::cmp::Reverse;
use std::ops::ControlFlow;

/// A rule for ties.
pub(super) enum TieRule {
    First,
    /// The lowest square wins. In a search that tries all ties, only the order depends on this.
    Ascending,
    Random,
    Pohl,
    Roth(RothDistance),
}

/// A free place a move away, with the number of its free neighbours.
#[derive(Clone, Copy)]
pub(super) struct Candidate<C> {
    pub(super) count: C,
    pub(super) place: usize,
}

impl TieRule {
    /// Creates Roth's rule, which needs a board.
    pub(super) fn roth(graph: &Graph) -> Result<TieRule, Unsupported> {
        RothDistance::new(graph, "ties").map(TieRule::Roth)
    }

    /// Returns the second criterion: the smallest value wins, and equal values stay in the move
    /// order.
    pub(super) fn key<T: Terrain>(
        &self,
        terrain: &T,
        counts: &[T::Count],
        place: usize,
    ) -> Reverse<u64> {
        match self {
            TieRule::First | TieRule::Random => Reverse(0),
            TieRule::Ascending => Reverse(u64::MAX - u64::from(terrain.square(place).number())),
            TieRule::Pohl => {
                let free =
                    terrain.near(place).map(|n| counts[n]).filter(|&c| c != T::Count::BLOCKED);
                let sum: u64 = free.map(|c| u64::from(c.into())).sum();
                Reverse(u64::MAX - sum)
            }
            TieRule::Roth(roth) => Reverse(roth.of(terrain.square(place))),
        }
    }

    /// Returns its name in events.
    pub(super) fn breaker(&self) -> TieBreaker {
        match self {
            TieRule::First => TieBreaker::Order,
            TieRule::Ascending => TieBreaker::Ascending,
            TieRule::Random => TieBreaker::Random,
            TieRule::Pohl => TieBreaker::Pohl,
            TieRule::Roth(_) => TieBreaker::Roth,
        }
    }

    /// Lists the free places next to `place`, for an event.
    pub(super) fn options<T: Terrain>(
        &self,
        terrain: &T,
        counts: &[T::Count],
        place: usize,
    ) -> Vec<MoveOption> {
        let free = terrain.near(place).filter(|&next| counts[next] != T::Count::BLOCKED);
        let option = |next: usize| {
            let Reverse(key) = self.key(terrain, counts, next);
            let second = match self {
                TieRule::Pohl => Some(u64::MAX - key),
                TieRule::Roth(_) => Some(key),
                TieRule::First | TieRule::Ascending | TieRule::Random => None,
            };
            MoveOption { square: terrain.square(next), onward: counts[next].into(), second }
        };
        free.map(option).collect()
    }

    /// Chooses among places with equally few onward moves.
    fn pick<T: Terrain>(
        &self,
        terrain: &T,
        counts: &[T::Count],
        tied: &[usize],
        run: &mut Run<'_>,
    ) -> usize {
        match (self, tied) {
            (_, [only]) => *only,
            (TieRule::First, _) => tied[0],
            (TieRule::Random, _) => tied[run.rng.random_range(0..tied.len())],
            _ => {
                let key = |&&place: &&usize| self.key(terrain, counts, place);
                *tied.iter().min_by_key(key).unwrap_or(&tied[0])
            }
        }
    }
}

/// Collects the free places next to `place` with the fewest onward moves, in the move order.
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

/// Walks from a place until `next` returns no further place, given the counts, the place and the number of the
/// move. Returns the path and the number of its moves that have been charged.
#[inline]
pub(super) fn follow<T: Terrain, const WATCH: bool>(
    terrain: &T,
    counts: &mut [T::Count],
    mut here: usize,
    run: &mut Run<'_>,
    mut next: impl FnMut(&[T::Count], usize, usize, &mut Run<'_>) -> ControlFlow<(), Option<usize>>,
) -> ControlFlow<(), (Vec<Square>, u64)> {
    let mut path = Vec::with_capacity(terrain.order());
    let (mut charged, mut pace) = (0, run.pace(terrain.order()));
    loop {
        enter(terrain, counts, here);
        path.push(terrain.square(here));
        if path.len() as u64 - charged > pace {
            charged += pace;
            run.charge(0, pace)?;
            pace = run.pace(terrain.order());
        }
        if WATCH {
            run.event(&SearchEvent::Path(&path))?;
        }
        match next(counts, here, path.len(), run)? {
            Some(place) => here = place,
            None => {
                if WATCH && path.len() < terrain.order() {
                    let (square, visited) = (terrain.square(here), path.len());
                    run.event(&SearchEvent::DeadEnd { square, visited })?;
                }
                return ControlFlow::Continue((path, charged));
            }
        }
    }
}

/// Charges for the rest of a walk, and claims it if it is a tour of `order` squares.
pub(super) fn conclude(
    path: Vec<Square>,
    charged: u64,
    order: usize,
    run: &mut Run<'_>,
) -> ControlFlow<()> {
    let flow = run.charge(1, path.len() as u64 - 1 - charged);
    if path.len() == order {
        run.claim(path)?;
    }
    flow
}

/// Walks from `start` once, or repeatedly if ties are broken at random.
pub(super) fn walks<T: Terrain, const WATCH: bool>(
    terrain: &T,
    rule: &TieRule,
    start: Square,
    run: &mut Run<'_>,
) -> ControlFlow<()> {
    let fresh = terrain.counts();
    let (mut counts, mut tied) = (fresh.clone(), Vec::new());
    loop {
        if WATCH {
            run.event(&SearchEvent::Start { square: start })?;
        }
        let place = terrain.place(start);
        let (path, charged) =
            follow::<T, WATCH>(terrain, &mut counts, place, run, |counts, here, step, run| {
                fewest(terrain, counts, here, &mut tied);
                let next = (!tied.is_empty()).then(|| rule.pick(terrain, counts, &tied, run));
                if let (true, Some(next)) = (WATCH, next) {
                    run.event(&SearchEvent::Choice {
                        step,
                        from: terrain.square(here),
                        options: &rule.options(terrain, counts, here),
                        chosen: terrain.square(next),
                        ties: rule.breaker(),
                    })?;
                }
                ControlFlow::Continue(next)
            })?;
        conclude(path, charged, terrain.order(), run)?;
        if !matches!(rule, TieRule::Random) {
            return ControlFlow::Continue(());
        }
        counts.copy_from_slice(&fresh);
    }
}
