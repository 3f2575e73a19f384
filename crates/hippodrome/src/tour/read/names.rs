//! Reads squares by name in the order of the visit: `a1 c2 b4 …`, `1. Na1 2. Nc2`, `a1c2 c2b4`.

use super::block::Block;
use super::ground::{Ground, Said, smallest};
use super::reading::{Applied, Steps, path};
use super::row::Cells;
use super::{ReadError, ReadFault};
use crate::board::{Board, BoardError, VertexError};

pub(super) fn read(block: &Block, pieces: bool, steps: Steps, ground: &mut Ground<'_>) -> Applied {
    let line = block.line();
    let at = |fault: ReadFault| ReadError { line, fault };
    let Cells::Names(names) = &block.cells else { return Err(at(ReadFault::Nothing)) };
    let mut places = path(names, steps);
    if pieces {
        for place in &mut places {
            place.0 = without_letter(place.0);
        }
    }
    let said = Said::default();
    let board = match ground.board(&said, places.len()).map_err(at)? {
        Some(board) => board,
        None => {
            let widest = Board::new(65535, 65535).map_err(|e| at(e.into()))?;
            let mut side = 1;
            for (step, &(col, row)) in (1..).zip(&places) {
                if col >= widest.cols() || row >= widest.rows() {
                    return Err(at(off_board(&widest, step, col, row)));
                }
                side = side.max(row + 1).max(col + 1);
            }
            smallest(places.len(), side).map_err(at)?
        }
    };
    let mut squares = Vec::with_capacity(places.len());
    for (step, &(col, row)) in (1..).zip(&places) {
        if col >= board.cols() || row >= board.rows() {
            return Err(at(off_board(&board, step, col, row)));
        }
        squares.push(board.at(row, col));
    }
    let graph = ground.graph(board, &said).map_err(at)?;
    Ok((graph, squares))
}

fn off_board(board: &Board, step: usize, col: u32, row: u32) -> ReadFault {
    let name = Board::spell(col, row);
    let source = match board.place(&name) {
        Err(error) => error,
        Ok(_) => BoardError::SquareSyntax(name),
    };
    ReadFault::Name { step, source: VertexError::Board(source) }
}

/// Returns the column named by all letters but the first, which stands for a piece.
fn without_letter(col: u32) -> u32 {
    // The columns with one letter begin at 0, those with two at 26, those with n + 1 at `first`.
    let (mut first, mut count) = (0u64, 26u64);
    while u64::from(col) >= first + count {
        first += count;
        count *= 26;
    }
    let shorter = count / 26;
    ((u64::from(col) - first) % shorter + first.saturating_sub(shorter)) as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Square;
    use crate::error::{Argument, Diagnostic, Remedy};
    use crate::tour::{Claim, Hints, read_tours};

    fn only(text: &str) -> Result<Claim, ReadError> {
        let mut claims = read_tours(text, &Hints::default());
        assert_eq!(claims.len(), 1, "{text}");
        claims.remove(0)
    }

    #[test]
    fn the_letter_of_a_piece_is_removed() {
        let board = Board::parse("1x60000").unwrap();
        for (with, without) in [("na1", "a1"), ("nh1", "h1"), ("zz1", "z1"), ("aaa1", "aa1")] {
            let col = |name: &str| board.col(board.place(name).unwrap());
            assert_eq!(without_letter(col(with)), col(without), "{with}");
        }
    }

    #[test]
    fn one_bad_line_of_moves_leaves_the_others() {
        let claims = read_tours("a1 b3,c1\r\na1 zz\n# no tour\nA1\tb3\n", &Hints::default());
        assert_eq!(claims.len(), 3);
        assert_eq!(claims[0].as_ref().unwrap().squares, [0, 7, 2].map(Square::new));
        assert_eq!(claims[0].as_ref().unwrap().graph.to_string(), "3x3");
        let error = claims[1].as_ref().unwrap_err().to_string();
        assert!(error.starts_with("line 2: step 2: 'zz' is not a square"), "{error}");
        assert_eq!(claims[2].as_ref().unwrap().line, 4);
    }

    #[test]
    fn two_far_squares_do_not_make_a_huge_board() {
        let error = only("a1 a60000").unwrap_err();
        let text = error.to_string();
        assert!(text.contains("2 squares") && text.contains("60000x60000"), "{text}");
        assert_eq!(error.remedies(), [Remedy::Give(vec![Argument::Board])]);
        assert!(only("a1 zzzzzzzz9").is_err());
    }
}
