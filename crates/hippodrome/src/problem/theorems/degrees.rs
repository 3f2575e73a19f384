//! Degrees on full boards, in time that does not depend on their size.
//!
//! The number of ways in which a leaper can move by d along a column depends only on whether d ≤ row
//! and whether row + d < rows. So for k distances d the rows form at most 2k + 1 runs of equivalent
//! rows, and the columns likewise. All squares in a block (a run of rows times a run of columns) have
//! the same degree, so one square per block is examined. Cost: for p pairs (a,b) at most (4p + 1)²
//! blocks, with p steps each.

use crate::board::{Board, Leaper, Square};

/// A block of squares with the same degree.
pub(super) struct DegreeBlock {
    /// Degree of each square.
    pub(super) degree: u32,
    /// Number of squares.
    pub(super) squares: u64,
    /// The lowest, leftmost square.
    pub(super) first: Square,
}

/// Returns the first row (or column) of each run of equivalent ones, with the length of the run.
fn runs(side: u32, leaper: &Leaper) -> Vec<(u32, u64)> {
    let distances = leaper.pairs().iter().flat_map(|&(a, b)| [a, b]).filter(|&d| d < side);
    let mut cuts: Vec<u32> = distances.flat_map(|d| [d, side - d]).chain([0, side]).collect();
    cuts.sort_unstable();
    cuts.dedup();
    cuts.windows(2).map(|pair| (pair[0], u64::from(pair[1] - pair[0]))).collect()
}

/// Counts the directions (0 to 2) in which a step by `distance` stays on the board.
fn ways(place: u32, side: u32, distance: u32) -> u32 {
    u32::from(distance <= place) + u32::from(distance < side - place)
}

/// Returns the blocks of a board without holes.
pub(super) fn blocks(board: &Board, leaper: &Leaper) -> Vec<DegreeBlock> {
    let (rows, cols) = (board.rows(), board.cols());
    let columns = runs(cols, leaper);
    let mut blocks = Vec::new();
    for (row, high) in runs(rows, leaper) {
        for &(col, wide) in &columns {
            let up = |d| ways(row, rows, d);
            let right = |d| ways(col, cols, d);
            let moves = |&(a, b): &(u32, u32)| match (a, b) {
                (0, b) => up(b) + right(b),
                (a, b) if a == b => up(a) * right(a),
                (a, b) => up(a) * right(b) + up(b) * right(a),
            };
            let degree = leaper.pairs().iter().map(moves).sum();
            blocks.push(DegreeBlock { degree, squares: high * wide, first: board.at(row, col) });
        }
    }
    blocks
}
