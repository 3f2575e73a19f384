//! Puzzles: a board with some numbers of a tour, and exactly one way to complete them.
//!
//! A random tour is drawn with the seed. Beginning with all its numbers as clues, numbers are taken
//! away in a random order, each unless a second solution appears. That is one search per number:
//! as the clues before had one solution, a second one has this number elsewhere. If too many clues
//! remain, another order and another tour are tried, until the budget of search nodes is spent. At
//! the end one complete search from nothing but the clues proves that the solution is the only one;
//! its size in nodes is the difficulty.
//! Cost: one search per square and try; boards have at most [`MOST_SQUARES`] squares.

mod solve;
#[cfg(test)]
mod tests;

pub use solve::{ClueSet, Solutions};

use crate::board::{Graph, Square};
use crate::error::{Argument, Diagnostic, ErrorKind, Remedy};
use crate::lab::enumerate::EnumerateError;
use crate::lab::find::{Outcome, TourSearch};
use crate::problem::Problem;
use crate::problem::theorems::Finding;
use crate::search::{Budget, Control};
use crate::solvers::registry::Choice;
use crate::tour::{Tour, verify};
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use serde_json::{Value, json};
use std::sync::atomic::Ordering::Relaxed;
use thiserror::Error;

/// Squares of the largest puzzle. Chosen by hand: a board of 20x20 fills a page.
pub const MOST_SQUARES: usize = 400;
/// Nodes of the searches of one puzzle. Chosen by hand: some seconds on small boards.
pub const DEFAULT_NODES: u64 = 200_000;
/// Nodes of one search; a number whose removal needs more stays. Chosen by hand, as a share of the default budget.
const SEARCH_NODES: u64 = 2_000;
/// Orders in which the numbers of one tour are taken away, before another tour is drawn. Chosen by hand.
const ORDERS: u64 = 4;
/// Moves of the search for a tour. Chosen by hand: less than a second.
const TOUR_MOVES: u64 = 20_000_000;

/// A request for a puzzle.
#[derive(Clone, Debug)]
pub struct PuzzleSearch {
    /// Board and goal: open or closed tours.
    pub problem: Problem,
    /// Number of clues; `None` for as few as the first try leaves.
    pub clues: Option<usize>,
    /// Seed.
    pub seed: u64,
    /// Search nodes after which to give up.
    pub nodes: u64,
}

/// A puzzle: clues with exactly one solution.
#[derive(Clone, Debug)]
pub struct Puzzle {
    /// Numbers and their squares, ascending.
    pub clues: Vec<(usize, Square)>,
    /// The only solution.
    pub solution: Tour,
    /// Nodes of the complete search that proves it; 1 if no guess is needed.
    pub search: u64,
    /// Whether only closed tours are solutions.
    pub closed: bool,
}

/// How the search for a puzzle ended.
#[derive(Debug)]
pub enum PuzzleOutcome {
    /// A puzzle.
    Made(Box<Puzzle>),
    /// The board has no tour.
    Impossible(Finding),
    /// The budget is spent.
    Limit {
        /// The fewest clues with one solution that were found; `None` if no tour was found.
        fewest: Option<usize>,
    },
    /// Interrupted.
    Interrupted,
}

/// An invalid request.
#[derive(Error, Debug)]
pub enum PuzzleError {
    /// Too many squares.
    #[error("{graph} has {order} squares: a puzzle has at most {MOST_SQUARES}")]
    TooLarge {
        /// The board.
        graph: String,
        /// Its squares.
        order: usize,
    },
    /// A number of clues that the board does not have.
    #[error("invalid number of clues {asked}: expected a number from 1 to {order}")]
    Clues {
        /// The number asked for.
        asked: usize,
        /// Squares of the board.
        order: usize,
    },
    /// The search for a tour is not possible.
    #[error(transparent)]
    Enumerate(#[from] EnumerateError),
}

impl Diagnostic for PuzzleError {
    fn kind(&self) -> ErrorKind {
        match self {
            PuzzleError::TooLarge { .. } => ErrorKind::Unsupported,
            PuzzleError::Clues { .. } => ErrorKind::Invalid,
            PuzzleError::Enumerate(error) => error.kind(),
        }
    }

    fn remedies(&self) -> Vec<Remedy> {
        match self {
            PuzzleError::TooLarge { .. } => vec![Remedy::Do("try a smaller board")],
            PuzzleError::Clues { .. } => vec![Remedy::Change(vec![Argument::Clues])],
            PuzzleError::Enumerate(error) => error.remedies(),
        }
    }
}

impl PuzzleSearch {
    /// Makes a puzzle; the result depends on the request alone.
    pub fn run(&self, control: &Control) -> Result<PuzzleOutcome, PuzzleError> {
        let graph = self.problem.graph();
        let order = graph.order();
        if order > MOST_SQUARES {
            return Err(PuzzleError::TooLarge { graph: graph.to_string(), order });
        }
        if let Some(asked) = self.clues.filter(|asked| !(1..=order).contains(asked)) {
            return Err(PuzzleError::Clues { asked, order });
        }
        let mut nodes = self.nodes;
        let mut fewest = None;
        for round in 0.. {
            let mut rng = Xoshiro256PlusPlus::seed_from_u64(self.seed);
            (0..round).for_each(|_| rng.jump());
            let tour = match self.tour(&mut rng, control)? {
                Outcome::Found(tour) => *tour,
                Outcome::Impossible(finding) => return Ok(PuzzleOutcome::Impossible(finding)),
                Outcome::Limit => return Ok(PuzzleOutcome::Limit { fewest }),
                Outcome::Interrupted => return Ok(PuzzleOutcome::Interrupted),
            };
            for _ in 0..ORDERS {
                let mut clues = self.thinned(&tour, &mut nodes, &mut rng, control);
                if control.interrupt.load(Relaxed) {
                    return Ok(PuzzleOutcome::Interrupted);
                }
                fewest = Some(fewest.map_or(clues.len(), |few: usize| few.min(clues.len())));
                if self.clues.is_none_or(|asked| clues.len() <= asked)
                    && let Some(puzzle) = self.proved(&tour, &mut clues, control)
                {
                    return Ok(PuzzleOutcome::Made(Box::new(puzzle)));
                }
                if nodes == 0 {
                    return Ok(PuzzleOutcome::Limit { fewest });
                }
            }
        }
        Ok(PuzzleOutcome::Limit { fewest })
    }

