//! Boards: rectangles of squares, some of which may be missing, and the names of the squares.
//!
//! ```text
//!   4 │ 15 16 17 18 19        Squares are numbered row by row from a1, the bottom left corner.
//!   3 │ 10 11 12 13 14        Row 0 is rank 1; on an R-row board the top row is rank R.
//!   2 │  5  6  7  8  9        Holes keep their numbers, so a number always means the same
//!   1 │  0  1  2  3  4        place.
//!     └─ a  b  c  d  e
//! ```

pub(crate) mod bits;
mod dropped_edges;
pub mod generators;
mod graph;
pub mod graph_file;
pub mod graph_format;
pub mod graph_source;
mod leaper;
pub mod move_weights;
mod series;
mod square;
mod symmetry;
mod text_grid;

pub use dropped_edges::DroppedEdges;
pub use graph::{Csr, Graph, Implicit, Neighbours, VertexError};
pub use leaper::{Leaper, LeaperError};
pub use series::{BoardSeries, SeriesError};
pub use square::Square;
pub use symmetry::Symmetry;
pub use text_grid::text_grid;

use crate::numerals::{grouped_digits, in_bytes};
use fixedbitset::FixedBitSet;
use std::fmt;
use std::sync::Arc;
use thiserror::Error;

/// A rectangular board, possibly with holes. Cloning is cheap.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Board {
    rows: u32,
    cols: u32,
    squares: u32,
    /// 2^64 / cols, rounded down, which lets [`Board::row`] multiply instead of divide.
    reciprocal: u64,
    holes: Option<Arc<FixedBitSet>>,
}

/// An error in the description of a board.
#[derive(Error, Debug, Clone, PartialEq, Eq)]
pub enum BoardError {
    /// The text is not of the form ROWSxCOLS.
    #[error("'{0}' is not a board; write ROWSxCOLS, rows first, as in 8x8 or 5x6")]
    Syntax(String),
    /// A side has length zero.
    #[error("board '{0}' has no squares; both sides must be at least 1, as in 8x8")]
    Empty(String),
    /// The board has more squares than a `u32` can number.
    #[error(
        "board {rows}x{cols} is too large: it has {} squares, and one tour would take about {memory}; use at most 4,294,967,294 squares, as in 65535x65535",
        grouped_digits(&squares.to_string())
    )]
    TooLarge {
        /// Number of rows requested.
        rows: u128,
        /// Number of columns requested.
        cols: u128,
        /// Number of squares requested.
        squares: u128,
        /// Estimated memory for one tour, as text.
        memory: String,
    },
    /// The name of a square has the wrong form.
    #[error(
        "'{0}' is not a square; write the letter of its column, then the number of its row, as in a1 or c3"
    )]
    SquareSyntax(String),
    /// The name of a square lies beyond the edge of the board.
    #[error("square '{name}' is not on the {board} board; its squares run from a1 to {last}")]
    OffBoard {
        /// The name that was given.
        name: String,
        /// The size of the board.
        board: String,
        /// The name of the top right square.
        last: String,
    },
    /// A named square is a hole.
    #[error("square {0} is a hole; name a square that is on the board")]
    Hole(String),
    /// Every square is a hole.
    #[error("every square of the {0} board is a hole; leave at least one square")]
    AllHoles(String),
    /// A line of a mask has the wrong length.
    #[error(
        "mask line {line} has {found} characters, but line 1 has {expected}; make all lines the same length"
    )]
    RaggedMask {
        /// Line number, counting from 1.
        line: usize,
        /// Length of the line.
        found: usize,
        /// Length of the first line.
        expected: usize,
    },
    /// A mask contains a character that stands for neither a square nor a hole.
    #[error(
        "mask line {line} has the character '{found}'; use '.' for a square and '#' for a hole"
    )]
    MaskCharacter {
        /// Line number, counting from 1.
        line: usize,
        /// The character found.
        found: char,
    },
    /// The mask and the board have different shapes.
    #[error(
        "the mask is {mask}, but the board is {board}; leave out the board, or make them agree"
    )]
    MaskShape {
        /// The shape of the mask.
        mask: String,
        /// The shape of the board.
        board: String,
    },
}

impl crate::error::Diagnostic for BoardError {}

impl Board {
    /// Creates a board of `rows` by `cols` squares without holes.
    pub fn new(rows: u64, cols: u64) -> Result<Board, BoardError> {
        Board::sized(rows.into(), cols.into())
    }

