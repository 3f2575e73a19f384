//! Random closed tours that a half-turn of the board maps to themselves.
//!
//! A walk by Warnsdorff's rule with random ties marks each square together with its half-turn image, so it
//! chooses half a tour. Its other half is the image of the first: either it follows the first half (`p[i + n/2]`
//! is the image of `p[i]`), or it is the first half backwards (`p[n-1-i]` is the image of `p[i]`), which needs
//! moves between squares and their own images. If the ends of a walk do not fit, Pósa's rotations change its
//! last square until they do. The tours are not uniform. Cost: milliseconds on 8x8, a fraction of a second on
//! 60x60.

use crate::board::{Graph, Square, Symmetry};
use crate::tour::{Tour, verify};
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// Maximum number of rotations per square that try to close a walk.
const ROTATIONS: usize = 4;

/// How the second half of a tour follows from the first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum SecondHalf {
    /// The image of the first half.
    Image,
    /// The image of the first half, backwards.
    Backwards,
}

/// A stream of random closed tours with half-turn symmetry.
pub struct HalfTurnTours {
    graph: Graph,
    /// The image of each square.
    image: Vec<Square>,
    /// Squares that are a move away from their own image.
    central: Vec<Square>,
    rng: Xoshiro256PlusPlus,
}

impl HalfTurnTours {
    /// Returns the tours of a board without holes; `None` for other graphs, and if the number of squares is
    /// odd.
    pub fn new(graph: &Graph, seed: u64) -> Option<HalfTurnTours> {
        let board = graph.board().filter(|board| board.is_full())?;
        if !board.len().is_multiple_of(2) {
            return None;
        }
        let image: Vec<Square> =
            graph.vertices().map(|v| Symmetry::HalfTurn.apply(board, v)).collect();
        let central = graph.vertices().filter(|&v| graph.adjacent(v, image[v.index()])).collect();
        let rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        Some(HalfTurnTours { graph: graph.clone(), image, central, rng })
    }

    /// Returns the next tour. `stop` is called before each walk; if it returns true, the search ends.
    pub fn next_tour(&mut self, mut stop: impl FnMut() -> bool) -> Option<Tour> {
        let mut second = SecondHalf::Image;
        while !stop() {
            if let Some(half) = self.half(second) {
                let tour = verify(&self.graph, self.whole(&half, second)).ok()?;
                debug_assert!(tour.view().symmetries().contains(&Symmetry::HalfTurn));
                return Some(tour);
            }
            second = match second {
                SecondHalf::Image if !self.central.is_empty() => SecondHalf::Backwards,
                _ => SecondHalf::Image,
            };
        }
        None
    }

    fn image(&self, v: Square) -> Square {
        self.image[v.index()]
    }

    /// Chooses half a tour; `None` if this walk cannot be closed.
    fn half(&mut self, second: SecondHalf) -> Option<Vec<Square>> {
        let start = match second {
            SecondHalf::Image => Square::new(self.rng.random_range(0..self.graph.len() as u32)),
            SecondHalf::Backwards => *self.central.choose(&mut self.rng)?,
        };
        let mut path = self.walk(start)?;
        // Where each square or its image is on the path.
        let mut place = vec![0; self.graph.len()];
        let mut near = Vec::new();
        for _ in 0..ROTATIONS * self.graph.len() {
            if self.closes(&path, second) {
                return Some(path);
            }
            for (at, &v) in path.iter().enumerate() {
                (place[v.index()], place[self.image(v).index()]) = (at, at);
            }
            let last = path.len() - 1;
            near.clear();
            near.extend(self.graph.neighbours(path[last]));
            let joined = *near.choose(&mut self.rng)?;
            let at = place[joined.index()];
            if at == last {
                continue;
            }
            // The part after the joined square is reversed, and turned if the move leads to its image.
            let turned = path[at] != joined;
            path[at + 1..].reverse();
            if turned {
                for square in &mut path[at + 1..] {
                    *square = self.image[square.index()];
                }
            }
        }
        None
    }

