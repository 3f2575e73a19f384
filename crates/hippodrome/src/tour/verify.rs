//! The independent verifier: decides whether a list of squares is a tour.
//!
//! It shares no code with the solvers. The only function of the graph that it uses is
//! [`Graph::adjacent`], which compares rows and columns instead of using move lists. On boards without holes,
//! a quick pass compares them itself; if a list fails, a slower pass locates the error. Cost: one pass, a few
//! nanoseconds per square.
//!
//! On boards of at most 64 squares, adjacency is tabulated once, and the set of visited squares is one word.
//! A step adds its square to this set only if a move leads there from the previous square. So a list with as
//! many entries as there are squares is a tour exactly if the set is complete at the end. Searches that claim
//! millions of tours record their path step by step as a [`Trail`], which examines each step once for all
//! tours that share it.

use super::{Tour, Verified};
use crate::board::{Graph, Square};
use fixedbitset::FixedBitSet;
use std::borrow::Cow;
use thiserror::Error;

/// The reason why a list of squares is not a tour. Steps are counted from 1; the start square is step 1.
#[derive(Error, Debug, Clone, PartialEq, Eq)]
pub enum TourFault {
    /// A number in the list belongs to a hole or to no square.
    #[error("step {step}: {square} is not a square of {graph}")]
    NotASquare {
        /// Position in the list, counting from 1.
        step: usize,
        /// The name of the square.
        square: String,
        /// The name of the graph.
        graph: String,
    },
    /// No move joins two consecutive squares.
    #[error("step {step}: {from} to {to} is not a move")]
    NotAMove {
        /// Position of the second square, counting from 1.
        step: usize,
        /// The name of the first square.
        from: String,
        /// The name of the second square.
        to: String,
    },
    /// A square is visited twice.
    #[error("step {step}: {square} was visited before, at step {earlier}")]
    Repeat {
        /// Position of the second visit, counting from 1.
        step: usize,
        /// The name of the square.
        square: String,
        /// Position of the first visit, counting from 1.
        earlier: usize,
    },
    /// Some squares are not visited.
    #[error(
        "after step {step} (at {square}) the tour ends, but {missing} of {order} squares are not visited"
    )]
    Short {
        /// Number of squares in the list.
        step: usize,
        /// The name of the last square in the list.
        square: String,
        /// Number of squares that are not visited.
        missing: usize,
        /// Number of squares in the graph.
        order: usize,
    },
    /// The trail belongs to a different graph.
    #[error("the path belongs to another graph")]
    Foreign,
    /// The list is empty.
    #[error("an empty list is not a tour")]
    Empty,
}

/// Decides whether `squares` is a tour of `graph`; returns the tour, or the first fault.
pub fn verify(graph: &Graph, squares: Vec<Square>) -> Result<Tour, TourFault> {
    let closed = examine(graph, &squares)?;
    Ok(Tour { graph: graph.clone(), squares, closed })
}

/// Examines a list quickly, on boards without holes; returns `Some(closed)` if it is a tour. A list visits
/// all squares if it has as many entries as the board has squares, none of them off the board and none twice.
fn accepts(graph: &Graph, squares: &[Square]) -> Option<bool> {
    let (board, piece) = (graph.board()?, graph.piece()?);
    if !board.is_full() || squares.len() != board.len() || squares.len() < 3 {
        return None;
    }
    let mut seen = vec![0u64; board.len().div_ceil(64)];
    let (mut row, mut col) = (board.row(squares[0]), board.col(squares[0]));
    let mut wrong = false;
    for (index, &square) in squares.iter().enumerate() {
        if square.index() >= board.len() {
            return None;
        }
        let (word, bit) = (&mut seen[square.index() / 64], 1 << (square.index() % 64));
        wrong |= *word & bit != 0;
        *word |= bit;
        let (from_row, from_col) = (row, col);
        (row, col) = (board.row(square), board.col(square));
        wrong |= index > 0 && !piece.leaps(row.abs_diff(from_row), col.abs_diff(from_col));
    }
    (!wrong).then(|| graph.adjacent(squares[squares.len() - 1], squares[0]))
}

