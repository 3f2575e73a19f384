//! Reads tours from text: any of the notations, or an SVG with an embedded tour.
//!
//! The first lines of a text determine its notation. The result is an unverified claim. A tour that
//! cannot be read is reported with its line, and the others are still read. If neither the text nor
//! the hints specify the board, it is the smallest square board that fits.

mod grid;
mod ground;
mod json;
mod lines;
mod tsplib;

pub use grid::GridFault;
pub use lines::DigitFault;
pub use tsplib::TsplibFault;

use super::{Notation, Unavailable};
use crate::board::graph_file::begins_tsplib;
use crate::board::{Board, BoardError, Graph, Leaper, LeaperError, Square, VertexError};
use crate::error::{Argument, Diagnostic, Remedy};
use ground::Ground;
use thiserror::Error;

/// Information about the tours of a text, given by the caller.
#[derive(Clone, Debug, Default)]
pub struct Hints {
    /// The notation; detected if not given.
    pub notation: Option<Notation>,
    /// The board, with its holes.
    pub board: Option<Board>,
    /// The leaper; by default that of the text, or the knight.
    pub leaper: Option<Leaper>,
    /// The graph, instead of board and leaper.
    pub graph: Option<Graph>,
}

/// A tour as read from a text, not verified.
#[derive(Clone, Debug)]
pub struct Claim {
    /// The line it begins on, from 1.
    pub line: usize,
    /// The graph of the claimed tour.
    pub graph: Graph,
    /// Its squares in order: numbers below `graph.len()`.
    pub squares: Vec<Square>,
}

/// An error in the text of a tour, with its line.
#[derive(Error, Debug, Clone, PartialEq, Eq)]
#[error("line {line}: {fault}")]
pub struct ReadError {
    /// Line number, from 1.
    pub line: usize,
    /// The error in that line.
    pub fault: ReadFault,
}

impl Diagnostic for ReadError {
    fn remedies(&self) -> Vec<Remedy> {
        self.fault.remedies()
    }
}

impl Diagnostic for ReadFault {
    fn remedies(&self) -> Vec<Remedy> {
        match self {
            ReadFault::NeedsGraph(_) => vec![Remedy::Give(vec![Argument::Graph])],
            ReadFault::Vast { .. } => vec![Remedy::Give(vec![Argument::Board])],
            _ => Vec::new(),
        }
    }
}

