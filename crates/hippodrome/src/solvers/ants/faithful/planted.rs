//! A third implementation of a colony, into which faults can be planted.
//!
//! Without a fault it makes the same random draws as the plain colony, so any difference is due to the fault.

use super::super::colony::{ColonyRule, Deposit};
use crate::board::Square;
use crate::problem::Problem;
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;

/// The fault that is planted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PlantedFault {
    /// There is no fault.
    None,
    /// Deposits are computed as if moves were counted from 1.
    IndexFromOne,
    /// An ant takes the first free edge if no free edge has pheromone.
    FirstFreeEdge,
    /// Ants see the deposits of earlier ants of the same cycle.
    DuringTheCycle,
}

/// A colony into which a fault is planted.
pub(super) struct Planted {
    fault: PlantedFault,
    rule: ColonyRule,
    rng: Xoshiro256PlusPlus,
    starts: Vec<Square>,
    order: usize,
    /// Number and destination of each edge out of each square.
    edges: Vec<Vec<(usize, Square)>>,
    pheromone: Vec<f64>,
    /// Number of choices that were made without pheromone on any free edge.
    pub(super) blind: u64,
}

impl Planted {
    pub(super) fn new(
        problem: &Problem,
        rule: ColonyRule,
        rng: Xoshiro256PlusPlus,
        fault: PlantedFault,
    ) -> Planted {
        assert!(rule.alpha == 1.0 && rule.beta == 0.0 && rule.deposit == Deposit::Paper);
        let graph = problem.graph();
        let mut count = 0;
        let mut numbered = |to| {
            count += 1;
            (count - 1, to)
        };
        let edges = Square::below(graph.len())
            .map(|square| graph.neighbours(square).map(&mut numbered).collect())
            .collect();
        let starts = problem.starts().iter().collect();
        let pheromone = vec![rule.initial; count];
        Planted { fault, rule, rng, starts, order: graph.order(), edges, pheromone, blind: 0 }
    }

    pub(super) fn pheromone(&self) -> Vec<f64> {
        self.pheromone.clone()
    }

    pub(super) fn cycle(&mut self, see: &mut dyn FnMut(&[Square])) {
        for t in &mut self.pheromone {
            *t *= 1.0 - self.rule.rho;
            *t = if *t < f64::MIN_POSITIVE { 0.0 } else { *t };
        }
        let mut laid = vec![0.0; self.pheromone.len()];
        for ant in 0..self.starts.len() {
            let (path, used) = self.walk(self.starts[ant]);
            see(&path);
            let now = self.fault == PlantedFault::DuringTheCycle;
            let layer = if now { &mut self.pheromone } else { &mut laid };
            for (i, &edge) in used.iter().enumerate() {
                layer[edge] += amount(self.fault, &self.rule, used.len(), i, self.order);
            }
        }
        for (t, laid) in self.pheromone.iter_mut().zip(laid) {
            *t += laid;
        }
    }

    /// Walks one ant; returns the squares and the edges of its path.
    fn walk(&mut self, start: Square) -> (Vec<Square>, Vec<usize>) {
        let mut path = Vec::with_capacity(self.order);
        let mut used = Vec::with_capacity(self.order);
        path.push(start);
        let mut visited = vec![false; self.edges.len()];
        visited[start.index()] = true;
        while let Some((edge, to)) = self.choose(path[path.len() - 1], &visited) {
            used.push(edge);
            path.push(to);
            visited[to.index()] = true;
        }
        (path, used)
    }

    fn choose(&mut self, here: Square, visited: &[bool]) -> Option<(usize, Square)> {
        let row = &self.edges[here.index()];
        let (mut sums, mut sum) = ([0.0; 8], 0.0);
        for (so_far, &(edge, to)) in sums.iter_mut().zip(row) {
            sum += if visited[to.index()] { 0.0 } else { self.pheromone[edge] };
            *so_far = sum;
        }
        let point = sum * self.rng.random::<f64>();
        if let Some(at) = sums[..row.len()].iter().position(|&so_far| so_far > point) {
            return Some(row[at]);
        }
        let mut free = row.iter().filter(|(_, to)| !visited[to.index()]);
        let count = free.clone().count();
        if count == 0 {
            return None;
        }
        self.blind += 1;
        let first = self.fault == PlantedFault::FirstFreeEdge;
        free.nth(if first { 0 } else { self.rng.random_range(0..count) }).copied()
    }
}

/// Returns the deposit for move `i`. If moves are counted from 1, the last move of a tour deposits nothing.
fn amount(fault: PlantedFault, rule: &ColonyRule, moves: usize, i: usize, order: usize) -> f64 {
    let i = i + usize::from(fault == PlantedFault::IndexFromOne);
    if i < moves { rule.q * (moves - i) as f64 / (order - 1 - i) as f64 } else { 0.0 }
}
