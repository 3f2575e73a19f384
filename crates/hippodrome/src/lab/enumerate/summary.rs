//! What an enumeration found.

use crate::board::Square;
use crate::lab::curve::{Curve, CurvePoint};
use crate::search::{Readings, RunReport, Stats, Status};
use serde::Serialize;
use std::collections::BTreeMap;

/// What was found from one start square, or in all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Totals {
    /// Attempts.
    pub attempts: u64,
    /// Tours found, repeats included.
    pub tours: u64,
    /// Tours found, repeats removed.
    pub distinct: u64,
    /// Closed ones among the distinct.
    pub closed: u64,
    /// Moves.
    pub moves: u64,
}

impl Totals {
    /// Returns the point of the production curve at which `kept` tours have passed the filter.
    pub(super) fn point(&self, kept: u64) -> CurvePoint {
        let Totals { attempts, tours, distinct, closed, .. } = *self;
        CurvePoint { attempts, tours, distinct, repeated: kept - distinct, closed }
    }
}

/// What an enumeration found.
#[derive(Debug)]
pub struct Summary {
    /// How it ended.
    pub status: Status,
    /// What was counted.
    pub total: Totals,
    /// The same by start square, if asked for.
    pub by_start: BTreeMap<Square, Totals>,
    /// Whether it ended because memory was full.
    pub full: bool,
    /// New tours that the paper's scheme took for repeats, if they were counted.
    pub lost: Option<u64>,
    /// Whether the solver ended by itself, bounded by its parameters.
    pub bounded: bool,
    /// What the solver measured of itself.
    pub readings: Readings,
    /// Attempts that these readings are of: fewer than all if units were cut short.
    pub measured: u64,
    /// The production curve, if asked for.
    pub curve: Option<Curve>,
    /// What had been counted when the first tour was kept, if tours were looked at one by one.
    pub first: Option<Stats>,
    /// Wall-clock seconds.
    pub seconds: f64,
}

impl Summary {
    /// Sums up a run whose solver is bounded by `bound` attempts; attempts and moves are the report's. What a run
    /// in memory tells besides is left empty.
    pub(crate) fn new(
        report: RunReport,
        total: Totals,
        bound: Option<u64>,
        seconds: f64,
    ) -> Summary {
        let Stats { attempts, moves, .. } = report.stats;
        Summary {
            status: report.status,
            total: Totals { attempts, moves, ..total },
            by_start: BTreeMap::new(),
            full: false,
            lost: None,
            bounded: bound.is_some_and(|bound| attempts >= bound),
            readings: report.readings,
            measured: report.measured,
            curve: None,
            first: None,
            seconds,
        }
    }
}
