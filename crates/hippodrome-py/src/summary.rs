//! What a run counted.

use hippodrome::lab::enumerate::{self, Enumeration, Totals};
use hippodrome::search::{Reading, Readings, Status};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

/// What a run counted: attempts as the papers do, tours with repeats, distinct ones without.
#[pyclass(module = "hippodrome", frozen, get_all)]
pub struct Summary {
    /// Complete: a proof that there are no more. Exhausted: the method sees no more.
    status: String,
    solver: String,
    seed: u64,
    attempts: u64,
    tours: u64,
    /// None for a sample, where repeats are not looked for.
    distinct: Option<u64>,
    closed: u64,
    moves: u64,
    seconds: f64,
    /// Why it ended, where there is something to say.
    reason: Option<String>,
    /// What the solver measured of itself.
    statistics: Py<PyDict>,
    /// The same counts for each start square, if asked for.
    by_start: Option<Py<PyDict>>,
}

/// All of a summary, in order.
type Fields = (
    String,
    String,
    u64,
    u64,
    u64,
    Option<u64>,
    u64,
    u64,
    f64,
    Option<String>,
    Py<PyDict>,
    Option<Py<PyDict>>,
);

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
    /// What an enumeration counted.
    pub fn of(
        py: Python<'_>,
        run: &Enumeration,
        summary: &enumerate::Summary,
    ) -> PyResult<Summary> {
        let Totals { attempts, tours, distinct, closed, moves } = summary.total;
        let status = summary.status.verdict(distinct);
        let reason = if summary.full {
            Some("memory for distinct tours is full; give more with memory, or keep them on disk with hippodrome.plan".into())
        } else if status == "impossible" {
            Some(format!(
                "solver {} has searched everything and there is no such tour",
                run.choice.name()
            ))
        } else if summary.bounded && summary.status == Status::Limit {
            Some(format!("{} ends by itself after so many attempts", run.choice.name()))
        } else {
            None
        };
        let graph = run.problem.graph();
        let by_start = run.by_start.then(|| {
            let all = PyDict::new(py);
            for (&start, tally) in &summary.by_start {
                let own = PyDict::new(py);
                own.set_item("attempts", (tally.attempts > 0).then_some(tally.attempts))?;
                own.set_item("tours", tally.tours)?;
                own.set_item("distinct", tally.distinct)?;
                own.set_item("closed", tally.closed)?;
                all.set_item(graph.name(start), own)?;
            }
            Ok::<_, PyErr>(all.unbind())
        });
        Ok(Summary {
            status: status.into(),
            solver: run.choice.name().into(),
            seed: run.seed,
            attempts,
            tours,
            distinct: Some(distinct),
            closed,
            moves,
            seconds: summary.seconds,
            reason,
            statistics: statistics(py, &summary.readings)?.unbind(),
            by_start: by_start.transpose()?,
        })
    }

    /// What was drawn: covers are the attempts, and repeats are not looked for.
    pub fn drawn(
        py: Python<'_>,
        seed: u64,
        report: &hippodrome::search::RunReport,
        (tours, closed): (u64, u64),
        seconds: f64,
    ) -> Summary {
        Summary {
            status: report.status.verdict(tours).into(),
            solver: "uniform".into(),
            seed,
            attempts: report.stats.attempts,
            tours,
            distinct: None,
            closed,
            moves: report.stats.moves,
            seconds,
            reason: None,
            statistics: PyDict::new(py).unbind(),
            by_start: None,
        }
    }
}

#[pymethods]
impl Summary {
    /// A summary of its fields, as pickle keeps it.
    #[staticmethod]
    fn _of(fields: Fields) -> Summary {
        Summary {
            status: fields.0,
            solver: fields.1,
            seed: fields.2,
            attempts: fields.3,
            tours: fields.4,
            distinct: fields.5,
            closed: fields.6,
            moves: fields.7,
            seconds: fields.8,
            reason: fields.9,
            statistics: fields.10,
            by_start: fields.11,
        }
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let make = py.import("hippodrome._pickling")?.getattr("summary")?;
        let by_start = self.by_start.as_ref().map(|all| all.clone_ref(py));
        let fields: Fields = (
            self.status.clone(),
            self.solver.clone(),
            self.seed,
            self.attempts,
            self.tours,
            self.distinct,
            self.closed,
            self.moves,
            self.seconds,
            self.reason.clone(),
            self.statistics.clone_ref(py),
            by_start,
        );
        (make, fields).into_pyobject(py)
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
