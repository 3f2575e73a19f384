//! Production rates averaged over runs, and their peaks.

use crate::lab::curve::CurvePoint;
use crate::search::ParamValue;
use std::io::{self, Write};

/// The mean production rate over the first attempts of the runs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rate {
    /// Number of attempts.
    pub attempts: u64,
    /// Number of distinct tours per attempt, averaged over the runs.
    pub rate: f64,
    /// Standard error of the rate; `None` for a single run.
    pub error: Option<f64>,
}

/// The result of one combination of values.
#[derive(Clone, Debug, PartialEq)]
pub struct Trial {
    /// The varied parameters, each with its value.
    pub params: Vec<(&'static str, ParamValue)>,
    /// Number of finished runs.
    pub runs: u64,
    /// Mean rates along the runs, up to the length of the shortest run.
    pub points: Vec<Rate>,
}

/// The result of tuning.
#[derive(Clone, Debug)]
pub struct Tuned {
    /// The trial of every combination of values, in the order of the lists.
    pub trials: Vec<Trial>,
    /// Whether an interrupt prevented some of the runs.
    pub interrupted: bool,
    /// Wall-clock time in seconds.
    pub seconds: f64,
}

/// Sums over the runs. They are integers, so the order of the runs does not matter.
#[derive(Clone, Default)]
pub(super) struct Sums {
    pub(super) runs: u64,
    /// For each point: the number of attempts, the sum of the numbers of distinct tours, and the sum of their
    /// squares.
    points: Vec<(u64, u128, u128)>,
}

impl Sums {
    /// Adds the production curve of one run.
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

    /// Returns the mean rates of the runs that were added.
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
    /// Returns the first point with the highest rate; `None` if no tour was found.
    pub fn peak(&self) -> Option<Rate> {
        let higher = |best: Option<Rate>, point: &Rate| match best {
            Some(best) if best.rate >= point.rate => Some(best),
            _ => Some(*point).filter(|p| p.rate > 0.0),
        };
        self.points.iter().fold(None, higher)
    }

    /// Returns whether the rate was still rising at the end. If so, longer runs may be better.
    pub fn is_cut(&self) -> bool {
        self.peak().is_some_and(|peak| Some(&peak) == self.points.last())
    }
}

impl Tuned {
    /// Returns the trial with the highest peak, and that peak.
    pub fn best(&self) -> Option<(&Trial, Rate)> {
        let peaks = self.trials.iter().filter_map(|trial| Some((trial, trial.peak()?)));
        peaks.reduce(|best, other| if other.1.rate > best.1.rate { other } else { best })
    }

    /// Writes one CSV line per point: values, attempts, rate and standard error.
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

/// Returns parameters in the form in which they are typed, as in `alpha=1 rho=0.25`.
pub fn words(params: &[(&'static str, ParamValue)]) -> String {
    params.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join(" ")
}
