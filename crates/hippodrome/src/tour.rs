//! Verified tours. The only way to make one is [`verify`](fn@verify) or a [`Verifier`].

mod batch;
mod canon;
mod classify;
mod notation;
mod pack;
mod read;
mod read_grid;
mod read_ground;
mod read_json;
mod read_lines;
mod read_tsplib;
mod shape;
mod verify;
mod write;

pub(crate) use batch::Batch;
pub use canon::{Canon, Distinct};
pub use classify::{Class, Magic};
pub use notation::{Notation, NotationError, Unavailable, UnknownNotation};
pub use pack::{Packer, Unpackable};
pub use read::{Claim, Hints, ReadError, ReadFault, read_tours};
pub use read_grid::GridFault;
pub use read_lines::DigitFault;
pub use read_tsplib::TsplibFault;
pub use shape::Shape;
pub use verify::{Fault, Trail, Verifier, verify};
pub use write::{TourWriter, tour_json, write_tour};

use crate::board::{Graph, Square};
use std::borrow::Cow;

/// A tour: verified, directed, with a start square.
#[derive(Clone, Debug)]
pub struct Tour {
    graph: Graph,
    squares: Vec<Square>,
    closed: bool,
}

/// A verified tour that is still in its solver's hands. See [`Tour`] for one to keep.
#[derive(Clone, Debug)]
pub struct Verified<'a> {
    graph: &'a Graph,
    squares: Cow<'a, [Square]>,
    closed: bool,
}

impl Tour {
    /// The graph it is a tour of.
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// The squares in the order of the visit.
    pub fn squares(&self) -> &[Square] {
        &self.squares
    }

    /// Whether the last square attacks the first.
    pub fn is_closed(&self) -> bool {
        self.closed
    }

    /// The tour without its copy of the squares.
    pub fn view(&self) -> Verified<'_> {
        Verified { graph: &self.graph, squares: Cow::Borrowed(&self.squares), closed: self.closed }
    }
}

impl<'a> Verified<'a> {
    /// The graph it is a tour of.
    pub fn graph(&self) -> &'a Graph {
        self.graph
    }

    /// The squares in the order of the visit.
    #[inline]
    pub fn squares(&self) -> &[Square] {
        &self.squares
    }

    /// Whether the last square attacks the first.
    #[inline]
    pub fn is_closed(&self) -> bool {
        self.closed
    }

    /// For each number of a square, when it is visited, from 1; 0 for holes.
    pub fn times(&self) -> Vec<u32> {
        let mut times = vec![0; self.graph.len()];
        for (time, &square) in (1..).zip(self.squares()) {
            times[square.index()] = time;
        }
        times
    }

    /// A tour to keep; copies the squares unless they were handed over.
    pub fn into_tour(self) -> Tour {
        let squares = self.squares.into_owned();
        Tour { graph: self.graph.clone(), squares, closed: self.closed }
    }
}
