//! A problem: a graph, whether the tour must close, and which ends are fixed.

use crate::board::Square;
use crate::graph::Graph;
use crate::tour::Verified;
use thiserror::Error;

/// Whether the knight must end where it can return to its start.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Goal {
    /// Any tour; re-entrant ones count too.
    Open,
    /// Only tours whose last square attacks their first.
    Closed,
}

/// What is asked of a solver.
#[derive(Clone, Debug)]
pub struct Problem {
    graph: Graph,
    goal: Goal,
    start: Option<Square>,
    end: Option<Square>,
}

/// The squares a tour may start from, in order. A list of all squares of a large board is not made.
#[derive(Clone, Debug)]
pub enum Starts {
    /// So many squares from number 0 on.
    First(usize),
    /// These.
    Listed(Vec<Square>),
}

impl Starts {
    /// How many there are.
    pub fn count(&self) -> u64 {
        match self {
            Starts::First(count) => *count as u64,
            Starts::Listed(squares) => squares.len() as u64,
        }
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = Square> + '_ {
        (0..).map_while(|index| self.get(index))
    }

    /// The one at an index, if there is one.
    pub fn get(&self, index: u64) -> Option<Square> {
        match self {
            Starts::First(count) => (index < *count as u64).then_some(index as Square),
            Starts::Listed(squares) => squares.get(usize::try_from(index).ok()?).copied(),
        }
    }
}

/// What can be wrong with a problem.
#[derive(Error, Debug, Clone, PartialEq, Eq)]
pub enum ProblemError {
    /// Start and end on one square.
    #[error(
        "start and end are both {0}; a tour of more than one square ends elsewhere, so change --start or --end"
    )]
    SameEnds(String),
    /// An end that is no vertex.
    #[error("vertex number {0} is not part of {1}; name one that is")]
    NoVertex(Square, String),
}

impl Problem {
    /// A problem with free or fixed ends.
    pub fn new(
        graph: Graph,
        goal: Goal,
        start: Option<Square>,
        end: Option<Square>,
    ) -> Result<Problem, ProblemError> {
        if let Some(&v) = [start, end].iter().flatten().find(|&&v| !graph.has(v)) {
            return Err(ProblemError::NoVertex(v, graph.to_string()));
        }
        match start {
            Some(s) if start == end && graph.order() > 1 => {
                Err(ProblemError::SameEnds(graph.name(s)))
            }
            _ => Ok(Problem { graph, goal, start, end }),
        }
    }

    /// Open tours from anywhere to anywhere.
    pub fn open(graph: Graph) -> Problem {
        Problem { graph, goal: Goal::Open, start: None, end: None }
    }

    /// Closed tours, beginning anywhere.
    pub fn closed(graph: Graph) -> Problem {
        Problem { graph, goal: Goal::Closed, start: None, end: None }
    }

    /// The same problem with the start fixed.
    pub(crate) fn starting_at(&self, start: Square) -> Problem {
        Problem { start: Some(start), ..self.clone() }
    }

    /// The graph.
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// Whether only closed tours are wanted.
    pub fn is_closed(&self) -> bool {
        self.goal == Goal::Closed
    }

    /// The fixed first square.
    pub fn start(&self) -> Option<Square> {
        self.start
    }

    /// The fixed last square.
    pub fn end(&self) -> Option<Square> {
        self.end
    }

    /// Number of squares a tour may start from.
    pub fn start_count(&self) -> usize {
        if self.start.is_some() { 1 } else { self.graph.order() }
    }

    /// The squares a tour may start from, in order.
    pub fn starts(&self) -> Starts {
        match self.start {
            Some(s) => Starts::Listed(vec![s]),
            None if self.graph.order() == self.graph.len() => Starts::First(self.graph.len()),
            None => Starts::Listed(self.graph.vertices().collect()),
        }
    }

    /// Whether a tour answers this problem: it is closed where that is asked, and its ends fit.
    #[inline]
    pub fn admits(&self, tour: &Verified<'_>) -> bool {
        let squares = tour.squares();
        (self.goal == Goal::Open || tour.is_closed())
            && self.start.is_none_or(|s| squares[0] == s)
            && self.end.is_none_or(|e| squares[squares.len() - 1] == e)
    }
}
