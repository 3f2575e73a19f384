//! The monitor of a long count: interrupts, memory, progress.

use crate::search::Progress;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

/// Why a count ended early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StopReason {
    /// Interrupted by the caller.
    Interrupted,
    /// More memory is needed than allowed: the number of bytes needed.
    Memory(u64),
    /// A number is too large for its type.
    Overflow,
    /// The tallies read are not the tallies written.
    Ledger,
    /// The frontier needs more slots than a key has: the number of slots needed.
    Slots(usize),
}

/// The progress, memory limit and interrupt flag of a count, or of building a table of covers.
#[derive(Debug)]
pub struct CountMonitor {
    /// Set by the caller to interrupt.
    pub interrupt: Arc<AtomicBool>,
    /// Largest number of bytes of states that may be held.
    pub memory: u64,
    /// States expanded so far.
    pub states: AtomicU64,
    /// Estimated cost of the steps done so far.
    pub done: AtomicU64,
    /// Estimated cost of all steps; 0 while unknown.
    pub whole: AtomicU64,
    /// Largest number of bytes of states held so far.
    pub peak: AtomicU64,
    /// Bytes of finished states that are kept while others are computed.
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

    /// Records that `bytes` are held now, in addition to those reserved; returns an error if that exceeds the
    /// limit.
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
