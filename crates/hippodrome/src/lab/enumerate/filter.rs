//! Filters for the tours of an enumeration, and ways to detect duplicates.

use crate::tour::{Magic, Verified};

/// A condition that tours must meet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TourFilter {
    /// The tour is closed.
    Closed,
    /// The tour is semi-magic or magic.
    SemiMagic,
    /// The tour is magic.
    Magic,
    /// The tour has a symmetry.
    Symmetric,
}

impl TourFilter {
    /// All filters, each with its name and its meaning.
    pub const CHOICES: &[(&str, TourFilter, &str)] = &[
        ("closed", TourFilter::Closed, "The last square attacks the first"),
        ("semi-magic", TourFilter::SemiMagic, "Equal sums in all rows, and in all columns"),
        ("magic", TourFilter::Magic, "Equal sums in rows, columns and diagonals"),
        ("symmetric", TourFilter::Symmetric, "A symmetry of the board maps the tour to itself"),
    ];

    /// Returns whether a tour passes the filter.
    pub fn keeps(self, tour: &Verified<'_>) -> bool {
        match self {
            TourFilter::Closed => tour.is_closed(),
            TourFilter::SemiMagic => tour.magic() != Magic::None,
            TourFilter::Magic => tour.magic() == Magic::Full,
            TourFilter::Symmetric => !tour.symmetries().is_empty(),
        }
    }
}

/// What happens when the memory for duplicate detection is full.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WhenFull {
    /// The run ends.
    Stop,
    /// The run continues. A tour that is not in memory is passed on, but it may be a duplicate and is not counted as
    /// distinct.
    Continue,
}

/// A way to detect duplicates.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Dedup {
    /// Exactly, by a set of all tours found.
    Exact,
    /// By the hashing scheme of the 2005 paper, which may mistake a new tour for a duplicate.
    Bloom,
    /// Not at all: every tour found counts as distinct.
    None,
}

impl Dedup {
    /// All ways to detect duplicates, each with its name and its meaning.
    pub const CHOICES: &[(&str, Dedup, &str)] = &[
        ("exact", Dedup::Exact, "Exactly, by a set of all tours found"),
        (
            "bloom",
            Dedup::Bloom,
            "By bitmaps of hashes as in Hingston & Kendall 2005: some new tours may be lost",
        ),
        ("none", Dedup::None, "None: every tour found counts as distinct"),
    ];
}
