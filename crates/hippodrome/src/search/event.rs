//! Events: what a search shows while it is watched.
//!
//! They are named by what they are, not by the solver that sends them, and sent only by the variant of a
//! search that runs when it is watched.

use crate::board::Square;
use crate::board::move_weights::MoveWeight;

/// What a search is doing, for live views. Paths are its steps; the rest is what it knows besides.
#[derive(Debug)]
pub enum SearchEvent<'a> {
    /// The knight's path so far.
    Path(&'a [Square]),
    /// The path of a search that goes back, and what it has still to try there.
    Stack {
        /// The knight's path so far.
        path: &'a [Square],
        /// Squares to be tried later, those of every depth after those of the depths before.
        untried: &'a [Square],
        /// Where the squares of each depth begin.
        marks: &'a [usize],
    },
    /// Moves that are chosen, whether or not they hang together.
    Moves(&'a [(Square, Square)]),
    /// How much the search prefers each move by now.
    MoveWeights(&'a [MoveWeight]),
    /// The quality of every member of a population, in moves.
    Population(&'a [u32]),
}

impl SearchEvent<'_> {
    /// The path, if the event is a step of the search.
    pub fn path(&self) -> Option<&[Square]> {
        match self {
            SearchEvent::Path(path) | SearchEvent::Stack { path, .. } => Some(path),
            SearchEvent::Moves(_) | SearchEvent::MoveWeights(_) | SearchEvent::Population(_) => {
                None
            }
        }
    }
}
