//! ACE's cycle by vectors, for graphs of at most 64 vertices with at most eight neighbours each.
//!
//! Idea: the ants of a cycle know nothing of each other, so eight of them step together, one a lane.
//! The weights of an ant's eight edges are one row; the set of its unvisited neighbours, squeezed
//! into a byte, picks the mask that clears those of the visited. Eight rows turned by 90 degrees
//! make running sums eight ants at a time, and the lane that a random mark falls into is the number
//! of running sums that do not exceed it: no loop, no branch but one a step, for all the ants that got
//! stuck in it. The ants in the last slots take theirs, so that the lanes stay busy; deposits are laid
//! from the last step back to the first, in which all of that is undone.
//!
//! Source: Hingston & Kendall 2005, Section 2.2 (alpha = 1). Cost: 37 instructions a move, all
//! included. Limits: 64 vertices, 64 ants, eight neighbours, pheromone between 0 and 1e15; on AMD
//! processors before Zen 3 `pext` is slow, though right.
//!
//! Departures, numbered:
//! 1. Pheromone is held in f64; ants choose by its f32 rounding, with random numbers of 24 bits: no
//!    probability of a choice is off by more than 2^-18 (64 roundings), most by some 2^-24.
//! 2. Where all free edges together hold less than 2^-76, f32 will not do: such an ant chooses by the
//!    f64 pheromone with 32 random bits, and uniformly among the free edges if those hold none.
//! 3. Pheromone below 1e-290 is gone: denormal numbers would slow everything down.
//! 4. Edges are in the order of their destinations, deposits summed in an order of their own.
//!
//! The portable step makes the same operations in the same order: same seed, same tours, bit by bit.

use crate::bits::Bits;
use crate::board::Square;
use std::ops::ControlFlow;

mod march;
mod portable;
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
mod simd;
mod stream;
#[cfg(test)]
mod tests;

pub(super) use stream::Stream;

/// Most vertices, and most ants in a cycle.
const MAX: usize = 64;
/// Edges out of all vertices, eight each.
const EDGES: usize = 8 * MAX;
/// Added to the edge of an ant that cannot choose by weights, in which case it stays where it is.
const STAY: u16 = EDGES as u16;
/// Weights below this (2^-100) are 0 to the steps, so that none of their products is denormal.
const FAINT: f64 = 1.0 / (1_u128 << 100) as f64;
/// Where the weights of all free edges come to less than this (2^-76), the faint ones may matter.
const LOW: f32 = 1.0 / (1_u128 << 76) as f32;
/// Pheromone below this is gone.
const GONE: f64 = 1e-290;
/// What initial pheromone and deposits must not exceed, so that sums stay far from f32's end.
const MOST: f64 = 1e15;

/// What a path of m moves lays on the edge of its move i, from 0: `slope[i] * m + offset[i]`.
#[derive(Clone)]
pub(super) struct Deposit {
    /// Factor of the number of moves.
    slope: [f64; MAX],
    /// What is added.
    offset: [f64; MAX],
}

impl Deposit {
    /// On n vertices, given what is laid as a function of m, in which it is linear, and i.
    pub(super) fn new(n: usize, laid: impl Fn(f64, usize) -> f64) -> Deposit {
        let mut deposit = Deposit { slope: [0.0; MAX], offset: [0.0; MAX] };
        for i in 0..n.saturating_sub(1).min(MAX) {
            let none = laid(0.0, i);
            (deposit.slope[i], deposit.offset[i]) = (laid(1.0, i) - none, none);
        }
        deposit
    }

    fn is_sound(&self) -> bool {
        self.slope.iter().chain(&self.offset).all(|x| x.abs() <= MOST)
    }
}

