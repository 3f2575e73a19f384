//! Solver parameters: each declared once, with its default, range and help sentence.

use std::fmt;
use thiserror::Error;

/// The declaration of a parameter, on which help, forms, documentation and parsing are based.
#[derive(Clone, Copy, Debug)]
pub struct Param {
    /// Name of the parameter.
    pub name: &'static str,
    /// Default value, as typed.
    pub default: &'static str,
    /// The valid values.
    pub kind: ParamKind,
    /// One sentence that says what the parameter does.
    pub help: &'static str,
    /// Function that formats a value in the parameter's Rust type; see [`ParamType::show`].
    pub(crate) typed: fn(&ParamValue) -> Option<String>,
}

/// The valid values of a parameter.
#[derive(Clone, Copy, Debug)]
pub enum ParamKind {
    /// A whole number in a range that includes both ends.
    Int {
        /// Smallest value.
        min: u64,
        /// Largest value.
        max: u64,
    },
    /// A number in a range that includes both ends.
    Real {
        /// Smallest value.
        min: f64,
        /// Largest value.
        max: f64,
    },
    /// One of several words, each with its meaning.
    Choice(&'static [(&'static str, &'static str)]),
    /// One of several words, each with its meaning, or a permutation of move numbers such as `04251736` or
    /// `0-4-2-5-1-7-3-6`. The hyphens are required if there are ten or more moves.
    Order(&'static [(&'static str, &'static str)]),
}

/// The value of a parameter.
#[derive(Debug, Clone, PartialEq)]
pub enum ParamValue {
    /// A whole number.
    Int(u64),
    /// A number.
    Real(f64),
    /// One of the words of a [`ParamKind::Choice`] or [`ParamKind::Order`].
    Word(&'static str),
    /// A permutation of the numbers 0, 1, 2 and so on.
    Permutation(Vec<usize>),
}

/// The Rust type of one parameter.
pub(crate) trait ParamType: Sized + std::fmt::Debug {
    /// The values that the type allows.
    const KIND: ParamKind;

    /// Converts a value to this type; returns `None` if the type has no such value.
    fn read(value: &ParamValue) -> Option<Self>;

    /// Converts a value to this type and formats it, so that values of any type can be compared.
    fn show(value: &ParamValue) -> Option<String> {
        Self::read(value).map(|typed| format!("{typed:?}"))
    }
}

impl ParamType for u64 {
    const KIND: ParamKind = ParamKind::Int { min: 0, max: u64::MAX };

    fn read(value: &ParamValue) -> Option<u64> {
        if let ParamValue::Int(n) = value { Some(*n) } else { None }
    }
}

impl ParamType for f64 {
    const KIND: ParamKind = ParamKind::Real { min: f64::MIN, max: f64::MAX };

    fn read(value: &ParamValue) -> Option<f64> {
        if let ParamValue::Real(x) = value { Some(*x) } else { None }
    }
}

/// Why a given parameter is invalid.
#[derive(Error, Debug, Clone, PartialEq, Eq)]
pub enum ParamError {
    /// The text does not have the form `name=value`.
    #[error("'{0}' is not a parameter; write name=value")]
    Syntax(String),
    /// The solver has no parameter of this name.
    #[error("solver {solver} has no parameter '{name}'; {hint}")]
    Unknown {
        /// Name of the solver.
        solver: String,
        /// The name that was given.
        name: String,
        /// The names that exist.
        hint: String,
    },
    /// The value is out of range.
    #[error("invalid value '{value}' for {name}: expected {range}")]
    Range {
        /// Name of the solver.
        solver: String,
        /// Name of the parameter.
        name: &'static str,
        /// The value that was given.
        value: String,
        /// Description of the valid values.
        range: String,
    },
}

impl crate::error::Diagnostic for ParamError {}

/// Returns the word that is most similar to `given`: one that begins with it, or one that differs from it
/// only by the mistakes allowed below.
///
/// One mistake is allowed in any word. Two mistakes are allowed in words of at least five letters whose first
/// letter is right.
pub fn nearest<'a>(given: &str, words: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let given = &*given.to_lowercase();
    let similar = |&(distance, not_prefix, word): &(usize, bool, &str)| match distance {
        0 | 1 => true,
        2 if word.len() >= 5 && given.chars().next() == word.chars().next() => true,
        _ => !not_prefix && given.len() >= 2,
    };
    words
        .map(|w| (strsim::damerau_levenshtein(given, w), !w.starts_with(given), w))
        .filter(similar)
        .min()
        .map(|(_, _, w)| w)
}

/// Describes the valid values, as in `a whole number from 1 to 100` or `one of a, b`.
impl fmt::Display for ParamKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list =
            |words: &[(&str, &str)]| words.iter().map(|(w, _)| *w).collect::<Vec<_>>().join(", ");
        match self {
            ParamKind::Int { min, max: u64::MAX } => write!(f, "a whole number of at least {min}"),
            ParamKind::Int { min, max } => write!(f, "a whole number from {min} to {max}"),
            ParamKind::Real { min, max } => write!(f, "a number from {min} to {max}"),
            ParamKind::Choice(words) => write!(f, "one of {}", list(words)),
            ParamKind::Order(words) => {
                write!(
                    f,
                    "one of {}, or a permutation of the move numbers such as 04251736",
                    list(words)
                )
            }
        }
    }
}

