//! The verdict on a cell, by the rule its definition fixed.

use super::{Cell, Record, Rule};
use crate::statistics::Spread;

/// Confidence of intervals.
const CONFIDENCE: f64 = 0.99;
/// Sums of many divisions differ in their last digits.
const ROUNDING: f64 = 1e-9;

/// What came of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The same number.
    Exact,
    /// The same within error.
    Within,
    /// Another number.
    Differs,
    /// The paper contradicts itself, and ours is the corrected number.
    Erratum,
    /// The paper's claim holds.
    Holds,
    /// The paper's claim does not hold.
    Fails,
    /// Nothing to judge.
    Told,
    /// Not run at this scale.
    NotRun,
}

impl Verdict {
    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            Verdict::Exact => "exact",
            Verdict::Within => "within error",
            Verdict::Differs => "differs",
            Verdict::Erratum => "paper contradicts itself",
            Verdict::Holds => "holds",
            Verdict::Fails => "does not hold",
            Verdict::Told => "-",
            Verdict::NotRun => "needs --scale full",
        }
    }
}

/// A cell with its verdict.
#[derive(Clone, Debug)]
pub struct Judged<'a> {
    /// The cell.
    pub cell: &'a Cell,
    /// Ours; none if it was not run.
    pub ours: Option<f64>,
    /// The interval that the rule looked at, around ours.
    pub interval: Option<(f64, f64)>,
    /// The verdict.
    pub verdict: Verdict,
}

/// Judges a cell by what a record holds.
pub fn judge<'a>(cell: &'a Cell, record: &Record) -> Judged<'a> {
    let over = cell.over.as_ref().map(|asked| record.ask(asked));
    let (ours, values) = match (record.ask(&cell.ours), over) {
        (None, _) | (_, Some(None)) => {
            return Judged { cell, ours: None, interval: None, verdict: Verdict::NotRun };
        }
        (Some(ours), None) => ours,
        (Some((ours, values)), Some(Some((below, belows)))) => {
            // A ratio of each run where the runs are the same, of the sums in all.
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
        Rule::Exact if same(cell.value()) => (Verdict::Exact, None),
        Rule::Erratum if same(cell.value()) => (Verdict::Erratum, None),
        Rule::Exact | Rule::Erratum => (Verdict::Differs, None),
        Rule::Interval => within(ours, &values, cell.value(), cell.paper_runs()),
        Rule::Claim => {
            let holds = cell.at_least.is_none_or(|least| ours >= least)
                && cell.at_most.is_none_or(|most| ours <= most);
            (if holds { Verdict::Holds } else { Verdict::Fails }, None)
        }
        Rule::Told => (Verdict::Told, None),
    };
    Judged { cell, ours: Some(ours), interval, verdict }
}

/// Whether the paper's mean of so many runs is one that ours, with the spread of our runs, allows.
fn within(ours: f64, values: &[f64], paper: f64, paper_runs: u64) -> (Verdict, Option<(f64, f64)>) {
    let spread = Spread::of(values).filter(|s| s.deviation.is_some());
    let Some(spread) = spread else { return (Verdict::Told, None) };
    // The paper gives no spread: its runs are taken to scatter as ours do.
    let theirs = Spread { runs: paper_runs.max(1) as usize, ..spread };
    let wider = (1.0 + spread.runs as f64 / theirs.runs as f64).sqrt();
    let Some((low, high)) = spread.interval(CONFIDENCE) else { return (Verdict::Told, None) };
    let half = (high - low) / 2.0 * wider;
    let inside = (paper - ours).abs() <= half;
    (if inside { Verdict::Within } else { Verdict::Differs }, Some((ours - half, ours + half)))
}
