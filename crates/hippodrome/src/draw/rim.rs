//! Holes outside the shape of a board: those connected to its rim through holes.
//!
//! They are left blank, so that a board cut out of a rectangle shows its shape; other holes are hatched.

use crate::board::{Board, Square};
use fixedbitset::FixedBitSet;

/// The holes of a board that lie outside its shape.
pub(super) struct Rim(FixedBitSet);

impl Rim {
    /// Finds the holes connected to the rim by sides. Cost: proportional to the number of squares, if there are holes.
    pub(super) fn of(board: &Board) -> Rim {
        if board.is_full() {
            return Rim(FixedBitSet::new());
        }
        let mut outside = FixedBitSet::with_capacity(board.len());
        let (rows, cols) = (board.rows(), board.cols());
        let at_rim = |s: &Square| {
            let (row, col) = (board.row(*s), board.col(*s));
            row == 0 || col == 0 || row + 1 == rows || col + 1 == cols
        };
        let mut open: Vec<Square> = board.holes().filter(at_rim).collect();
        open.iter().for_each(|s| outside.insert(s.index()));
        while let Some(square) = open.pop() {
            let (row, col) = (board.row(square), board.col(square));
            let beside = [(-1, 0), (1, 0), (0, -1), (0, 1)].map(|(up, right)| {
                let row = row.checked_add_signed(up).filter(|&r| r < rows)?;
                let col = col.checked_add_signed(right).filter(|&c| c < cols)?;
                Some(board.at(row, col))
            });
            for next in beside.into_iter().flatten().filter(|&s| !board.has(s)) {
                if !outside.put(next.index()) {
                    open.push(next);
                }
            }
        }
        Rim(outside)
    }

    /// Returns whether a square is outside the shape.
    pub(super) fn has(&self, square: Square) -> bool {
        self.0.contains(square.index())
    }

    /// Returns whether no square is outside the shape.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_clear()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_holes_that_the_rim_reaches_are_outside() {
        let board = Board::from_mask("##...\n#...#\n..#..\n.....\n.#...").unwrap();
        let rim = Rim::of(&board);
        let outside: Vec<String> =
            board.holes().filter(|&s| rim.has(s)).map(|s| board.name(s)).collect();
        assert_eq!(outside, ["b1", "a4", "e4", "a5", "b5"]);
        assert!(Rim::of(&Board::parse("5x5").unwrap()).is_empty());
    }
}