    /// Walks from a square until half of all squares are chosen; `None` in a dead end.
    fn walk(&mut self, start: Square) -> Option<Vec<Square>> {
        let mut taken = vec![false; self.graph.len()];
        let mut path = vec![start];
        let mut least = Vec::new();
        for _ in 1..self.graph.len() / 2 {
            let here = path[path.len() - 1];
            taken[here.index()] = true;
            taken[self.image(here).index()] = true;
            let free = |&v: &Square| !taken[v.index()];
            let mut fewest = usize::MAX;
            for next in self.graph.neighbours(here).filter(free) {
                let onward = self.graph.neighbours(next).filter(free).count();
                if onward < fewest {
                    fewest = onward;
                    least.clear();
                }
                if onward == fewest {
                    least.push(next);
                }
            }
            path.push(*least.choose(&mut self.rng)?);
            least.clear();
        }
        Some(path)
    }

    fn closes(&self, path: &[Square], second: SecondHalf) -> bool {
        let (first, last) = (path[0], path[path.len() - 1]);
        match second {
            SecondHalf::Image => self.graph.adjacent(last, self.image(first)),
            SecondHalf::Backwards => path.len() > 1 && self.graph.adjacent(last, self.image(last)),
        }
    }

    /// Returns both halves.
    fn whole(&self, half: &[Square], second: SecondHalf) -> Vec<Square> {
        let images = half.iter().map(|&v| self.image(v));
        match second {
            SecondHalf::Image => half.iter().copied().chain(images).collect(),
            SecondHalf::Backwards => half.iter().copied().chain(images.rev()).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board;
    use crate::tour::Distinct;
    use std::collections::BTreeSet;

    fn tours(board: &str, seed: u64) -> HalfTurnTours {
        HalfTurnTours::new(&Graph::knight(Board::parse(board).unwrap()), seed).unwrap()
    }

    #[test]
    fn every_tour_is_closed_and_keeps_the_half_turn() {
        for board in ["6x6", "8x8", "3x10", "5x8", "7x8", "6x9", "10x12", "30x30", "60x60"] {
            let mut tours = tours(board, 7);
            let mut walks = 0;
            let tour = tours.next_tour(|| {
                walks += 1;
                walks > 100_000
            });
            let tour = tour.unwrap_or_else(|| panic!("{board} has such tours"));
            assert!(tour.is_closed() && tour.classify().symmetry() != "none", "{board}");
            assert!(tour.view().symmetries().contains(&Symmetry::HalfTurn), "{board}");
        }
    }

    #[test]
    fn all_seventy_eight_diagrams_of_6x6_are_found() {
        let mut tours = tours("6x6", 1);
        let mut canon = crate::tour::Canon::new(Distinct::Cycle, &tours.graph.clone(), true);
        let mut seen = BTreeSet::new();
        for _ in 0..20_000 {
            let tour = tours.next_tour(|| false).unwrap();
            seen.insert(canon.form(&tour.view()).to_vec());
        }
        // The number was computed twice, by enumeration and by counting.
        assert_eq!(seen.len(), 78);
    }

    #[test]
    fn a_seed_gives_the_same_tours_and_a_board_without_tours_gives_none() {
        let first = |seed| tours("8x8", seed).next_tour(|| false).unwrap().squares().to_vec();
        assert_eq!(first(3), first(3));
        assert_ne!(first(3), first(4));
        let mut walks = 0;
        let none = tours("4x6", 1).next_tour(|| {
            walks += 1;
            walks > 500
        });
        assert!(none.is_none());
        let holes = Board::parse("6x6").unwrap();
        let hole = holes.square("a1").unwrap();
        let holes = Graph::knight(holes.with_holes([hole]).unwrap());
        assert!(HalfTurnTours::new(&holes, 1).is_none());
        let odd = Graph::knight(Board::parse("5x5").unwrap());
        assert!(HalfTurnTours::new(&odd, 1).is_none());
    }
}
