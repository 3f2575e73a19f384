//! Theorems that decide a problem without a search.
//!
//! Published theorems settle the knight on full rectangles (`rectangles`); `narrow` adds a reason that can be
//! followed without the paper. Every other graph is checked for obstacles that rule out a tour (`obstacles`): missing
//! moves, separate components, unequal colour classes, cut vertices; then for forced moves that contradict each other
//! (`forced`) and for sets of squares whose removal leaves too many parts (`toughness`). Findings of these kinds
//! carry a [`Certificate`], and [`Evidence`] that can be drawn. [`known`] returns `Impossible` only with a proof and `Exists` only with a
//! theorem; problems that need a search are `Open`. [`facts`] summarises a graph.
//!
//! Sources: Schwenk (1991), closed tours of rectangles; Cull & De Curtins (1978) and Chia & Ong
//! (2005), open ones; Conrad, Hindrichs, Morsy & Wegener (1994), fixed ends on square boards; Knuth
//! (1994), connected leaper graphs; Pósa's colouring of boards with four rows, as given by Schwenk.
//!
//! Cost: constant for the knight on full rectangles of five rows or more, otherwise linear in
//! squares and moves, with 16 bytes per square. Limits: above [`EXAMINED`] squares only arithmetic
//! arguments are tried (colours, divisors, and degrees on boards without holes), so the verdict is
//! more often `Open`.

mod certificate;
mod degrees;
pub mod explain;
mod facts;
mod forced;
mod narrow;
mod obstacles;
mod rectangles;
mod toughness;
mod walk;

#[cfg(test)]
mod proofs;
#[cfg(test)]
mod reasons_tests;
#[cfg(test)]
mod tests;

pub use certificate::{Certificate, Evidence, ForcedCases, ForcedMoves, Part};
pub use facts::{Colours, Facts, facts};

use crate::board::Graph;
use crate::problem::Problem;
use serde::Serialize;
use std::fmt;

/// Number of squares, holes included, above which a graph is not traversed.
pub const EXAMINED: usize = 20_000_000;

/// A verdict without a search.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Existence {
    /// Proved: the problem has no solution.
    Impossible(Finding),
    /// Proved: the problem has a solution.
    Exists(Finding),
    /// Nothing is known.
    Open,
}

/// The reason for a verdict.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// Name of the theorem or argument, as in `Schwenk 1991`.
    pub theorem: &'static str,
    /// One sentence that names the board and its squares.
    pub reason: String,
    /// What a program needs to check the reason, if it is of that kind.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub certificate: Option<Box<Certificate>>,
    /// What the reason points at.
    #[serde(skip)]
    pub evidence: Evidence,
}

impl Finding {
    /// Creates a finding without a certificate.
    pub fn new(theorem: &'static str, reason: String) -> Finding {
        Finding { theorem, reason, certificate: None, evidence: Evidence::None }
    }

    /// Returns whether counts leave out the ends that it rules out. Forced moves and toughness are not used for
    /// that: the units of a job folder of counts are such ends, and folders written before they were tried must keep
    /// their units.
    pub(crate) fn settles_counts(&self) -> bool {
        ![forced::NAME, toughness::NAME].contains(&self.theorem)
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.reason, self.theorem)
    }
}

impl Existence {
    /// Returns the reason for the verdict, if there is one.
    pub fn finding(&self) -> Option<&Finding> {
        match self {
            Existence::Impossible(finding) | Existence::Exists(finding) => Some(finding),
            Existence::Open => None,
        }
    }

    /// Returns whether no tour can exist.
    pub fn is_impossible(&self) -> bool {
        matches!(self, Existence::Impossible(_))
    }

    fn impossible(theorem: &'static str, reason: String) -> Existence {
        Existence::Impossible(Finding::new(theorem, reason))
    }

    fn exists(theorem: &'static str, reason: String) -> Existence {
        Existence::Exists(Finding::new(theorem, reason))
    }
}

