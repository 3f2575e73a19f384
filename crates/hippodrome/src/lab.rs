//! Finds and enumerates tours, races and tunes solvers, measures their bias, and reruns the papers'
//! experiments.

pub mod bias;
pub mod chi_square;
pub mod curve;
pub mod distinct;
pub mod enumerate;
pub mod estimate;
#[cfg(feature = "draw")]
pub mod experiment;
pub mod find;
pub mod half_turn;
pub mod puzzle;
pub mod race;
mod runs;
pub mod statistics;
pub mod tune;
