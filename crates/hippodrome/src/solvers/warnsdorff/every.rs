//! Every tour that obeys the rule, on at most 64 vertices.
//!
//! The numbers of free neighbours of all vertices are held bit-sliced: bit v of `count[p]` is bit p
//! of vertex v's number. Entering a square takes one from each of its free neighbours at once, and
//! the tied squares fall out of a few ands, with no loop over moves. A square next to the one just
//! entered has at most (most moves - 1) free neighbours, so three planes do for the knight: 8 wraps
//! to 0 and back to 7.

use crate::bits::Bits;
use crate::board::Square;
use crate::run::Run;
use std::ops::ControlFlow;

/// Tables for one graph.
pub(super) struct Every {
    bits: Bits,
    count: [u64; 6],
    planes: u32,
}

/// A place in the tree with ties still to be tried.
#[derive(Clone, Copy)]
struct Fork<const P: usize> {
    ties: u64,
    unvisited: u64,
    count: [u64; P],
    depth: usize,
}

impl Every {
    pub(super) fn new(bits: Bits) -> Every {
        let mut count = [0; 6];
        let mut most = 1;
        for v in 0..bits.n {
            let degree = bits.attacks[v].count_ones();
            most = most.max(degree);
            for (plane, word) in count.iter_mut().enumerate() {
                *word |= u64::from(degree >> plane & 1) << v;
            }
        }
        Every { bits, count, planes: u32::BITS - (most - 1).leading_zeros() }
    }

    /// Searches from one start square.
    pub(super) fn search(&self, start: Square, run: &mut Run<'_>) -> ControlFlow<()> {
        if self.planes <= 3 { self.planes::<3>(start, run) } else { self.planes::<6>(start, run) }
    }

    fn planes<const P: usize>(&self, start: Square, run: &mut Run<'_>) -> ControlFlow<()> {
        let bits = &self.bits;
        let mut path = [start; 64];
        let mut forks = [Fork { ties: 0, unvisited: 0, count: [0; P], depth: 0 }; 64];
        let mut open = 0;
        let mut here = bits.vertex(start);
        let mut unvisited = bits.all() & !(1 << here);
        let mut count: [u64; P] = std::array::from_fn(|p| self.count[p]);
        let mut depth = 1;
        let mut moves = 0;
        loop {
            let free = bits.attacks[here & 63] & unvisited;
            if free == 0 {
                let flow = run.charge(1, std::mem::take(&mut moves));
                if unvisited == 0 {
                    run.claim(&path[..bits.n])?;
                }
                flow?;
                if open == 0 {
                    return ControlFlow::Continue(());
                }
                let fork = &mut forks[open - 1];
                here = fork.ties.trailing_zeros() as usize;
                fork.ties &= fork.ties - 1;
                (unvisited, count, depth) = (fork.unvisited, fork.count, fork.depth);
                open -= usize::from(fork.ties == 0);
            } else {
                let mut borrow = free;
                for word in &mut count {
                    *word ^= borrow;
                    borrow &= *word;
                }
                let mut ties = free;
                for word in count.iter().rev() {
                    let fewer = ties & !word;
                    ties = if fewer != 0 { fewer } else { ties };
                }
                here = ties.trailing_zeros() as usize;
                let rest = ties & (ties - 1);
                if rest != 0 {
                    forks[open & 63] = Fork { ties: rest, unvisited, count, depth };
                    open += 1;
                }
            }
            unvisited &= !(1 << here);
            path[depth & 63] = bits.square[here & 63];
            depth += 1;
            moves += 1;
        }
    }
}
