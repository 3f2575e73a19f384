//! The verdict on a cell, by the rule its definition fixed.

use super::{Cell, Record, Rule, Scale};
use crate::lab::statistics::Spread;

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
    /// The paper contradicts itself or what can be counted, and ours is the corrected number.
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
            Verdict::Erratum => "erratum",
            Verdict::Holds => "holds",
            Verdict::Fails => "does not hold",
            Verdict::Told => "-",
            Verdict::NotRun => "not run",
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
    /// Scale of the runs that it was judged by.
    pub scale: Option<Scale>,
}

/// The records of an experiment, at most one of each scale.
#[derive(Clone, Debug, Default)]
pub struct Kept {
    /// The quick one.
    pub quick: Option<Record>,
    /// The one of the papers' size.
    pub full: Option<Record>,
}

impl Kept {
    /// The record of a scale.
    pub fn at(&self, scale: Scale) -> Option<&Record> {
        match scale {
            Scale::Quick => self.quick.as_ref(),
            Scale::Full => self.full.as_ref(),
        }
    }

    /// Where to keep the record of a scale.
    pub fn place(&mut self, scale: Scale) -> &mut Option<Record> {
        match scale {
            Scale::Quick => &mut self.quick,
            Scale::Full => &mut self.full,
        }
    }

    /// Judges a cell by the largest runs there are.
    pub fn judge<'a>(&self, cell: &'a Cell) -> Judged<'a> {
        let judged = |scale| self.at(scale).map(|record| judge(cell, record, scale));
        let full = judged(Scale::Full).filter(|j| j.verdict != Verdict::NotRun);
        full.or_else(|| judged(Scale::Quick)).unwrap_or(not_run(cell))
    }
}

fn not_run(cell: &Cell) -> Judged<'_> {
    Judged { cell, ours: None, interval: None, verdict: Verdict::NotRun, scale: None }
}

/// Judges a cell by what a record holds.
pub fn judge<'a>(cell: &'a Cell, record: &Record, scale: Scale) -> Judged<'a> {
    if cell.full && scale != Scale::Full {
        return not_run(cell);
    }
    let over = cell.over.as_ref().map(|asked| record.ask(asked));
    let (ours, values) = match (record.ask(&cell.ours), over) {
        (None, _) | (_, Some(None)) => return not_run(cell),
        (Some(ours), None) => ours,
        (Some((ours, values)), Some(Some((below, belows)))) => {
            // A ratio of each run where the runs are the same, of the means in all.
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
    Judged { cell, ours: Some(ours), interval, verdict, scale: Some(scale) }
}

/// Whether the paper's mean of so many runs is one that ours, with the spread of our runs, allows.
fn within(ours: f64, values: &[f64], paper: f64, paper_runs: u64) -> (Verdict, Option<(f64, f64)>) {
    let spread = Spread::of(values).filter(|s| s.deviation.is_some());
    let interval = spread.and_then(|spread| Some((spread.runs, spread.interval(CONFIDENCE)?)));
    let Some((runs, (low, high))) = interval else { return (Verdict::Told, None) };
    // The paper gives no spread: its runs are taken to scatter as ours do.
    let wider = (1.0 + runs as f64 / paper_runs.max(1) as f64).sqrt();
    let half = (high - low) / 2.0 * wider;
    let inside = (paper - ours).abs() <= half;
    (if inside { Verdict::Within } else { Verdict::Differs }, Some((ours - half, ours + half)))
}
