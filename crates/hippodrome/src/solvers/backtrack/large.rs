//! Depth-first search on any graph. It uses an explicit stack, so only memory limits the depth.

use crate::board::{Graph, Square};
use crate::search::{Run, SearchEvent};
use crate::solvers::move_order::ordered;
use fixedbitset::FixedBitSet;
use rand::seq::SliceRandom;
use std::ops::ControlFlow;

/// Searches from one start square. If the run is watched, sends every step as an event.
pub(super) fn search<const WATCH: bool>(
    graph: &Graph,
    sequence: Option<&[usize]>,
    start: Square,
    run: &mut Run<'_>,
) -> ControlFlow<()> {
    let mut visited = FixedBitSet::with_capacity(graph.len());
    let mut path = vec![start];
    // A single stack holds the untried squares of all depths, best last; `marks` holds the first
    // index of each depth.
    let mut untried: Vec<Square> = Vec::new();
    let mut marks = vec![0];
    let (mut moves, mut pace) = (0, run.pace(graph.order()));
    visited.insert(start.index());
    let mut entered = true;
    // Moves undone since the last one, for events.
    let mut undone = 0;
    if WATCH {
        run.event(&SearchEvent::Start { square: start })?;
    }
    loop {
        if entered {
            let here = path[path.len() - 1];
            let from = untried.len();
            untried.extend(
                ordered(graph, sequence.unwrap_or(&[]), here)
                    .filter(|&s| !visited.contains(s.index())),
            );
            match sequence {
                Some(_) => untried[from..].reverse(),
                None => {
                    // As on small graphs, shuffle the squares from ascending order and try them
                    // from the first on.
                    untried[from..].sort_unstable();
                    untried[from..].shuffle(&mut run.rng);
                    untried[from..].reverse();
                }
            }
            if WATCH {
                run.event(&SearchEvent::Stack { path: &path, untried: &untried, marks: &marks })?;
            }
            if untried.len() == from {
                let mut flow = run.charge(1, std::mem::take(&mut moves));
                if path.len() == graph.order() {
                    run.claim(&path)?;
                    flow = run.check_limits();
                }
                flow?;
                if WATCH && path.len() < graph.order() {
                    run.event(&SearchEvent::DeadEnd { square: here, visited: path.len() })?;
                }
            }
        }
        let depth = path.len() - 1;
        entered = untried.len() > marks[depth];
        if entered {
            if WATCH && undone > 0 {
                let moves = std::mem::take(&mut undone);
                run.event(&SearchEvent::Back { moves, to: path[depth] })?;
            }
            let Some(next) = untried.pop() else { break };
            visited.insert(next.index());
            path.push(next);
            marks.push(untried.len());
            moves += 1;
            if moves >= pace {
                run.charge(0, std::mem::take(&mut moves))?;
                pace = run.pace(graph.order());
            }
        } else {
            let Some(last) = path.pop().filter(|_| depth > 0) else { break };
            visited.remove(last.index());
            marks.pop();
            undone += usize::from(WATCH);
        }
    }
    run.charge(0, moves)
}
