//! Which tours an enumeration keeps, and how it finds repeats.

use crate::tour::{Magic, Verified};

/// Which tours are kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TourFilter {
    /// Closed ones.
    Closed,
    /// Semi-magic or magic ones.
    SemiMagic,
    /// Magic ones.
    Magic,
    /// Those with a symmetry.
    Symmetric,
}

impl TourFilter {
    /// All kinds with their names and meanings.
    pub const CHOICES: &[(&str, TourFilter, &str)] = &[
        ("closed", TourFilter::Closed, "The last square attacks the first"),
        ("semi-magic", TourFilter::SemiMagic, "Equal sums in all rows, and in all columns"),
        ("magic", TourFilter::Magic, "Equal sums in rows, columns and diagonals"),
        ("symmetric", TourFilter::Symmetric, "A symmetry of the board keeps the line"),
    ];

    /// Returns whether a tour is of this kind.
    pub fn keeps(self, tour: &Verified<'_>) -> bool {
        match self {
            TourFilter::Closed => tour.is_closed(),
            TourFilter::SemiMagic => tour.magic() != Magic::None,
            TourFilter::Magic => tour.magic() == Magic::Full,
            TourFilter::Symmetric => !tour.symmetries().is_empty(),
        }
    }
}

/// How repeats are found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Dedup {
    /// Exactly, by a set of all tours found.
    Exact,
    /// By the hashing scheme of the 2005 paper, which may take a new tour for a repeat.
    Bloom,
    /// Not at all: every tour found counts as distinct.
    None,
}

impl Dedup {
    /// All kinds with their names and meanings.
    pub const CHOICES: &[(&str, Dedup, &str)] = &[
        ("exact", Dedup::Exact, "Exactly, by a set of all tours found"),
        (
            "bloom",
            Dedup::Bloom,
            "By bitmaps of hashes as in Hingston & Kendall 2005: new tours may be lost",
        ),
        ("none", Dedup::None, "Not at all: every tour found counts"),
    ];
}
