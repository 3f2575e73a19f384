//! Reads lists of numbers that are not laid out as a grid: the numbers of a grid in one list, or the
//! numbers of squares in the order of the visit.

use super::block::Block;
use super::coords::place;
use super::grid::{GridFault, in_order};
use super::ground::{Ground, Said, smallest};
use super::reading::{Applied, Form, Steps, path};
use super::row::{Cells, HOLE};
use super::{ReadError, ReadFault};
use crate::board::Board;
use crate::tour::{GridOrigin, Notation};
use thiserror::Error;

/// Errors in a list of numbers.
#[derive(Error, Debug, Clone, PartialEq, Eq)]
pub enum ListFault {
    /// A list whose length is not that of a grid.
    #[error("{found} numbers are not a grid of {board}, which has {expected} squares")]
    Length {
        /// How many numbers the list contains.
        found: usize,
        /// The board.
        board: String,
        /// Its squares, holes included.
        expected: usize,
    },
    /// A number that is not that of a square.
    #[error("step {step}: {number} is not the number of a square of {board}")]
    OffBoard {
        /// Position in the list, from 1.
        step: usize,
        /// The number.
        number: u32,
        /// The board.
        board: String,
    },
}

/// Lists the readings of numbers in one list.
pub(super) fn forms(block: &Block, origin: GridOrigin, steps: &[Steps]) -> Vec<Form> {
    let zero = block.numbers().any(|row| row.contains(&0));
    let top = origin.top.unwrap_or(true);
    let from = origin.base.unwrap_or(u32::from(!zero));
    let mut forms = vec![Form::Flat { from, top }];
    for &steps in steps {
        for &from in origin.bases(zero) {
            forms.extend(origin.sides().iter().map(|&top| Form::Order { from, top, steps }));
        }
    }
    forms
}

fn numbers(block: &Block) -> &[u32] {
    match &block.cells {
        Cells::Numbers(numbers) => numbers,
        Cells::Names(_) => &[],
    }
}

/// Reads the numbers of a grid in one list, row by row.
pub(super) fn read_flat(block: &Block, from: u32, top: bool, ground: &mut Ground<'_>) -> Applied {
    let line = block.line();
    let at = |fault: ReadFault| ReadError { line, fault };
    let numbers = numbers(block);
    if let Some(graph) = ground.file() {
        Notation::Grid.supports(graph).map_err(|e| at(e.into()))?;
    }
    let given = ground.board(&Said::default(), numbers.len()).map_err(at)?;
    let shape = match &given {
        Some(board) => Board::new(board.rows().into(), board.cols().into()),
        None => Board::smallest_square(numbers.len().max(1)),
    };
    let shape = shape.map_err(|e| at(e.into()))?;
    if numbers.len() != shape.len() {
        let (found, board, expected) = (numbers.len(), shape.shape(), shape.len());
        return Err(at(ListFault::Length { found, board, expected }.into()));
    }
    let width = shape.cols() as usize;
    let rows: Vec<(usize, &[u32])> = numbers.chunks(width).map(|row| (line, row)).collect();
    grid_of(&shape, &rows, from, false, top, block.huge.as_deref(), ground)
}

/// Reads the rows of a grid, whose holes are those of its board.
pub(super) fn grid_of(
    shape: &Board,
    rows: &[(usize, &[u32])],
    from: u32,
    zero_holes: bool,
    top: bool,
    huge: Option<&str>,
    ground: &mut Ground<'_>,
) -> Applied {
    let line = rows.first().map_or(1, |(line, _)| *line);
    let at = |fault: ReadFault| ReadError { line, fault };
    let is_hole = |n: u32| n == HOLE || (zero_holes && n == 0);
    let count = rows.len() as u32;
    let row_of = |index: usize| if top { count - 1 - index as u32 } else { index as u32 };
    let mut missing = Vec::new();
    for (index, (_, row)) in rows.iter().enumerate() {
        let holes = (0..).zip(*row).filter(|(_, number)| is_hole(**number));
        missing.extend(holes.map(|(col, _)| shape.at(row_of(index), col)));
    }
    let board = shape.with_holes(missing).map_err(|e| at(e.into()))?;
    let graph = super::grid::agree(board.clone(), ground).map_err(at)?;
    let cells = rows.iter().enumerate().flat_map(|(index, (line, row))| {
        let cells = (0..).zip(*row).filter(|(_, number)| !is_hole(**number));
        cells.map(move |(col, &number)| (*line, row_of(index), col, number))
    });
    let squares = in_order(&board, cells, from, huge)?;
    Ok((graph, squares))
}

/// Reads the numbers of squares in the order of the visit.
pub(super) fn read_order(
    block: &Block,
    from: u32,
    top: bool,
    steps: Steps,
    ground: &mut Ground<'_>,
) -> Applied {
    let line = block.line();
    let at = |fault: ReadFault| ReadError { line, fault };
    let numbers = path(numbers(block), steps);
    if numbers.contains(&HOLE) {
        return Err(at(GridFault::Entry("#".into()).into()));
    }
    let said = Said::default();
    let board = match ground.board(&said, numbers.len()).map_err(at)? {
        Some(board) => board,
        None => {
            let count = numbers.iter().max().map_or(1, |&n| n.saturating_sub(from)) as u64 + 1;
            let side = count.isqrt();
            let side = (side + u64::from(side * side < count)) as u32;
            smallest(numbers.len(), side).map_err(at)?
        }
    };
    let mut squares = Vec::with_capacity(numbers.len());
    for (step, &number) in (1..).zip(&numbers) {
        let index = number.checked_sub(from);
        let (row, col) = (index.map(|i| i / board.cols()), index.map(|i| i % board.cols()));
        squares.push(place(&board, row, col, top).ok_or_else(|| {
            at(ListFault::OffBoard { step, number, board: board.shape() }.into())
        })?);
    }
    let graph = ground.graph(board, &said).map_err(at)?;
    Ok((graph, squares))
}
