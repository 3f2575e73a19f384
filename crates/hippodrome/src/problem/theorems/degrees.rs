//! Degrees on full boards, in time that does not depend on their size.
//!
//! How many ways a leaper can move by d along a column depends on the row only through d ≤ row and
//! row + d < rows, so rows fall into at most 2k + 1 runs of equal behaviour for k distances d; the
//! same for columns. One square stands for each run of rows times run of columns. Cost: for p pairs
//! (a,b) at most (4p + 1)² blocks, each p steps.

use crate::board::{Board, Leaper, Square};

/// Squares of one degree that form a block, and one of them.
pub(super) struct DegreeBlock {
    /// How many moves each has.
    pub(super) degree: u32,
    /// How many squares there are.
    pub(super) squares: u64,
    /// The lowest, leftmost of them.
    pub(super) first: Square,
}

/// Starts of the runs of equal rows (or columns), with their lengths.
fn runs(side: u32, leaper: &Leaper) -> Vec<(u32, u64)> {
    let distances = leaper.pairs().iter().flat_map(|&(a, b)| [a, b]).filter(|&d| d < side);
    let mut cuts: Vec<u32> = distances.flat_map(|d| [d, side - d]).chain([0, side]).collect();
    cuts.sort_unstable();
    cuts.dedup();
    cuts.windows(2).map(|pair| (pair[0], u64::from(pair[1] - pair[0]))).collect()
}

/// In how many of the two directions a step by `distance` stays on a side.
fn ways(place: u32, side: u32, distance: u32) -> u32 {
    u32::from(distance <= place) + u32::from(distance < side - place)
}

/// The blocks of a board without holes.
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
