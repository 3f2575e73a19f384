//! Finds every tour that obeys the rule, on at most 64 vertices.
//!
//! Let c(v) be the number of free neighbours of vertex v. The numbers are bit-sliced: bit v of
//! `count[p]` is the inverse of bit p of c(v) - 1. Entering a square subtracts one from the numbers of all
//! its free neighbours at once. Since each of them loses exactly one, the tied squares follow from the
//! earlier numbers by a few ANDs, without a loop over moves. The entered square was itself a free neighbour
//! of each of them, so c(v) - 1 is from 0 to 7 for the knight, and three planes suffice.

use crate::board::bits::Bits;
use crate::board::{Graph, Square};
use crate::search::Run;
use crate::tour::Trail;
use std::ops::ControlFlow;

/// Tables for one graph.
pub(super) struct Every {
    bits: Bits,
    trail: Trail,
    count: [u64; 6],
    planes: u32,
}

/// A node of the search tree with untried ties.
#[derive(Clone, Copy)]
struct Fork<const P: usize> {
    ties: u64,
    unvisited: u64,
    count: [u64; P],
    depth: usize,
}

impl Every {
    /// Builds the tables, if the graph is small enough.
    pub(super) fn new(graph: &Graph) -> Option<Every> {
        let (bits, trail) = (Bits::new(graph)?, Trail::new(graph)?);
        let mut count = [0; 6];
        let mut most = 1;
        for v in 0..bits.n {
            let degree = bits.attacks[v].count_ones();
            most = most.max(degree);
            for (plane, word) in count.iter_mut().enumerate() {
                *word |= u64::from(!degree.wrapping_sub(1) >> plane & 1) << v;
            }
        }
        Some(Every { bits, trail, count, planes: u32::BITS - (most - 1).leading_zeros() })
    }

    /// Searches from one start square.
    pub(super) fn search(&self, start: Square, run: &mut Run<'_>) -> ControlFlow<()> {
        if self.planes <= 3 { self.planes::<3>(start, run) } else { self.planes::<6>(start, run) }
    }

    fn planes<const P: usize>(&self, start: Square, run: &mut Run<'_>) -> ControlFlow<()> {
        let bits = &self.bits;
        let mut trail = self.trail.clone();
        trail.step(0, start.index());
        let mut forks = [Fork { ties: 0, unvisited: 0, count: [0; P], depth: 0 }; 64];
        let mut open = 0;
        let mut here = bits.vertex(start);
        let mut unvisited = bits.all() & !(1 << here);
        let mut count: [u64; P] = std::array::from_fn(|p| self.count[p]);
        let (mut depth, mut charged) = (1, 1);
        loop {
            let free = bits.attacks[here & 63] & unvisited;
            if free == 0 {
                let flow = run.charge(1, (depth - charged) as u64);
                if unvisited == 0 {
                    run.claim_trail(&trail)?;
                }
                flow?;
                if open == 0 {
                    return ControlFlow::Continue(());
                }
                let fork = &mut forks[open - 1];
                here = fork.ties.trailing_zeros() as usize;
                fork.ties &= fork.ties - 1;
                (unvisited, count, depth) = (fork.unvisited, fork.count, fork.depth);
                charged = depth;
                open -= usize::from(fork.ties == 0);
            } else {
                let mut ties = free;
                for word in count.iter().rev() {
                    let fewer = ties & word;
                    ties = if fewer != 0 { fewer } else { ties };
                }
                let mut borrow = free;
                for word in &mut count {
                    let next = borrow & *word;
                    *word ^= borrow;
                    borrow = next;
                }
                here = ties.trailing_zeros() as usize;
                // Write this even if there is no tie: a store is cheaper than a mispredicted branch.
                let rest = ties & (ties - 1);
                forks[open & 63] = Fork { ties: rest, unvisited, count, depth };
                open += usize::from(rest != 0);
            }
            unvisited &= !(1 << here);
            trail.step(depth, bits.square[here & 63].index());
            depth += 1;
        }
    }
}
