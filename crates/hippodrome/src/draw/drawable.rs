//! What a picture shows: a tour, or a board with texts in some squares.

use crate::board::{Graph, Square};
use crate::tour::Verified;

/// What a picture shows.
#[derive(Clone, Copy, Debug)]
pub enum Drawable<'a> {
    /// A tour.
    Tour(&'a Verified<'a>),
    /// A board or graph without a tour, with texts in some squares.
    Board(&'a Graph, &'a [(Square, String)]),
}

impl<'a> From<&'a Verified<'a>> for Drawable<'a> {
    fn from(tour: &'a Verified<'a>) -> Drawable<'a> {
        Drawable::Tour(tour)
    }
}

impl<'a> Drawable<'a> {
    /// Returns the board or graph.
    pub fn graph(&self) -> &'a Graph {
        match self {
            Drawable::Tour(tour) => tour.graph(),
            Drawable::Board(graph, _) => graph,
        }
    }

    /// Returns the squares of the tour in order; empty without a tour.
    pub fn path(&self) -> &'a [Square] {
        match self {
            Drawable::Tour(tour) => tour.squares(),
            Drawable::Board(..) => &[],
        }
    }

    /// Returns whether it shows a closed tour.
    pub fn is_closed(&self) -> bool {
        matches!(self, Drawable::Tour(tour) if tour.is_closed())
    }

    /// Returns a title for screen readers.
    pub(super) fn title(&self) -> String {
        let graph = self.graph();
        match self.path() {
            [] => format!("Board {graph}"),
            path => {
                let kind = if self.is_closed() { "Closed tour" } else { "Open tour" };
                let (first, last) = (graph.name(path[0]), graph.name(path[path.len() - 1]));
                format!("{kind} of {graph}, from {first} to {last}")
            }
        }
    }

    /// Returns width and height of the board in squares; a graph is as wide as high.
    pub(super) fn shape(&self) -> (f32, f32) {
        self.graph().board().map_or((1.0, 1.0), |b| (b.cols() as f32, b.rows() as f32))
    }
}
