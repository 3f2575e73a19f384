//! One interface for both kinds of jobs.

use crate::count::monitor;
use hippodrome::count::CountMonitor;
use hippodrome::search::Control;
use hippodrome::store::{
    CountJob, EnumerationJob, Job, JobChange, JobFolder, JobMonitor, MissingUnits, StoreError,
    UnitState, run_unit,
};
use hippodrome::uniform::cache_folder;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Default memory limit for a step of an enumeration. A unit never collects more than 64 MiB of tours.
const MEMORY: usize = 512 << 20;

/// The number of threads and the memory that a step may use.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct StepLimits {
    pub threads: usize,
    pub memory: Option<usize>,
}

impl StepLimits {
    /// The limits for a step that only reads the folder.
    pub const NONE: StepLimits = StepLimits { threads: 1, memory: None };
}

/// A job, with its stop flag and counters.
pub enum Work {
    EnumerationJob(Box<EnumerationJob>, Arc<Control>),
    CountJob(Box<CountJob>, Arc<CountMonitor>),
}

impl Work {
    /// Prepares the job in a folder.
    pub fn of(folder: &JobFolder, limits: StepLimits) -> Result<Work, StoreError> {
        if folder.kind() == "count" {
            let watch = Arc::new(monitor(limits.memory));
            let job = CountJob::of(folder, limits.threads, &watch)?;
            return Ok(Work::CountJob(Box::new(job), watch));
        }
        let control = Arc::<Control>::default();
        let change = JobChange {
            threads: Some(limits.threads),
            memory: Some(limits.memory.unwrap_or(MEMORY)),
            tables: cache_folder(),
            ..JobChange::default()
        };
        Ok(Work::EnumerationJob(Box::new(EnumerationJob::of(folder, change, &control)?), control))
    }

    /// Returns the stop flag.
    pub fn stop(&self) -> &AtomicBool {
        match self {
            Work::EnumerationJob(_, control) => &control.interrupt,
            Work::CountJob(_, watch) => &watch.interrupt,
        }
    }

    pub fn units(&self) -> u64 {
        match self {
            Work::EnumerationJob(job, _) => job.units(),
            Work::CountJob(job, _) => job.units(),
        }
    }

    /// Returns the units that are not done.
    pub fn missing(&self, folder: &JobFolder) -> Result<MissingUnits, StoreError> {
        match self {
            Work::EnumerationJob(job, _) => folder.missing(&**job),
            Work::CountJob(job, _) => folder.missing(&**job),
        }
    }

    /// Returns an error unless all units are done.
    pub fn expect_all(&self, folder: &JobFolder) -> Result<(), StoreError> {
        match self {
            Work::EnumerationJob(job, _) => folder.expect_all(&**job),
            Work::CountJob(job, _) => folder.expect_all(&**job),
        }
    }

    /// Runs a unit, unless its result exists. Returns false if the unit was stopped.
    pub fn run_unit(&self, folder: &JobFolder, unit: u64) -> Result<bool, StoreError> {
        let watch = JobMonitor::new(self.stop(), &|_| {});
        let whole = match self {
            Work::EnumerationJob(job, _) => run_unit(&**job, folder, unit, watch),
            Work::CountJob(job, shared) => {
                // Concurrent units need separate memory accounting.
                let (interrupt, memory) = (shared.interrupt.clone(), shared.memory);
                let own = CountMonitor { interrupt, memory, ..CountMonitor::default() };
                let own = Arc::new(own);
                run_unit(&job.watched(&own), folder, unit, watch)
            }
        };
        match whole {
            Err(StoreError::Stopped) => Ok(false),
            whole => whole,
        }
    }

    /// Returns whether a unit is done. If it is a unit of an enumeration, adds its counts to the totals.
    pub fn recall(&self, folder: &JobFolder, unit: u64) -> Result<bool, StoreError> {
        match self {
            Work::EnumerationJob(job, _) => job.recall_unit(folder, unit),
            Work::CountJob(job, _) => {
                Ok(matches!(folder.glance(&**job, unit)?, UnitState::Done(_)))
            }
        }
    }
}
