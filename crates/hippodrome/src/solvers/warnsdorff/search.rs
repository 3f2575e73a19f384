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
    while let Some(next) = untried.pop() {
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
        }
        while marks.last().is_some_and(|&mark| untried.len() == mark) {
            marks.pop();
            path.pop();
            if let Some(last) = way.pop() {
                leave(terrain, &mut counts, last.place, last.count);
            }
        }
    }
    ControlFlow::Continue(())
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
