//! The monitor of a long count: interrupts, memory, progress.

use crate::search::Progress;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

/// Why a count ended early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StopReason {
    /// The caller interrupted the count.
    Interrupted,
    /// The count needs more memory than allowed; the value is the number of bytes needed.
    Memory(u64),
    /// A number is too large for its type.
    Overflow,
    /// The tallies that a step read differ from the tallies that were written.
    Ledger,
    /// The frontier needs more slots than a key has; the value is the number of slots needed.
    Slots(usize),
}

/// The progress, memory limit and interrupt flag of a count, or of building a table of covers.
#[derive(Debug)]
pub struct CountMonitor {
    /// The flag that the caller sets to interrupt the count.
    pub interrupt: Arc<AtomicBool>,
    /// Maximum number of bytes that the states held at once may take.
    pub memory: u64,
    /// Number of states expanded so far.
    pub states: AtomicU64,
    /// Estimated cost of the steps done so far.
    pub done: AtomicU64,
    /// Estimated cost of all steps; 0 while unknown.
    pub whole: AtomicU64,
    /// Largest number of bytes taken so far by the states held at once.
    pub peak: AtomicU64,
    /// Number of bytes taken by finished states that are kept while others are computed.
    pub reserved: AtomicU64,
}

impl Default for CountMonitor {
    fn default() -> CountMonitor {
        CountMonitor {
            interrupt: Arc::default(),
            memory: u64::MAX,
            states: AtomicU64::new(0),
            done: AtomicU64::new(0),
            whole: AtomicU64::new(0),
            peak: AtomicU64::new(0),
            reserved: AtomicU64::new(0),
        }
    }
}

impl CountMonitor {
    pub(super) fn stopped(&self) -> bool {
        self.interrupt.load(Relaxed)
    }

    pub(super) fn poll(&self) -> Result<(), StopReason> {
        if self.stopped() { Err(StopReason::Interrupted) } else { Ok(()) }
    }

    /// Counts `bytes` as reserved while `work` runs.
    pub(super) fn reserving<T>(&self, bytes: u64, work: impl FnOnce() -> T) -> T {
        self.reserved.fetch_add(bytes, Relaxed);
        let result = work();
        self.reserved.fetch_sub(bytes, Relaxed);
        result
    }

    /// Records that `bytes` bytes are held now, in addition to those reserved; returns an error if the total
    /// exceeds the limit.
    pub(super) fn hold(&self, bytes: u64) -> Result<(), StopReason> {
        let bytes = bytes + self.reserved.load(Relaxed);
        self.peak.fetch_max(bytes, Relaxed);
        if bytes > self.memory { Err(StopReason::Memory(bytes)) } else { Ok(()) }
    }

    pub(super) fn advance(&self, states: u64) {
        self.states.fetch_add(states, Relaxed);
    }
}

impl Progress for CountMonitor {
    fn expect(&self, cost: f64) {
        self.whole.fetch_add(cost as u64, Relaxed);
    }

    fn step(&self, cost: f64, states: u64) {
        self.done.fetch_add(cost as u64, Relaxed);
        self.advance(states);
    }
}