    /// Draws a random tour.
    fn tour(
        &self,
        rng: &mut Xoshiro256PlusPlus,
        control: &Control,
    ) -> Result<Outcome, EnumerateError> {
        // The Markov chain mixes open tours well; closed ones are found by a randomized search.
        let choice = match self.problem.is_closed() {
            false => Choice::new("backbite", &[""; 0]).ok(),
            true => None,
        };
        let budget = Budget { moves: Some(TOUR_MOVES), ..Budget::UNLIMITED };
        let search = TourSearch {
            problem: self.problem.clone(),
            choice,
            seed: rng.random(),
            threads: 1,
            budget,
        };
        let found = search.run(control)?.outcome;
        match found {
            Outcome::Found(tour) if tour.is_closed() && self.problem.is_closed() => {
                let mut squares = tour.squares().to_vec();
                let turned = rng.random_range(0..squares.len());
                squares.rotate_left(turned);
                if rng.random_range(0..2) == 1 {
                    squares.reverse();
                }
                Ok(match verify(tour.graph(), squares) {
                    Ok(turned) => Outcome::Found(Box::new(turned)),
                    Err(_) => Outcome::Found(tour),
                })
            }
            found => Ok(found),
        }
    }

    /// Takes numbers away in a random order while the solution stays the only one, down to the clues asked for.
    fn thinned(
        &self,
        tour: &Tour,
        nodes: &mut u64,
        rng: &mut Xoshiro256PlusPlus,
        control: &Control,
    ) -> Vec<(usize, Square)> {
        let mut kept: Vec<(usize, Square)> = (1..).zip(tour.squares().iter().copied()).collect();
        let mut order = kept.clone();
        order.shuffle(rng);
        let asked = self.clues.unwrap_or(1).max(1);
        for removed in order {
            if kept.len() <= asked || control.interrupt.load(Relaxed) {
                break;
            }
            let clues: Vec<_> = kept.iter().copied().filter(|&clue| clue != removed).collect();
            let search = ClueSet::new(tour.graph(), self.problem.is_closed(), &clues);
            let limit = SEARCH_NODES.min(*nodes);
            let other =
                search.excluding(removed).count(1, limit, &|| control.interrupt.load(Relaxed));
            *nodes = nodes.saturating_sub(other.nodes);
            if other.complete && other.found.is_empty() {
                kept = clues;
            }
        }
        kept
    }

    /// Proves by a complete search that the clues have one solution.
    fn proved(
        &self,
        tour: &Tour,
        clues: &mut [(usize, Square)],
        control: &Control,
    ) -> Option<Puzzle> {
        clues.sort_unstable();
        let closed = self.problem.is_closed();
        let stop = || control.interrupt.load(Relaxed);
        let all = ClueSet::new(tour.graph(), closed, clues).count(2, self.nodes, &stop);
        let [only] = &all.found[..] else { return None };
        let solution = verify(tour.graph(), only.clone()).ok()?;
        let right = all.complete && solution.squares() == tour.squares();
        right.then(|| Puzzle { clues: clues.to_vec(), solution, search: all.nodes, closed })
    }
}

impl Puzzle {
    /// Returns the board.
    pub fn graph(&self) -> &Graph {
        self.solution.graph()
    }

    /// Returns the clues as texts in their squares.
    pub fn texts(&self) -> Vec<(Square, String)> {
        self.clues.iter().map(|&(number, square)| (square, number.to_string())).collect()
    }

    /// Returns what to do, in one sentence or two.
    pub fn instructions(&self) -> String {
        let order = self.solution.squares().len();
        let step = match self.graph().piece() {
            Some(piece) if piece.is_knight() => "a knight's move".into(),
            Some(piece) => format!("a {piece}-leaper's move"),
            None => "one edge".into(),
        };
        let close =
            if self.closed { format!(", and {order} and 1 as well") } else { String::new() };
        format!(
            "Fill in the numbers from 1 to {order}. Each number and the next are {step} apart{close}. There is one solution."
        )
    }

    /// Returns the difficulty in words.
    pub fn difficulty(&self) -> &'static str {
        match self.search {
            0..=1 => "no guess needed",
            2..=20 => "few guesses",
            21..=200 => "some guesses",
            _ => "many guesses",
        }
    }

    /// Returns the puzzle as JSON.
    pub fn describe(&self) -> Value {
        let graph = self.graph();
        let clues = self
            .clues
            .iter()
            .map(|(number, square)| (number.to_string(), json!(graph.name(*square))));
        let solution = self.solution.squares().iter().map(|&square| graph.name(square));
        let mut object = json!({
            "schema": 1, "board": Value::Null, "closed": self.closed,
            "clues": clues.collect::<serde_json::Map<_, _>>(),
            "solution": solution.collect::<Vec<_>>(), "search": self.search,
        });
        graph.describe_in(&mut object);
        object
    }
}
