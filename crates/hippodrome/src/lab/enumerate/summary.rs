//! The results of an enumeration.

use crate::board::Square;
use crate::lab::curve::{Curve, CurvePoint};
use crate::search::{Readings, RunReport, Stats, Status};
use serde::Serialize;
use std::collections::BTreeMap;

/// The totals for one start square or for all of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Totals {
    /// Number of attempts.
    pub attempts: u64,
    /// Number of tours found, including duplicates.
    pub tours: u64,
    /// Number of distinct tours.
    pub distinct: u64,
    /// Number of closed tours among the distinct ones.
    pub closed: u64,
    /// Number of moves.
    pub moves: u64,
}

impl Totals {
    /// Returns the point of the production curve for these totals, when `kept` tours have passed the filter.
    pub(super) fn point(&self, kept: u64) -> CurvePoint {
        let Totals { attempts, tours, distinct, closed, .. } = *self;
        CurvePoint { attempts, tours, distinct, repeated: kept - distinct, closed }
    }
}

/// The results of an enumeration.
#[derive(Debug)]
pub struct Summary {
    /// How the run ended.
    pub status: Status,
    /// The totals of the run.
    pub total: Totals,
    /// The totals by start square, if requested.
    pub by_start: BTreeMap<Square, Totals>,
    /// Whether the run ended because memory was full.
    pub full: bool,
    /// Number of new tours that the paper's scheme mistook for duplicates, if they were counted.
    pub lost: Option<u64>,
    /// Whether the solver stopped at a bound set by its parameters.
    pub bounded: bool,
    /// Readings of the solver's own measures.
    pub readings: Readings,
    /// Number of attempts that these readings cover; attempts of interrupted units are not included.
    pub measured: u64,
    /// The production curve, if requested.
    pub curve: Option<Curve>,
    /// Statistics at the time of the first tour that passed the filter, if tours were seen one by one.
    pub first: Option<Stats>,
    /// Wall-clock time in seconds.
    pub seconds: f64,
}

impl Summary {
    /// Creates the summary of a run whose solver stops after `bound` attempts, if a bound is given. Attempts
    /// and moves are taken from the report. Fields that can be filled only by a run in memory stay empty.
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
