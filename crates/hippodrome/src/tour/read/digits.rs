//! Reads digits: a start square, then one octal digit per move (`e4 4365036...`).
//!
//! Lines that begin with `#` are comments. Digits may contain blanks and continue on further lines,
//! as printed in Gordon & Slocum (2004). A tour of N squares has N-1 digits; an N-th, the closing
//! move, is ignored.

use super::ground::{Ground, Said, smallest};
use super::reading::Form;
use super::source::TextSource;
use super::{Queue, ReadError, ReadFault, claim_at};
use crate::board::graph_file::shorten;
use crate::board::{Board, Graph, Square, VertexError};
use crate::tour::Notation;
use thiserror::Error;

/// Errors in a tour in digits. Steps count from 1; the start square is step 1.
#[derive(Error, Debug, Clone, PartialEq, Eq)]
pub enum DigitFault {
    /// Digits without a start square.
    #[error("these digits have no start square; write it before them, as in 'e4 4365036'")]
    NoStart,
    /// Not a digit.
    #[error("step {step}: '{found}' is not a move; write one digit from 0 to {last} for each move")]
    Digit {
        /// The step it would make.
        step: usize,
        /// The character found.
        found: char,
        /// The highest move number.
        last: usize,
    },
    /// A move off the board.
    #[error(
        "step {step}: move {digit} from {square} leads to no square of {graph}; correct the digit, or name the board"
    )]
    OffBoard {
        /// The step it would make.
        step: usize,
        /// The move.
        digit: char,
        /// Its start square.
        square: String,
        /// The board.
        graph: String,
    },
    /// More digits than moves.
    #[error(
        "there are {found} digits, but a tour of {graph} has {order} squares; write {order} digits, or one fewer"
    )]
    TooMany {
        /// Number of digits.
        found: usize,
        /// Squares of the board.
        order: usize,
        /// The board.
        graph: String,
    },
}

/// Returns whether a word consists of digits.
pub(super) fn is_number(word: &str) -> bool {
    word.bytes().all(|b| b.is_ascii_digit())
}

/// Reads the next tour. Returns whether there may be more.
pub(super) fn advance(
    source: &mut TextSource<'_>,
    ground: &mut Ground<'_>,
    queue: &mut Queue,
) -> Result<bool, ReadError> {
    let Some(whole) = source.next_entry()? else { return Ok(false) };
    let content = whole.text.trim();
    let (first, rest) = content.split_once(char::is_whitespace).unwrap_or((content, ""));
    let start = (!is_number(first)).then_some(first);
    let mut digits = String::new();
    let mut gather = |text: &str| digits.extend(text.chars().filter(|c| !c.is_whitespace()));
    gather(rest);
    while let Some(next) = source.next_line()? {
        let more = next.text.trim();
        if more.starts_with(|c: char| c.is_ascii_digit()) {
            gather(more);
        } else if !more.is_empty() && !more.starts_with('#') {
            source.back(next);
            break;
        }
    }
    let read = match start {
        None => Err(DigitFault::NoStart.into()),
        Some(start) => decode(start, &digits, ground),
    };
    queue.push_back(claim_at(whole.line, Form::Digits, read));
    Ok(true)
}

