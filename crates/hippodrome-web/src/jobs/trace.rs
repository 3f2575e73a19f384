//! Traces of a race: the beginning of each entrant's first run, as states to be shown on boards side by side.
//!
//! A trace is made by watching the same run that the race makes: same problem, budget and seed. It is made
//! before the race starts, so that boards can move while the race runs and no run with a time limit is
//! disturbed.

use super::Job;
use hippodrome::board::Square;
use hippodrome::lab::enumerate::Enumeration;
use hippodrome::lab::race::{Entrant, Race};
use hippodrome::search::{Budget, Moment, Observer, SearchEvent, Stats, seeds};
use hippodrome::tour::Verified;
use serde::Serialize;
use serde_json::{Value, json};
use std::cell::RefCell;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

/// Maximum number of states of a trace: one per frame at 20 frames per second for six seconds.
const MAX_STATES: usize = 120;
/// Number of squares in all states of a trace, on boards so large that [`MAX_STATES`] paths would take
/// megabytes, and the number of states that a trace may have on any board.
const MAX_SQUARES: (usize, usize) = (96_000, 24);
/// Maximum time for the traces of a race, and for one of them: the race starts after it.
const MAX_TIME: (Duration, Duration) = (Duration::from_millis(1500), Duration::from_secs(1));
/// Number of bytes for duplicate detection in a trace.
const DISTINCT_TOURS_MEMORY: usize = 64 << 20;
/// Number of attempts from which a trace can use attempts as its clock; others use moves.
const FEW_ATTEMPTS: u64 = 8;

/// Makes the traces of a race, as the message that the page receives.
pub(super) fn traces(race: &Race, job: &Job) -> Value {
    let (all, one) = MAX_TIME;
    let limit = one.min(all / race.entrants.len().max(1) as u32);
    let traces: Vec<Option<Trace>> =
        race.entrants.iter().map(|entrant| trace(race, entrant, job, limit)).collect();
    let by_attempts = |trace: &Trace| {
        trace.states.last().is_none_or(|last| trace.whole || last.at >= FEW_ATTEMPTS)
    };
    let budget = race.budget;
    let by_attempts = budget.attempts.is_some()
        && budget.moves.is_none()
        && traces.iter().flatten().all(by_attempts);
    let clock = if by_attempts { "attempts" } else { "moves" };
    let described = |(trace, entrant): (Option<Trace>, &Entrant)| {
        trace.map(|Trace { states, whole }| {
            json!({ "name": entrant.name, "clock": clock, "states": states, "whole": whole })
        })
    };
    let traces: Value = traces.into_iter().zip(&race.entrants).map(described).collect();
    json!({ "traces": traces })
}

/// The beginning of a run.
struct Trace {
    states: Vec<TraceState>,
    /// Whether the trace shows the whole run.
    whole: bool,
}

/// A state of a run.
#[derive(Clone, Debug, PartialEq, Serialize)]
struct TraceState {
    /// Number of attempts so far.
    at: u64,
    moves: u64,
    tours: u64,
    distinct: u64,
    path: Vec<Square>,
    /// Whether the path is a closed tour.
    closed: bool,
}

/// Watches the beginning of the first run of an entrant. Returns `None` if the entrant cannot run.
fn trace(race: &Race, entrant: &Entrant, job: &Job, limit: Duration) -> Option<Trace> {
    let begun = Instant::now();
    let time = race.budget.time.map_or(limit, |time| time.min(limit));
    let run = Enumeration {
        seed: *seeds(race.seed, 1).first()?,
        threads: 1,
        budget: Budget { time: Some(time), ..race.budget },
        memory: DISTINCT_TOURS_MEMORY,
        ..Enumeration::new(race.problem.clone(), entrant.choice.clone())
    };
    let squares = race.problem.graph().order().max(1);
    let recorder = RefCell::new(Recorder::new(
        (MAX_SQUARES.0 / squares).clamp(MAX_SQUARES.1, MAX_STATES),
        begun + time,
    ));
    let mut take = |tour: Verified<'_>, moment: &Moment| recorder.borrow_mut().tour(&tour, moment);
    let summary = run.watch(&job.control(), &mut RecordingObserver(&recorder), &mut take).ok()?;
    let cut = begun.elapsed() >= time && race.budget.time != Some(time);
    let whole = !cut && !summary.full && !job.is_stopped();
    Some(Trace { states: recorder.into_inner().finish(), whole })
}

/// Passes the events of a search to its recorder.
struct RecordingObserver<'r>(&'r RefCell<Recorder>);

impl Observer for RecordingObserver<'_> {
    fn event(&mut self, event: &SearchEvent<'_>, so_far: &Stats) -> ControlFlow<()> {
        match event.path() {
            Some(path) => self.0.borrow_mut().step(path, so_far),
            None => ControlFlow::Continue(()),
        }
    }
}

