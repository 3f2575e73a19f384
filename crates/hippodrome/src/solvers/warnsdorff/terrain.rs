//! The board during a walk: keeps the number of free neighbours of every place up to date.
//!
//! A leaper's board gets a border as wide as its reach, so that a move is one addition without a
//! test for the edge:
//!
//! ```text
//!     # # # # # # #
//!     # # # # # # #        # blocked: border, hole, or visited
//!     # # 2 1 2 # #        a number: free places a move away
//!     # # 2 2 2 # #
//!     # # # # # # #
//!     # # # # # # #
//! ```

use crate::board::{Graph, Square};
use crate::solvers::move_order::ordered;

/// A number of free neighbours, or the mark of a blocked place.
pub(super) trait OnwardCount: Copy + Ord + Into<u32> {
    /// Mark of a blocked place; greater than any number of neighbours.
    const BLOCKED: Self;
    /// Adds one.
    fn up(&mut self);
    /// Subtracts one.
    fn down(&mut self);
}

macro_rules! count {
    ($($int:ty),*) => {$(
        impl OnwardCount for $int {
            const BLOCKED: $int = <$int>::MAX;
            fn up(&mut self) {
                *self += 1
            }
            fn down(&mut self) {
                *self -= 1
            }
        }
    )*};
}
count!(u8, u32);

/// Places, their neighbours in the move order, and the initial counts.
pub(super) trait Terrain {
    /// Type of the counts.
    type Count: OnwardCount;
    /// Returns the counts before the first move, one per place.
    fn counts(&self) -> Vec<Self::Count>;
    /// Returns the number of squares that a tour visits.
    fn order(&self) -> usize;
    /// Returns the place of a square.
    fn place(&self, square: Square) -> usize;
    /// Returns the square at a place.
    fn square(&self, place: usize) -> Square;
    /// Returns all neighbours of a place in the move order; some may be blocked from the start.
    fn near(&self, place: usize) -> impl Iterator<Item = usize> + '_;
}

/// Blocks a place, so that it no longer counts as a free neighbour.
#[inline]
pub(super) fn enter<T: Terrain>(terrain: &T, counts: &mut [T::Count], place: usize) {
    counts[place] = T::Count::BLOCKED;
    for next in terrain.near(place) {
        if counts[next] != T::Count::BLOCKED {
            counts[next].down();
        }
    }
}

/// Undoes [`enter`]; `count` is the count of the place before [`enter`].
pub(super) fn leave<T: Terrain>(
    terrain: &T,
    counts: &mut [T::Count],
    place: usize,
    count: T::Count,
) {
    counts[place] = count;
    for next in terrain.near(place) {
        if counts[next] != T::Count::BLOCKED {
            counts[next].up();
        }
    }
}

/// A leaper's board with a border.
pub(super) struct PaddedTerrain {
    graph: Graph,
    cols: usize,
    reach: usize,
    width: usize,
    jumps: Vec<isize>,
}

impl PaddedTerrain {
    /// Creates the padded board; `None` unless the piece is a leaper with fewer than 255 moves and
    /// the border is small enough.
    pub(super) fn new(graph: &Graph, sequence: &[usize]) -> Option<PaddedTerrain> {
        let (board, piece) = (graph.board()?, graph.piece()?);
        let (reach, cols) = (piece.reach() as usize, board.cols() as usize);
        let width = cols + 2 * reach;
        let padded = width * (board.rows() as usize + 2 * reach);
        // The border is at most three times the board plus 4096 places. Chosen by hand.
        if piece.moves().len() >= 255 || padded > 4 * board.len() + 4096 {
            return None;
        }
        let jump = |&code: &usize| {
            let (up, right) = piece.moves()[code];
            up as isize * width as isize + right as isize
        };
        let jumps = sequence.iter().map(jump).collect();
        Some(PaddedTerrain { graph: graph.clone(), cols, reach, width, jumps })
    }
}

impl Terrain for PaddedTerrain {
    type Count = u8;

    fn counts(&self) -> Vec<u8> {
        let rows = self.graph.len() / self.cols;
        let mut counts = vec![u8::BLOCKED; self.width * (rows + 2 * self.reach)];
        let full = self.graph.order() == self.graph.len();
        let row_of = |row: usize| (row + self.reach) * self.width + self.reach;
        for row in 0..rows {
            let line = &mut counts[row_of(row)..][..self.cols];
            if full {
                line.fill(0);
                continue;
            }
            for (count, square) in line.iter_mut().zip(row * self.cols..) {
                if self.graph.has(Square::from_index(square)) {
                    *count = 0;
                }
            }
        }
        for row in 0..rows {
            // On a full board, all rows whose moves do not reach an edge are equal.
            if full && (self.reach + 1..rows.saturating_sub(self.reach)).contains(&row) {
                let above = row_of(row - 1);
                counts.copy_within(above..above + self.cols, above + self.width);
                continue;
            }
            for place in row_of(row)..row_of(row) + self.cols {
                if counts[place] != u8::BLOCKED {
                    let free = self.near(place).filter(|&n| counts[n] != u8::BLOCKED).count();
                    counts[place] = free as u8;
                }
            }
        }
        counts
    }

    fn order(&self) -> usize {
        self.graph.order()
    }

    fn place(&self, square: Square) -> usize {
        let (row, col) = (square.index() / self.cols, square.index() % self.cols);
        (row + self.reach) * self.width + col + self.reach
    }

    #[inline]
    fn square(&self, place: usize) -> Square {
        // A padded board may have more than 2^32 places. 32-bit division is faster, so it is used
        // where possible.
        let (row, col) = match u32::try_from(place) {
            Ok(place) => {
                ((place / self.width as u32) as usize, (place % self.width as u32) as usize)
            }
            Err(_) => (place / self.width, place % self.width),
        };
        Square::from_index((row - self.reach) * self.cols + col - self.reach)
    }

    #[inline]
    fn near(&self, place: usize) -> impl Iterator<Item = usize> + '_ {
        self.jumps.iter().map(move |&jump| place.wrapping_add_signed(jump))
    }
}

/// Any graph, without padding.
pub(super) struct PlainTerrain<'g> {
    graph: &'g Graph,
    sequence: &'g [usize],
}

impl<'g> PlainTerrain<'g> {
    pub(super) fn new(graph: &'g Graph, sequence: &'g [usize]) -> PlainTerrain<'g> {
        PlainTerrain { graph, sequence }
    }
}

impl Terrain for PlainTerrain<'_> {
    type Count = u32;

    fn counts(&self) -> Vec<u32> {
        let count = |v| if self.graph.has(v) { self.graph.degree(v) as u32 } else { u32::BLOCKED };
        Square::below(self.graph.len()).map(count).collect()
    }

    fn order(&self) -> usize {
        self.graph.order()
    }

    fn place(&self, square: Square) -> usize {
        square.index()
    }

    fn square(&self, place: usize) -> Square {
        Square::from_index(place)
    }

    fn near(&self, place: usize) -> impl Iterator<Item = usize> + '_ {
        ordered(self.graph, self.sequence, Square::from_index(place)).map(Square::index)
    }
}
