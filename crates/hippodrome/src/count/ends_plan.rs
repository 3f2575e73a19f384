//! The tasks that add up to a count with given ends.
//!
//! A count is one task or the sum of several. Two fixed ends may be replaced by their images under a
//! symmetry. A count between two ends that needs much memory is split by the first move from an end.

use super::bound;
use super::fixed_ends::FixedEnds;
use super::task::{PlannedTask, Task};
use super::weighted_graph::WeightedGraph;
use super::{BigUint, Count, CountError, CountKind, CountMonitor, order};
use crate::board::{Square, Symmetry};
use crate::problem::theorems::Finding;
use crate::search::Progress;

/// Number of states above which a count with two fixed ends tries all images of the ends under symmetries:
/// sixteen plans take a few milliseconds, a million states a quarter of a second. Chosen by hand.
const TRY_IMAGES: f64 = 1e6;

/// Number of bytes above which a count with two fixed ends is split, even if more memory is allowed. Chosen
/// by hand, for machines with 16 GiB.
const SPLIT_BYTES: u64 = 12 << 30;

/// The plan of a count with given ends.
#[derive(Clone, Debug)]
pub(super) struct EndsPlan {
    pub ends: FixedEnds,
    /// Why the count is zero, if a theorem proves it; in that case there are no parts.
    pub reason: Option<Finding>,
    /// The task with the given ends, unless it is the only part.
    own: Option<PlannedTask>,
    /// The tasks that add up to the count.
    pub parts: Vec<PlannedTask>,
    /// Numbers of states and bytes that the first part needs, if splitting was considered.
    pub needed: Option<(u64, u64)>,
}

impl EndsPlan {
    /// Plans a count unless a theorem answers it.
    pub fn new(count: &Count, ends: FixedEnds) -> Result<EndsPlan, CountError> {
        match count.impossible(ends) {
            Some(reason) => Ok(EndsPlan::impossible(ends, reason)),
            None => EndsPlan::possible(count, ends),
        }
    }

    /// Makes the plan of a count that is zero.
    pub fn impossible(ends: FixedEnds, reason: Finding) -> EndsPlan {
        EndsPlan { ends, reason: Some(reason), own: None, parts: Vec::new(), needed: None }
    }

    /// Plans a count that no theorem answers, with the given ends or with their cheapest image under a
    /// symmetry. Two ends in the same half are cheaper than one in each half.
    pub fn possible(count: &Count, ends: FixedEnds) -> Result<EndsPlan, CountError> {
        count.check_size()?;
        let planned = |ends, between| count.planned(count.task_with(ends, between));
        let own = planned(ends, Between::Edge)?;
        let mut best: Option<PlannedTask> = None;
        if let FixedEnds::Both(s, e) = ends
            && own.plan.cost > TRY_IMAGES
        {
            for map in Symmetry::maps(&count.graph) {
                let image = FixedEnds::Both(map[s.index()], map[e.index()]);
                let direct =
                    if image == ends { own.clone() } else { planned(image, Between::Edge)? };
                let least = best.as_ref().unwrap_or(&own).plan.cost;
                // If the ends are in different halves, joining them by an extra vertex can be cheaper: it has
                // one edge to each half, and an end would have more.
                match planned(image, Between::Vertex) {
                    Ok(other) if other.plan.cost <= direct.plan.cost.min(least) => {
                        best = Some(other);
                    }
                    _ if direct.plan.cost < least => best = Some(direct),
                    _ => {}
                }
            }
        }
        let (own, parts) = match best {
            Some(best) => (Some(own), vec![best]),
            None => (None, vec![own]),
        };
        Ok(EndsPlan { ends, reason: None, own, parts, needed: None })
    }

