//! The state machine of all jobs: which run, rest, wait or are done, and how many viewers they have.
//!
//! [`Scheduler`] is plain data: it has no threads, no lock and no clock, so every transition can be tested.
//! [`super::Jobs`] owns the only scheduler, under the only lock, and starts threads and sends messages.
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
//! Transitions, by method. A dash means that the phase is unchanged. Viewers and pins are recorded in every
//! phase, so that results are kept while they are viewed. The pace of a job that is done never changes.
//!
//! | | Queued | Running | Resting | Requeued | Stopping | Done |
//! |---|---|---|---|---|---|---|
//! | [`start_next`](Scheduler::start_next), with a free place | Running | – | – | Running | – | – |
//! | [`rest`](Scheduler::rest), if the pace requires a rest | – | Resting | – | – | – | – |
//! | [`change_pace`](Scheduler::change_pace), if it ends the rest | – | – | Requeued | – | – | – |
//! | [`add_viewer`](Scheduler::add_viewer), [`pin`](Scheduler::pin), if it ends the rest | – | – | Requeued | – | – | – |
//! | [`remove_viewer`](Scheduler::remove_viewer) | – | – | – (¹) | – | – | – |
//! | [`stop`](Scheduler::stop) | Done | Stopping | Stopping | Stopping | – | – |
//! | [`finish`](Scheduler::finish): the work returned or panicked | – | Done | – | – | Done | – |
//! | [`close`](Scheduler::close): as `stop`, for every job | Done | Stopping | Stopping | Stopping | – | – |
//! | [`forget_finished`](Scheduler::forget_finished) | – | – | – | – | – | removed |
//!
//! (¹) Requeued if the job is pinned and rests at a tour: it continues without viewers.
//!
//! A job that rests releases its place, and needs a place again to run; a job that stops needs none. Free
//! places are given to queued jobs in order, whether they are new or return from a rest.

use crate::limits::Limits;
use crate::pace::{Next, Pace};
use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// Phase of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    /// Waits for its first place.
    Queued,
    /// Holds a place and works.
    Running,
    /// Sleeps without a place, because it is paused or unwatched.
    Resting {
        /// When the rest began.
        since: Instant,
    },
    /// May run again, and waits for a place.
    Requeued {
        /// When the rest began.
        since: Instant,
    },
    /// Was asked to stop, and is ending its work.
    Stopping {
        /// Whether it still holds a place.
        placed: bool,
        /// Whether it was stopped to make room for other resting jobs.
        displaced: bool,
    },
    /// Has ended.
    Done,
}

/// Effect of a stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    /// The job had not begun and is done; no thread will report its end.
    Dequeued,
    /// The job's thread was asked to end its work.
    Asked,
    /// The job is stopping or done already, or unknown.
    Ignored,
}

/// Reason to refuse a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Refused {
    /// The server is shutting down.
    Closed,
    /// All places are taken and the queue is full.
    Full {
        /// Jobs that hold a place.
        running: usize,
        /// Jobs that wait for their first place.
        queued: usize,
    },
}

/// Flags that a job's thread reads at every step, without the lock. Only transitions set them.
#[derive(Debug, Default)]
pub(super) struct Signals {
    /// Whether the job must stop; the library's searches poll it.
    pub(super) interrupt: Arc<AtomicBool>,
    /// Whether the pace has changed since the search last read it.
    pub(super) pace_changed: AtomicBool,
}

/// The viewers of a job.
#[derive(Clone, Copy, Debug)]
struct Audience {
    viewers: usize,
    /// Whether there was ever a viewer.
    ever_watched: bool,
    /// Whether the job continues without viewers.
    pinned: bool,
    /// When the last viewer left, or when the job was submitted.
    unwatched_since: Instant,
}

impl Audience {
    /// Whether the job has been without viewers for longer than allowed.
    fn is_absent(&self, now: Instant, limits: &Limits) -> bool {
        let allowed = if self.ever_watched { limits.absence } else { limits.grace };
        self.viewers == 0 && now.saturating_duration_since(self.unwatched_since) > allowed
    }
}

