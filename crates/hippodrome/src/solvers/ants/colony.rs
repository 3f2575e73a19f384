//! One colony, step by step as in the paper: pheromone on every edge, and cycles of ants.
//!
//! Edges are directed. They are stored in rows, one row per square, in the order of the graph's neighbours.
//! The pheromone does not change during a cycle. So T^alpha, where T is the pheromone, is computed once per
//! edge and not once per move, and deposits are collected separately until all ants have finished.
//! Source: Hingston & Kendall (2004), and (2005), Section 2.2.
//! Cost: O(degree) per move, about 30 ns on 8x8; memory of 20 bytes per directed edge.
//! Limits: if beta is above 0, a move costs O(degree squared).
//! Departures: (1) pheromone and weights below 2.2e-308, the smallest normal number, become 0, because
//! rounding would stop them from decreasing and subnormal numbers are slow; (2) an ant whose free edges all
//! have weight 0 chooses among them uniformly; the paper does not mention this case.

mod aided;
mod hopeless;

pub use aided::{Aids, Helped};
pub use hopeless::Hopeless;

use crate::board::move_weights::MoveWeight;
use crate::board::{Graph, Square};
use crate::problem::Problem;
use crate::search::{choice, params};
use aided::Aided;
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;
use std::ops::{ControlFlow, Range};

choice! {
    /// How much pheromone an ant deposits on the edge of its move number `i`, counting from 0.
    pub enum Deposit {
        Paper = "paper", "q (moves - i) / (squares - 1 - i) for move i from 0: more for early moves";
        Constant = "constant", "q, whatever the length of the path";
        Length = "length", "q moves / (squares - 1): proportional to the length";
        Tcd2020 = "tcd2020", "q (moves - i) / (squares - i), as in the 2020 comparison";
    }
}

params! {
    /// The parameters that every colony has.
    #[derive(Copy, PartialEq)]
    pub struct ColonyRule {
        alpha: f64 = "1" in 0.0..=10.0, "Exponent of the pheromone in a choice: 0 ignores it, higher values follow it more closely.";
        rho: f64 = "0.25" in 0.0..=1.0, "Share of the pheromone that evaporates per cycle.";
        q: f64 = "1" in 0.0..=1000.0, "Pheromone that a complete tour deposits on each of its moves.";
        initial: f64 = "0.000001" in 0.0..=1000.0, "Initial pheromone on every move.";
        deposit: Deposit = Paper, "Formula for the pheromone that an ant deposits on its moves.";
        beta: f64 = "0" in 0.0..=10.0, "Exponent of Warnsdorff's factor 1 / (1 + onward moves) in a choice: 0 as in the paper; 1 finds more tours of 5x5 and 6x6, but less evenly spread ones.";
    }
}

impl ColonyRule {
    /// The rule of a colony that does not learn: all free edges always have the same weight.
    pub const RANDOM: ColonyRule = ColonyRule {
        alpha: 0.0,
        beta: 0.0,
        rho: 0.0,
        q: 0.0,
        initial: 1.0,
        deposit: Deposit::Constant,
    };

    /// Returns how much an ant that made `moves` moves on a graph of `n` squares deposits for its move `i`.
    /// The kernel relies on the fact that this is linear in `moves`.
    pub(super) fn laid(&self, moves: f64, i: usize, n: usize) -> f64 {
        let share = |part: f64, whole: usize| self.q * part / whole as f64;
        match self.deposit {
            Deposit::Paper => share(moves - i as f64, n - 1 - i),
            Deposit::Constant => self.q,
            Deposit::Length => share(moves, n - 1),
            Deposit::Tcd2020 => share(moves - i as f64, n - i),
        }
    }
}

/// Returns the number, or zero if it is subnormal.
fn flushed(x: f64) -> f64 {
    zero_below(f64::MIN_POSITIVE, x)
}

/// Returns the number, or zero if it is below a limit.
pub(super) fn zero_below(least: f64, x: f64) -> f64 {
    if x < least { 0.0 } else { x }
}

