//! Figures drawn from an experiment's measurements.

use super::record::{Measured, mean_curve, probe_of};
use super::{Definition, ExperimentRecord};
use crate::board::move_weights::MoveWeights;
use crate::board::{Board, Graph};
use crate::draw::chart::{Axis, Line, LineChart, Mark, Row, RowChart};
use crate::draw::{Style, move_weights_svg};
use crate::lab::curve::predict;
use crate::lab::statistics::{Spread, quartiles};
use serde::Deserialize;

/// Confidence level of drawn intervals.
const CONFIDENCE: f64 = 0.95;
/// Points of a line that follows a formula.
const POINTS: u32 = 200;

/// A figure.
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Figure {
    /// Mean curves over attempts.
    Curves {
        /// What it shows.
        title: String,
        /// Name of the horizontal axis, with its unit.
        across: String,
        /// Name of the vertical axis, with its unit.
        up: String,
        /// Which axes are logarithmic: `x`, `y`, `xy` or none.
        #[serde(default)]
        log: String,
        /// Divisor of the attempts.
        per: Option<f64>,
        /// The lines.
        lines: Vec<Trace>,
    },
    /// Measurements, one row each.
    Rows {
        /// What it shows.
        title: String,
        /// Name of the axis, with its unit.
        across: String,
        /// Whether the axis is logarithmic.
        #[serde(default)]
        log: bool,
        /// The rows.
        rows: Vec<Entry>,
    },
    /// The final pheromone of the first runs of a probe, one picture each.
    Pheromone {
        /// The probe.
        probe: String,
        /// Number of runs.
        runs: usize,
    },
}

/// A line of a curve figure.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Trace {
    /// Its name.
    name: String,
    /// The probe whose runs are averaged.
    probe: Option<String>,
    /// The quantity to draw.
    #[serde(default)]
    of: CurveAspect,
    /// Instead of a probe: N and r of the paper's formula, and the last attempt; N = 0 means unbounded.
    formula: Option<(u64, f64, f64)>,
}

/// A quantity of a production curve.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum CurveAspect {
    /// Distinct tours.
    #[default]
    Distinct,
    /// Duplicates.
    Repeated,
    /// Distinct tours per attempt so far.
    Rate,
    /// New tours since the last point, per unit of the axis.
    New,
}

/// A row.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// Its name.
    name: String,
    /// Our value, as in a cell; drawn with its interval.
    ours: Option<String>,
    /// Divisor, applied run by run.
    over: Option<String>,
    /// Whether to draw quartiles instead of mean and interval.
    #[serde(default)]
    quartiles: bool,
    /// Instead of our value: the paper's number.
    paper: Option<f64>,
}

impl Figure {
    /// Returns the probes that the figure draws.
    pub(super) fn probes(&self) -> Vec<&str> {
        match self {
            Figure::Curves { lines, .. } => {
                lines.iter().filter_map(|l| l.probe.as_deref()).collect()
            }
            Figure::Rows { rows, .. } => {
                let asked = rows.iter().flat_map(|row| row.ours.iter().chain(&row.over));
                asked.map(|text| probe_of(text)).collect()
            }
            Figure::Pheromone { probe, .. } => vec![probe],
        }
    }

    /// Draws the figure as SVGs; returns none if nothing was run.
    fn svg(&self, definition: &Definition, record: &ExperimentRecord) -> Vec<String> {
        match self {
            Figure::Curves { title, across, up, log, per, lines } => {
                let axis = |name: &str, letter: char| Axis {
                    name: name.into(),
                    logarithmic: log.contains(letter),
                };
                let axes = (axis(across, 'x'), axis(up, 'y'));
                let per = per.unwrap_or(1.0);
                let lines: Vec<Line> = lines.iter().filter_map(|l| l.line(record, per)).collect();
                if lines.iter().all(|line| line.points.is_empty()) {
                    return Vec::new();
                }
                vec![LineChart { title: title.clone(), axes, lines }.svg()]
            }
            Figure::Rows { title, across, log, rows } => {
                let axis = Axis { name: across.clone(), logarithmic: *log };
                let rows: Vec<Row> = rows.iter().map(|row| row.row(record)).collect();
                if rows.iter().all(|row| row.mark == Mark::Nothing) {
                    return Vec::new();
                }
                vec![RowChart { title: title.clone(), axis, rows }.svg()]
            }
            Figure::Pheromone { probe, runs } => {
                let board = definition.probe.get(probe).and_then(|p| p.boards.first());
                let graph = board.and_then(|text| Board::parse(text).ok()).map(Graph::knight);
                let all = record.probes.get(probe).map_or(&[][..], |probe| &probe.runs);
                all.iter().take(*runs).filter_map(|run| trails(graph.as_ref()?, run)).collect()
            }
        }
    }
}

