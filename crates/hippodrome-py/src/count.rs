//! `count`: exactly how many tours there are.

use crate::arguments::{Given, memory, problem, threads, word};
use crate::errors::{raised, usage};
use crate::interruptible;
use crate::pickling::reduced_result;
use hippodrome::count::{By, Count as Census, CountKind, CountMonitor, Counted};
use hippodrome::search::memory::most;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyInt, PyTuple};
use std::sync::atomic::Ordering::Relaxed;
use std::time::Instant;

/// Two ends, the pairs like them, and the tours of a pair.
type Ends = (String, String, u64, Py<PyAny>);

/// An exact count and what it was checked against.
#[pyclass(module = "hippodrome", frozen, get_all)]
#[derive(FromPyObject)]
pub struct Count {
    kind: String,
    /// Directed tours; for closed ones twice the cycles. None for kinds without a direction.
    directed: Option<Py<PyAny>>,
    /// Undirected tours, cycles or covers.
    undirected: Py<PyAny>,
    method: String,
    /// What the count agrees with: kind of check, and what was compared.
    checks: Vec<(String, String)>,
    /// Why there is none, if that is known without counting.
    reason: Option<String>,
    /// The name of the theorem that says so.
    theorem: Option<String>,
    /// Undirected tours up to symmetry, if asked for.
    classes: Option<Py<PyAny>>,
    /// Directed tours from each square, if asked for.
    by_start: Option<Py<PyDict>>,
    /// For each class of ends: two of them, the pairs like them, the undirected tours of a pair.
    by_ends: Option<Vec<Ends>>,
    seconds: f64,
    peak_bytes: u64,
}

#[pymethods]
impl Count {
    /// A count of its fields, as pickle keeps it.
    #[staticmethod]
    fn _of(fields: Count) -> Count {
        fields
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        reduced_result(slf.as_any())
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let directed = self.directed.as_ref().map_or("None".into(), |n| n.to_string());
        let undirected = self.undirected.bind(py).str()?;
        Ok(format!("Count(kind={:?}, directed={directed}, undirected={undirected})", self.kind))
    }
}

/// A number of any size.
pub fn number(py: Python<'_>, bytes: &[u8]) -> PyResult<Py<PyAny>> {
    let bytes = PyBytes::new(py, bytes);
    Ok(py.get_type::<PyInt>().call_method1("from_bytes", (bytes, "little"))?.unbind())
}

fn result(
    py: Python<'_>,
    census: &Census,
    counted: &Counted,
    seconds: f64,
    peak_bytes: u64,
) -> PyResult<Count> {
    let name = |square| census.graph.name(square);
    let by_start = counted.by_start.as_ref().map(|rows| {
        let all = PyDict::new(py);
        for (square, tours) in rows {
            all.set_item(name(*square), number(py, &tours.to_bytes_le())?)?;
        }
        Ok::<_, PyErr>(all.unbind())
    });
    let by_ends = counted.by_ends.as_ref().map(|classes| {
        let row = |class: &hippodrome::count::EndClass| {
            let tours = number(py, &class.tours.to_bytes_le())?;
            Ok((name(class.ends[0]), name(class.ends[1]), class.pairs, tours))
        };
        classes.iter().map(row).collect::<PyResult<Vec<_>>>()
    });
    let large = |n: &Option<_>| -> PyResult<Option<Py<PyAny>>> {
        n.as_ref().map(|n: &hippodrome::count::BigUint| number(py, &n.to_bytes_le())).transpose()
    };
    Ok(Count {
        kind: census.kind.name().into(),
        directed: large(&counted.directed)?,
        undirected: number(py, &counted.undirected.to_bytes_le())?,
        method: counted.method.into(),
        checks: counted.checks.iter().map(|c| (c.name.to_string(), c.detail.clone())).collect(),
        reason: counted.reason.as_ref().map(|finding| finding.reason.clone()),
        theorem: counted.reason.as_ref().map(|finding| finding.theorem.into()),
        classes: large(&counted.classes)?,
        by_start: by_start.transpose()?,
        by_ends: by_ends.transpose()?,
        seconds,
        peak_bytes,
    })
}

/// Bytes that a count may take: as given, or most of what is available.
pub fn allowed(memory: Option<usize>) -> u64 {
    memory.map_or_else(most, |bytes| bytes as u64)
}

/// Exactly how many tours there are, without listing them. An impossible board has none. With a given
/// end, tours are counted from it, so that they are as many directed as undirected. ``memory`` bounds
/// what is held, in bytes; nine tenths of what is available unless told.
///
/// >>> import hippodrome
/// >>> hippodrome.count("5x6")
/// Count(kind="open", directed=37568, undirected=18784)
/// >>> hippodrome.count("5x5", closed=True).theorem
/// 'Schwenk 1991'
#[pyfunction]
#[pyo3(signature = (board, *, closed=false, start=None, end=None, kind=None, by=None, classes=false,
    confirm=false, threads=None, memory=None))]
#[expect(clippy::too_many_arguments, reason = "they are the keywords of the call")]
pub fn count(
    py: Python<'_>,
    board: &Bound<'_, PyAny>,
    closed: bool,
    start: Given<'_, '_>,
    end: Given<'_, '_>,
    kind: Option<&str>,
    by: Option<&str>,
    classes: bool,
    confirm: bool,
    threads: Given<'_, '_>,
    memory: Given<'_, '_>,
) -> PyResult<Count> {
    let problem = problem(board, closed, start, end)?;
    let kind = kind.map(|kind| word("kind", kind, CountKind::CHOICES)).transpose()?;
    let kind = match (kind, closed) {
        (None, true) => CountKind::Closed,
        (None, false) => CountKind::Open,
        (Some(kind), closed) if !closed || kind == CountKind::Closed => kind,
        (Some(kind), _) => {
            return Err(usage(format!(
                "closed=True and kind=\"{}\" do not go together; leave one out",
                kind.name()
            )));
        }
    };
    let rows = &[("start", By::Start, "The first square"), ("ends", By::Ends, "Both ends")];
    let census = Census {
        start: problem.start(),
        end: problem.end(),
        by: by.map(|by| word("by", by, rows)).transpose()?,
        classes,
        confirm,
        threads: self::threads(threads)?,
        ..Census::new(problem.graph().clone(), kind)
    };
    let watch = CountMonitor { memory: allowed(self::memory(memory)?), ..CountMonitor::default() };
    let begun = Instant::now();
    let counted = interruptible::run(py, &watch.interrupt, || {
        // What does not fit is mostly known before it is tried.
        let plan = census.plan(&watch)?;
        plan.forecast(&watch)?;
        plan.run(&watch)
    })?;
    let counted = counted.map_err(raised)?;
    let seconds = begun.elapsed().as_secs_f64();
    result(py, &census, &counted, seconds, watch.peak.load(Relaxed))
}
