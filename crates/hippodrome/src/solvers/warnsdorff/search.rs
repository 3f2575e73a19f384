//! Backtracking by the rule: over ties only, or over all moves with the best first.

use super::terrain::{OnwardCount, Terrain, enter, leave};
use super::walk::{Candidate, TieRule};
use crate::board::Square;
use crate::search::{Run, SearchEvent};
use rand::seq::SliceRandom;
use std::ops::ControlFlow;

/// Searches everything below one start square: over all moves if `all_moves` is set, otherwise over
/// ties only.
pub(super) fn search<T: Terrain, const WATCH: bool>(
    terrain: &T,
    rule: &TieRule,
    all_moves: bool,
    start: Square,
    run: &mut Run<'_>,
) -> ControlFlow<()> {
    let mut counts = terrain.counts();
    let mut path = Vec::with_capacity(terrain.order());
    // `way` is the path, with the count of each place before it was entered. Untried places are
    // stored best last; `marks` holds the first index of each depth.
    let mut way: Vec<Candidate<T::Count>> = Vec::new();
    let mut marks = Vec::new();
    let mut untried =
        vec![Candidate { count: counts[terrain.place(start)], place: terrain.place(start) }];
    let (mut moves, mut pace) = (0, run.pace(terrain.order()));
    // Whether moves were undone since the last one, for events.
    let mut returned = false;
    while let Some(next) = untried.pop() {
        if WATCH {
            announce(terrain, rule, &counts, (&path, next), (returned, &untried, &marks), run)?;
            returned = false;
        }
        marks.push(untried.len());
        way.push(next);
        path.push(terrain.square(next.place));
        enter(terrain, &mut counts, next.place);
        moves += u64::from(path.len() > 1);
        if moves >= pace {
            run.charge(0, std::mem::take(&mut moves))?;
            pace = run.pace(terrain.order());
        }
        if WATCH {
            run.event(&SearchEvent::Path(&path))?;
        }
        let from = untried.len();
        rank(terrain, rule, all_moves, &counts, next.place, &mut untried, run);
        if untried.len() == from {
            let flow = run.charge(1, std::mem::take(&mut moves));
            if path.len() == terrain.order() {
                run.claim(&path)?;
            }
            flow?;
            if WATCH && path.len() < terrain.order() {
                let (square, visited) = (terrain.square(next.place), path.len());
                run.event(&SearchEvent::DeadEnd { square, visited })?;
            }
        }
        let before = path.len();
        while marks.last().is_some_and(|&mark| untried.len() == mark) {
            marks.pop();
            path.pop();
            if let Some(last) = way.pop() {
                leave(terrain, &mut counts, last.place, last.count);
            }
        }
        if let (true, true, Some(&to)) = (WATCH, path.len() < before, path.last()) {
            run.event(&SearchEvent::Back { moves: before - path.len(), to })?;
            returned = true;
        }
    }
    ControlFlow::Continue(())
}

/// Sends the event of the next place before it is entered.
fn announce<T: Terrain>(
    terrain: &T,
    rule: &TieRule,
    counts: &[T::Count],
    (path, next): (&[Square], Candidate<T::Count>),
    (returned, untried, marks): (bool, &[Candidate<T::Count>], &[usize]),
    run: &mut Run<'_>,
) -> ControlFlow<()> {
    let chosen = terrain.square(next.place);
    let Some(&from) = path.last() else {
        return run.event(&SearchEvent::Start { square: chosen });
    };
    let step = path.len();
    if returned {
        let left = untried.len() - marks.last().copied().unwrap_or(0);
        return run.event(&SearchEvent::Retry { step, from, chosen, left });
    }
    let options = rule.options(terrain, counts, terrain.place(from));
    run.event(&SearchEvent::Choice { step, from, options: &options, chosen, ties: rule.breaker() })
}

/// Appends the free places that are one move away from `place`, with the best one last.
fn rank<T: Terrain>(
    terrain: &T,
    rule: &TieRule,
    all_moves: bool,
    counts: &[T::Count],
    place: usize,
    untried: &mut Vec<Candidate<T::Count>>,
    run: &mut Run<'_>,
) {
    let from = untried.len();
    let near = terrain.near(place).map(|place| Candidate { count: counts[place], place });
    untried.extend(near.filter(|c| c.count != T::Count::BLOCKED));
    let least = untried[from..].iter().map(|c| c.count).min();
    if !all_moves {
        let mut kept = from;
        for index in from..untried.len() {
            if Some(untried[index].count) == least {
                untried.swap(kept, index);
                kept += 1;
            }
        }
        untried.truncate(kept);
    }
    let new = &mut untried[from..];
    if let TieRule::Random = rule {
        new.shuffle(&mut run.rng);
    }
    new.sort_by_cached_key(|c| (c.count, rule.key(terrain, counts, c.place)));
    new.reverse();
}
