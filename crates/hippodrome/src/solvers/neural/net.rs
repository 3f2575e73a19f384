//! The network: a neuron for every move, and how many active ones each square wants.

use crate::board::{Graph, Square};
use crate::search::StopCheck;
use crate::solvers::move_order::TCD;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::ops::ControlFlow;

/// No vertex.
pub(super) const NONE: u32 = u32::MAX;

/// Neurons in the order they are updated: squares row by row, and from
/// each its moves to later ones.
pub(super) struct NeuralNet {
    /// The two vertices that each neuron joins.
    pub ends: Vec<[u32; 2]>,
    /// Active neurons that each vertex wants: two, or one at an end of an open tour.
    pub wants: Vec<u8>,
    /// Neurons before this begin by chance; of those after it, which join the extra vertex, one
    /// does.
    by_chance: usize,
    first: Vec<u32>,
    arcs: Vec<(u32, u32)>,
}

impl NeuralNet {
    /// Breaks when told to stop.
    pub fn new(
        ends: Vec<[u32; 2]>,
        wants: Vec<u8>,
        by_chance: usize,
        patience: &StopCheck<'_>,
    ) -> ControlFlow<(), NeuralNet> {
        let mut first = vec![0; wants.len() + 1];
        for &v in ends.as_flattened() {
            first[v as usize + 1] += 1;
        }
        for v in 0..wants.len() {
            first[v + 1] += first[v];
        }
        let mut next = first.clone();
        let mut arcs = vec![(0, 0); 2 * ends.len()];
        for (neuron, &[a, b]) in ends.iter().enumerate() {
            for (from, to) in [(a, b), (b, a)] {
                arcs[next[from as usize] as usize] = (to, neuron as u32);
                next[from as usize] += 1;
            }
            patience.spend(1)?;
        }
        ControlFlow::Continue(NeuralNet { ends, wants, by_chance, first, arcs })
    }

    /// Number of neurons.
    pub fn neurons(&self) -> usize {
        self.ends.len()
    }

    /// Number of vertices.
    pub fn vertices(&self) -> usize {
        self.wants.len()
    }

    /// Number of vertices that are squares.
    pub fn squares(&self) -> usize {
        self.vertices() - usize::from(self.by_chance < self.neurons())
    }

    /// The vertices next to `v`, each with the neuron between.
    pub fn arcs(&self, v: u32) -> &[(u32, u32)] {
        let v = v as usize;
        &self.arcs[self.first[v] as usize..self.first[v + 1] as usize]
    }

    /// The neuron between two vertices, if there is one.
    pub fn between(&self, u: u32, v: u32) -> Option<u32> {
        let (u, v) = if self.arcs(u).len() <= self.arcs(v).len() { (u, v) } else { (v, u) };
        self.arcs(u).iter().find(|(to, _)| *to == v).map(|&(_, neuron)| neuron)
    }

    /// What the two vertices of a neuron want together.
    pub fn wanted(&self, neuron: usize) -> i8 {
        self.ends[neuron].iter().map(|&v| self.wants[v as usize] as i8).sum()
    }

    /// What is added to the input of a neuron, given the active neurons at each vertex.
    #[inline]
    pub fn change(&self, neuron: usize, degree: &[i32]) -> i32 {
        let [a, b] = self.ends[neuron].map(|v| v as usize);
        i32::from(self.wants[a] + self.wants[b]) - degree[a] - degree[b]
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
            for &(to, neuron) in self.arcs(v) {
                if own[to as usize] != NONE && self.ends[neuron as usize][0] == v {
                    ends.push([own[v as usize], own[to as usize]]);
                    known_as.push(neuron);
                }
            }
        }
        let wants = vertices.iter().map(|&v| self.wants[v as usize]).collect();
        vertices.iter().for_each(|&v| own[v as usize] = NONE);
        let neurons = ends.len();
        ControlFlow::Continue((NeuralNet::new(ends, wants, neurons, patience)?, known_as))
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
        let net = NeuralNet::new(ends, wants, by_chance, patience)?;
        ControlFlow::Continue(BoardNetwork { net, squares, start: first })
    }

    /// The squares of a walk over all vertices from the start.
    pub fn tour(&self, walk: &[u32]) -> Vec<Square> {
        let squares = walk.iter().filter_map(|&v| self.squares.get(v as usize).copied());
        squares.collect()
    }
}
