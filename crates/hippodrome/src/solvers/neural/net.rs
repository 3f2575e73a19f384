//! The network: a neuron for every move, and how many active ones each square wants.

use crate::board::{Graph, Square};
use crate::search::StopCheck;
use crate::solvers::move_order::TCD;
use crate::solvers::two_factor::{FactorGraph, NONE};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::ops::ControlFlow;

/// Neurons in the order they are updated: squares row by row, and from
/// each its moves to later ones.
pub(super) struct NeuralNet {
    /// Squares, the neurons between them, and the active ones that each square wants: two, or one
    /// at an end of an open tour.
    pub graph: FactorGraph,
    /// Neurons before this begin by chance; of those after it, which join the extra vertex, one
    /// does.
    by_chance: usize,
}

impl NeuralNet {
    /// Number of neurons.
    pub fn neurons(&self) -> usize {
        self.graph.ends.len()
    }

    /// Number of vertices that are squares.
    pub fn squares(&self) -> usize {
        self.graph.order() - usize::from(self.by_chance < self.neurons())
    }

    /// What the two vertices of a neuron want together.
    pub fn wanted(&self, neuron: usize) -> i8 {
        self.graph.ends[neuron].iter().map(|&v| self.graph.wants[v as usize] as i8).sum()
    }

    /// What is added to the input of a neuron, given the active neurons at each vertex.
    #[inline]
    pub fn change(&self, neuron: usize, degree: &[i32]) -> i32 {
        let FactorGraph { ends, wants, .. } = &self.graph;
        let [a, b] = ends[neuron].map(|v| v as usize);
        i32::from(wants[a] + wants[b]) - degree[a] - degree[b]
    }

    /// Draws the active neurons with which a trial begins.
    pub fn draw(&self, rng: &mut Xoshiro256PlusPlus, mut active: impl FnMut(usize)) {
        for block in (0..self.by_chance).step_by(64) {
            let bits: u64 = rng.random();
            let here = self.by_chance.min(block + 64) - block;
            (0..here).filter(|i| bits >> i & 1 == 1).for_each(|i| active(block + i));
        }
        if self.by_chance < self.neurons() {
            active(rng.random_range(self.by_chance..self.neurons()));
        }
    }

    /// The network of some vertices alone, and the number here of each of its neurons. `own` has a
    /// place for every vertex here, all of them [`NONE`] before and after.
    pub fn part(
        &self,
        vertices: &[u32],
        own: &mut [u32],
        patience: &StopCheck<'_>,
    ) -> ControlFlow<(), (NeuralNet, Vec<u32>)> {
        vertices.iter().enumerate().for_each(|(at, &v)| own[v as usize] = at as u32);
        let (mut ends, mut known_as) = (Vec::new(), Vec::new());
        for &v in vertices {
            for &(to, neuron) in self.graph.arcs(v) {
                if own[to as usize] != NONE && self.graph.ends[neuron as usize][0] == v {
                    ends.push([own[v as usize], own[to as usize]]);
                    known_as.push(neuron);
                }
            }
        }
        let wants = vertices.iter().map(|&v| self.graph.wants[v as usize]).collect();
        vertices.iter().for_each(|&v| own[v as usize] = NONE);
        let by_chance = ends.len();
        let graph = FactorGraph::new(ends, wants, patience)?;
        ControlFlow::Continue((NeuralNet { graph, by_chance }, known_as))
    }
}

/// The generator of a trial, from its unit's key and its own number.
pub(super) fn generator(key: u64, trial: u64) -> Xoshiro256PlusPlus {
    Xoshiro256PlusPlus::seed_from_u64(key ^ trial.wrapping_mul(0x9e37_79b9_7f4a_7c15))
}

/// What shape of tour a network is to find.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NetworkGoal {
    /// A cycle.
    Closed,
    /// A path from the start to this square, or to any.
    Open(Option<Square>),
}

/// In which order the neurons of a square are updated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    /// As the 2020 comparison lists the knight's moves.
    Tcd,
    /// By the squares that they lead to.
    Ascending,
}

/// A network on a graph, for tours from one square.
pub(super) struct BoardNetwork {
    pub net: NeuralNet,
    /// The squares of the vertices; an extra vertex has none.
    pub squares: Vec<Square>,
    /// The vertex that tours begin with.
    pub start: u32,
}

impl BoardNetwork {
    /// For a path, start and end want one active neuron only. Where the end is free, an extra
    /// vertex next to every square but the start wants one too: its neighbour is the end. Breaks
    /// when told to stop.
    pub fn new(
        graph: &Graph,
        start: Square,
        shape: NetworkGoal,
        order: Order,
        patience: &StopCheck<'_>,
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
            patience.spend(1 + later.len() as u64)?;
            later.retain(|&to| to > from && !across(from, to));
            if order == Order::Ascending {
                later.sort_unstable();
            }
            ends.extend(later.iter().map(|&to| [vertex[from.index()], vertex[to.index()]]));
        }
        let by_chance = ends.len();
        let first = vertex[start.index()];
        let mut wants = vec![2; squares.len()];
        if let NetworkGoal::Open(end) = shape {
            wants[first as usize] = 1;
            match end {
                Some(end) => wants[vertex[end.index()] as usize] = 1,
                None => {
                    let extra = squares.len() as u32;
                    ends.extend((0..extra).filter(|&v| v != first).map(|v| [v, extra]));
                    wants.push(1);
                }
            }
        }
        let graph = FactorGraph::new(ends, wants, patience)?;
        ControlFlow::Continue(BoardNetwork {
            net: NeuralNet { graph, by_chance },
            squares,
            start: first,
        })
    }

    /// The squares of a walk over all vertices from the start.
    pub fn tour(&self, walk: &[u32]) -> Vec<Square> {
        let squares = walk.iter().filter_map(|&v| self.squares.get(v as usize).copied());
        squares.collect()
    }
}
