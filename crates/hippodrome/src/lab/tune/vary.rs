//! Lists of values for a parameter, in the form `alpha=0.5,1,2` or `alpha=0.5..2:0.25`.

use thiserror::Error;

/// Maximum number of values in one range.
const MOST_VALUES: f64 = 1000.0;

/// A parameter and the values to try.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Vary {
    /// Name of the parameter.
    pub name: String,
    /// Values of the parameter, as typed.
    pub values: Vec<String>,
}

/// Why a list of values is invalid.
#[derive(Error, Debug, Clone, PartialEq, Eq)]
pub enum VaryError {
    /// The text does not have the form `name=values`.
    #[error(
        "invalid list '{0}': expected name=value,value or name=from..to:step, as in alpha=0.5..2:0.25"
    )]
    Syntax(String),
    /// The list is empty, or one of its values is.
    #[error(
        "'{0}' has an empty value: write the values with commas between them, as in alpha=0.5,1,2"
    )]
    Empty(String),
    /// The text is not a valid range.
    #[error("invalid range '{0}': expected from..to:step, as in 0.5..2:0.25")]
    Range(String),
    /// The range has too many values.
    #[error("the range '{0}' has more than 1000 values; use a larger step")]
    Long(String),
}

impl crate::error::Diagnostic for VaryError {}

impl Vary {
    /// Parses a list. Does not check whether the values are valid for the parameter.
    pub fn parse(text: &str) -> Result<Vary, VaryError> {
        let (name, list) = text.split_once('=').ok_or_else(|| VaryError::Syntax(text.into()))?;
        if name.trim().is_empty() {
            return Err(VaryError::Syntax(text.into()));
        }
        let mut values = Vec::new();
        for part in list.split(',').map(str::trim) {
            match part {
                "" => return Err(VaryError::Empty(text.into())),
                range if range.contains("..") => values.extend(expand(range)?),
                value => values.push(value.into()),
            }
        }
        Ok(Vary { name: name.trim().into(), values })
    }
}

/// Expands a range `from..to:step`. Values are rounded to the number of decimals of `from` or `step`,
/// whichever has more.
fn expand(range: &str) -> Result<Vec<String>, VaryError> {
    let wrong = || VaryError::Range(range.into());
    let (from, rest) = range.split_once("..").ok_or_else(wrong)?;
    let (to, step) = rest.split_once(':').ok_or_else(wrong)?;
    let plain = |text: &&str| text.bytes().all(|b| b.is_ascii_digit() || b == b'.');
    let number = |text: &str| Some(text).filter(plain)?.parse::<f64>().ok();
    let ends = (number(from), number(to), number(step));
    let (Some(first), Some(last), Some(by)) = ends else { return Err(wrong()) };
    if by <= 0.0 || last < first {
        return Err(wrong());
    }
    // Include the end if only rounding keeps a step from reaching it.
    let steps = ((last - first) / by + 1e-9).floor();
    if steps >= MOST_VALUES {
        return Err(VaryError::Long(range.into()));
    }
    let decimals = |text: &str| text.split_once('.').map_or(0, |(_, d)| d.len());
    let places = decimals(from).max(decimals(step));
    let value = |i: u32| {
        let text = format!("{:.places$}", first + f64::from(i) * by);
        match places {
            0 => text,
            _ => text.trim_end_matches('0').trim_end_matches('.').to_string(),
        }
    };
    Ok((0..=steps as u32).map(value).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(text: &str) -> Vec<String> {
        Vary::parse(text).unwrap().values
    }

    #[test]
    fn lists_and_ranges_are_parsed() {
        assert_eq!(Vary::parse("alpha=1").unwrap().name, "alpha");
        assert_eq!(values("deposit=paper, length"), ["paper", "length"]);
        assert_eq!(values("alpha=0.5..2:0.5"), ["0.5", "1", "1.5", "2"]);
        assert_eq!(values("rho=0.1..0.3:0.1,0.9"), ["0.1", "0.2", "0.3", "0.9"]);
        assert_eq!(values("cycles=10..45:10"), ["10", "20", "30", "40"]);
        assert_eq!(values("rho=0..1:0.125").len(), 9);
        assert_eq!(values("q=7..7:1"), ["7"]);
    }

    #[test]
    fn invalid_lists_are_rejected() {
        for text in ["alpha", "=1,2", ""] {
            assert_eq!(Vary::parse(text), Err(VaryError::Syntax(text.into())));
        }
        for text in ["alpha=", "alpha=1,,2", "alpha=1,"] {
            assert_eq!(Vary::parse(text), Err(VaryError::Empty(text.into())));
        }
        for range in ["1..2", "1..:1", "2..1:1", "1..2:0", "a..b:c", "1..2:inf", "0..1:-1"] {
            assert_eq!(Vary::parse(&format!("a={range}")), Err(VaryError::Range(range.into())));
        }
        assert!(matches!(Vary::parse("a=0..1:0.0001"), Err(VaryError::Long(_))));
    }
}