/// A colony on any graph.
pub struct PlainColony {
    rule: ColonyRule,
    order: usize,
    starts: Vec<Square>,
    /// Index of the first edge of each square, followed by the total number of edges.
    rows: Vec<u32>,
    targets: Vec<Square>,
    pheromone: Vec<f64>,
    /// Pheromone deposited on each edge in this cycle so far.
    laid: Vec<f64>,
    /// Pheromone on each edge, raised to the power alpha.
    weights: Vec<f64>,
    /// Warnsdorff's factor, indexed by the number of onward moves; empty if beta is 0.
    factors: Vec<f64>,
    /// 1 for a free square, 0 for a visited one.
    free: Vec<f64>,
    /// Running sums of the weights of one square's free edges.
    sums: Vec<f64>,
    path: Vec<Square>,
    /// The edges of the current ant's path.
    used: Vec<u32>,
    /// State of the ants' aids, if any aids are used.
    aided: Option<Box<Aided>>,
}

impl PlainColony {
    /// Creates a colony that has not yet run a cycle.
    pub fn new(problem: &Problem, rule: ColonyRule) -> PlainColony {
        let graph: &Graph = problem.graph();
        let (mut rows, mut targets) = (vec![0], Vec::new());
        for square in Square::below(graph.len()) {
            targets.extend(graph.neighbours(square));
            rows.push(targets.len() as u32);
        }
        let edges = targets.len();
        let degree = rows.windows(2).map(|r| (r[1] - r[0]) as usize).max().unwrap_or(0);
        let factor = |onward: usize| (1.0 + onward as f64).powf(-rule.beta);
        PlainColony {
            rule,
            order: graph.order(),
            starts: problem.starts().iter().collect(),
            rows,
            targets,
            pheromone: vec![rule.initial; edges],
            laid: vec![0.0; edges],
            weights: vec![0.0; edges],
            factors: if rule.beta == 0.0 { vec![] } else { (0..=degree).map(factor).collect() },
            free: vec![1.0; graph.len()],
            sums: vec![0.0; degree],
            path: Vec::with_capacity(graph.order()),
            used: Vec::with_capacity(graph.order()),
            aided: None,
        }
    }

    /// Runs one cycle: evaporates pheromone, sends an ant from every start square, and adds the ants'
    /// deposits. `done` receives the path of each ant, complete or stuck, in the order of the start squares.
    /// If it returns `Break`, the cycle is aborted and the colony can no longer be used.
    pub fn cycle(
        &mut self,
        rng: &mut Xoshiro256PlusPlus,
        mut done: impl FnMut(&[Square]) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.evaporate();
        self.weigh();
        self.send(usize::MAX, rng, |path, _| done(path))
    }

    /// Returns the pheromone on every directed edge, ordered by square and then by neighbour.
    pub fn pheromone(&self) -> &[f64] {
        &self.pheromone
    }

    /// Gives the ants the requested aids.
    pub fn with_aids(mut self, graph: &Graph, aids: Aids) -> PlainColony {
        let help = || Box::new(Aided::new(graph, &self.rows, &self.targets, aids));
        self.aided = (aids != Aids::NONE).then(help);
        self
    }

    /// Returns the counters of the aids.
    pub fn helped(&self) -> Helped {
        self.aided.as_ref().map_or(Helped::default(), |aided| aided.helped)
    }

    /// Returns the pheromone on every move of the graph.
    pub(super) fn amounts(&self, graph: &Graph) -> Vec<MoveWeight> {
        let moves = graph.vertices().flat_map(|v| graph.neighbours(v).map(move |w| (v, w)));
        moves.zip(&self.pheromone).map(|((v, w), &level)| (v, w, level)).collect()
    }

    /// Returns the pheromone on each edge; it may be changed between cycles.
    pub(super) fn levels(&mut self) -> &mut [f64] {
        &mut self.pheromone
    }

    #[cfg(test)]
    pub(super) fn weights(&self) -> &[f64] {
        &self.weights
    }

    /// Evaporates pheromone at the start of a cycle.
    pub(super) fn evaporate(&mut self) {
        let keep = 1.0 - self.rule.rho;
        self.pheromone.iter_mut().for_each(|t| *t = flushed(*t * keep));
    }

    /// Computes the weights of all edges for the next cycle.
    pub(super) fn weigh(&mut self) {
        let alpha = self.rule.alpha;
        if alpha == 1.0 {
            self.weights.copy_from_slice(&self.pheromone);
            return;
        }
        for (weight, t) in self.weights.iter_mut().zip(&self.pheromone) {
            *weight = flushed(t.powf(alpha));
        }
    }

    /// Multiplies the weight of each edge by its factor.
    pub(super) fn scale(&mut self, factors: &[f64]) {
        for (weight, factor) in self.weights.iter_mut().zip(factors) {
            *weight = flushed(*weight * factor);
        }
    }

