//! What a count is made of: one task, or several that add up to it.

use super::ends::Ends;
use super::net::Net;
use super::task::{Plan, Task};
use super::{Count, CountError, CountKind, CountMonitor, forecast, order};
use crate::board::{Square, Symmetry};

/// States from which a count with two ends is worth a look at every image of them.
const WORTH_TURNING: f64 = 1e6;

/// Bytes above which a count with two ends is split.
const COMFORT: u64 = 12 << 30;

/// How two fixed ends are joined to make a cycle.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Between {
    Edge,
    Vertex,
}

impl Count {
    /// The task of counting with such ends.
    pub(super) fn task(&self, ends: Ends) -> Task {
        self.task_with(ends, Between::Edge)
    }

    /// The same; two ends are joined by an edge, or by way of a vertex.
    pub(super) fn task_with(&self, ends: Ends, between: Between) -> Task {
        let (net, squares) = Net::of(&self.graph);
        let order = squares.len();
        let number = |s: Square| squares.binary_search(&s).unwrap_or(0);
        let apex = |net: Net| net.with_apex(0..order);
        let net = match (self.kind, ends) {
            (CountKind::Closed | CountKind::Open, Ends::Both(s, e)) => {
                let (mut net, s, e) = (net, number(s), number(e));
                if between == Between::Edge {
                    net.force(s, e);
                } else {
                    net.part(s, e);
                    net = net.with_apex([]);
                    net.force(order, s);
                    net.force(order, e);
                }
                net
            }
            (CountKind::Open, Ends::One(s)) => {
                let mut net = apex(net);
                net.force(order, number(s));
                net
            }
            (CountKind::Open, Ends::Free) | (CountKind::PathCovers, _) => apex(net),
            (CountKind::Closed | CountKind::TwoFactors, _) => net,
        };
        let keeps = |map: &[Square]| match ends {
            Ends::Free => true,
            Ends::One(s) => self.kind == CountKind::Closed || map[s.index()] == s,
            Ends::Both(s, e) => {
                let (a, b) = (map[s.index()], map[e.index()]);
                (a, b) == (s, e) || (a, b) == (e, s)
            }
        };
        let renumbered = |map: &Vec<Square>| -> Vec<usize> {
            let known = squares.iter().map(|&s| number(map[s.index()]));
            known.chain(order..net.order()).collect()
        };
        let all: Vec<Vec<Square>> = self.symmetries().into_iter().map(|(_, map)| map).collect();
        let maps = all.iter().filter(|map| keeps(map)).map(renumbered).collect();
        let turns = all.iter().map(renumbered).collect();
        let line = match self.graph.board() {
            Some(board) if board.is_full() => board.rows().min(board.cols()) as usize,
            _ => 1,
        };
        let orders = order::candidates(&net, &self.graph, &squares);
        Task { net, orders, maps, turns, line, many_cycles: !self.kind.is_tour() }
    }

    /// The task of counting with such ends, or with their images under a symmetry of the board,
    /// whichever is the cheapest: two ends in one half are cheaper than one in each.
    pub(super) fn cheapest(&self, ends: Ends) -> Result<(Task, Plan), CountError> {
        let first = |ends: Ends, between: Between| -> Result<(Task, Plan), CountError> {
            let task = self.task_with(ends, between);
            let plan = self.plan_for(&task)?.swap_remove(0);
            Ok((task, plan))
        };
        let mut best = first(ends, Between::Edge)?;
        if let Ends::Both(s, e) = ends
            && best.1.cost > WORTH_TURNING
        {
            let images = Symmetry::maps(&self.graph).into_iter();
            let images = images.map(|map| Ends::Both(map[s.index()], map[e.index()]));
            for image in images {
                // Ends in different halves: the vertex has one edge in either, an end would have more.
                let direct = first(image, Between::Edge)?;
                if let Ok(other) = first(image, Between::Vertex)
                    && other.1.cost <= direct.1.cost.min(best.1.cost)
                {
                    best = other;
                } else if direct.1.cost < best.1.cost {
                    best = direct;
                }
            }
        }
        Ok(best)
    }

    /// The task of counting with such ends; or, where that takes much memory, tasks that add up to it,
    /// one for each first move from an end: an end that may go anywhere, in a corner most of all, makes
    /// several times as many states as a square that is passed.
    pub(super) fn parts(
        &self,
        ends: Ends,
        watch: &CountMonitor,
    ) -> Result<Vec<(Task, Plan)>, CountError> {
        let mut parts = vec![self.cheapest(ends)?];
        if matches!(ends, Ends::Both(..)) && parts[0].1.cost >= forecast::LARGE {
            // Splitting at one end and then at the other.
            for _ in 0..2 {
                let (task, plan) = &parts[0];
                let needed = match self.needed(task, plan, watch) {
                    Err(CountError::Memory { needed, .. }) => needed,
                    other => other?.1,
                };
                if needed <= watch.memory.min(COMFORT) {
                    break;
                }
                let split: Vec<Task> = parts.iter().flat_map(|(task, _)| task.split()).collect();
                // No move, no tour: nothing is large.
                if split.is_empty() {
                    break;
                }
                let planned = |part: Task| -> Result<(Task, Plan), CountError> {
                    let plan = self.plan_for(&part)?.swap_remove(0);
                    Ok((part, plan))
                };
                parts = split.into_iter().map(planned).collect::<Result<_, _>>()?;
            }
        }
        Ok(parts)
    }
}
