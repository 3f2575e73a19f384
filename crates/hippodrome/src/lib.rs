//! Hippodrome is a laboratory for knight's tours: it finds, enumerates, samples, counts, verifies,
//! classifies and draws them, on any board, with holes, for any leaper, and on any graph.
//!
//! ```text
//! Board ─▶ Graph ─▶ Problem ─▶ Solver ──claims──▶ verify ─▶ Tour ─▶ count │ write │ draw
//! ```
//!
//! # Find
//!
//! One tour, by a solver that suits the board, or the theorem that says there is none.
//!
//! ```
//! use hippodrome::{Board, Control, Graph, Problem, TourSearch};
//!
//! let problem = Problem::closed(Graph::knight(Board::parse("8x8")?));
//! let found = TourSearch::new(problem).run(&Control::default())?;
//! let tour = found.tour().expect("8x8 has closed tours");
//! assert!(tour.is_closed() && tour.squares().len() == 64);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Enumerate
//!
//! Tours from one solver, repeats removed: here all cycles of 6x6, each once.
//!
//! ```
//! use hippodrome::{Board, Choice, Control, Distinct, Enumeration, Graph, Problem};
//!
//! let problem = Problem::closed(Graph::knight(Board::parse("6x6")?));
//! let exact = Choice::new::<&str>("exact", &[])?;
//! let cycles = Enumeration { all: true, distinct: Distinct::Cycle, ..Enumeration::new(problem, exact) };
//! assert_eq!(cycles.run(&Control::default(), None)?.total.distinct, 9862);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Sample
//!
//! Tours drawn so that each is as likely as any other. The table they are drawn from is made once.
//!
//! ```
//! use hippodrome::{Board, Control, Graph, Problem, Sampler, TourStream};
//! use std::{ops::ControlFlow, sync::Arc};
//!
//! let problem = Problem::open(Graph::knight(Board::parse("5x6")?));
//! let sampler = Arc::new(Sampler::new(&problem, &Default::default())?);
//! let ten = TourStream { tours: 10, seed: 1, threads: 2 };
//! let mut tours = Vec::new();
//! ten.run(&sampler, &Control::default(), &mut |tour| {
//!     tours.push(tour.into_tour());
//!     ControlFlow::Continue(())
//! })?;
//! assert_eq!(tours.len(), 10);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Count
//!
//! The exact number of tours, without making one.
//!
//! ```
//! use hippodrome::{Board, Count, CountKind, Graph};
//!
//! let count = Count::new(Graph::knight(Board::parse("6x6")?), CountKind::Open);
//! let counted = count.run(&Default::default())?;
//! assert_eq!(counted.undirected.to_string(), "3318960");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Draw
//!
//! Only verified tours are drawn; this one is read from its squares.
//!
//! ```
//! # #[cfg(feature = "draw")] {
//! use hippodrome::{Board, Graph, Square, draw, verify};
//!
//! let board = Board::parse("3x4")?;
//! let names = "a1 c2 a3 b1 d2 b3 c1 a2 c3 d1 b2 d3".split(' ');
//! let squares = names.map(|name| board.square(name)).collect::<Result<Vec<Square>, _>>()?;
//! let tour = verify(&Graph::knight(board), squares)?;
//! let mut svg = Vec::new();
//! draw::svg(&tour.view(), &draw::Style::default(), &mut svg)?;
//! assert!(svg.starts_with(b"<svg"));
//! # }
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
//! | [`error`] | kinds of errors and their remedies, which the edges phrase |
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
pub mod error;
pub mod lab;
pub mod numerals;
pub mod problem;
pub mod search;
pub mod solvers;
#[cfg(feature = "store")]
pub mod store;
pub mod tour;
pub mod uniform;

pub use board::{Board, Graph, Square};
pub use count::{Count, CountKind};
pub use lab::enumerate::Enumeration;
pub use lab::find::TourSearch;
pub use problem::Problem;
pub use search::Control;
pub use solvers::registry::Choice;
pub use tour::{Distinct, Tour, verify};
pub use uniform::{Sampler, TourStream};
