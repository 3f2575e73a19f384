//! The origin of coordinates and of numbered squares in texts that do not say it.

use crate::error::Diagnostic;
use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// Where coordinates are counted from, as far as it is known.
///
/// Written as words with commas: `top` or `bottom` for the row that comes first, `row` or `column`
/// for the coordinate that comes first, `0` or `1` for the first number.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct GridOrigin {
    /// Whether rows are counted from the top.
    pub top: Option<bool>,
    /// Whether the row comes before the column.
    pub row_first: Option<bool>,
    /// The number of the first row, column or square.
    pub base: Option<u32>,
}

/// A word that does not describe an origin.
#[derive(Error, Debug, Clone, PartialEq, Eq)]
#[error(
    "'{0}' is not an origin; write words such as top,row,0: top or bottom, row or column, 0 or 1"
)]
pub struct GridOriginError(String);

impl Diagnostic for GridOriginError {}

impl GridOrigin {
    /// The origin of the coordinates that we write.
    pub const WRITTEN: GridOrigin =
        GridOrigin { top: Some(true), row_first: Some(true), base: Some(0) };

    /// Returns the possible first numbers; `zero` says whether a 0 was found.
    pub(super) fn bases(self, zero: bool) -> &'static [u32] {
        match (self.base, zero) {
            (Some(1), _) => &[1],
            (None, false) => &[1, 0],
            _ => &[0],
        }
    }

    /// Returns whether rows may be counted from the top, and whether from the bottom.
    pub(super) fn sides(self) -> &'static [bool] {
        choices(self.top)
    }

    /// Returns whether the row may come first, and whether it may come second.
    pub(super) fn orders(self) -> &'static [bool] {
        choices(self.row_first)
    }
}

fn choices(known: Option<bool>) -> &'static [bool] {
    match known {
        None => &[true, false],
        Some(true) => &[true],
        Some(false) => &[false],
    }
}

impl FromStr for GridOrigin {
    type Err = GridOriginError;

    fn from_str(text: &str) -> Result<GridOrigin, GridOriginError> {
        let mut origin = GridOrigin::default();
        let wrong = || GridOriginError(text.chars().take(40).collect());
        for word in text.split(',').map(str::trim) {
            let known = match word {
                "top" | "bottom" => origin.top.replace(word == "top").is_some(),
                "row" | "column" => origin.row_first.replace(word == "row").is_some(),
                "0" | "1" => origin.base.replace(u32::from(word == "1")).is_some(),
                _ => return Err(wrong()),
            };
            if known {
                return Err(wrong());
            }
        }
        Ok(origin)
    }
}

impl fmt::Display for GridOrigin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = |known: Option<bool>, yes, no| known.map(|k| if k { yes } else { no });
        let side = word(self.top, "top", "bottom");
        let order = word(self.row_first, "row", "column");
        let base = word(self.base.map(|base| base == 0), "0", "1");
        let words: Vec<&str> = [side, order, base].into_iter().flatten().collect();
        f.write_str(&words.join(","))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_read_in_any_order_and_written_in_one() {
        let read = |text: &str| text.parse::<GridOrigin>().map(|origin| origin.to_string());
        for (text, written) in
            [("top,row,0", "top,row,0"), ("1, bottom", "bottom,1"), ("column", "column")]
        {
            assert_eq!(read(text), Ok(written.to_string()));
        }
        assert_eq!(GridOrigin::WRITTEN.to_string().parse(), Ok(GridOrigin::WRITTEN));
        for text in ["", "left", "top,bottom", "2", "0,0", "top;row"] {
            let error = read(text).unwrap_err().to_string();
            assert!(error.contains("top,row,0"), "{error}");
        }
    }
}
