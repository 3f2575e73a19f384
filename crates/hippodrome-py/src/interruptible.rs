//! Runs long calls that release the GIL and stop on Ctrl-C.

use crate::errors::failed;
use pyo3::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

/// Time between two checks for signals.
const SIGNAL_CHECK: Duration = Duration::from_millis(20);

/// Runs work on another thread, and stops it on Ctrl-C.
///
/// If a signal handler raises an exception, this function sets `interrupt`, waits for the work to stop, and
/// raises the exception.
pub fn run<T: Send>(
    py: Python<'_>,
    interrupt: &AtomicBool,
    work: impl FnOnce() -> PyResult<T> + Send,
) -> PyResult<T> {
    let done = AtomicBool::new(false);
    let caller = thread::current();
    thread::scope(|scope| {
        let worker = scope.spawn(|| {
            let result = work();
            done.store(true, Ordering::Release);
            caller.unpark();
            result
        });
        let mut raised = None;
        while !done.load(Ordering::Acquire) && !worker.is_finished() {
            py.detach(|| thread::park_timeout(SIGNAL_CHECK));
            if raised.is_none()
                && let Err(error) = py.check_signals()
            {
                interrupt.store(true, Ordering::Relaxed);
                raised = Some(error);
            }
        }
        let result = worker
            .join()
            .map_err(|_| failed("the library has failed, which is a bug; please report it"))?;
        raised.map_or(result, Err)
    })
}