/// The graph and its pheromone. Edge 8 v + k is the k-th of vertex v, by destination.
#[repr(C, align(64))]
struct Field {
    /// Pheromone as the steps see it.
    weight: [f32; EDGES],
    /// Pheromone; nothing in the second half, see [`STAY`].
    level: [f64; 2 * EDGES],
    attacks: [u64; MAX],
    /// All vertices but one.
    others: [u64; MAX],
    /// The first edge of the vertex to which an edge leads; edges that fill up a vertex's eight
    /// lead from it to itself, which no ant finds unvisited. In the second half all do.
    to: [u16; 2 * EDGES],
    deposit: Deposit,
    /// What evaporation leaves.
    keep: f64,
    n: usize,
}

/// The ants of a cycle, in groups of eight slots. Those that go on fill the first slots.
#[repr(C, align(64))]
struct Ants {
    unvisited: [[u64; 8]; 8],
    /// First edge of the vertex on which the ant stands.
    first: [[u16; 8]; 8],
    /// Edge taken from each slot, step by step.
    path: [[[u16; 8]; 8]; MAX],
    /// The slots that are filled, as a set.
    filled: u64,
    /// How those that got stuck ended, in order.
    ends: [End; MAX],
    ended: usize,
}

/// An ant got stuck after so many moves; the ant in the last slot took its slot.
#[derive(Clone, Copy, Default)]
struct End {
    moves: u8,
    slot: u8,
    last: u8,
}

/// A colony on one graph.
pub(super) struct Kernel {
    field: Box<Field>,
    ants: Box<Ants>,
    starts: Vec<u8>,
    initial: f64,
    bits: Bits,
    portable: bool,
}

impl Kernel {
    /// A colony with the same pheromone on every edge and an ant to start from each of `starts`,
    /// repeats allowed; `None` if graph, starts or amounts are beyond the limits.
    pub(super) fn new(
        bits: &Bits,
        starts: &[Square],
        initial: f64,
        rho: f64,
        deposit: Deposit,
    ) -> Option<Kernel> {
        let small =
            (1..=MAX).contains(&bits.n) && bits.attacks.iter().all(|set| set.count_ones() <= 8);
        let known = |square| bits.square[..bits.n].contains(square);
        let sound = deposit.is_sound()
            && (0.0..=MOST).contains(&initial)
            && (0.0..=1.0).contains(&rho)
            && starts.len() <= MAX
            && starts.iter().all(known);
        if !small || !sound {
            return None;
        }
        let mut field = Box::new(Field {
            weight: [0.0; EDGES],
            level: [0.0; 2 * EDGES],
            attacks: bits.attacks,
            others: std::array::from_fn(|v| !(1 << v)),
            to: [0; 2 * EDGES],
            deposit,
            keep: 1.0 - rho,
            n: bits.n,
        });
        for (edge, to) in field.to.iter_mut().enumerate() {
            let v = edge / 8 % MAX;
            let mut set = if edge < EDGES { bits.attacks[v] } else { 0 };
            for _ in 0..edge % 8 {
                set &= set.wrapping_sub(1);
            }
            *to = 8 * if set == 0 { v as u16 } else { set.trailing_zeros() as u16 };
        }
        let ants = Box::new(Ants {
            unvisited: [[0; 8]; 8],
            first: [[0; 8]; 8],
            path: [[[0; 8]; 8]; MAX],
            filled: 0,
            ends: [End::default(); MAX],
            ended: 0,
        });
        let starts = starts.iter().map(|&s| bits.vertex(s) as u8).collect();
        let mut kernel =
            Kernel { field, ants, starts, initial, bits: bits.clone(), portable: false };
        kernel.reset();
        Some(kernel)
    }

    /// Forgets everything: the initial pheromone again.
    fn reset(&mut self) {
        let Field { level, to, .. } = &mut *self.field;
        for (edge, level) in level[..EDGES].iter_mut().enumerate() {
            let real = usize::from(to[edge] / 8) != edge / 8;
            *level = if real { self.initial } else { 0.0 };
        }
    }

    /// The same without vectors.
    #[cfg(test)]
    fn portable(mut self) -> Kernel {
        self.portable = true;
        self
    }

