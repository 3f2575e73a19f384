//! Tuning: finds the parameter values and the run length with the highest rate of distinct tours.
//!
//! The production rate is the number of distinct tours per attempt so far. For each value, it is averaged
//! over several runs. It rises while a solver learns and falls when the solver repeats itself. The best run
//! length is where the rate peaks, and the best value is the one with the highest peak. If several parameters
//! are varied, every combination of values is tried.
//! Source: Hingston & Kendall (2005), Section 3, with ten runs of `ace` for each alpha.
//! Cost: values x runs x attempts, on all threads, with one set of distinct tours per thread.
//! Limits: the peak is the maximum of many noisy means and is therefore somewhat too high, as the paper says;
//! nothing is smoothed, and the standard error at the peak shows the noise.
//! Departures: (1) there are more runs, see [`usual_runs`]; (2) rates are taken at a few hundred points of
//! each run; (3) if a parameter sets the length of a run (see [`Tunable`]) and is not given, it is set to the
//! length that the attempts allow, so nothing restarts; (4) all values use the same seeds.

mod rates;
mod vary;

pub use rates::{Rate, Trial, Tuned, words};
pub use vary::{Vary, VaryError};

use crate::error::{Argument, Diagnostic, ErrorKind, Remedy};
use crate::lab::curve::CurvePoint;
use crate::lab::enumerate::{EnumerateError, Enumeration};
use crate::lab::runs::make_runs;
use crate::problem::Problem;
use crate::search::{Budget, Control, ParamValue, Status, Tunable, cores, seeds};
use crate::solvers::registry::{Choice, ChoiceError, SOLVERS};
use rates::Sums;
use std::time::Instant;
use thiserror::Error;

/// Maximum and minimum of the default number of runs per value. Small boards get the maximum; the minimum is
/// the paper's ten.
const RUNS: (u64, u64) = (100, 10);
/// Approximate number of points of a curve.
const POINTS: u64 = 400;
/// Maximum number of cycles that is set for a run limited by attempts.
const MOST_CYCLES: u64 = 1_000_000_000_000;
/// Maximum number of combinations of values.
const MOST_SETTINGS: usize = 1000;
/// Maximum number of moves in a default run, assuming that each attempt covers the whole board.
const MOST_MOVES: u64 = 1 << 28;
/// Maximum number of moves in all default runs of a value together, unless the paper's ten runs need more.
const MOST_MOVES_OF_ALL: u64 = 1 << 31;

/// A tuning job.
#[derive(Clone)]
pub struct Tuning {
    /// The problem to solve.
    pub problem: Problem,
    /// Name of the solver.
    pub solver: String,
    /// Fixed parameters, each as `name=value`.
    pub fixed: Vec<String>,
    /// Parameters to vary, each with its values.
    pub vary: Vec<Vary>,
    /// Number of runs per combination of values.
    pub runs: u64,
    /// Number of attempts per run.
    pub attempts: u64,
    /// Master seed; see [`Tuning::seeds`].
    pub seed: u64,
    /// Number of threads; the result does not depend on it.
    pub threads: usize,
}

