//! `best-first`: always extends the most promising partial tour.
//!
//! Partial tours wait in a queue; the one with the best evaluation is extended by every legal move. The
//! evaluation E is the number of squares visited, minus the weight times the number of onward moves of the
//! last square. It favours long paths, and among them paths whose last square has few onward moves
//! (Warnsdorff's rule). Among equally good paths the newest comes first, so the search goes deep.
//! Source: named as future work by the 2020 comparison, Section 5; the evaluation is ours.
//! Cost: O(path length) per extended path, to reconstruct its visited squares; 24 bytes per queued path.
//! Limits: the queue grows with the search, which stops when it has `nodes` paths. If the queue becomes
//! empty, the search is a proof.

use crate::board::{Graph, Square};
use crate::problem::{Problem, Starts};
use crate::search::{
    Allotment, Budget, End, EventKind, Family, Info, Params, Preparation, Prepared, Promise,
    Resources, Run, SearchEvent, Solver, Values, params,
};
use fixedbitset::FixedBitSet;
use std::collections::BinaryHeap;
use std::ops::ControlFlow;

/// The registry entry.
pub struct BestFirst;

static INFO: Info = Info {
    name: "best-first",
    title: "Best-first search",
    family: Family::Search,
    summary: "Extends the most promising partial tour first: a long one with few onward moves at its end.",
    source: "TCD 2020, future work",
    good_for: "comparing a queue of partial tours with backtracking's stack",
    params: BestFirstParams::PARAMS,
    events: &[EventKind::Path, EventKind::Extend, EventKind::Queue],
    ..Info::PLAIN
};

params! {
    /// Parameters of `best-first`.
    struct BestFirstParams {
        weight: f64 = "1" in 0.0..=1000.0, "Number of visited squares that outweigh one onward move.";
        nodes: u64 = "20M" in 1..=u32::MAX as u64, "Maximum number of stored partial tours, 24 bytes each; the search then stops.";
    }
}

impl Solver for BestFirst {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn prepare(&self, problem: &Problem, values: &Values, _: &Resources<'_>) -> Preparation {
        let params = BestFirstParams::from_values(values);
        Ok(Box::new(PreparedBestFirst {
            graph: problem.graph().clone(),
            starts: problem.starts(),
            params,
        }))
    }
}

struct PreparedBestFirst {
    graph: Graph,
    starts: Starts,
    params: BestFirstParams,
}

/// A partial tour: its last square, and the path that this square extends.
struct Node {
    parent: u32,
    square: Square,
}

/// A partial tour in the queue. The one that compares greatest is extended first.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Waiting {
    evaluation: i64,
    node: u32,
}

impl Prepared for PreparedBestFirst {
    fn promise(&self) -> Promise {
        Promise::COMPLETE
    }

    fn allot(&self, unit: u64, budget: &Budget) -> Option<Allotment> {
        budget.each(unit, &self.starts)
    }

    fn run(&self, unit: u64, run: &mut Run<'_>) -> End {
        let Some(start) = self.starts.get(unit) else { return End::Limit };
        let flow = match run.is_watched() {
            false => self.search::<false>(start, run),
            true => self.search::<true>(start, run),
        };
        End::of(flow, true)
    }
}

impl PreparedBestFirst {
    fn search<const WATCH: bool>(&self, start: Square, run: &mut Run<'_>) -> ControlFlow<()> {
        let mut tree = vec![Node { parent: u32::MAX, square: start }];
        let mut queue = BinaryHeap::from([Waiting { evaluation: 0, node: 0 }]);
        let mut visited = FixedBitSet::with_capacity(self.graph.len());
        let mut path = Vec::with_capacity(self.graph.order());
        // Number of waiting paths by their number of squares, if the run is watched.
        let mut lengths = if WATCH { vec![0u64; self.graph.order() + 1] } else { Vec::new() };
        if WATCH {
            lengths[1] = 1;
        }
        while let Some(Waiting { node, evaluation }) = queue.pop() {
            path.iter().for_each(|&s: &Square| visited.remove(s.index()));
            path.clear();
            let mut at = node;
            while let Some(Node { parent, square }) = tree.get(at as usize) {
                path.push(*square);
                visited.insert(square.index());
                at = *parent;
            }
            path.reverse();
            let free = |s: &Square| !visited.contains(s.index());
            let here = tree[node as usize].square;
            let before = tree.len();
            for next in self.graph.neighbours(here).filter(free) {
                // `next` is not its own neighbour, so it need not be marked as visited here.
                let onward = self.graph.neighbours(next).filter(free).count();
                let length = path.len() + 1;
                // Integer thousandths give a total order that is the same on every machine.
                let evaluation =
                    1000 * length as i64 - (1000.0 * self.params.weight) as i64 * onward as i64;
                queue.push(Waiting { evaluation, node: tree.len() as u32 });
                tree.push(Node { parent: node, square: next });
            }
            let made = (tree.len() - before) as u64;
            if WATCH {
                run.event(&SearchEvent::Extend {
                    length: path.len(),
                    square: here,
                    evaluation: evaluation as f64 / 1000.0,
                    added: made as usize,
                    waiting: queue.len(),
                })?;
                lengths[path.len()] -= 1;
                if made > 0 {
                    lengths[path.len() + 1] += made;
                }
                run.event(&SearchEvent::Queue(&lengths))?;
                run.event(&SearchEvent::Path(&path))?;
            }
            let flow = run.charge(u64::from(made == 0), made);
            if made == 0 && path.len() == self.graph.order() {
                run.claim(&path)?;
            }
            flow?;
            if tree.len() as u64 >= self.params.nodes {
                return ControlFlow::Break(());
            }
        }
        ControlFlow::Continue(())
    }
}
