//! The jobs of a server. The numbers of running, resting and waiting jobs are limited. A job without viewers
//! ends unless it is pinned.
//!
//! [`state`] decides which jobs run, rest or wait. This module holds the only lock, starts the threads and
//! publishes the states.

mod context;
mod curve;
mod fill;
mod job;
pub(crate) mod race;
pub(crate) mod sample;
mod state;
mod step_events;
mod tables;
mod trace;
pub(crate) mod watch;

pub(crate) use job::{Job, Task, Work, failed};

use crate::api_error::ApiError;
use crate::limits::Limits;
use hippodrome::search::Status;
use hippodrome::uniform::Lease;
use job::Handle;
use serde_json::{Value, json};
use state::{Entry, Refused, Scheduler, Stop};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use tokio::sync::watch::{Receiver, Sender};

/// How long a shutdown waits for jobs to end. A search checks its stop flag far more often than this; only
/// building a large table can take longer.
const JOIN_TIMEOUT: Duration = Duration::from_secs(3);
/// Time between two updates of a race or a gallery: ten updates per second are enough for numbers and
/// thumbnails.
const UPDATE_INTERVAL: Duration = Duration::from_millis(100);

/// The outcome of a valid request: a job to submit, or a theorem that makes the job pointless.
pub(crate) enum Submission {
    /// A job to submit.
    Task(Task),
    /// A theorem proves that no tour exists.
    Impossible(Value),
}

/// The version of the list of jobs.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ListVersion {
    /// A number that grows whenever the list changes.
    pub(crate) number: u64,
    /// Whether the server is shutting down.
    pub(crate) closed: bool,
}

/// All the jobs of a server.
pub(crate) struct Jobs {
    limits: Limits,
    core: Mutex<Core>,
    /// Notified whenever the state changes.
    changed: Condvar,
    list_version: Sender<ListVersion>,
}

/// The state protected by the lock.
struct Core {
    scheduler: Scheduler<Handle>,
    threads: Vec<JoinHandle<()>>,
    /// Keeps the last table in memory for a while; the time is when the table was last used.
    lease: Option<(Lease, Instant)>,
}

impl Core {
    /// Returns the jobs with the given ids. Unknown ids are skipped.
    fn jobs(&self, ids: &[String]) -> Vec<Arc<Job>> {
        let known = ids.iter().filter_map(|id| self.scheduler.get(id));
        known.map(|entry| Arc::clone(&entry.job.job)).collect()
    }
}

impl Jobs {
    pub(crate) fn new(limits: Limits) -> Arc<Jobs> {
        let scheduler = Scheduler::new(limits);
        let core = Core { scheduler, threads: Vec::new(), lease: None };
        Arc::new(Jobs {
            limits,
            core: Mutex::new(core),
            changed: Condvar::new(),
            list_version: Sender::default(),
        })
    }

    fn core(&self) -> MutexGuard<'_, Core> {
        self.core.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Submits a job. The job starts immediately, waits in the queue, or is refused.
    pub(crate) fn submit(self: &Arc<Jobs>, task: Task) -> Result<Arc<Job>, ApiError> {
        let Task { kind, about, pace, pinned, work } = task;
        let job = Arc::new(Job::new(kind, about, Arc::downgrade(self))?);
        let handle = Handle { job: Arc::clone(&job), work: Some(work) };
        job.publish_about(pinned);
        let mut core = self.core();
        let signals = Arc::clone(&job.signals);
        let submitted =
            core.scheduler.submit(&job.id, (pace, pinned), signals, handle, Instant::now());
        submitted.map_err(|refused| match refused {
            Refused::Closed => ApiError::busy("the server is shutting down"),
            Refused::Full { running, queued } => ApiError::busy(format!(
                "{running} searches are running and {queued} are waiting; stop one, or try again in a moment"
            )),
        })?;
        self.fill_places(&mut core);
        Ok(job)
    }

    /// Starts queued jobs while places are free, publishes the queue positions of waiting jobs, and wakes
    /// sleeping threads.
    ///
    /// Queue positions are published under the lock. Otherwise, a position could overwrite the state of a job
    /// that has started in the meantime.
    fn fill_places(self: &Arc<Jobs>, core: &mut Core) {
        while let Some(entry) = core.scheduler.start_next() {
            let job = Arc::clone(&entry.job.job);
            // A job that returns from a rest already has a thread, which is woken below.
            let Some(work) = entry.job.work.take() else { continue };
            let (jobs, runner) = (Arc::clone(self), Arc::clone(&job));
            let thread = std::thread::Builder::new().name(format!("hippo {}", job.kind));
            match thread.spawn(move || jobs.run(&runner, work)) {
                Ok(thread) => core.threads.push(thread),
                Err(error) => {
                    core.scheduler.finish(&job.id);
                    publish_end(&job, &failed(error));
                }
            }
        }
        let running = core.scheduler.running();
        for (ahead, Entry { job, .. }) in core.scheduler.queue().enumerate() {
            let waiting = json!({ "state": "waiting", "ahead": ahead, "running": running });
            job.job.publish_state(&waiting);
        }
        self.changed.notify_all();
        self.list_changed();
    }

