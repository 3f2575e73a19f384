//! A vectorised cycle of `ace`, for graphs of at most 64 vertices with at most eight neighbours each.
//!
//! Idea: the ants of a cycle are independent, so eight of them step together, one per SIMD lane. The weights
//! of the eight edges at an ant's vertex form one row. The set of its unvisited neighbours, compressed into a
//! byte, selects a mask that clears the weights of the visited neighbours. Transposing eight rows gives the
//! prefix sums of eight ants at a time. A random number selects an edge: the index of the edge is the number
//! of prefix sums that do not exceed the random number. There is no loop, and only one branch per step, for
//! stuck ants: an ant from the last slot moves into the slot of a stuck ant, so that the lanes stay busy.
//! Deposits are made from the last step back to the first, which undoes these exchanges.
//!
//! Source: Hingston & Kendall 2005, Section 2.2 (alpha = 1). Cost: 37 instructions per move in total. Limits:
//! 64 vertices, 64 ants, eight neighbours, pheromone between 0 and 1e15; on AMD processors before Zen 3 the
//! instruction `pext` is slow, though correct.
//!
//! Departures:
//! 1. Pheromone is stored as f64. Ants choose by its value rounded to f32, with 24 random bits. No
//!    probability of a choice is off by more than 2^-18 (64 roundings), and most are off by about 2^-24.
//! 2. If the pheromone of all free edges adds up to less than 2^-76, f32 is too coarse: the ant chooses by
//!    the f64 pheromone with 32 random bits, or uniformly if the free edges have no pheromone.
//! 3. Pheromone below 1e-290 becomes 0, because denormal numbers would slow everything down.
//! 4. Edges are ordered by destination, and deposits are summed in a different order.
//!
//! The portable step does the same operations in the same order, so the same seed gives the same tours, bit
//! by bit.

use crate::board::Square;
use crate::board::bits::Bits;
#[cfg(debug_assertions)]
use crate::solvers::sanity::{CheckSchedule, assert_sane};
use std::ops::ControlFlow;

mod march;
mod portable;
#[cfg(any(test, debug_assertions))]
mod sanity;
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
mod simd;
mod stream;
#[cfg(test)]
mod tests;

pub(super) use stream::RandomStream;

/// Maximum number of vertices, and maximum number of ants in a cycle.
const MAX: usize = 64;
/// Number of edges out of all vertices, eight for each vertex.
const EDGES: usize = 8 * MAX;
/// Added to the edge of an ant that cannot choose by weights. The ant then does not move.
const STAY: u16 = EDGES as u16;
/// Weights below this (2^-100) count as 0 in a step, so that no product is denormal: other weights times
/// 2^-24, the smallest random number, stay above 2^-126. The paper has no such bound.
const FAINT: f64 = 1.0 / (1_u128 << 100) as f64;
/// If the weights of all free edges sum to less than this (2^-76), weights below [`FAINT`] may
/// matter. Otherwise each of those weights is less than 2^-24 of the sum, which is the precision of f32. The
/// paper has no such bound.
const LOW: f32 = 1.0 / (1_u128 << 76) as f32;
/// Pheromone below this becomes 0. This bound is well above 2.2e-308, below which numbers are denormal and
/// slow. The plain colony uses 2.2e-308 itself as its bound; the paper has no bound.
pub(super) const GONE: f64 = 1e-290;
/// Maximum initial pheromone and maximum deposit, so that sums stay far below the largest f32, 3.4e38. The
/// paper's values are at most 1.
const MOST: f64 = 1e15;

/// The cost of checking the kernel, measured in cycles; see [`CheckSchedule`].
#[cfg(debug_assertions)]
const CHECK_CYCLES: u64 = 8;

/// How much a path of m moves deposits on the edge used by move i, counting from 0: `slope[i] * m +
/// offset[i]`.
#[derive(Clone)]
pub(super) struct DepositTable {
    /// Factor by which the number of moves is multiplied.
    slope: [f64; MAX],
    /// Constant term of the deposit.
    offset: [f64; MAX],
}

