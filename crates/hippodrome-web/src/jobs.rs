//! Work that takes its time: so many jobs run, a few wait, and none goes on that nobody watches.

pub(crate) mod race;
pub(crate) mod sample;
pub(crate) mod watch;

use crate::guard::random;
use crate::limits::Limits;
use crate::news::{News, Topic};
use crate::pace::Pace;
use crate::refusal::Refusal;
use hippodrome::run::Control;
use serde_json::{Value, json};
use std::collections::{BTreeMap, VecDeque};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// How long jobs may take to end when the server does.
const LEAVE: Duration = Duration::from_secs(3);

/// What a job does, on a thread of its own; the answer is its last state.
pub(crate) type Work = Box<dyn FnOnce(&Job) -> Value + Send>;

/// One job.
pub(crate) struct Job {
    pub(crate) id: String,
    /// `watch`, `race` or `sample`.
    pub(crate) kind: &'static str,
    pub(crate) news: News,
    pub(crate) pace: Pace,
    pub(crate) interrupt: Arc<AtomicBool>,
    pub(crate) pinned: AtomicBool,
    viewers: AtomicUsize,
    /// When the last viewer left, or when it began.
    alone_since: Mutex<Instant>,
    over: AtomicBool,
}

impl Job {
    fn new(kind: &'static str, pace: Pace) -> Result<Job, Refusal> {
        Ok(Job {
            id: random().map_err(Refusal::busy)?,
            kind,
            news: News::new(),
            pace,
            interrupt: Arc::default(),
            pinned: AtomicBool::new(false),
            viewers: AtomicUsize::new(0),
            alone_since: Mutex::new(Instant::now()),
            over: AtomicBool::new(false),
        })
    }

    /// How many watch.
    pub(crate) fn viewers(&self) -> usize {
        self.viewers.load(Relaxed)
    }

    /// One more watches.
    pub(crate) fn arrive(&self) {
        self.viewers.fetch_add(1, Relaxed);
    }

    /// One less watches.
    pub(crate) fn leave(&self) {
        *self.alone_since.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
        self.viewers.fetch_sub(1, Relaxed);
    }

    /// Asks it to end.
    pub(crate) fn end(&self) {
        self.interrupt.store(true, Relaxed);
        self.pace.stop();
    }

    fn alone_since(&self) -> Instant {
        *self.alone_since.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn is_deserted(&self, limits: &Limits) -> bool {
        self.viewers() == 0 && self.alone_since().elapsed() > limits.grace
    }

    /// Whether it is over and nobody looks at it.
    fn is_left(&self) -> bool {
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

    fn run(&self, work: Work) {
        self.tell(&json!({ "state": "running" }));
        let worked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| work(self)));
        let last = worked
            .unwrap_or_else(|_| failed("the search has failed, which is a bug; please report it"));
        self.tell(&last);
        self.close();
    }

    fn close(&self) {
        self.over.store(true, Relaxed);
        self.news.close();
    }
}

/// The last state of a job that went wrong.
pub(crate) fn failed(reason: impl ToString) -> Value {
    json!({ "state": "failed", "reason": reason.to_string() })
}

/// All jobs there are.
pub(crate) struct Jobs {
    limits: Limits,
    table: Mutex<Table>,
}

#[derive(Default)]
struct Table {
    all: BTreeMap<String, Arc<Job>>,
    waiting: VecDeque<(Arc<Job>, Work)>,
    running: usize,
    threads: Vec<JoinHandle<()>>,
    closed: bool,
}

impl Jobs {
    pub(crate) fn new(limits: Limits) -> Arc<Jobs> {
        Arc::new(Jobs { limits, table: Mutex::default() })
    }

