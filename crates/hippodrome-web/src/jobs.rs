//! Work that takes its time: so many jobs run, some rest, a few wait, and none goes on that nobody watches.
//!
//! A job that rests gives its place up and stands in line for another before it goes on, so that a
//! search that somebody thinks about keeps nobody waiting.

mod job;
pub(crate) mod race;
pub(crate) mod sample;
mod tables;
pub(crate) mod watch;

pub(crate) use job::{Job, Task, Work, failed};

use crate::limits::Limits;
use crate::refusal::Refusal;
use hippodrome::uniform::Lease;
use serde_json::{Value, json};
use std::collections::{BTreeMap, VecDeque};
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// How long jobs may take to end when the server does.
const LEAVE: Duration = Duration::from_secs(3);

/// All jobs there are.
pub(crate) struct Jobs {
    limits: Limits,
    table: Mutex<Table>,
    /// Tells those who have rested that they have a place, or are to end.
    called: Condvar,
}

#[derive(Default)]
struct Table {
    all: BTreeMap<String, Arc<Job>>,
    /// Those who begin have their work with them; those who have rested do not.
    waiting: VecDeque<(Arc<Job>, Option<Work>)>,
    running: usize,
    threads: Vec<JoinHandle<()>>,
    /// Keeps the last table of uniform tours for a while after its last use, and when that was.
    lease: Option<(Lease, Instant)>,
    closed: bool,
}

impl Table {
    fn beginners(&self) -> usize {
        self.waiting.iter().filter(|(_, work)| work.is_some()).count()
    }

    fn vacate(&mut self, job: &Job) {
        if job.placed.swap(false, Relaxed) {
            self.running -= 1;
        }
    }

    /// Ends those who have rested longest where too many rest, the unwatched first.
    fn make_room(&self, most: usize) {
        let mut resting: Vec<_> = self
            .all
            .values()
            .filter(|job| !job.interrupt.load(Relaxed))
            .filter_map(|job| Some((job.is_watched(), job.is_pinned(), job.resting_since()?, job)))
            .collect();
        resting.sort_by_key(|&(watched, pinned, since, _)| (watched, pinned, since));
        let surplus = resting.len().saturating_sub(most);
        for (.., job) in &resting[..surplus] {
            job.displaced.store(true, Relaxed);
            job.end();
        }
    }
}

impl Jobs {
    pub(crate) fn new(limits: Limits) -> Arc<Jobs> {
        Arc::new(Jobs { limits, table: Mutex::default(), called: Condvar::new() })
    }

    fn table(&self) -> MutexGuard<'_, Table> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes a job in: it runs at once, waits, or is refused.
    pub(crate) fn submit(self: &Arc<Jobs>, task: Task) -> Result<Arc<Job>, Refusal> {
        let mut table = self.table();
        if table.closed {
            return Err(Refusal::busy("the server is closing"));
        }
        let beginners = table.beginners();
        if table.running >= self.limits.running && beginners >= self.limits.waiting {
            return Err(Refusal::busy(format!(
                "{} searches are running and {beginners} are waiting; stop one, or try again in a moment",
                table.running,
            )));
        }
        let (job, work) = Job::new(task, Arc::downgrade(self))?;
        let job = Arc::new(job);
        table.all.insert(job.id.clone(), Arc::clone(&job));
        table.waiting.push_back((Arc::clone(&job), Some(work)));
        self.start_some(&mut table);
        Ok(job)
    }