/// Decides a problem by theorems, without a search.
///
/// ```
/// use hippodrome::board::Board;
/// use hippodrome::board::Graph;
/// use hippodrome::problem::Problem;
/// use hippodrome::problem::theorems::known;
/// let board = Board::parse("5x5").unwrap();
/// assert!(known(&Problem::closed(Graph::knight(board))).is_impossible());
/// ```
pub fn known(problem: &Problem) -> Existence {
    judge(problem, None)
}

/// Decides a problem; reuses `walked`, an earlier walk from the graph's first square.
fn judge(problem: &Problem, walked: Option<&walk::Connectivity>) -> Existence {
    match without_constraints(problem, walked) {
        // A tour need not use the required moves.
        Existence::Exists(_) | Existence::Open if problem.is_constrained() => {
            let small = problem.graph().len() <= EXAMINED;
            let obstacle = if small { forced::find(problem) } else { None };
            obstacle.map_or(Existence::Open, Existence::Impossible)
        }
        verdict => verdict,
    }
}

/// The verdict on the same problem without required and forbidden moves.
fn without_constraints(problem: &Problem, walked: Option<&walk::Connectivity>) -> Existence {
    let graph = problem.graph();
    if let Some(verdict) = tiny(problem) {
        return verdict;
    }
    if let (true, Some(s), Some(e)) = (problem.is_closed(), problem.start(), problem.end())
        && !graph.adjacent(s, e)
    {
        let (s, e) = (graph.name(s), graph.name(e));
        let edge = edge_noun(graph);
        let reason = format!(
            "a closed tour returns to its start, but there is no {edge} between {e} and {s}"
        );
        return Existence::impossible("definition", reason);
    }
    if let Some(board) = knight_rectangle(graph) {
        return rectangles::known(board, problem);
    }
    obstacles::find(problem, walked).map_or(Existence::Open, Existence::Impossible)
}

/// Returns the board, if the graph is the knight's on a rectangle without holes.
pub(crate) fn knight_rectangle(graph: &Graph) -> Option<&crate::board::Board> {
    let knight = graph.piece().is_some_and(|piece| piece.is_knight());
    graph.board().filter(|board| knight && board.is_full())
}

/// Returns whether the knight has a closed tour of a board without holes (Schwenk 1991).
pub(crate) fn closes(board: &crate::board::Board) -> bool {
    let (rows, cols) = (board.rows(), board.cols());
    !rectangles::no_closed(rows.min(cols), rows.max(cols))
}

/// Returns the noun for a vertex of this graph: `square` or `vertex`.
fn noun(graph: &Graph) -> &'static str {
    if graph.board().is_some() { "square" } else { "vertex" }
}

/// Returns the noun for two adjacent vertices: `move` or `edge`.
fn edge_noun(graph: &Graph) -> &'static str {
    if graph.board().is_some() { "move" } else { "edge" }
}

/// Returns the plural of [`noun`].
fn nouns(graph: &Graph) -> &'static str {
    if graph.board().is_some() { "squares" } else { "vertices" }
}

/// Decides problems with one or two squares, which have only open tours.
fn tiny(problem: &Problem) -> Option<Existence> {
    let graph = problem.graph();
    let order = graph.order();
    if order > 2 {
        return None;
    }
    let mut vertices = graph.vertices();
    let (first, second) = (vertices.next()?, vertices.next());
    if problem.is_closed() {
        let nouns = nouns(graph);
        let reason =
            format!("a closed tour needs at least 3 {nouns}, and {graph} has only {order}");
        return Some(Existence::impossible("definition", reason));
    }
    let Some(second) = second else {
        let reason = format!("the only {} of {graph} is a tour by itself", noun(graph));
        return Some(Existence::exists("definition", reason));
    };
    let (a, b) = (graph.name(first), graph.name(second));
    Some(if graph.adjacent(first, second) {
        Existence::exists("definition", format!("the move {a} to {b} is a tour of {graph}"))
    } else {
        let (edge, (a, b)) = (edge_noun(graph), (a, b));
        Existence::impossible("connectivity", format!("there is no {edge} between {a} and {b}"))
    })
}
