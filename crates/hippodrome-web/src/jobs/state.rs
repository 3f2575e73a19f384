//! The state machine of all jobs: which jobs run, rest, wait or are done, and how many viewers each one has.
//!
//! [`Scheduler`] is plain data: it has no threads, no lock and no clock, so every transition can be tested.
//! [`super::Jobs`] owns the only scheduler, protects it by the only lock, starts threads and sends messages.
//!
//! A job needs a place to run. The number of places is the maximum number of jobs that run at once.
//!
//! | phase | thread | holds a place | in the queue |
//! |---|---|---|---|
//! | Queued | none yet | no | yes |
//! | Running | works | yes | no |
//! | Resting | sleeps | no | no |
//! | Requeued | sleeps | no | yes |
//! | Stopping | ends its work | as before the stop | no |
//! | Done | has ended | no | no |
//!
//! The next table shows the transitions that each method makes. A dash means that the phase does not change.
//! Viewers and pins are recorded in every phase, so that results are kept while they have viewers. The pace
//! of a job that is done never changes.
//!
//! | | Queued | Running | Resting | Requeued | Stopping | Done |
//! |---|---|---|---|---|---|---|
//! | [`start_next`](Scheduler::start_next), with a free place | Running | – | – | Running | – | – |
//! | [`rest`](Scheduler::rest), if the pace requires a rest | – | Resting | – | – | – | – |
//! | [`change_pace`](Scheduler::change_pace), if it ends the rest | – | – | Requeued | – | – | – |
//! | [`add_viewer`](Scheduler::add_viewer), [`pin`](Scheduler::pin), if it ends the rest | – | – | Requeued | – | – | – |
//! | [`remove_viewer`](Scheduler::remove_viewer) | – | – | – (¹) | – | – | – |
//! | [`stop`](Scheduler::stop) | Done | Stopping | Stopping | Stopping | – | – |
//! | [`make_room`](Scheduler::make_room), if a job waits and this one has no viewers | – | Stopping | – | – | – | – |
//! | [`finish`](Scheduler::finish): the work returned or panicked | – | Done | – | – | Done | – |
//! | [`close`](Scheduler::close): as `stop`, for every job | Done | Stopping | Stopping | Stopping | – | – |
//! | [`forget_finished`](Scheduler::forget_finished) | – | – | – | – | – | removed |
//!
//! (¹) Requeued if the job is pinned and rests at a tour, because it then continues without viewers.
//!
//! A job that rests releases its place, and needs a place again to run. A job that stops needs no place. Free
//! places are given to the jobs in the queue in order, whether they are new or return from a rest.

use crate::limits::Limits;
use crate::pace::{Next, Pace};
use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// The phase of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    /// The job waits for its first place.
    Queued,
    /// The job holds a place and works.
    Running,
    /// The job sleeps without a place, because it is paused or has no viewers.
    Resting {
        /// When the rest began.
        since: Instant,
    },
    /// The job is allowed to run again, and waits for a free place.
    Requeued {
        /// When the rest began.
        since: Instant,
    },
    /// The job was asked to stop, and is ending its work.
    Stopping {
        /// Whether the job still holds a place.
        placed: bool,
        /// Whether the job was stopped to make room for other resting jobs.
        displaced: bool,
    },
    /// The job has ended.
    Done,
}

/// The effect of a request to stop a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    /// The job had not begun and is now done; no thread will report its end.
    Dequeued,
    /// The job's thread was asked to end its work.
    Asked,
    /// The job is unknown, or it was already stopping or done.
    Ignored,
}

/// The reason for refusing a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Refused {
    /// The server is shutting down.
    Closed,
    /// All places are taken and the queue is full.
    Full {
        /// Number of jobs that hold a place.
        running: usize,
        /// Number of jobs that wait for their first place.
        queued: usize,
    },
}

/// Flags that a job's thread reads at every step without taking the lock. Only transitions set them.
#[derive(Debug, Default)]
pub(super) struct Signals {
    /// Whether the job must stop. The library's searches check this flag.
    pub(super) interrupt: Arc<AtomicBool>,
    /// Whether the pace has changed since the search last read it.
    pub(super) pace_changed: AtomicBool,
}

