//! Artifacts: by-products that a search leaves behind at the end of a unit, made only on request.

use crate::board::move_weights::MoveWeight;
use std::sync::OnceLock;

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