/// Keeps states of a run whose length is not known: one in each window of steps. If there are too many, it
/// drops every second one and doubles the windows. Each window has its state at another place: otherwise, a
/// method whose attempts are equally long would always be seen at the same place of an attempt.
struct Recorder {
    states: Vec<TraceState>,
    most: usize,
    /// Number of steps so far, of steps in a window, and before the next state.
    steps: u64,
    window: u64,
    next: u64,
    distinct: u64,
    /// The last path that was seen, with its counters.
    last: TraceState,
    deadline: Instant,
}

/// Number of steps between two checks of the clock, and between two copies of the path.
const CHECKED: u64 = 1 << 12;

impl Recorder {
    fn new(most: usize, deadline: Instant) -> Recorder {
        let last =
            TraceState { at: 0, moves: 0, tours: 0, distinct: 0, path: Vec::new(), closed: false };
        let (states, distinct) = (Vec::new(), 0);
        Recorder { states, most, steps: 0, window: 1, next: 0, distinct, last, deadline }
    }

    #[inline]
    fn step(&mut self, path: &[Square], so_far: &Stats) -> ControlFlow<()> {
        let due = self.steps == self.next;
        let checked = self.steps.is_multiple_of(CHECKED);
        self.steps += 1;
        if !due && !checked {
            return ControlFlow::Continue(());
        }
        self.see(path, so_far, false);
        if due {
            self.keep();
        }
        if checked && Instant::now() >= self.deadline {
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }

    fn see(&mut self, path: &[Square], so_far: &Stats, closed: bool) {
        let Stats { attempts, moves, tours, .. } = *so_far;
        self.last.path.clear();
        self.last.path.extend_from_slice(path);
        let tours = tours.max(self.distinct);
        let (distinct, path) = (self.distinct, std::mem::take(&mut self.last.path));
        self.last = TraceState { at: attempts, moves, tours, distinct, path, closed };
    }

    fn keep(&mut self) {
        self.states.push(self.last.clone());
        // One place is left for the last state.
        if self.states.len() >= self.most {
            let mut index = 0;
            self.states.retain(|_| {
                index += 1;
                index % 2 == 1
            });
            self.window *= 2;
        }
        let number = self.states.len() as u64;
        self.next = number * self.window + scattered(number) % self.window;
    }

    /// Sees a distinct tour. The first one is always shown, because some races end with it.
    fn tour(&mut self, tour: &Verified<'_>, moment: &Moment) -> ControlFlow<()> {
        self.distinct += 1;
        self.see(tour.squares(), &moment.stats, tour.is_closed());
        ControlFlow::Continue(())
    }

    /// Returns the states, with the last one.
    fn finish(mut self) -> Vec<TraceState> {
        if self.states.last() != Some(&self.last) && !self.last.path.is_empty() {
            self.states.push(self.last);
        }
        self.states
    }
}

/// Returns a number that looks random (Fibonacci hashing).
fn scattered(number: u64) -> u64 {
    number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32
}

#[cfg(test)]
mod tests {
    use super::*;

    fn recorder(most: usize) -> Recorder {
        Recorder::new(most, Instant::now() + Duration::from_secs(600))
    }

    #[test]
    fn states_cover_a_run_and_are_few_however_long_it_is() {
        for steps in [1, 5, 119, 120, 121, 1000, 123_456u64] {
            let mut recorder = recorder(MAX_STATES);
            for n in 0..steps {
                let so_far = Stats { attempts: n / 10, moves: n, ..Stats::default() };
                assert!(recorder.step(&[Square::new(n as u32)], &so_far).is_continue());
            }
            let states = recorder.finish();
            assert!(states.len() <= MAX_STATES, "{steps}");
            assert!(states.len() as u64 >= steps.min(MAX_STATES as u64 / 2), "{steps}");
            let moves: Vec<u64> = states.iter().map(|state| state.moves).collect();
            assert_eq!((moves[0], moves[moves.len() - 1] + 1 >= steps.min(60)), (0, true));
            let longest = moves.windows(2).map(|w| w[1] - w[0]).max().unwrap_or(1);
            let window = steps.div_ceil(MAX_STATES as u64 / 2).next_power_of_two();
            assert!(longest <= 2 * window && moves.is_sorted(), "{steps}: {moves:?}");
        }
    }

    #[test]
    fn attempts_of_equal_length_are_seen_at_different_places() {
        let mut recorder = recorder(MAX_STATES);
        for n in 0..64_000u32 {
            let path: Vec<Square> = (0..=n % 64).map(Square::new).collect();
            assert!(recorder.step(&path, &Stats::default()).is_continue());
        }
        let lengths: std::collections::BTreeSet<usize> =
            recorder.finish().iter().map(|state| state.path.len()).collect();
        assert!(lengths.len() > 20, "{lengths:?}");
    }

    #[test]
    fn a_recorder_stops_at_its_deadline() {
        let mut recorder = Recorder::new(MAX_STATES, Instant::now());
        assert!(recorder.step(&[Square::new(0)], &Stats::default()).is_break());
    }
}
