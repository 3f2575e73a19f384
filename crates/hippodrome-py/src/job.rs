//! Job folders, for any scheduler: planning, units, merging and progress.

use crate::arguments::{
    Given, budget, choice, ground, memory, needed, problem, seed, threads, word,
};
use crate::count::monitor;
use crate::errors::{expect_possible, raised, storing, usage};
use crate::interruptible;
use crate::search::settled;
use crate::work::{StepLimits, Work};
use hippodrome::count::{Count, CountKind};
use hippodrome::lab::enumerate::{Enumeration, TourFilter};
use hippodrome::search::Control;
use hippodrome::search::memory::share;
use hippodrome::store::{
    CountJob, EnumerationJob, Identity, Job as _, JobFolder, JobMonitor, PARTS, StoreError,
    encode_part, merge_part,
};
use hippodrome::tour::Distinct;
use hippodrome::uniform::cache_folder;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyInt, PyTuple};
use serde_json::{Value, json};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A prepared job. All units that run in a process share its tables.
struct CachedJob {
    path: PathBuf,
    identity: Identity,
    plan: Value,
    limits: StepLimits,
    work: Work,
}

static LAST: Mutex<Option<Arc<CachedJob>>> = Mutex::new(None);

/// Prepares the job in a folder, or returns the cached one.
fn ready(folder: &JobFolder, limits: StepLimits) -> Result<Arc<CachedJob>, StoreError> {
    let mut last = LAST.lock().unwrap_or_else(PoisonError::into_inner);
    let fits = |there: &&Arc<CachedJob>| {
        there.path == folder.path()
            && there.identity == *folder.identity()
            && there.plan == *folder.plan()
            && there.limits == limits
            && !there.work.stop().load(Relaxed)
    };
    if let Some(there) = last.as_ref().filter(fits) {
        return Ok(there.clone());
    }
    let made = Arc::new(CachedJob {
        path: folder.path().into(),
        identity: folder.identity().clone(),
        plan: folder.plan().clone(),
        limits,
        work: Work::of(folder, limits)?,
    });
    *last = Some(made.clone());
    Ok(made)
}

/// A job folder. Its numbered units are independent, can be killed or rerun at any time, and are merged at
/// the end.
///
/// >>> import hippodrome, tempfile
/// >>> job = hippodrome.plan(tempfile.mkdtemp(), "5x5", solver="exact", all=True)
/// >>> for unit in job.missing():
/// ...     _ = job.run_unit(unit)
/// >>> job.merge()["distinct"]
/// 1728
/// >>> len(hippodrome.read_tours(job.path))
/// 1728
#[pyclass(module = "hippodrome", frozen)]
pub struct Job {
    path: PathBuf,
    kind: String,
    identity: String,
    work: Work,
}

impl Job {
    /// Merges or encodes one part of the tours.
    fn run_part(
        &self,
        py: Python<'_>,
        work: fn(&EnumerationJob, &JobFolder, usize, JobMonitor<'_>) -> Result<bool, StoreError>,
        part: &Bound<'_, PyAny>,
        memory: Given<'_, '_>,
    ) -> PyResult<bool> {
        let part = needed("part", part, 0)? as usize;
        let limits = StepLimits { threads: 1, memory: self::memory(memory)? };
        let folder = JobFolder::share(&self.path).map_err(storing)?;
        let ready = py.detach(|| ready(&folder, limits)).map_err(storing)?;
        let Work::EnumerationJob(job, control) = &ready.work else {
            return Err(usage("a count has no parts; call merge()"));
        };
        let watch = JobMonitor::new(&control.interrupt, &|_| {});
        interruptible::run(py, &control.interrupt, || {
            work(job, &folder, part, watch).map_err(storing)
        })
    }
}

#[pymethods]
impl Job {
    #[new]
    fn new(path: PathBuf) -> PyResult<Job> {
        // The path is absolute, because the working directory may change and unpickling may happen elsewhere.
        let path = std::path::absolute(path)?;
        let folder = JobFolder::look(&path).map_err(storing)?;
        let work = Work::of(&folder, StepLimits::NONE).map_err(storing)?;
        if work.units() == u64::MAX {
            return Err(usage(format!(
                "{} has no last unit; plan the job with attempts or moves",
                path.display()
            )));
        }
        let identity = Value::Object(folder.identity().clone()).to_string();
        Ok(Job { path, kind: folder.kind().into(), identity, work })
    }