/// The state of one job, and the owner's data.
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

    /// Whether it is neither stopping nor done.
    fn is_alive(&self) -> bool {
        !matches!(self.phase, Phase::Stopping { .. } | Phase::Done)
    }

    pub(super) fn is_done(&self) -> bool {
        self.phase == Phase::Done
    }

    /// When the current rest began. It lasts until the job has a place again.
    pub(super) fn resting_since(&self) -> Option<Instant> {
        match self.phase {
            Phase::Resting { since } | Phase::Requeued { since } => Some(since),
            _ => None,
        }
    }

    fn holds_place(&self) -> bool {
        matches!(self.phase, Phase::Running | Phase::Stopping { placed: true, .. })
    }

    /// Updates the pace after a change of the audience: a job without viewers rests, unless it is pinned.
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
    /// Jobs in the phases Queued and Requeued, the next first.
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

    /// Gives a free place, if there is one, to the first job of the queue. Returns that job.
    pub(super) fn start_next(&mut self) -> Option<&mut Entry<J>> {
        if self.closed || self.running() >= self.limits.running {
            return None;
        }
        let id = self.queue.pop_front()?;
        let entry = self.jobs.get_mut(&id)?;
        entry.phase = Phase::Running;
        Some(entry)
    }

    /// Lets a running job rest, if its pace requires it. Returns whether it rests now; if so, its place is
    /// free, and resting jobs beyond the limit are stopped.
    pub(super) fn rest(&mut self, id: &str, now: Instant) -> bool {
        let Some(entry) = self.jobs.get_mut(id) else { return false };
        if entry.phase != Phase::Running || !entry.pace.is_to_rest() {
            return false;
        }
        entry.phase = Phase::Resting { since: now };
        self.displace();
        true
    }

    /// Stops resting jobs beyond the limit: unwatched before watched, unpinned before pinned, then longest rest first.
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

    /// Changes the pace of a job that is not done. Returns whether that ends its rest.
    pub(super) fn change_pace(&mut self, id: &str, change: impl FnOnce(&mut Pace)) -> bool {
        if self.get(id).is_none_or(Entry::is_done) {
            return false;
        }
        self.change(id, |entry| change(&mut entry.pace))
    }

    /// Adds a viewer. Returns whether that ends the job's rest.
    pub(super) fn add_viewer(&mut self, id: &str) -> bool {
        self.change(id, |entry| {
            entry.audience.viewers += 1;
            entry.audience.ever_watched = true;
            entry.attend();
        })
    }

    /// Removes a viewer. Returns whether that ends the job's rest, as it does for a pinned job that rests
    /// at a tour.
    pub(super) fn remove_viewer(&mut self, id: &str, now: Instant) -> bool {
        self.change(id, |entry| {
            entry.audience.viewers = entry.audience.viewers.saturating_sub(1);
            entry.audience.unwatched_since = now;
            entry.attend();
        })
    }

    /// Lets a job continue without viewers, or not. Returns whether that ends its rest.
    pub(super) fn pin(&mut self, id: &str, pinned: bool) -> bool {
        self.change(id, |entry| {
            entry.audience.pinned = pinned;
            entry.attend();
        })
    }

    /// Changes pace or audience, and queues the job if this ends its rest.
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

    /// Returns what a search does after a frame shown at `shown_at`. `Err` is the remaining time to wait.
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

    /// Stops a job. A job that has not begun is done; any other is asked to end its work.
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

    /// Records that the work of a job returned or panicked, and frees its place. Returns whether it was displaced,
    /// or `None` if it was not working.
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

    /// Accepts no more jobs and stops all jobs. Returns the ids of jobs that had not begun.
    pub(super) fn close(&mut self) -> Vec<String> {
        self.closed = true;
        let all: Vec<String> = self.jobs.keys().cloned().collect();
        all.into_iter().filter(|id| self.stop(id) == Stop::Dequeued).collect()
    }

    /// Removes jobs that are done and unwatched: those that have expired, unless they are pinned, and the
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

    /// Returns the jobs that have been unwatched for too long, are not pinned, and neither stopping nor done.
    pub(super) fn abandoned(&self, now: Instant) -> Vec<String> {
        let is_abandoned = |e: &Entry<J>| {
            e.audience.is_absent(now, &self.limits) && !e.is_pinned() && e.is_alive()
        };
        self.jobs.iter().filter(|(_, e)| is_abandoned(e)).map(|(id, _)| id.clone()).collect()
    }

    /// The state of a job, if it is known.
    pub(super) fn get(&self, id: &str) -> Option<&Entry<J>> {
        self.jobs.get(id)
    }

    /// All jobs, in the order of their ids.
    pub(super) fn entries(&self) -> impl Iterator<Item = &Entry<J>> {
        self.jobs.values()
    }

    /// The jobs that wait for a place, the next first.
    pub(super) fn queue(&self) -> impl ExactSizeIterator<Item = &Entry<J>> {
        self.queue.iter().map(|id| &self.jobs[id])
    }

    /// Whether the thread of a job sleeps until the job has a place.
    pub(super) fn sleeps(&self, id: &str) -> bool {
        self.get(id).is_some_and(|entry| entry.resting_since().is_some())
    }

    /// Number of places taken.
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