    /// Tells pages that the list of jobs has changed.
    fn list_changed(&self) {
        self.list_version.send_modify(|version| version.number += 1);
    }

    /// Returns a receiver of the versions of the list of jobs.
    pub(crate) fn list_versions(&self) -> Receiver<ListVersion> {
        self.list_version.subscribe()
    }

    /// Runs the work of a job on the calling thread, then gives its place to the next job.
    fn run(self: &Arc<Jobs>, job: &Job, work: Work) {
        job.publish_state(&json!({ "state": "running" }));
        let worked = catch_unwind(AssertUnwindSafe(|| work(job)));
        let mut last = worked
            .unwrap_or_else(|_| failed("the search has failed, which is a bug; please report it"));
        let mut core = self.core();
        if core.scheduler.finish(&job.id) == Some(true) {
            last["status"] = json!("displaced");
        }
        self.fill_places(&mut core);
        drop(core);
        publish_end(job, &last);
    }

    /// Keeps the current table in memory, because the next job may need the same one.
    fn keep_table(&self) {
        let mut core = self.core();
        if !core.scheduler.is_closed() {
            let lease = core.lease.take().map_or_else(Lease::new, |(lease, _)| lease);
            core.lease = Some((lease, Instant::now()));
        }
    }

    /// Returns the job with the given id.
    pub(crate) fn get(&self, id: &str) -> Result<Arc<Job>, ApiError> {
        let found = self.core().scheduler.get(id).map(|entry| Arc::clone(&entry.job.job));
        found.ok_or_else(|| ApiError::not_found("unknown search; it may have ended some time ago"))
    }

    /// Stops a job. A job that has not begun ends immediately.
    pub(crate) fn stop(self: &Arc<Jobs>, job: &Job) {
        let stop = self.stop_in(&mut self.core(), &job.id);
        if stop == Stop::Dequeued {
            publish_interrupted(job);
        }
    }

    fn stop_in(self: &Arc<Jobs>, core: &mut Core, id: &str) -> Stop {
        let stop = core.scheduler.stop(id);
        self.fill_places(core);
        stop
    }

    /// Stops jobs that have been without viewers for too long, and discards results that have expired.
    pub(crate) fn tidy(self: &Arc<Jobs>) {
        let now = Instant::now();
        let mut core = self.core();
        core.threads.retain(|thread| !thread.is_finished());
        let known = core.scheduler.entries().count();
        core.scheduler.forget_finished(now);
        if core.scheduler.entries().count() < known {
            self.list_changed();
        }
        if core.lease.as_ref().is_some_and(|(_, used)| used.elapsed() > self.limits.absence) {
            core.lease = None;
        }
        core.scheduler.make_room(now);
        let mut abandoned = core.scheduler.abandoned(now);
        abandoned.retain(|id| self.stop_in(&mut core, id) == Stop::Dequeued);
        let dequeued = core.jobs(&abandoned);
        drop(core);
        dequeued.iter().for_each(|job| publish_interrupted(job));
    }

    /// Stops all jobs, closes their streams, and accepts no new jobs.
    pub(crate) fn stop_all(&self) {
        let mut core = self.core();
        core.lease = None;
        let dequeued = core.scheduler.close();
        let dequeued = core.jobs(&dequeued);
        let all: Vec<_> = core.scheduler.entries().map(|e| Arc::clone(&e.job.job)).collect();
        self.changed.notify_all();
        self.list_version.send_modify(|version| version.closed = true);
        drop(core);
        dequeued.iter().for_each(|job| publish_interrupted(job));
        all.iter().for_each(|job| job.snapshot.close());
    }

    /// Waits until the threads of all jobs have ended, but no longer than [`JOIN_TIMEOUT`].
    pub(crate) fn join(&self) {
        let begun = Instant::now();
        let threads = std::mem::take(&mut self.core().threads);
        while threads.iter().any(|thread| !thread.is_finished()) && begun.elapsed() < JOIN_TIMEOUT {
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// Returns the list of jobs as JSON.
    pub(crate) fn list(&self) -> Value {
        let core = self.core();
        let scheduler = &core.scheduler;
        let all: Value = scheduler.entries().map(|entry| entry.job.job.list_entry(entry)).collect();
        let (running, waiting) = (scheduler.running(), scheduler.queue().len());
        json!({ "schema": 1, "running": running, "waiting": waiting, "jobs": all })
    }
}

/// Publishes the final state of a job.
fn publish_end(job: &Job, last: &Value) {
    job.publish_state(last);
    job.snapshot.close();
}

/// Returns the final state of a job that was stopped before it had a result.
fn interrupted() -> Value {
    json!({ "state": "done", "status": Status::Interrupted.word() })
}

/// Publishes the end of a job that was stopped before it began.
fn publish_interrupted(job: &Job) {
    publish_end(job, &interrupted());
}

#[cfg(test)]
mod tests;