    #[getter]
    fn path(&self) -> PathBuf {
        self.path.clone()
    }

    #[getter]
    fn kind(&self) -> &str {
        &self.kind
    }

    /// Number of units.
    #[getter]
    fn units(&self) -> u64 {
        self.work.units()
    }

    /// Number of parts that can be merged independently; 0 if the job has no parts.
    #[getter]
    fn parts(&self) -> usize {
        if matches!(self.work, Work::EnumerationJob(..)) { PARTS } else { 0 }
    }

    /// The settings that identify the job.
    #[getter]
    fn identity<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        loaded(py, &self.identity)
    }

    /// Returns the numbers of the units that are not done.
    fn missing(&self, py: Python<'_>) -> PyResult<Vec<u64>> {
        let missing = py.detach(|| self.work.missing(&JobFolder::look(&self.path)?));
        Ok(missing.map_err(storing)?.iter().collect())
    }

    /// Runs a unit, unless its result exists. Returns False if the unit was interrupted.
    ///
    /// ``threads`` applies to counts; a unit of an enumeration uses one thread.
    #[pyo3(signature = (unit, *, threads=None, memory=None))]
    fn run_unit(
        &self,
        py: Python<'_>,
        unit: &Bound<'_, PyAny>,
        threads: Given<'_, '_>,
        memory: Given<'_, '_>,
    ) -> PyResult<bool> {
        let threads = threads.map_or(Ok(1), |given| self::threads(Some(given)))?;
        let limits = StepLimits { threads, memory: self::memory(memory)? };
        let unit = unit_of(unit, &self.path, self.units())?;
        let folder = JobFolder::share(&self.path).map_err(storing)?;
        let ready = py.detach(|| ready(&folder, limits)).map_err(storing)?;
        let work = &ready.work;
        interruptible::run(py, work.stop(), || work.run_unit(&folder, unit).map_err(storing))
    }

    /// Merges one part of the tours from all units, unless that has been done.
    #[pyo3(signature = (part, *, memory=None))]
    fn merge_part(
        &self,
        py: Python<'_>,
        part: &Bound<'_, PyAny>,
        memory: Given<'_, '_>,
    ) -> PyResult<bool> {
        self.run_part(py, merge_part, part, memory)
    }

    /// Encodes the rows that begin in one part, unless that has been done. All parts must have been merged.
    #[pyo3(signature = (part, *, memory=None))]
    fn encode_part(
        &self,
        py: Python<'_>,
        part: &Bound<'_, PyAny>,
        memory: Given<'_, '_>,
    ) -> PyResult<bool> {
        self.run_part(py, encode_part, part, memory)
    }

