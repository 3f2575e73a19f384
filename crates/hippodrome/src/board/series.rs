//! Series of rectangular boards: `3x4..3x40` with one growing side, `5x5..8x8` with two, and `:2` for every
//! second board.

use super::{Board, BoardError};
use thiserror::Error;

/// A series of rectangular boards in which one side grows, or both sides grow by the same amount.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardSeries {
    first: (u64, u64),
    grows: (u64, u64),
    len: u64,
}

/// An error in the description of a series.
#[derive(Error, Debug, Clone, PartialEq, Eq)]
pub enum SeriesError {
    /// The first or the last board is invalid.
    #[error(transparent)]
    Board(#[from] BoardError),
    /// The step is not a positive number.
    #[error("invalid step '{0}'; write a whole number of at least 1, as in 3x4..3x40:2")]
    Step(String),
    /// The last board is smaller than the first.
    #[error("the series {0} has no boards; write the smaller board first")]
    Backwards(String),
    /// The sides grow by different amounts.
    #[error(
        "the sides of the series {0} grow by different amounts; let one side grow, as in 3x4..3x40, or both equally, as in 5x5..8x8"
    )]
    Crooked(String),
}

impl crate::error::Diagnostic for SeriesError {}

impl BoardSeries {
    /// Parses `A..B` or `A..B:STEP`; returns `None` if the text does not contain `..`.
    pub fn parse(text: &str) -> Option<Result<BoardSeries, SeriesError>> {
        let (first, rest) = text.split_once("..")?;
        Some(BoardSeries::between(text, first, rest))
    }

    fn between(text: &str, first: &str, rest: &str) -> Result<BoardSeries, SeriesError> {
        let (last, step) = rest.split_once(':').unwrap_or((rest, "1"));
        let every = step.parse().ok().filter(|&step: &u64| step > 0);
        let every = every.ok_or_else(|| SeriesError::Step(step.into()))?;
        let sides = |board: Board| (u64::from(board.rows()), u64::from(board.cols()));
        let (first, last) = (sides(Board::parse(first)?), sides(Board::parse(last)?));
        let more = |from: u64, to: u64| to.checked_sub(from);
        let (Some(rows), Some(cols)) = (more(first.0, last.0), more(first.1, last.1)) else {
            return Err(SeriesError::Backwards(text.into()));
        };
        if rows > 0 && cols > 0 && rows != cols {
            return Err(SeriesError::Crooked(text.into()));
        }
        let grows = |by: u64| if by > 0 { every } else { 0 };
        let len = rows.max(cols) / every + 1;
        Ok(BoardSeries { first, grows: (grows(rows), grows(cols)), len })
    }

    /// Returns the boards in order, each with the length of its growing side (the columns, if both sides
    /// grow).
    pub fn boards(&self) -> impl Iterator<Item = (u64, Board)> {
        let BoardSeries { first, grows, len } = *self;
        (0..len).filter_map(move |n| {
            let (rows, cols) = (first.0 + n * grows.0, first.1 + n * grows.1);
            // No board is larger than the last one, which was parsed.
            Some((if grows.1 > 0 { cols } else { rows }, Board::new(rows, cols).ok()?))
        })
    }

    /// Returns the amount by which the growing side differs between consecutive boards.
    pub fn step(&self) -> u64 {
        self.grows.0.max(self.grows.1).max(1)
    }

    /// Returns whether only one side grows, in which case the counts may obey a linear recurrence.
    pub fn has_fixed_side(&self) -> bool {
        self.grows.0 == 0 || self.grows.1 == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listed(text: &str) -> Result<Vec<(u64, String)>, String> {
        let series = BoardSeries::parse(text).unwrap().map_err(|e| e.to_string())?;
        Ok(series.boards().map(|(n, board)| (n, board.shape())).collect())
    }

    #[test]
    fn one_side_grows_or_both_do() {
        let of = |boards: &[(u64, &str)]| {
            Ok(boards.iter().map(|&(n, b)| (n, b.to_string())).collect::<Vec<_>>())
        };
        assert_eq!(listed("3x4..3x6"), of(&[(4, "3x4"), (5, "3x5"), (6, "3x6")]));
        assert_eq!(listed("4x3..9x3:2"), of(&[(4, "4x3"), (6, "6x3"), (8, "8x3")]));
        assert_eq!(listed("5x5..7x7"), of(&[(5, "5x5"), (6, "6x6"), (7, "7x7")]));
        assert_eq!(listed("5x6..5x6"), of(&[(5, "5x6")]));
        assert_eq!(BoardSeries::parse("5x6"), None);
    }

    #[test]
    fn malformed_series_are_rejected() {
        for (text, part) in [
            ("3x4..", "'' is not a board"),
            ("..3x4", "'' is not a board"),
            ("3x4..5x9", "grow by different amounts"),
            ("3x9..3x4", "smaller board first"),
            ("3x4..4x3", "smaller board first"),
            ("3x4..3x9:0", "invalid step '0'"),
            ("3x4..3x9:x", "invalid step 'x'"),
            ("3x4...3x9", "'.3x9' is not a board"),
            ("0x4..3x4", "no squares"),
        ] {
            let error = listed(text).unwrap_err();
            assert!(error.contains(part), "{text}: {error}");
        }
    }
}
