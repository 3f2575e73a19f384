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

/// Confidence level of the intervals that are drawn.
const CONFIDENCE: f64 = 0.95;
/// Number of points on a line that follows a formula.
const POINTS: u32 = 200;

/// A figure to draw.
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Figure {
    /// Curves that show a mean over the runs as a function of attempts.
    Curves {
        /// Title of the figure.
        title: String,
        /// Name of the horizontal axis, with its unit.
        across: String,
        /// Name of the vertical axis, with its unit.
        up: String,
        /// Which axes are logarithmic: `x`, `y` or `xy`; empty for none.
        #[serde(default)]
        log: String,
        /// Number by which attempts are divided.
        per: Option<f64>,
        /// The lines to draw.
        lines: Vec<Trace>,
    },
    /// Measurements, each drawn as one row.
    Rows {
        /// Title of the figure.
        title: String,
        /// Name of the axis, with its unit.
        across: String,
        /// Whether the axis is logarithmic.
        #[serde(default)]
        log: bool,
        /// The rows to draw.
        rows: Vec<Entry>,
    },
    /// The final pheromone of a probe's first runs, with one picture per run.
    Pheromone {
        /// Name of the probe.
        probe: String,
        /// Number of runs to draw.
        runs: usize,
    },
}

/// A line in a figure of curves.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Trace {
    /// Name of the line.
    name: String,
    /// Name of the probe whose runs are averaged.
    probe: Option<String>,
    /// The quantity to draw.
    #[serde(default)]
    of: CurveAspect,
    /// What to draw instead of a probe: N and r of the paper's formula, and the last attempt. N = 0 means
    /// unbounded.
    formula: Option<(u64, f64, f64)>,
}

/// A quantity that a line can show.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum CurveAspect {
    /// Number of distinct tours.
    #[default]
    Distinct,
    /// Number of duplicates.
    Repeated,
    /// Number of distinct tours per attempt so far.
    Rate,
    /// Number of new tours since the previous point, per unit of the horizontal axis.
    New,
}

/// A row in a figure of rows.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// Name of the row.
    name: String,
    /// A query for our value, as in a cell; the value is drawn with its interval.
    ours: Option<String>,
    /// A query for a divisor, which is applied to each run separately.
    over: Option<String>,
    /// Whether to draw quartiles instead of the mean and its interval.
    #[serde(default)]
    quartiles: bool,
    /// The paper's number, which is drawn instead of our value.
    paper: Option<f64>,
}

impl Figure {
    /// Returns the names of the probes that the figure needs.
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

    /// Draws the figure as one or more SVGs; returns none if nothing was run.
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

/// Draws all figures of a definition; returns the file name and the SVG of each.
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
