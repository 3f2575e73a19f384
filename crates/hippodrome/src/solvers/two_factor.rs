//! Finds factors: subgraphs in which every vertex has its target degree (2 in a 2-factor).
//!
//! Surplus edges are dropped first. Then breadth-first search looks for augmenting paths between
//! vertices below their target degree. Alternately adding and dropping the edges of such a path raises the
//! degree of both end vertices by one. On bipartite graphs, such as the knight's, this finds a factor if one
//! exists.
//! Source: Berge (1957), as for matchings. Cost: O(edges) per path.

mod cycles;
mod join;

pub(crate) use cycles::TwoFactor;
#[cfg(test)]
pub(crate) use join::CycleJoiner;
pub(crate) use join::{Joined, join};

use crate::search::StopCheck;
use fixedbitset::FixedBitSet;
use std::ops::ControlFlow;

/// Marks a missing vertex.
pub(crate) const NONE: u32 = u32::MAX;

/// A graph with the target degree of each vertex.
pub(crate) struct FactorGraph {
    /// The two vertices that each edge joins.
    pub(crate) ends: Vec<[u32; 2]>,
    /// Target degree of each vertex.
    pub(crate) targets: Vec<u8>,
    first: Vec<u32>,
    arcs: Vec<(u32, u32)>,
}

impl FactorGraph {
    /// Builds the adjacency table. Breaks if the search is stopped.
    pub(crate) fn new(
        ends: Vec<[u32; 2]>,
        targets: Vec<u8>,
        stop_check: &StopCheck<'_>,
    ) -> ControlFlow<(), FactorGraph> {
        let mut first = vec![0; targets.len() + 1];
        for &v in ends.as_flattened() {
            first[v as usize + 1] += 1;
        }
        for v in 0..targets.len() {
            first[v + 1] += first[v];
        }
        let mut next = first.clone();
        let mut arcs = vec![(0, 0); 2 * ends.len()];
        for (edge, &[a, b]) in (0..).zip(&ends) {
            for (from, to) in [(a, b), (b, a)] {
                arcs[next[from as usize] as usize] = (to, edge);
                next[from as usize] += 1;
            }
            stop_check.spend(1)?;
        }
        ControlFlow::Continue(FactorGraph { ends, targets, first, arcs })
    }

    /// Returns the number of vertices.
    pub(crate) fn order(&self) -> usize {
        self.targets.len()
    }

    /// Returns the neighbours of `v`, each with the connecting edge.
    #[inline]
    pub(crate) fn arcs(&self, v: u32) -> &[(u32, u32)] {
        let v = v as usize;
        &self.arcs[self.first[v] as usize..self.first[v + 1] as usize]
    }

    /// Returns whether two vertices are adjacent.
    pub(crate) fn joins(&self, u: u32, v: u32) -> bool {
        let (u, v) = if self.arcs(u).len() <= self.arcs(v).len() { (u, v) } else { (v, u) };
        self.arcs(u).iter().any(|&(to, _)| to == v)
    }

    /// Finds a factor close to the given edges. Returns `None` if there is none or the search is stopped.
    pub(crate) fn factor_near(
        &self,
        given: impl IntoIterator<Item = u32>,
        stop_check: &StopCheck<'_>,
    ) -> Option<Vec<u32>> {
        self.factor_with_kicks(given, stop_check, |_| None)
    }

    /// Finds a factor close to the given edges. If no augmenting path is found, a *kick* takes an edge anyway
    /// and drops another: on graphs with odd cycles, a factor may still exist. `kick` draws a number below
    /// its argument; `None` ends the search.
    pub(crate) fn factor_with_kicks(
        &self,
        given: impl IntoIterator<Item = u32>,
        stop_check: &StopCheck<'_>,
        mut kick: impl FnMut(usize) -> Option<usize>,
    ) -> Option<Vec<u32>> {
        let mut state = Augmentation {
            graph: self,
            stop_check,
            on: vec![false; self.ends.len()],
            degree: vec![0; self.order()],
            via: vec![(NONE, NONE, NONE); self.order()],
            scanned: FixedBitSet::with_capacity(self.order()),
        };
        // Keep an edge if both of its vertices are below their targets; drop all other edges.
        for edge in given {
            let ends = self.ends[edge as usize];
            if ends.iter().all(|&v| state.lacks(v)) {
                state.on[edge as usize] = true;
                ends.iter().for_each(|&v| state.degree[v as usize] += 1);
            }
        }
        let mut waiting: Vec<u32> = (0..self.order() as u32).rev().collect();
        while let Some(v) = waiting.pop() {
            while state.lacks(v) {
                if state.augment(v).is_none() {
                    stop_check.spend(0).is_continue().then_some(())?;
                    waiting.push(state.kick(v, &mut kick)?);
                }
            }
        }
        Some((0..self.ends.len() as u32).filter(|&edge| state.on[edge as usize]).collect())
    }
}

