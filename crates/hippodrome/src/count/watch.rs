//! How a long count is watched and stopped from outside: interrupts, memory, progress.

use crate::search::Progress;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

/// Why a count ended early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StopReason {
    /// From outside.
    Interrupted,
    /// More memory is needed than is allowed: so many bytes.
    Memory(u64),
    /// A tally is too small for its number.
    Overflow,
    /// What was read is not what was written.
    Ledger,
    /// The frontier needs so many slots, more than a key has.
    Slots(usize),
}

/// What a count, or the making of a table of covers, tells while it runs, and how it is told to stop.
#[derive(Debug)]
pub struct CountMonitor {
    /// Set from outside to interrupt.
    pub interrupt: Arc<AtomicBool>,
    /// Most bytes of states to be held at a time.
    pub memory: u64,
    /// States expanded so far.
    pub states: AtomicU64,
    /// Steps done so far, weighted by what they are thought to cost.
    pub done: AtomicU64,
    /// The same for all steps; 0 while it is not known.
    pub whole: AtomicU64,
    /// Most bytes of states held at a time so far.
    pub peak: AtomicU64,
    /// Bytes of states that lie by while others are made.
    pub aside: AtomicU64,
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
            aside: AtomicU64::new(0),
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

    /// Notes that so many bytes lie by during some work.
    pub(super) fn beside<T>(&self, bytes: u64, work: impl FnOnce() -> T) -> T {
        self.aside.fetch_add(bytes, Relaxed);
        let result = work();
        self.aside.fetch_sub(bytes, Relaxed);
        result
    }

    /// Notes that so many bytes are held now, without those that lie by.
    pub(super) fn hold(&self, bytes: u64) -> Result<(), StopReason> {
        let bytes = bytes + self.aside.load(Relaxed);
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
