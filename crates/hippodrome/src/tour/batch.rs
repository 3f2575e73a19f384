//! A batch of verified tours of one graph, sent from a worker to the driver.

use super::Verified;
use crate::board::{Graph, Square};
use std::borrow::Cow;
use std::ops::ControlFlow;

/// Concatenated verified tours. Only [`Batch::push`] adds tours, so every tour in the batch is verified.
#[derive(Default)]
pub(crate) struct Batch {
    squares: Vec<Square>,
    closed: Vec<bool>,
}

impl Batch {
    /// Adds a tour. If the batch is empty and the tour owns its squares, they are moved instead of copied.
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

    /// Returns the total number of squares in all tours.
    pub(crate) fn squares(&self) -> usize {
        self.squares.len()
    }

    /// Passes the tours to a callback in the order in which they were added, until it returns `Break`. If
    /// there is only one tour, it is passed as an owned vector.
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
