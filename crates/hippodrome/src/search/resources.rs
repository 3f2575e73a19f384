//! What the preparation of a solver may use.

use super::cores;
use std::path::Path;

/// Receives the progress of long preparations.
pub trait Progress: Sync {
    /// Steps of this cost are to come.
    fn expect(&self, cost: f64);

    /// A step of this cost is done; it went over `states` states.
    fn step(&self, cost: f64, states: u64);
}

/// Threads, memory and files for the preparation of a solver, and how it is stopped.
#[derive(Clone, Copy)]
pub struct Resources<'a> {
    /// Number of threads; what is prepared does not depend on it.
    pub threads: usize,
    /// Bytes that tables may take.
    pub memory: usize,
    /// Asked now and then whether to stop.
    pub stop: &'a (dyn Fn() -> bool + Sync),
    /// Folder of tables that were made before.
    pub cache: Option<&'a Path>,
    /// Told how far the preparation is.
    pub progress: Option<&'a dyn Progress>,
}

impl Default for Resources<'_> {
    /// Every core, 6 GiB, no stop, nothing kept on disk.
    fn default() -> Self {
        Resources::on(cores())
    }
}

impl Resources<'_> {
    /// As the default, on a given number of threads: does not ask the system for its cores.
    pub fn on(threads: usize) -> Self {
        Resources { threads, memory: 6 << 30, stop: &|| false, cache: None, progress: None }
    }
}
