//! The function `sample`, which draws tours uniformly at random.

use crate::arguments::{Given, memory, problem, seed, threads, whole};
use crate::errors::{expect_possible, impossible, limit, message, raised, usage};
use crate::gathered::{Gathered, MemoryLimit};
use crate::interruptible;
use crate::summary::Summary;
use crate::tours::PyTours;
use hippodrome::problem::theorems::Finding;
use hippodrome::search::{Control, Resources};
use hippodrome::tour::Verified;
use hippodrome::uniform::{Sampler, TourStream, cache_folder};
use pyo3::prelude::*;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Instant;

/// Default memory limit for the table of counts.
const MEMORY: usize = 6 << 30;

/// Draws ``n`` tours (default 1) uniformly at random: all tours are exactly equally likely.
///
/// Duplicates are neither removed nor counted. The same ``seed`` (default 1) gives the same tours.
/// ``memory`` is a limit in bytes; it applies separately to the table of counts and to the tours.
///
/// >>> import hippodrome
/// >>> tours = hippodrome.sample("6x6", 500, closed=True, seed=7)
/// >>> tours
/// Tours(500 of 6x6, 500 closed)
#[pyfunction]
#[pyo3(signature = (board, n=None, *, closed=false, start=None, end=None, seed=None, threads=None,
    memory=None, cache=true))]
#[expect(clippy::too_many_arguments, reason = "they are the keywords of the call")]
pub fn sample(
    py: Python<'_>,
    board: &Bound<'_, PyAny>,
    n: Given<'_, '_>,
    closed: bool,
    start: Given<'_, '_>,
    end: Given<'_, '_>,
    seed: Given<'_, '_>,
    threads: Given<'_, '_>,
    memory: Given<'_, '_>,
    cache: bool,
) -> PyResult<PyTours> {
    let problem = problem(board, closed, start, end)?;
    let tours = whole("n", n, 1)?.unwrap_or(1);
    let (seed, threads) = (self::seed(seed)?, self::threads(threads)?);
    let mut gathered = Gathered::new(problem.graph(), MemoryLimit::new(memory)?);
    let memory = self::memory(memory)?.unwrap_or(MEMORY);
    expect_possible(&problem)?;
    gathered.expect(tours, "ask for fewer, or raise memory=")?;
    let control = Control::default();
    let folder = if cache { cache_folder() } else { None };
    let sampler = interruptible::run(py, &control.interrupt, || {
        let stop = || control.interrupt.load(Relaxed);
        let cache = folder.as_deref();
        let resources = Resources { threads, memory, stop: &stop, cache, ..Resources::default() };
        Sampler::new(&problem, &resources).map_err(|error| usage(message(&error)))
    })?;
    let sampler = Arc::new(sampler);
    if sampler.covers() == 0 {
        let reason = "no path and cycles cover all squares".into();
        return Err(impossible(&Finding::new("complete table", reason)));
    }
    let begun = Instant::now();
    let mut closed_ones = 0;
    let report = interruptible::run(py, &control.interrupt, || {
        let mut take = |tour: Verified<'_>| {
            closed_ones += u64::from(tour.is_closed());
            gathered.push(&tour)
        };
        TourStream { tours, seed, threads }.run(&sampler, &control, &mut take).map_err(raised)
    })?;
    let drawn = gathered.len() as u64;
    if drawn < tours {
        return Err(limit(format!(
            "only {drawn} of {tours} tours found in {} covers; try another board, or find()",
            report.stats.attempts
        )));
    }
    let seconds = begun.elapsed().as_secs_f64();
    let summary = Summary::drawn(py, seed, &report, (drawn, closed_ones), seconds);
    Ok(gathered.into_tours(Some(Py::new(py, summary)?)))
}
