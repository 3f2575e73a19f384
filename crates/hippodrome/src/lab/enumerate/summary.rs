//! The results of an enumeration.

use crate::board::Square;
use crate::lab::curve::{Curve, CurvePoint};
use crate::search::{Readings, RunReport, Stats, Status};
use serde::Serialize;
use std::collections::BTreeMap;

/// The totals of one start square, or of all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Totals {
    /// Attempts.
    pub attempts: u64,
    /// Tours found, including duplicates.
    pub tours: u64,
    /// Distinct tours.
    pub distinct: u64,
    /// Closed tours among the distinct ones.
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

/// The results of an enumeration.
#[derive(Debug)]
pub struct Summary {
    /// How it ended.
    pub status: Status,
    /// The totals.
    pub total: Totals,
    /// The totals by start square, if requested.
    pub by_start: BTreeMap<Square, Totals>,
    /// Whether it ended because memory was full.
    pub full: bool,
    /// New tours that the paper's scheme mistook for duplicates, if counted.
    pub lost: Option<u64>,
    /// Whether the solver stopped at a bound set by its parameters.
    pub bounded: bool,
    /// The solver's own measures.
    pub readings: Readings,
    /// Attempts covered by these readings; interrupted units are not included.
    pub measured: u64,
    /// The production curve, if requested.
    pub curve: Option<Curve>,
    /// Statistics at the first tour that passed the filter, if tours were seen one by one.
    pub first: Option<Stats>,
    /// Wall-clock seconds.
    pub seconds: f64,
}

impl Summary {
    /// Summarises a run whose solver is bounded by `bound` attempts; attempts and moves come from the report.
    /// Fields that only a run in memory can fill stay empty.
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
