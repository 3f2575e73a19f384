//! Hamiltonian cycles, listed or drawn at random from the layers of a sweep.
//!
//! A sweep keeps the states of every layer. Following predecessors from the last layer back to the first
//! gives one cycle: the edges chosen along the way. Every state was reached from the first layer, so the way
//! back has no dead ends and the cycles are listed without a search. The predecessors of a layer's states are
//! found by expanding the previous layer again as soon as the first cycle needs them. To draw a cycle
//! uniformly, each predecessor is chosen with probability proportional to the number of ways to reach it.
//!
//! Cost: two expansions of every state, 8 or 16 bytes per state and about 12 per transition; then O(vertices)
//! per cycle. Limits: at most 25 vertices in the frontier; runs on one thread.

use super::key::{FrontierKey, StateKey, Wide};
use super::order;
use super::program::{Decide, FrontierStep, Program};
use super::rule::{Chosen, Paths, TransitionRule};
use super::weighted_graph::WeightedGraph;
use crate::board::Square;
use crate::problem::Problem;
use hashbrown::HashTable;
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;
use std::ops::ControlFlow;

/// A sweep over the graph of a problem in the narrowest order found. Open tours are cycles through an extra
/// vertex, the apex.
pub(crate) struct CycleSweep {
    order: Vec<usize>,
    program: Program,
    squares: Vec<Square>,
}

/// Number of states expanded between two charges; they take about a millisecond.
const PIECE: usize = 1 << 13;

/// A callback that is charged for expanded states; the first call for each layer passes the square that the
/// layer finishes.
pub(crate) type Charge<'a> = &'a mut dyn FnMut(Option<Square>, u64) -> ControlFlow<()>;

/// The limits on a sweep.
pub(crate) struct CycleLimits<'a> {
    /// Maximum number of bytes that all layers together may take.
    pub memory: u64,
    /// Maximum number of states in all layers together.
    pub states: u64,
    /// Callback to which expanded states are charged. If it returns `Break`, the sweep stops.
    pub charge: Charge<'a>,
}

/// Why a sweep stopped early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SweepStop {
    /// The charge callback returned `Break`.
    Charged,
    /// The layers need more states or more memory than is allowed.
    Size,
    /// The number of cycles exceeds 128 bits.
    Overflow,
}

impl CycleSweep {
    /// Plans a sweep with at most `widest` vertices in the frontier. If none of the orders tried is that
    /// narrow, returns a lower bound on the width that they need.
    pub fn new(problem: &Problem, widest: usize) -> Result<CycleSweep, usize> {
        let widest = widest.min(Wide::SLOTS);
        // When the first vertex is done, its neighbours are in the frontier.
        let least = problem.graph().vertices().map(|v| problem.graph().degree(v)).min();
        if let Some(least) = least.filter(|&least| least > widest) {
            return Err(least);
        }
        let (net, squares) = network(problem);
        let mut best: Option<(usize, f64, Vec<usize>)> = None;
        for order in order::narrow(&net, problem.graph(), &squares, widest) {
            let frontiers = order::frontiers(&net, &order);
            let width = frontiers.iter().copied().max().unwrap_or(0);
            let states: f64 = frontiers.iter().map(|&f| 2f64.powi(f as i32)).sum();
            if best.as_ref().is_none_or(|best| (width, states) < (best.0, best.1)) {
                best = Some((width, states, order));
            }
        }
        let Some((width, _, order)) = best else { return Err(widest + 1) };
        if width > widest {
            return Err(width);
        }
        let program = Program::new(&net, &order, &[], true);
        match program.slots <= widest {
            true => Ok(CycleSweep { order, program, squares }),
            false => Err(program.slots),
        }
    }

    /// Returns the tour that the edges of a cycle form. An open tour starts after the apex, a closed one at
    /// the last square.
    pub fn tour(&self, edges: &[[u32; 2]]) -> Vec<Square> {
        let mut near = vec![[u32::MAX; 2]; self.order.len()];
        for &[a, b] in edges {
            for (v, w) in [(a, b), (b, a)] {
                let free = usize::from(near[v as usize][0] != u32::MAX);
                near[v as usize][free] = w;
            }
        }
        let root = self.order.len() as u32 - 1;
        let (mut last, mut here) = (root, near[root as usize][0]);
        let mut walk = vec![root];
        while here != root {
            walk.push(here);
            let [one, other] = near[here as usize];
            (last, here) = (here, if one == last { other } else { one });
        }
        walk.iter().filter_map(|&v| self.squares.get(v as usize).copied()).collect()
    }

