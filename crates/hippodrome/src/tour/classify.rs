//! Classification of a tour: open or closed, its symmetry, and whether it is semi-magic or magic.
//!
//! The symmetry is that of the drawn line, regardless of direction and, for closed tours, of the start. Magic
//! properties depend on the numbers along the tour. In a semi-magic tour, all rows have equal sums and so do
//! all columns (Jelliss calls this "magic"); in a full magic tour, the diagonals have the same sum, too.

use super::canon::line;
use super::{Tour, Verified};
use crate::board::Symmetry;
use std::fmt;

/// How the sums of the numbers in rows, columns and diagonals agree.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Magic {
    /// Rows or columns have different sums, or the board has holes.
    None,
    /// All rows have equal sums, and all columns have equal sums.
    Semi,
    /// The board is square, and rows, columns and both diagonals have equal sums.
    Full,
}

/// Formats the value as `none`, `semi` or `full`.
impl fmt::Display for Magic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Magic::None => "none",
            Magic::Semi => "semi",
            Magic::Full => "full",
        })
    }
}

/// The class of a tour: whether it is closed, its magic property and its symmetries.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Class {
    /// Whether a move leads from the last square to the first.
    pub closed: bool,
    /// The magic property of the tour's numbers.
    pub magic: Magic,
    /// The symmetries, except the identity, that map the tour's line onto itself.
    pub symmetries: Vec<Symmetry>,
}

impl Class {
    /// Returns the symmetry class in words: `none`, `half-turn`, `quarter-turn`, `mirror` or `mirror and
    /// half-turn`.
    pub fn symmetry(&self) -> &'static str {
        let has = |s| self.symmetries.contains(&s);
        let mirror =
            [Symmetry::LeftRight, Symmetry::TopBottom, Symmetry::Diagonal, Symmetry::AntiDiagonal]
                .into_iter()
                .any(has);
        match (has(Symmetry::QuarterTurn), has(Symmetry::HalfTurn), mirror) {
            (true, _, _) => "quarter-turn",
            (false, true, true) => "mirror and half-turn",
            (false, true, false) => "half-turn",
            (false, false, true) => "mirror",
            (false, false, false) => "none",
        }
    }
}

// Defined next to its result, `Class`.
impl Tour {
    /// Classifies the tour.
    pub fn classify(&self) -> Class {
        self.view().classify()
    }
}

// As above.
impl Verified<'_> {
    /// Classifies the tour.
    pub fn classify(&self) -> Class {
        Class { closed: self.is_closed(), magic: self.magic(), symmetries: self.symmetries() }
    }

    /// Returns the symmetries, except the identity, that map the tour's line onto itself.
    pub fn symmetries(&self) -> Vec<Symmetry> {
        let Some(board) = self.graph().board() else { return Vec::new() };
        let (mut own, mut other) = (Vec::new(), Vec::new());
        line(self.squares(), self.is_closed(), &mut own);
        let keeps = |s: &Symmetry| {
            let image: Vec<_> = self.squares().iter().map(|&v| s.apply(board, v)).collect();
            line(&image, self.is_closed(), &mut other);
            own == other
        };
        Symmetry::of(board).into_iter().skip(1).filter(keeps).collect()
    }

    /// Returns the magic property of the tour's numbers.
    pub fn magic(&self) -> Magic {
        let Some(board) = self.graph().board().filter(|b| b.is_full()) else { return Magic::None };
        let (rows, cols) = (board.rows(), board.cols());
        let times = self.times();
        let time = |r, c| u64::from(times[board.at(r, c).index()]);
        let total = (times.len() * (times.len() + 1) / 2) as u64;
        let row = |r| (0..cols).map(|c| time(r, c)).sum::<u64>() * u64::from(rows) == total;
        let col = |c| (0..rows).map(|r| time(r, c)).sum::<u64>() * u64::from(cols) == total;
        if !(0..rows).all(row) || !(0..cols).all(col) {
            return Magic::None;
        }
        let falling: u64 = (0..rows.min(cols)).map(|i| time(i, i)).sum();
        let rising: u64 = (0..rows.min(cols)).map(|i| time(i, cols - 1 - i)).sum();
        let side = u64::from(rows);
        let full = rows == cols && falling * side == total && rising * side == total;
        if full { Magic::Full } else { Magic::Semi }
    }
}
