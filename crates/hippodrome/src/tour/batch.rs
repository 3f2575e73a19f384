//! Verified tours of one graph on their way from a worker to the driver.

use super::Verified;
use crate::board::{Graph, Square};
use std::borrow::Cow;
use std::ops::ControlFlow;

/// Verified tours laid end to end. Only [`Batch::push`] fills it, so what comes out was verified.
#[derive(Default)]
pub(crate) struct Batch {
    squares: Vec<Square>,
    closed: Vec<bool>,
}

impl Batch {
    /// Adds a tour; a handed-over vector becomes the batch's own if the batch is empty.
    pub(crate) fn push(&mut self, tour: Verified<'_>) {
        self.closed.push(tour.closed);
        match tour.squares {
            Cow::Owned(squares) if self.squares.is_empty() => self.squares = squares,
            squares => self.squares.extend_from_slice(&squares),
        }
    }

    /// Returns the number of tours.
    pub(crate) fn len(&self) -> usize {
        self.closed.len()
    }

    /// Returns the number of squares of all tours together.
    pub(crate) fn squares(&self) -> usize {
        self.squares.len()
    }

    /// Shows the tours in the order they were added, until told to stop; a single one is handed
    /// over.
    pub(crate) fn visit(
        self,
        graph: &Graph,
        mut see: impl FnMut(usize, Verified<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        if let [closed] = self.closed[..] {
            return see(0, Verified { graph, squares: Cow::Owned(self.squares), closed });
        }
        let tours = self.squares.chunks_exact(graph.order());
        for (index, (squares, &closed)) in tours.zip(&self.closed).enumerate() {
            see(index, Verified { graph, squares: Cow::Borrowed(squares), closed })?;
        }
        ControlFlow::Continue(())
    }
}
