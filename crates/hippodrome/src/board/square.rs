//! The number of a square.

use serde::Serialize;

/// A square of a board by its number, or a vertex of a graph read from a file.
///
/// A type of its own, so that no count, step or position in a table passes for a square. It has no arithmetic: rows
/// and columns are the board's business ([`Board::row`](crate::board::Board::row)). In JSON it is its number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize)]
#[repr(transparent)]
pub struct Square(u32);

impl Square {
    /// The square with a number; whether a board has it is for the board to say.
    #[inline]
    pub const fn new(number: u32) -> Square {
        Square(number)
    }

    /// The square whose entry stands at `index` of a table with an entry per square.
    #[inline]
    pub const fn from_index(index: usize) -> Square {
        debug_assert!(index <= u32::MAX as usize);
        Square(index as u32)
    }

    /// The squares with the numbers below `count`, in order.
    #[inline]
    pub fn below(
        count: usize,
    ) -> impl DoubleEndedIterator<Item = Square> + ExactSizeIterator + Clone {
        (0..count as u32).map(Square)
    }

    /// Its number.
    #[inline]
    pub const fn number(self) -> u32 {
        self.0
    }

    /// Its place in a table with an entry per square.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_square_is_as_large_as_its_number_and_in_its_order() {
        assert_eq!(size_of::<Square>(), size_of::<u32>());
        assert!(Square::new(9) < Square::new(10) && Square::from_index(7) == Square::new(7));
        assert_eq!((Square::new(u32::MAX).number(), Square::new(3).index()), (u32::MAX, 3));
    }
}
