//! The verdict on a cell, by the rule of its definition.

use super::{CellRule, Definition, ExperimentCell, ExperimentRecord, ExperimentScale};
use crate::lab::statistics::Spread;
use std::collections::BTreeMap;

/// Confidence level of intervals.
const CONFIDENCE: f64 = 0.99;
/// Relative tolerance of exact cells, because sums of many divisions may differ in their last digits.
const ROUNDING: f64 = 1e-9;

/// The result of comparing our value with the paper's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum CellVerdict {
    /// The numbers are equal.
    Exact,
    /// The numbers agree within the confidence interval.
    Within,
    /// The numbers differ.
    Differs,
    /// The paper contradicts itself or an exact count, and our value is the corrected number.
    Erratum,
    /// The paper's claim holds.
    Holds,
    /// The paper's claim does not hold.
    Fails,
    /// The value is reported without a verdict.
    Reported,
    /// The runs were not made at this scale.
    NotRun,
}

impl CellVerdict {
    /// Returns the verdict as shown to users and as written in JSON.
    pub fn words(self) -> &'static str {
        match self {
            CellVerdict::Exact => "exact",
            CellVerdict::Within => "within error",
            CellVerdict::Differs => "differs",
            CellVerdict::Erratum => "erratum",
            CellVerdict::Holds => "holds",
            CellVerdict::Fails => "does not hold",
            CellVerdict::Reported => "reported",
            CellVerdict::NotRun => "not run",
        }
    }
}

/// A cell with its verdict.
#[derive(Clone, Debug)]
pub struct JudgedCell<'a> {
    /// The cell.
    pub cell: &'a ExperimentCell,
    /// Our value; `None` if the runs were not made.
    pub ours: Option<f64>,
    /// The interval around our value, if the rule uses one.
    pub interval: Option<(f64, f64)>,
    /// The result of the comparison.
    pub verdict: CellVerdict,
    /// Scale of the runs on which the verdict is based.
    pub scale: Option<ExperimentScale>,
}

/// The records of an experiment, at most one per scale.
pub type ExperimentRecords = BTreeMap<ExperimentScale, ExperimentRecord>;

/// Judges all cells of an experiment, each by the largest runs that are available.
pub fn judge_all<'a>(definition: &'a Definition, kept: &ExperimentRecords) -> Vec<JudgedCell<'a>> {
    let best = |cell| {
        let mut judged = kept.iter().rev().map(|(&scale, record)| judge(cell, record, scale));
        judged.find(|j| j.verdict != CellVerdict::NotRun).unwrap_or(not_run(cell))
    };
    definition.cell.iter().map(best).collect()
}

fn not_run(cell: &ExperimentCell) -> JudgedCell<'_> {
    JudgedCell { cell, ours: None, interval: None, verdict: CellVerdict::NotRun, scale: None }
}

/// Judges a cell by one record.
pub fn judge<'a>(
    cell: &'a ExperimentCell,
    record: &ExperimentRecord,
    scale: ExperimentScale,
) -> JudgedCell<'a> {
    if cell.full && scale != ExperimentScale::Full {
        return not_run(cell);
    }
    let over = cell.over.as_ref().map(|asked| record.ask(asked));
    let (ours, values) = match (record.ask(&cell.ours), over) {
        (None, _) | (_, Some(None)) => return not_run(cell),
        (Some(ours), None) => ours,
        (Some((ours, values)), Some(Some((below, belows)))) => {
            // If both sides have the same runs, compute one ratio per run; otherwise only the ratio of the
            // means.
            let each = values.iter().zip(&belows).map(|(v, b)| v / b.max(1.0)).collect();
            (ours / below, if values.len() == belows.len() { each } else { Vec::new() })
        }
    };
    let (ours, values) = match cell.per {
        Some(per) => (ours / per, values.iter().map(|v| v / per).collect()),
        None => (ours, values),
    };
    let same = |value: f64| (ours - value).abs() <= ROUNDING * value.abs().max(1.0);
    let (verdict, interval) = match cell.rule {
        CellRule::Exact if same(cell.value()) => (CellVerdict::Exact, None),
        CellRule::Erratum if same(cell.value()) => (CellVerdict::Erratum, None),
        CellRule::Exact | CellRule::Erratum => (CellVerdict::Differs, None),
        CellRule::Interval => within(ours, &values, cell.value(), cell.paper_runs()),
        CellRule::Claim => {
            let holds = cell.at_least.is_none_or(|least| ours >= least)
                && cell.at_most.is_none_or(|most| ours <= most);
            (if holds { CellVerdict::Holds } else { CellVerdict::Fails }, None)
        }
        CellRule::Reported => (CellVerdict::Reported, None),
    };
    JudgedCell { cell, ours: Some(ours), interval, verdict, scale: Some(scale) }
}

/// Checks whether the paper's mean over `paper_runs` runs agrees with ours, given the spread of our runs.
fn within(
    ours: f64,
    values: &[f64],
    paper: f64,
    paper_runs: u64,
) -> (CellVerdict, Option<(f64, f64)>) {
    let interval = Spread::of(values).and_then(|spread| spread.interval(CONFIDENCE));
    let Some((low, high)) = interval else { return (CellVerdict::Reported, None) };
    // The papers give no spread, so assume that their runs vary as ours do.
    let wider = (1.0 + values.len() as f64 / paper_runs.max(1) as f64).sqrt();
    let half = (high - low) / 2.0 * wider;
    let inside = (paper - ours).abs() <= half;
    let verdict = if inside { CellVerdict::Within } else { CellVerdict::Differs };
    (verdict, Some((ours - half, ours + half)))
}
