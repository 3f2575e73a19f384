//! A laboratory for knight's tours: find, enumerate, sample, count, verify, classify and draw them, on boards
//! with or without holes, for any leaper, and on any graph.
//!
//! This page is a tutorial. A [`Board`] and a piece define a [`Graph`]; a graph and a goal define a
//! [`Problem`]. A solver *claims* the tours that it finds; only the verifier turns a claim into a [`Tour`].
//!
//! ```text
//! Board ─▶ Graph ─▶ Problem ─▶ Solver ──claims──▶ verify ─▶ Tour ─▶ store │ report │ draw
//!                      ├─▶ count   (exact numbers, no tours)
//!                      └─▶ uniform (exactly uniform tours)
//! ```
//!
//! # Find
//!
//! [`TourSearch`] picks a solver that suits the board. If it can prove that there is no tour, it returns the
//! proof: a theorem or a complete search.
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
//! Boards can have holes, and pieces other than the knight are supported. Every move of the camel, the (1,3)
//! leaper, leads to a square of the same colour, so the camel has no tour:
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
//! An [`Enumeration`] runs the solver given by a [`Choice`] and removes duplicates. [`Distinct`] decides
//! which tours count as the same. This example finds all closed 6x6 tours and counts each cycle once:
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
//! same order, on any number of threads. Here the solver is an ant colony with one parameter changed:
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
//! A [`Sampler`] draws tours that are exactly uniform: all tours are equally likely. It builds a table once;
//! a [`TourStream`] then draws tours on several threads and returns them in an order that depends only on the
//! seed.
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
//! A [`Count`] computes the exact number of tours without listing them, and then checks the result.
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
//! [`verify`] turns a list of squares into a tour. A tour can be drawn as an SVG, PDF, PNG or GIF, many tours on a
//! sheet.
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
//! A module uses only modules above it in this table.
//!
//! | module | contents |
//! |---|---|
//! | [`numerals`] | formatting of numbers for people |
//! | [`durable`] | files that are written completely or not at all |
//! | [`error`] | kinds of errors, and hints that each interface words in its own way |
//! | [`board`] | squares, boards, leapers, symmetries, graphs, graph files and generators |
//! | [`tour`] | the verifier, notations, packing, canonical forms, classification of tours |
//! | [`problem`] | goals and ends, and theorems that settle a problem without a search |
//! | [`draw`] | pictures of boards, tours, sheets and charts |
//! | [`search`] | the solver interface, runs, budgets, threads, parameters, measures |
//! | [`count`] | exact numbers of tours |
//! | [`uniform`] | tables from which exactly uniform tours are drawn |
//! | [`solvers`] | the algorithms, each in its own file or folder, and their registry |
//! | [`lab`] | find, enumerate, puzzle, curve, race, tune, bias, estimate, statistics, experiments |
//! | [`store`] | large jobs on disk, which can be resumed; sets of tours as Parquet files |
//!
//! # Features
//!
//! Both features are enabled by default. Without them, the library still searches, counts and samples, and it
//! has few dependencies.
//!
//! - `draw`: the module [`draw`], the HTML report of a race, and [`lab::experiment`].
//! - `store`: the module [`store`].
//!
//! # Glossary
//!
//! - *Tour*: a verified path that visits every square once, with a direction and a start square. It is
//!   *closed* if its last square is one move from its first.
//! - *Attempt*: one path that cannot be extended, either because it is a tour or because it is stuck. The
//!   papers count attempts in the same way. In a search that prunes, each pruned branch is also an attempt.
//! - *Move*: one step of the knight in a search. The number of moves is a measure of cost that does not
//!   depend on the machine.
//! - *Distinct tours*: the tours that remain after duplicates are removed.
//! - *Run*: one execution of a solver, with one seed and one budget. *Unit*: an independent part of a run
//!   with its own seed.

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
