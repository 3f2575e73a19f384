//! Cuts a board into blocks for networks of their own.

use super::net::Field;
use crate::board::Board;

/// Narrower blocks may have no cycles at all.
const LEAST: u32 = 6;

/// The vertices of each block, `side` rows and columns or a little more. Rows and columns are cut at
/// even numbers, so that a block has an odd number of squares only where the board has.
pub(super) fn blocks(field: &Field, board: &Board, side: u32) -> Vec<Vec<u32>> {
    let bands = |length: u32| (length / side.max(LEAST)).max(1);
    let band = |at: u32, length: u32| {
        let bands = bands(length);
        // The bounds are even: twice the rounded-down half of the even share.
        (1..bands).filter(|&b| at >= length * b / bands / 2 * 2).count()
    };
    let across = bands(board.cols()) as usize;
    let mut blocks = vec![Vec::new(); across * bands(board.rows()) as usize];
    for (v, &square) in field.squares.iter().enumerate() {
        let (row, col) =
            (band(board.row(square), board.rows()), band(board.col(square), board.cols()));
        blocks[row * across + col].push(v as u32);
    }
    blocks
}
