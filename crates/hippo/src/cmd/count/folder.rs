//! Implements `hippo count --out DIR` and `--resume DIR`: a count of open tours stored in a folder.

use super::{CountResources, report};
use crate::cmd::job::{expect_unit, tell_planned, tell_unit};
use crate::fail::{DONE, Fail, LIMIT};
use crate::interrupt::Signals;
use crate::remedy::quoted_path;
use crate::trace::trace;
use crate::{OutputMode, progress};
use hippodrome::count::{Count, CountMonitor};
use hippodrome::numerals::{counted, grouped, guessed_time, in_bytes};
use hippodrome::store::{
    self, CountJob, CountJobSummary, Job, JobEvent, JobFolder, JobMonitor, StoreError, UnitState,
    complete,
};
use serde_json::json;
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

/// Creates a job folder and runs the job.
pub fn begin(
    path: &str,
    census: Count,
    resources: CountResources,
    mode: OutputMode,
) -> Result<u8, Fail> {
    let (watch, signals) = resources.watch();
    let made = CountJob::create(Path::new(path), census, &watch);
    let (folder, job) = signals.unless_stopped(made)?;
    work_on(&folder, &job, (&watch, &signals), mode)
}

/// Creates a job folder whose units a scheduler will run.
pub fn plan(
    path: &str,
    census: Count,
    resources: CountResources,
    mode: OutputMode,
) -> Result<u8, Fail> {
    let (watch, signals) = resources.watch();
    let made = CountJob::create(Path::new(path), census, &watch);
    tell_planned(path, signals.unless_stopped(made)?.1.units(), mode)
}

/// Runs `--dry-run`: prints the number of units of the job, and the memory and time it needs.
pub fn forecast(
    path: &str,
    census: Count,
    resources: CountResources,
    mode: OutputMode,
) -> Result<u8, Fail> {
    let (watch, signals) = resources.watch();
    let (units, forecast) = signals.unless_stopped(CountJob::foresee(census, &watch))?;
    let (states, bytes) = forecast.as_ref().map_or((None, None), |f| (f.states, f.bytes));
    // Every class takes about as long as the first one.
    let seconds = forecast.map_or(0.0, |f| f.seconds) * units as f64;
    let object = || {
        json!({
            "out": path, "units": units, "states": states, "bytes": bytes,
            "memory": watch.memory, "seconds": seconds,
        })
    };
    mode.print(object, || {
        let first = |bytes: u64| {
            format!("  the first takes up to {} of memory\n", in_bytes(bytes.into()))
        };
        format!(
            "would count {}, one per class of ends\n{}  about {} on {}\n  a few hundred bytes of disk per unit",
            counted(units, "unit"),
            bytes.map_or(String::new(), first),
            guessed_time(seconds),
            counted(resources.threads.get() as u64, "thread"),
        )
    })?;
    Ok(DONE)
}

/// Resumes the job in a folder.
pub fn resume(
    path: &str,
    resources: CountResources,
    confirm: bool,
    mode: OutputMode,
) -> Result<u8, Fail> {
    let (watch, signals) = resources.watch();
    let mut folder = JobFolder::open(Path::new(path))?;
    let job = CountJob::resume(&mut folder, (resources.threads.get(), confirm), &watch)?;
    work_on(&folder, &job, (&watch, &signals), mode)
}

fn work_on(
    folder: &JobFolder,
    job: &CountJob,
    (watched, signals): (&CountMonitor, &Signals),
    mode: OutputMode,
) -> Result<u8, Fail> {
    let trace = trace(mode);
    let bar = progress::Units::new(mode, job.units());
    let tell = |event: JobEvent<'_>| {
        trace(event);
        if let JobEvent::Done(_) = event {
            bar.advance();
        }
    };
    let watch = JobMonitor::new(&watched.interrupt, &tell);
    // Units run one at a time, each with all threads and all memory.
    let merged = match complete(job, folder, 1, watch) {
        Ok((_, merged)) => merged,
        Err(StoreError::Stopped) => None,
        Err(error) => return Err(error.into()),
    };
    bar.end();
    if let Some(census) = merged {
        return tell_merged(folder, job, census, watched, mode);
    }
    let done = folder.missing(job)?.done();
    let again = format!("hippo count --resume {}", quoted_path(folder.path()));
    if mode.json {
        let object = json!({
            "schema": 1, "status": "interrupted", "units": job.units(), "units_done": done,
            "seconds": watch.seconds(), "out": folder.path(), "resume": again,
        });
        writeln!(io::stdout().lock(), "{object}")?;
    }
    mode.remark(&format!(
        "interrupted after {done} of {}; nothing is lost; resume with: {again}",
        counted(job.units(), "unit"),
    ));
    Ok(signals.code())
}

/// Prints the count if it is complete.
fn tell_merged(
    folder: &JobFolder,
    job: &CountJob,
    census: CountJobSummary,
    watched: &CountMonitor,
    mode: OutputMode,
) -> Result<u8, Fail> {
    let (done, units, path) = (census.classes.len(), census.units, folder.path());
    let Some(mut whole) = census.counted else {
        mode.print(
            || json!({ "out": path, "units": units, "units_done": done, "undirected": null }),
            || format!("{}: {done} of {units} classes counted", path.display()),
        )?;
        return Ok(LIMIT);
    };
    if !mode.json {
        // The counts by ends are in the record.
        whole.by_ends = None;
    }
    report::sum_up(job.count(), &whole, census.seconds, watched.peak.load(Relaxed), mode)?;
    Ok(DONE)
}

/// Runs `hippo job run-unit` on the folder of a count.
pub fn run_unit(
    folder: &JobFolder,
    unit: u64,
    resources: CountResources,
    mode: OutputMode,
) -> Result<u8, Fail> {
    let (watched, signals) = resources.watch();
    let job = CountJob::of(folder, resources.threads.get(), &watched)?;
    expect_unit(&job, folder, unit)?;
    let tell = trace(mode);
    let watch = JobMonitor::new(&watched.interrupt, &tell);
    let work = || store::run_unit(&job, folder, unit, watch);
    let ran = progress::counting(mode, &watched, work);
    tell_unit(folder, unit, ran, ("interrupted; run the unit again", &signals), mode)
}

/// Runs `hippo job merge` on the folder of a count.
pub fn merge(
    folder: &JobFolder,
    partial: bool,
    resources: CountResources,
    mode: OutputMode,
) -> Result<u8, Fail> {
    let (watched, signals) = resources.watch();
    let job = CountJob::of(folder, resources.threads.get(), &watched)?;
    if !partial {
        folder.expect_all(&job)?;
    }
    let tell = trace(mode);
    let merged = job.merge(folder, JobMonitor::new(&watched.interrupt, &tell));
    tell_merged(folder, &job, signals.unless_stopped(merged)?, &watched, mode)
}

/// Runs `hippo job status` on the folder of a count.
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
    let object = || {
        json!({
            "out": folder.path(), "units": job.units(), "done": done,
            "damaged": damaged, "next": next, "merged": merged,
        })
    };
    mode.print(object, || {
        let (path, units) = (folder.path().display(), grouped(job.units()));
        let mut lines = vec![format!("{path}: {done} of {units} units done")];
        lines.extend(next.map(|next| format!("next: hippo job run-unit {path} {next}")));
        lines.extend((!damaged.is_empty()).then(|| format!("damaged: {damaged:?}")));
        lines.push(if merged { "merged: see record.json" } else { "not merged yet" }.into());
        lines.join("\n")
    })?;
    Ok(if next.is_none() { DONE } else { LIMIT })
}