    /// Iterates over the squares; yields the range of each square's edge numbers and their pheromone.
    pub(super) fn levels_by_square(&self) -> impl Iterator<Item = (Range<usize>, &[f64])> {
        let rows = self.rows.windows(2).map(|r| r[0] as usize..r[1] as usize);
        rows.map(|row| (row.clone(), &self.pheromone[row]))
    }

    fn row(&self, square: Square) -> Range<usize> {
        self.rows[square.index()] as usize..self.rows[square.index() + 1] as usize
    }

    /// Returns Warnsdorff's factor for moving to a square.
    fn factor(&self, square: Square) -> f64 {
        let near = &self.targets[self.row(square)];
        self.factors[near.iter().filter(|&&s| self.free[s.index()] > 0.0).count()]
    }

    /// Chooses the edge that an ant on `square` takes; returns `None` if it is stuck. `sums` is scratch
    /// space.
    #[inline(always)]
    fn choose<const GUIDED: bool>(
        &self,
        square: Square,
        sums: &mut [f64],
        rng: &mut Xoshiro256PlusPlus,
    ) -> Option<usize> {
        let row = self.row(square);
        let sums = &mut sums[..row.len()];
        let edges = self.weights[row.clone()].iter().zip(&self.targets[row.clone()]);
        let mut sum = 0.0;
        for (so_far, (weight, &target)) in sums.iter_mut().zip(edges) {
            let guide = if GUIDED { self.factor(target) } else { 1.0 };
            sum += weight * guide * self.free[target.index()];
            *so_far = sum;
        }
        let point = sum * rng.random::<f64>();
        // A count instead of a search avoids an unpredictable branch.
        let at = sums.iter().filter(|&&s| s <= point).count();
        // No edge is chosen if the sum is 0, or so small that `point` is rounded up to it.
        if at < row.len() { Some(row.start + at) } else { self.choose_blindly(row, rng) }
    }

    /// Chooses uniformly among the free edges.
    #[cold]
    fn choose_blindly(&self, row: Range<usize>, rng: &mut Xoshiro256PlusPlus) -> Option<usize> {
        let mut free = row.filter(|&edge| self.free[self.targets[edge].index()] > 0.0);
        match free.clone().count() {
            0 => None,
            count => free.nth(rng.random_range(0..count)),
        }
    }

    /// Sends one ant until it is stuck; returns the number of moves that it made.
    fn walk<const GUIDED: bool>(&mut self, start: Square, rng: &mut Xoshiro256PlusPlus) -> u64 {
        let mut sums = std::mem::take(&mut self.sums);
        self.free.fill(1.0);
        self.path.clear();
        self.used.clear();
        let mut here = start;
        loop {
            self.free[here.index()] = 0.0;
            self.path.push(here);
            let Some(edge) = self.choose::<GUIDED>(here, &mut sums, rng) else { break };
            self.used.push(edge as u32);
            here = self.targets[edge];
        }
        self.sums = sums;
        self.used.len() as u64
    }

    /// Sends the first `ants` ants of a cycle and adds their deposits. The weights must have been computed.
    /// `done` receives each ant's path and number of moves.
    pub(super) fn send(
        &mut self,
        ants: usize,
        rng: &mut Xoshiro256PlusPlus,
        mut done: impl FnMut(&[Square], u64) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let mut aided = self.aided.take();
        for ant in 0..ants.min(self.starts.len()) {
            let start = self.starts[ant];
            let moves = match (&mut aided, self.factors.is_empty()) {
                (None, true) => self.walk::<false>(start, rng),
                (None, false) => self.walk::<true>(start, rng),
                (Some(aided), true) => self.walk_aided::<false>(aided, start, rng),
                (Some(aided), false) => self.walk_aided::<true>(aided, start, rng),
            };
            let flow = done(&self.path, moves);
            if flow.is_break() {
                self.aided = aided;
                return flow;
            }
            self.lay();
        }
        self.aided = aided;
        self.update();
        ControlFlow::Continue(())
    }

    fn lay(&mut self) {
        let moves = self.used.len();
        for (i, &edge) in self.used.iter().enumerate() {
            self.laid[edge as usize] += self.rule.laid(moves as f64, i, self.order);
        }
    }

    fn update(&mut self) {
        for (t, laid) in self.pheromone.iter_mut().zip(&mut self.laid) {
            *t += std::mem::take(laid);
        }
    }
}

#[cfg(test)]
mod tests;
