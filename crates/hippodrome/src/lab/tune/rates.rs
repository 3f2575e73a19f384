//! Mean production rates over runs, and their peaks.

use crate::lab::curve::CurvePoint;
use crate::search::ParamValue;
use std::io::{self, Write};

/// A mean production rate up to so many attempts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rate {
    /// Attempts.
    pub attempts: u64,
    /// Distinct tours an attempt, mean over the runs.
    pub rate: f64,
    /// Standard error of that; none for a single run.
    pub error: Option<f64>,
}

/// What one combination of values produced.
#[derive(Clone, Debug, PartialEq)]
pub struct Trial {
    /// The parameters that vary, with their values.
    pub params: Vec<(&'static str, ParamValue)>,
    /// Runs that were made to their end.
    pub runs: u64,
    /// The mean rates, as far as every run went.
    pub points: Vec<Rate>,
}

/// What tuning found.
#[derive(Clone, Debug)]
pub struct Tuned {
    /// Every combination of values, in the order of the lists.
    pub trials: Vec<Trial>,
    /// Whether it was stopped before all runs were made.
    pub interrupted: bool,
    /// Wall-clock seconds.
    pub seconds: f64,
}

/// Sums over runs. They are whole numbers, so that the order of the runs does not matter.
#[derive(Clone, Default)]
pub(super) struct Sums {
    pub(super) runs: u64,
    /// Attempts, the sum of the distinct tours, and of their squares.
    points: Vec<(u64, u128, u128)>,
}

impl Sums {
    /// Adds one run.
    pub(super) fn add(&mut self, points: &[CurvePoint]) {
        if self.runs == 0 {
            self.points = points.iter().map(|p| (p.attempts, 0, 0)).collect();
        }
        self.runs += 1;
        // Runs that end by themselves may differ in length.
        let same = self.points.iter().zip(points).take_while(|(sum, p)| sum.0 == p.attempts);
        self.points.truncate(same.count());
        for (sum, point) in self.points.iter_mut().zip(points) {
            let distinct = u128::from(point.distinct);
            sum.1 += distinct;
            sum.2 += distinct * distinct;
        }
    }

    /// The means.
    pub(super) fn trial(self, params: Vec<(&'static str, ParamValue)>) -> Trial {
        let runs = self.runs as f64;
        let mean = |&(attempts, sum, squares): &(u64, u128, u128)| {
            let mean = sum as f64 / runs;
            let scatter = (u128::from(self.runs) * squares - sum * sum) as f64 / runs;
            let error = (self.runs > 1).then(|| (scatter / (runs - 1.0) / runs).sqrt());
            let length = attempts as f64;
            Rate { attempts, rate: mean / length, error: error.map(|e| e / length) }
        };
        Trial { params, runs: self.runs, points: self.points.iter().map(mean).collect() }
    }
}

impl Trial {
    /// Where the rate is highest, at first; `None` if no tour was found.
    pub fn peak(&self) -> Option<Rate> {
        let higher = |best: Option<Rate>, point: &Rate| match best {
            Some(best) if best.rate >= point.rate => Some(best),
            _ => Some(*point).filter(|p| p.rate > 0.0),
        };
        self.points.iter().fold(None, higher)
    }

    /// Whether the rate was still rising when the runs ended, so that longer runs may do better.
    pub fn is_cut(&self) -> bool {
        self.peak().is_some_and(|peak| Some(&peak) == self.points.last())
    }
}

impl Tuned {
    /// The values whose peak is highest, with that peak.
    pub fn best(&self) -> Option<(&Trial, Rate)> {
        let peaks = self.trials.iter().filter_map(|trial| Some((trial, trial.peak()?)));
        peaks.reduce(|best, other| if other.1.rate > best.1.rate { other } else { best })
    }

    /// Writes a line a point: the values, attempts, rate and its standard error.
    pub fn write_csv(&self, out: &mut impl Write) -> io::Result<()> {
        let Some(first) = self.trials.first() else { return Ok(()) };
        for (name, _) in &first.params {
            write!(out, "{name},")?;
        }
        writeln!(out, "attempts,rate,error")?;
        for trial in &self.trials {
            for Rate { attempts, rate, error } in &trial.points {
                for (_, value) in &trial.params {
                    write!(out, "{value},")?;
                }
                let error = error.map_or(String::new(), |e| format!("{e:.8}"));
                writeln!(out, "{attempts},{rate:.8},{error}")?;
            }
        }
        Ok(())
    }
}

/// Parameters as they would be typed: `alpha=1 rho=0.25`.
pub fn words(params: &[(&'static str, ParamValue)]) -> String {
    params.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join(" ")
}
