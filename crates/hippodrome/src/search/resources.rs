//! Resources for the preparation of a solver.

use super::cores;
use std::path::Path;

/// Receives the progress of long preparations.
pub trait Progress: Sync {
    /// Announces further steps with this total cost.
    fn expect(&self, cost: f64);

    /// Reports a finished step of this cost, which processed `states` states.
    fn step(&self, cost: f64, states: u64);
}

/// Threads, memory, files and stop flag for the preparation of a solver.
#[derive(Clone, Copy)]
pub struct Resources<'a> {
    /// Number of threads; the result does not depend on it.
    pub threads: usize,
    /// Maximum bytes for tables.
    pub memory: usize,
    /// Returns whether to stop; polled during preparation.
    pub stop: &'a (dyn Fn() -> bool + Sync),
    /// Folder of cached tables.
    pub cache: Option<&'a Path>,
    /// Receives the progress.
    pub progress: Option<&'a dyn Progress>,
}

impl Default for Resources<'_> {
    /// Returns the defaults: all cores, 6 GiB, no stop flag, no cache.
    fn default() -> Self {
        Resources::on(cores())
    }
}

impl Resources<'_> {
    /// Returns the defaults for a given number of threads, without querying the number of cores.
    pub fn on(threads: usize) -> Self {
        Resources { threads, memory: 6 << 30, stop: &|| false, cache: None, progress: None }
    }
}
