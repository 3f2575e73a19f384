//! A job, as seen by its work and by its viewers.

use super::Jobs;
use super::state::{Entry, Scheduler, Signals};
use crate::api_error::ApiError;
use crate::guard::random;
use crate::pace::{Next, Pace};
use crate::snapshot::{Snapshot, Topic};
use crate::spec::ProblemSpec;
use hippodrome::search::Control;
use serde_json::{Value, json};
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, PoisonError, Weak};
use std::time::Instant;

/// The work of a job. It runs on its own thread and returns the final state of the job.
pub(crate) type Work = Box<dyn FnOnce(&Job) -> Value + Send>;

/// A job to be submitted.
pub(crate) struct Task {
    /// The kind of job: `watch`, `race` or `sample`.
    pub(crate) kind: &'static str,
    /// The problem, the solvers and the seed, for viewers that join later.
    pub(crate) about: Value,
    pub(crate) pace: Pace,
    /// Whether the job continues without viewers.
    pub(crate) pinned: bool,
    pub(crate) work: Work,
}

impl Task {
    /// Returns a task that runs at full speed and ends when it has no viewers.
    pub(super) fn new(
        kind: &'static str,
        ground: &ProblemSpec,
        methods: &[String],
        seed: u64,
        work: impl FnOnce(&Job) -> Value + Send + 'static,
    ) -> Task {
        let about = json!({ "ground": ground, "methods": methods, "seed": seed });
        Task { kind, about, pace: Pace::default(), pinned: false, work: Box::new(work) }
    }
}

/// The data that the scheduler stores for a job.
pub(super) struct Handle {
    pub(super) job: Arc<Job>,
    /// The work of the job, until a thread takes it.
    pub(super) work: Option<Work>,
}

/// A job. Its state is in the [`Scheduler`].
pub(crate) struct Job {
    pub(crate) id: String,
    pub(crate) kind: &'static str,
    about: Value,
    pub(crate) snapshot: Snapshot,
    pub(super) signals: Arc<Signals>,
    jobs: Weak<Jobs>,
}

impl Job {
    pub(super) fn new(kind: &'static str, about: Value, jobs: Weak<Jobs>) -> Result<Job, ApiError> {
        let id = random().map_err(ApiError::busy)?;
        Ok(Job { id, kind, about, snapshot: Snapshot::new(), signals: Arc::default(), jobs })
    }

    /// Reads the state of the job. Returns `None` if the job has been removed.
    fn read<T>(&self, read: impl FnOnce(&Entry<Handle>) -> T) -> Option<T> {
        let jobs = self.jobs.upgrade()?;
        let core = jobs.core();
        core.scheduler.get(&self.id).map(read)
    }

    /// Changes the state of the job. If `change` returns true, starts the jobs that can now run.
    fn change(&self, change: impl FnOnce(&mut Scheduler<Handle>) -> bool) {
        let Some(jobs) = self.jobs.upgrade() else { return };
        let mut core = jobs.core();
        if change(&mut core.scheduler) {
            jobs.fill_places(&mut core);
        } else {
            jobs.changed.notify_all();
        }
    }

    /// Tells pages that the job's entry in the list of jobs has changed.
    fn list_changed(&self) {
        self.jobs.upgrade().inspect(|jobs| jobs.list_changed());
    }

    /// Returns the number of viewers.
    pub(crate) fn viewers(&self) -> usize {
        self.read(Entry::viewers).unwrap_or(0)
    }

    /// Returns whether the job continues without viewers.
    pub(crate) fn is_pinned(&self) -> bool {
        self.read(Entry::is_pinned).unwrap_or(false)
    }

    /// Returns whether the job has viewers.
    pub(crate) fn is_watched(&self) -> bool {
        self.viewers() > 0
    }

    /// Returns the requested pace.
    pub(crate) fn pace(&self) -> Pace {
        self.read(Entry::pace).unwrap_or_default()
    }