    /// Runs the sweep and keeps its layers.
    pub fn run(&self, limits: &mut CycleLimits<'_>) -> Result<Box<dyn Cycles + '_>, SweepStop> {
        if self.program.slots <= u64::SLOTS {
            Ok(Box::new(SweptLayers::<u64>::new(self, limits)?))
        } else {
            Ok(Box::new(SweptLayers::<Wide>::new(self, limits)?))
        }
    }
}

/// Returns the graph whose Hamiltonian cycles are the tours of a problem, and the squares by vertex number.
fn network(problem: &Problem) -> (WeightedGraph, Vec<Square>) {
    let (mut net, squares) = WeightedGraph::of(problem.graph());
    let number = |s: Square| squares.binary_search(&s).unwrap_or(0);
    for &(u, v) in problem.forbidden() {
        net.part(number(u), number(v));
    }
    for &(u, v) in problem.required() {
        net.force(number(u), number(v));
    }
    let ends = (problem.start().map(number), problem.end().map(number));
    if problem.is_closed() {
        if let (Some(start), Some(end)) = ends {
            match net.near(start).iter().any(|edge| edge.to == end) {
                true => net.force(start, end),
                false => net = WeightedGraph::empty(squares.len()),
            }
        }
        return (net, squares);
    }
    let apex = squares.len();
    let mut net = match ends {
        (Some(_), Some(_)) => net.with_apex([]),
        _ => net.with_apex(0..apex),
    };
    for end in [ends.0, ends.1].into_iter().flatten() {
        net.force(apex, end);
    }
    (net, squares)
}

/// The cycles of a finished sweep, as lists of edges.
pub(crate) trait Cycles {
    /// Returns whether there is no cycle.
    fn is_empty(&self) -> bool;

    /// Visits every cycle once, until a callback returns `Break`.
    fn each(
        &mut self,
        charge: Charge<'_>,
        visit: &mut dyn FnMut(&[[u32; 2]]) -> ControlFlow<()>,
    ) -> ControlFlow<()>;

    /// Prepares for [`Cycles::draw`] by counting the ways to reach every state.
    fn weigh(&mut self, charge: Charge<'_>) -> Result<(), SweepStop>;

    /// Draws a cycle; all cycles are equally likely.
    fn draw(&self, rng: &mut Xoshiro256PlusPlus) -> Vec<[u32; 2]>;
}

/// A transition into a state: the previous state and the edges chosen.
#[derive(Clone, Copy)]
struct Transition {
    from: u32,
    chosen: Chosen,
}

/// The transitions into each state of a layer.
#[derive(Default)]
struct Backward {
    first: Vec<u32>,
    transitions: Vec<Transition>,
}

impl Backward {
    fn entering(&self, state: usize) -> &[Transition] {
        &self.transitions[self.first[state] as usize..self.first[state + 1] as usize]
    }
}

struct SweptLayers<'s, K> {
    sweep: &'s CycleSweep,
    /// The states of each layer; the first layer contains only the empty state.
    layers: Vec<Vec<K>>,
    /// The transitions into each layer except the first, found when they are first needed.
    backward: Vec<Option<Backward>>,
    /// The number of ways to reach each state; empty until they are counted.
    ways: Vec<Vec<u128>>,
}

fn index<K: StateKey>(layer: &[K]) -> HashTable<u32> {
    let mut table = HashTable::with_capacity(layer.len());
    for (at, key) in layer.iter().enumerate() {
        table.insert_unique(key.hash(), at as u32, |&at| layer[at as usize].hash());
    }
    table
}

impl<'s, K: FrontierKey> SweptLayers<'s, K> {
    fn new(
        sweep: &'s CycleSweep,
        limits: &mut CycleLimits<'_>,
    ) -> Result<SweptLayers<'s, K>, SweepStop> {
        let mut layers = vec![vec![K::bare()]];
        let (mut held, mut states) = (0, 0);
        for (step, &vertex) in sweep.program.steps.iter().zip(&sweep.order) {
            let before = &layers[layers.len() - 1];
            let mut square = sweep.squares.get(vertex).copied();
            let mut next: Vec<K> = Vec::new();
            let mut table = HashTable::<u32>::with_capacity(before.len());
            for piece in before.chunks(PIECE) {
                if (limits.charge)(square.take(), piece.len() as u64).is_break() {
                    return Err(SweepStop::Charged);
                }
                for &key in piece {
                    Paths::<K>::follow(step, key, &mut |key, _, _| {
                        let hash = key.hash();
                        if table.find(hash, |&at| next[at as usize] == key).is_none() {
                            let hashes = |&at: &u32| next[at as usize].hash();
                            table.insert_unique(hash, next.len() as u32, hashes);
                            next.push(key);
                        }
                    });
                }
                let bytes = (next.len() * (size_of::<K>() + size_of::<Transition>())) as u64;
                if held + bytes > limits.memory || states + next.len() as u64 > limits.states {
                    return Err(SweepStop::Size);
                }
            }
            held += (next.len() * (size_of::<K>() + size_of::<Transition>())) as u64;
            states += next.len() as u64;
            next.shrink_to_fit();
            layers.push(next);
        }
        let backward = sweep.program.steps.iter().map(|_| None).collect();
        Ok(SweptLayers { sweep, layers, backward, ways: Vec::new() })
    }