    fn sized(rows: u128, cols: u128) -> Result<Board, BoardError> {
        if rows == 0 || cols == 0 {
            return Err(BoardError::Empty(format!("{rows}x{cols}")));
        }
        let squares = rows.saturating_mul(cols);
        if squares >= u128::from(u32::MAX) {
            let memory = in_bytes(squares.saturating_mul(4));
            return Err(BoardError::TooLarge { rows, cols, squares, memory });
        }
        let reciprocal = u64::MAX / cols as u64;
        let (rows, cols, squares) = (rows as u32, cols as u32, squares as u32);
        Ok(Board { rows, cols, squares, reciprocal, holes: None })
    }

    /// Parses a board such as `8x8`.
    pub fn parse(text: &str) -> Result<Board, BoardError> {
        let syntax = || BoardError::Syntax(text.to_string());
        let (rows, cols) = text.split_once(['x', 'X', '×']).ok_or_else(syntax)?;
        let side = |s: &str| {
            let digits = !s.is_empty() && s.bytes().all(|b| b.is_ascii_digit());
            s.parse::<u128>().ok().filter(|_| digits).ok_or_else(syntax)
        };
        Board::sized(side(rows)?, side(cols)?)
    }

    /// Returns the smallest square board with at least `squares` squares.
    pub fn smallest_square(squares: usize) -> Result<Board, BoardError> {
        let root = (squares as u64).isqrt();
        let side = root + u64::from(root * root < squares as u64);
        Board::new(side, side)
    }

    /// Returns the board with additional holes.
    pub fn with_holes(
        &self,
        missing: impl IntoIterator<Item = Square>,
    ) -> Result<Board, BoardError> {
        let mut holes = self.holes.as_deref().cloned().unwrap_or_default();
        holes.grow(self.len());
        for square in missing {
            if square.index() >= self.len() {
                return Err(self.off_board(self.name(square)));
            }
            holes.insert(square.index());
        }
        let count = holes.count_ones(..);
        if count == self.len() {
            return Err(BoardError::AllHoles(self.shape()));
        }
        let squares = (self.len() - count) as u32;
        Ok(Board { holes: (count > 0).then(|| Arc::new(holes)), squares, ..*self })
    }

    /// Parses a mask: one line per row, top row first, with `.` for a square and `#` for a hole.
    pub fn from_mask(text: &str) -> Result<Board, BoardError> {
        let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
        let used = lines.iter().rposition(|l| !l.is_empty()).map_or(0, |last| last + 1);
        let lines = &lines[..used];
        let width = lines.first().map_or(0, |l| l.chars().count());
        let board = Board::new(lines.len() as u64, width as u64)?;
        let mut missing = Vec::new();
        for (index, line) in lines.iter().enumerate() {
            let found = line.chars().count();
            if found != width {
                return Err(BoardError::RaggedMask { line: index + 1, found, expected: width });
            }
            let row = (lines.len() - 1 - index) as u32;
            for (col, c) in line.chars().enumerate() {
                match c {
                    '.' => {}
                    '#' => missing.push(board.at(row, col as u32)),
                    found => return Err(BoardError::MaskCharacter { line: index + 1, found }),
                }
            }
        }
        board.with_holes(missing)
    }

    /// Returns whether this board is a clone of the other.
    pub(crate) fn is(&self, other: &Board) -> bool {
        let made = |board: &Board| (board.rows, board.cols, board.holes.as_ref().map(Arc::as_ptr));
        made(self) == made(other)
    }

    /// Returns the number of rows.
    pub fn rows(&self) -> u32 {
        self.rows
    }

    /// Returns the number of columns.
    pub fn cols(&self) -> u32 {
        self.cols
    }

    /// Returns rows times columns, holes included. All square numbers are below this.
    #[expect(clippy::len_without_is_empty, reason = "a board always has a square")]
    pub fn len(&self) -> usize {
        self.rows as usize * self.cols as usize
    }

    /// Returns the number of squares that are not holes.
    pub fn squares(&self) -> usize {
        self.squares as usize
    }

    /// Returns whether no square is missing.
    pub fn is_full(&self) -> bool {
        self.holes.is_none()
    }

    /// Returns whether a square is on the board and is not a hole.
    #[inline]
    pub fn has(&self, square: Square) -> bool {
        square.index() < self.len()
            && self.holes.as_ref().is_none_or(|holes| !holes.contains(square.index()))
    }