    /// Adds a viewer.
    pub(crate) fn add_viewer(&self) {
        self.change(|scheduler| scheduler.add_viewer(&self.id));
        self.list_changed();
    }

    /// Removes a viewer.
    pub(crate) fn remove_viewer(&self) {
        self.change(|scheduler| scheduler.remove_viewer(&self.id, Instant::now()));
        self.list_changed();
    }

    /// Sets whether the job continues without viewers.
    pub(crate) fn pin(&self, pinned: bool) {
        self.change(|scheduler| {
            // Publish under the lock, so that the last change is also published last.
            self.publish_about(pinned);
            scheduler.pin(&self.id, pinned)
        });
        self.list_changed();
    }

    /// Changes the pace of the job.
    pub(crate) fn change_pace(&self, change: impl FnOnce(&mut Pace)) {
        self.change(|scheduler| scheduler.change_pace(&self.id, change));
    }

    /// Publishes the problem, the solvers and the seed of the job.
    pub(super) fn publish_about(&self, pinned: bool) {
        self.snapshot.publish(Topic::About, &self.describe(pinned));
    }

    fn describe(&self, pinned: bool) -> Value {
        let mut about = self.about.clone();
        about["kind"] = json!(self.kind);
        about["pinned"] = json!(pinned);
        about
    }

    /// Returns the job's entry in the list of jobs.
    pub(super) fn list_entry(&self, state: &Entry<Handle>) -> Value {
        let mut entry = self.describe(state.is_pinned());
        entry["id"] = json!(self.id);
        entry["viewers"] = json!(state.viewers());
        entry["over"] = json!(state.is_done());
        entry["resting"] = json!(state.resting_since().is_some());
        entry
    }

    /// Returns whether the job has been asked to stop.
    pub(crate) fn is_stopped(&self) -> bool {
        self.signals.interrupt.load(Relaxed)
    }

    /// Returns whether the pace has changed since the last call to [`Job::next`].
    #[inline]
    pub(crate) fn is_pace_changed(&self) -> bool {
        self.signals.pace_changed.load(Relaxed)
    }

    /// Returns a control that is interrupted when the job is stopped.
    pub(crate) fn control(&self) -> Control {
        let mut control = Control::default();
        control.interrupt = Arc::clone(&self.signals.interrupt);
        control
    }

    /// Publishes the state of the job.
    pub(crate) fn publish_state(&self, state: &Value) {
        self.snapshot.publish(Topic::State, state);
    }

    /// Waits until the step after the frame shown at `shown_at` is due, or until the pace changes.
    pub(crate) fn next(&self, shown_at: Instant) -> Next {
        let Some(jobs) = self.jobs.upgrade() else { return Next::Stop };
        let mut core = jobs.core();
        loop {
            match core.scheduler.next(&self.id, shown_at, Instant::now()) {
                Ok(next) => return next,
                Err(left) => {
                    let woken = jobs.changed.wait_timeout(core, left);
                    core = woken.unwrap_or_else(PoisonError::into_inner).0;
                }
            }
        }
    }

    /// Rests until the job is stopped, or until it is allowed to run and has a place again. Meanwhile other
    /// jobs can use its place.
    pub(crate) fn rest(&self) {
        let Some(jobs) = self.jobs.upgrade() else { return };
        let mut core = jobs.core();
        if !core.scheduler.rest(&self.id, Instant::now()) {
            return;
        }
        // This also wakes displaced jobs, so that they can end.
        jobs.fill_places(&mut core);
        while core.scheduler.sleeps(&self.id) {
            core = jobs.changed.wait(core).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Keeps the table that the job uses in memory for later jobs.
    pub(super) fn keep_table(&self) {
        if let Some(jobs) = self.jobs.upgrade() {
            jobs.keep_table();
        }
    }
}

/// Returns the final state of a job that failed.
pub(crate) fn failed(reason: impl ToString) -> Value {
    json!({ "state": "failed", "reason": reason.to_string() })
}
