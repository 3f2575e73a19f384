//! Hippodrome is a laboratory for knight's tours: it finds, enumerates, verifies, classifies and
//! draws them, on any board, with holes, for any leaper, and on any graph.
//!
//! ```text
//! Board ─▶ Graph ─▶ Problem ─▶ Solver ──claims──▶ verify ─▶ Tour ─▶ count │ write │ draw
//! ```
//!
//! ```
//! use hippodrome::{board::Board, graph::Graph, problem::Problem, run::Control};
//! use hippodrome::{enumerate::Enumeration, solver::Choice, tour::Distinct};
//!
//! let board = Board::parse("6x6")?;
//! let problem = Problem::closed(Graph::knight(board));
//! let choice = Choice::new::<&str>("exact", &[])?;
//! let cycles = Enumeration { all: true, distinct: Distinct::Cycle, ..Enumeration::new(problem, choice) };
//! assert_eq!(cycles.run(&Control::default(), None)?.total.distinct, 9862);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Where things are
//!
//! | module | holds |
//! |---|---|
//! | [`board`], [`leaper`], [`symmetry`] | squares and holes, pieces, what maps a board onto itself |
//! | [`graph`], [`graph_file`] | what may follow what; graphs from files |
//! | [`problem`], [`theorems`] | what is asked, and what is known without search |
//! | [`tour`] | verified tours: notations, packing, canonical forms, classes |
//! | [`solver`], [`solvers`], [`params`] | the registry, the algorithms, their parameters |
//! | [`run`], [`budget`], [`driver`], [`measure`], [`memory`] | one unit of work; limits; threads and order; what solvers measure; what fits |
//! | [`find`], [`enumerate`], [`distinct`], [`curve`] | one tour; many tours; which were seen before; how many when |
//! | [`count`] | how many tours there are, exactly, without a tour (the solver `exact` lists them) |
//! | [`store`] | large jobs on disk: folders, units, resuming; sets of tours as Parquet |
//! | [`sample`] | exactly uniform tours, bias against them, estimated numbers |
//! | [`tune`], [`race`], [`statistics`] | the best values of parameters; solvers side by side; how far to believe it |
//! | [`experiment`] | the papers' tables and figures, asked again |
//! | [`pheromone`] | what a colony has laid |
//! | [`draw`] | pictures |
//!
//! # Glossary
//!
//! - *tour*: verified, directed, with a start square. *Closed*: its last square attacks its first.
//! - *attempt*: one maximal path, complete or not, as the papers count; for pruned searches also a
//!   branch cut off.
//! - *move*: one step of the knight made in a search: the cost that depends on no machine.
//! - *distinct*: after removing repeats.
//! - *unit*: an independent part of a run with its own seed. *Run*: one solver, one seed, one budget.

mod bits;
pub mod board;
pub mod budget;
pub mod count;
pub mod curve;
pub mod distinct;
pub mod draw;
pub mod driver;
pub mod enumerate;
pub mod experiment;
pub mod find;
pub mod graph;
pub mod graph_file;
pub mod leaper;
pub mod measure;
pub mod memory;
mod order;
pub mod params;
pub mod pheromone;
pub mod problem;
pub mod race;
pub mod run;
pub mod sample;
pub mod solver;
pub mod solvers;
pub mod statistics;
pub mod store;
pub mod symmetry;
pub mod theorems;
pub mod tour;
pub mod tune;