impl DepositTable {
    /// Creates the table for n vertices. `laid` returns the deposit for given m and i; it is linear in m.
    pub(super) fn new(n: usize, laid: impl Fn(f64, usize) -> f64) -> DepositTable {
        let mut deposit = DepositTable { slope: [0.0; MAX], offset: [0.0; MAX] };
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

/// The graph and its pheromone. Edge number 8 v + k is the k-th edge of vertex v; its edges are ordered by
/// destination.
#[derive(Clone)]
#[repr(C, align(64))]
struct PheromoneField {
    /// Pheromone on each edge, rounded for the steps.
    weight: [f32; EDGES],
    /// Pheromone on each edge; 0 in the second half, see [`STAY`].
    level: [f64; 2 * EDGES],
    attacks: [u64; MAX],
    /// The first edge of the vertex to which each edge leads. If a vertex has fewer than eight edges, padding
    /// edges fill its row. They lead to the vertex itself, which is always visited. In the second half all
    /// edges are padding.
    to: [u16; 2 * EDGES],
    deposit: DepositTable,
    /// Share of the pheromone that evaporation leaves.
    keep: f64,
    n: usize,
}

/// The ants of a cycle, in groups of eight slots. The ants that are still moving occupy the first slots.
#[derive(Clone)]
#[repr(C, align(64))]
struct Ants {
    /// The vertices that each ant has not visited. Its current vertex is included until the next choice
    /// removes it.
    unvisited: [[u64; 8]; 8],
    /// The first edge of each ant's current vertex.
    first: [[u16; 8]; 8],
    /// The edge taken from each slot in each step.
    path: [[[u16; 8]; 8]; MAX],
    /// The set of occupied slots.
    filled: u64,
    /// How the stuck ants ended, in the order in which they did.
    ends: [AntEnd; MAX],
    ended: usize,
}

/// How an ant ended: its number of moves, its slot, and the last slot, from which another ant moved into the
/// freed slot.
#[derive(Clone, Copy, Default)]
struct AntEnd {
    moves: u8,
    slot: u8,
    last: u8,
}

/// A colony on one graph, run by the kernel.
pub(super) struct Kernel {
    field: Box<PheromoneField>,
    ants: Box<Ants>,
    starts: Vec<u8>,
    initial: f64,
    bits: Bits,
    portable: bool,
    /// Scratch space for the squares of paths.
    paths: Box<[[Square; MAX]; MAX]>,
    #[cfg(debug_assertions)]
    checks: CheckSchedule,
}

impl Kernel {
    /// Creates a colony with the same pheromone on every edge and one ant per entry of `starts`, which may
    /// contain duplicates. Returns `None` if the graph, the starts or the amounts exceed the limits.
    pub(super) fn new(
        bits: &Bits,
        starts: &[Square],
        initial: f64,
        rho: f64,
        deposit: DepositTable,
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
        let mut field = Box::new(PheromoneField {
            weight: [0.0; EDGES],
            level: [0.0; 2 * EDGES],
            attacks: bits.attacks,
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
            ends: [AntEnd::default(); MAX],
            ended: 0,
        });
        let starts = starts.iter().map(|&s| bits.vertex(s) as u8).collect();
        let mut kernel = Kernel {
            field,
            ants,
            starts,
            initial,
            bits: bits.clone(),
            portable: false,
            paths: Box::new([[Square::default(); MAX]; MAX]),
            #[cfg(debug_assertions)]
            checks: CheckSchedule::default(),
        };
        kernel.reset();
        #[cfg(debug_assertions)]
        assert_sane(kernel.sanity());
        Some(kernel)
    }

    /// Restores the initial pheromone on all edges.
    fn reset(&mut self) {
        let PheromoneField { level, to, .. } = &mut *self.field;
        for (edge, level) in level[..EDGES].iter_mut().enumerate() {
            let real = usize::from(to[edge] / 8) != edge / 8;
            *level = if real { self.initial } else { 0.0 };
        }
    }

    /// Returns the kernel with vector instructions disabled.
    pub(super) fn portable(mut self) -> Kernel {
        self.portable = true;
        self
    }

    /// Returns the pheromone by edge number; it may be changed between cycles.
    pub(super) fn levels(&mut self) -> &mut [f64] {
        &mut self.field.level[..EDGES]
    }

    /// Runs one cycle: evaporates pheromone, sends one ant from each of the first `ants` start squares, and
    /// adds their deposits. Returns the number of moves made.
    pub(super) fn cycle(&mut self, ants: usize, stream: &mut RandomStream) -> u64 {
        self.place(ants);
        #[cfg(debug_assertions)]
        let before = self.checks.is_due(1, CHECK_CYCLES).then(|| self.snapshot(stream));
        let (field, ants) = (&mut *self.field, &mut *self.ants);
        if self.portable || !vectored(field, ants, stream) {
            portable::cycle(field, ants, stream);
        }
        #[cfg(debug_assertions)]
        if let Some(before) = before {
            assert_sane(self.sanity().and_then(|()| self.agrees(before, stream)));
        }
        let ants = &*self.ants;
        ants.ends[..ants.ended.min(MAX)].iter().map(|end| u64::from(end.moves)).sum()
    }

    /// Visits the paths of the last cycle that have at least `least` squares, longest first. The order
    /// depends only on the seed.
    pub(super) fn paths(
        &mut self,
        least: usize,
        mut visit: impl FnMut(&[Square]) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        // Ends are sorted by the number of moves.
        let Kernel { ants, bits, paths, .. } = self;
        let ends = &ants.ends[..ants.ended.min(MAX)];
        let first = ends.partition_point(|end| usize::from(end.moves) + 1 < least);
        if first == ends.len() {
            return ControlFlow::Continue(());
        }
        ants.retrace(first, |ant, step, edge| {
            paths[ant % MAX][step % MAX] = bits.square[edge / 8 % MAX];
        });
        let found = ends.iter().zip(paths.iter()).skip(first).rev();
        found.map(|(end, path)| &path[..usize::from(end.moves) + 1]).try_for_each(&mut visit)
    }

    /// Places the ants on their start squares.
    fn place(&mut self, ants: usize) {
        let starts = &self.starts[..ants.min(self.starts.len())];
        let ants = &mut *self.ants;
        ants.ended = 0;
        ants.filled = u64::MAX.checked_shr((MAX - starts.len()) as u32).unwrap_or(0);
        ants.unvisited = [[0; 8]; 8];
        let all = self.bits.all();
        for (slot, &start) in starts.iter().enumerate() {
            ants.first[slot / 8][slot % 8] = 8 * u16::from(start);
            ants.unvisited[slot / 8][slot % 8] = all;
        }
    }

    /// Iterates over the pheromone on every move: yields the start, the destination and the amount.
    pub(super) fn pheromone(&self) -> impl Iterator<Item = (Square, Square, f64)> {
        let PheromoneField { level, to, .. } = &*self.field;
        let ends = (0..EDGES).map(|edge| (edge / 8, usize::from(to[edge] / 8), level[edge]));
        ends.filter(|(from, to, _)| from != to)
            .map(|(from, to, level)| (self.bits.square[from], self.bits.square[to], level))
    }
}

impl Ants {
    /// Calls `visit` with the number, step and edge of the ants, from the last step back to the first. Ants
    /// are numbered in the order in which they ended; those below `first` are skipped. In the step after its
    /// last move, an ant has an arbitrary edge of its vertex.
    #[inline(always)]
    fn retrace(&self, first: usize, mut visit: impl FnMut(usize, usize, usize)) {
        let ends = &self.ends[..self.ended.min(MAX)];
        // The ant in each slot, initially none, and the slot of each ant.
        let (mut ant_in, mut slot_of) = ([MAX; MAX], [0; MAX + 1]);
        let mut next = ends.len();
        for step in (0..MAX).rev() {
            while let Some(end) = next.checked_sub(1).map(|i| ends[i])
                && usize::from(end.moves) == step
            {
                next -= 1;
                let (slot, last) = (usize::from(end.slot) % MAX, usize::from(end.last) % MAX);
                let moved = ant_in[slot];
                (ant_in[last], slot_of[moved]) = (moved, last);
                (ant_in[slot], slot_of[next]) = (next, slot);
            }
            let edges = self.path[step].as_flattened();
            for ant in next.max(first)..ends.len() {
                visit(ant, step, usize::from(edges[slot_of[ant] % MAX]) % EDGES);
            }
        }
    }
}

#[cfg(target_arch = "x86_64")]
fn vectored(field: &mut PheromoneField, ants: &mut Ants, stream: &mut RandomStream) -> bool {
    simd::cycle(field, ants, stream)
}

#[cfg(not(target_arch = "x86_64"))]
fn vectored(_: &mut PheromoneField, _: &mut Ants, _: &mut RandomStream) -> bool {
    false
}