    /// Returns all squares that are not holes, in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = Square> + '_ {
        Square::below(self.len()).filter(|&s| self.has(s))
    }

    /// Returns the holes, in ascending order.
    pub fn holes(&self) -> impl Iterator<Item = Square> + '_ {
        self.holes.iter().flat_map(|holes| holes.ones()).map(Square::from_index)
    }

    /// Returns the row of a square; the bottom row is 0.
    #[inline]
    pub fn row(&self, square: Square) -> u32 {
        // Let v be the square's number, and v + 1 = q·cols + s with 1 ≤ s ≤ cols. The product is less than
        // (q+s/cols)·2^64, by at most v + 1 ≤ 2^32 ≤ 2^64/cols, so its upper half is q.
        ((u128::from(self.reciprocal) * (u128::from(square.number()) + 1)) >> 64) as u32
    }

    /// Returns the column of a square; the left column is 0.
    #[inline]
    pub fn col(&self, square: Square) -> u32 {
        square.number() - self.row(square) * self.cols
    }

    /// Returns the square in the given row and column, which must be on the board.
    #[inline]
    pub fn at(&self, row: u32, col: u32) -> Square {
        Square::new(row * self.cols + col)
    }

    /// Returns whether a square is dark, as a1 is.
    #[inline]
    pub fn is_dark(&self, square: Square) -> bool {
        (self.row(square) + self.col(square)).is_multiple_of(2)
    }

    /// Returns the algebraic name of a square: `a1`, `h8`, `ab100`.
    pub fn name(&self, square: Square) -> String {
        let mut letters = Vec::new();
        let mut rest = self.col(square);
        loop {
            letters.push(b'a' + (rest % 26) as u8);
            match (rest / 26).checked_sub(1) {
                Some(next) => rest = next,
                None => break,
            }
        }
        let mut name: String = letters.iter().rev().map(|&b| char::from(b)).collect();
        name.push_str(&(u64::from(self.row(square)) + 1).to_string());
        name
    }

    /// Returns the square with the given name, which may be a hole.
    pub fn place(&self, name: &str) -> Result<Square, BoardError> {
        let letters = name.bytes().take_while(u8::is_ascii_alphabetic).count();
        let (file, rank) = name.split_at(letters);
        if file.is_empty() || rank.is_empty() || !rank.bytes().all(|b| b.is_ascii_digit()) {
            return Err(BoardError::SquareSyntax(name.to_string()));
        }
        let col = file.bytes().fold(0u64, |col, letter| {
            let digit = u64::from(letter.to_ascii_lowercase() - b'a') + 1;
            col.saturating_mul(26).saturating_add(digit)
        });
        match rank.parse::<u64>() {
            Ok(rank @ 1..) if rank <= self.rows.into() && col <= self.cols.into() => {
                Ok(self.at(rank as u32 - 1, col as u32 - 1))
            }
            _ => Err(self.off_board(name.to_string())),
        }
    }

    fn off_board(&self, name: String) -> BoardError {
        let last = self.name(Square::from_index(self.len() - 1));
        BoardError::OffBoard { name, board: self.shape(), last }
    }

    /// Returns the square with the given name, which must not be a hole.
    pub fn square(&self, name: &str) -> Result<Square, BoardError> {
        let square = self.place(name)?;
        if self.has(square) { Ok(square) } else { Err(BoardError::Hole(self.name(square))) }
    }

    /// Returns the size, such as `8x8`, without mentioning holes.
    pub fn shape(&self) -> String {
        format!("{}x{}", self.rows, self.cols)
    }

    /// Returns the board as a mask in the format of [`Board::from_mask`].
    pub fn mask(&self) -> String {
        let mut text = String::with_capacity(self.len() + self.rows as usize);
        for row in (0..self.rows).rev() {
            text.extend(
                (0..self.cols).map(|col| if self.has(self.at(row, col)) { '.' } else { '#' }),
            );
            text.push('\n');
        }
        text
    }
}

