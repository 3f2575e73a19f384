//! Reads grids: the numbers of a tour at their squares, top row first, `#` for holes.
//!
//! A grid determines its board; a given board must match. Numbers begin at 1, or at 0 if there is one
//! 0; several are holes. Rows and columns that only count are coordinates at the edges, if the rest is a tour.

use super::block::Block;
use super::ground::{Ground, Said, disagree_on_boards};
use super::list::grid_of;
use super::reading::{Applied, Form};
use super::row::HOLE;
use super::token::HUGE;
use super::{ReadError, ReadFault};
use crate::board::{Board, Graph, Square};
use crate::tour::{GridOrigin, Notation};
use thiserror::Error;

/// Errors in a grid.
#[derive(Error, Debug, Clone, PartialEq, Eq)]
pub enum GridFault {
    /// A row whose length differs from that of the first.
    #[error(
        "this row has {found} entries, but the first row of the grid has {expected}; make all rows the same length"
    )]
    Ragged {
        /// Entries of this row.
        found: usize,
        /// Entries of the first row.
        expected: usize,
    },
    /// Neither number nor hole.
    #[error("'{0}' is not an entry of a grid; write a number, or # for a hole")]
    Entry(String),
    /// A number that no square of this grid can have.
    #[error(
        "{found} is out of place in a grid of {squares} squares; number them from {first} to {}",
        squares - 1 + *first as usize
    )]
    Number {
        /// The number.
        found: String,
        /// The number of squares.
        squares: usize,
        /// The first number.
        first: u32,
    },
    /// A number on two squares.
    #[error("{number} stands on {first} and on {second}; write every number once")]
    Twice {
        /// The number.
        number: usize,
        /// The square read first.
        first: String,
        /// The square read later.
        second: String,
    },
}

/// Rows and columns of coordinates around a grid.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct CoordinateEdges {
    pub(super) left: bool,
    pub(super) right: bool,
    pub(super) above: bool,
    pub(super) below: bool,
}

impl CoordinateEdges {
    /// Returns all combinations except none.
    fn all() -> impl Iterator<Item = CoordinateEdges> {
        (1..16u8).map(|bits| CoordinateEdges {
            left: bits & 1 > 0,
            right: bits & 2 > 0,
            above: bits & 4 > 0,
            below: bits & 8 > 0,
        })
    }

    /// Returns the rows inside the edges; `None` if less than 2x2 is left, or if an edge does not count.
    fn inside(self, block: &Block) -> Option<Vec<(usize, &[u32])>> {
        let mut rows: Vec<(usize, &[u32])> =
            block.lines.iter().copied().zip(block.numbers()).collect();
        for (wanted, last) in [(self.above, false), (self.below, true)] {
            if wanted {
                let at = if last { rows.len().checked_sub(1)? } else { 0 };
                let (_, row) = rows.get(at)?;
                if !is_counting(row.iter().copied().filter(|&n| n != HOLE)) {
                    return None;
                }
                rows.remove(at);
            }
        }
        if self.left {
            let first: Option<Vec<u32>> = rows.iter().map(|(_, r)| r.first().copied()).collect();
            is_counting(first?.into_iter()).then_some(())?;
            rows.iter_mut().for_each(|(_, row)| *row = &row[1..]);
        }
        if self.right {
            let last: Option<Vec<u32>> = rows.iter().map(|(_, r)| r.last().copied()).collect();
            is_counting(last?.into_iter()).then_some(())?;
            rows.iter_mut().for_each(|(_, row)| *row = &row[..row.len() - 1]);
        }
        let is_grid = rows.len() > 1 && rows[0].1.len() > 1;
        is_grid.then_some(rows)
    }
}

/// Returns whether numbers count up or down by 1, with 0 or 1 at one end.
fn is_counting(numbers: impl DoubleEndedIterator<Item = u32> + Clone) -> bool {
    let up = |numbers: &mut dyn Iterator<Item = u32>| {
        let first = numbers.next().unwrap_or(HOLE);
        first < 2 && numbers.zip(first + 1..).all(|(number, expected)| number == expected)
    };
    up(&mut numbers.clone()) || up(&mut numbers.rev())
}

/// Lists the readings as a grid without coordinates: as it is, and with a single 0 for a hole.
pub(super) fn forms(block: &Block, origin: GridOrigin) -> [Vec<Form>; 2] {
    let plain = form(block.numbers(), origin, CoordinateEdges::default());
    let zero_hole = match plain {
        Form::Grid { from: 0, top, edges, .. } if origin.base.is_none() => {
            vec![Form::Grid { from: 1, zero_holes: true, top, edges }]
        }
        _ => Vec::new(),
    };
    [vec![plain], zero_hole]
}

/// Lists the readings as a grid with coordinates at its edges.
pub(super) fn framed_forms(block: &Block, origin: GridOrigin) -> Vec<Form> {
    let framed = |edges: CoordinateEdges| {
        let rows = edges.inside(block)?;
        Some(form(rows.iter().map(|(_, row)| *row), origin, edges))
    };
    CoordinateEdges::all().filter_map(framed).collect()
}