impl fmt::Display for ParamValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ParamValue::Int(n) => write!(f, "{n}"),
            ParamValue::Real(x) => write!(f, "{x}"),
            ParamValue::Word(w) => f.write_str(w),
            ParamValue::Permutation(p) => {
                let digits: Vec<String> = p.iter().map(usize::to_string).collect();
                f.write_str(&digits.join("-"))
            }
        }
    }
}

fn permutation(text: &str) -> Option<Vec<usize>> {
    let order: Vec<usize> = if text.contains('-') {
        text.split('-').map(|n| n.parse().ok()).collect::<Option<_>>()?
    } else {
        text.chars().map(|c| c.to_digit(10).map(|d| d as usize)).collect::<Option<_>>()?
    };
    let mut sorted = order.clone();
    sorted.sort_unstable();
    (!order.is_empty() && sorted.into_iter().eq(0..order.len())).then_some(order)
}

/// Returns whether two strings are equal; usable at compile time.
const fn same(one: &str, other: &str) -> bool {
    let (one, other) = (one.as_bytes(), other.as_bytes());
    let mut at = 0;
    while at < one.len() && at < other.len() && one[at] == other[at] {
        at += 1;
    }
    at == one.len() && at == other.len()
}

impl Param {
    /// Returns the number of parameters in several lists together.
    pub(crate) const fn count(parts: &[&[Param]]) -> usize {
        let (mut part, mut count) = (0, 0);
        while part < parts.len() {
            count += parts[part].len();
            part += 1;
        }
        count
    }

    /// Joins several lists, which have `N` parameters together.
    pub(crate) const fn join<const N: usize>(parts: &[&[Param]]) -> [Param; N] {
        let unused = Param {
            name: "",
            default: "",
            kind: ParamKind::Choice(&[]),
            help: "",
            typed: |_| None,
        };
        let mut all = [unused; N];
        let (mut part, mut at) = (0, 0);
        while part < parts.len() {
            let mut index = 0;
            while index < parts[part].len() {
                all[at] = parts[part][index];
                (index, at) = (index + 1, at + 1);
            }
            part += 1;
        }
        assert!(at == N, "the number of parameters");
        all
    }