struct Augmentation<'n> {
    graph: &'n FactorGraph,
    stop_check: &'n StopCheck<'n>,
    on: Vec<bool>,
    degree: Vec<u8>,
    /// How a vertex was reached: (previous vertex, added edge, dropped edge).
    via: Vec<(u32, u32, u32)>,
    /// Vertices whose factor edges have been followed; following them again finds nothing new.
    scanned: FixedBitSet,
}

impl Augmentation<'_> {
    fn lacks(&self, v: u32) -> bool {
        self.degree[v as usize] < self.graph.targets[v as usize]
    }

    /// Raises the degree of `root` and of one other vertex by one.
    fn augment(&mut self, root: u32) -> Option<()> {
        let mut queue = vec![root];
        let mut followed = Vec::new();
        let found = self.seek(root, &mut queue, &mut followed);
        followed.iter().for_each(|&v| self.scanned.remove(v as usize));
        // Reset the visited vertices only: paths are short, and the graph may be large.
        queue.iter().for_each(|&v| self.via[v as usize] = (NONE, NONE, NONE));
        found
    }

    fn seek(&mut self, root: u32, queue: &mut Vec<u32>, followed: &mut Vec<u32>) -> Option<()> {
        let mut at = 0;
        while let Some(&here) = queue.get(at) {
            at += 1;
            for &(next, add) in self.graph.arcs(here) {
                if self.on[add as usize] {
                    continue;
                }
                let twice = next == root
                    && self.degree[root as usize] + 1 == self.graph.targets[root as usize];
                if self.lacks(next) && !twice {
                    if self.flip(root, here, next, add) {
                        return Some(());
                    }
                    continue;
                }
                if self.scanned.put(next as usize) {
                    continue;
                }
                followed.push(next);
                let steps = self.graph.arcs(next).len() as u64;
                if self.stop_check.spend(steps).is_break() {
                    return None;
                }
                for &(after, drop) in self.graph.arcs(next) {
                    let new = after != root && self.via[after as usize].0 == NONE;
                    if self.on[drop as usize] && new {
                        self.via[after as usize] = (here, add, drop);
                        queue.push(after);
                    }
                }
            }
        }
        None
    }

    /// Adds a random edge of `v`, and drops a random edge at its other end; returns the other vertex of the
    /// dropped edge.
    fn kick(&mut self, v: u32, draw: &mut impl FnMut(usize) -> Option<usize>) -> Option<u32> {
        let arcs = |v: u32, on: bool| -> Vec<(u32, u32)> {
            self.graph.arcs(v).iter().filter(|arc| self.on[arc.1 as usize] == on).copied().collect()
        };
        let taken = arcs(v, false);
        let &(next, take) = taken.get(draw(taken.len())?)?;
        let dropped = arcs(next, true);
        let &(after, drop) = dropped.get(draw(dropped.len())?)?;
        self.on[take as usize] = true;
        self.on[drop as usize] = false;
        self.degree[v as usize] += 1;
        self.degree[after as usize] -= 1;
        Some(after)
    }

    /// Applies the path. Returns `false` if it uses an edge twice, which can happen with odd cycles.
    fn flip(&mut self, root: u32, mut here: u32, last: u32, add: u32) -> bool {
        let mut changes = vec![add];
        while here != root {
            let (from, add, drop) = self.via[here as usize];
            changes.extend([add, drop]);
            here = from;
        }
        changes.sort_unstable();
        if changes.windows(2).any(|pair| pair[0] == pair[1]) {
            return false;
        }
        changes.iter().for_each(|&edge| self.on[edge as usize] ^= true);
        self.degree[root as usize] += 1;
        self.degree[last as usize] += 1;
        true
    }
}
