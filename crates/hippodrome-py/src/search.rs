//! The functions `find` and `enumerate_tours`.

use crate::arguments::{Given, budget, choice, mapping, memory, problem, seed, threads, word};
use crate::errors::{expect_possible, impossible, limit, raised, usage};
use crate::gathered::{Gathered, MemoryLimit};
use crate::interruptible;
use crate::summary::Summary;
use crate::tour::PyTour;
use crate::tours::PyTours;
use hippodrome::lab::enumerate::{Dedup, Enumeration, TourFilter};
use hippodrome::lab::find::{Outcome, TourSearch};
use hippodrome::numerals::plural;
use hippodrome::problem::theorems::known;
use hippodrome::search::memory::{check, share};
use hippodrome::search::{Budget, Control};
use hippodrome::tour::{Distinct, Verified};
use hippodrome::uniform::cache_folder;
use pyo3::prelude::*;
use std::ops::ControlFlow;

/// Formats a number of things, as in "2 tours".
pub fn many(n: u64, thing: &str) -> String {
    format!("{n} {}", plural(n, thing))
}

/// Finds one tour.
///
/// Chooses a solver if none is named, and stops after ten minutes if no budget is given. The same ``seed``
/// (default 1) gives the same tour.
///
/// Raises ``Impossible`` with the theorem if no tour exists, and ``LimitReached`` if no tour was found.
///
/// >>> import hippodrome
/// >>> hippodrome.find("8x8", start="a1", closed=True)
/// Tour(closed of 8x8: a1 … b3)
/// >>> hippodrome.find("4x4")
/// Traceback (most recent call last):
/// hippodrome.errors.Impossible: impossible: remove the 4 squares b2, c2, b3 and c3: the rest of 4x4 falls into 6 parts, but a tour would fall into at most 5 (Chia & Ong 2005)
#[pyfunction]
#[pyo3(signature = (board, *, closed=false, start=None, end=None, solver=None, params=None,
    attempts=None, attempts_per_start=None, moves=None, time=None, seed=None, threads=None))]
#[expect(clippy::too_many_arguments, reason = "they are the keywords of the call")]
pub fn find(
    py: Python<'_>,
    board: &Bound<'_, PyAny>,
    closed: bool,
    start: Given<'_, '_>,
    end: Given<'_, '_>,
    solver: Option<&str>,
    params: Given<'_, '_>,
    attempts: Given<'_, '_>,
    attempts_per_start: Given<'_, '_>,
    moves: Given<'_, '_>,
    time: Given<'_, '_>,
    seed: Given<'_, '_>,
    threads: Given<'_, '_>,
) -> PyResult<PyTour> {
    let mut budget = budget([attempts, attempts_per_start, None, moves], time)?;
    if budget.is_unlimited() {
        budget.time = Some(TourSearch::DEFAULT_TIME);
    }
    if let (None, Some(params)) = (solver, params)
        && !mapping(params)?.is_empty()?
    {
        return Err(usage("params needs a solver; pass one, as in solver=\"mace\""));
    }
    let search = TourSearch {
        problem: problem(board, closed, start, end)?,
        choice: solver.map(|solver| choice(solver, params)).transpose()?,
        seed: self::seed(seed)?,
        threads: self::threads(threads)?,
        budget,
    };
    if !known(&search.problem).is_impossible() {
        check(search.problem.graph(), &search.solvers(), search.threads, false).map_err(raised)?;
    }
    let control = Control::default();
    let run = || search.run(&control).map_err(raised);
    let found = interruptible::run(py, &control.interrupt, run)?;
    let graph = search.problem.graph();
    match found.outcome {
        Outcome::Found(tour) => Ok(PyTour { tour: *tour }),
        Outcome::Impossible(finding) => Err(impossible(&finding)),
        Outcome::Limit | Outcome::Interrupted => Err(limit(format!(
            "no tour of {graph} found in {}; raise the budget, or try another solver or seed",
            many(found.attempts, "attempt")
        ))),
    }
}

