//! A graph of at most 64 vertices as bitboards: each set of vertices is one word.

use crate::board::{Graph, Square};

/// The bitboards of a graph. Vertices are renumbered 0, 1, … in ascending order, without gaps; bit i of a
/// word stands for vertex i.
#[derive(Clone)]
pub(crate) struct Bits {
    /// Number of vertices.
    pub(crate) n: usize,
    /// The set of neighbours of each vertex.
    pub(crate) attacks: [u64; 64],
    /// The square of each vertex.
    pub(crate) square: [Square; 64],
}

impl Bits {
    /// Converts a graph to bitboards, if it has at most 64 vertices.
    pub(crate) fn new(graph: &Graph) -> Option<Bits> {
        if graph.order() > 64 {
            return None;
        }
        let mut bits = Bits { n: graph.order(), attacks: [0; 64], square: [Square::default(); 64] };
        for (index, square) in graph.vertices().enumerate() {
            bits.square[index] = square;
        }
        for index in 0..bits.n {
            for square in graph.neighbours(bits.square[index]) {
                bits.attacks[index] |= 1 << bits.vertex(square);
            }
        }
        Some(bits)
    }

    /// Returns the set of all vertices.
    pub(crate) fn all(&self) -> u64 {
        u64::MAX >> (64 - self.n)
    }

    /// Returns the vertex of a square.
    pub(crate) fn vertex(&self, square: Square) -> usize {
        self.square[..self.n].partition_point(|&s| s < square)
    }
}