fn form<'b>(
    rows: impl Iterator<Item = &'b [u32]>,
    origin: GridOrigin,
    edges: CoordinateEdges,
) -> Form {
    let zeros = rows.flatten().filter(|&&n| n == 0).take(2).count();
    let from = origin.base.unwrap_or(u32::from(zeros != 1));
    Form::Grid { from, zero_holes: zeros > 0 && from == 1, top: origin.top.unwrap_or(true), edges }
}

pub(super) fn read(
    block: &Block,
    from: u32,
    zero_holes: bool,
    top: bool,
    edges: CoordinateEdges,
    ground: &mut Ground<'_>,
) -> Applied {
    let nothing = || ReadError { line: block.line(), fault: ReadFault::Nothing };
    let rows = if edges == CoordinateEdges::default() {
        block.lines.iter().copied().zip(block.numbers()).collect()
    } else {
        edges.inside(block).ok_or_else(nothing)?
    };
    let &(line, first) = rows.first().ok_or_else(nothing)?;
    let width = first.len();
    let at_top = |fault| ReadError { line, fault };
    let shape = Board::new(rows.len() as u64, width as u64).map_err(|e| at_top(e.into()))?;
    if let Some((line, row)) = rows.iter().find(|(_, row)| row.len() != width) {
        let fault = GridFault::Ragged { found: row.len(), expected: width }.into();
        return Err(ReadError { line: *line, fault });
    }
    grid_of(&shape, &rows, from, zero_holes, top, block.huge.as_deref(), ground)
}

/// Checks that the board of the grid matches the given board, if there is one, and returns its graph.
pub(super) fn agree(board: Board, ground: &mut Ground<'_>) -> Result<Graph, ReadFault> {
    if let Some(graph) = ground.file() {
        Notation::Grid.supports(graph)?;
    }
    let said = Said::default();
    match ground.board(&said, board.squares())?.filter(|given| *given != board) {
        Some(given) => Err(disagree_on_boards(&board, &given)),
        None => ground.graph(board, &said),
    }
}

/// Returns the squares in the order of their numbers, from cells with line, row, column and number.
pub(super) fn in_order(
    board: &Board,
    cells: impl Iterator<Item = (usize, u32, u32, u32)>,
    first: u32,
    huge: Option<&str>,
) -> Result<Vec<Square>, ReadError> {
    const NONE: Square = Square::new(u32::MAX);
    let count = board.squares();
    let mut squares = vec![NONE; count];
    for (line, row, col, number) in cells {
        let at = |fault: GridFault| ReadError { line, fault: fault.into() };
        let place = number.checked_sub(first).map(|n| n as usize).filter(|&n| n < count);
        let place = place.ok_or_else(|| {
            let huge = huge.filter(|_| number == HUGE);
            let found = huge.map_or_else(|| number.to_string(), String::from);
            at(GridFault::Number { found, squares: count, first })
        })?;
        let square = board.at(row, col);
        let before = std::mem::replace(&mut squares[place], square);
        if before != NONE {
            let (first, second) = (board.name(before), board.name(square));
            let number = number as usize;
            return Err(at(GridFault::Twice { number, first, second }));
        }
    }
    Ok(squares)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tour::read::Claims;
    use crate::tour::{Hints, read_tours};

    fn read_as(text: &str, board: Option<&str>) -> Claims {
        let board = board.map(|b| Board::parse(b).unwrap());
        read_tours(text, &Hints { board, ..Hints::default() })
    }

    fn fault(text: &str) -> (usize, ReadFault) {
        let error = read_as(text, None).remove(0).unwrap_err();
        (error.line, error.fault)
    }

    #[test]
    fn the_top_row_comes_first_and_holes_are_holes() {
        let claims = read_as("\r\n 01 #\r\n  3 2\r\n\r\n\r\n1 2\r\n", None);
        let first = claims[0].as_ref().unwrap();
        assert_eq!(first.line, 2);
        assert_eq!(first.graph.to_string(), "2x2 with 1 hole");
        assert_eq!(first.squares, [2, 1, 0].map(Square::new));
        let second = claims[1].as_ref().unwrap();
        assert_eq!((second.line, second.graph.to_string()), (6, "1x2".into()));
    }

    #[test]
    fn faults_name_their_line() {
        let number = |found: &str| {
            let found = found.to_string();
            GridFault::Number { found, squares: 4, first: 1 }.into()
        };
        let twice = GridFault::Twice { number: 2, first: "b2".into(), second: "a1".into() };
        let cases = [
            ("1 2\n3\n", 2, GridFault::Ragged { found: 1, expected: 2 }.into()),
            ("1 2\n3 x\n", 2, GridFault::Entry("x".into()).into()),
            ("1 2\n3 5\n", 2, number("5")),
            ("1 2\n3 999999999999999999999999\n", 2, number("999999999999999999999999")),
            ("1 2\n2 4\n", 2, twice.into()),
        ];
        for (text, line, expected) in cases {
            assert_eq!(fault(text), (line, expected), "{text}");
        }
    }

    #[test]
    fn a_grid_must_agree_with_the_board_given() {
        assert!(read_as("1 2\n3 4\n", Some("2x2"))[0].is_ok());
        for (text, board) in [("1 2\n3 4\n", "3x3"), ("1 2\n# 3\n", "2x2")] {
            let error = read_as(text, Some(board))[0].clone().unwrap_err().to_string();
            assert!(error.contains(&format!("but {board} was given")), "{error}");
        }
    }
}