/// Examines a list in one pass, then the move from its last square to its first; returns whether the tour is
/// closed.
fn examine(graph: &Graph, squares: &[Square]) -> Result<bool, TourFault> {
    if let Some(closed) = accepts(graph, squares) {
        return Ok(closed);
    }
    let mut seen = FixedBitSet::with_capacity(graph.len());
    let mut previous = None;
    for (index, &square) in squares.iter().enumerate() {
        let step = index + 1;
        if !graph.has(square) {
            let (square, graph) = (graph.name(square), graph.to_string());
            return Err(TourFault::NotASquare { step, square, graph });
        }
        if seen.put(square.index()) {
            let earlier = squares.iter().position(|&s| s == square).map_or(0, |i| i + 1);
            return Err(TourFault::Repeat { step, square: graph.name(square), earlier });
        }
        if let Some(from) = previous.filter(|&p| !graph.adjacent(p, square)) {
            return Err(TourFault::NotAMove {
                step,
                from: graph.name(from),
                to: graph.name(square),
            });
        }
        previous = Some(square);
    }
    let last = previous.ok_or(TourFault::Empty)?;
    if squares.len() < graph.order() {
        return Err(TourFault::Short {
            step: squares.len(),
            square: graph.name(last),
            missing: graph.order() - squares.len(),
            order: graph.order(),
        });
    }
    Ok(squares.len() > 2 && graph.adjacent(last, squares[0]))
}

/// A verifier for many lists of squares on one graph.
pub struct Verifier {
    graph: Graph,
    small: Option<Box<SmallAdjacency>>,
}

/// The adjacency of a graph whose vertex numbers are below 64.
#[derive(Clone)]
struct SmallAdjacency {
    /// The set of neighbours of each square; [`NOWHERE`] is adjacent to every square.
    attacks: [u64; 128],
    /// The set of all squares.
    all: u64,
    /// Number of squares.
    order: usize,
}

/// The position before the first square; no square has this number.
const NOWHERE: usize = 64;

impl SmallAdjacency {
    fn new(graph: &Graph) -> Option<SmallAdjacency> {
        if graph.len() > NOWHERE || graph.order() < 3 {
            return None;
        }
        let squares = Square::below(graph.len());
        let mut small = SmallAdjacency { attacks: [0; 128], all: 0, order: graph.order() };
        for u in squares.clone().filter(|&u| graph.has(u)) {
            small.all |= 1 << u.index();
            for v in squares.clone().filter(|&v| graph.adjacent(u, v)) {
                small.attacks[u.index()] |= 1 << v.index();
            }
        }
        small.attacks[NOWHERE] = small.all;
        Some(small)
    }

    /// Returns `Some(closed)` if the list is a tour.
    fn accepts(&self, squares: &[Square]) -> Option<bool> {
        if squares.len() != self.order {
            return None;
        }
        let (mut reached, mut from, mut numbers) = (0, NOWHERE, 0);
        for &square in squares {
            numbers |= square.index();
            let square = square.index() % NOWHERE;
            reached |= self.attacks[from] & (1 << square);
            from = square;
        }
        // Numbers from 64 on would have been confused with smaller ones.
        let valid = reached == self.all && numbers < NOWHERE;
        valid.then(|| self.attacks[from] >> squares[0].index() & 1 == 1)
    }
}

/// A path that is recorded and examined step by step.
#[derive(Clone)]
pub struct Trail {
    graph: Graph,
    small: SmallAdjacency,
    /// The position [`NOWHERE`], followed by the squares of the path.
    squares: [Square; 65],
    /// The set of squares visited before each step; see the module documentation.
    reached: [u64; 65],
    len: usize,
}

impl Trail {
    /// Creates an empty trail; returns `None` if a vertex number is 64 or more, or if the graph is too small
    /// to benefit.
    pub fn new(graph: &Graph) -> Option<Trail> {
        let small = SmallAdjacency::new(graph)?;
        Some(Trail {
            graph: graph.clone(),
            small,
            squares: [Square::from_index(NOWHERE); 65],
            reached: [0; 65],
            len: 0,
        })
    }

    /// Sets the square at `index`, counting from 0, and discards everything after it. A step that would leave
    /// a gap empties the trail, so the squares in a trail were always recorded in order.
    #[inline(always)]
    pub fn step(&mut self, index: usize, square: usize) {
        let (index, square) = (index & 63, square & 63);
        let from = self.squares[index].index() & 127;
        self.reached[index + 1] = self.reached[index] | self.small.attacks[from] & (1 << square);
        self.squares[index + 1] = Square::from_index(square);
        self.len = if index <= self.len { index + 1 } else { 0 };
    }

    /// Returns the squares recorded so far.
    pub fn squares(&self) -> &[Square] {
        &self.squares[1..=self.len]
    }

    /// Returns whether the trail belongs to this graph or a clone of it.
    #[inline]
    pub fn lies_on(&self, graph: &Graph) -> bool {
        self.graph.is(graph)
    }