/// Formats the board as `8x8` or `8x8 with 2 holes`.
impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.shape())?;
        match self.len() - self.squares() {
            0 => Ok(()),
            1 => f.write_str(" with 1 hole"),
            n => write!(f, " with {n} holes"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_run_a_to_z_then_aa() {
        let board = Board::parse("30x60").unwrap();
        for (name, row, col) in [("a1", 0, 0), ("z1", 0, 25), ("aa2", 1, 26), ("bh30", 29, 59)] {
            assert_eq!(board.place(name), Ok(board.at(row, col)), "{name}");
            assert_eq!(board.name(board.at(row, col)), name);
        }
        assert!(
            board.squares() == 1800 && board.iter().all(|s| board.place(&board.name(s)) == Ok(s))
        );
    }

    /// The tests of the web page read the same table.
    #[test]
    fn squares_are_read_as_users_write_them() {
        let table = include_str!("../tests/data/squares.tsv");
        let rows: Vec<Vec<&str>> = table
            .lines()
            .filter(|line| !line.starts_with('#'))
            .map(|line| line.split('\t').collect())
            .collect();
        assert!(rows.len() > 40);
        for row in rows {
            let [board, name, number] = row[..] else { panic!("{row:?}") };
            let read = Board::parse(board).and_then(|board| board.place(name));
            assert_eq!(read.ok(), number.parse().ok().map(Square::new), "{row:?}");
        }
    }

    #[test]
    fn bad_boards_say_what_to_type() {
        for text in ["8x", "x8", "8", "", "8x8x8", "-1x5", "8 x 8", "axb", "８x８"] {
            assert!(matches!(Board::parse(text), Err(BoardError::Syntax(_))), "{text}");
        }
        assert!(matches!(Board::parse("0x5"), Err(BoardError::Empty(_))));
        let huge = Board::parse("1000000x1000000").unwrap_err().to_string();
        assert!(huge.contains("4,294,967,294") && huge.contains("3.6 TiB"), "{huge}");
        assert!(matches!(
            Board::parse("99999999999999999999x99999999999999999999"),
            Err(BoardError::TooLarge { .. })
        ));
        assert!(Board::parse("65535x65535").is_ok() && Board::parse("65536x65536").is_err());
    }

    #[test]
    fn bad_squares_say_what_to_type() {
        let board = Board::parse("5x6").unwrap();
        for name in ["", "5", "a", "a-1", "1a", "a1b", "é1"] {
            assert!(matches!(board.place(name), Err(BoardError::SquareSyntax(_))), "{name}");
        }
        for name in ["a0", "a6", "g1", "zzzzzzzzzzzzzzzzzzzzz1", "a99999999999999999999999"] {
            assert!(matches!(board.place(name), Err(BoardError::OffBoard { .. })), "{name}");
        }
        assert_eq!(board.place("F5"), Ok(Square::new(29)));
    }

    #[test]
    fn a_mask_is_read_top_row_first() {
        let board = Board::from_mask("#..\n...\n..#\n\n").unwrap();
        assert_eq!((board.rows(), board.cols(), board.squares()), (3, 3, 7));
        let holes: Vec<_> = board.holes().map(|s| board.name(s)).collect();
        assert_eq!(holes, ["c1", "a3"]);
        assert_eq!(Board::from_mask(&board.mask()), Ok(board.clone()));
        assert_eq!(board.square("a3"), Err(BoardError::Hole("a3".into())));
        assert_eq!(board.to_string(), "3x3 with 2 holes");
        assert!(matches!(board.with_holes([9].map(Square::new)), Err(BoardError::OffBoard { .. })));
    }

    #[test]
    fn bad_masks_name_the_line() {
        assert_eq!(
            Board::from_mask("...\n..\n"),
            Err(BoardError::RaggedMask { line: 2, found: 2, expected: 3 })
        );
        assert_eq!(
            Board::from_mask("...\n.?.\n"),
            Err(BoardError::MaskCharacter { line: 2, found: '?' })
        );
        assert!(matches!(Board::from_mask("##\n##"), Err(BoardError::AllHoles(_))));
        assert!(matches!(Board::from_mask(""), Err(BoardError::Empty(_))));
    }

    #[test]
    fn rows_and_columns_agree_with_division() {
        let sides = [1, 2, 3, 7, 10, 4095, 4096, 65_535, 65_536, 1 << 31, u32::MAX - 1];
        for cols in sides {
            let board =
                Board::new((u64::from(u32::MAX) - 1) / u64::from(cols), cols.into()).unwrap();
            let last = board.len() as u32 - 1;
            let near = [cols - 1, cols, cols.saturating_add(1), last / cols * cols, last, u32::MAX];
            for number in near.into_iter().chain((0..1000).map(|i| i * (last / 1000))) {
                let square = Square::new(number);
                let place = (board.row(square), board.col(square));
                assert_eq!(place, (number / cols, number % cols), "{number} of {cols}");
            }
        }
    }
}
