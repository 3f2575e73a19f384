//! Combinations of arguments that have no meaning, and the remedies for the errors of a count.

use super::CountError;
use crate::error::Argument::{By, Classes, Confirm, End, Memory, Start};
use crate::error::{Diagnostic, ErrorKind, Remedy};
use thiserror::Error;

/// A combination of arguments that has no meaning.
#[derive(Error, Debug, Clone, PartialEq, Eq)]
pub enum CountConflict {
    /// A fixed end is not a vertex of the graph.
    #[error("a fixed end is not on the board; choose a square on it")]
    EndOffBoard,
    /// The start and the end are the same square.
    #[error("start and end are the same square")]
    SameEnds,
    /// Fixed ends, a breakdown or classes were requested for a count of covers.
    #[error(
        "covers (two-factors and path-covers) are counted without a start, an end, a breakdown or classes"
    )]
    Covers,
    /// Symmetry classes were requested for a graph from a file.
    #[error("the symmetries of a graph are not known")]
    NoSymmetries,
    /// A breakdown was requested for a count with fixed ends.
    #[error("a count with a fixed start or end has no breakdown by start or ends")]
    FixedEnds,
    /// A confirmation was requested, but no second order of the vertices is usable.
    #[error(
        "the count cannot be confirmed: no second order of the vertices stays within the limits"
    )]
    NoSecondOrder,
}

impl CountConflict {
    fn remedies(&self) -> Vec<Remedy> {
        match self {
            CountConflict::EndOffBoard => Vec::new(),
            CountConflict::SameEnds => vec![Remedy::Change(vec![Start, End])],
            CountConflict::Covers => {
                vec![Remedy::LeaveOut(vec![Start, End, By, Classes]), Remedy::Do("count tours")]
            }
            CountConflict::NoSymmetries => {
                vec![Remedy::LeaveOut(vec![Classes]), Remedy::Do("count on a board")]
            }
            CountConflict::FixedEnds => {
                vec![Remedy::LeaveOut(vec![By, Classes]), Remedy::LeaveOut(vec![Start, End])]
            }
            CountConflict::NoSecondOrder => vec![Remedy::LeaveOut(vec![Confirm])],
        }
    }
}

impl Diagnostic for CountError {
    fn kind(&self) -> ErrorKind {
        match self {
            CountError::Interrupted => ErrorKind::Interrupted,
            CountError::Memory { .. } => ErrorKind::Memory,
            CountError::Check(_) => ErrorKind::Bug,
            CountError::TooWide { .. } | CountError::TooLong { .. } | CountError::Classes(_) => {
                ErrorKind::Failed
            }
            CountError::Meaningless(_) => ErrorKind::Invalid,
        }
    }

    fn remedies(&self) -> Vec<Remedy> {
        match self {
            CountError::Memory { by_class, .. } => {
                let class = by_class.then_some(Remedy::CountByClass);
                let narrower = Remedy::Do("count a narrower board");
                [Remedy::Raise(Memory)].into_iter().chain(class).chain([narrower]).collect()
            }
            CountError::Classes(_) => vec![Remedy::LeaveOut(vec![Classes])],
            CountError::Meaningless(conflict) => conflict.remedies(),
            _ => Vec::new(),
        }
    }
}
