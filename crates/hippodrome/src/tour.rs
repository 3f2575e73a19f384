//! Verified tours. Only [`verify`](fn@verify), a [`Verifier`] and a [`Trail`] can create one.

mod batch;
mod canon;
mod classify;
mod notation;
mod origin;
mod pack;
mod read;
mod shape;
mod transform;
mod verify;
mod write;

pub(crate) use batch::Batch;
pub use canon::{Canon, Distinct};
pub use classify::{Class, Magic};
pub use notation::{Notation, NotationError, Unavailable, UnknownNotation};
pub use origin::{GridOrigin, GridOriginError};
pub use pack::{Packer, Unpackable};
pub use read::{
    Claim, CoordFault, DigitFault, GridFault, Hints, ListFault, ReadError, ReadFault, TourReading,
    TourTextReader, TsplibFault, read_tours,
};
pub use shape::LineShape;
pub use transform::TransformError;
pub use verify::{TourFault, Trail, Verifier, verify};
pub use write::{TourWriter, tour_json, write_tour};

impl crate::error::Diagnostic for TourFault {}

use crate::board::{Graph, Square};
use std::borrow::Cow;

/// A verified tour: a directed list of squares with a fixed start.
#[derive(Clone, Debug)]
pub struct Tour {
    graph: Graph,
    squares: Vec<Square>,
    closed: bool,
}

/// A verified tour that may borrow its squares from a solver; [`Tour`] is the owned form.
#[derive(Clone, Debug)]
pub struct Verified<'a> {
    graph: &'a Graph,
    squares: Cow<'a, [Square]>,
    closed: bool,
}

impl Tour {
    /// Returns the graph that the tour visits.
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// Returns the squares in the order in which the tour visits them.
    pub fn squares(&self) -> &[Square] {
        &self.squares
    }

    /// Returns whether a move leads from the last square to the first.
    pub fn is_closed(&self) -> bool {
        self.closed
    }

    /// Returns a view that borrows the squares of the tour.
    pub fn view(&self) -> Verified<'_> {
        Verified { graph: &self.graph, squares: Cow::Borrowed(&self.squares), closed: self.closed }
    }
}

impl<'a> Verified<'a> {
    /// Returns the graph that the tour visits.
    pub fn graph(&self) -> &'a Graph {
        self.graph
    }

    /// Returns the squares in the order in which the tour visits them.
    #[inline]
    pub fn squares(&self) -> &[Square] {
        &self.squares
    }

    /// Returns whether a move leads from the last square to the first.
    #[inline]
    pub fn is_closed(&self) -> bool {
        self.closed
    }

    /// Returns, for each square, the time at which the tour visits it, counting from 1; holes have time 0.
    pub fn times(&self) -> Vec<u32> {
        let mut times = Vec::new();
        self.times_into(&mut times);
        times
    }

    /// Writes [`Verified::times`] to `times`, which is cleared first.
    fn times_into(&self, times: &mut Vec<u32>) {
        times.clear();
        times.resize(self.graph.len(), 0);
        for (time, &square) in (1..).zip(self.squares()) {
            times[square.index()] = time;
        }
    }

    /// Converts the view to an owned tour; copies the squares unless they are already owned.
    pub fn into_tour(self) -> Tour {
        let squares = self.squares.into_owned();
        Tour { graph: self.graph.clone(), squares, closed: self.closed }
    }
}
