//! Depth-first search on at most 64 vertices: one word holds the set of visited squares.

use crate::board::bits::Bits;
use crate::board::{Graph, Square};
use crate::search::Run;
use crate::solvers::move_order::ordered;
use rand::seq::SliceRandom;
use std::ops::ControlFlow;

/// Neighbours of each vertex in the order in which they are tried.
pub(super) struct BitboardSearch {
    bits: Bits,
    tried: [[u8; 8]; 64],
    count: [u8; 64],
}

struct BitboardWalk<'s, 'r, 'a> {
    small: &'s BitboardSearch,
    run: &'r mut Run<'a>,
    path: [Square; 64],
    moves: u64,
}

impl BitboardSearch {
    /// Builds the tables; returns `None` if a vertex has more than 8 neighbours.
    pub(super) fn new(bits: Bits, graph: &Graph, sequence: &[usize]) -> Option<BitboardSearch> {
        let mut small = BitboardSearch { bits, tried: [[0; 8]; 64], count: [0; 64] };
        for v in 0..small.bits.n {
            for (index, square) in ordered(graph, sequence, small.bits.square[v]).enumerate() {
                *small.tried[v].get_mut(index)? = small.bits.vertex(square) as u8;
                small.count[v] += 1;
            }
        }
        Some(small)
    }

    /// Searches from one start square.
    pub(super) fn search<const RANDOM: bool>(
        &self,
        start: Square,
        run: &mut Run<'_>,
    ) -> ControlFlow<()> {
        let mut search = BitboardWalk { small: self, run, path: [start; 64], moves: 0 };
        let start = self.bits.vertex(start);
        let unvisited = self.bits.all() & !(1 << start);
        let flow = search.visit::<RANDOM>(start, unvisited, 1);
        // Charge the moves since the last leaf. There are none unless the search was stopped.
        let _ = search.run.charge(0, search.moves);
        flow
    }
}

impl BitboardWalk<'_, '_, '_> {
    /// Searches everything below vertex `v`, which is already marked as visited and is the `depth`-th vertex
    /// of its path.
    fn visit<const RANDOM: bool>(
        &mut self,
        v: usize,
        unvisited: u64,
        depth: usize,
    ) -> ControlFlow<()> {
        let free = self.small.bits.attacks[v] & unvisited;
        if free == 0 {
            return self.leaf(unvisited == 0);
        }
        if RANDOM {
            let (mut next, mut rest, mut count) = ([0u8; 8], free, 0);
            while rest != 0 {
                next[count] = rest.trailing_zeros() as u8;
                rest &= rest - 1;
                count += 1;
            }
            next[..count].shuffle(&mut self.run.rng);
            for &w in &next[..count] {
                self.enter::<RANDOM>(w as usize, unvisited, depth)?;
            }
            return ControlFlow::Continue(());
        }
        if free & (free - 1) == 0 {
            return self.enter::<RANDOM>(free.trailing_zeros() as usize, unvisited, depth);
        }
        let small = self.small;
        for &w in &small.tried[v][..small.count[v] as usize] {
            if free >> w & 1 == 1 {
                self.enter::<RANDOM>(w as usize, unvisited, depth)?;
            }
        }
        ControlFlow::Continue(())
    }

    #[inline(always)]
    fn enter<const RANDOM: bool>(
        &mut self,
        w: usize,
        unvisited: u64,
        depth: usize,
    ) -> ControlFlow<()> {
        self.moves += 1;
        self.path[depth & 63] = self.small.bits.square[w];
        let unvisited = unvisited & !(1 << w);
        if self.small.bits.attacks[w] & unvisited == 0 {
            self.leaf(unvisited == 0)
        } else {
            self.visit::<RANDOM>(w, unvisited, depth + 1)
        }
    }

    #[inline(always)]
    fn leaf(&mut self, complete: bool) -> ControlFlow<()> {
        let flow = self.run.charge(1, std::mem::take(&mut self.moves));
        if complete {
            self.run.claim(&self.path[..self.small.bits.n])?;
            return self.run.check_limits();
        }
        flow
    }
}
