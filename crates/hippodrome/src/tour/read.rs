//! Reads tours from text in any spelling, one after another, with memory for one tour at a time.
//!
//! The first lines of a text determine its family, in the order of [`detect`]. Objects in JSON, TSPLIB
//! files, digits, SVGs and names of vertices have a reader each. Everything else is turned into
//! rows of numbers or squares (`row`), gathered into blocks (`block`, `table`), and read in
//! the way that makes a tour (`reading`). The result is an unverified claim. A tour that cannot be
//! read is reported with its line, and the others are still read. If neither the text nor the hints
//! specify the board, it is the smallest square board that fits.

mod block;
mod coords;
mod detect;
mod digits;
mod grid;
mod ground;
mod json;
mod list;
mod names;
mod reading;
mod row;
mod source;
mod svg;
mod table;
mod token;
mod tsplib;
mod vertices;

pub use coords::CoordFault;
pub use digits::DigitFault;
pub use grid::GridFault;
pub use list::ListFault;
pub use reading::TourReading;
pub use tsplib::TsplibFault;

use super::{GridOrigin, Notation, Unavailable};
use crate::board::{Board, BoardError, Graph, Leaper, LeaperError, Square, VertexError};
use crate::error::{Argument, Diagnostic, ErrorKind, Remedy};
use detect::{TextFamily, detect};
use ground::Ground;
use reading::{Form, Rules};
use source::TextSource;
use std::collections::VecDeque;
use std::io::{self, BufRead};
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
    /// Where coordinates and numbered squares are counted from, as far as it is known.
    pub origin: GridOrigin,
    /// Whether any image of a tour under rotation and reflection will do. Readings that differ in
    /// nothing else are then not an error, and the first of them is taken.
    pub up_to_symmetry: bool,
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
    /// How it was read.
    pub reading: TourReading,
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
    fn kind(&self) -> ErrorKind {
        self.fault.kind()
    }

    fn remedies(&self) -> Vec<Remedy> {
        self.fault.remedies()
    }
}

impl Diagnostic for ReadFault {
    fn kind(&self) -> ErrorKind {
        match self {
            ReadFault::Unreadable(_) => ErrorKind::Io,
            ReadFault::Unavailable(error) => error.kind(),
            _ => ErrorKind::Invalid,
        }
    }

