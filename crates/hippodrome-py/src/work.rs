//! The two kinds of jobs that folders hold, behind one face.

use crate::count::allowed;
use hippodrome::count;
use hippodrome::search::Control;
use hippodrome::store::{Counts, Folder, Job, Missing, State, StoreError, Tours, Watch, run_unit};
use hippodrome::uniform::cache_folder;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Memory of a step of an enumeration: a unit gathers at most 64 MiB of tours, whatever it is given.
const MEMORY: usize = 512 << 20;

/// What a step may use.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Means {
    pub threads: usize,
    pub memory: Option<usize>,
}

impl Means {
    /// For those who only look.
    pub const NONE: Means = Means { threads: 1, memory: None };
}

/// A job, with what stops it and counts its progress.
pub enum Work {
    Tours(Box<Tours>, Arc<Control>),
    Counts(Counts, Arc<count::Watch>),
}

impl Work {
    /// The job of a folder, made ready.
    pub fn of(folder: &Folder, means: Means) -> Result<Work, StoreError> {
        if folder.kind() == "count" {
            let memory = allowed(means.memory);
            let watch = Arc::new(count::Watch { memory, ..count::Watch::default() });
            return Ok(Work::Counts(Counts::of(folder, means.threads, &watch)?, watch));
        }
        let control = Arc::<Control>::default();
        let memory = means.memory.unwrap_or(MEMORY);
        let set = |run: &mut hippodrome::lab::enumerate::Enumeration| {
            (run.threads, run.memory) = (means.threads, memory);
            run.tables = cache_folder();
        };
        Ok(Work::Tours(Box::new(Tours::of(folder, set, &control)?), control))
    }

    /// Set from outside to stop it.
    pub fn stop(&self) -> &AtomicBool {
        match self {
            Work::Tours(_, control) => &control.interrupt,
            Work::Counts(_, watch) => &watch.interrupt,
        }
    }

    pub fn units(&self) -> u64 {
        match self {
            Work::Tours(job, _) => job.units(),
            Work::Counts(job, _) => job.units(),
        }
    }

    /// Which units are not done.
    pub fn missing(&self, folder: &Folder) -> Result<Missing, StoreError> {
        match self {
            Work::Tours(job, _) => folder.missing(&**job),
            Work::Counts(job, _) => folder.missing(job),
        }
    }

    /// Refuses a job some of whose units are not done.
    pub fn expect_all(&self, folder: &Folder) -> Result<(), StoreError> {
        match self {
            Work::Tours(job, _) => folder.expect_all(&**job),
            Work::Counts(job, _) => folder.expect_all(job),
        }
    }

    /// Runs a unit, unless its result is there. False if it was stopped.
    pub fn run_unit(&self, folder: &Folder, unit: u64) -> Result<bool, StoreError> {
        let watch = Watch::new(self.stop(), &|_| {});
        let whole = match self {
            Work::Tours(job, _) => run_unit(&**job, folder, unit, watch),
            Work::Counts(job, shared) => {
                // Units that run side by side in a process keep accounts of their own.
                let (interrupt, memory) = (shared.interrupt.clone(), shared.memory);
                let own = Arc::new(count::Watch { interrupt, memory, ..count::Watch::default() });
                run_unit(&job.watched(&own), folder, unit, watch)
            }
        };
        match whole {
            Err(StoreError::Stopped) => Ok(false),
            whole => whole,
        }
    }

    /// Whether a unit is done; of an enumeration, what it found is added to what is known.
    pub fn recall(&self, folder: &Folder, unit: u64) -> Result<bool, StoreError> {
        match self {
            Work::Tours(job, _) => job.recall_unit(folder, unit),
            Work::Counts(job, _) => Ok(matches!(folder.glance(job, unit)?, State::Done(_))),
        }
    }
}