    /// Returns the tour that the trail describes, if it is a tour.
    #[inline]
    pub fn tour(&self) -> Result<Verified<'_>, TourFault> {
        let squares = self.squares();
        if self.len != self.small.order || self.reached[self.len] != self.small.all {
            return examine(&self.graph, squares).and(Err(TourFault::Empty));
        }
        let last = squares[squares.len() - 1].index() & 63;
        let closed = self.small.attacks[last] >> squares[0].index() & 1 == 1;
        Ok(Verified { graph: &self.graph, squares: Cow::Borrowed(squares), closed })
    }
}

impl Verifier {
    /// Creates a verifier for one graph.
    pub fn new(graph: &Graph) -> Verifier {
        Verifier { graph: graph.clone(), small: SmallAdjacency::new(graph).map(Box::new) }
    }

    /// Decides whether `squares` is a tour; returns the verified tour, or the fault.
    pub fn check<'a>(&'a self, squares: Cow<'a, [Square]>) -> Result<Verified<'a>, TourFault> {
        let known = self.small.as_ref().and_then(|small| small.accepts(&squares));
        let closed = match known {
            Some(closed) => closed,
            None => examine(&self.graph, &squares)?,
        };
        Ok(Verified { graph: &self.graph, squares, closed })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board;

    fn graph(board: &str) -> Graph {
        Graph::knight(Board::parse(board).unwrap())
    }

    fn some_tour(graph: &Graph) -> Vec<Square> {
        fn go(g: &Graph, path: &mut Vec<Square>) -> bool {
            if path.len() == g.order() {
                return true;
            }
            let here = path[path.len() - 1];
            g.neighbours(here).any(|next| {
                !path.contains(&next) && {
                    path.push(next);
                    go(g, path) || path.pop().is_none()
                }
            })
        }
        graph
            .vertices()
            .find_map(|s| {
                let mut path = vec![s];
                go(graph, &mut path).then_some(path)
            })
            .unwrap()
    }

    #[test]
    fn faults_name_the_step_and_the_square() {
        let g = graph("3x4");
        let tour = some_tour(&g);
        assert!(verify(&g, tour.clone()).is_ok());
        let fault = |squares: Vec<Square>| verify(&g, squares).unwrap_err();
        assert_eq!(fault(vec![]), TourFault::Empty);
        let mut short = tour.clone();
        short.pop();
        assert!(matches!(fault(short), TourFault::Short { step: 11, missing: 1, .. }));
        let mut twice = tour.clone();
        twice[11] = twice[9];
        assert!(matches!(fault(twice), TourFault::Repeat { step: 12, earlier: 10, .. }));
        let mut far = tour.clone();
        far[0] = Square::new(99);
        assert!(matches!(fault(far), TourFault::NotASquare { step: 1, .. }));
        assert_eq!(
            fault(vec![Square::new(0), Square::new(1)]).to_string(),
            "step 2: a1 to b1 is not a move"
        );
        let mut long = tour.clone();
        long.push(tour[0]);
        assert!(matches!(
            fault(long),
            TourFault::Repeat { step: 13, .. } | TourFault::NotAMove { .. }
        ));
    }

    #[test]
    fn quick_and_plain_pass_agree_after_changing_one_square() {
        let g = graph("5x6");
        let holed =
            Graph::knight(Board::parse("5x7").unwrap().with_holes([6].map(Square::new)).unwrap());
        let tour = some_tour(&g);
        assert_eq!(accepts(&g, &tour), Some(g.adjacent(tour[0], tour[29])));
        assert_eq!(accepts(&holed, &tour), None);
        for at in 0..30 {
            for square in Square::below(32).filter(|&s| s != tour[at]) {
                let mut wrong = tour.clone();
                wrong[at] = square;
                assert_eq!(accepts(&g, &wrong), None);
                assert!(verify(&g, wrong).is_err());
            }
            let mut swapped = tour.clone();
            swapped.swap(at, (at + 7) % 30);
            assert_eq!(accepts(&g, &swapped).is_some(), verify(&g, swapped).is_ok());
        }
        assert_eq!(accepts(&g, &tour[..29]), None);
    }

    #[test]
    fn a_single_square_is_a_tour() {
        let g = graph("1x1");
        assert!(!verify(&g, vec![Square::new(0)]).unwrap().is_closed());
    }

    #[test]
    fn two_adjacent_squares_have_only_an_open_tour() {
        let g = Graph::leaper(Board::parse("1x2").unwrap(), "0,1".parse().unwrap());
        assert!(!verify(&g, vec![Square::new(0), Square::new(1)]).unwrap().is_closed());
    }
}
