//! Long work: Python's locks are free while it runs, and Ctrl-C ends it.

use crate::errors::failed;
use pyo3::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

/// How long a signal waits to be seen.
const GLANCE: Duration = Duration::from_millis(20);

/// Does the work on a thread of its own. A signal whose handler raises, as Ctrl-C's does, sets
/// `interrupt`, and is raised when the work has stopped.
pub fn run<T: Send>(
    py: Python<'_>,
    interrupt: &AtomicBool,
    work: impl FnOnce() -> T + Send,
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
            py.detach(|| thread::park_timeout(GLANCE));
            if raised.is_none()
                && let Err(error) = py.check_signals()
            {
                interrupt.store(true, Ordering::Relaxed);
                raised = Some(error);
            }
        }
        let result = worker.join().map_err(|_| {
            failed("the work ended in a panic; report this as a fault of the program")
        })?;
        raised.map_or(Ok(result), Err)
    })
}