    /// Merges the results of all units. No other process may use the folder at the same time.
    #[pyo3(signature = (*, partial=false, threads=None, memory=None, seconds=None))]
    fn merge<'py>(
        &self,
        py: Python<'py>,
        partial: bool,
        threads: Given<'_, '_>,
        memory: Given<'_, '_>,
        seconds: Option<f64>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let limits = StepLimits { threads: self::threads(threads)?, memory: self::memory(memory)? };
        let folder = JobFolder::open(&self.path).map_err(storing)?;
        let work = py.detach(|| Work::of(&folder, limits)).map_err(storing)?;
        let mut summary = interruptible::run(py, work.stop(), || {
            if !partial {
                work.expect_all(&folder).map_err(storing)?;
            }
            let watch = JobMonitor::new(work.stop(), &|_| {}).taking(seconds);
            match &work {
                Work::EnumerationJob(job, _) => {
                    Ok(json!(job.merge(&folder, watch).map_err(storing)?))
                }
                Work::CountJob(job, watched) => {
                    let merged = job.merge(&folder, watch).map_err(storing)?;
                    Ok(merged.describe(job, watched.peak.load(Relaxed)))
                }
            }
        })?;
        summary["out"] = self.path.display().to_string().into();
        let result = loaded(py, &summary.to_string())?.cast_into::<PyDict>()?;
        for name in ["directed", "undirected"] {
            if let Some(digits) = summary[name].as_str() {
                result.set_item(name, py.get_type::<PyInt>().call1((digits,))?)?;
            }
        }
        Ok(result)
    }

    /// Returns the progress of the job.
    fn status<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let looked = py.detach(|| {
            let folder = JobFolder::look(&self.path)?;
            let left = self.work.missing(&folder)?;
            let (counted, file) = match &self.work {
                Work::EnumerationJob(job, _) => (Some(job.counted(&folder)?), "tours.parquet"),
                Work::CountJob(..) => (None, "record.json"),
            };
            Ok((left, counted, self.path.join(file).exists()))
        });
        let (left, counted, merged) = looked.map_err(storing)?;
        let result = PyDict::new(py);
        result.set_item("kind", &self.kind)?;
        result.set_item("units", self.units())?;
        result.set_item("done", left.done())?;
        result.set_item("next", left.first())?;
        result.set_item("merged", merged)?;
        if let Some((stats, keys)) = counted {
            result.set_item("attempts", stats.attempts)?;
            result.set_item("tours", stats.tours)?;
            result.set_item("keys", keys)?;
        }
        Ok(result)
    }

    /// Raises an exception if a unit of a count is predicted to need far more memory than this limit.
    #[pyo3(signature = (memory=None))]
    fn _foresee(&self, py: Python<'_>, memory: Given<'_, '_>) -> PyResult<()> {
        if let Work::CountJob(job, _) = &self.work {
            let count = job.count().clone();
            let watch = Arc::new(monitor(self::memory(memory)?));
            interruptible::run(py, &watch.interrupt, || {
                CountJob::foresee(count, &watch).map(drop).map_err(storing)
            })?;
        }
        Ok(())
    }

    /// Returns the path of the folder, so that a job can be used as a path.
    fn __fspath__(&self) -> OsString {
        self.path.clone().into_os_string()
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        (slf.get_type(), (slf.get().path.clone(),)).into_pyobject(slf.py())
    }

    fn __repr__(&self) -> String {
        format!("Job({:?}: {}, {} units)", self.path.display().to_string(), self.kind, self.units())
    }
}

/// Converts the number of a unit, which must be less than `units`.
fn unit_of(given: &Bound<'_, PyAny>, path: &Path, units: u64) -> PyResult<u64> {
    let unit = needed("unit", given, 0)?;
    if unit < units {
        return Ok(unit);
    }
    let (path, last) = (path.display().to_string(), units.saturating_sub(1));
    Err(storing(StoreError::NoUnit { path, unit, last }))
}

/// Parses JSON with Python's parser.
fn loaded<'py>(py: Python<'py>, json: &str) -> PyResult<Bound<'py, PyAny>> {
    py.import("json")?.call_method1("loads", (json,))
}

/// Running totals over the units that are done.
///
/// >>> import hippodrome, tempfile
/// >>> job = hippodrome.plan(tempfile.mkdtemp(), "5x5", all=True)
/// >>> progress = hippodrome.Progress(job.path)
/// >>> for unit in job.missing():
/// ...     _ = job.run_unit(unit), progress.add(unit)
/// >>> progress.done == job.units, progress.tours
/// (True, 1728)
#[pyclass(module = "hippodrome", frozen)]
pub struct Progress {
    folder: JobFolder,
    work: Work,
    done: Mutex<u64>,
}

impl Progress {
    /// Reads a counter of an enumeration. Returns 0 for a count.
    fn counted(&self, read: impl Fn(&EnumerationJob, &Control) -> u64) -> u64 {
        match &self.work {
            Work::EnumerationJob(job, control) => read(job, control),
            Work::CountJob(..) => 0,
        }
    }

    fn units_done(&self) -> MutexGuard<'_, u64> {
        self.done.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[pymethods]
impl Progress {
    #[new]
    fn new(path: PathBuf) -> PyResult<Progress> {
        let folder = JobFolder::look(&path).map_err(storing)?;
        let work = Work::of(&folder, StepLimits::NONE).map_err(storing)?;
        Ok(Progress { folder, work, done: Mutex::new(0) })
    }