/// The viewers of a job, and whether it needs them.
#[derive(Clone, Copy, Debug)]
struct Audience {
    viewers: usize,
    /// Whether the job has ever had a viewer.
    ever_watched: bool,
    /// Whether the job continues without viewers.
    pinned: bool,
    /// When the last viewer left, or when the job was submitted.
    unwatched_since: Instant,
}

impl Audience {
    /// Returns whether the job has been without viewers for longer than allowed.
    fn is_absent(&self, now: Instant, limits: &Limits) -> bool {
        let allowed = if self.ever_watched { limits.absence } else { limits.grace };
        self.viewers == 0 && now.saturating_duration_since(self.unwatched_since) > allowed
    }
}

/// The state of one job, with data that belongs to the owner of the scheduler.
pub(super) struct Entry<J> {
    phase: Phase,
    audience: Audience,
    pace: Pace,
    signals: Arc<Signals>,
    pub(super) job: J,
}

impl<J> Entry<J> {
    pub(super) fn pace(&self) -> Pace {
        self.pace
    }

    pub(super) fn viewers(&self) -> usize {
        self.audience.viewers
    }

    pub(super) fn is_pinned(&self) -> bool {
        self.audience.pinned
    }

    /// Returns whether the job is neither stopping nor done.
    fn is_alive(&self) -> bool {
        !matches!(self.phase, Phase::Stopping { .. } | Phase::Done)
    }

    pub(super) fn is_done(&self) -> bool {
        self.phase == Phase::Done
    }

    /// Returns when the current rest began. A rest lasts until the job has a place again.
    pub(super) fn resting_since(&self) -> Option<Instant> {
        match self.phase {
            Phase::Resting { since } | Phase::Requeued { since } => Some(since),
            _ => None,
        }
    }

    fn holds_place(&self) -> bool {
        matches!(self.phase, Phase::Running | Phase::Stopping { placed: true, .. })
    }

    /// Updates the pace after viewers or pin have changed: a job without viewers rests, unless it is pinned.
    fn attend(&mut self) {
        let left = self.audience.viewers == 0 && self.audience.ever_watched;
        let pinned = self.audience.pinned;
        self.pace.attend(left && !pinned, left && pinned);
    }
}

/// The state of all jobs.
pub(super) struct Scheduler<J> {
    limits: Limits,
    jobs: BTreeMap<String, Entry<J>>,
    /// The ids of the jobs in the phases Queued and Requeued, in the order in which they will run.
    queue: VecDeque<String>,
    closed: bool,
}

impl<J> Scheduler<J> {
    pub(super) fn new(limits: Limits) -> Scheduler<J> {
        Scheduler { limits, jobs: BTreeMap::new(), queue: VecDeque::new(), closed: false }
    }

    /// Adds a job at the end of the queue.
    pub(super) fn submit(
        &mut self,
        id: &str,
        (pace, pinned): (Pace, bool),
        signals: Arc<Signals>,
        job: J,
        now: Instant,
    ) -> Result<(), Refused> {
        if self.closed {
            return Err(Refused::Closed);
        }
        let (running, queued) = (self.running(), self.count(|e| e.phase == Phase::Queued));
        if running >= self.limits.running && queued >= self.limits.waiting {
            return Err(Refused::Full { running, queued });
        }
        let audience = Audience { viewers: 0, ever_watched: false, pinned, unwatched_since: now };
        let entry = Entry { phase: Phase::Queued, audience, pace, signals, job };
        self.jobs.insert(id.to_string(), entry);
        self.queue.push_back(id.to_string());
        Ok(())
    }

    /// Gives a free place, if there is one, to the first job in the queue. Returns that job.
    pub(super) fn start_next(&mut self) -> Option<&mut Entry<J>> {
        if self.closed || self.running() >= self.limits.running {
            return None;
        }
        let id = self.queue.pop_front()?;
        let entry = self.jobs.get_mut(&id)?;
        entry.phase = Phase::Running;
        Some(entry)
    }

    /// Lets a running job rest if its pace requires a rest. Returns whether the job now rests. If it does,
    /// its place is free, and resting jobs beyond the limit are stopped.
    pub(super) fn rest(&mut self, id: &str, now: Instant) -> bool {
        let Some(entry) = self.jobs.get_mut(id) else { return false };
        if entry.phase != Phase::Running || !entry.pace.is_to_rest() {
            return false;
        }
        entry.phase = Phase::Resting { since: now };
        self.displace();
        true
    }

