//! The algorithms, one file or folder each; see [`SOLVERS`](crate::solver::SOLVERS).

/// Ant colonies.
#[allow(dead_code)] // Scaffolding: its colony is yet to come.
pub mod ants {
    mod kernel;
}
pub mod backtrack;
pub mod best_first;
pub mod exact;
pub mod scan;
pub mod warnsdorff;