    fn remedies(&self) -> Vec<Remedy> {
        match self {
            ReadFault::Ambiguous(one, other) if one.is_like(other) => {
                vec![Remedy::Give(vec![Argument::Origin])]
            }
            ReadFault::Ambiguous(..) => vec![Remedy::Give(vec![Argument::From])],
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
    /// Two readings that are different tours.
    #[error("this is one tour as {0}, and another as {1}")]
    Ambiguous(TourReading, TourReading),
    /// Another notation than that of the tours before.
    #[error("this is {here}, after {before}; keep one notation per file")]
    Mixed {
        /// The notation of the first tour.
        before: TourReading,
        /// The notation here.
        here: TourReading,
    },
    /// Numbers and squares in one row.
    #[error("numbers and names of squares alternate; write only one of them")]
    MixedRow,
    /// Text that the notation asked for cannot have.
    #[error("this cannot be read as {}", .0.map_or("a tour", Notation::name))]
    NotIn(Option<Notation>),
    /// Lists in lists in lists.
    #[error("lists are nested {0} deep; write a list of tours, each a list of rows or squares")]
    Nested(usize),
    /// An ellipsis.
    #[error("a part is left out here; write every number or square")]
    Abbreviated,
    /// Bytes that are not UTF-8 text.
    #[error("this is not text; give tours as text in UTF-8, or as an SVG drawn by Hippodrome")]
    NotText,
    /// A long line without blanks or separators.
    #[error(
        "a line goes on for more than a mebibyte without a blank or comma; give a file of tours"
    )]
    Endless,
    /// A tour whose numbers repeat endlessly.
    #[error("a list goes on for {0} entries, most of which repeat others; give a file of tours")]
    Repetitive(usize),
    /// The input failed.
    #[error("the text cannot be read further: {0}")]
    Unreadable(io::ErrorKind),
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
    /// An error in coordinates.
    #[error(transparent)]
    Coords(#[from] CoordFault),
    /// An error in a list of numbers.
    #[error(transparent)]
    List(#[from] ListFault),
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
#[cfg(test)]
pub(super) type Claims = Vec<Result<Claim, ReadError>>;

/// The results that wait to be taken.
type Queue = VecDeque<Result<Claim, ReadError>>;

/// Creates the claim of a tour that begins on line `line`.
fn claim_at(
    line: usize,
    form: Form,
    read: Result<(Graph, Vec<Square>), ReadFault>,
) -> Result<Claim, ReadError> {
    let (graph, squares) = read.map_err(|fault| ReadError { line, fault })?;
    Ok(Claim { line, graph, squares, reading: TourReading::of(form) })
}

/// Reads all tours of a text. Returns at least one entry, which is an error if there is no tour.
pub fn read_tours(text: &str, hints: &Hints) -> Vec<Result<Claim, ReadError>> {
    TourTextReader::new(text.as_bytes(), hints).collect()
}

/// Reads tours one after another. Yields at least one entry, which is an error if there is no tour.
///
/// Memory is that of one tour, not of the text. After an error of the input, or if the input is not
/// text, nothing follows.
pub struct TourTextReader<'r> {
    source: TextSource<'r>,
    ground: Ground<'r>,
    rules: Rules,
    /// The reader of the detected family; `None` before detection.
    family: Option<TextFamily>,
    queue: Queue,
    yielded: bool,
    over: bool,
}

impl<'r> TourTextReader<'r> {
    /// Creates a reader.
    pub fn new(input: impl BufRead + 'r, hints: &'r Hints) -> TourTextReader<'r> {
        let Hints { notation, origin, up_to_symmetry, .. } = *hints;
        TourTextReader {
            source: TextSource::new(input),
            ground: Ground::new(hints),
            rules: Rules { notation, origin, up_to_symmetry },
            family: None,
            queue: Queue::new(),
            yielded: false,
            over: false,
        }
    }

    /// Returns the number of lines so far that are neither tours nor comments, and the first of them.
    pub fn prose(&self) -> (usize, usize) {
        match &self.family {
            Some(TextFamily::Table(table)) => table.prose(),
            _ => (0, 0),
        }
    }

    /// Reads a part of the text. Returns whether there is more.
    fn advance(&mut self) -> Result<bool, ReadError> {
        let (source, ground, queue) = (&mut self.source, &mut self.ground, &mut self.queue);
        match &mut self.family {
            None => {
                self.family = Some(detect(source, ground, self.rules.notation)?);
                Ok(true)
            }
            Some(TextFamily::Table(table)) => table.advance(source, ground, self.rules, queue),
            Some(TextFamily::Vertices) => vertices::advance(source, ground, queue),
            Some(TextFamily::Digits) => digits::advance(source, ground, queue),
            Some(TextFamily::Json(json)) => json.advance(source, ground, queue),
            Some(TextFamily::Tsplib(tsplib)) => tsplib.advance(source, ground, queue),
            Some(TextFamily::Svg(svg)) => svg.advance(source, ground, queue),
        }
    }

    /// Returns the error of a text without tours.
    fn nothing(&self) -> ReadError {
        match &self.family {
            Some(TextFamily::Table(table)) => table.nothing(),
            Some(TextFamily::Svg(_)) => ReadError { line: 1, fault: ReadFault::Svg },
            _ => ReadError { line: 1, fault: ReadFault::Nothing },
        }
    }
}

impl Iterator for TourTextReader<'_> {
    type Item = Result<Claim, ReadError>;

    fn next(&mut self) -> Option<Result<Claim, ReadError>> {
        loop {
            if let Some(claim) = self.queue.pop_front() {
                self.yielded = true;
                return Some(claim);
            }
            if self.over {
                let nothing = !std::mem::replace(&mut self.yielded, true);
                return nothing.then(|| Err(self.nothing()));
            }
            match self.advance() {
                Ok(more) => self.over = !more,
                Err(error) => {
                    self.over = true;
                    self.queue.push_back(Err(error));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
