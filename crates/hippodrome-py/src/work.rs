//! The two kinds of jobs that folders hold, behind one face.

use crate::count::allowed;
use hippodrome::count;
use hippodrome::run::Control;
use hippodrome::store::{Counts, Folder, Job, State, StoreError, Tours, Watch, run_unit};
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

/// A job that lives as long as the process, as what stops it does.
pub enum Work {
    Tours(Box<Tours<'static>>, &'static Control),
    Counts(Counts<'static>, &'static count::Watch),
}

impl Work {
    /// The job of a folder, made ready.
    pub fn of(folder: &Folder, means: Means) -> Result<Work, StoreError> {
        if folder.kind() == "count" {
            let memory = allowed(means.memory);
            let watch = count::Watch { memory, ..count::Watch::default() };
            let watch = &*Box::leak(Box::new(watch));
            return Ok(Work::Counts(Counts::of(folder, means.threads, watch)?, watch));
        }
        let control = &*Box::leak(Box::new(Control::default()));
        let memory = means.memory.unwrap_or(MEMORY);
        let set = |run: &mut hippodrome::enumerate::Enumeration| {
            (run.threads, run.memory) = (means.threads, memory);
        };
        Ok(Work::Tours(Box::new(Tours::of(folder, set, control)?), control))
    }

    /// Set from outside to stop it.
    pub fn stop(&self) -> &'static AtomicBool {
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

    /// Units that are not done, of a job that has an end.
    pub fn missing(&self, folder: &Folder) -> Result<Vec<u64>, StoreError> {
        match self {
            Work::Tours(job, _) => missing(&**job, folder),
            Work::Counts(job, _) => missing(job, folder),
        }
    }

    /// Runs a unit, unless its result is there. False if it was stopped.
    pub fn run_unit(&self, folder: &Folder, unit: u64) -> Result<bool, StoreError> {
        let watch = Watch::new(self.stop(), &|_| {});
        let whole = match self {
            Work::Tours(job, _) => run_unit(&**job, folder, unit, watch),
            Work::Counts(job, _) => run_unit(job, folder, unit, watch),
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

fn missing<J: Job>(job: &J, folder: &Folder) -> Result<Vec<u64>, StoreError> {
    let mut done = folder.results(job, Watch::nobody())?;
    done.retain(|(_, state)| matches!(state, State::Done(_)));
    let mut done = done.into_iter().map(|(unit, _)| unit).peekable();
    Ok((0..job.units()).filter(|&unit| done.next_if_eq(&unit).is_none()).collect())
}
