//! A problem: a graph, a goal (open or closed tours), fixed or free ends, and required or forbidden
//! moves.

mod constraints;
pub mod theorems;

pub use constraints::Edge;

use self::constraints::Constraints;
use crate::board::{Graph, Square};
use crate::error::{Argument, Diagnostic, Remedy};
use crate::tour::{Canon, Distinct, Verified};
use std::sync::Arc;
use thiserror::Error;

/// The kind of tour that a problem asks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Goal {
    /// Any tour, including closed ones.
    Open,
    /// Only closed tours: the last square attacks the first.
    Closed,
}

/// The input of a solver: graph, goal and fixed ends.
#[derive(Clone, Debug)]
pub struct Problem {
    graph: Graph,
    goal: Goal,
    start: Option<Square>,
    end: Option<Square>,
    /// Possible start squares; `None` for every square.
    from: Option<Arc<Vec<Square>>>,
    /// Required and forbidden moves, if there are any.
    constraints: Option<Arc<Constraints>>,
}

/// Number of squares above which start squares that fit a given end are not listed.
const LISTED_UP_TO: usize = 1 << 20;

/// The possible start squares of a tour, in order.
#[derive(Clone, Debug)]
pub enum Starts {
    /// The first n squares.
    First(usize),
    /// The listed squares.
    Listed(Vec<Square>),
}

impl Starts {
    /// Returns the number of start squares.
    pub fn count(&self) -> u64 {
        match self {
            Starts::First(count) => *count as u64,
            Starts::Listed(squares) => squares.len() as u64,
        }
    }

    /// Iterates over the start squares.
    pub fn iter(&self) -> impl Iterator<Item = Square> + '_ {
        (0..).map_while(|index| self.get(index))
    }

    /// Returns the start square at an index, if there is one.
    pub fn get(&self, index: u64) -> Option<Square> {
        match self {
            Starts::First(count) => (index < *count as u64).then_some(Square::new(index as u32)),
            Starts::Listed(squares) => squares.get(usize::try_from(index).ok()?).copied(),
        }
    }
}

/// An invalid combination of ends or of required and forbidden moves.
#[derive(Error, Debug, Clone, PartialEq, Eq)]
pub enum ProblemError {
    /// Start and end are the same square.
    #[error(
        "start and end are both {0}, but a tour of more than one square starts and ends on different squares"
    )]
    SameEnds(String),
    /// An end that is not a vertex.
    #[error("there is no vertex number {n} in {1}; name one of its vertices", n = .0.number())]
    NoVertex(Square, String),
    /// A required or forbidden move that the graph does not have.
    #[error("there is no move from {0} to {1} on {2}; require and forbid only moves that exist")]
    NoMove(String, String, String),
    /// A move that is both required and forbidden.
    #[error("the move {0} to {1} is both required and forbidden")]
    RequiredAndForbidden(String, String),
    /// Three required moves at one vertex.
    #[error(
        "the moves from {0} to {a}, {b} and {c} are required, but a tour uses at most two moves of a square",
        a = .1[0], b = .1[1], c = .1[2]
    )]
    ThreeRequired(String, [String; 3]),
}

impl Diagnostic for ProblemError {
    fn remedies(&self) -> Vec<Remedy> {
        match self {
            ProblemError::SameEnds(_) => {
                vec![Remedy::Change(vec![Argument::Start, Argument::End])]
            }
            ProblemError::NoVertex(..)
            | ProblemError::NoMove(..)
            | ProblemError::RequiredAndForbidden(..)
            | ProblemError::ThreeRequired(..) => Vec::new(),
        }
    }
}

