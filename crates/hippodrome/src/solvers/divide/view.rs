//! A board as the snake sees it: mirrored, or with rows and columns exchanged.

use super::block::Coord;
use super::cuts::parts;
use super::snake::mirrored;
use crate::board::{Board, Square};

/// What is done to a board before it is cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct View {
    /// Whether it is turned upside down, and left to right.
    pub(super) flip: (bool, bool),
    /// Whether its rows become columns after that.
    pub(super) tilted: bool,
}

impl View {
    /// Returns a snake climbs at the end of a row, so it needs a row to go along; a board of one
    /// column of blocks is tilted.
    pub(super) fn of(board: &Board) -> View {
        let tilted = parts(board.cols()) == 1;
        View { flip: (false, false), tilted }
    }

    /// Returns whether there is a row to go along, or nowhere to go.
    pub(super) fn serves(self, board: &Board) -> bool {
        let (rows, cols) = self.size(board);
        parts(cols) > 1 || parts(rows) == 1
    }

    /// Returns all four mirror images.
    pub(super) fn mirrors(tilted: bool) -> impl Iterator<Item = View> {
        let flips = [(false, false), (true, true), (true, false), (false, true)];
        flips.into_iter().map(move |flip| View { flip, tilted })
    }

    /// Rows and columns as seen.
    pub(super) fn size(self, board: &Board) -> (u32, u32) {
        let (rows, cols) = (board.rows(), board.cols());
        if self.tilted { (cols, rows) } else { (rows, cols) }
    }

    /// Where a square is seen.
    pub(super) fn cell(self, board: &Board, square: Square) -> Coord {
        let cell = (board.row(square), board.col(square));
        let (row, col) = mirrored(cell, (board.rows(), board.cols()), self.flip);
        if self.tilted { (col, row) } else { (row, col) }
    }

    /// Returns the square that is seen at a cell.
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