    fn table(&self) -> MutexGuard<'_, Table> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes a job in: it runs at once, waits, or is refused.
    pub(crate) fn submit(
        self: &Arc<Jobs>,
        kind: &'static str,
        pace: Pace,
        work: Work,
    ) -> Result<Arc<Job>, Refusal> {
        let mut table = self.table();
        if table.closed {
            return Err(Refusal::busy("the server is closing"));
        }
        if table.running >= self.limits.running && table.waiting.len() >= self.limits.waiting {
            return Err(Refusal::busy(format!(
                "{} searches are running and {} are waiting; stop one, or try again in a moment",
                table.running,
                table.waiting.len()
            )));
        }
        let job = Arc::new(Job::new(kind, pace)?);
        table.all.insert(job.id.clone(), Arc::clone(&job));
        table.waiting.push_back((Arc::clone(&job), work));
        self.start_some(&mut table);
        Ok(job)
    }

    /// Starts those that wait while there is room, and tells the others where they stand.
    fn start_some(self: &Arc<Jobs>, table: &mut Table) {
        while table.running < self.limits.running {
            let Some((job, work)) = table.waiting.pop_front() else { break };
            let jobs = Arc::clone(self);
            let runner = Arc::clone(&job);
            let spawned =
                std::thread::Builder::new().name(format!("hippo {}", job.kind)).spawn(move || {
                    runner.run(work);
                    jobs.finished();
                });
            match spawned {
                Ok(thread) => {
                    table.running += 1;
                    table.threads.push(thread);
                }
                Err(error) => {
                    job.tell(&failed(error));
                    job.close();
                }
            }
        }
        for (ahead, (job, _)) in table.waiting.iter().enumerate() {
            job.tell(&json!({ "state": "waiting", "ahead": ahead, "running": table.running }));
        }
    }

    fn finished(self: &Arc<Jobs>) {
        let mut table = self.table();
        table.running -= 1;
        if !table.closed {
            self.start_some(&mut table);
        }
    }

    /// A job by its number.
    pub(crate) fn get(&self, id: &str) -> Result<Arc<Job>, Refusal> {
        let found = self.table().all.get(id).cloned();
        found.ok_or_else(|| Refusal::missing("there is no such search; it may have ended long ago"))
    }

    /// Ends a job; one that waits is gone at once.
    pub(crate) fn end(self: &Arc<Jobs>, job: &Job) {
        job.end();
        let mut table = self.table();
        table.waiting.retain(|(waiting, _)| waiting.id != job.id || !quit(waiting));
        self.start_some(&mut table);
    }

    /// Ends what nobody watches, and forgets what nobody looks at any more.
    pub(crate) fn tidy(self: &Arc<Jobs>) {
        let deserted: Vec<Arc<Job>> = {
            let mut table = self.table();
            table.threads.retain(|thread| !thread.is_finished());
            let limits = &self.limits;
            let mut finished: Vec<Arc<Job>> =
                table.all.values().filter(|j| j.is_left()).cloned().collect();
            finished.sort_by_key(|job| job.alone_since());
            let surplus = finished.len().saturating_sub(limits.kept);
            for (place, job) in finished.iter().enumerate() {
                let old = job.is_deserted(limits) && !job.pinned.load(Relaxed);
                if old || place < surplus {
                    table.all.remove(&job.id);
                }
            }
            let idle = |job: &&Arc<Job>| {
                job.is_deserted(limits) && !job.over.load(Relaxed) && !job.pinned.load(Relaxed)
            };
            table.all.values().filter(idle).cloned().collect()
        };
        deserted.iter().for_each(|job| self.end(job));
    }

    /// Ends all jobs; none is taken any more.
    pub(crate) fn end_all(&self) {
        let mut table = self.table();
        table.closed = true;
        table.waiting.drain(..).for_each(|(job, _)| _ = quit(&job));
        table.all.values().for_each(|job| {
            job.end();
            job.news.close();
        });
    }

