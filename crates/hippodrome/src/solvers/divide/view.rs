//! The board as seen by the snake: mirrored, or with rows and columns exchanged.

use super::block::Coord;
use super::cuts::parts;
use super::snake::mirrored;
use crate::board::{Board, Square};

/// The transformation of a board before it is divided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct View {
    /// Whether the board is mirrored vertically, and whether it is mirrored horizontally.
    pub(super) flip: (bool, bool),
    /// Whether rows and columns are then exchanged.
    pub(super) tilted: bool,
}

impl View {
    /// Returns the default view. A snake needs at least two blocks per row, so a board with one
    /// column of blocks is tilted.
    pub(super) fn of(board: &Board) -> View {
        let tilted = parts(board.cols()) == 1;
        View { flip: (false, false), tilted }
    }

    /// Returns whether the view has at least two blocks per row, or is a single block.
    pub(super) fn is_usable(self, board: &Board) -> bool {
        let (rows, cols) = self.size(board);
        parts(cols) > 1 || parts(rows) == 1
    }

    /// Returns all four mirror images.
    pub(super) fn mirrors(tilted: bool) -> impl Iterator<Item = View> {
        let flips = [(false, false), (true, true), (true, false), (false, true)];
        flips.into_iter().map(move |flip| View { flip, tilted })
    }

    /// Returns the number of rows and columns in the view.
    pub(super) fn size(self, board: &Board) -> (u32, u32) {
        let (rows, cols) = (board.rows(), board.cols());
        if self.tilted { (cols, rows) } else { (rows, cols) }
    }

    /// Returns the cell of a square in the view.
    pub(super) fn cell(self, board: &Board, square: Square) -> Coord {
        let cell = (board.row(square), board.col(square));
        let (row, col) = mirrored(cell, (board.rows(), board.cols()), self.flip);
        if self.tilted { (col, row) } else { (row, col) }
    }

    /// Returns the square at a cell of the view.
    pub(super) fn square(self, board: &Board, (row, col): Coord) -> Square {
        let cell = if self.tilted { (col, row) } else { (row, col) };
        let (row, col) = mirrored(cell, (board.rows(), board.cols()), self.flip);
        board.at(row, col)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_view_shows_every_square_once() {
        let board = Board::new(3, 5).unwrap();
        let views = View::mirrors(false).chain(View::mirrors(true));
        let mut corners: Vec<_> = views
            .map(|view| {
                let (rows, cols) = view.size(&board);
                for square in Square::below(15) {
                    let cell = view.cell(&board, square);
                    assert!(cell.0 < rows && cell.1 < cols);
                    assert_eq!(view.square(&board, cell), square);
                }
                (view.square(&board, (0, 0)), view.square(&board, (0, 1)))
            })
            .collect();
        corners.sort_unstable();
        corners.dedup();
        assert_eq!(corners.len(), 8);
    }
}
