//! What a job is, and how its missing units are run on this machine.

use super::StoreError;
use super::folder::{Identity, JobFolder, State};
use super::sealed::SealedWriter;
use serde_json::{Value, json};
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

/// A list of numbered, independent, idempotent units, and a way to merge their results. An
/// enumeration is one, a count may be; nothing here knows a solver.
pub trait Job: Sync {
    /// What merging gives.
    type Summary;

    /// What kind of job it is, in a word.
    fn kind(&self) -> &'static str;

    /// What identifies it, name by name. What may change while the job goes on (a budget that
    /// grows, threads, memory) has no place here.
    fn identity(&self) -> Identity;

    /// Number of units; `u64::MAX` if they go on until stopped.
    fn units(&self) -> u64;

    /// What a unit is run with beyond the identity, such as its share of the budget. A result of
    /// other terms is kept until the unit is done again.
    fn terms(&self, unit: u64) -> Value {
        let _ = unit;
        Value::Null
    }

    /// Runs one unit and writes its result. The same unit gives the same bytes whoever runs it with as
    /// much memory, whenever and beside whatever else, unless `watch` stops it; and the same merged table
    /// whatever the memory.
    fn run_unit(
        &self,
        unit: u64,
        out: &mut SealedWriter<'_>,
        watch: JobMonitor<'_>,
    ) -> Result<UnitResult, StoreError>;

    /// Merges the results that there are, see [`JobFolder::results`].
    fn merge(&self, folder: &JobFolder, watch: JobMonitor<'_>)
    -> Result<Self::Summary, StoreError>;
}

/// How a unit ended.
#[derive(Clone, Debug, PartialEq)]
pub struct UnitResult {
    /// Whether it is whole; one that was stopped is done again later, and its result kept until then.
    pub whole: bool,
    /// How far it got. One that was stopped does not replace a result that is as far.
    pub reached: u64,
    /// What to note of it beside its sections.
    pub note: Value,
}

/// What a job is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// A part of a unit's result is being written.
    Write,
    /// Results are being sorted.
    Sort,
    /// A part of the results is being merged.
    Merge,
    /// A file is whole and synced, and about to get its name, or has just got it.
    Rename,
}

/// What happens to a job.
#[derive(Clone, Copy, Debug)]
pub enum Event<'a> {
    /// It begins something.
    Phase(Phase, &'a Path),
    /// A file is damaged; its unit is done again.
    Damaged(&'a StoreError),
    /// A unit is done, now or before.
    Done(u64),
}

/// Who stops a job and is told what happens to it.
#[derive(Clone, Copy)]
pub struct JobMonitor<'a> {
    stop: &'a AtomicBool,
    tell: &'a (dyn Fn(Event<'_>) + Sync),
}

impl<'a> JobMonitor<'a> {
    /// Nobody: nothing stops the job, and nothing is told.
    pub fn nobody() -> JobMonitor<'static> {
        static NEVER: AtomicBool = AtomicBool::new(false);
        JobMonitor { stop: &NEVER, tell: &|_| {} }
    }

    /// Stops when `stop` is set; `tell` is called from any thread.
    pub fn new(stop: &'a AtomicBool, tell: &'a (dyn Fn(Event<'_>) + Sync)) -> JobMonitor<'a> {
        JobMonitor { stop, tell }
    }

    /// Whether to stop: units keep what they have and end.
    pub fn stopped(&self) -> bool {
        self.stop.load(Relaxed)
    }

    /// Tells what happens.
    pub fn tell(&self, event: Event<'_>) {
        (self.tell)(event);
    }
}

/// How far the local units are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ran {
    /// Units whose result is whole.
    pub done: u64,
    /// Whether that is all of them.
    pub all: bool,
}

/// Runs a unit, unless its result is there and whole. True if it is now.
pub fn run_unit<J: Job + ?Sized>(
    job: &J,
    folder: &JobFolder,
    unit: u64,
    watch: JobMonitor<'_>,
) -> Result<bool, StoreError> {
    let before = match folder.state(job, unit)? {
        State::Done(_) => return Ok(true),
        State::Damaged(error) => {
            watch.tell(Event::Damaged(&error));
            None
        }
        State::Missing => None,
        State::Unfinished(sealed) => sealed.note["reached"].as_u64(),
    };
    if watch.stopped() {
        return Ok(false);
    }
    let mut out = folder.unit_writer(unit, watch)?;
    let UnitResult { whole, reached, note } = job.run_unit(unit, &mut out, watch)?;
    if !whole && before.is_some_and(|before| before >= reached) {
        return Ok(false);
    }
    let note = json!({
        "unit": unit, "job": folder.mark(), "terms": job.terms(unit), "whole": whole,
        "reached": reached, "note": note,
    });
    out.seal(&note)?;
    Ok(whole)
}

/// Runs the units whose results are missing, damaged or unfinished, on so many threads. The first
/// error stops all of them.
pub fn run_missing<J: Job + ?Sized>(
    job: &J,
    folder: &JobFolder,
    threads: usize,
    watch: JobMonitor<'_>,
) -> Result<Ran, StoreError> {
    let (next, done) = (AtomicU64::new(0), AtomicU64::new(0));
    let failed = Mutex::new(None);
    let gone_wrong = AtomicBool::new(false);
    let work = || {
        while !watch.stopped() && !gone_wrong.load(Relaxed) {
            let unit = next.fetch_add(1, Relaxed);
            if unit >= job.units() {
                return;
            }
            match run_unit(job, folder, unit, watch) {
                Ok(true) => {
                    done.fetch_add(1, Relaxed);
                    watch.tell(Event::Done(unit));
                }
                Ok(false) => return,
                Err(error) => {
                    gone_wrong.store(true, Relaxed);
                    failed.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
                }
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..threads.max(1) {
            scope.spawn(work);
        }
    });
    if let Some(error) = failed.into_inner().unwrap_or_else(PoisonError::into_inner) {
        return Err(error);
    }
    let done = done.into_inner();
    Ok(Ran { done, all: done == job.units() })
}

/// Runs what is missing and merges, unless stopped before. A result that turns out to be damaged
/// while it is merged is done again, once.
pub fn complete<J: Job + ?Sized>(
    job: &J,
    folder: &JobFolder,
    threads: usize,
    watch: JobMonitor<'_>,
) -> Result<(Ran, Option<J::Summary>), StoreError> {
    let mut again = true;
    loop {
        let ran = run_missing(job, folder, threads, watch)?;
        if !ran.all && watch.stopped() {
            return Ok((ran, None));
        }
        match job.merge(folder, watch) {
            Err(error) if error.is_damage() && again => watch.tell(Event::Damaged(&error)),
            merged => return merged.map(|summary| (ran, Some(summary))),
        }
        again = false;
    }
}

#[cfg(test)]
mod tests;
