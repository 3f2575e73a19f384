//! Limits the number of tours that are queued between the workers and the consumer.

use std::sync::{Condvar, Mutex, PoisonError};

/// Maximum number of queued squares, not counting those of the unit being served: 256 MiB.
const SQUARES_AHEAD: usize = 1 << 26;

/// A gate in front of the queues. It always admits tours of the unit being served. It admits tours of other
/// units only while the number of queued squares is within the limit.
#[derive(Default)]
pub(super) struct Gate {
    state: Mutex<Held>,
    changed: Condvar,
}

#[derive(Default)]
struct Held {
    squares: usize,
    served: u64,
    open: bool,
}

impl Gate {
    fn change(&self, change: impl FnOnce(&mut Held)) {
        change(&mut self.state.lock().unwrap_or_else(PoisonError::into_inner));
        self.changed.notify_all();
    }

    /// Marks `unit` as the unit being served.
    pub(super) fn serve(&self, unit: u64) {
        self.change(|held| held.served = unit);
    }

    /// Subtracts `squares` squares, which have left the queues, from the number of queued squares.
    pub(super) fn leave(&self, squares: usize) {
        self.change(|held| held.squares -= squares);
    }

    /// Admits everything from now on, because the run is over.
    pub(super) fn open(&self) {
        self.change(|held| held.open = true);
    }

    /// Waits until there is room for `squares` squares of `unit`, and adds them to the number of queued
    /// squares.
    pub(super) fn enter(&self, unit: u64, squares: usize) {
        let held = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let full = |h: &mut Held| {
            h.squares > 0 && h.squares + squares > SQUARES_AHEAD && h.served != unit && !h.open
        };
        let mut held = self.changed.wait_while(held, full).unwrap_or_else(PoisonError::into_inner);
        held.squares += squares;
    }
}
