//! `hippo count --out DIR` and `--resume DIR`: a count of open tours kept in a folder.

use super::report;
use crate::cmd::job::planned;
use crate::fail::{DONE, Fail, LIMIT};
use crate::interrupt::Signals;
use crate::trace::Trace;
use crate::{OutputMode, progress};
use hippodrome::count::{Count, CountMonitor};
use hippodrome::numerals::{counted, grouped_digits, guessed_time, in_bytes};
use hippodrome::search::{cores, memory};
use hippodrome::store::{
    CountJob, CountJobSummary, Job, JobEvent, JobFolder, JobMonitor, StoreError, UnitState,
    complete, run_unit as run_one,
};
use serde_json::json;
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

/// What a count may use.
#[derive(Clone, Copy)]
pub struct Means {
    /// Bytes of memory, if given.
    pub memory: Option<usize>,
    /// Threads, if given.
    pub threads: Option<u64>,
}

impl Means {
    /// Bytes: as given, or most of what is available.
    pub fn memory(self) -> u64 {
        self.memory.map_or_else(memory::most, |bytes| bytes as u64)
    }

    /// Threads: as given, or all cores.
    pub fn threads(self) -> usize {
        self.threads.map_or_else(cores, |n| n as usize)
    }

    fn watch(self) -> Arc<CountMonitor> {
        Arc::new(CountMonitor { memory: self.memory(), ..CountMonitor::default() })
    }
}

/// Makes a folder and runs its job.
pub fn begin(path: &str, census: Count, means: Means, mode: OutputMode) -> Result<u8, Fail> {
    let watch = means.watch();
    let signals = Signals::set(&watch.interrupt);
    match CountJob::create(Path::new(path), census, &watch) {
        Ok((folder, job)) => work_on(&folder, &job, (&watch, &signals), mode),
        Err(StoreError::Stopped) => Ok(signals.code()),
        Err(error) => Err(error.into()),
    }
}

/// Makes a folder, for a scheduler to run its units.
pub fn plan(path: &str, census: Count, means: Means, mode: OutputMode) -> Result<u8, Fail> {
    let watch = means.watch();
    let signals = Signals::set(&watch.interrupt);
    let job = match CountJob::create(Path::new(path), census, &watch) {
        Err(StoreError::Stopped) => return Ok(signals.code()),
        made => made?.1,
    };
    let mut out = io::stdout().lock();
    if mode.json {
        writeln!(out, "{}", json!({ "schema": 1, "out": path, "units": job.units() }))?;
    } else {
        writeln!(out, "{}", planned(path, job.units()))?;
    }
    Ok(DONE)
}

/// `--dry-run`: what the job would take.
pub fn foretell(path: &str, census: Count, means: Means, mode: OutputMode) -> Result<u8, Fail> {
    let watch = means.watch();
    let signals = Signals::set(&watch.interrupt);
    let (units, forecast) = match CountJob::foresee(census, &watch) {
        Err(StoreError::Stopped) => return Ok(signals.code()),
        foreseen => foreseen?,
    };
    let (states, bytes) = forecast.as_ref().map_or((None, None), |f| (f.states, f.bytes));
    // Classes take as long as the first, more or less.
    let seconds = forecast.map_or(0.0, |f| f.seconds) * units as f64;
    let mut out = io::stdout().lock();
    if mode.json {
        let object = json!({
            "schema": 1, "out": path, "units": units, "states": states, "bytes": bytes,
            "memory": watch.memory, "seconds": seconds,
        });
        writeln!(out, "{object}")?;
    } else {
        writeln!(out, "would count {}, a class of ends each", counted(units, "unit"))?;
        if let Some(bytes) = bytes {
            writeln!(out, "  the first takes up to {} of memory", in_bytes(bytes.into()))?;
        }
        let threads = counted(means.threads() as u64, "thread");
        writeln!(out, "  {} on {threads}, as a guess", guessed_time(seconds))?;
        writeln!(out, "  some hundred bytes of disk a unit")?;
    }
    Ok(DONE)
}

/// Goes on with the job of a folder.
pub fn go_on(path: &str, means: Means, confirm: bool, mode: OutputMode) -> Result<u8, Fail> {
    let watch = means.watch();
    let signals = Signals::set(&watch.interrupt);
    let mut folder = JobFolder::open(Path::new(path))?;
    let job = CountJob::resume(&mut folder, (means.threads(), confirm), &watch)?;
    work_on(&folder, &job, (&watch, &signals), mode)
}

/// The command that goes on with a folder.
fn resume_command(folder: &JobFolder) -> String {
    format!("hippo count --resume {}", crate::remedy::quoted(folder.path()))
}