    /// Waits for the threads of all jobs, but not for long: one may be making a large table.
    pub(crate) fn join(&self) {
        let begun = Instant::now();
        let threads = std::mem::take(&mut self.table().threads);
        while threads.iter().any(|thread| !thread.is_finished()) && begun.elapsed() < LEAVE {
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// What there is, for those who have the token.
    pub(crate) fn list(&self) -> Value {
        let table = self.table();
        let entry = |job: &Arc<Job>| {
            json!({
                "id": job.id,
                "kind": job.kind,
                "pinned": job.pinned.load(Relaxed),
                "viewers": job.viewers(),
                "over": job.over.load(Relaxed),
            })
        };
        let all: Value = table.all.values().map(entry).collect();
        json!({ "schema": 1, "running": table.running, "waiting": table.waiting.len(), "jobs": all })
    }
}

/// Tells those who watch a job that waits that it will not come to it.
fn quit(job: &Job) -> bool {
    job.tell(&json!({ "state": "done", "status": "interrupted" }));
    job.close();
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::channel;

    fn limits() -> Limits {
        let grace = Duration::from_millis(20);
        Limits { running: 2, waiting: 3, grace, ..Limits::default() }
    }

    fn until(what: impl Fn() -> bool) {
        let begun = Instant::now();
        while !what() {
            assert!(begun.elapsed() < Duration::from_secs(20), "it does not come about");
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    /// Work that goes on until it is told to end.
    fn endless() -> Work {
        Box::new(|job| {
            until(|| job.interrupt.load(Relaxed));
            json!({ "state": "done", "status": "interrupted" })
        })
    }

    #[test]
    fn as_many_run_as_may_and_a_few_wait() {
        let jobs = Jobs::new(limits());
        let taken: Vec<_> = (0..5)
            .map(|_| jobs.submit("watch", Pace::new(None, false), endless()).unwrap())
            .collect();
        let refused =
            jobs.submit("watch", Pace::new(None, false), endless()).map(|job| job.id.clone());
        assert_eq!(refused.unwrap_err().0.as_u16(), 429);
        let list = jobs.list();
        assert_eq!((list["running"].as_u64(), list["waiting"].as_u64()), (Some(2), Some(3)));
        jobs.end(&taken[3]);
        assert_eq!(jobs.list()["waiting"], 2);
        jobs.end(&taken[0]);
        until(|| jobs.list()["waiting"] == 1);
        jobs.end_all();
        jobs.join();
        assert_eq!(jobs.list()["running"], 0);
    }

    #[test]
    fn what_nobody_watches_ends_unless_it_is_pinned() {
        let jobs = Jobs::new(limits());
        let one = jobs.submit("watch", Pace::new(None, false), endless()).unwrap();
        let pinned = jobs.submit("watch", Pace::new(None, false), endless()).unwrap();
        pinned.pinned.store(true, Relaxed);
        one.arrive();
        std::thread::sleep(Duration::from_millis(40));
        jobs.tidy();
        assert!(!one.interrupt.load(Relaxed), "somebody watches it");
        one.leave();
        until(|| {
            jobs.tidy();
            jobs.get(&one.id).is_err()
        });
        assert!(one.over.load(Relaxed) && !pinned.interrupt.load(Relaxed));
        jobs.end_all();
        jobs.join();
    }

    #[test]
    fn of_jobs_that_are_done_only_the_latest_are_kept() {
        let jobs = Jobs::new(Limits { kept: 3, grace: Duration::from_secs(600), ..limits() });
        let mut last = String::new();
        for _ in 0..50 {
            let work = Box::new(|_: &Job| json!({ "state": "done" }));
            let job = jobs.submit("sample", Pace::new(None, false), work).unwrap();
            until(|| job.over.load(Relaxed));
            last.clone_from(&job.id);
        }
        jobs.tidy();
        assert_eq!(jobs.list()["jobs"].as_array().map(Vec::len), Some(3));
        assert!(jobs.get(&last).is_ok());
    }

    #[test]
    fn work_that_panics_is_reported_and_gives_its_place_back() {
        let jobs = Jobs::new(limits());
        let (told, heard) = channel();
        let job = jobs
            .submit("watch", Pace::new(None, false), Box::new(|_| panic!("on purpose")))
            .unwrap();
        until(|| job.over.load(Relaxed));
        let texts = job.news.since(0).texts;
        assert!(std::str::from_utf8(&texts[0]).unwrap().contains("which is a bug"));
        let next = move |_: &Job| {
            let _ = told.send(());
            json!({})
        };
        jobs.submit("watch", Pace::new(None, false), Box::new(next)).unwrap();
        heard.recv_timeout(Duration::from_secs(20)).unwrap();
    }
}