/// One combination of values.
#[derive(Clone)]
pub struct Setting {
    /// The varied parameters, each with its value.
    pub params: Vec<(&'static str, ParamValue)>,
    /// The solver with all its parameters.
    pub choice: Choice,
}

/// Why tuning failed.
#[derive(Error, Debug, Clone, PartialEq, Eq)]
pub enum TuneError {
    /// A list of values is invalid.
    #[error(transparent)]
    Vary(#[from] VaryError),
    /// The solver or a parameter is invalid.
    #[error(transparent)]
    Choice(#[from] ChoiceError),
    /// A run failed, for example because the solver does not support the problem.
    #[error(transparent)]
    Run(#[from] EnumerateError),
    /// No parameter was chosen to be varied, and the solver declares no default.
    #[error("solver {solver} has no parameter alpha; its parameters are {names}")]
    Nothing {
        /// Name of the solver.
        solver: String,
        /// Names of the solver's parameters.
        names: String,
    },
    /// The solver has no parameters.
    #[error("solver {0} has no parameters to tune")]
    Fixed(String),
    /// A parameter is given more than once.
    #[error("parameter {0} is given more than once; leave one of them out")]
    Twice(String),
    /// A value is given twice.
    #[error("{0} is listed twice; leave one of them out")]
    Repeated(String),
    /// There are too many combinations of values.
    #[error("{0} combinations of values are too many; list at most 1000")]
    Many(usize),
    /// The distinct tours of a run do not fit in memory.
    #[error("a run's distinct tours do not fit in memory")]
    Full,
}

impl Diagnostic for TuneError {
    fn kind(&self) -> ErrorKind {
        match self {
            TuneError::Run(error) => error.kind(),
            TuneError::Full => ErrorKind::Memory,
            _ => ErrorKind::Invalid,
        }
    }

    fn remedies(&self) -> Vec<Remedy> {
        match self {
            TuneError::Run(error) => error.remedies(),
            TuneError::Nothing { .. } => vec![Remedy::Give(vec![Argument::Vary])],
            TuneError::Full => vec![Remedy::Lower(Argument::Attempts)],
            _ => Vec::new(),
        }
    }
}

/// Returns the default number of attempts per run, which is twice the number after which the papers' colonies
/// restart.
pub fn usual_attempts(problem: &Problem) -> u64 {
    let squares = problem.graph().order() as u64;
    let tunable = SOLVERS.iter().find_map(|solver| solver.info().tuning);
    let learned = tunable.map_or(0, |tunable| (tunable.learned)(problem));
    learned.saturating_mul(2).min(MOST_MOVES / squares).max(1)
}

/// Returns the default number of runs per value, given the number of attempts per run.
pub fn usual_runs(problem: &Problem, attempts: u64) -> u64 {
    let moves = attempts.saturating_mul(problem.graph().order() as u64).max(1);
    (MOST_MOVES_OF_ALL / moves).clamp(RUNS.1, RUNS.0)
}

impl Tuning {
    /// Creates a job with default settings.
    pub fn new(problem: Problem, solver: &str) -> Tuning {
        let attempts = usual_attempts(&problem);
        Tuning {
            runs: usual_runs(&problem, attempts),
            attempts,
            problem,
            solver: solver.into(),
            fixed: Vec::new(),
            vary: Vec::new(),
            seed: 1,
            threads: cores(),
        }
    }

    /// Returns the seed of each run. All values use the same seeds.
    pub fn seeds(&self) -> Vec<u64> {
        seeds(self.seed, self.runs)
    }

    /// Returns the number of attempts per cycle. Returns `None` if the solver has no cycles, if the number of
    /// cycles is given, or if a varied parameter changes the attempts per cycle.
    pub fn cycle(&self) -> Option<u64> {
        let tunable = self.left_open()?;
        if self.vary.iter().any(|v| Some(v.name.as_str()) == tunable.cycle) {
            return None;
        }
        let choice = Choice::new(&self.solver, &self.fixed).ok()?;
        choice.solver.outline(&self.problem, &choice.values).ok()?.cycle()
    }

    fn tunable(&self) -> Option<&'static Tunable> {
        Choice::new::<&str>(&self.solver, &[]).ok()?.solver.info().tuning
    }

    /// Returns the solver's declaration for tuning if the length of its runs is not given.
    fn left_open(&self) -> Option<&'static Tunable> {
        let fixed = |name: &str| self.fixed.iter().any(|p| p.split('=').next() == Some(name));
        let varied = |name: &str| self.vary.iter().any(|v| v.name == name);
        self.tunable().filter(|tunable| !fixed(tunable.length) && !varied(tunable.length))
    }

    /// Returns every combination of values; the last parameter varies fastest.
    pub fn settings(&self) -> Result<Vec<Setting>, TuneError> {
        let vary = self.lists()?;
        let mut fixed = self.fixed.clone();
        let given = |name: &str| fixed.iter().any(|p| p.split('=').next() == Some(name));
        if let Some(twice) = vary.iter().find(|v| given(&v.name)) {
            return Err(TuneError::Twice(twice.name.clone()));
        }
        if let Some(Tunable { length, .. }) = self.left_open() {
            let cycles = self.attempts.div_ceil(self.problem.start_count().max(1) as u64);
            fixed.push(format!("{length}={}", cycles.min(MOST_CYCLES)));
        }
        let number = vary.iter().fold(1, |n: usize, v| n.saturating_mul(v.values.len()));
        if number > MOST_SETTINGS {
            return Err(TuneError::Many(number));
        }
        let mut settings: Vec<Setting> = Vec::new();
        for index in 0..number {
            let mut params = fixed.clone();
            let mut rest = index;
            for Vary { name, values } in vary.iter().rev() {
                params.push(format!("{name}={}", values[rest % values.len()]));
                rest /= values.len();
            }
            let choice = Choice::new(&self.solver, &params)?;
            let varies = |name: &str| vary.iter().any(|v| v.name == name);
            let of_both = choice.values.iter().filter(|(name, _)| varies(name));
            let params: Vec<_> = of_both.map(|(name, value)| (name, value.clone())).collect();
            if settings.iter().any(|earlier| earlier.params == params) {
                return Err(TuneError::Repeated(words(&params)));
            }
            settings.push(Setting { params, choice });
        }
        Ok(settings)
    }

    /// Returns the parameters to vary: those given, or else those that the solver declares.
    fn lists(&self) -> Result<Vec<Vary>, TuneError> {
        let choice = Choice::new::<&str>(&self.solver, &[])?;
        let names: Vec<&str> = choice.values.iter().map(|(name, _)| name).collect();
        for (index, Vary { name, .. }) in self.vary.iter().enumerate() {
            if self.vary[..index].iter().any(|earlier| earlier.name == *name) {
                return Err(TuneError::Twice(name.clone()));
            }
        }
        match (self.vary.is_empty(), self.tunable()) {
            (false, _) => Ok(self.vary.clone()),
            (true, Some(tunable)) => Ok(vec![Vary::parse(tunable.vary)?]),
            (true, None) => {
                let solver = self.solver.clone();
                Err(match names.is_empty() {
                    true => TuneError::Fixed(solver),
                    false => TuneError::Nothing { solver, names: names.join(", ") },
                })
            }
        }
    }

    /// Returns the enumeration that one run executes.
    pub fn enumeration(&self, setting: &Setting, seed: u64) -> Enumeration {
        // Points coincide with the ends of cycles, if there are any.
        let starts = (self.problem.start_count() as u64).min(self.attempts);
        let step = starts * self.attempts.div_ceil(starts * POINTS);
        Enumeration {
            seed,
            threads: 1,
            budget: Budget { attempts: Some(self.attempts), ..Budget::UNLIMITED },
            curve: Some(step),
            ..Enumeration::new(self.problem.clone(), setting.choice.clone())
        }
    }

    /// Runs the job: first the first run of every value, then the second, and so on. `control` can interrupt
    /// the job; the runs that are already finished are kept.
    pub fn run(&self, control: &Control) -> Result<Tuned, TuneError> {
        let begun = Instant::now();
        let (settings, seeds) = (self.settings()?, self.seeds());
        for setting in &settings {
            self.enumeration(setting, self.seed).promise()?;
        }
        let number = settings.len() as u64 * self.runs;
        let mut sums = vec![Sums::default(); settings.len()];
        let at = |job: u64| (job % settings.len() as u64) as usize;
        let run = |job: u64| {
            let seed = seeds[(job / settings.len() as u64) as usize];
            self.once(&settings[at(job)], seed, control)
        };
        make_runs(self.threads, number, control, run, |job, points| sums[at(job)].add(&points))?;
        let interrupted = sums.iter().any(|s| s.runs < self.runs);
        let trial = |(setting, sums): (Setting, Sums)| sums.trial(setting.params);
        let trials = settings.into_iter().zip(sums).map(trial).collect();
        Ok(Tuned { trials, interrupted, seconds: begun.elapsed().as_secs_f64() })
    }

    /// Executes one run; returns `None` if it was interrupted.
    fn once(
        &self,
        setting: &Setting,
        seed: u64,
        control: &Control,
    ) -> Result<Option<Vec<CurvePoint>>, TuneError> {
        let summary = self.enumeration(setting, seed).run(control, None)?;
        if summary.full {
            return Err(TuneError::Full);
        }
        let curve = summary.curve.filter(|_| summary.status != Status::Interrupted);
        Ok(curve.map(|curve| curve.points))
    }
}

#[cfg(test)]
mod tests;
