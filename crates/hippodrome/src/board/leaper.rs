//! Leapers: the knight, other (a,b)-leapers and combinations of them, with the numbers of their moves.
//!
//! Moves are numbered as in Figure 1 of Gordon & Slocum (2004), counter-clockwise from "two down, one right";
//! for other (a,b)-leapers, a takes the place of the knight's 1, and b the place of its 2.
//!
//! ```text
//!     · 4 · 3 ·
//!     5 · · · 2
//!     · · X · ·
//!     6 · · · 1
//!     · 7 · 0 ·
//! ```

use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// A piece that jumps by fixed distances: one (a,b) pair, or several pairs joined with `+`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Leaper {
    pairs: Vec<(u32, u32)>,
    moves: Vec<(i32, i32)>,
}

/// An error in the description of a leaper.
#[derive(Error, Debug, Clone, PartialEq, Eq)]
#[error(
    "'{0}' is not a leaper; write two whole numbers below 32768 that are not both 0, as in '1,2'; join several leapers with '+', as in '1,2+0,1'"
)]
pub struct LeaperError(String);

impl crate::error::Diagnostic for LeaperError {}

impl Leaper {
    /// Returns the chess knight.
    pub fn knight() -> Leaper {
        Leaper::from_pairs(&[(1, 2)])
    }

    fn from_pairs(pairs: &[(u32, u32)]) -> Leaper {
        let mut leaper = Leaper { pairs: Vec::new(), moves: Vec::new() };
        for &(a, b) in pairs {
            let (a, b) = (a.min(b), a.max(b));
            if leaper.pairs.contains(&(a, b)) {
                continue;
            }
            leaper.pairs.push((a, b));
            let (a, b) = (a as i32, b as i32);
            for m in [(-b, a), (-a, b), (a, b), (b, a), (b, -a), (a, -b), (-a, -b), (-b, -a)] {
                if !leaper.moves.contains(&m) {
                    leaper.moves.push(m);
                }
            }
        }
        leaper
    }

    /// Returns the moves as (rows up, columns right), in the order of their numbers.
    pub fn moves(&self) -> &[(i32, i32)] {
        &self.moves
    }

    /// Returns the (a,b) pairs, with a ≤ b in each.
    pub fn pairs(&self) -> &[(u32, u32)] {
        &self.pairs
    }

    /// Returns whether the piece can jump by `rows` rows and `cols` columns, in any direction.
    #[inline]
    pub fn leaps(&self, rows: u32, cols: u32) -> bool {
        let jump = (rows.min(cols), rows.max(cols));
        self.pairs.contains(&jump)
    }

    /// Returns the largest number of rows or columns that a move crosses.
    pub fn reach(&self) -> u32 {
        self.pairs.iter().map(|p| p.1).max().unwrap_or(0)
    }

    /// Returns whether this is the chess knight.
    pub fn is_knight(&self) -> bool {
        self.pairs == [(1, 2)]
    }
}

impl FromStr for Leaper {
    type Err = LeaperError;

    fn from_str(text: &str) -> Result<Leaper, LeaperError> {
        let number = |s: &str| s.trim().parse::<u32>().ok().filter(|&n| n < 32768);
        let pair = |part: &str| {
            let (a, b) = part.split_once(',')?;
            Some((number(a)?, number(b)?)).filter(|&p| p != (0, 0))
        };
        let pairs: Option<Vec<_>> = text.split('+').map(pair).collect();
        pairs.map(|p| Leaper::from_pairs(&p)).ok_or_else(|| LeaperError(text.to_string()))
    }
}

impl fmt::Display for Leaper {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts: Vec<String> = self.pairs.iter().map(|(a, b)| format!("{a},{b}")).collect();
        f.write_str(&parts.join("+"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_knight_moves_as_in_figure_1() {
        let knight = Leaper::knight();
        assert_eq!(knight.moves()[0], (-2, 1));
        assert_eq!(knight.moves()[3], (2, 1));
        assert_eq!(knight.moves()[7], (-2, -1));
        assert_eq!("2,1".parse::<Leaper>().unwrap(), knight);
        assert!(knight.leaps(2, 1) && !knight.leaps(2, 2));
    }

    #[test]
    fn straight_and_diagonal_leapers_have_four_moves() {
        for (text, moves) in [("0,1", 4), ("1,1", 4), ("1,2+0,1", 12), ("1,2+2,1", 8), ("2,3", 8)] {
            assert_eq!(text.parse::<Leaper>().unwrap().moves().len(), moves, "{text}");
        }
    }

    #[test]
    fn invalid_leapers_are_rejected() {
        for text in ["", "1", "1,2,3", "0,0", "a,b", "1,2+", "-1,2", "1,99999"] {
            assert!(text.parse::<Leaper>().is_err(), "{text}");
        }
    }
}
