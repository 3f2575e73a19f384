//! One job: what it is about, who watches it, and whether it rests.

use super::Jobs;
use crate::guard::random;
use crate::limits::Limits;
use crate::news::{News, Topic};
use crate::pace::Pace;
use crate::refusal::Refusal;
use hippodrome::search::Control;
use serde_json::{Value, json};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Instant;

/// What a job does, on a thread of its own; the answer is its last state.
pub(crate) type Work = Box<dyn FnOnce(&Job) -> Value + Send>;

/// A job to be taken in.
pub(crate) struct Task {
    /// `watch`, `race` or `sample`.
    pub(crate) kind: &'static str,
    /// The ground, the methods and the seed, for those who come to it later.
    pub(crate) about: Value,
    pub(crate) pace: Pace,
    /// Whether it goes on though nobody watches.
    pub(crate) pinned: bool,
    pub(crate) work: Work,
}

/// Who watches a job.
struct Company {
    viewers: usize,
    /// Whether there was ever a viewer.
    met: bool,
    pinned: bool,
    /// When the last viewer left, or when it began.
    alone_since: Instant,
}

/// One job.
pub(crate) struct Job {
    pub(crate) id: String,
    pub(crate) kind: &'static str,
    about: Value,
    pub(crate) news: News,
    pub(crate) pace: Pace,
    pub(crate) interrupt: Arc<AtomicBool>,
    company: Mutex<Company>,
    jobs: Weak<Jobs>,
    /// Whether it has a place among those that run; changed by [`Jobs`] alone, under its lock.
    pub(super) placed: AtomicBool,
    /// Since when it rests, or waits to go on; changed by [`Jobs`] alone, under its lock.
    resting: Mutex<Option<Instant>>,
    /// Whether it had to end because too many others rest.
    pub(super) displaced: AtomicBool,
    pub(super) over: AtomicBool,
}

impl Job {
    /// Notes that the job uses a table of uniform tours: the next job may want the same.
    pub(super) fn keep_table(&self) {
        if let Some(jobs) = self.jobs.upgrade() {
            jobs.keep_table();
        }
    }

    /// The job of a task, and its work.
    pub(super) fn new(task: Task, jobs: Weak<Jobs>) -> Result<(Job, Work), Refusal> {
        let Task { kind, about, pace, pinned, work } = task;
        let company = Company { viewers: 0, met: false, pinned, alone_since: Instant::now() };
        let job = Job {
            id: random().map_err(Refusal::busy)?,
            kind,
            about,
            news: News::new(),
            pace,
            interrupt: Arc::default(),
            company: Mutex::new(company),
            jobs,
            placed: AtomicBool::new(false),
            resting: Mutex::new(None),
            displaced: AtomicBool::new(false),
            over: AtomicBool::new(false),
        };
        job.tell_about(&job.company());
        Ok((job, work))
    }

    fn company(&self) -> MutexGuard<'_, Company> {
        self.company.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How many watch.
    pub(crate) fn viewers(&self) -> usize {
        self.company().viewers
    }

    /// Whether it goes on though nobody watches.
    pub(crate) fn is_pinned(&self) -> bool {
        self.company().pinned
    }

    /// Whether somebody is to see what it does.
    pub(crate) fn is_watched(&self) -> bool {
        self.viewers() > 0
    }

    /// One more watches.
    pub(crate) fn arrive(&self) {
        let mut company = self.company();
        company.viewers += 1;
        company.met = true;
        self.mind(&company);
    }

    /// One less watches.
    pub(crate) fn leave(&self) {
        let mut company = self.company();
        company.viewers -= 1;
        company.alone_since = Instant::now();
        self.mind(&company);
    }

    /// Lets it go on though nobody watches, or not.
    pub(crate) fn pin(&self, pinned: bool) {
        let mut company = self.company();
        company.pinned = pinned;
        self.mind(&company);
        self.tell_about(&company);
    }

    /// What nobody watches rests; what is pinned goes on, even from a tour it rests at.
    fn mind(&self, company: &Company) {
        let left = company.viewers == 0 && company.met;
        self.pace.leave_alone(left && !company.pinned, left && company.pinned);
    }

    fn tell_about(&self, company: &Company) {
        self.news.publish(Topic::About, &self.described(company));
    }

    fn described(&self, company: &Company) -> Value {
        let mut about = self.about.clone();
        about["kind"] = json!(self.kind);
        about["pinned"] = json!(company.pinned);
        about
    }

    /// What is told of it in the list of all.
    pub(super) fn entry(&self) -> Value {
        let company = self.company();
        let mut entry = self.described(&company);
        entry["id"] = json!(self.id);
        entry["viewers"] = json!(company.viewers);
        entry["over"] = json!(self.over.load(Relaxed));
        entry["resting"] = json!(self.resting_since().is_some());
        entry
    }

    /// Asks it to end.
    pub(crate) fn end(&self) {
        self.interrupt.store(true, Relaxed);
        self.pace.stop();
    }

    pub(super) fn alone_since(&self) -> Instant {
        self.company().alone_since
    }

    pub(super) fn rests(&self, rests: bool) {
        let since = rests.then(Instant::now);
        *self.resting.lock().unwrap_or_else(PoisonError::into_inner) = since;
    }

    pub(super) fn resting_since(&self) -> Option<Instant> {
        *self.resting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether nobody has watched it for too long.
    pub(super) fn is_deserted(&self, limits: &Limits) -> bool {
        let company = self.company();
        let patience = if company.met { limits.absence } else { limits.grace };
        company.viewers == 0 && company.alone_since.elapsed() > patience
    }

    /// Whether it is over and nobody looks at it.
    pub(super) fn is_left(&self) -> bool {
        self.viewers() == 0 && self.over.load(Relaxed)
    }

    /// A control that ends with the job.
    pub(crate) fn control(&self) -> Control {
        let mut control = Control::default();
        control.interrupt = Arc::clone(&self.interrupt);
        control
    }

    /// Tells everybody its state.
    pub(crate) fn tell(&self, state: &Value) {
        self.news.publish(Topic::State, state);
    }

    /// Rests until it is to go on, and has a place again. Meanwhile others have it.
    pub(crate) fn rest(&self) {
        let jobs = self.jobs.upgrade();
        if let Some(jobs) = &jobs {
            jobs.give_up(self);
        }
        self.pace.rest();
        if let Some(jobs) = &jobs {
            jobs.take_up(self);
        }
    }

    pub(super) fn run(&self, work: Work) {
        self.tell(&json!({ "state": "running" }));
        let worked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| work(self)));
        let mut last = worked
            .unwrap_or_else(|_| failed("the search has failed, which is a bug; please report it"));
        if self.displaced.load(Relaxed) {
            last["status"] = json!("displaced");
        }
        self.tell(&last);
        self.close();
    }

    pub(super) fn close(&self) {
        self.over.store(true, Relaxed);
        self.news.close();
    }
}

/// The last state of a job that went wrong.
pub(crate) fn failed(reason: impl ToString) -> Value {
    json!({ "state": "failed", "reason": reason.to_string() })
}
