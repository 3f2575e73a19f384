//! The algorithms, each in its own file or folder; see [`SOLVERS`](crate::solvers::registry::SOLVERS).

mod all_ways;
pub mod ants;
pub mod backbite;
pub mod backtrack;
pub mod best_first;
pub mod cuts;
pub mod divide;
pub mod exact;
pub mod frontier;
pub mod genetic;
mod move_order;
pub mod neural;
pub mod registry;
mod rotation;
#[cfg(any(test, debug_assertions))]
mod sanity;
pub mod scan;
mod tie_break;
mod two_factor;
pub mod uniform;
pub mod warnsdorff;
