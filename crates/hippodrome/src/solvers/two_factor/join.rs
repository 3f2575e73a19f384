//! Joins the cycles of a 2-factor into one tour by exchanging moves.
//!
//! Two moves ab and cd of different cycles are replaced by ac and bd if both are legal. The two cycles become
//! one, and the vertices of the smaller cycle take the number of the larger. When no such pair is left,
//! longer exchanges are tried: closed trails of six or more moves that are alternately dropped and added. The
//! positions of a trail's vertices in their cycles show whether it reduces the number of cycles.
//! Cost: O(squares) per pass over pairs, with few passes; a vertex changes its cycle number
//! O(log squares) times.

use super::{FactorGraph, NONE, TwoFactor};
use crate::search::{SearchEvent, StopCheck};
use std::ops::ControlFlow;

/// Statistics of one join.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct JoinEffort {
    /// Number of cycles before joining; a path counts as one.
    pub cycles: u64,
    /// Number of exchanges of two moves.
    pub pairs: u64,
    /// Number of exchanges of more than two moves.
    pub longer: u64,
}

impl JoinEffort {
    /// Returns the event of a join that left these cycles.
    pub fn event(self, left: &TwoFactor) -> SearchEvent<'static> {
        let JoinEffort { cycles, pairs, longer } = self;
        SearchEvent::Joined { cycles, pairs, longer, left: left.cycles() }
    }
}

/// The cycles of a 2-factor while they are joined.
pub(crate) struct CycleJoiner<'n> {
    graph: &'n FactorGraph,
    stop_check: &'n StopCheck<'n>,
    pub factor: TwoFactor,
    /// Cycle number of each vertex.
    cycle: Vec<u32>,
    /// Number of vertices of each cycle.
    size: Vec<u32>,
    /// Index of each vertex in `order`.
    position: Vec<u32>,
    /// The vertices of all cycles, one cycle after another.
    order: Vec<u32>,
    first: Vec<u32>,
    effort: JoinEffort,
}

/// The result of joining cycles.
pub(crate) struct Joined {
    /// The factor with the remaining cycles.
    pub factor: TwoFactor,
    /// Whether it is one cycle (or path).
    pub is_one: bool,
    /// Statistics of the join.
    pub effort: JoinEffort,
}

/// Joins cycles of a factor as long as exchanges of at most `longest` moves help. Breaks if the
/// search is stopped.
pub(crate) fn join(
    graph: &FactorGraph,
    factor: TwoFactor,
    longest: usize,
    stop_check: &StopCheck<'_>,
) -> ControlFlow<(), Joined> {
    let mut state = CycleJoiner::new(graph, factor, stop_check);
    let mut left = state.size.len();
    state.effort.cycles = left as u64;
    while left > 1 {
        left -= state.join_pairs()?;
        if left == 1 {
            break;
        }
        // The exchanges have changed the cycles.
        state.index_cycles();
        let mut longer = false;
        for moves in 3..=longest {
            longer = longer || state.join_longer(moves)?;
        }
        if !longer {
            break;
        }
        left = state.index_cycles();
    }
    let CycleJoiner { factor, effort, .. } = state;
    ControlFlow::Continue(Joined { factor, is_one: left == 1, effort })
}

