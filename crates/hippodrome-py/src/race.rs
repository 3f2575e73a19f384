//! The function `race`, which compares solvers under the same budget.

use crate::arguments::{Given, budget, choice, memory, problem, seed, threads, whole};
use crate::errors::{expect_possible, raised, usage};
use crate::interruptible;
use crate::pickling::reduced_result;
use hippodrome::lab::race::{CONFIDENCE, Entrant, Race, Standing as Stands, ahead};
use hippodrome::lab::statistics::Spread;
use hippodrome::search::Control;
use hippodrome::search::memory::{check, share};
use pyo3::prelude::*;
use pyo3::types::{PyString, PyTuple};

/// A mean and, if there are several runs, the two ends of its interval.
type Interval = (f64, Option<f64>, Option<f64>);

/// The results of one solver in a race. Counts are sums over its runs.
#[pyclass(module = "hippodrome", frozen, get_all)]
#[derive(FromPyObject)]
pub struct Standing {
    solver: String,
    runs: u64,
    attempts: u64,
    tours: u64,
    /// Sum over the runs of the number of distinct tours in each run.
    distinct: u64,
    closed: u64,
    moves: u64,
    /// Number of distinct tours per attempt.
    hit_ratio: f64,
    /// Mean hit ratio per run, with its 95% interval if there are several runs.
    hit_ratio_of_a_run: Option<Interval>,
    /// Mean number of distinct tours per run, with its 95% interval if there are several runs.
    distinct_of_a_run: Option<Interval>,
    /// Mean share of closed tours among distinct tours, with its interval. Runs without a tour are
    /// excluded.
    closed_share: Option<Interval>,
    /// Mean over the runs of the number of distinct tours per second, with its interval.
    distinct_a_second: Option<Interval>,
    /// Number of runs without a tour.
    failed_runs: u64,
    /// Share of runs that found a tour, with its 95% interval.
    success: (f64, f64, f64),
    /// Total variation distance between the start squares of the tours and those of uniform tours, if
    /// known.
    start_bias: Option<f64>,
    /// Expected value of that distance for the same number of uniform tours.
    start_bias_by_chance: Option<f64>,
    /// Attempts until the first tour: minimum, quartiles and maximum over the successful runs.
    attempts_to_first: Option<[f64; 5]>,
    /// Moves until the first tour: minimum, quartiles and maximum over the successful runs.
    moves_to_first: Option<[f64; 5]>,
    /// Seconds until the first tour: minimum, quartiles and maximum over the successful runs.
    seconds_to_first: Option<[f64; 5]>,
    /// The solvers that find fewer distinct tours under this budget, with 99% confidence.
    ahead_of: Vec<String>,
}

#[pymethods]
impl Standing {
    /// Unpickles a standing from its fields.
    #[staticmethod]
    fn _of(fields: Standing) -> Standing {
        fields
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        reduced_result(slf.as_any())
    }

    fn __repr__(&self) -> String {
        format!(
            "Standing({:?}, runs={}, attempts={}, distinct={}, hit_ratio={:.6})",
            self.solver, self.runs, self.attempts, self.distinct, self.hit_ratio
        )
    }
}

/// Converts the list of solvers.
fn names(given: &Bound<'_, PyAny>) -> PyResult<Vec<String>> {
    // A string is a sequence of strings too.
    let names = if given.is_instance_of::<PyString>() { None } else { given.extract().ok() };
    let names: Vec<String> = names.ok_or_else(|| {
        usage("solvers is not a list of names; pass one, as in [\"mace\", \"warnsdorff\"]")
    })?;
    match names.is_empty() {
        true => {
            Err(usage("the list of solvers is empty; pass some, as in [\"mace\", \"warnsdorff\"]"))
        }
        false => Ok(names.iter().map(|name| name.trim().into()).collect()),
    }
}

fn interval(spread: &Option<Spread>) -> Option<Interval> {
    spread.map(|spread| {
        let bounds = spread.interval(CONFIDENCE.0);
        (spread.mean, bounds.map(|b| b.0), bounds.map(|b| b.1))
    })
}