    /// Stops resting jobs beyond the limit. It stops jobs without viewers before others, then unpinned jobs
    /// before pinned ones, then the job that has rested longest.
    fn displace(&mut self) {
        let key = |(id, e): (&String, &Entry<J>)| {
            let since = e.resting_since()?;
            Some((e.viewers() > 0, e.is_pinned(), since, id.clone()))
        };
        let mut resting: Vec<_> = self.jobs.iter().filter_map(key).collect();
        resting.sort_unstable();
        let surplus = resting.len().saturating_sub(self.limits.resting);
        for (.., id) in &resting[..surplus] {
            self.stop_with(id, true);
        }
    }

    /// Changes the pace of a job that is not done. Returns whether this ends the job's rest.
    pub(super) fn change_pace(&mut self, id: &str, change: impl FnOnce(&mut Pace)) -> bool {
        if self.get(id).is_none_or(Entry::is_done) {
            return false;
        }
        self.change(id, |entry| change(&mut entry.pace))
    }

    /// Adds a viewer. Returns whether this ends the job's rest.
    pub(super) fn add_viewer(&mut self, id: &str) -> bool {
        self.change(id, |entry| {
            entry.audience.viewers += 1;
            entry.audience.ever_watched = true;
            entry.attend();
        })
    }

    /// Removes a viewer. Returns whether this ends the job's rest, which happens if the job is pinned and
    /// rests at a tour.
    pub(super) fn remove_viewer(&mut self, id: &str, now: Instant) -> bool {
        self.change(id, |entry| {
            entry.audience.viewers = entry.audience.viewers.saturating_sub(1);
            entry.audience.unwatched_since = now;
            entry.attend();
        })
    }

    /// Sets whether a job continues without viewers. Returns whether this ends the job's rest.
    pub(super) fn pin(&mut self, id: &str, pinned: bool) -> bool {
        self.change(id, |entry| {
            entry.audience.pinned = pinned;
            entry.attend();
        })
    }

    /// Changes the pace, the viewers or the pin of a job. If this ends the job's rest, queues the job and
    /// returns true.
    fn change(&mut self, id: &str, change: impl FnOnce(&mut Entry<J>)) -> bool {
        let Some(entry) = self.jobs.get_mut(id) else { return false };
        change(entry);
        entry.signals.pace_changed.store(true, Relaxed);
        match entry.phase {
            Phase::Resting { since } if !entry.pace.is_to_rest() => {
                entry.phase = Phase::Requeued { since };
                self.queue.push_back(id.to_string());
                true
            }
            _ => false,
        }
    }

    /// Returns what a search does after the frame shown at `shown_at`. `Err` contains the time left to wait.
    pub(super) fn next(
        &mut self,
        id: &str,
        shown_at: Instant,
        now: Instant,
    ) -> Result<Next, Duration> {
        let Some(entry) = self.jobs.get_mut(id) else { return Ok(Next::Stop) };
        entry.signals.pace_changed.store(false, Relaxed);
        match entry.phase {
            Phase::Stopping { .. } | Phase::Done => Ok(Next::Stop),
            _ => entry.pace.next(shown_at, now),
        }
    }

    /// Stops a job. A job that has not begun is done at once; any other job is asked to end its work.
    pub(super) fn stop(&mut self, id: &str) -> Stop {
        self.stop_with(id, false)
    }

    fn stop_with(&mut self, id: &str, displaced: bool) -> Stop {
        let Some(entry) = self.jobs.get_mut(id) else { return Stop::Ignored };
        let placed = entry.holds_place();
        let (phase, outcome) = match entry.phase {
            Phase::Queued => (Phase::Done, Stop::Dequeued),
            Phase::Running | Phase::Resting { .. } | Phase::Requeued { .. } => {
                (Phase::Stopping { placed, displaced }, Stop::Asked)
            }
            Phase::Stopping { .. } | Phase::Done => return Stop::Ignored,
        };
        entry.phase = phase;
        entry.signals.interrupt.store(true, Relaxed);
        entry.signals.pace_changed.store(true, Relaxed);
        self.queue.retain(|queued| queued != id);
        outcome
    }

