//! Hippodrome is a laboratory for knight's tours: it finds, enumerates, verifies, classifies and
//! draws them, on any board, with holes, for any leaper, and on any graph.
//!
//! ```text
//! Board ─▶ Graph ─▶ Problem ─▶ Solver ──claims──▶ verify ─▶ Tour ─▶ count │ write │ draw
//! ```
//!
//! ```
//! use hippodrome::{Board, Choice, Control, Distinct, Enumeration, Graph, Problem};
//!
//! let board = Board::parse("6x6")?;
//! let problem = Problem::closed(Graph::knight(board));
//! let choice = Choice::new::<&str>("exact", &[])?;
//! let cycles = Enumeration { all: true, distinct: Distinct::Cycle, ..Enumeration::new(problem, choice) };
//! assert_eq!(cycles.run(&Control::default(), None)?.total.distinct, 9862);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Layers
//!
//! A module uses those above it in this table, never those below.
//!
//! | module | holds |
//! |---|---|
//! | [`numerals`] | numbers as people read them |
//! | [`durable`] | files that appear whole or not at all |
//! | [`board`] | squares, boards, leapers, symmetries, graphs and graph files |
//! | [`tour`] | the verifier, notations, packing, canonical forms, classification |
//! | [`problem`] | what is asked, and theorems that answer without a search |
//! | [`draw`] | pictures of boards, tours and charts |
//! | [`search`] | the solver's interface, runs, budgets, threads, parameters, measures |
//! | [`count`] | exact numbers of tours, without a tour |
//! | [`uniform`] | tables of covers, and exactly uniform tours drawn from them |
//! | [`solvers`] | the algorithms, one file or folder each, and their registry |
//! | [`lab`] | find, enumerate, curve, race, tune, bias, estimate, statistics, experiments |
//! | [`store`] | large jobs on disk: folders, units, resuming; sets of tours as Parquet |
//!
//! # Features
//!
//! Both are on by default; without them the library has the searches and few dependencies.
//!
//! - `draw`: the module [`draw`], the HTML report of a race, and [`lab::experiment`], which has figures.
//! - `store`: the module [`store`].
//!
//! # Glossary
//!
//! - *tour*: verified, directed, with a start square. *Closed*: its last square attacks its first.
//! - *attempt*: one maximal path, complete or not, as the papers count; for pruned searches also a
//!   branch cut off.
//! - *move*: one step of the knight made in a search: the cost that depends on no machine.
//! - *distinct*: after removing repeats.
//! - *unit*: an independent part of a run with its own seed. *Run*: one solver, one seed, one budget.

pub mod board;
pub mod count;
#[cfg(feature = "draw")]
pub mod draw;
pub mod durable;
pub mod lab;
pub mod numerals;
pub mod problem;
pub mod search;
pub mod solvers;
#[cfg(feature = "store")]
pub mod store;
pub mod tour;
pub mod uniform;

pub use board::{Board, Graph, Leaper, Square};
pub use lab::enumerate::Enumeration;
pub use problem::Problem;
pub use search::{Budget, Control, Status};
pub use solvers::registry::Choice;
pub use tour::{Distinct, Tour, Verified, verify};
