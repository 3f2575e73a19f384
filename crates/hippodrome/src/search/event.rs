//! The output of a search besides tours: events while it is watched, artifacts at the end of a unit.
//!
//! Both are named by their content, not by the solver. Artifacts are made only on request; events are sent
//! only by the watched variant of a search.

use crate::board::Square;
use crate::board::move_weights::MoveWeight;
use std::sync::OnceLock;

/// A state of a search, for live views. Paths are its steps; other events show its memory.
#[derive(Debug)]
pub enum SearchEvent<'a> {
    /// The knight's path so far.
    Path(&'a [Square]),
    /// The path of a backtracking search and its untried squares.
    Stack {
        /// The knight's path so far.
        path: &'a [Square],
        /// Untried squares, ordered by depth.
        untried: &'a [Square],
        /// Index of the first untried square of each depth.
        marks: &'a [usize],
    },
    /// The chosen moves, connected or not.
    Moves(&'a [(Square, Square)]),
    /// The current weight of each move.
    MoveWeights(&'a [MoveWeight]),
    /// The fitness of every member of a population, in moves.
    Population(&'a [u32]),
}

impl SearchEvent<'_> {
    /// Returns the path, if the event is a step of the search.
    pub fn path(&self) -> Option<&[Square]> {
        match self {
            SearchEvent::Path(path) | SearchEvent::Stack { path, .. } => Some(path),
            SearchEvent::Moves(_) | SearchEvent::MoveWeights(_) | SearchEvent::Population(_) => {
                None
            }
        }
    }
}

/// Kinds of artifacts, as a solver declares them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArtifactKind {
    /// See [`Artifact::MoveWeights`].
    MoveWeights,
}

/// A by-product of the first unit of a run, stored on request.
#[derive(Clone, Debug, PartialEq)]
pub enum Artifact {
    /// The final weight of each move in the search.
    MoveWeights(Vec<MoveWeight>),
}

impl Artifact {
    /// Returns the move weights, if the artifact is of that kind.
    pub fn into_move_weights(self) -> Option<Vec<MoveWeight>> {
        match self {
            Artifact::MoveWeights(weights) => Some(weights),
        }
    }
}

/// A request for an artifact; receives the artifact.
#[derive(Debug)]
pub struct ArtifactRequest {
    kind: ArtifactKind,
    left: OnceLock<Artifact>,
}

impl ArtifactRequest {
    /// Requests an artifact of this kind.
    pub fn new(kind: ArtifactKind) -> ArtifactRequest {
        ArtifactRequest { kind, left: OnceLock::new() }
    }

    /// Stores the artifact if its kind is requested.
    pub(super) fn leave(&self, kind: ArtifactKind, make: impl FnOnce() -> Artifact) {
        if self.kind == kind {
            self.left.get_or_init(make);
        }
    }

    /// Returns the artifact, if one was stored.
    pub fn into_artifact(self) -> Option<Artifact> {
        self.left.into_inner()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Square;

    #[test]
    fn the_first_stored_artifact_is_kept() {
        let request = ArtifactRequest::new(ArtifactKind::MoveWeights);
        let weights =
            |weight| move || Artifact::MoveWeights(vec![(Square::new(0), Square::new(5), weight)]);
        request.leave(ArtifactKind::MoveWeights, weights(1.0));
        request.leave(ArtifactKind::MoveWeights, weights(2.0));
        let left = request.into_artifact().unwrap();
        assert_eq!(left.into_move_weights(), Some(vec![(Square::new(0), Square::new(5), 1.0)]));
        assert_eq!(ArtifactRequest::new(ArtifactKind::MoveWeights).into_artifact(), None);
    }
}