    /// Splits a count that needs much memory by the first move at one end and then, if needed, at the other.
    /// An end whose first move is undecided, especially one in a corner, leads to several times more states
    /// than a square inside a path.
    pub fn split(&mut self, count: &Count, monitor: &CountMonitor) -> Result<(), CountError> {
        let large = self.parts.first().is_some_and(|part| part.plan.cost >= bound::LARGE);
        if !large || !matches!(self.ends, FixedEnds::Both(..)) {
            return Ok(());
        }
        for _ in 0..2 {
            let (bytes, needed) = match bound::needed(count, &self.parts[0], monitor) {
                Err(CountError::Memory { needed, .. }) => (needed, None),
                other => other.map(|needed| (needed.1, Some(needed)))?,
            };
            let split: Vec<Task> = match bytes <= monitor.memory.min(SPLIT_BYTES) {
                true => Vec::new(),
                false => self.parts.iter().flat_map(|part| part.task.split()).collect(),
            };
            // The part fits; or the end has no move, so there is no tour to count.
            if split.is_empty() {
                self.needed = needed;
                break;
            }
            let planned = split.into_iter().map(|task| count.planned(task));
            let parts = planned.collect::<Result<_, _>>()?;
            let mut whole = std::mem::replace(&mut self.parts, parts);
            if self.own.is_none() {
                self.own = whole.pop();
            }
        }
        Ok(())
    }

    /// Estimates the total number of states of the parts.
    pub fn cost(&self) -> f64 {
        self.parts.iter().map(|part| part.plan.cost).sum()
    }

    /// Returns the task with the given ends.
    pub fn own(&self) -> &PlannedTask {
        self.own.as_ref().unwrap_or_else(|| &self.parts[0])
    }

    /// Counts the undirected tours by a theorem, by definition (for one or two squares) or part by part; also
    /// returns the method's name.
    pub fn count(
        &self,
        count: &Count,
        monitor: &CountMonitor,
    ) -> Result<(BigUint, &'static str), CountError> {
        if self.reason.is_some() {
            return Ok((BigUint::ZERO, "theorem"));
        }
        // A cycle needs three vertices; the smaller boards that no theorem excludes have one tour.
        if count.graph.order() == 1 && count.kind == CountKind::Open
            || count.graph.order() == 2 && matches!(self.ends, FixedEnds::Both(..))
        {
            return Ok((BigUint::from(1u32), "definition"));
        }
        monitor.expect(self.cost());
        let mut sum = BigUint::ZERO;
        for PlannedTask { task, plan } in &self.parts {
            let part = task.count(plan, &count.context(monitor));
            sum += part.map_err(|stop| count.stopped(stop, monitor))?;
        }
        Ok((sum, self.parts[0].plan.name()))
    }
}

/// How two fixed ends are joined to close a path into a cycle.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Between {
    Edge,
    Vertex,
}

// Methods of `Count` that make the graph of a task.
impl Count {
    /// Makes the task that counts tours with the given ends.
    pub(super) fn task(&self, ends: FixedEnds) -> Task {
        self.task_with(ends, Between::Edge)
    }

    /// Makes the task that counts tours with the given ends. Two fixed ends are joined by an edge or through
    /// an extra vertex, as `between` says.
    pub(super) fn task_with(&self, ends: FixedEnds, between: Between) -> Task {
        let (net, squares) = WeightedGraph::of(&self.graph);
        let order = squares.len();
        let number = |s: Square| squares.binary_search(&s).unwrap_or(0);
        let apex = |net: WeightedGraph| net.with_apex(0..order);
        let net = match (self.kind, ends) {
            (CountKind::Closed | CountKind::Open, FixedEnds::Both(s, e)) => {
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
            (CountKind::Open, FixedEnds::One(s)) => {
                let mut net = apex(net);
                net.force(order, number(s));
                net
            }
            (CountKind::Open, FixedEnds::Free) | (CountKind::PathCovers, _) => apex(net),
            (CountKind::Closed | CountKind::TwoFactors, _) => net,
        };
        let keeps = |map: &[Square]| match ends {
            FixedEnds::Free => true,
            FixedEnds::One(s) => self.kind == CountKind::Closed || map[s.index()] == s,
            FixedEnds::Both(s, e) => {
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
        let board_maps = all.iter().map(renumbered).collect();
        let line = match self.graph.board() {
            Some(board) if board.is_full() => board.rows().min(board.cols()) as usize,
            _ => 1,
        };
        let orders = order::candidates(&net, &self.graph, &squares);
        Task { net, orders, maps, board_maps, line, many_cycles: !self.kind.is_tour() }
    }
}
