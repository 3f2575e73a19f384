//! Divides a board into blocks, each with a separate network.

use super::net::BoardNetwork;
use crate::board::Board;

/// Smallest side of a block: narrower blocks may have no 2-factor. Chosen by hand.
const LEAST: u32 = 6;

/// Returns the number of blocks of `side` along a length.
fn bands(length: u32, side: u32) -> u32 {
    (length / side.max(LEAST)).max(1)
}

/// Returns whether a board is divided into more than one block.
pub(super) fn cuts(board: &Board, side: u32) -> bool {
    side > 0 && bands(board.rows(), side) * bands(board.cols(), side) > 1
}

/// Returns the band of each row or column. Bands begin at even numbers.
fn bands_of(length: u32, side: u32) -> Vec<usize> {
    let bands = u64::from(bands(length, side));
    let bound = |band: u64| band * u64::from(length) / bands / 2 * 2;
    let mut band = 0;
    let next = |at: u32| {
        if band + 1 < bands && u64::from(at) >= bound(band + 1) {
            band += 1;
        }
        band as usize
    };
    (0..length).map(next).collect()
}

/// Returns the vertices of each block. A block has at least `side` rows and columns; it has an odd
/// number of squares only if the board does.
pub(super) fn blocks(field: &BoardNetwork, board: &Board, side: u32) -> Vec<Vec<u32>> {
    let (rows, cols) = (bands_of(board.rows(), side), bands_of(board.cols(), side));
    let across = bands(board.cols(), side) as usize;
    let mut blocks = vec![Vec::new(); across * bands(board.rows(), side) as usize];
    for (v, &square) in field.squares.iter().enumerate() {
        let row = rows[board.row(square) as usize];
        blocks[row * across + cols[board.col(square) as usize]].push(v as u32);
    }
    blocks
}