impl Problem {
    /// Creates a problem with free or fixed ends.
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
            _ => {
                let from = match (start, end) {
                    (Some(start), _) => Some(vec![start]),
                    (None, Some(end)) => leading_to(&graph, goal, end),
                    (None, None) => None,
                };
                let from = from.map(Arc::new);
                Ok(Problem { graph, goal, start, end, from, constraints: None })
            }
        }
    }

    /// Creates the problem of open tours with free ends.
    pub fn open(graph: Graph) -> Problem {
        Problem { graph, goal: Goal::Open, start: None, end: None, from: None, constraints: None }
    }

    /// Creates the problem of closed tours with free ends.
    pub fn closed(graph: Graph) -> Problem {
        Problem { graph, goal: Goal::Closed, start: None, end: None, from: None, constraints: None }
    }

    /// Returns the same problem with the start fixed.
    pub(crate) fn starting_at(&self, start: Square) -> Problem {
        Problem { start: Some(start), from: Some(Arc::new(vec![start])), ..self.clone() }
    }

    /// Creates the canonical forms of its tours.
    pub fn canon(&self, distinct: Distinct) -> Canon {
        Canon::new(distinct, &self.graph, self.is_closed())
    }

    /// Returns the graph.
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// Returns whether the problem asks for closed tours only.
    pub fn is_closed(&self) -> bool {
        self.goal == Goal::Closed
    }

    /// Returns the fixed first square, if any.
    pub fn start(&self) -> Option<Square> {
        self.start
    }

    /// Returns the fixed last square, if any.
    pub fn end(&self) -> Option<Square> {
        self.end
    }

    /// Returns the number of possible start squares.
    pub fn start_count(&self) -> usize {
        self.from.as_ref().map_or(self.graph.order(), |from| from.len())
    }

    /// Returns the possible start squares, in order. If the end is fixed, this excludes the end and
    /// squares of the wrong colour; for closed tours only neighbours of the end are possible.
    pub fn starts(&self) -> Starts {
        match &self.from {
            Some(from) => Starts::Listed(from.to_vec()),
            None if self.graph.order() == self.graph.len() => Starts::First(self.graph.len()),
            None => Starts::Listed(self.graph.vertices().collect()),
        }
    }

    /// Returns whether a tour solves this problem: it is closed if required, its ends match, and it
    /// uses every required move and no forbidden one.
    #[inline]
    pub fn admits(&self, tour: &Verified<'_>) -> bool {
        let squares = tour.squares();
        (self.goal == Goal::Open || tour.is_closed())
            && self.start.is_none_or(|s| squares[0] == s)
            && self.end.is_none_or(|e| squares[squares.len() - 1] == e)
            && self.constraints.as_ref().is_none_or(|c| c.admit(squares, self.is_closed()))
    }
}

/// Lists the squares from which colours and neighbours allow a tour to `end`. `None` if they exclude
/// every square, which the theorems report, or if the board is too large for a list.
fn leading_to(graph: &Graph, goal: Goal, end: Square) -> Option<Vec<Square>> {
    let order = graph.order();
    if order == 1 || order > LISTED_UP_TO {
        return None;
    }
    let colours = colours(graph, end);
    // Colours alternate along a tour, so its ends have the same colour if the order is odd.
    let wanted = order.is_multiple_of(2);
    let fits = |&v: &Square| {
        v != end
            && colours.as_ref().is_none_or(|colour| colour[v.index()] == Some(wanted))
            && (goal == Goal::Open || graph.adjacent(v, end))
    };
    let from: Vec<Square> = graph.vertices().filter(fits).collect();
    (!from.is_empty()).then_some(from)
}

/// Returns, for each square, whether its colour differs from that of `root`, if every move changes colour.
fn colours(graph: &Graph, root: Square) -> Option<Vec<Option<bool>>> {
    let mut colour = vec![None; graph.len()];
    colour[root.index()] = Some(false);
    let mut reached = vec![root];
    while let Some(v) = reached.pop() {
        let next = colour[v.index()].map(|other| !other);
        for w in graph.neighbours(v) {
            if colour[w.index()].is_none() {
                colour[w.index()] = next;
                reached.push(w);
            } else if colour[w.index()] != next {
                return None;
            }
        }
    }
    Some(colour)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Board, Leaper};

    /// Returns whether a path can be extended to `end` over all remaining squares.
    fn leads(graph: &Graph, path: &mut Vec<Square>, end: Square) -> bool {
        let here = path[path.len() - 1];
        if path.len() == graph.order() {
            return here == end;
        }
        graph.neighbours(here).any(|next| {
            let free = !path.contains(&next);
            if free {
                path.push(next);
            }
            let found = free && leads(graph, path, end);
            if free {
                path.pop();
            }
            found
        })
    }

    #[test]
    fn every_start_of_a_tour_to_the_end_is_listed() {
        let (mut left_out, mut tours) = (0, 0);
        for (size, piece) in
            [("3x4", "1,2"), ("4x5", "1,2"), ("3x7", "1,2"), ("3x3", "0,1"), ("2x4", "0,1+1,1")]
        {
            let board = Board::parse(size).unwrap();
            let graph = Graph::leaper(board, piece.parse::<Leaper>().unwrap());
            for end in graph.vertices() {
                for goal in [Goal::Open, Goal::Closed] {
                    let problem = Problem::new(graph.clone(), goal, None, Some(end)).unwrap();
                    let starts: Vec<Square> = problem.starts().iter().collect();
                    assert_eq!(problem.start_count(), starts.len());
                    for start in graph.vertices().filter(|&v| v != end) {
                        let closes = goal == Goal::Open || graph.adjacent(start, end);
                        let tour = closes && leads(&graph, &mut vec![start], end);
                        assert!(!tour || starts.contains(&start), "{size}: {start:?} to {end:?}");
                        left_out += usize::from(!starts.contains(&start));
                        tours += usize::from(tour);
                    }
                }
            }
        }
        assert!(left_out > 100 && tours > 50, "{left_out} left out, {tours} tours");
    }
}
