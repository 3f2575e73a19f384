//! A bound on the tours queued between workers and consumer.

use std::sync::{Condvar, Mutex, PoisonError};

/// Maximum number of queued squares of all units except the one being served: 256 MiB.
const SQUARES_AHEAD: usize = 1 << 26;

/// A gate in front of the queues. It always admits tours of the unit being served, and other tours
/// only within the bound.
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

    /// Marks `unit` as the one being served.
    pub(super) fn serve(&self, unit: u64) {
        self.change(|held| held.served = unit);
    }

    /// Subtracts `squares` squares that have left the queues.
    pub(super) fn leave(&self, squares: usize) {
        self.change(|held| held.squares -= squares);
    }

    /// Admits everything from now on, because the run is over.
    pub(super) fn open(&self) {
        self.change(|held| held.open = true);
    }

    /// Waits until there is room for `squares` squares of `unit`.
    pub(super) fn enter(&self, unit: u64, squares: usize) {
        let held = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let full = |h: &mut Held| {
            h.squares > 0 && h.squares + squares > SQUARES_AHEAD && h.served != unit && !h.open
        };
        let mut held = self.changed.wait_while(held, full).unwrap_or_else(PoisonError::into_inner);
        held.squares += squares;
    }
}
