//! Programs: orders of the vertices compiled to steps on the slots of a frontier.
//!
//! A vertex step decides all edges from one vertex to unfinished vertices; the vertex then has two edges and
//! leaves the frontier. Its slot passes to its *heir*, one of the neighbours that enter the frontier, so that
//! choosing the edge to the heir leaves the slot unchanged. An edge step decides one edge between two
//! vertices that stay in the frontier.

use super::order::Cut;
use super::weighted_graph::{Edge, WeightedGraph};
use std::collections::BTreeSet;

/// An edge that a step may choose, given by the slot of its other end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SlotEdge {
    pub slot: usize,
    pub weight: i32,
    /// The vertex in the slot.
    pub to: u32,
}

/// The neighbour that takes over the slot of a vertex.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Heir {
    pub weight: i32,
    pub forced: bool,
    /// The neighbour.
    pub to: u32,
}

/// The edges that a step decides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Decide {
    /// All edges from the vertex in a slot; the vertex leaves the frontier.
    Vertex { slot: usize, forced: Vec<SlotEdge>, free: Vec<SlotEdge>, heir: Option<Heir> },
    /// One edge between the vertices in two slots; both vertices stay in the frontier.
    Edge { ends: [usize; 2], weight: i32, forced: bool },
}

/// One step of a sweep, with the conditions that states must meet after it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct FrontierStep {
    pub decide: Decide,
    /// Slots of the vertices without an undecided edge: after the step, these must be inner.
    pub spent: Vec<usize>,
    /// Slots of the vertices with exactly one undecided edge: after the step, these must not be bare.
    pub last: Vec<usize>,
    /// The slots that must be inner for a cycle to close here; `None` if no cycle may close.
    pub closing: Option<Vec<usize>>,
    /// Number of vertices in the frontier after the step.
    pub frontier: usize,
}

/// The steps of a sweep.
#[derive(Clone, Debug)]
pub(super) struct Program {
    pub steps: Vec<FrontierStep>,
    /// Further steps, which decide edges between vertices of the cut.
    pub edges: Vec<FrontierStep>,
    /// Number of slots used.
    pub slots: usize,
    /// The vertices in the frontier at the end, with their slots.
    pub left: Vec<(usize, usize)>,
}

struct Compiler<'a> {
    net: &'a WeightedGraph,
    slot: Vec<Option<usize>>,
    done: Vec<bool>,
    free: BTreeSet<usize>,
    slots: usize,
    live: usize,
    untouched: usize,
    undecided: Vec<usize>,
}

impl Compiler<'_> {
    fn enter(&mut self, v: usize) -> usize {
        if let Some(slot) = self.slot[v] {
            return slot;
        }
        let slot = self.free.pop_first().unwrap_or(self.slots);
        self.slots = self.slots.max(slot + 1);
        self.place(v, slot);
        slot
    }

    fn place(&mut self, v: usize, slot: usize) {
        self.slot[v] = Some(slot);
        self.live += 1;
        self.untouched -= 1;
    }

    fn vertex(&mut self, v: usize, closes: bool) -> FrontierStep {
        let slot = self.enter(v);
        let ahead: Vec<_> = self.net.near(v).iter().filter(|e| !self.done[e.to]).copied().collect();
        // The heir is the first neighbour that enters; a vertex already in the frontier keeps its slot.
        let heir = ahead.iter().position(|e| self.slot[e.to].is_none());
        let (mut forced, mut free) = (Vec::new(), Vec::new());
        for (index, edge) in ahead.iter().enumerate() {
            if Some(index) != heir {
                let branch =
                    SlotEdge { slot: self.enter(edge.to), weight: edge.weight, to: edge.to as u32 };
                if edge.forced { forced.push(branch) } else { free.push(branch) }
            }
        }
        self.done[v] = true;
        self.live -= 1;
        self.slot[v] = None;
        match heir {
            Some(index) => self.place(ahead[index].to, slot),
            None => {
                self.free.insert(slot);
            }
        }
        let heir = heir.map(|i| {
            let Edge { weight, forced, to } = ahead[i];
            Heir { weight, forced, to: to as u32 }
        });
        let touched: Vec<usize> = ahead.iter().map(|e| e.to).collect();
        self.step(Decide::Vertex { slot, forced, free, heir }, &touched, closes)
    }

    fn edge(&mut self, u: usize, v: usize) -> FrontierStep {
        let ends = [self.enter(u), self.enter(v)];
        let edge = self.net.near(u).iter().find(|e| e.to == v).copied();
        let (weight, forced) = edge.map_or((0, false), |e| (e.weight, e.forced));
        self.step(Decide::Edge { ends, weight, forced }, &[u, v], false)
    }

    fn step(&mut self, decide: Decide, touched: &[usize], closes: bool) -> FrontierStep {
        let mut step = FrontierStep {
            decide,
            spent: Vec::new(),
            last: Vec::new(),
            closing: None,
            frontier: self.live,
        };
        for &u in touched {
            self.undecided[u] -= 1;
            match (self.undecided[u], self.slot[u]) {
                (0, Some(slot)) => step.spent.push(slot),
                (1, Some(slot)) => step.last.push(slot),
                _ => {}
            }
        }
        if closes && self.untouched == 0 {
            step.closing = Some(self.slot.iter().flatten().copied().collect());
        }
        step
    }
}

impl Program {
    /// Compiles the programs of two halves.
    pub fn of_halves(net: &WeightedGraph, cut: &Cut) -> [Program; 2] {
        [0, 1].map(|n| Program::new(net, &cut.sides[n], &cut.edges[n], false))
    }

    /// Compiles steps that finish the vertices of `order` one by one and then decide `edges`, which join
    /// vertices that stay in the frontier. If `closes` is set, a cycle may close.
    pub fn new(
        net: &WeightedGraph,
        order: &[usize],
        edges: &[(usize, usize)],
        closes: bool,
    ) -> Program {
        let mut compiler = Compiler {
            net,
            slot: vec![None; net.order()],
            done: vec![false; net.order()],
            free: BTreeSet::new(),
            slots: 0,
            live: 0,
            untouched: net.order(),
            undecided: (0..net.order()).map(|v| net.near(v).len()).collect(),
        };
        let steps = order.iter().map(|&v| compiler.vertex(v, closes)).collect();
        let edges = edges.iter().map(|&(u, v)| compiler.edge(u, v)).collect();
        let left = compiler.slot.iter().enumerate().filter_map(|(v, &s)| Some((v, s?))).collect();
        Program { steps, edges, slots: compiler.slots, left }
    }
}
