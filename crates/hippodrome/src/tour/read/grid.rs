//! Reads grids: the numbers of a tour at their squares, top row first, `#` for holes.
//!
//! Blank lines separate grids. A grid determines its board; a given board must match.

use super::ground::{Ground, Said, disagree_on_boards};
use super::{Claim, Claims, ReadError, ReadFault, is_number, is_row};
use crate::board::graph_file::shorten;
use crate::board::{Board, Graph, Square};
use crate::tour::Notation;
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
    #[error("{found} is out of place in a grid of {last} squares; number them from 1 to {last}")]
    Number {
        /// The number.
        found: String,
        /// The number of squares.
        last: usize,
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

type GridRow<'t> = (usize, &'t str);

pub(super) fn read(text: &str, ground: &mut Ground<'_>) -> Claims {
    let mut claims = Vec::new();
    let mut rows: Vec<GridRow<'_>> = Vec::new();
    let comment = |line: &str| line.trim_start().starts_with('#') && !is_row(line);
    let lines = (1..).zip(text.lines()).filter(|(_, line)| !comment(line));
    for (line, content) in lines.chain([(0, "")]) {
        if !content.trim().is_empty() {
            rows.push((line, content));
        } else if let Some(&(line, _)) = rows.first() {
            let claim = read_one(&rows, ground);
            claims.push(claim.map(|(graph, squares)| Claim { line, graph, squares }));
            rows.clear();
        }
    }
    claims
}

fn read_one(
    rows: &[GridRow<'_>],
    ground: &mut Ground<'_>,
) -> Result<(Graph, Vec<Square>), ReadError> {
    let (top, first) = rows[0];
    let at_top = |fault| ReadError { line: top, fault };
    let width = first.split_whitespace().count();
    let shape = Board::new(rows.len() as u64, width as u64).map_err(|e| at_top(e.into()))?;
    let mut missing = Vec::new();
    for (row, &(line, content)) in (0..shape.rows()).rev().zip(rows) {
        let at = |fault: GridFault| ReadError { line, fault: fault.into() };
        let found = content.split_whitespace().count();
        if let Some(word) = content.split_whitespace().find(|w| *w != "#" && !is_number(w)) {
            return Err(at(GridFault::Entry(shorten(word))));
        }
        if found != width {
            return Err(at(GridFault::Ragged { found, expected: width }));
        }
        let holes = (0..).zip(content.split_whitespace()).filter(|(_, word)| *word == "#");
        missing.extend(holes.map(|(col, _)| shape.at(row, col)));
    }
    let board = shape.with_holes(missing).map_err(|e| at_top(e.into()))?;
    let graph = agree(board.clone(), ground).map_err(at_top)?;
    let squares = in_order(&board, rows)?;
    Ok((graph, squares))
}

/// Returns the graph of the grid's board, after checking that it matches the given one.
fn agree(board: Board, ground: &mut Ground<'_>) -> Result<Graph, ReadFault> {
    if let Some(graph) = ground.file() {
        Notation::Grid.supports(graph)?;
    }
    let said = Said::default();
    match ground.board(&said, board.squares())?.filter(|given| *given != board) {
        Some(given) => Err(disagree_on_boards(&board, &given)),
        None => ground.graph(board, &said),
    }
}

/// Returns the squares in the order of their numbers. All rows are as wide as the board.
fn in_order(board: &Board, rows: &[GridRow<'_>]) -> Result<Vec<Square>, ReadError> {
    const NONE: Square = Square::new(u32::MAX);
    let last = board.squares();
    let mut squares = vec![NONE; last];
    for (row, &(line, content)) in (0..board.rows()).rev().zip(rows) {
        let numbers = (0..).zip(content.split_whitespace()).filter(|(_, word)| *word != "#");
        for (col, word) in numbers {
            let at = |fault: GridFault| ReadError { line, fault: fault.into() };
            let number = word.parse().ok().filter(|n| (1..=last).contains(n));
            let number: usize =
                number.ok_or_else(|| at(GridFault::Number { found: shorten(word), last }))?;
            let square = board.at(row, col);
            let before = std::mem::replace(&mut squares[number - 1], square);
            if before != NONE {
                let (first, second) = (board.name(before), board.name(square));
                return Err(at(GridFault::Twice { number, first, second }));
            }
        }
    }
    Ok(squares)
}

#[cfg(test)]
mod tests {
    use super::*;
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
        let number = |found: &str| GridFault::Number { found: found.into(), last: 4 }.into();
        let twice = GridFault::Twice { number: 2, first: "b2".into(), second: "a1".into() };
        let cases = [
            ("1 2\n3\n", 2, GridFault::Ragged { found: 1, expected: 2 }.into()),
            ("1 2\n3 x\n", 2, GridFault::Entry("x".into()).into()),
            ("1 2\n3 5\n", 2, number("5")),
            ("0 2\n3 1\n", 1, number("0")),
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
