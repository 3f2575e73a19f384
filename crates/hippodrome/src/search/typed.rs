//! Declarations of parameters: one list makes the struct that a solver reads and the table that help,
//! forms and documentation show.
//!
//! ```text
//! choice! {
//!     /// What decides between equals.
//!     enum Ties {
//!         First = "first", "the first in the move order";
//!         Random = "random", "a seeded choice";
//!     }
//! }
//!
//! params! {
//!     /// Parameters of the solver.
//!     struct WalkParams {
//!         ties: Ties = First, "What decides between squares that are equally good.";
//!         nodes: u64 = "20M" in 1..=1_000_000_000, "Partial tours kept.";
//!         weight: f64 = "1" in 0.0..=10.0, "How much an onward move counts.";
//!         moves: MoveOrder;
//!     }
//! }
//! ```
//!
//! A field without a default is another such struct, whose parameters are added at that place. `prepare`
//! calls `WalkParams::from_values(values)`; the solver's [`Info`](crate::search::Info) has
//! `params: WalkParams::PARAMS`.

use crate::search::{Param, Values};

/// A struct of parameters, made by [`params!`].
pub(crate) trait Params: Sized {
    /// The declarations, in the order of the fields.
    const PARAMS: &'static [Param];

    /// Converts checked values to the solver's own types.
    fn from_values(values: &Values) -> Self;

    /// The declared defaults.
    fn defaults() -> Self {
        Self::from_values(&Values::defaults(Self::PARAMS))
    }
}

/// Declares an enum whose variants are the words of a parameter.
macro_rules! choice {
    (
        $(#[$meta:meta])*
        $vis:vis enum $name:ident { $($variant:ident = $word:literal, $help:literal;)+ }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        $vis enum $name {
            $(#[doc = $help] $variant,)+
        }

        impl $name {
            /// The words, each with a sentence.
            pub(crate) const WORDS: &'static [(&'static str, &'static str)] =
                &[$(($word, $help)),+];

            /// The word of a variant.
            pub(crate) const fn word(self) -> &'static str {
                match self {
                    $($name::$variant => $word,)+
                }
            }
        }

        impl $crate::search::ParamType for $name {
            const KIND: $crate::search::ParamKind =
                $crate::search::ParamKind::Choice($name::WORDS);

            fn read(value: &$crate::search::ParamValue) -> Option<$name> {
                match value {
                    $($crate::search::ParamValue::Word($word) => Some($name::$variant),)+
                    _ => None,
                }
            }
        }
    };
}

/// Declares a struct of parameters; see the head of this module.
macro_rules! params {
    (
        $(#[$meta:meta])*
        $vis:vis struct $name:ident {
            $($field:ident: $type:ident $(= $default:tt $(in $range:expr)?, $help:literal)?;)+
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Debug)]
        $vis struct $name {
            $($(#[doc = $help])? $vis $field: $type,)+
        }

        impl $crate::search::Params for $name {
            const PARAMS: &'static [$crate::search::Param] = {
                const PARTS: &[&[$crate::search::Param]] = &[
                    $($crate::search::params!(
                        @part $field $type $(= $default $(in $range)?, $help)?
                    )),+
                ];
                &$crate::search::Param::join::<{ $crate::search::Param::count(PARTS) }>(PARTS)
            };

            fn from_values(values: &$crate::search::Values) -> $name {
                $name {
                    $($field: $crate::search::params!(@read values $field $type $($help)?),)+
                }
            }
        }
    };
    (@part $field:ident $type:ident) => {
        <$type as $crate::search::Params>::PARAMS
    };
    (@part $field:ident $type:ident = $default:tt $(in $range:expr)?, $help:literal) => {
        &[$crate::search::Param {
            name: stringify!($field),
            default: $crate::search::params!(@default $type $default),
            kind: $crate::search::params!(@kind $type $($range)?),
            help: $help,
            typed: <$type as $crate::search::ParamType>::show,
        }]
    };
    (@default $type:ident $default:literal) => { $default };
    (@default $type:ident $variant:ident) => { $type::$variant.word() };
    (@kind u64 $range:expr) => {{
        let range: std::ops::RangeInclusive<u64> = $range;
        $crate::search::ParamKind::Int { min: *range.start(), max: *range.end() }
    }};
    (@kind f64 $range:expr) => {{
        let range: std::ops::RangeInclusive<f64> = $range;
        $crate::search::ParamKind::Real { min: *range.start(), max: *range.end() }
    }};
    (@kind $type:ident) => { <$type as $crate::search::ParamType>::KIND };
    (@read $values:ident $field:ident $type:ident) => {
        <$type as $crate::search::Params>::from_values($values)
    };
    (@read $values:ident $field:ident $type:ident $help:literal) => {
        $values.typed::<$type>(stringify!($field))
    };
}

pub(crate) use {choice, params};

#[cfg(test)]
mod tests {
    use super::*;

    choice! {
        /// Ties.
        enum Ties {
            First = "first", "the first";
            Random = "random", "a seeded choice";
        }
    }

    params! {
        /// Shared.
        struct Shared {
            probe: u64 = "10k" in 1..=1 << 20, "N.";
        }
    }

    params! {
        /// All.
        struct All {
            weight: f64 = "0.5" in 0.0..=1.0, "W.";
            shared: Shared;
            ties: Ties = Random, "T.";
        }
    }

    #[test]
    fn one_declaration_gives_the_table_and_the_struct() {
        let names: Vec<_> = All::PARAMS.iter().map(|p| (p.name, p.default, p.help)).collect();
        assert_eq!(
            names,
            [("weight", "0.5", "W."), ("probe", "10k", "N."), ("ties", "random", "T.")]
        );
        assert_eq!(All::PARAMS[1].kind.to_string(), "a whole number from 1 to 1048576");
        assert_eq!(All::PARAMS[2].kind.to_string(), "one of first, random");
        let all = |given: &[(&'static str, &'static str)]| {
            All::from_values(&Values::resolve("s", All::PARAMS, given.iter().copied()).unwrap())
        };
        let usual = all(&[]);
        assert_eq!((usual.weight, usual.shared.probe, usual.ties), (0.5, 10_000, Ties::Random));
        let given = all(&[("ties", "first"), ("probe", "7")]);
        assert_eq!((given.shared.probe, given.ties), (7, Ties::First));
    }

    #[test]
    fn a_family_shares_declarations_with_other_defaults() {
        const OTHER: &[Param] =
            &Param::with_defaults::<3>(&[All::PARAMS], &[("ties", "first"), ("weight", "1")]);
        let values = Values::resolve("s", OTHER, []).unwrap();
        let all = All::from_values(&values);
        assert_eq!((all.weight, all.shared.probe, all.ties), (1.0, 10_000, Ties::First));
    }
}
