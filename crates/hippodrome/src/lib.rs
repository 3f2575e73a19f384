//! A laboratory for knight's tours: find, enumerate, sample, count, verify, classify and draw them, on any
//! board, with holes, for any leaper, and on any graph.
//!
//! This page is a tutorial. A [`Board`] and a piece make a [`Graph`]; a graph and a goal make a [`Problem`].
//! Solvers claim tours of a problem; only the verifier makes a [`Tour`].
//!
//! ```text
//! Board ─▶ Graph ─▶ Problem ─▶ Solver ──claims──▶ verify ─▶ Tour ─▶ store │ report │ draw
//!                      ├─▶ count   (exact numbers, no tours)
//!                      └─▶ uniform (exactly uniform tours)
//! ```
//!
//! # Find
//!
//! [`TourSearch`] picks a solver that suits the board. If there is no tour, it returns the theorem or the
//! complete search that proves it.
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
//! Boards can have holes, and other pieces than the knight can move. Each move of the camel (1,3) stays on
//! one colour, so it has no tour:
//!
//! ```
//! use hippodrome::lab::find::Outcome;
//! use hippodrome::{Board, Control, Graph, Problem, TourSearch};
//!
//! let board = Board::parse("8x8")?;
//! let holes = [board.square("a1")?, board.square("b1")?];
//! let camel = Graph::leaper(board.with_holes(holes)?, "1,3".parse()?);
//! let found = TourSearch::new(Problem::open(camel)).run(&Control::default())?;
//! let Outcome::Impossible(proof) = found.outcome else { panic!("camels have no tour") };
//! assert!(!proof.reason.is_empty());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Enumerate
//!
//! An [`Enumeration`] runs one solver, named in a [`Choice`], and removes duplicates. [`Distinct`] decides
//! which tours are the same. Here are all closed 6x6 tours, each cycle once.
//!
//! ```
//! use hippodrome::{Board, Choice, Control, Distinct, Enumeration, Graph, Problem};
//!
//! let problem = Problem::closed(Graph::knight(Board::parse("6x6")?));
//! let exact = Choice::new::<&str>("exact", &[])?;
//! let directed = Enumeration { all: true, ..Enumeration::new(problem, exact) };
//! let cycles = Enumeration { distinct: Distinct::Cycle, ..directed };
//! assert_eq!(cycles.run(&Control::default(), None)?.total.distinct, 9862);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A heuristic runs until its [`Budget`](search::Budget) is spent. The same seed gives the same tours in the
//! same order, on any number of threads. This is an ant colony with one parameter changed:
//!
//! ```
//! use hippodrome::search::Budget;
//! use hippodrome::{Board, Choice, Control, Enumeration, Graph, Problem};
//! use std::ops::ControlFlow;
//!
//! let problem = Problem::open(Graph::knight(Board::parse("6x6")?));
//! let mace = Choice::new("mace", &["rho=0.1"])?;
//! let budget = Budget { attempts: Some(20_000), ..Budget::UNLIMITED };
//! let colony = Enumeration { budget, seed: 7, ..Enumeration::new(problem, mace) };
//! let mut closed = 0;
//! let summary = colony.run(&Control::default(), Some(&mut |tour| {
//!     closed += u64::from(tour.is_closed());
//!     ControlFlow::Continue(())
//! }))?;
//! assert_eq!(summary.total.attempts, 20_000);
//! assert_eq!(summary.total.closed, closed);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Sample
//!
//! A [`Sampler`] draws tours that are exactly uniform. It builds its table once; a [`TourStream`] draws from
//! it on several threads and returns the tours in order.
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
//! A [`Count`] computes the exact number of tours without listing them, and checks it.
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
//! [`verify`] turns a list of squares into a tour. Tours are drawn as SVG, PDF, PNG or GIF, alone or on
//! sheets.
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
//! A module uses the modules above it in this table, never those below.
//!
//! | module | holds |
//! |---|---|
//! | [`numerals`] | numbers formatted for people |
//! | [`durable`] | files that appear whole or not at all |
//! | [`error`] | kinds of errors, and hints that each interface words itself |
//! | [`board`] | squares, boards, leapers, symmetries, graphs, graph files and generators |
//! | [`tour`] | the verifier, notations, packing, canonical forms, classification |
//! | [`problem`] | goals and ends, and theorems that answer without a search |
//! | [`draw`] | pictures of boards, tours, sheets and charts |
//! | [`search`] | the interface of solvers, runs, budgets, threads, parameters, measures |
//! | [`count`] | exact numbers of tours |
//! | [`uniform`] | tables of covers, and uniform tours drawn from them |
//! | [`solvers`] | the algorithms, one file or folder each, and their registry |
//! | [`lab`] | find, enumerate, puzzle, curve, race, tune, bias, estimate, statistics, experiments |
//! | [`store`] | large jobs on disk: folders, units, resuming; sets of tours as Parquet |
//!
//! # Features
//!
//! Both are on by default. Without them the library has the searches and few dependencies.
//!
//! - `draw`: the module [`draw`], the HTML report of a race, and [`lab::experiment`].
//! - `store`: the module [`store`].
//!
//! # Glossary
//!
//! - *Tour*: verified, directed, with a start square. *Closed*: its last square attacks its first.
//! - *Attempt*: one maximal path, complete or not, as the papers count; in pruned searches also a pruned
//!   branch.
//! - *Move*: one step of the knight made in a search. This cost does not depend on the machine.
//! - *Distinct*: after removing duplicates.
//! - *Run*: one solver, one seed, one budget. *Unit*: an independent part of a run with its own seed.

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
