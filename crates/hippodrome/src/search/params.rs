//! Solver parameters: each declared once, with its default, range and help sentence.

use std::fmt;
use thiserror::Error;

/// The declaration of a parameter, the source of help, forms, documentation and parsing.
#[derive(Clone, Copy, Debug)]
pub struct Param {
    /// Name of the parameter.
    pub name: &'static str,
    /// Default value, as typed.
    pub default: &'static str,
    /// The valid values.
    pub kind: ParamKind,
    /// One sentence: what it does.
    pub help: &'static str,
    /// Formats a value as its Rust type; see [`ParamType::show`].
    pub(crate) typed: fn(&ParamValue) -> Option<String>,
}

/// The valid values of a parameter.
#[derive(Clone, Copy, Debug)]
pub enum ParamKind {
    /// A whole number in a range, both ends included.
    Int {
        /// Least value.
        min: u64,
        /// Greatest value.
        max: u64,
    },
    /// A number in a range, both ends included.
    Real {
        /// Least value.
        min: f64,
        /// Greatest value.
        max: f64,
    },
    /// One of several words, each with its meaning.
    Choice(&'static [(&'static str, &'static str)]),
    /// One of several words, each with its meaning, or a permutation of move numbers: `04251736`, or
    /// `0-4-2-5-1-7-3-6` (required for ten moves or more).
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
    /// A permutation of 0, 1, ….
    Permutation(Vec<usize>),
}

/// The Rust type of one parameter.
pub(crate) trait ParamType: Sized + std::fmt::Debug {
    /// All values of the type.
    const KIND: ParamKind;

    /// Converts a value; `None` if the type has no such value.
    fn read(value: &ParamValue) -> Option<Self>;

    /// Formats the typed value, to compare values of any type.
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

/// Errors in a given parameter.
#[derive(Error, Debug, Clone, PartialEq, Eq)]
pub enum ParamError {
    /// Not `name=value`.
    #[error("'{0}' is not a parameter; write name=value")]
    Syntax(String),
    /// No such parameter.
    #[error("solver {solver} has no parameter '{name}'; {hint}")]
    Unknown {
        /// The solver.
        solver: String,
        /// The name given.
        name: String,
        /// Names that exist.
        hint: String,
    },
    /// A value out of range.
    #[error("invalid value '{value}' for {name}: expected {range}")]
    Range {
        /// The solver.
        solver: String,
        /// The parameter.
        name: &'static str,
        /// The value given.
        value: String,
        /// The values that are valid.
        range: String,
    },
}

impl crate::error::Diagnostic for ParamError {}

/// Returns the most similar of `words`: one that begins with `given`, or one within a strict distance.
///
/// One mistake is allowed in any word. Two are allowed in words of at least five letters whose first letter is right.
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

/// Describes the range: `a whole number from 1 to 100`, `one of a, b`.
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

/// Compares two strings at compile time.
const fn same(one: &str, other: &str) -> bool {
    let (one, other) = (one.as_bytes(), other.as_bytes());
    let mut at = 0;
    while at < one.len() && at < other.len() && one[at] == other[at] {
        at += 1;
    }
    at == one.len() && at == other.len()
}

impl Param {
    /// Counts the parameters in several lists.
    pub(crate) const fn count(parts: &[&[Param]]) -> usize {
        let (mut part, mut count) = (0, 0);
        while part < parts.len() {
            count += parts[part].len();
            part += 1;
        }
        count
    }

    /// Joins the `N` parameters of several lists.
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

    /// Joins parameters and gives them other defaults, by name. An unknown name does not compile.
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

    /// Reads a value; `None` if it is out of range or its Rust type has no such value.
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

/// Reads a whole number as users write it: decimals, `k`, `M`, `G` and `_` (`172.8M`).
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

/// A value for every declared parameter.
#[derive(Debug, Clone)]
pub struct Values(Vec<(&'static str, ParamValue)>);

impl Values {
    /// Returns the declared defaults.
    pub(crate) fn defaults(params: &'static [Param]) -> Values {
        let default =
            |p: &'static Param| (p.name, p.read(p.default).expect("defaults are in range"));
        Values(params.iter().map(default).collect())
    }

    /// Returns the defaults, overridden by `given` (pairs of name and value).
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

    /// Splits `name=value`.
    pub fn pair(text: &str) -> Result<(&str, &str), ParamError> {
        text.split_once('=').ok_or_else(|| ParamError::Syntax(text.to_string()))
    }

    /// Returns the value of a parameter, if it is declared.
    pub fn get(&self, name: &str) -> Option<&ParamValue> {
        self.0.iter().find(|(n, _)| *n == name).map(|(_, value)| value)
    }

    /// Returns the value of a parameter as its declared type.
    pub(crate) fn typed<T: ParamType>(&self, name: &str) -> T {
        let typed = self.get(name).and_then(T::read);
        typed.unwrap_or_else(|| panic!("parameter {name} is not declared with this type"))
    }

    /// Iterates over names and values in the order of declaration.
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

    /// The page's tests read the same table.
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
