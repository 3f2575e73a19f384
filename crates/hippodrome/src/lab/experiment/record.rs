//! The record of an experiment's measurements, from which every cell can be judged and every figure drawn.

use super::{Definition, ExperimentScale};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The measurements of an experiment at one scale.
#[derive(Clone, Debug, Serialize, Deserialize, PartialEq)]
pub struct ExperimentRecord {
    /// Identifier of the experiment.
    pub id: String,
    /// Name of the scale: `quick` or `full`.
    pub scale: String,
    /// Version of the library that made the record.
    pub version: String,
    /// Master seed.
    pub seed: u64,
    /// The runs of each probe, by the probe's name.
    pub probes: BTreeMap<String, ProbeRuns>,
}

/// The runs of a probe.
#[derive(Clone, Debug, Default, Serialize, Deserialize, PartialEq)]
pub struct ProbeRuns {
    /// Checksum that identifies the probe's runs; see [`Probe::checksum`](super::Probe::checksum).
    pub checksum: String,
    /// The runs, ordered by seed and then by problem.
    pub runs: Vec<Measured>,
}

/// The measurements of one run.
#[derive(Clone, Debug, Default, Serialize, Deserialize, PartialEq)]
pub struct Measured {
    /// Name of the board and the start square.
    pub of: String,
    /// Seed of the run.
    pub seed: u64,
    /// Counts such as attempts and tours, and other measures, by name; zeros are omitted.
    pub values: BTreeMap<String, f64>,
    /// Points of the production curve: attempts, distinct tours and duplicates.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub curve: Vec<(u64, u64, u64)>,
    /// Final pheromone on each move, given by its two squares.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pheromone: Vec<(String, String, f64)>,
}

/// Approximate number of points that a record keeps of a curve.
pub(super) const POINTS: usize = 64;

impl ExperimentRecord {
    /// Creates a record without runs.
    pub fn new(definition: &Definition, scale: ExperimentScale, seed: u64) -> ExperimentRecord {
        ExperimentRecord {
            id: definition.id.clone(),
            scale: scale.name().into(),
            version: env!("CARGO_PKG_VERSION").into(),
            seed,
            probes: BTreeMap::new(),
        }
    }

    /// Returns the record as JSON, one line per run.
    pub fn text(&self) -> String {
        let probe = |(name, ProbeRuns { checksum, runs }): (&String, &ProbeRuns)| {
            let lines: Vec<String> = runs.iter().map(|run| format!("\n{}", json(run))).collect();
            let (name, checksum, lines) = (json(name), json(checksum), lines.join(","));
            format!("\n{name}:{{\"checksum\":{checksum},\"runs\":[{lines}]}}")
        };
        let probes: Vec<String> = self.probes.iter().map(probe).collect();
        format!(
            "{{\"schema\":1,\"id\":{},\"scale\":{},\"version\":{},\"seed\":{},\"probes\":{{{}}}}}\n",
            json(&self.id),
            json(&self.scale),
            json(&self.version),
            self.seed,
            probes.join(",")
        )
    }

    /// Returns the runs and the measure that a path such as `probe@square.measure` selects.
    fn runs<'a>(&'a self, path: &'a str) -> Option<(Vec<&'a Measured>, &'a str)> {
        let (probe, measure) = path.split_once('.')?;
        let (probe, square) =
            probe.split_once('@').map_or((probe, None), |(probe, square)| (probe, Some(square)));
        let runs = &self.probes.get(probe)?.runs;
        let of = |run: &&Measured| square.is_none() || run.of.split(' ').next_back() == square;
        let found: Vec<&Measured> = runs.iter().filter(of).collect();
        (!found.is_empty()).then_some((found, measure))
    }

    /// Evaluates a query such as `most ga.distinct`. Returns its value and the values of the individual runs,
    /// or `None` if the probe was not run.
    pub fn ask(&self, asked: &str) -> Option<(f64, Vec<f64>)> {
        if is_arithmetic(asked) {
            return Some((work_out(asked), Vec::new()));
        }
        let (how, path) = asked.rsplit_once(' ').unwrap_or(("mean", asked));
        let (runs, measure) = self.runs(path)?;
        // A missing value is 0: a start square without tours is not listed.
        let values: Vec<f64> =
            runs.iter().map(|run| run.values.get(measure).copied().unwrap_or(0.0)).collect();
        let number = values.len() as f64;
        let value = match how {
            "sum" => values.iter().sum(),
            "least" => values.iter().copied().fold(f64::INFINITY, f64::min),
            "most" => values.iter().copied().fold(f64::NEG_INFINITY, f64::max),
            "failed" => values.iter().filter(|v| **v == 0.0).count() as f64 / number,
            "found" => values.iter().filter(|v| **v > 0.0).count() as f64 / number,
            "overlap" => overlap(&runs),
            "peak" => peak(&runs),
            _ => values.iter().sum::<f64>() / number,
        };
        Some((value, values))
    }

    /// Returns whether the record contains all runs of a definition.
    pub fn is_whole(&self, definition: &Definition, scale: ExperimentScale) -> bool {
        definition.probe.iter().all(|(name, probe)| {
            let problems = probe.parts().ok().flatten().map_or(probe.check.len(), |p| p.1.len());
            let wanted = problems as u64 * probe.runs(scale);
            self.probes.get(name).is_some_and(|runs| {
                runs.checksum == probe.checksum(scale) && runs.runs.len() as u64 >= wanted
            })
        })
    }

    /// Estimates the time of the full runs in core seconds, from the time of the recorded runs.
    pub fn guess_full(&self, definition: &Definition, scale: ExperimentScale) -> Option<f64> {
        let mut seconds = 0.0;
        for (name, probe) in &definition.probe {
            let runs = &self.probes.get(name)?.runs;
            let sum = |measure: &str| -> f64 {
                runs.iter().filter_map(|run| run.values.get(measure)).sum()
            };
            let times = match probe.expected {
                Some(attempts) => attempts as f64 / sum("attempts").max(1.0),
                None => probe.times(scale)?,
            };
            seconds += sum("core_seconds") * times;
        }
        Some(seconds)
    }
}

fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

/// Returns whether a query consists only of numbers and operators.
pub(super) fn is_arithmetic(asked: &str) -> bool {
    asked.starts_with(|c: char| c.is_ascii_digit())
}

/// Returns the probe that a query such as `most ga@a1.distinct` names.
pub(super) fn probe_of(asked: &str) -> &str {
    let path = asked.rsplit(' ').next().unwrap_or_default();
    path.split(['.', '@']).next().unwrap_or_default()
}

/// Evaluates numbers joined by `*` and `/`, from left to right.
fn work_out(text: &str) -> f64 {
    let words: Vec<&str> = text.split_whitespace().collect();
    let number = |word: &str| word.replace('_', "").parse().unwrap_or(f64::NAN);
    let first = words.first().map_or(f64::NAN, |word| number(word));
    words[1.min(words.len())..].chunks(2).fold(first, |value, pair| match pair {
        ["*", by] => value * number(by),
        ["/", by] => value / number(by),
        _ => f64::NAN,
    })
}

/// Returns the share of pheromone that two runs have in common, averaged over all pairs of runs; 1 if all
/// runs agree.
fn overlap(runs: &[&Measured]) -> f64 {
    let share = |run: &Measured| -> BTreeMap<(String, String), f64> {
        let whole: f64 = run.pheromone.iter().map(|p| p.2).sum();
        run.pheromone.iter().map(|(a, b, t)| ((a.clone(), b.clone()), t / whole)).collect()
    };
    let shares: Vec<_> = runs.iter().map(|run| share(run)).collect();
    let common = |a: &BTreeMap<_, f64>, b: &BTreeMap<_, f64>| -> f64 {
        a.iter().map(|(step, t)| t.min(b.get(step).copied().unwrap_or(0.0))).sum()
    };
    let pairs = (0..shares.len()).flat_map(|i| (0..i).map(move |j| (i, j)));
    let pairs: Vec<f64> = pairs.map(|(i, j)| common(&shares[i], &shares[j])).collect();
    pairs.iter().sum::<f64>() / pairs.len() as f64
}

/// Returns the number of attempts at which the mean curve rises fastest.
fn peak(runs: &[&Measured]) -> f64 {
    let curve = mean_curve(runs);
    let slope = |pair: &[(f64, f64, f64)]| (pair[1].1 - pair[0].1) / (pair[1].0 - pair[0].0);
    let fastest = curve.windows(2).max_by(|a, b| slope(a).total_cmp(&slope(b)));
    fastest.map_or(f64::NAN, |pair| (pair[0].0 + pair[1].0) / 2.0)
}

/// Returns the mean curve of the runs at the points of the first run: attempts, distinct tours, duplicates.
pub(super) fn mean_curve(runs: &[&Measured]) -> Vec<(f64, f64, f64)> {
    let Some(first) = runs.first() else { return Vec::new() };
    let at = |run: &Measured, attempts: u64| {
        let after = run.curve.partition_point(|point| point.0 < attempts);
        let last = run.curve.len().saturating_sub(1);
        let next = run.curve.get(after.min(last)).copied().unwrap_or_default();
        let before =
            after.checked_sub(1).and_then(|i| run.curve.get(i)).copied().unwrap_or_default();
        let span = next.0.saturating_sub(before.0);
        let way = if span == 0 { 1.0 } else { (attempts - before.0) as f64 / span as f64 };
        let between = |a: u64, b: u64| a as f64 + (b as f64 - a as f64) * way.min(1.0);
        (between(before.1, next.1), between(before.2, next.2))
    };
    let number = runs.len() as f64;
    let mean = |&(attempts, ..): &(u64, u64, u64)| {
        let all = runs.iter().map(|run| at(run, attempts));
        let (distinct, repeated) = all.fold((0.0, 0.0), |sum, p| (sum.0 + p.0, sum.1 + p.1));
        (attempts as f64, distinct / number, repeated / number)
    };
    first.curve.iter().map(mean).collect()
}