    /// Stops the running job that has been without viewers for longest, if another job waits for a place. A
    /// job is left alone if it is pinned, or if its last viewer left only a moment ago, as when a page is
    /// refreshed. Searches that are watched rest then, so this concerns races and galleries.
    pub(super) fn make_room(&mut self, now: Instant) {
        let ending = self.count(|e| matches!(e.phase, Phase::Stopping { placed: true, .. }));
        if self.queue.is_empty() || self.running() < self.limits.running || ending > 0 {
            return;
        }
        let is_left = |entry: &Entry<J>| {
            let Audience { viewers, ever_watched, pinned, unwatched_since } = entry.audience;
            let left = now.saturating_duration_since(unwatched_since) > self.limits.grace;
            entry.phase == Phase::Running && viewers == 0 && ever_watched && !pinned && left
        };
        let left = self.jobs.iter().filter(|(_, entry)| is_left(entry));
        let longest = left.min_by_key(|(_, entry)| entry.audience.unwatched_since);
        if let Some(id) = longest.map(|(id, _)| id.clone()) {
            self.stop_with(&id, true);
        }
    }

    /// Records that the work of a job returned or panicked, and frees the job's place. Returns whether the
    /// job was displaced, or `None` if it was not working.
    pub(super) fn finish(&mut self, id: &str) -> Option<bool> {
        let entry = self.jobs.get_mut(id)?;
        let displaced = match entry.phase {
            Phase::Running => false,
            Phase::Stopping { displaced, .. } => displaced,
            Phase::Queued | Phase::Resting { .. } | Phase::Requeued { .. } | Phase::Done => {
                return None;
            }
        };
        entry.phase = Phase::Done;
        Some(displaced)
    }

    /// Stops all jobs and accepts no new ones. Returns the ids of the jobs that had not begun.
    pub(super) fn close(&mut self) -> Vec<String> {
        self.closed = true;
        let all: Vec<String> = self.jobs.keys().cloned().collect();
        all.into_iter().filter(|id| self.stop(id) == Stop::Dequeued).collect()
    }

    /// Removes jobs that are done and have no viewers: those that have expired and are not pinned, and the
    /// oldest ones beyond the limit.
    pub(super) fn forget_finished(&mut self, now: Instant) {
        let done = |e: &Entry<J>| e.is_done() && e.viewers() == 0;
        let mut finished: Vec<_> = self
            .jobs
            .iter()
            .filter(|(_, entry)| done(entry))
            .map(|(id, entry)| (entry.audience.unwatched_since, id.clone()))
            .collect();
        finished.sort_unstable();
        let surplus = finished.len().saturating_sub(self.limits.kept);
        for (place, (_, id)) in finished.iter().enumerate() {
            let audience = &self.jobs[id].audience;
            let expired = audience.is_absent(now, &self.limits) && !audience.pinned;
            if expired || place < surplus {
                self.jobs.remove(id);
            }
        }
    }

    /// Returns the jobs that have been without viewers for too long, are not pinned, and are neither stopping
    /// nor done.
    pub(super) fn abandoned(&self, now: Instant) -> Vec<String> {
        let is_abandoned = |e: &Entry<J>| {
            e.audience.is_absent(now, &self.limits) && !e.is_pinned() && e.is_alive()
        };
        self.jobs.iter().filter(|(_, e)| is_abandoned(e)).map(|(id, _)| id.clone()).collect()
    }

    /// Returns the state of a job, if the job is known.
    pub(super) fn get(&self, id: &str) -> Option<&Entry<J>> {
        self.jobs.get(id)
    }

    /// Returns all jobs, in the order of their ids.
    pub(super) fn entries(&self) -> impl Iterator<Item = &Entry<J>> {
        self.jobs.values()
    }

    /// Returns the jobs that wait for a place, in the order in which they will run.
    pub(super) fn queue(&self) -> impl ExactSizeIterator<Item = &Entry<J>> {
        self.queue.iter().map(|id| &self.jobs[id])
    }

    /// Returns whether the thread of a job sleeps until the job has a place.
    pub(super) fn sleeps(&self, id: &str) -> bool {
        self.get(id).is_some_and(|entry| entry.resting_since().is_some())
    }

    /// Returns the number of places that are taken.
    pub(super) fn running(&self) -> usize {
        self.count(Entry::holds_place)
    }

    pub(super) fn is_closed(&self) -> bool {
        self.closed
    }

    fn count(&self, is: impl Fn(&Entry<J>) -> bool) -> usize {
        self.jobs.values().filter(|entry| is(entry)).count()
    }
}

#[cfg(test)]
mod tests;
