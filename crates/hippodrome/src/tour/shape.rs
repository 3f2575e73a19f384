//! The shape of a tour's line: how often it turns, and how often it crosses itself.

use super::Verified;
use crate::board::{Board, Square};

/// The numbers of turns and crossings of a tour's line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LineShape {
    /// Number of squares at which the line changes direction; in a closed tour, these may include the ends.
    pub turns: u64,
    /// Number of pairs of moves that cross at an interior point.
    pub crossings: u64,
}

/// A move as a line segment, given by its ends as (row, column), the lower end first.
type Segment = [(i64, i64); 2];

// Defined next to its result, `LineShape`.
impl Verified<'_> {
    /// Returns the shape of the tour's line, including the closing move; `None` on graphs without a board.
    /// Moves that only touch or overlap do not count as crossing.
    pub fn shape(&self) -> Option<LineShape> {
        let board = self.graph().board()?;
        let places: Vec<(i64, i64)> = self.squares().iter().map(|&s| place(board, s)).collect();
        let ends = if self.is_closed() { 2 } else { 0 };
        let ring: Vec<_> =
            places.iter().copied().chain(places.iter().copied().take(ends)).collect();
        let step = |w: &[(i64, i64)]| (w[1].0 - w[0].0, w[1].1 - w[0].1);
        let turns = ring.windows(3).filter(|w| step(&w[..2]) != step(&w[1..])).count() as u64;
        let moves = ring.windows(2).take(places.len() - usize::from(!self.is_closed()));
        let mut segments: Vec<Segment> = moves.map(|w| [w[0].min(w[1]), w[0].max(w[1])]).collect();
        segments.sort_unstable();
        Some(LineShape { turns, crossings: crossings(&segments) })
    }
}

fn place(board: &Board, square: Square) -> (i64, i64) {
    (i64::from(board.row(square)), i64::from(board.col(square)))
}

/// Counts the pairs of segments that cross. The segments are sorted by their lower ends, and only those whose
/// rows overlap are compared.
fn crossings(segments: &[Segment]) -> u64 {
    let mut count = 0;
    for (index, one) in segments.iter().enumerate() {
        let near = segments[index + 1..].iter().take_while(|other| other[0].0 < one[1].0);
        count += near.filter(|other| cross(one, other)).count() as u64;
    }
    count
}

/// Returns on which side of the line from `a` to `b` a point lies.
fn side([a, b]: &Segment, p: (i64, i64)) -> i64 {
    ((b.0 - a.0) * (p.1 - a.1) - (b.1 - a.1) * (p.0 - a.0)).signum()
}

fn cross(one: &Segment, other: &Segment) -> bool {
    side(one, other[0]) * side(one, other[1]) < 0 && side(other, one[0]) * side(other, one[1]) < 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Graph;
    use crate::tour::{Tour, verify};

    fn tour(board: &str, piece: &str, names: &str) -> Tour {
        let board = Board::parse(board).unwrap();
        let squares: Vec<Square> =
            names.split(' ').map(|name| board.square(name).unwrap()).collect();
        verify(&Graph::leaper(board, piece.parse().unwrap()), squares).unwrap()
    }

    #[test]
    fn a_ring_of_a_wazir_turns_at_its_corners_and_never_crosses() {
        let ring = tour("2x3", "0,1", "a1 b1 c1 c2 b2 a2");
        assert_eq!(ring.view().shape(), Some(LineShape { turns: 4, crossings: 0 }));
        let path = tour("2x3", "0,1", "b1 a1 a2 b2 c2 c1");
        assert_eq!(path.view().shape(), Some(LineShape { turns: 4, crossings: 0 }));
    }

    #[test]
    fn the_crossings_of_a_3x4_tour_agree_with_all_pairs() {
        let tour = tour("3x4", "1,2", "a1 c2 a3 b1 d2 b3 c1 a2 c3 d1 b2 d3");
        let view = tour.view();
        let at: Vec<_> =
            tour.squares().iter().map(|&s| place(tour.graph().board().unwrap(), s)).collect();
        let segments: Vec<Segment> = at.windows(2).map(|w| [w[0], w[1]]).collect();
        let pairs = (0..segments.len()).flat_map(|i| (0..i).map(move |j| (i, j)));
        let expected = pairs.filter(|&(i, j)| cross(&segments[i], &segments[j])).count() as u64;
        assert!(expected > 5, "{expected}");
        assert_eq!(view.shape().map(|s| s.crossings), Some(expected));
    }

    #[test]
    fn two_moves_cross_only_between_their_ends() {
        let (rising, falling) = ([(0, 0), (2, 1)], [(0, 1), (2, 0)]);
        assert!(cross(&rising, &falling));
        assert!(!cross(&rising, &[(2, 1), (4, 0)]), "they share an end");
        assert!(!cross(&[(0, 0), (0, 2)], &[(0, 1), (0, 3)]), "they lie on each other");
        assert!(!cross(&rising, &[(0, 2), (2, 3)]), "they run side by side");
    }
}