/// Checks an enumeration, and adds the default budget if it has none.
pub fn settled(mut run: Enumeration) -> PyResult<Enumeration> {
    if run.all && (Budget { time: None, ..run.budget }) != Budget::UNLIMITED {
        return Err(usage("all=True conflicts with a budget; leave one out"));
    }
    run.promise().map_err(raised)?;
    if run.budget.is_unlimited() && !run.all {
        run.budget.attempts = run.bound().map_err(raised)?.or(Some(Enumeration::DEFAULT_ATTEMPTS));
    }
    Ok(run)
}

/// Enumerates the distinct tours that one solver finds.
///
/// The default budget is one million attempts. The same ``seed`` (default 1) gives the same tours.
///
/// ``collect=False`` counts tours without returning them. ``all=True`` runs the solver until it has
/// finished, which can prove that there are no tours (status "impossible"). ``memory`` is a limit in bytes;
/// it applies separately to duplicate detection and to the returned tours. ``OutOfMemory`` is raised if the
/// returned tours do not fit.
///
/// >>> import hippodrome
/// >>> mace = hippodrome.enumerate_tours("6x6", solver="mace", attempts=100_000, seed=1)
/// >>> mace.summary.attempts, len(mace) == mace.summary.distinct
/// (100000, True)
/// >>> cycles = hippodrome.enumerate_tours("6x6", closed=True, all=True, distinct="cycle")
/// >>> len(cycles), cycles.summary.status
/// (9862, 'complete')
#[pyfunction]
#[pyo3(signature = (board, *, solver="exact", params=None, closed=false, start=None, end=None,
    all=false, attempts=None, attempts_per_start=None, tours=None, moves=None, time=None, seed=None,
    threads=None, distinct="directed", dedup="exact", r#where=None, by_start=false, memory=None,
    collect=true))]
#[expect(clippy::too_many_arguments, reason = "they are the keywords of the call")]
pub fn enumerate_tours(
    py: Python<'_>,
    board: &Bound<'_, PyAny>,
    solver: &str,
    params: Given<'_, '_>,
    closed: bool,
    start: Given<'_, '_>,
    end: Given<'_, '_>,
    all: bool,
    attempts: Given<'_, '_>,
    attempts_per_start: Given<'_, '_>,
    tours: Given<'_, '_>,
    moves: Given<'_, '_>,
    time: Given<'_, '_>,
    seed: Given<'_, '_>,
    threads: Given<'_, '_>,
    distinct: &str,
    dedup: &str,
    r#where: Option<&str>,
    by_start: bool,
    memory: Given<'_, '_>,
    collect: bool,
) -> PyResult<PyTours> {
    let run = settled(Enumeration {
        seed: self::seed(seed)?,
        budget: budget([attempts, attempts_per_start, tours, moves], time)?,
        distinct: word("distinct", distinct, Distinct::CHOICES)?,
        keep: r#where.map(|keep| word("where", keep, TourFilter::CHOICES)).transpose()?,
        threads: self::threads(threads)?,
        dedup: word("dedup", dedup, Dedup::CHOICES)?,
        memory: self::memory(memory)?.unwrap_or_else(share),
        tables: cache_folder(),
        all,
        by_start,
        ..Enumeration::new(problem(board, closed, start, end)?, choice(solver, params)?)
    })?;
    if !all {
        expect_possible(&run.problem)?;
    }
    check(run.problem.graph(), &[run.choice.solver.info()], run.threads, false).map_err(raised)?;
    let control = Control::default();
    let mut gathered = Gathered::new(run.problem.graph(), MemoryLimit::new(memory)?);
    let mut full = false;
    let done = interruptible::run(py, &control.interrupt, || {
        let mut take = |tour: Verified<'_>| {
            let taken = gathered.push(&tour);
            full |= taken == ControlFlow::Break(());
            taken
        };
        let done = run.run(&control, if collect { Some(&mut take) } else { None });
        if full { Err(gathered.full()) } else { done.map_err(raised) }
    })?;
    let summary = Summary::of(py, &run, &done)?;
    Ok(gathered.into_tours(Some(Py::new(py, summary)?)))
}
