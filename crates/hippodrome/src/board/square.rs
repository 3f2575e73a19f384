//! Squares as numbers.

use serde::Serialize;

/// A square of a board, identified by its number, or a vertex of a graph that has no board.
///
/// This is a separate type so that a count, step or table index is never mistaken for a square. It supports
/// no arithmetic: the board computes rows and columns ([`Board::row`](crate::board::Board::row)). It
/// serializes as its number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize)]
#[repr(transparent)]
pub struct Square(u32);

impl Square {
    /// Creates the square with the given number, which may be off the board.
    #[inline]
    pub const fn new(number: u32) -> Square {
        Square(number)
    }

    /// Creates the square for an index into a table with one entry per square.
    #[inline]
    pub const fn from_index(index: usize) -> Square {
        debug_assert!(index <= u32::MAX as usize);
        Square(index as u32)
    }

    /// Returns the squares with numbers below `count`, in ascending order.
    #[inline]
    pub fn below(
        count: usize,
    ) -> impl DoubleEndedIterator<Item = Square> + ExactSizeIterator + Clone {
        (0..count as u32).map(Square)
    }

    /// Returns the number of the square.
    #[inline]
    pub const fn number(self) -> u32 {
        self.0
    }

    /// Returns the index of the square into a table with one entry per square.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_square_has_the_size_and_order_of_its_number() {
        assert_eq!(size_of::<Square>(), size_of::<u32>());
        assert!(Square::new(9) < Square::new(10) && Square::from_index(7) == Square::new(7));
        assert_eq!((Square::new(u32::MAX).number(), Square::new(3).index()), (u32::MAX, 3));
    }
}