fn work_on(
    folder: &JobFolder,
    job: &CountJob,
    (watched, signals): (&CountMonitor, &Signals),
    mode: OutputMode,
) -> Result<u8, Fail> {
    let trace = Trace::new(mode);
    let bar = progress::Units::new(mode, job.units());
    let tell = |event: JobEvent<'_>| {
        trace.tell(event);
        if let JobEvent::Done(_) = event {
            bar.advance();
        }
    };
    let watch = JobMonitor::new(&watched.interrupt, &tell);
    // Each unit has all threads and all memory.
    let merged = match complete(job, folder, 1, watch) {
        Ok((_, merged)) => merged,
        Err(StoreError::Stopped) => None,
        Err(error) => return Err(error.into()),
    };
    bar.end();
    match merged {
        Some(census) => tell_merged(folder, job, census, watched, mode),
        None => {
            let (done, again) = (folder.missing(job)?.done(), resume_command(folder));
            if mode.json {
                let object = json!({
                    "schema": 1, "status": "interrupted", "units": job.units(), "units_done": done,
                    "seconds": watch.seconds(), "out": folder.path(), "resume": again,
                });
                writeln!(io::stdout().lock(), "{object}")?;
            }
            mode.remark(&format!(
                "interrupted after {done} of {}; nothing of these is lost; go on with: {again}",
                counted(job.units(), "unit"),
            ));
            Ok(signals.code())
        }
    }
}

/// Tells the count, if it is whole.
fn tell_merged(
    folder: &JobFolder,
    job: &CountJob,
    census: CountJobSummary,
    watched: &CountMonitor,
    mode: OutputMode,
) -> Result<u8, Fail> {
    let (done, path) = (census.classes.len(), folder.path());
    let Some(mut whole) = census.counted else {
        if mode.json {
            let object = json!({
                "schema": 1, "out": path, "units": census.units, "units_done": done,
                "undirected": null,
            });
            writeln!(io::stdout().lock(), "{object}")?;
        } else {
            let path = path.display();
            writeln!(io::stdout().lock(), "{path}: {done} of {} classes counted", census.units)?;
        }
        return Ok(LIMIT);
    };
    if !mode.json {
        // They are in the record.
        whole.by_ends = None;
    }
    report::sum_up(job.count(), &whole, census.seconds, watched.peak.load(Relaxed), mode)?;
    Ok(DONE)
}

/// `hippo job run-unit` on such a folder.
pub fn run_unit(folder: &JobFolder, unit: u64, means: Means, mode: OutputMode) -> Result<u8, Fail> {
    let watched = means.watch();
    let signals = Signals::set(&watched.interrupt);
    let job = CountJob::of(folder, means.threads(), &watched)?;
    if unit >= job.units() {
        let (path, last) = (folder.path().display().to_string(), job.units().saturating_sub(1));
        return Err(StoreError::NoUnit { path, unit, last }.into());
    }
    let trace = Trace::new(mode);
    let tell = |event: JobEvent<'_>| trace.tell(event);
    let watch = JobMonitor::new(&watched.interrupt, &tell);
    let whole = match progress::counting(mode, &watched, || run_one(&job, folder, unit, watch)) {
        Err(StoreError::Stopped) => false,
        whole => whole?,
    };
    if mode.json {
        let object = json!({ "schema": 1, "out": folder.path(), "unit": unit, "done": whole });
        writeln!(io::stdout().lock(), "{object}")?;
    }
    if !whole {
        mode.remark("interrupted; the unit is to be run again");
        return Ok(signals.code());
    }
    Ok(DONE)
}

/// `hippo job merge` on such a folder.
pub fn merge(
    folder: &JobFolder,
    partial: bool,
    means: Means,
    mode: OutputMode,
) -> Result<u8, Fail> {
    let watched = means.watch();
    let signals = Signals::set(&watched.interrupt);
    let job = CountJob::of(folder, means.threads(), &watched)?;
    if !partial {
        folder.expect_all(&job)?;
    }
    let trace = Trace::new(mode);
    let tell = |event: JobEvent<'_>| trace.tell(event);
    match job.merge(folder, JobMonitor::new(&watched.interrupt, &tell)) {
        Err(StoreError::Stopped) => Ok(signals.code()),
        census => tell_merged(folder, &job, census?, &watched, mode),
    }
}

/// `hippo job status` on such a folder.
pub fn status(folder: &JobFolder, mode: OutputMode) -> Result<u8, Fail> {
    let watched = Arc::<CountMonitor>::default();
    let job = CountJob::of(folder, 1, &watched)?;
    let missing = folder.missing(&job)?;
    let (done, next) = (missing.done(), missing.first());
    let merged = folder.path().join("record.json").exists();
    let damaged: Vec<u64> = folder
        .results(&job, JobMonitor::silent())?
        .into_iter()
        .filter_map(|(unit, state)| matches!(state, UnitState::Damaged(_)).then_some(unit))
        .collect();
    let mut out = io::stdout().lock();
    if mode.json {
        let object = json!({
            "schema": 1, "out": folder.path(), "units": job.units(), "done": done,
            "damaged": damaged, "next": next, "merged": merged,
        });
        writeln!(out, "{object}")?;
    } else {
        let path = folder.path().display();
        let units = grouped_digits(&job.units().to_string());
        writeln!(out, "{path}: {done} of {units} units done")?;
        if let Some(next) = next {
            writeln!(out, "next: hippo job run-unit {path} {next}")?;
        }
        if !damaged.is_empty() {
            writeln!(out, "damaged: {damaged:?}")?;
        }
        writeln!(
            out,
            "{}",
            if merged { "merged: record.json is there" } else { "not merged yet" }
        )?;
    }
    Ok(if next.is_none() { DONE } else { LIMIT })
}