    /// Starts those that wait while there is room, and tells the others where they stand.
    fn start_some(self: &Arc<Jobs>, table: &mut Table) {
        while table.running < self.limits.running {
            let Some((job, work)) = table.waiting.pop_front() else { break };
            let Some(work) = work else {
                job.placed.store(true, Relaxed);
                table.running += 1;
                self.called.notify_all();
                continue;
            };
            let jobs = Arc::clone(self);
            let runner = Arc::clone(&job);
            // The thread looks at its place only under the lock that is held here.
            let spawned =
                std::thread::Builder::new().name(format!("hippo {}", job.kind)).spawn(move || {
                    runner.run(work);
                    jobs.finished(&runner);
                });
            match spawned {
                Ok(thread) => {
                    job.placed.store(true, Relaxed);
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

    fn finished(self: &Arc<Jobs>, job: &Job) {
        let mut table = self.table();
        table.vacate(job);
        if !table.closed {
            self.start_some(&mut table);
        }
    }

    /// A job comes to rest: others may have its place.
    fn give_up(self: &Arc<Jobs>, job: &Job) {
        let mut table = self.table();
        table.vacate(job);
        job.rests(true);
        table.make_room(self.limits.resting);
        self.called.notify_all();
        if !table.closed {
            self.start_some(&mut table);
        }
    }

    /// A job goes on: it waits for a place, unless it is to end, which needs none.
    fn take_up(self: &Arc<Jobs>, job: &Job) {
        let mut table = self.table();
        if let Some(own) = table.all.get(&job.id).cloned() {
            table.waiting.push_back((own, None));
        }
        let at_liberty = || job.placed.load(Relaxed) || job.interrupt.load(Relaxed);
        if !at_liberty() {
            self.start_some(&mut table);
        }
        while !at_liberty() {
            table = self.called.wait(table).unwrap_or_else(PoisonError::into_inner);
        }
        table.waiting.retain(|(waiting, _)| waiting.id != job.id);
        job.rests(false);
    }

    /// A job uses a table of uniform tours: the next one may want the same.
    fn keep_table(&self) {
        let mut table = self.table();
        if !table.closed {
            let lease = table.lease.take().map_or_else(Lease::new, |(lease, _)| lease);
            table.lease = Some((lease, Instant::now()));
        }
    }

    /// A job by its number.
    pub(crate) fn get(&self, id: &str) -> Result<Arc<Job>, Refusal> {
        let found = self.table().all.get(id).cloned();
        found.ok_or_else(|| Refusal::missing("there is no such search; it may have ended long ago"))
    }

    /// Ends a job; one that waits to begin is gone at once.
    pub(crate) fn end(self: &Arc<Jobs>, job: &Job) {
        job.end();
        let mut table = self.table();
        table.waiting.retain(|(waiting, work)| {
            let stays = waiting.id != job.id;
            if !stays && work.is_some() {
                quit(waiting);
            }
            stays
        });
        self.called.notify_all();
        if !table.closed {
            self.start_some(&mut table);
        }
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
                let old = job.is_deserted(limits) && !job.is_pinned();
                if old || place < surplus {
                    table.all.remove(&job.id);
                }
            }
            if table.lease.as_ref().is_some_and(|(_, used)| used.elapsed() > limits.absence) {
                table.lease = None;
            }
            let idle = |job: &&Arc<Job>| {
                job.is_deserted(limits) && !job.over.load(Relaxed) && !job.is_pinned()
            };
            table.all.values().filter(idle).cloned().collect()
        };
        deserted.iter().for_each(|job| self.end(job));
    }

    /// Ends all jobs; none is taken any more.
    pub(crate) fn end_all(&self) {
        let mut table = self.table();
        table.closed = true;
        table.lease = None;
        for (job, work) in std::mem::take(&mut table.waiting) {
            if work.is_some() {
                quit(&job);
            }
        }
        table.all.values().for_each(|job| {
            job.end();
            job.news.close();
        });
        self.called.notify_all();
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
        let all: Value = table.all.values().map(|job| job.entry()).collect();
        json!({ "schema": 1, "running": table.running, "waiting": table.waiting.len(), "jobs": all })
    }
}

/// Tells those who watch a job that waits that it will not come to it.
fn quit(job: &Job) {
    job.tell(&json!({ "state": "done", "status": "interrupted" }));
    job.close();
}

#[cfg(test)]
mod tests;
