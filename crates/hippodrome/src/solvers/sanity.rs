//! Checks of internal invariants, compiled into debug builds and tests only.
//!
//! A data structure with complex updates has a method `sanity`, which recomputes its state from
//! scratch and returns the first contradiction. Release builds contain no checks.

/// Returns an error from a `sanity` method unless the condition holds.
macro_rules! ensure {
    ($holds:expr, $($what:tt)+) => {
        if !$holds {
            return Err(format!($($what)+));
        }
    };
}
pub(crate) use ensure;

/// Panics on a broken invariant.
#[cfg(debug_assertions)]
#[track_caller]
pub(crate) fn assert_sane(checked: Result<(), String>) {
    if let Err(fault) = checked {
        panic!("broken invariant: {fault}");
    }
}

/// Work between two checks, in multiples of the cost of one check. Chosen by hand: checks take about 3% of a
/// search.
#[cfg(debug_assertions)]
const WORK_PER_CHECK: u64 = 32;

/// Decides when the next check of a search is due.
#[cfg(debug_assertions)]
#[derive(Clone, Default)]
pub(crate) struct CheckSchedule {
    work: u64,
}

#[cfg(debug_assertions)]
impl CheckSchedule {
    /// Adds work done, and returns whether a check of this cost is due.
    pub(crate) fn is_due(&mut self, work: u64, cost: u64) -> bool {
        self.work += work;
        let due = self.work >= WORK_PER_CHECK * cost;
        if due {
            self.work = 0;
        }
        due
    }
}
