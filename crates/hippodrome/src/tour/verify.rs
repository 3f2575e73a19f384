//! The independent verifier: decides whether a list of squares is a tour.
//!
//! It shares no code with the solvers and asks the graph one question only, [`Graph::adjacent`],
//! which computes from row and column differences and not from move lists. Cost: one pass. On
//! boards of at most 64 squares the adjacency is tabled once: a list as long as the board has squares
//! is a tour exactly if it runs through all of them, by legal moves.

use super::{Tour, Verified};
use crate::board::Square;
use crate::graph::Graph;
use fixedbitset::FixedBitSet;
use std::borrow::Cow;
use thiserror::Error;

/// Why a list of squares is not a tour. Steps count from 1, the start square being step 1.
#[derive(Error, Debug, Clone, PartialEq, Eq)]
pub enum Fault {
    /// A number or hole in place of a square.
    #[error("step {step}: {square} is not a square of {graph}")]
    NotASquare {
        /// Position in the list, from 1.
        step: usize,
        /// Name of the square.
        square: String,
        /// The graph.
        graph: String,
    },
    /// Two squares that are no move apart.
    #[error("step {step}: {from} to {to} is not a move")]
    NotAMove {
        /// Position of the second square, from 1.
        step: usize,
        /// The square left.
        from: String,
        /// The square reached.
        to: String,
    },
    /// A square visited again.
    #[error("step {step}: {square} was visited before, at step {earlier}")]
    Repeat {
        /// Position of the second visit, from 1.
        step: usize,
        /// Name of the square.
        square: String,
        /// Position of the first visit, from 1.
        earlier: usize,
    },
    /// Squares left over.
    #[error(
        "after step {step} (at {square}) the tour ends, but {missing} of {order} squares are not visited"
    )]
    Short {
        /// Length of the list.
        step: usize,
        /// Name of its last square.
        square: String,
        /// How many are missing.
        missing: usize,
        /// How many there are.
        order: usize,
    },
    /// No squares at all.
    #[error("an empty list is not a tour")]
    Empty,
}

/// Decides whether `squares` is a tour of `graph` and, if so, makes it one.
pub fn verify(graph: &Graph, squares: Vec<Square>) -> Result<Tour, Fault> {
    let closed = examine(graph, &squares)?;
    Ok(Tour { graph: graph.clone(), squares, closed })
}

/// The plain examination: one pass, then the closing move. Says whether the tour is closed.
fn examine(graph: &Graph, squares: &[Square]) -> Result<bool, Fault> {
    let mut seen = FixedBitSet::with_capacity(graph.len());
    let mut previous = None;
    for (index, &square) in squares.iter().enumerate() {
        let step = index + 1;
        if !graph.has(square) {
            let (square, graph) = (graph.name(square), graph.to_string());
            return Err(Fault::NotASquare { step, square, graph });
        }
        if seen.put(square as usize) {
            let earlier = squares.iter().position(|&s| s == square).map_or(0, |i| i + 1);
            return Err(Fault::Repeat { step, square: graph.name(square), earlier });
        }
        if let Some(from) = previous.filter(|&p| !graph.adjacent(p, square)) {
            return Err(Fault::NotAMove { step, from: graph.name(from), to: graph.name(square) });
        }
        previous = Some(square);
    }
    let last = previous.ok_or(Fault::Empty)?;
    if squares.len() < graph.order() {
        return Err(Fault::Short {
            step: squares.len(),
            square: graph.name(last),
            missing: graph.order() - squares.len(),
            order: graph.order(),
        });
    }
    Ok(squares.len() > 2 && graph.adjacent(last, squares[0]))
}

/// Verifies many lists on one graph.
pub struct Verifier {
    graph: Graph,
    small: Option<Box<Small>>,
}

/// Tables for graphs numbered below 64.
struct Small {
    /// Squares attacked from each square.
    attacks: [u64; 64],
    /// All squares.
    all: u64,
}

impl Verifier {
    /// A verifier for one graph.
    pub fn new(graph: &Graph) -> Verifier {
        let squares = 0..graph.len() as Square;
        let small = (graph.len() <= 64).then(|| {
            let mut attacks = [0; 64];
            for u in squares.clone() {
                for v in squares.clone().filter(|&v| graph.adjacent(u, v)) {
                    attacks[u as usize] |= 1 << v;
                }
            }
            let all = graph.vertices().fold(0, |set, v| set | 1 << v);
            Box::new(Small { attacks, all })
        });
        Verifier { graph: graph.clone(), small }
    }

    /// Decides whether `squares` is a tour.
    pub fn check<'a>(&'a mut self, squares: Cow<'a, [Square]>) -> Result<Verified<'a>, Fault> {
        let known = self.small.as_ref().and_then(|small| small.accepts(&squares));
        let closed = match known {
            Some(closed) => closed,
            None => examine(&self.graph, &squares)?,
        };
        Ok(Verified { graph: &self.graph, squares, closed })
    }
}

impl Small {
    /// `Some(closed)` if the list is a tour; `None` if it is not, or a short one.
    fn accepts(&self, squares: &[Square]) -> Option<bool> {
        let (&first, rest) = squares.split_first().filter(|(_, rest)| rest.len() > 1)?;
        if squares.len() != self.all.count_ones() as usize || first >= 64 {
            return None;
        }
        let (mut seen, mut legal, mut largest, mut from) = (1u64 << first, u64::MAX, 0, first);
        for &square in rest {
            legal &= self.attacks[from as usize & 63] >> (square & 63);
            seen |= 1 << (square & 63);
            largest |= square;
            from = square;
        }
        // As many squares as there are, and all of them seen: each exactly once.
        if legal & 1 == 0 || largest > 63 || seen != self.all {
            return None;
        }
        Some(self.attacks[from as usize & 63] >> first & 1 == 1)
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
        assert_eq!(fault(vec![]), Fault::Empty);
        let mut short = tour.clone();
        short.pop();
        assert!(matches!(fault(short), Fault::Short { step: 11, missing: 1, .. }));
        let mut twice = tour.clone();
        twice[11] = twice[9];
        assert!(matches!(fault(twice), Fault::Repeat { step: 12, earlier: 10, .. }));
        let mut far = tour.clone();
        far[0] = 99;
        assert!(matches!(fault(far), Fault::NotASquare { step: 1, .. }));
        assert_eq!(fault(vec![0, 1]).to_string(), "step 2: a1 to b1 is not a move");
        let mut long = tour.clone();
        long.push(tour[0]);
        assert!(matches!(fault(long), Fault::Repeat { step: 13, .. } | Fault::NotAMove { .. }));
    }

    #[test]
    fn a_square_next_to_nothing_is_a_tour_of_one() {
        let g = graph("1x1");
        assert!(!verify(&g, vec![0]).unwrap().is_closed());
    }

    #[test]
    fn two_squares_joined_are_an_open_tour_only() {
        let g = Graph::leaper(Board::parse("1x2").unwrap(), "0,1".parse().unwrap());
        assert!(!verify(&g, vec![0, 1]).unwrap().is_closed());
    }
}
