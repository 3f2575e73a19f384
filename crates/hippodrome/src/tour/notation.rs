//! The text notations of a tour, by name, and the graphs that each supports.
//!
//! ```text
//! grid     3 16  9 ...                numbers on the board, top row first, # for holes
//! moves    a1 b3 c5 ...               the squares in order, one tour per line
//! digits   e4 4365036...              start square, then one octal digit per move
//! json     {"board":"8x8",...}        one object per line
//! tsplib   TYPE : TOUR ...            a TSPLIB tour file, vertices numbered from 1
//! csv      3,16,9,...                 a grid with commas, # for holes
//! coords   (7,0) (5,1) ...            (row,column) from 0 at the top left, one tour per line
//! numbers  3 16 9 ...                 the numbers of the grid in one line per tour
//! latex    3 & 16 & 9 ... \\          a grid as a tabular environment
//! ```

use crate::board::Graph;
use crate::error::{Diagnostic, ErrorKind};
use std::fmt;
use std::io;
use std::str::FromStr;
use thiserror::Error;

/// A text notation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Notation {
    /// Numbers on the board, top row first.
    Grid,
    /// Names of squares, one tour per line.
    Moves,
    /// Start square, then one octal digit per move, numbered as in Figure 1 of Gordon & Slocum.
    Digits,
    /// One JSON object per line.
    Json,
    /// A TSPLIB file of type TOUR.
    Tsplib,
    /// A grid with commas.
    Csv,
    /// Rows and columns in order, one tour per line.
    Coords,
    /// The numbers of the grid, one tour per line.
    Numbers,
    /// A grid as a table of LaTeX.
    Latex,
}

/// An unknown notation name.
#[derive(Error, Debug, Clone, PartialEq, Eq)]
#[error(
    "'{0}' is not a notation; write one of grid, moves, digits, json, tsplib, csv, coords, numbers, latex"
)]
pub struct UnknownNotation(String);

impl Diagnostic for UnknownNotation {}

/// The reason why a notation does not support a graph.
#[derive(Error, Debug, Clone, PartialEq, Eq)]
pub enum Unavailable {
    /// A grid needs a board.
    #[error("{0} is not a board, so its tours have no grid; use moves, json or tsplib")]
    Grid(String),
    /// Coordinates need a board.
    #[error("{0} is not a board, so its tours have no coordinates; use moves, json or tsplib")]
    Coords(String),
    /// Digits need numbered moves.
    #[error("{0} is not a board, so its tours have no digits; use moves, json or tsplib")]
    Digits(String),
    /// One octal digit encodes at most eight moves.
    #[error(
        "digits distinguish at most 8 moves, but the {leaper}-leaper has {moves}; use grid, moves, json or tsplib"
    )]
    TooManyMoves {
        /// The leaper.
        leaper: String,
        /// Its number of moves.
        moves: usize,
    },
}

impl Diagnostic for Unavailable {
    fn kind(&self) -> ErrorKind {
        ErrorKind::Unsupported
    }
}

/// An error when writing a tour.
#[derive(Error, Debug)]
pub enum NotationError {
    /// The notation does not support this graph.
    #[error(transparent)]
    Unavailable(#[from] Unavailable),
    /// The output failed.
    #[error(transparent)]
    Io(#[from] io::Error),
}

impl Diagnostic for NotationError {
    fn kind(&self) -> ErrorKind {
        match self {
            NotationError::Unavailable(error) => error.kind(),
            NotationError::Io(_) => ErrorKind::Io,
        }
    }
}

impl Notation {
    /// All notations, in the order in which they are listed.
    pub const ALL: [Notation; 9] = [
        Notation::Grid,
        Notation::Moves,
        Notation::Digits,
        Notation::Json,
        Notation::Tsplib,
        Notation::Csv,
        Notation::Coords,
        Notation::Numbers,
        Notation::Latex,
    ];

    /// Returns the name of the notation, as typed.
    pub fn name(self) -> &'static str {
        match self {
            Notation::Grid => "grid",
            Notation::Moves => "moves",
            Notation::Digits => "digits",
            Notation::Json => "json",
            Notation::Tsplib => "tsplib",
            Notation::Csv => "csv",
            Notation::Coords => "coords",
            Notation::Numbers => "numbers",
            Notation::Latex => "latex",
        }
    }

    /// Checks that the notation supports tours of the graph. Call it before a long search.
    pub fn supports(self, graph: &Graph) -> Result<(), Unavailable> {
        match (self, graph.piece()) {
            (Notation::Grid | Notation::Csv | Notation::Numbers | Notation::Latex, None) => {
                Err(Unavailable::Grid(graph.to_string()))
            }
            (Notation::Coords, None) => Err(Unavailable::Coords(graph.to_string())),
            (Notation::Digits, None) => Err(Unavailable::Digits(graph.to_string())),
            (Notation::Digits, Some(piece)) if piece.moves().len() > 8 => {
                let (leaper, moves) = (piece.to_string(), piece.moves().len());
                Err(Unavailable::TooManyMoves { leaper, moves })
            }
            _ => Ok(()),
        }
    }
}

impl FromStr for Notation {
    type Err = UnknownNotation;

    fn from_str(text: &str) -> Result<Notation, UnknownNotation> {
        let found = Notation::ALL.into_iter().find(|n| n.name() == text);
        found.ok_or_else(|| UnknownNotation(text.to_string()))
    }
}

impl fmt::Display for Notation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board;

    #[test]
    fn names_are_parsed_and_unknown_ones_list_all() {
        for notation in Notation::ALL {
            assert_eq!(notation.name().parse(), Ok(notation));
        }
        let error = "roman".parse::<Notation>().unwrap_err().to_string();
        assert!(Notation::ALL.iter().all(|n| error.contains(n.name())), "{error}");
    }

    #[test]
    fn digits_support_eight_moves_but_not_twelve() {
        let on =
            |leaper: &str| Graph::leaper(Board::parse("5x5").unwrap(), leaper.parse().unwrap());
        assert_eq!(Notation::Digits.supports(&on("1,1+0,1")), Ok(()));
        let error = Notation::Digits.supports(&on("1,2+0,1")).unwrap_err().to_string();
        assert!(error.contains("has 12") && error.contains("use grid"), "{error}");
    }
}
