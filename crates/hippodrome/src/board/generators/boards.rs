//! The moves of king, queen, rook and bishop on a board.

use super::GraphSize;
use super::families::SizeResult;

/// Returns the size of a graph on a board for a number of edges.
fn sized(values: &[u64], edges: impl Fn(u128, u128) -> u128) -> SizeResult {
    let (rows, cols) = (u128::from(values[0]), u128::from(values[1]));
    if rows == 0 || cols == 0 {
        return Err("both sides must be at least 1");
    }
    Ok(GraphSize { vertices: rows * cols, edges: edges(rows, cols) })
}

/// Returns the edges from each square in given directions, up to a number of steps.
fn moves(values: &[u64], directions: &[(i64, i64)], reach: i64) -> Vec<(u32, u32)> {
    let (rows, cols) = (values[0] as i64, values[1] as i64);
    let mut edges = Vec::new();
    for square in 0..rows * cols {
        let (row, col) = (square / cols, square % cols);
        for &(up, right) in directions {
            let steps = (1..=reach).map(|n| (row + n * up, col + n * right));
            let inside = |&(row, col): &(i64, i64)| row < rows && (0..cols).contains(&col);
            let targets = steps.take_while(inside);
            edges.extend(targets.map(|(row, col)| (square as u32, (row * cols + col) as u32)));
        }
    }
    edges
}

const STRAIGHT: [(i64, i64); 2] = [(0, 1), (1, 0)];
const DIAGONAL: [(i64, i64); 2] = [(1, 1), (1, -1)];

pub(super) fn king_size(values: &[u64]) -> SizeResult {
    sized(values, |rows, cols| {
        let straight = (rows * (cols - 1)).saturating_add(cols * (rows - 1));
        straight.saturating_add(((rows - 1) * (cols - 1)).saturating_mul(2))
    })
}

pub(super) fn king(values: &[u64]) -> Vec<(u32, u32)> {
    moves(values, &[STRAIGHT, DIAGONAL].concat(), 1)
}

/// Pairs of squares in a line.
fn straight(rows: u128, cols: u128) -> u128 {
    (rows * cols).saturating_mul(rows + cols - 2) / 2
}

/// Pairs of squares on a diagonal: twice the sum of k (M - m + k) for k below the short side m.
fn diagonal(rows: u128, cols: u128) -> u128 {
    let (short, long) = (rows.min(cols), rows.max(cols));
    let pairs = short * (short - 1) / 2;
    let longer = (long - short).saturating_mul(pairs).saturating_mul(2);
    // 2 (m - 1) m (2m - 1) / 6.
    longer.saturating_add(pairs.saturating_mul(2 * (2 * short - 1)) / 3)
}

pub(super) fn queen_size(values: &[u64]) -> SizeResult {
    sized(values, |rows, cols| straight(rows, cols).saturating_add(diagonal(rows, cols)))
}

pub(super) fn queen(values: &[u64]) -> Vec<(u32, u32)> {
    moves(values, &[STRAIGHT, DIAGONAL].concat(), i64::MAX)
}

pub(super) fn rook_size(values: &[u64]) -> SizeResult {
    sized(values, straight)
}

pub(super) fn rook(values: &[u64]) -> Vec<(u32, u32)> {
    moves(values, &STRAIGHT, i64::MAX)
}

pub(super) fn bishop_size(values: &[u64]) -> SizeResult {
    sized(values, diagonal)
}

pub(super) fn bishop(values: &[u64]) -> Vec<(u32, u32)> {
    moves(values, &DIAGONAL, i64::MAX)
}
