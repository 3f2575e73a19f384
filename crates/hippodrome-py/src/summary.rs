//! The counts of a run.

use crate::pickling::reduced_result;
use hippodrome::lab::enumerate::{self, Enumeration, Totals};
use hippodrome::search::{Reading, Readings, RunReport, Stats, Status};
use hippodrome::uniform::NAME as UNIFORM;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

/// The counts of a run. Attempts are counted as in the papers; ``tours`` includes duplicates, ``distinct``
/// does not.
#[pyclass(module = "hippodrome", frozen, get_all)]
#[derive(FromPyObject)]
pub struct Summary {
    /// The outcome: "complete" proves that there are no more tours; "exhausted" means that the solver can
    /// find no more.
    status: String,
    solver: String,
    seed: u64,
    attempts: u64,
    tours: u64,
    /// Number of distinct tours. None for a sample, which does not detect duplicates.
    distinct: Option<u64>,
    closed: u64,
    moves: u64,
    seconds: f64,
    /// Why the run ended, if that is not obvious.
    reason: Option<String>,
    /// The solver's own measurements.
    statistics: Py<PyDict>,
    /// The counts by start square, if requested.
    by_start: Option<Py<PyDict>>,
}

fn statistics<'py>(py: Python<'py>, readings: &Readings) -> PyResult<Bound<'py, PyDict>> {
    let all = PyDict::new(py);
    for (name, reading) in readings.iter() {
        match reading {
            Reading::Count(n) => all.set_item(name, n)?,
            Reading::Spread { times, sum, min, max } => {
                let spread = PyDict::new(py);
                spread.set_item("times", times)?;
                spread.set_item("mean", sum / times as f64)?;
                spread.set_item("min", min)?;
                spread.set_item("max", max)?;
                all.set_item(name, spread)?;
            }
        }
    }
    Ok(all)
}

impl Summary {
    /// Returns a summary with the counts that all runs have.
    fn new(
        py: Python<'_>,
        solver: &str,
        seed: u64,
        status: Status,
        total: Totals,
        seconds: f64,
    ) -> Summary {
        let Totals { attempts, tours, distinct, closed, moves } = total;
        Summary {
            status: status.verdict(distinct).into(),
            solver: solver.into(),
            seed,
            attempts,
            tours,
            distinct: Some(distinct),
            closed,
            moves,
            seconds,
            reason: None,
            statistics: PyDict::new(py).unbind(),
            by_start: None,
        }
    }

    /// Returns the summary of an enumeration.
    pub fn of(
        py: Python<'_>,
        run: &Enumeration,
        summary: &enumerate::Summary,
    ) -> PyResult<Summary> {
        let name = run.choice.name();
        let reason = if summary.full {
            Some("memory for distinct tours is full; raise memory=, or store them on disk with hippodrome.plan".into())
        } else if summary.status.verdict(summary.total.distinct) == "impossible" {
            Some(format!("the complete search of solver {name} found no such tour"))
        } else if summary.bounded && summary.status == Status::Limit {
            Some(format!("{name} ends after this number of attempts"))
        } else {
            None
        };
        let by_start = run.by_start.then(|| {
            let all = PyDict::new(py);
            for (&start, tally) in &summary.by_start {
                let own = PyDict::new(py);
                own.set_item("attempts", (tally.attempts > 0).then_some(tally.attempts))?;
                own.set_item("tours", tally.tours)?;
                own.set_item("distinct", tally.distinct)?;
                own.set_item("closed", tally.closed)?;
                all.set_item(run.problem.graph().name(start), own)?;
            }
            Ok::<_, PyErr>(all.unbind())
        });
        Ok(Summary {
            reason,
            statistics: statistics(py, &summary.readings)?.unbind(),
            by_start: by_start.transpose()?,
            ..Summary::new(py, name, run.seed, summary.status, summary.total, summary.seconds)
        })
    }

    /// Returns the summary of a sample. Its attempts are covers, and duplicates are not detected.
    pub fn drawn(
        py: Python<'_>,
        seed: u64,
        report: &RunReport,
        (tours, closed): (u64, u64),
        seconds: f64,
    ) -> Summary {
        let Stats { attempts, moves, .. } = report.stats;
        let total = Totals { attempts, tours, distinct: tours, closed, moves };
        let all = Summary::new(py, UNIFORM, seed, report.status, total, seconds);
        Summary { distinct: None, ..all }
    }
}

#[pymethods]
impl Summary {
    /// Unpickles a summary from its fields.
    #[staticmethod]
    fn _of(fields: Summary) -> Summary {
        fields
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        reduced_result(slf.as_any())
    }

    fn __repr__(&self) -> String {
        format!(
            "Summary(status={:?}, solver={:?}, attempts={}, tours={}, distinct={}, closed={}, moves={}, seconds={:.3})",
            self.status,
            self.solver,
            self.attempts,
            self.tours,
            self.distinct.map_or("None".into(), |distinct| distinct.to_string()),
            self.closed,
            self.moves,
            self.seconds
        )
    }
}
