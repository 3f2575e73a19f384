//! Hippodrome.
mod bits;
pub mod board;
pub mod budget;
pub mod distinct;
pub mod driver;
pub mod enumerate;
pub mod graph;
pub mod graph_file;
pub mod leaper;
mod order;
pub mod params;
pub mod problem;
pub mod run;
pub mod solver;
pub mod solvers;
pub mod symmetry;
pub mod tour;