impl<'n> CycleJoiner<'n> {
    pub fn new(
        graph: &'n FactorGraph,
        factor: TwoFactor,
        stop_check: &'n StopCheck<'n>,
    ) -> CycleJoiner<'n> {
        let vertices = graph.order();
        let mut new = CycleJoiner {
            graph,
            stop_check,
            factor,
            cycle: vec![NONE; vertices],
            size: Vec::new(),
            position: vec![0; vertices],
            order: Vec::new(),
            first: Vec::new(),
            effort: JoinEffort::default(),
        };
        new.index_cycles();
        new
    }

    /// Numbers the cycles and their vertices; returns the number of cycles.
    fn index_cycles(&mut self) -> usize {
        self.cycle.fill(NONE);
        self.size.clear();
        self.order.clear();
        self.first.clear();
        // The path comes first, starting at one of its ends.
        let end = self.factor.mates.iter().position(|mates| mates[1] == NONE);
        for v in end.into_iter().chain(0..self.graph.order()) {
            if self.cycle[v] != NONE {
                continue;
            }
            let walk = self.factor.along(v as u32, self.factor.mates[v][0]);
            self.first.push(self.order.len() as u32);
            for &w in &walk {
                self.cycle[w as usize] = self.size.len() as u32;
                self.position[w as usize] = self.order.len() as u32;
                self.order.push(w);
            }
            self.size.push(walk.len() as u32);
        }
        self.size.len()
    }

    /// Exchanges pairs of moves until no exchange joins two cycles; returns the number of exchanges.
    fn join_pairs(&mut self) -> ControlFlow<(), usize> {
        let mut joined = 0;
        loop {
            let before = joined;
            let largest =
                |size: &[u32]| (0..size.len()).max_by_key(|&c| size[c]).unwrap_or(0) as u32;
            let most = largest(&self.size);
            for a in 0..self.graph.order() as u32 {
                // Skip the largest cycle: of any two cycles, at least one is not the largest.
                if self.cycle[a as usize] != most {
                    joined += usize::from(self.join_pair(a)?);
                }
            }
            if joined == before {
                self.effort.pairs += joined as u64;
                return ControlFlow::Continue(joined);
            }
        }
    }

    /// Exchanges a move of `a` for a move to another cycle, if possible.
    fn join_pair(&mut self, a: u32) -> ControlFlow<(), bool> {
        let graph = self.graph;
        for b in self.factor.mates[a as usize].into_iter().filter(|&b| b != NONE) {
            for &(c, _) in graph.arcs(a) {
                if self.cycle[c as usize] == self.cycle[a as usize] {
                    continue;
                }
                self.stop_check.spend(graph.arcs(c).len() as u64)?;
                let mates = self.factor.mates[c as usize];
                let parallel = |d: &u32| *d != NONE && graph.joins(b, *d);
                if let Some(d) = mates.into_iter().find(parallel) {
                    self.rename(a, c);
                    self.factor.exchange(&[a, b, d, c]);
                    return ControlFlow::Continue(true);
                }
            }
        }
        ControlFlow::Continue(false)
    }

    /// Merges the cycles of two vertices: the smaller one takes the number of the larger.
    fn rename(&mut self, a: u32, c: u32) {
        let [one, other] = [a, c].map(|v| self.cycle[v as usize]);
        let (v, old, new) = if self.size[one as usize] < self.size[other as usize] {
            (a, one, other)
        } else {
            (c, other, one)
        };
        self.size[new as usize] += self.size[old as usize];
        self.size[old as usize] = 0;
        // A path is walked in both directions; on a cycle the first walk renumbers everything.
        for mate in self.factor.mates[v as usize].into_iter().filter(|&m| m != NONE) {
            if self.cycle[mate as usize] == old {
                for w in self.factor.along(v, mate) {
                    self.cycle[w as usize] = new;
                }
            }
        }
    }

    /// Makes one exchange of `moves` moves that reduces the number of cycles, if there is one.
    fn join_longer(&mut self, moves: usize) -> ControlFlow<(), bool> {
        let most = (0..self.size.len()).max_by_key(|&c| self.size[c]).unwrap_or(0) as u32;
        for a in 0..self.graph.order() as u32 {
            if self.cycle[a as usize] == most {
                continue;
            }
            for b in self.factor.mates[a as usize].into_iter().filter(|&b| b != NONE) {
                let mut trail = vec![a, b];
                if self.extend(&mut trail, moves)? {
                    self.factor.exchange(&trail);
                    self.effort.longer += 1;
                    return ControlFlow::Continue(true);
                }
            }
        }
        ControlFlow::Continue(false)
    }

    /// Extends a trail until it closes and reduces the number of cycles.
    fn extend(&self, trail: &mut Vec<u32>, moves: usize) -> ControlFlow<(), bool> {
        let last = trail[trail.len() - 1];
        self.stop_check.spend(self.graph.arcs(last).len() as u64)?;
        if trail.len() == 2 * moves {
            return ControlFlow::Continue(
                self.graph.joins(last, trail[0])
                    && !self.factor.mates[last as usize].contains(&trail[0])
                    && self.leaves_fewer(trail),
            );
        }
        for &(c, _) in self.graph.arcs(last) {
            if trail.contains(&c) || self.factor.mates[last as usize].contains(&c) {
                continue;
            }
            for d in self.factor.mates[c as usize] {
                if d == NONE || trail.contains(&d) {
                    continue;
                }
                trail.extend([c, d]);
                if self.extend(trail, moves)? {
                    return ControlFlow::Continue(true);
                }
                trail.truncate(trail.len() - 2);
            }
        }
        ControlFlow::Continue(false)
    }

    /// Returns whether exchanging a trail reduces the number of cycles. The dropped moves cut the
    /// cycles into pieces; the added moves connect the pieces into rings, which are counted.
    pub fn leaves_fewer(&self, trail: &[u32]) -> bool {
        // A dropped move is identified by the position of its first vertex in the cycle.
        let mut cuts: Vec<(u32, u32)> = trail
            .chunks_exact(2)
            .map(|pair| {
                let cycle = self.cycle[pair[0] as usize];
                let [x, y] = [pair[0], pair[1]].map(|v| self.position[v as usize]);
                (cycle, if self.after(cycle, x) == y { x } else { y })
            })
            .collect();
        cuts.sort_unstable();
        let mut pieces = Vec::with_capacity(cuts.len());
        let mut before = 0;
        for cycle in cuts.chunk_by(|p, q| p.0 == q.0) {
            before += 1;
            for (at, &(name, cut)) in cycle.iter().enumerate() {
                let (from, to) = (self.after(name, cut), cycle[(at + 1) % cycle.len()].1);
                pieces.push([from, to].map(|position| self.order[position as usize]));
            }
        }
        before > 1 && rings(trail, &pieces) < before
    }

    /// Returns the next position around the cycle.
    fn after(&self, cycle: u32, position: u32) -> u32 {
        let first = self.first[cycle as usize];
        if position + 1 == first + self.size[cycle as usize] { first } else { position + 1 }
    }
}

/// Counts the rings that form when the second, fourth, … moves of a trail connect the pieces.
fn rings(trail: &[u32], pieces: &[[u32; 2]]) -> usize {
    let len = trail.len();
    let at = |v: u32| trail.iter().position(|&w| w == v).unwrap_or(0);
    let mut other_end = vec![0; len];
    for &[from, to] in pieces {
        // No piece is a single vertex: both its moves would have to be dropped, but a trail visits a vertex
        // only once.
        let (from, to) = (at(from), at(to));
        (other_end[from], other_end[to]) = (to, from);
    }
    let mut seen = vec![false; len];
    let mut rings = 0;
    for start in 0..len {
        if seen[start] {
            continue;
        }
        rings += 1;
        let mut here = start;
        while !seen[here] {
            seen[here] = true;
            let there = other_end[here];
            seen[there] = true;
            here = if there % 2 == 1 { (there + 1) % len } else { (there + len - 1) % len };
        }
    }
    rings
}
