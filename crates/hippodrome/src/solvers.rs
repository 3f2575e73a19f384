//! The algorithms, one file or folder each; see [`SOLVERS`](crate::solver::SOLVERS).

pub mod ants;
pub mod backbite;
pub mod backtrack;
pub mod best_first;
pub mod divide;
pub mod exact;
pub mod genetic;
pub mod neural;
pub mod scan;
pub mod warnsdorff;
