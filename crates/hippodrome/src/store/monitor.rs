//! The monitor of a job: stops it, and is told what happens to it.

use super::StoreError;
use crate::durable::{DurableError, DurableFile};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Instant;

/// What a job is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JobPhase {
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
pub enum JobEvent<'a> {
    /// It begins something.
    Phase(JobPhase, &'a Path),
    /// A file is damaged; its unit is done again.
    Damaged(&'a StoreError),
    /// A unit is done, now or before.
    Done(u64),
}

/// Stops a job, is told what happens to it, and knows how long it has taken.
#[derive(Clone, Copy)]
pub struct JobMonitor<'a> {
    stop: &'a AtomicBool,
    tell: &'a (dyn Fn(JobEvent<'_>) + Sync),
    begun: Instant,
    /// Seconds that the job is said to have taken, if that is known better.
    told: Option<f64>,
}

static NEVER: AtomicBool = AtomicBool::new(false);

impl<'a> JobMonitor<'a> {
    /// Makes one that stops nothing and is told nothing.
    pub fn silent() -> JobMonitor<'static> {
        JobMonitor::new(&NEVER, &|_| {})
    }

    /// Makes one that stops the job when `stop` is set; `tell` is called from any thread. The job begins now.
    pub fn new(stop: &'a AtomicBool, tell: &'a (dyn Fn(JobEvent<'_>) + Sync)) -> JobMonitor<'a> {
        JobMonitor { stop, tell, begun: Instant::now(), told: None }
    }

    /// Returns the same monitor of a job that has taken this many seconds, if that is known.
    pub fn taking(self, seconds: Option<f64>) -> JobMonitor<'a> {
        JobMonitor { told: seconds, ..self }
    }

    /// Returns the same monitor for work that is not to be stopped.
    pub fn unstopped(self) -> JobMonitor<'a> {
        JobMonitor { stop: &NEVER, ..self }
    }

    /// Whether to stop: units keep what they have and end.
    pub fn stopped(&self) -> bool {
        self.stop.load(Relaxed)
    }

    /// Fails if the job is to stop.
    pub(super) fn check(&self) -> Result<(), StoreError> {
        if self.stopped() { Err(StoreError::Stopped) } else { Ok(()) }
    }

    /// Tells what happens.
    pub fn tell(&self, event: JobEvent<'_>) {
        (self.tell)(event);
    }

    /// Returns the seconds that the job has taken.
    pub fn seconds(&self) -> f64 {
        self.told.unwrap_or_else(|| self.begun.elapsed().as_secs_f64())
    }

    /// Gives a file its name.
    pub(super) fn finish(&self, file: DurableFile) -> Result<(), DurableError> {
        let path = file.path().to_path_buf();
        file.finish(&|| self.tell(JobEvent::Phase(JobPhase::Rename, &path)))
    }
}