fn decode(
    start: &str,
    digits: &str,
    ground: &mut Ground<'_>,
) -> Result<(Graph, Vec<Square>), ReadFault> {
    if let Some(graph) = ground.file() {
        Notation::Digits.supports(graph)?;
    }
    let name = |e| ReadFault::Name { step: 1, source: VertexError::Board(e) };
    let count = digits.chars().count();
    let said = Said::default();
    let board = match ground.board(&said, count)? {
        Some(board) => board,
        None => {
            let widest = Board::new(65535, 65535)?;
            let at = widest.place(&shorten(start)).map_err(name)?;
            let side = widest.row(at).max(widest.col(at)) + 1;
            // With a digit for the closing move there are as many digits as squares; a closed tour
            // has at least three.
            let closing = count > 2 && count.isqrt().pow(2) == count;
            smallest(if closing { count } else { count + 1 }, side)?
        }
    };
    let mut here = board.square(&shorten(start)).map_err(name)?;
    let graph = ground.graph(board, &said)?;
    Notation::Digits.supports(&graph)?;
    if count > graph.order() {
        let (order, graph) = (graph.order(), graph.to_string());
        return Err(DigitFault::TooMany { found: count, order, graph }.into());
    }
    let moves = graph.move_count().unwrap_or(0);
    let mut squares = vec![here];
    for (step, digit) in (2..).zip(digits.chars()) {
        let code = digit.to_digit(10).map(|d| d as usize).filter(|&d| d < moves);
        let Some(code) = code else {
            let last = moves.saturating_sub(1);
            return Err(DigitFault::Digit { step, found: digit, last }.into());
        };
        if squares.len() == graph.order() {
            break;
        }
        here = graph.step(here, code).ok_or_else(|| DigitFault::OffBoard {
            step,
            digit,
            square: graph.name(here),
            graph: graph.to_string(),
        })?;
        squares.push(here);
    }
    Ok((graph, squares))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tour::{Claim, Hints, ReadError, read_tours, verify};

    /// Figures 2 and 3 of Gordon & Slocum (2004), broken over lines as printed.
    const FIGURE_2: &str = "e4 436503601672471233367072352466 3671602124642256571064102143461072";
    const FIGURE_3: &str =
        "E4\n436503601672471233361472565714\r\n2761602124570254301603452070565417\r\n";

    fn only(text: &str) -> Result<Claim, ReadError> {
        let mut claims = read_tours(text, &Hints::default());
        assert_eq!(claims.len(), 1, "{text}");
        claims.remove(0)
    }

    #[test]
    fn the_printed_chromosomes_are_tours_and_the_second_is_closed() {
        for (text, closed) in [(FIGURE_2, false), (FIGURE_3, true)] {
            let claim = only(text).unwrap();
            assert_eq!(claim.graph.to_string(), "8x8");
            let tour = verify(&claim.graph, claim.squares).unwrap();
            assert_eq!(tour.is_closed(), closed, "{text}");
            assert_eq!(tour.graph().name(tour.squares()[0]), "e4");
        }
        let both = read_tours(&format!("# two\n{FIGURE_2}\n\n{FIGURE_3}"), &Hints::default());
        let lines: Vec<usize> = both.iter().map(|c| c.as_ref().unwrap().line).collect();
        assert_eq!(lines, [2, 4]);
    }

    #[test]
    fn the_last_digit_may_be_left_out() {
        let claim = only(&FIGURE_2[..FIGURE_2.len() - 1]).unwrap();
        assert_eq!((claim.graph.to_string(), claim.squares.len()), ("8x8".into(), 64));
    }

    #[test]
    fn a_move_off_the_board_names_step_and_square() {
        let error = only("e4 660").unwrap_err().to_string();
        assert!(error.contains("line 1: step 4: move 0 from a2"), "{error}");
        let error = only("e4 69").unwrap_err().to_string();
        assert!(error.contains("step 3: '9'") && error.contains("0 to 7"), "{error}");
        assert!(only("a1 2").is_err(), "one move takes two squares");
        let error = only("436503601672471").unwrap_err();
        assert_eq!(error.fault, DigitFault::NoStart.into());
    }

    #[test]
    fn more_digits_than_squares_are_rejected() {
        let board = Some(Board::parse("3x4").unwrap());
        let claims = read_tours("a1 33333333333333", &Hints { board, ..Hints::default() });
        let error = claims[0].as_ref().unwrap_err().to_string();
        assert!(
            error.contains("14 digits") && error.contains("write 12 digits, or one fewer"),
            "{error}"
        );
    }
}
