//! The network: one neuron per move, and the target number of active neurons per square.

use crate::board::{Graph, Square};
use crate::search::StopCheck;
use crate::solvers::move_order::TCD;
use crate::solvers::two_factor::{FactorGraph, NONE};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::ops::ControlFlow;

/// Neurons in update order: squares row by row, and for each square its moves to later squares.
pub(super) struct NeuralNet {
    /// Squares as vertices and neurons as edges. The target degree is the number of active neurons:
    /// two, or one at an end of an open tour.
    pub graph: FactorGraph,
    /// Number of neurons with a random initial state. The neurons after these belong to the extra
    /// vertex; exactly one of them is active initially.
    random_neurons: usize,
}

impl NeuralNet {
    /// Returns the number of neurons.
    pub fn neurons(&self) -> usize {
        self.graph.ends.len()
    }

    /// Returns the number of vertices that are squares.
    pub fn squares(&self) -> usize {
        self.graph.order() - usize::from(self.random_neurons < self.neurons())
    }

    /// Returns the sum of the target degrees of a neuron's two vertices.
    pub fn target_sum(&self, neuron: usize) -> i8 {
        self.graph.ends[neuron].iter().map(|&v| self.graph.targets[v as usize] as i8).sum()
    }

    /// Returns by how much a neuron's input changes, given the number of active neurons at each vertex.
    #[inline]
    pub fn change(&self, neuron: usize, degree: &[i32]) -> i32 {
        let FactorGraph { ends, targets, .. } = &self.graph;
        let [a, b] = ends[neuron].map(|v| v as usize);
        i32::from(targets[a] + targets[b]) - degree[a] - degree[b]
    }

    /// Draws the initially active neurons of a trial.
    pub fn draw(&self, rng: &mut Xoshiro256PlusPlus, mut active: impl FnMut(usize)) {
        for block in (0..self.random_neurons).step_by(64) {
            let bits: u64 = rng.random();
            let here = self.random_neurons.min(block + 64) - block;
            (0..here).filter(|i| bits >> i & 1 == 1).for_each(|i| active(block + i));
        }
        if self.random_neurons < self.neurons() {
            active(rng.random_range(self.random_neurons..self.neurons()));
        }
    }

    /// Builds the subnetwork of some vertices; also returns the number of each of its neurons in
    /// this network. `local_ids` is scratch space with one entry per vertex of this network, all
    /// [`NONE`] before and after the call.
    pub fn part(
        &self,
        vertices: &[u32],
        local_ids: &mut [u32],
        stop_check: &StopCheck<'_>,
    ) -> ControlFlow<(), (NeuralNet, Vec<u32>)> {
        vertices.iter().enumerate().for_each(|(at, &v)| local_ids[v as usize] = at as u32);
        let (mut ends, mut global_ids) = (Vec::new(), Vec::new());
        for &v in vertices {
            for &(to, neuron) in self.graph.arcs(v) {
                if local_ids[to as usize] != NONE && self.graph.ends[neuron as usize][0] == v {
                    ends.push([local_ids[v as usize], local_ids[to as usize]]);
                    global_ids.push(neuron);
                }
            }
        }
        let targets = vertices.iter().map(|&v| self.graph.targets[v as usize]).collect();
        vertices.iter().for_each(|&v| local_ids[v as usize] = NONE);
        let random_neurons = ends.len();
        let graph = FactorGraph::new(ends, targets, stop_check)?;
        ControlFlow::Continue((NeuralNet { graph, random_neurons }, global_ids))
    }
}

/// Returns the generator of a trial, derived from the unit's key and the trial's number.
pub(super) fn generator(key: u64, trial: u64) -> Xoshiro256PlusPlus {
    Xoshiro256PlusPlus::seed_from_u64(key ^ trial.wrapping_mul(0x9e37_79b9_7f4a_7c15))
}

/// The kind of tour that a network looks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NetworkGoal {
    /// A closed tour, which is a cycle.
    Closed,
    /// A path from the start to the given square, or to any square if none is given.
    Open(Option<Square>),
}

/// The order in which the neurons of a square are updated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    /// The order in which the 2020 comparison lists the knight's moves.
    Tcd,
    /// Ordered by target square.
    Ascending,
}

/// A network on a graph, for tours from one start square.
pub(super) struct BoardNetwork {
    pub net: NeuralNet,
    /// The square of each vertex; an extra vertex has none.
    pub squares: Vec<Square>,
    /// The start vertex of the tours.
    pub start: u32,
}

impl BoardNetwork {
    /// Builds the network. For an open tour, the target degree of start and end is one. If the end
    /// is free, an extra vertex is adjacent to every square except the start and also has target
    /// degree one; its neighbour is the end. Breaks if the search is stopped.
    pub fn new(
        graph: &Graph,
        start: Square,
        shape: NetworkGoal,
        order: Order,
        stop_check: &StopCheck<'_>,
    ) -> ControlFlow<(), BoardNetwork> {
        let squares: Vec<Square> = graph.vertices().collect();
        let mut vertex = vec![NONE; graph.len()];
        squares.iter().enumerate().for_each(|(at, &s)| vertex[s.index()] = at as u32);
        let end = if let NetworkGoal::Open(end) = shape { end } else { None };
        let across = |u: Square, v: Square| {
            end.is_some_and(|e| [u, v] == [start, e] || [v, u] == [start, e])
        };
        let mut ends = Vec::new();
        let mut later: Vec<Square> = Vec::new();
        for &from in &squares {
            later.clear();
            match order {
                Order::Tcd => later.extend(TCD.iter().filter_map(|&code| graph.step(from, code))),
                Order::Ascending => later.extend(graph.neighbours(from)),
            }
            stop_check.spend(1 + later.len() as u64)?;
            later.retain(|&to| to > from && !across(from, to));
            if order == Order::Ascending {
                later.sort_unstable();
            }
            ends.extend(later.iter().map(|&to| [vertex[from.index()], vertex[to.index()]]));
        }
        let random_neurons = ends.len();
        let first = vertex[start.index()];
        let mut targets = vec![2; squares.len()];
        if let NetworkGoal::Open(end) = shape {
            targets[first as usize] = 1;
            match end {
                Some(end) => targets[vertex[end.index()] as usize] = 1,
                None => {
                    let extra = squares.len() as u32;
                    ends.extend((0..extra).filter(|&v| v != first).map(|v| [v, extra]));
                    targets.push(1);
                }
            }
        }
        let graph = FactorGraph::new(ends, targets, stop_check)?;
        ControlFlow::Continue(BoardNetwork {
            net: NeuralNet { graph, random_neurons },
            squares,
            start: first,
        })
    }

    /// Converts a walk over all vertices into squares.
    pub fn tour(&self, walk: &[u32]) -> Vec<Square> {
        let squares = walk.iter().filter_map(|&v| self.squares.get(v as usize).copied());
        squares.collect()
    }
}