/// Errors in the text of a tour.
#[derive(Error, Debug, Clone, PartialEq, Eq)]
pub enum ReadFault {
    /// No tour at all.
    #[error("there is no tour here; write one as grid, moves, digits, json or tsplib")]
    Nothing,
    /// A name that is not a vertex. Steps count from 1.
    #[error("step {step}: {source}")]
    Name {
        /// Position in the list, from 1.
        step: usize,
        /// The error in the name.
        source: VertexError,
    },
    /// An invalid board.
    #[error(transparent)]
    Board(#[from] BoardError),
    /// An invalid leaper.
    #[error(transparent)]
    Leaper(#[from] LeaperError),
    /// A notation that does not support the graph.
    #[error(transparent)]
    Unavailable(#[from] Unavailable),
    /// Text and hints contradict each other.
    #[error("the tour has the {what} {said}, but {given} was given; leave one of them out")]
    Disagrees {
        /// The subject of the contradiction.
        what: &'static str,
        /// The value in the text.
        said: String,
        /// The value in the hints.
        given: String,
    },
    /// A tour of a graph that is not a board.
    #[error("this is a tour of the graph '{0}', which is not a board")]
    NeedsGraph(String),
    /// A board far too large for the squares listed.
    #[error("{listed} squares are listed, far too few for the {board} board that they suggest")]
    Vast {
        /// Squares listed.
        listed: usize,
        /// The board.
        board: String,
    },
    /// An error in a grid.
    #[error(transparent)]
    Grid(#[from] GridFault),
    /// An error in digits.
    #[error(transparent)]
    Digits(#[from] DigitFault),
    /// An error in a TSPLIB file.
    #[error(transparent)]
    Tsplib(#[from] TsplibFault),
    /// Not the JSON of a tour.
    #[error(
        "this is not a tour in JSON ({0}); write one object per tour, as in {{\"board\":\"3x4\",\"squares\":[\"a1\",\"c2\"]}}"
    )]
    Json(String),
    /// An SVG without a tour.
    #[error("this SVG carries no tour; give one that was drawn by Hippodrome")]
    Svg,
}

/// The results of one reader.
pub(super) type Claims = Vec<Result<Claim, ReadError>>;

/// Creates the claim of a tour that begins on line `line`.
fn claim_at(
    line: usize,
    read: Result<(Graph, Vec<Square>), ReadFault>,
) -> Result<Claim, ReadError> {
    let (graph, squares) = read.map_err(|fault| ReadError { line, fault })?;
    Ok(Claim { line, graph, squares })
}

/// Reads all tours of a text. Returns at least one entry, which is an error if there is no tour.
pub fn read_tours(text: &str, hints: &Hints) -> Vec<Result<Claim, ReadError>> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut ground = Ground::new(hints);
    let notation = hints.notation.or_else(|| detect(text, &ground));
    let mut claims = match notation {
        Some(Notation::Grid) => grid::read(text, &mut ground),
        Some(Notation::Moves) => lines::read_moves(text, &mut ground),
        Some(Notation::Digits) => lines::read_digits(text, &mut ground),
        Some(Notation::Json) => json::read(text, &mut ground),
        Some(Notation::Tsplib) => tsplib::read(text, &mut ground),
        None => json::read_svg(text, &mut ground),
    };
    if claims.is_empty() {
        let fault = if notation.is_none() { ReadFault::Svg } else { ReadFault::Nothing };
        claims.push(Err(ReadError { line: 1, fault }));
    }
    claims
}

/// Returns whether a line consists of numbers and holes, like a row of a grid.
pub(super) fn is_row(line: &str) -> bool {
    let mut words = line.split_whitespace().peekable();
    words.peek().is_some() && words.all(|w| w == "#" || is_number(w))
}

pub(super) fn is_number(word: &str) -> bool {
    word.bytes().all(|b| b.is_ascii_digit())
}

/// Detects the notation of a text; `None` for an SVG.
fn detect(text: &str, ground: &Ground<'_>) -> Option<Notation> {
    let lines = || text.lines().map(str::trim).filter(|line| !line.is_empty());
    let telling = || lines().filter(|line| !line.starts_with('#'));
    let mut words = telling().flat_map(str::split_whitespace);
    let first = words.next().unwrap_or_default();
    // Grids have no numbers of more than ten digits, so these are digits without a start square.
    Some(match telling().next() {
        _ if ground.file_has(first) => Notation::Moves,
        _ if first.starts_with(['{', '[']) => Notation::Json,
        _ if first.starts_with('<') => return None,
        _ if begins_tsplib(text) => Notation::Tsplib,
        _ if ground.file().is_some() => Notation::Moves,
        None if lines().any(is_row) => Notation::Grid,
        None => Notation::Moves,
        Some(_) if is_number(first) && first.len() > 10 => Notation::Digits,
        Some(line) if is_row(line) => Notation::Grid,
        Some(_) if words.next().is_some_and(is_number) => Notation::Digits,
        Some(_) => Notation::Moves,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn detected(text: &str) -> Option<Notation> {
        detect(text, &Ground::new(&Hints::default()))
    }

    #[test]
    fn the_first_lines_determine_the_notation() {
        use Notation::{Digits, Grid, Json, Moves, Tsplib};
        let cases = [
            ("a1 c2 b4\n", Moves),
            ("# two tours\n# 12\na1 c2\n", Moves),
            ("a1\n", Moves),
            ("", Moves),
            ("e4 4365 036\n", Digits),
            ("e4\n43650\n", Digits),
            ("436503601672471233367072352466\n", Digits),
            (" 1 # 3\n # 2 4\n", Grid),
            ("# 1\n# 2\n", Grid),
            ("#\n5 6\n", Grid),
            ("  {\"squares\":[]}", Json),
            ("NAME : x\nTYPE : TOUR\n", Tsplib),
        ];
        for (text, notation) in cases {
            assert_eq!(detected(text), Some(notation), "{text}");
        }
        assert_eq!(detected("<?xml version=\"1.0\"?>\n<svg/>"), None);
    }

    #[test]
    fn a_text_without_tours_is_reported() {
        for text in ["", "  \r\n \n", "\u{feff}", "# nothing\n"] {
            let claims = read_tours(text, &Hints::default());
            assert_eq!(claims.len(), 1, "{text:?}");
            let error = claims[0].as_ref().unwrap_err();
            assert_eq!(*error, ReadError { line: 1, fault: ReadFault::Nothing }, "{text:?}");
        }
    }
}
