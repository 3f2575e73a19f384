//! Hippodrome.
pub mod board;
pub mod budget;
pub mod draw;
pub mod driver;
pub mod graph;
pub mod leaper;
pub mod params;
pub mod problem;
pub mod run;
pub mod solver;
pub mod solvers;
pub mod symmetry;
pub mod tour;