fn standing(own: &Stands, all: &[Stands]) -> Standing {
    let (success, (low, high)) = own.success();
    let behind = all.iter().filter(|other| ahead(own, other));
    Standing {
        solver: own.name.clone(),
        runs: own.runs,
        attempts: own.attempts,
        tours: own.tours,
        distinct: own.distinct,
        closed: own.closed,
        moves: own.moves,
        hit_ratio: own.distinct as f64 / own.attempts.max(1) as f64,
        hit_ratio_of_a_run: interval(&own.hit_ratio),
        distinct_of_a_run: interval(&own.distinct_a_run),
        closed_share: interval(&own.closed_share),
        distinct_a_second: interval(&own.rate),
        failed_runs: own.failed_runs,
        success: (success, low, high),
        start_bias: own.start_bias.map(|bias| bias.distance),
        start_bias_by_chance: own.start_bias.map(|bias| bias.by_chance),
        attempts_to_first: own.attempts_to_first,
        moves_to_first: own.moves_to_first,
        seconds_to_first: own.seconds_to_first,
        ahead_of: behind.map(|other| other.name.clone()).collect(),
    }
}

/// Runs several solvers on one board under the same budget, and returns a ``Standing`` for each.
///
/// The defaults are ten runs per solver and 100,000 attempts per run. All solvers get the same seeds. ``time``
/// limits each run; runs with a time limit are made one at a time.
///
/// >>> import hippodrome
/// >>> standings = hippodrome.race("6x6", ["mace", "ants-random"], runs=3, attempts=20_000)
/// >>> [standing.solver for standing in standings], standings[0].ahead_of
/// (['mace', 'ants-random'], ['ants-random'])
#[pyfunction]
#[pyo3(signature = (board, solvers, *, runs=None, closed=false, start=None, end=None, attempts=None,
    attempts_per_start=None, tours=None, moves=None, time=None, seed=None, threads=None, memory=None))]
#[expect(clippy::too_many_arguments, reason = "they are the keywords of the call")]
pub fn race(
    py: Python<'_>,
    board: &Bound<'_, PyAny>,
    solvers: &Bound<'_, PyAny>,
    runs: Given<'_, '_>,
    closed: bool,
    start: Given<'_, '_>,
    end: Given<'_, '_>,
    attempts: Given<'_, '_>,
    attempts_per_start: Given<'_, '_>,
    tours: Given<'_, '_>,
    moves: Given<'_, '_>,
    time: Given<'_, '_>,
    seed: Given<'_, '_>,
    threads: Given<'_, '_>,
    memory: Given<'_, '_>,
) -> PyResult<Vec<Standing>> {
    let mut entrants: Vec<Entrant> = Vec::new();
    for name in names(solvers)? {
        if entrants.iter().any(|entrant| entrant.name == name) {
            return Err(usage(format!("{name} is listed twice; leave one of them out")));
        }
        let choice = choice(&name, None)?;
        entrants.push(Entrant { name, choice });
    }
    let mut budget = budget([attempts, attempts_per_start, tours, moves], time)?;
    if budget.is_unlimited() {
        budget.attempts = Some(Race::DEFAULT_ATTEMPTS);
    }
    let race = Race {
        problem: problem(board, closed, start, end)?,
        entrants,
        budget,
        runs: whole("runs", runs, 1)?.unwrap_or(10),
        seed: self::seed(seed)?,
        threads: self::threads(threads)?,
        memory: self::memory(memory)?.unwrap_or_else(share),
    };
    expect_possible(&race.problem)?;
    let infos: Vec<_> = race.entrants.iter().map(|e| e.choice.solver.info()).collect();
    check(race.problem.graph(), &infos, race.abreast(), false).map_err(raised)?;
    let control = Control::default();
    let run = || race.run(&control).map_err(raised);
    let raced = interruptible::run(py, &control.interrupt, run)?;
    let standings = race.standings(&raced);
    Ok(standings.iter().map(|own| standing(own, &standings)).collect())
}
