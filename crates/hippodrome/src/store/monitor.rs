//! The monitor of a job, which can stop the job and receives its events.

use super::StoreError;
use crate::durable::{DurableError, DurableFile};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Instant;

/// A phase of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JobPhase {
    /// A part of a unit's result is being written.
    Write,
    /// Results are being sorted.
    Sort,
    /// A part of the results is being merged.
    Merge,
    /// A complete, synced file is being renamed. This phase is reported just before and just after the
    /// rename.
    Rename,
}

/// An event during a job.
#[derive(Clone, Copy, Debug)]
pub enum JobEvent<'a> {
    /// A phase begins, on the given file.
    Phase(JobPhase, &'a Path),
    /// A file is damaged; its unit will run again.
    Damaged(&'a StoreError),
    /// A unit is done; it finished now or in an earlier run.
    Done(u64),
}

/// A monitor that can stop a job, receives its events and measures its running time.
#[derive(Clone, Copy)]
pub struct JobMonitor<'a> {
    stop: &'a AtomicBool,
    tell: &'a (dyn Fn(JobEvent<'_>) + Sync),
    begun: Instant,
    /// The time in seconds to report instead of the measured time, if any.
    reported: Option<f64>,
}

static NEVER: AtomicBool = AtomicBool::new(false);

impl<'a> JobMonitor<'a> {
    /// Makes a monitor that never stops the job and ignores its events.
    pub fn silent() -> JobMonitor<'static> {
        JobMonitor::new(&NEVER, &|_| {})
    }

    /// Makes a monitor that stops the job when `stop` is set; any thread may call `tell`. The measured time
    /// begins with this call.
    pub fn new(stop: &'a AtomicBool, tell: &'a (dyn Fn(JobEvent<'_>) + Sync)) -> JobMonitor<'a> {
        JobMonitor { stop, tell, begun: Instant::now(), reported: None }
    }

    /// Returns the same monitor, but it reports the given time, if any, instead of the measured time.
    pub fn taking(self, seconds: Option<f64>) -> JobMonitor<'a> {
        JobMonitor { reported: seconds, ..self }
    }

    /// Returns the same monitor, but it ignores the stop flag.
    pub fn unstopped(self) -> JobMonitor<'a> {
        JobMonitor { stop: &NEVER, ..self }
    }

    /// Returns whether the job should stop. Units then save their progress and end.
    pub fn stopped(&self) -> bool {
        self.stop.load(Relaxed)
    }

    /// Returns an error if the job should stop.
    pub(super) fn check(&self) -> Result<(), StoreError> {
        if self.stopped() { Err(StoreError::Stopped) } else { Ok(()) }
    }

    /// Sends an event.
    pub fn tell(&self, event: JobEvent<'_>) {
        (self.tell)(event);
    }

    /// Returns the job's running time in seconds.
    pub fn seconds(&self) -> f64 {
        self.reported.unwrap_or_else(|| self.begun.elapsed().as_secs_f64())
    }

    /// Finishes a file: syncs it and renames it.
    pub(super) fn finish(&self, file: DurableFile) -> Result<(), DurableError> {
        let path = file.path().to_path_buf();
        file.finish(&|| self.tell(JobEvent::Phase(JobPhase::Rename, &path)))
    }
}