    /// Finds the transitions into layer `layer`, unless they are already known.
    fn look_back(&mut self, layer: usize, charge: Charge<'_>) -> ControlFlow<()> {
        if self.backward[layer - 1].is_some() {
            return ControlFlow::Continue(());
        }
        let step = &self.sweep.program.steps[layer - 1];
        let (before, states) = (&self.layers[layer - 1], &self.layers[layer]);
        let square = self.sweep.squares.get(self.sweep.order[layer - 1]).copied();
        charge(square, 0)?;
        let table = index(states);
        let mut found: Vec<(u32, Transition)> = Vec::with_capacity(states.len());
        for (from, &key) in before.iter().enumerate() {
            if from % PIECE == 0 {
                charge(None, PIECE.min(before.len() - from) as u64)?;
            }
            Paths::<K>::follow(step, key, &mut |key, _, chosen| {
                if let Some(&at) = table.find(key.hash(), |&at| states[at as usize] == key) {
                    found.push((at, Transition { from: from as u32, chosen }));
                }
            });
        }
        let mut first = vec![0; states.len() + 1];
        for &(at, _) in &found {
            first[at as usize + 1] += 1;
        }
        for at in 0..states.len() {
            first[at + 1] += first[at];
        }
        // The sort is stable: transitions into one state stay in the order of their previous states.
        found.sort_by_key(|&(at, _)| at);
        let transitions = found.into_iter().map(|(_, transition)| transition).collect();
        self.backward[layer - 1] = Some(Backward { first, transitions });
        ControlFlow::Continue(())
    }

    fn entering(&self, layer: usize, state: usize) -> &[Transition] {
        self.backward[layer - 1].as_ref().map_or(&[], |backward| backward.entering(state))
    }

    /// Appends the edges that a transition into `layer` chose.
    fn edges(&self, layer: usize, chosen: Chosen, edges: &mut Vec<[u32; 2]>) {
        let step: &FrontierStep = &self.sweep.program.steps[layer - 1];
        let vertex = self.sweep.order[layer - 1] as u32;
        if let Decide::Vertex { forced, free, heir, .. } = &step.decide {
            edges.extend(forced.iter().map(|edge| [vertex, edge.to]));
            let picked = chosen.free.iter().flatten().map(|&at| &free[usize::from(at)]);
            edges.extend(picked.map(|edge| [vertex, edge.to]));
            edges.extend(heir.filter(|_| chosen.heir).map(|heir| [vertex, heir.to]));
        }
    }
}

impl<K: FrontierKey> Cycles for SweptLayers<'_, K> {
    fn is_empty(&self) -> bool {
        self.layers.last().is_none_or(Vec::is_empty)
    }

    fn each(
        &mut self,
        charge: Charge<'_>,
        visit: &mut dyn FnMut(&[[u32; 2]]) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        if self.is_empty() {
            return ControlFlow::Continue(());
        }
        let last = self.layers.len() - 1;
        // For each layer from the last backwards: the state, and the next transition to try.
        let mut stack = vec![(0usize, 0usize)];
        let mut edges: Vec<[u32; 2]> = Vec::new();
        let mut marks: Vec<usize> = Vec::new();
        while let Some(&(state, tried)) = stack.last() {
            let layer = last + 1 - stack.len();
            if layer == 0 {
                visit(&edges)?;
                stack.pop();
                edges.truncate(marks.pop().unwrap_or(0));
                continue;
            }
            self.look_back(layer, charge)?;
            let Some(&Transition { from, chosen }) = self.entering(layer, state).get(tried) else {
                stack.pop();
                edges.truncate(marks.pop().unwrap_or(0));
                continue;
            };
            if let Some(top) = stack.last_mut() {
                top.1 += 1;
            }
            marks.push(edges.len());
            self.edges(layer, chosen, &mut edges);
            stack.push((from as usize, 0));
        }
        ControlFlow::Continue(())
    }

    fn weigh(&mut self, charge: Charge<'_>) -> Result<(), SweepStop> {
        self.ways = vec![vec![1]];
        for layer in 1..self.layers.len() {
            if self.look_back(layer, charge).is_break() {
                return Err(SweepStop::Charged);
            }
            let before = &self.ways[layer - 1];
            let sum = |state: usize| {
                let ways = self.entering(layer, state).iter().map(|t| before[t.from as usize]);
                ways.into_iter().try_fold(0u128, u128::checked_add)
            };
            let ways: Option<Vec<u128>> = (0..self.layers[layer].len()).map(sum).collect();
            self.ways.push(ways.ok_or(SweepStop::Overflow)?);
        }
        Ok(())
    }

    fn draw(&self, rng: &mut Xoshiro256PlusPlus) -> Vec<[u32; 2]> {
        let mut edges = Vec::with_capacity(self.sweep.order.len());
        let mut state = 0;
        for layer in (1..self.layers.len()).rev() {
            let mut left = rng.random_range(0..self.ways[layer][state]);
            for &Transition { from, chosen } in self.entering(layer, state) {
                let ways = self.ways[layer - 1][from as usize];
                if left < ways {
                    self.edges(layer, chosen, &mut edges);
                    state = from as usize;
                    break;
                }
                left -= ways;
            }
        }
        edges
    }
}
