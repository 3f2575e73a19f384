//! The resources that a solver may use while it is being prepared.

use super::cores;
use std::path::Path;

/// Receives progress reports during a long preparation.
pub trait Progress: Sync {
    /// Announces further steps, whose total cost is `cost`.
    fn expect(&self, cost: f64);

    /// Reports that a step of this cost is finished; the step processed `states` states.
    fn step(&self, cost: f64, states: u64);

    /// Reports the bytes that the finished table takes at most, as soon as this is known.
    fn forecast(&self, _bytes: u64) {}
}

/// The threads, memory and cache folder for preparing a solver, with a stop flag and a progress receiver.
#[derive(Clone, Copy)]
pub struct Resources<'a> {
    /// Number of threads; the result does not depend on it.
    pub threads: usize,
    /// Maximum number of bytes for tables.
    pub memory: usize,
    /// Function that returns whether to stop; it is called repeatedly during preparation.
    pub stop: &'a (dyn Fn() -> bool + Sync),
    /// Folder in which tables are cached; `None` for no cache.
    pub cache: Option<&'a Path>,
    /// Receiver of progress reports, if there is one.
    pub progress: Option<&'a dyn Progress>,
}

impl Default for Resources<'_> {
    /// Returns the defaults: all cores, 6 GiB of memory, no stop flag and no cache.
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