    fn add(&self, py: Python<'_>, unit: &Bound<'_, PyAny>) -> PyResult<bool> {
        let unit = unit_of(unit, self.folder.path(), self.work.units())?;
        let done = py.detach(|| self.work.recall(&self.folder, unit)).map_err(storing)?;
        *self.units_done() += u64::from(done);
        Ok(done)
    }

    #[getter]
    fn done(&self) -> u64 {
        *self.units_done()
    }

    #[getter]
    fn attempts(&self) -> u64 {
        self.counted(|_, control| control.attempts.load(Relaxed))
    }

    #[getter]
    fn tours(&self) -> u64 {
        self.counted(|_, control| control.tours.load(Relaxed))
    }

    /// Estimated number of distinct tours.
    #[getter]
    fn distinct(&self) -> u64 {
        self.counted(|job, _| job.distinct_so_far())
    }
}

/// Creates a job folder for an enumeration. Its units can run on any machine.
///
/// >>> import hippodrome, tempfile
/// >>> hippodrome.plan(tempfile.mkdtemp(), "6x6", solver="mace", attempts=1_000_000, seed=3).units > 1
/// True
#[pyfunction]
#[pyo3(signature = (path, board, *, solver="exact", params=None, closed=false, start=None, end=None,
    all=false, attempts=None, attempts_per_start=None, moves=None, seed=None, distinct="directed",
    r#where=None))]
#[expect(clippy::too_many_arguments, reason = "they are the keywords of the call")]
pub fn plan(
    path: PathBuf,
    board: &Bound<'_, PyAny>,
    solver: &str,
    params: Given<'_, '_>,
    closed: bool,
    start: Given<'_, '_>,
    end: Given<'_, '_>,
    all: bool,
    attempts: Given<'_, '_>,
    attempts_per_start: Given<'_, '_>,
    moves: Given<'_, '_>,
    seed: Given<'_, '_>,
    distinct: &str,
    r#where: Option<&str>,
) -> PyResult<Job> {
    let run = settled(Enumeration {
        seed: self::seed(seed)?,
        budget: budget([attempts, attempts_per_start, None, moves], None)?,
        distinct: word("distinct", distinct, Distinct::CHOICES)?,
        keep: r#where.map(|keep| word("where", keep, TourFilter::CHOICES)).transpose()?,
        memory: share(),
        tables: cache_folder(),
        all,
        ..Enumeration::new(problem(board, closed, start, end)?, choice(solver, params)?)
    })?;
    expect_possible(&run.problem)?;
    if run.units(u64::MAX).map_err(raised)?.is_none() {
        return Err(usage("the job has no last unit; pass attempts or moves"));
    }
    EnumerationJob::create(&path, run, &Arc::<Control>::default()).map_err(storing)?;
    Job::new(path)
}

/// Creates a job folder for a count of open tours, with one unit per class of end pairs.
///
/// Raises ``OutOfMemory`` if the first unit needs more than ``memory`` bytes (default: nine tenths of the
/// available memory).
///
/// >>> import hippodrome, tempfile
/// >>> job = hippodrome.plan_count(tempfile.mkdtemp(), "5x5")
/// >>> all(job.run_unit(unit) for unit in job.missing())
/// True
/// >>> job.merge()["directed"]
/// 1728
#[pyfunction]
#[pyo3(signature = (path, board, *, confirm=false, memory=None))]
pub fn plan_count(
    py: Python<'_>,
    path: PathBuf,
    board: &Bound<'_, PyAny>,
    confirm: bool,
    memory: Given<'_, '_>,
) -> PyResult<Job> {
    let count = Count { confirm, ..Count::new(ground(board)?, CountKind::Open) };
    let watch = Arc::new(monitor(self::memory(memory)?));
    interruptible::run(py, &watch.interrupt, || {
        CountJob::create(&path, count, &watch).map(drop).map_err(storing)
    })?;
    Job::new(path)
}
