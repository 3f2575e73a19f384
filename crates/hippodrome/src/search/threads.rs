//! The only place in the library that starts threads.
//!
//! Work is divided into numbered pieces, and each thread takes the next number, so no result depends on the
//! number of threads. The calling thread works as well, so with one thread no other thread is started. A
//! panic in a thread propagates to the caller.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, OnceLock, PoisonError};

/// Returns the number of cores that this process may use. The system is asked only once.
pub fn cores() -> usize {
    static CORES: OnceLock<usize> = OnceLock::new();
    *CORES.get_or_init(|| std::thread::available_parallelism().map_or(1, usize::from))
}

/// Runs each worker on its own thread and `own` on the calling thread, and waits for all of them.
pub(crate) fn beside<T: Send, U>(
    workers: impl IntoIterator<Item = impl FnOnce() -> T + Send>,
    own: impl FnOnce() -> U,
) -> (U, Vec<T>) {
    std::thread::scope(|scope| {
        let handles: Vec<_> = workers.into_iter().map(|worker| scope.spawn(worker)).collect();
        let result = own();
        let joined = handles.into_iter().map(|handle| match handle.join() {
            Ok(made) => made,
            Err(panic) => std::panic::resume_unwind(panic),
        });
        (result, joined.collect())
    })
}

/// Runs the same work once per thread and returns the results, with the calling thread's result first.
pub(crate) fn on_each<T: Send>(threads: usize, work: impl Fn() -> T + Sync) -> Vec<T> {
    if threads <= 1 {
        return vec![work()];
    }
    let (own, others) = beside((1..threads).map(|_| &work), &work);
    std::iter::once(own).chain(others).collect()
}

/// Runs numbered parts of some work and returns their results in order.
pub(crate) fn in_order<T: Send>(
    threads: usize,
    parts: usize,
    work: impl Fn(usize) -> T + Sync,
) -> Vec<T> {
    let next = AtomicUsize::new(0);
    let made: Vec<Mutex<Option<T>>> = (0..parts).map(|_| Mutex::new(None)).collect();
    on_each(threads.min(parts), || {
        loop {
            let part = next.fetch_add(1, Relaxed);
            let Some(place) = made.get(part) else { return };
            let result = work(part);
            *place.lock().unwrap_or_else(PoisonError::into_inner) = Some(result);
        }
    });
    let taken = |m: Mutex<Option<T>>| m.into_inner().unwrap_or_else(PoisonError::into_inner);
    made.into_iter().filter_map(taken).collect()
}

/// Runs numbered jobs. After a break or an error, no further job starts. If several jobs fail, returns the
/// error of the job with the lowest number.
pub(crate) fn try_each<E: Send>(
    threads: usize,
    jobs: u64,
    work: impl Fn(u64) -> Result<ControlFlow<()>, E> + Sync,
) -> Result<(), E> {
    let (next, over) = (AtomicU64::new(0), AtomicBool::new(false));
    let hands = u64::try_from(threads).unwrap_or(u64::MAX).min(jobs) as usize;
    let failures = on_each(hands, || {
        loop {
            let job = next.fetch_add(1, Relaxed);
            if job >= jobs || over.load(Relaxed) {
                return None;
            }
            let error = match work(job) {
                Ok(ControlFlow::Continue(())) => continue,
                Ok(ControlFlow::Break(())) => None,
                Err(error) => Some((job, error)),
            };
            over.store(true, Relaxed);
            return error;
        }
    });
    let first = failures.into_iter().flatten().min_by_key(|(job, _)| *job);
    first.map_or(Ok(()), |(_, error)| Err(error))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::panic::{AssertUnwindSafe, catch_unwind};

    #[test]
    fn parts_are_returned_in_order_on_any_number_of_threads() {
        for (threads, parts) in [(0, 3), (1, 5), (2, 5), (3, 100), (4, 1), (4, 0)] {
            let squares: Vec<usize> = (0..parts).map(|n| n * n).collect();
            assert_eq!(in_order(threads, parts, |n| n * n), squares, "{threads} {parts}");
        }
    }

    #[test]
    fn no_job_begins_after_one_that_breaks_or_fails() {
        for threads in [1, 2, 3] {
            let begun = AtomicU64::new(0);
            let work = |job| {
                begun.fetch_add(1, Relaxed);
                match job {
                    5 => Ok(ControlFlow::Break(())),
                    _ => Ok(ControlFlow::Continue(())),
                }
            };
            assert_eq!(try_each::<()>(threads, u64::MAX, work), Ok(()));
            assert!(begun.into_inner() >= 6);
            let failing = |job| if job >= 5 { Err(job) } else { Ok(ControlFlow::Continue(())) };
            assert_eq!(try_each(threads, 1000, failing), Err(5));
        }
    }

    #[test]
    fn a_panic_of_a_worker_propagates_to_the_caller() {
        for workers in [1, 3] {
            let fall = || beside((0..workers).map(|_| || panic!("fell")), || 1);
            let panic = catch_unwind(AssertUnwindSafe(fall)).unwrap_err();
            assert_eq!(panic.downcast_ref::<&str>(), Some(&"fell"));
        }
    }
}
