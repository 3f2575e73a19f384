//! Reads pairs of coordinates in the order of the visit: `(0,0) (1,2) …`.
//!
//! Rows may be counted from the top or the bottom, from 0 or 1, and come first or second. The
//! verifier excludes what it can; a mirror image of a tour is a tour as well, so that often only the
//! caller's [`GridOrigin`] decides.

use super::block::Block;
use super::ground::{Ground, Said, smallest};
use super::reading::{Applied, Form, Steps, path};
use super::{ReadError, ReadFault};
use crate::board::Board;
use crate::tour::GridOrigin;
use thiserror::Error;

/// Errors in coordinates.
#[derive(Error, Debug, Clone, PartialEq, Eq)]
pub enum CoordFault {
    /// Not two numbers.
    #[error(
        "{0} numbers in brackets are not the coordinates of a square; write a row and a column"
    )]
    Count(usize),
    /// A pair beyond the edge.
    #[error("step {step}: ({first},{second}) is not on the {board} board")]
    OffBoard {
        /// Position in the list, from 1.
        step: usize,
        /// First number.
        first: u32,
        /// Second number.
        second: u32,
        /// The board.
        board: String,
    },
}

/// Returns the pairs of a block, without incomplete ones.
pub(super) fn pairs(block: &Block) -> Vec<(u32, u32)> {
    let pair = |row: &[u32]| match row {
        [first, second] => Some((*first, *second)),
        _ => None,
    };
    block.numbers().filter_map(pair).collect()
}

/// Lists the readings of pairs.
pub(super) fn forms(block: &Block, origin: GridOrigin, steps: &[Steps]) -> Vec<Form> {
    let zero = block.numbers().any(|row| row.contains(&0));
    let mut forms = Vec::new();
    for &steps in steps {
        for &from in origin.bases(zero) {
            for &row_first in origin.orders() {
                for &top in origin.sides() {
                    forms.push(Form::Pairs { from, top, row_first, steps });
                }
            }
        }
    }
    forms
}

pub(super) fn read(
    block: &Block,
    from: u32,
    top: bool,
    row_first: bool,
    steps: Steps,
    ground: &mut Ground<'_>,
) -> Applied {
    let at = |line, fault: ReadFault| ReadError { line, fault };
    if let Some((row, line)) = block.numbers().zip(&block.lines).find(|(row, _)| row.len() != 2) {
        return Err(at(*line, CoordFault::Count(row.len()).into()));
    }
    let line = block.line();
    let pairs = path(&pairs(block), steps);
    let said = Said::default();
    let board = match ground.board(&said, pairs.len()).map_err(|e| at(line, e))? {
        Some(board) => board,
        None => {
            let highest = pairs.iter().map(|&(a, b)| a.max(b)).max().unwrap_or(0);
            let side = highest.saturating_sub(from).saturating_add(1);
            smallest(pairs.len(), side).map_err(|e| at(line, e))?
        }
    };
    let mut squares = Vec::with_capacity(pairs.len());
    for (step, &(first, second)) in (1..).zip(&pairs) {
        let (row, col) = if row_first { (first, second) } else { (second, first) };
        let square = place(&board, row.checked_sub(from), col.checked_sub(from), top);
        squares.push(square.ok_or_else(|| {
            let board = board.shape();
            at(line, CoordFault::OffBoard { step, first, second, board }.into())
        })?);
    }
    let graph = ground.graph(board, &said).map_err(|e| at(line, e))?;
    Ok((graph, squares))
}

/// Returns the square in a row and a column counted from 0, if it is on the board.
pub(super) fn place(
    board: &Board,
    row: Option<u32>,
    col: Option<u32>,
    top: bool,
) -> Option<crate::board::Square> {
    let row = row.filter(|&row| row < board.rows())?;
    let col = col.filter(|&col| col < board.cols())?;
    Some(board.at(if top { board.rows() - 1 - row } else { row }, col))
}