    /// Joins several lists of parameters and gives the named parameters other defaults. An unknown name is a
    /// compile-time error.
    pub(crate) const fn with_defaults<const N: usize>(
        parts: &[&[Param]],
        defaults: &[(&str, &'static str)],
    ) -> [Param; N] {
        let mut all = Param::join::<N>(parts);
        let mut index = 0;
        while index < defaults.len() {
            let mut at = 0;
            while !same(all[at].name, defaults[index].0) {
                at += 1;
            }
            all[at].default = defaults[index].1;
            index += 1;
        }
        all
    }

    /// Parses a value; returns `None` if it is out of range or if its Rust type has no such value.
    fn read(&self, text: &str) -> Option<ParamValue> {
        self.parse(text).filter(|value| (self.typed)(value).is_some())
    }

    fn parse(&self, text: &str) -> Option<ParamValue> {
        let word = |words: &[(&'static str, _)]| {
            words.iter().find(|(w, _)| *w == text).map(|(w, _)| ParamValue::Word(w))
        };
        match &self.kind {
            ParamKind::Int { min, max } => {
                number(text).filter(|n| (*min..=*max).contains(n)).map(ParamValue::Int)
            }
            ParamKind::Real { min, max } => {
                text.parse().ok().filter(|x| (*min..=*max).contains(x)).map(ParamValue::Real)
            }
            ParamKind::Choice(words) => word(words),
            ParamKind::Order(words) => {
                word(words).or_else(|| permutation(text).map(ParamValue::Permutation))
            }
        }
    }
}

/// Parses a whole number as users write it: with decimals, the suffixes `k`, `M` and `G`, and underscores, as
/// in `172.8M`.
pub fn number(text: &str) -> Option<u64> {
    let text = text.replace('_', "");
    let (digits, scale) = match text.char_indices().last()? {
        (at, 'k' | 'K') => (&text[..at], 3),
        (at, 'M') => (&text[..at], 6),
        (at, 'G') => (&text[..at], 9),
        _ => (text.as_str(), 0),
    };
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let fraction = fraction.trim_end_matches('0');
    let plain = |s: &str| s.bytes().all(|b| b.is_ascii_digit());
    if whole.is_empty() || !plain(whole) || !plain(fraction) || fraction.len() > scale {
        return None;
    }
    format!("{whole}{fraction}{}", "0".repeat(scale - fraction.len())).parse().ok()
}

/// A value for each declared parameter of a solver.
#[derive(Debug, Clone)]
pub struct Values(Vec<(&'static str, ParamValue)>);

impl Values {
    /// Returns the default value of each declared parameter.
    pub(crate) fn defaults(params: &'static [Param]) -> Values {
        let default =
            |p: &'static Param| (p.name, p.read(p.default).expect("defaults are in range"));
        Values(params.iter().map(default).collect())
    }

    /// Returns the defaults, overridden by the names and values in `given`.
    pub fn resolve<'a>(
        solver: &str,
        params: &'static [Param],
        given: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Result<Values, ParamError> {
        let Values(mut values) = Values::defaults(params);
        for (name, text) in given {
            let Some(at) = params.iter().position(|p| p.name == name) else {
                let names = params.iter().map(|p| p.name);
                let hint = match nearest(name, names.clone()) {
                    Some(near) => format!("did you mean {near}?"),
                    None if params.is_empty() => "it takes none".to_string(),
                    None => format!("it has {}", names.collect::<Vec<_>>().join(", ")),
                };
                return Err(ParamError::Unknown { solver: solver.into(), name: name.into(), hint });
            };
            values[at].1 = params[at].read(text).ok_or_else(|| ParamError::Range {
                solver: solver.into(),
                name: params[at].name,
                value: text.into(),
                range: params[at].kind.to_string(),
            })?;
        }
        Ok(Values(values))
    }

    /// Splits a text of the form `name=value` into name and value.
    pub fn pair(text: &str) -> Result<(&str, &str), ParamError> {
        text.split_once('=').ok_or_else(|| ParamError::Syntax(text.to_string()))
    }

    /// Returns the value of a parameter, if it is declared.
    pub fn get(&self, name: &str) -> Option<&ParamValue> {
        self.0.iter().find(|(n, _)| *n == name).map(|(_, value)| value)
    }

    /// Returns the value of a parameter, converted to its declared type.
    pub(crate) fn typed<T: ParamType>(&self, name: &str) -> T {
        let typed = self.get(name).and_then(T::read);
        typed.unwrap_or_else(|| panic!("parameter {name} is not declared with this type"))
    }

    /// Iterates over names and values in the order in which the parameters are declared.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, &ParamValue)> {
        self.0.iter().map(|(n, v)| (*n, v))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn param(name: &'static str, default: &'static str, kind: ParamKind) -> Param {
        Param { name, default, kind, help: "", typed: |_| Some(String::new()) }
    }

    static PARAMS: [Param; 3] = [
        param("order", "a", ParamKind::Order(&[("a", "A.")])),
        param("probe", "10k", ParamKind::Int { min: 1, max: 1 << 20 }),
        param("rho", "0.25", ParamKind::Real { min: 0.0, max: 1.0 }),
    ];

    /// The web page's tests read the same table.
    #[test]
    fn numbers_are_read_as_users_write_them() {
        let table = include_str!("../../tests/data/numbers.tsv");
        let rows: Vec<_> = table.lines().filter_map(|line| line.split_once('\t')).collect();
        assert!(rows.len() > 20);
        for (text, value) in rows {
            assert_eq!(number(text), value.parse().ok(), "{text}");
        }
        assert_eq!(number(""), None);
        for (text, value) in
            include_str!("../../tests/data/reals.tsv").lines().filter_map(|l| l.split_once('\t'))
        {
            let read = match PARAMS[2].read(text) {
                Some(ParamValue::Real(read)) => Some(read),
                _ => None,
            };
            assert_eq!(read, value.parse().ok(), "{text}");
        }
    }

    #[test]
    fn values_are_checked_against_their_declaration() {
        let resolve = |given: &[(&'static str, &'static str)]| {
            Values::resolve("s", &PARAMS, given.iter().copied()).map_err(|e| e.to_string())
        };
        let values = resolve(&[("order", "0-4-2-5-1-7-3-6"), ("probe", "2k")]).unwrap();
        let order = ParamValue::Permutation(vec![0, 4, 2, 5, 1, 7, 3, 6]);
        let all: Vec<_> = values.iter().map(|(name, value)| (name, value.clone())).collect();
        let (probe, rho) = (ParamValue::Int(2000), ParamValue::Real(0.25));
        assert_eq!(all, [("order", order), ("probe", probe), ("rho", rho)]);
        assert!(resolve(&[("prob", "1")]).unwrap_err().contains("did you mean probe?"));
        assert!(resolve(&[("xyz", "1")]).unwrap_err().contains("it has order, probe, rho"));
        assert!(resolve(&[("probe", "0")]).unwrap_err().contains("from 1 to 1048576"));
        assert!(resolve(&[("order", "0011")]).unwrap_err().contains("permutation"));
        assert!(resolve(&[("rho", "nan")]).is_err());
    }
}