/// Draws all figures of a definition; returns file names and SVGs.
pub fn figures(definition: &Definition, record: &ExperimentRecord) -> Vec<(String, String)> {
    let all: Vec<String> =
        definition.figure.iter().flat_map(|figure| figure.svg(definition, record)).collect();
    let (id, several) = (&definition.id, all.len() > 1);
    let name = |at: usize| if several { format!("{id}-{at}.svg") } else { format!("{id}.svg") };
    all.into_iter().zip(1..).map(|(svg, at)| (name(at), svg)).collect()
}

fn trails(graph: &Graph, run: &Measured) -> Option<String> {
    let amount = |(from, to, amount): &(String, String, f64)| {
        Some((graph.vertex(from).ok()?, graph.vertex(to).ok()?, *amount))
    };
    let amounts = run.pheromone.iter().map(amount).collect::<Option<Vec<_>>>()?;
    if amounts.is_empty() {
        return None;
    }
    let weights = MoveWeights::new(graph.clone(), amounts).ok()?;
    let mut svg = Vec::new();
    move_weights_svg(&weights, &Style::default(), &mut svg).ok()?;
    String::from_utf8(svg).ok()
}

impl Trace {
    fn line(&self, record: &ExperimentRecord, per: f64) -> Option<Line> {
        let name = self.name.clone();
        if let Some((tours, rate, end)) = self.formula {
            let tours = (tours > 0).then_some(tours);
            let at = |n: u32| end * (f64::from(n) / f64::from(POINTS)).powi(3);
            let point = |n: u32| (at(n) / per, predict(tours, rate, at(n) as u64));
            return Some(Line { name, points: (POINTS / 8..=POINTS).map(point).collect() });
        }
        let runs: Vec<&Measured> = record.probes.get(self.probe.as_ref()?)?.runs.iter().collect();
        let curve = mean_curve(&runs);
        let point = |&(attempts, distinct, repeated): &(f64, f64, f64)| {
            let value = match self.of {
                CurveAspect::Distinct | CurveAspect::New => distinct,
                CurveAspect::Repeated => repeated,
                CurveAspect::Rate => distinct / attempts.max(1.0),
            };
            (attempts / per, value)
        };
        let mut points: Vec<(f64, f64)> = curve.iter().map(point).collect();
        if matches!(self.of, CurveAspect::New) {
            let slope =
                |p: &[(f64, f64)]| ((p[0].0 + p[1].0) / 2.0, (p[1].1 - p[0].1) / (p[1].0 - p[0].0));
            points = points.windows(2).map(slope).collect();
        }
        Some(Line { name, points })
    }
}

impl Entry {
    fn row(&self, record: &ExperimentRecord) -> Row {
        Row { name: self.name.clone(), mark: self.mark(record).unwrap_or(Mark::Nothing) }
    }

    fn mark(&self, record: &ExperimentRecord) -> Option<Mark> {
        if let Some(value) = self.paper {
            return Some(Mark::Interval { value, around: None });
        }
        let (mut value, mut values) = record.ask(self.ours.as_deref()?)?;
        if let Some(over) = &self.over {
            let (below, belows) = record.ask(over)?;
            values = values.iter().zip(&belows).map(|(v, b)| v / b).collect();
            value /= below;
        }
        if self.quartiles {
            return quartiles(&values).map(Mark::Quartiles);
        }
        let around = Spread::of(&values).and_then(|spread| spread.interval(CONFIDENCE));
        Some(Mark::Interval { value, around })
    }
}
