//! The function `count`, which counts tours exactly.

use crate::arguments::{Given, memory, problem, threads, word};
use crate::errors::{raised, usage};
use crate::interruptible;
use crate::pickling::reduced_result;
use hippodrome::count::{
    BigUint, By, Count as Census, CountKind, CountMonitor, Counted, EndClass, Recurrence,
};
use hippodrome::search::memory::most;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyInt, PyTuple};
use std::sync::atomic::Ordering::Relaxed;
use std::time::Instant;

/// A pair of ends, the number of pairs in its class, and the number of tours per pair.
type Ends = (String, String, u64, Py<PyAny>);

/// An exact count, with the checks that it passed.
#[pyclass(module = "hippodrome", frozen, get_all)]
#[derive(FromPyObject)]
pub struct Count {
    kind: String,
    /// Number of directed tours; for closed tours, twice the number of cycles. None for undirected kinds.
    directed: Option<Py<PyAny>>,
    /// Number of undirected tours, cycles or covers.
    undirected: Py<PyAny>,
    method: String,
    /// The checks that passed, each with its name and what it compared.
    checks: Vec<(String, String)>,
    /// Why there is no tour, if a theorem rules it out.
    reason: Option<String>,
    /// The name of that theorem.
    theorem: Option<String>,
    /// Number of undirected tours up to symmetry, if requested.
    classes: Option<Py<PyAny>>,
    /// Number of directed tours from each start square, if requested.
    by_start: Option<Py<PyDict>>,
    /// For each class of end pairs: one pair, the size of the class, and the number of undirected tours per
    /// pair.
    by_ends: Option<Vec<Ends>>,
    seconds: f64,
    peak_bytes: u64,
}

#[pymethods]
impl Count {
    /// Unpickles a count from its fields.
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

/// Converts a number to a Python integer.
fn number(py: Python<'_>, number: &BigUint) -> PyResult<Py<PyAny>> {
    let bytes = PyBytes::new(py, &number.to_bytes_le());
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
            all.set_item(name(*square), number(py, tours)?)?;
        }
        Ok::<_, PyErr>(all.unbind())
    });
    let by_ends = counted.by_ends.as_ref().map(|classes| {
        let row = |class: &EndClass| {
            let tours = number(py, &class.tours)?;
            Ok((name(class.ends[0]), name(class.ends[1]), class.pairs, tours))
        };
        classes.iter().map(row).collect::<PyResult<Vec<_>>>()
    });
    let large = |n: &Option<BigUint>| n.as_ref().map(|n| number(py, n)).transpose();
    Ok(Count {
        kind: census.kind.name().into(),
        directed: large(&counted.directed)?,
        undirected: number(py, &counted.undirected)?,
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

/// Returns the monitor of a count with a memory limit in bytes. The default is most of the available memory.
pub fn monitor(memory: Option<usize>) -> CountMonitor {
    let memory = memory.map_or_else(most, |bytes| bytes as u64);
    CountMonitor { memory, ..CountMonitor::default() }
}

/// Counts tours exactly, without listing them. The count is 0 if a theorem rules tours out.
///
/// With ``start`` or ``end``, tours are counted in one direction only, so both numbers are equal.
/// ``memory`` is a limit in bytes (default: nine tenths of the available memory).
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
                "closed=True and kind=\"{}\" conflict; leave one out",
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
    let watch = monitor(self::memory(memory)?);
    let begun = Instant::now();
    let counted = interruptible::run(py, &watch.interrupt, || {
        // This fails early if the forecast exceeds the memory limit.
        let plan = census.plan(&watch).map_err(raised)?;
        plan.forecast(&watch).map_err(raised)?;
        plan.run(&watch).map_err(raised)
    })?;
    let seconds = begun.elapsed().as_secs_f64();
    result(py, &census, &counted, seconds, watch.peak.load(Relaxed))
}

/// Finds the shortest linear recurrence that a sequence of counts satisfies, if enough terms confirm it.
///
/// Returns its coefficients, or None. The first one is the factor of the preceding term. The recurrence is
/// a conjecture: it holds for the given terms, and at least four of them were not needed to find it.
///
/// >>> import hippodrome
/// >>> hippodrome.recurrence([1, 1, 2, 3, 5, 8, 13, 21, 34])
/// [1, 1]
/// >>> tours = [hippodrome.count((3, n), closed=True).undirected for n in range(4, 102, 2)]
/// >>> hippodrome.recurrence(tours)[:4]
/// [6, 64, -200, -1000]
#[pyfunction]
pub fn recurrence<'py>(terms: Vec<Bound<'py, PyAny>>) -> PyResult<Option<Vec<Bound<'py, PyAny>>>> {
    let wrong = |term: &Bound<'py, PyAny>| {
        usage(format!("{} is not a term of a sequence; pass integers from 0", term))
    };
    let whole = |term: &Bound<'py, PyAny>| {
        let term = term.call_method0("__index__").map_err(|_| wrong(term))?;
        BigUint::parse_bytes(term.str()?.to_string().as_bytes(), 10).ok_or_else(|| wrong(&term))
    };
    let Some(first) = terms.first() else { return Ok(None) };
    let found = Recurrence::find(&terms.iter().map(whole).collect::<PyResult<Vec<_>>>()?);
    let int = first.py().get_type::<PyInt>();
    let number = |coefficient: &dyn ToString| int.call1((coefficient.to_string(),));
    found
        .map(|found| found.coefficients.iter().map(|c| number(c)).collect::<PyResult<Vec<_>>>())
        .transpose()
}
