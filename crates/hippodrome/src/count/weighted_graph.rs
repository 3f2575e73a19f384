//! The graph of a count: its vertices are numbered consecutively, its edges have weights, and some edges are
//! forced.

use crate::board::{Graph, Square};

/// An edge, as listed at one of its ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Edge {
    pub to: usize,
    /// The factor that the edge contributes to a tour: the number of parallel edges that it replaces.
    pub weight: i32,
    /// Whether only tours through the edge are counted.
    pub forced: bool,
}

/// A weighted simple graph.
#[derive(Clone, Debug)]
pub(super) struct WeightedGraph {
    near: Vec<Vec<Edge>>,
}

impl WeightedGraph {
    /// Makes a graph with `order` vertices and no edge.
    pub fn empty(order: usize) -> WeightedGraph {
        WeightedGraph { near: vec![Vec::new(); order] }
    }

    /// Converts a graph to a weighted graph whose vertices are numbered consecutively; also returns the
    /// square of each vertex.
    pub fn of(graph: &Graph) -> (WeightedGraph, Vec<Square>) {
        let squares: Vec<Square> = graph.vertices().collect();
        let mut number = vec![usize::MAX; graph.len()];
        for (index, &square) in squares.iter().enumerate() {
            number[square.index()] = index;
        }
        let mut net = WeightedGraph::empty(squares.len());
        for (index, &square) in squares.iter().enumerate() {
            for other in graph.neighbours(square).map(|n| number[n.index()]) {
                // Each edge is visited once, so it is not in the list yet.
                if index < other {
                    for (from, to) in [(index, other), (other, index)] {
                        net.near[from].push(Edge { to, weight: 1, forced: false });
                    }
                }
            }
        }
        (net, squares)
    }

    /// Returns the number of vertices.
    pub fn order(&self) -> usize {
        self.near.len()
    }

    /// Returns the edges at a vertex.
    pub fn near(&self, v: usize) -> &[Edge] {
        &self.near[v]
    }

    /// Adds an edge, or adds its weight to an existing edge between the same vertices.
    pub fn join(&mut self, u: usize, v: usize, weight: i32) {
        for (a, b) in [(u, v), (v, u)] {
            match self.near[a].iter_mut().find(|e| e.to == b) {
                Some(edge) => edge.weight += weight,
                None => self.near[a].push(Edge { to: b, weight, forced: false }),
            }
        }
    }

    /// Forces an edge, and adds it if it is missing. The weight becomes 1: parallel edges are lost, but a tour
    /// of more than two vertices takes at most one of them.
    pub fn force(&mut self, u: usize, v: usize) {
        self.part(u, v);
        for (a, b) in [(u, v), (v, u)] {
            self.near[a].push(Edge { to: b, weight: 1, forced: true });
        }
    }

    /// Removes an edge.
    pub fn part(&mut self, u: usize, v: usize) {
        for (a, b) in [(u, v), (v, u)] {
            self.near[a].retain(|e| e.to != b);
        }
    }

    /// Adds an apex joined to the given vertices; it closes each path between two of them into a cycle.
    pub fn with_apex(mut self, joined: impl IntoIterator<Item = usize>) -> WeightedGraph {
        let apex = self.order();
        self.near.push(Vec::new());
        for v in joined {
            self.near[apex].push(Edge { to: v, weight: 1, forced: false });
            self.near[v].push(Edge { to: apex, weight: 1, forced: false });
        }
        self
    }

    /// Removes edges of weight 0, which contribute nothing.
    pub fn without_zero_edges(mut self) -> WeightedGraph {
        for edges in &mut self.near {
            edges.retain(|e| e.weight != 0);
        }
        self
    }
}
