//! Executes numbered runs on several threads until all are done or until an interrupt.

use crate::search::{Control, try_each};
use std::ops::ControlFlow;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Mutex, PoisonError};

/// Executes `number` runs, which start in order; `keep` receives their results, one at a time. A run that is
/// interrupted returns `None`, and then no further run starts.
pub(super) fn make_runs<T, E: Send>(
    threads: usize,
    number: u64,
    control: &Control,
    run: impl Fn(u64) -> Result<Option<T>, E> + Sync,
    keep: impl FnMut(u64, T) + Send,
) -> Result<(), E> {
    let keep = Mutex::new(keep);
    try_each(threads, number, |job| {
        if control.interrupt.load(Relaxed) {
            return Ok(ControlFlow::Break(()));
        }
        let Some(made) = run(job)? else { return Ok(ControlFlow::Break(())) };
        keep.lock().unwrap_or_else(PoisonError::into_inner)(job, made);
        Ok(ControlFlow::Continue(()))
    })
}