    /// The pheromone by edge number, to read and to change between cycles.
    pub(super) fn levels(&mut self) -> &mut [f64] {
        &mut self.field.level[..EDGES]
    }

    /// One cycle: evaporation, one ant from each of the first `ants` start squares, deposits. The
    /// answer is the number of moves made.
    pub(super) fn cycle(&mut self, ants: usize, stream: &mut Stream) -> u64 {
        self.place(ants);
        let (field, ants) = (&mut *self.field, &mut *self.ants);
        if self.portable || !vectored(field, ants, stream) {
            portable::cycle(field, ants, stream);
        }
        ants.ends[..ants.ended.min(MAX)].iter().map(|end| u64::from(end.moves)).sum()
    }

    /// The paths of the last cycle that have at least so many squares, the longest first, in an order
    /// that depends on the seed only.
    pub(super) fn paths(
        &self,
        least: usize,
        mut visit: impl FnMut(&[Square]) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let mut path = [0; MAX];
        // Ends are in the order of their moves.
        for (index, end) in self.ants.ends[..self.ants.ended.min(MAX)].iter().enumerate().rev() {
            let length = usize::from(end.moves) + 1;
            if length < least {
                break;
            }
            let path = &mut path[..length];
            self.ants.trace(index, |step, edge| path[step] = self.bits.square[edge / 8]);
            visit(path)?;
        }
        ControlFlow::Continue(())
    }

    /// Sets the ants on their start squares.
    fn place(&mut self, ants: usize) {
        let starts = &self.starts[..ants.min(self.starts.len())];
        let ants = &mut *self.ants;
        ants.ended = 0;
        ants.filled = u64::MAX.checked_shr((MAX - starts.len()) as u32).unwrap_or(0);
        ants.unvisited = [[0; 8]; 8];
        let all = self.bits.all();
        for (slot, &start) in starts.iter().enumerate() {
            ants.first[slot / 8][slot % 8] = 8 * u16::from(start);
            ants.unvisited[slot / 8][slot % 8] = all & !(1 << start);
        }
    }

    /// The pheromone of every move, as start, destination and amount.
    #[cfg(test)]
    pub(super) fn pheromone(&self) -> impl Iterator<Item = (Square, Square, f64)> {
        let Field { level, to, .. } = &*self.field;
        let ends = (0..EDGES).map(|edge| (edge / 8, usize::from(to[edge] / 8), level[edge]));
        ends.filter(|(from, to, _)| from != to)
            .map(|(from, to, level)| (self.bits.square[from], self.bits.square[to], level))
    }
}

impl Ants {
    /// Calls `visit` with every step of the ant with the given end and the edge it took there, from
    /// the last to the first. The edge of the last, which it could not take, is one of its square.
    fn trace(&self, end: usize, mut visit: impl FnMut(usize, usize)) {
        let End { mut slot, moves, .. } = self.ends[end % MAX];
        let mut earlier = self.ends[..end % MAX].iter().rev();
        let mut step = usize::from(moves);
        loop {
            let moved = earlier.find(|end| end.slot == slot);
            let back_to = moved.map_or(0, |end| usize::from(end.moves) + 1);
            while step >= back_to {
                let edge = self.path[step % MAX][usize::from(slot / 8) % 8][usize::from(slot) % 8];
                visit(step % MAX, usize::from(edge) % EDGES);
                if step == 0 {
                    return;
                }
                step -= 1;
            }
            slot = moved.map_or(slot, |end| end.last);
        }
    }
}

#[cfg(target_arch = "x86_64")]
fn vectored(field: &mut Field, ants: &mut Ants, stream: &mut Stream) -> bool {
    simd::cycle(field, ants, stream)
}

#[cfg(not(target_arch = "x86_64"))]
fn vectored(_: &mut Field, _: &mut Ants, _: &mut Stream) -> bool {
    false
}
