//! One unit's view of a run: generator, budget, statistics, sink of tours, observer.

use crate::board::{Graph, Square};
use crate::problem::Problem;
use crate::search::{Allotment, Artifact, ArtifactKind, ArtifactRequest, Readings, SearchEvent};
use crate::tour::{TourFault, Trail, Verified, Verifier};
use rand::{Rng, SeedableRng};
use rand_xoshiro::{SplitMix64, Xoshiro256PlusPlus};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::cell::Cell;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, OnceLock};
use std::time::Instant;

/// Attempts plus moves between two checks of the clock and the stop flags: a few milliseconds.
const POLL_EVERY: u64 = 1 << 17;

/// Maximum number of moves that a long attempt makes before it charges them.
const PACE: u64 = 1 << 16;

/// Counters of a run. `tours` and `closed` include duplicates.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Stats {
    /// Attempts, as the papers count them.
    pub attempts: u64,
    /// Steps of the knight.
    pub moves: u64,
    /// Tours found.
    pub tours: u64,
    /// Closed ones among them.
    pub closed: u64,
}

impl std::ops::Add for Stats {
    type Output = Stats;

    fn add(mut self, other: Stats) -> Stats {
        self += other;
        self
    }
}

impl std::ops::AddAssign for Stats {
    fn add_assign(&mut self, other: Stats) {
        self.attempts += other.attempts;
        self.moves += other.moves;
        self.tours += other.tours;
        self.closed += other.closed;
    }
}

/// How a unit ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// It has exhausted its search space.
    Exhausted {
        /// Whether it found every tour of its part of the problem.
        proof: bool,
    },
    /// Its budget is spent, or it was stopped.
    Limit,
}

impl End {
    /// Returns the end of a search that exhausted its space (`Continue`) or was stopped (`Break`).
    pub fn of(flow: ControlFlow<()>, proof: bool) -> End {
        match flow {
            ControlFlow::Continue(()) => End::Exhausted { proof },
            ControlFlow::Break(()) => End::Limit,
        }
    }
}

/// Breaks on a condition, and continues otherwise.
#[inline]
pub(crate) fn break_if(condition: bool) -> ControlFlow<()> {
    if condition { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
}

/// Receives the events of a watched run.
pub trait Observer {
    /// Receives one event and the counters of all units so far. `Break` stops the run.
    fn event(&mut self, event: &SearchEvent<'_>, so_far: &Stats) -> ControlFlow<()>;
}

/// Stop flags and live counters that units share with the outside.
#[derive(Debug, Default)]
pub struct Control {
    /// Set from outside (a signal handler, a closed page) to interrupt.
    pub interrupt: Arc<AtomicBool>,
    pub(crate) stop: AtomicBool,
    pub(crate) deadline: OnceLock<Instant>,
    /// Attempts made so far, for progress bars.
    pub attempts: AtomicU64,
    /// Moves made so far, for progress bars.
    pub moves: AtomicU64,
    /// Tours found so far, duplicates included, for progress bars.
    pub tours: AtomicU64,
    /// Closed ones among them.
    pub closed: AtomicU64,
    /// Set when the memory for duplicate detection is full, so that more tours are distinct than are counted.
    pub distinct_full: AtomicBool,
    /// Receives the artifact of the first unit, if one is requested.
    pub artifact: Option<ArtifactRequest>,
}

impl Control {
    pub(crate) fn late(&self) -> bool {
        self.deadline.get().is_some_and(|&at| Instant::now() >= at)
    }

    pub(crate) fn must_stop(&self) -> bool {
        self.stop.load(Relaxed) || self.interrupt.load(Relaxed) || self.late()
    }
}

/// Derives the seeds of several runs from a master seed, so each run can be repeated separately.
pub fn seeds(master: u64, runs: u64) -> Vec<u64> {
    let mut rng = SplitMix64::seed_from_u64(master);
    // Below 2^53, the limit of exact integers in JSON.
    (0..runs).map(|_| rng.next_u64() >> 11).collect()
}

/// A stop check for long work that is not charged to the budget.
#[derive(Debug)]
pub struct StopCheck<'a> {
    control: Option<&'a Control>,
    left: Cell<u64>,
    over: Cell<bool>,
}

impl StopCheck<'_> {
    /// Creates a check that never stops.
    pub const fn endless() -> StopCheck<'static> {
        StopCheck { control: None, left: Cell::new(u64::MAX), over: Cell::new(false) }
    }

    /// Counts `steps` small steps of work. `Break` means stop.
    #[inline]
    pub fn spend(&self, steps: u64) -> ControlFlow<()> {
        match self.left.get().checked_sub(steps) {
            Some(left) => self.left.set(left),
            None => self.look(),
        }
        break_if(self.over.get())
    }

    #[cold]
    fn look(&self) {
        self.left.set(POLL_EVERY);
        self.over.set(self.over.get() || self.control.is_some_and(Control::must_stop));
    }
}

/// Receives verified tours with the statistics at that moment.
pub(crate) type Sink<'a> = &'a mut dyn FnMut(Verified<'_>, &Stats) -> ControlFlow<()>;

/// One unit's view of a run: the only connection between a solver and the outside.
pub struct Run<'a> {
    /// The unit's own generator, seeded from the master seed, the solver's name and the unit.
    pub rng: Xoshiro256PlusPlus,
    /// Measures that the solver reports; see its [`Info`](crate::search::Info).
    pub readings: Readings,
    unit: u64,
    seed: u64,
    problem: &'a Problem,
    verifier: &'a Verifier,
    allotment: Allotment,
    control: &'a Control,
    sink: Option<Sink<'a>>,
    observer: Option<&'a mut dyn Observer>,
    stats: Stats,
    reported: Stats,
    poll_at: u64,
    /// Number of attempts at which to give up if no tour is found.
    give_up_at: u64,
    /// The smaller of that and the allotment.
    attempts_at: u64,
    fault: Option<TourFault>,
}

/// Derives the generator of one unit from a hash (FNV-1a) of solver and unit and the master seed.
fn derive(seed: u64, solver: &str, unit: u64) -> Xoshiro256PlusPlus {
    let bytes = solver.bytes().chain(unit.to_le_bytes());
    let hash = bytes
        .fold(0xcbf2_9ce4_8422_2325, |h: u64, b| (h ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3));
    Xoshiro256PlusPlus::seed_from_u64(hash ^ seed.wrapping_mul(0x9e37_79b9_7f4a_7c15))
}

impl<'a> Run<'a> {
    pub(crate) fn new(
        (seed, solver, unit): (u64, &str, u64),
        problem: &'a Problem,
        verifier: &'a Verifier,
        allotment: Allotment,
        control: &'a Control,
        sink: Option<Sink<'a>>,
        observer: Option<&'a mut dyn Observer>,
    ) -> Run<'a> {
        Run {
            rng: derive(seed, solver, unit),
            unit,
            readings: Readings::default(),
            seed,
            problem,
            verifier,
            allotment,
            control,
            sink,
            observer,
            stats: Stats::default(),
            reported: Stats::default(),
            poll_at: POLL_EVERY.min(allotment.moves),
            give_up_at: u64::MAX,
            attempts_at: allotment.attempts,
            fault: None,
        }
    }

    /// Returns the generator of a unit of another solver with the same master seed, to repeat its
    /// choices.
    pub fn rng_of(&self, solver: &str, unit: u64) -> Xoshiro256PlusPlus {
        derive(self.seed, solver, unit)
    }

    /// Returns the graph of the problem.
    pub fn graph(&self) -> &'a Graph {
        self.problem.graph()
    }

    /// Returns the start square and the budget of the unit.
    pub fn allotment(&self) -> &Allotment {
        &self.allotment
    }

    /// Returns a stop check for work that is not charged to the budget.
    pub fn stop_check(&self) -> StopCheck<'a> {
        StopCheck { control: Some(self.control), left: Cell::new(0), over: Cell::new(false) }
    }

    /// Returns the moves charged so far.
    pub fn moves(&self) -> u64 {
        self.stats.moves
    }

    /// Returns the tours found so far.
    pub fn tours(&self) -> u64 {
        self.stats.tours
    }

    /// Returns whether the run is watched; a solver then runs its variant that sends events.
    pub fn is_watched(&self) -> bool {
        self.observer.is_some()
    }

    /// Counts attempts and moves. `Break` means stop and return [`End::Limit`], after claiming the
    /// tour of the attempt just charged, if it completed one.
    #[inline]
    pub fn charge(&mut self, attempts: u64, moves: u64) -> ControlFlow<()> {
        self.stats.attempts += attempts;
        self.stats.moves += moves;
        if self.stats.attempts >= self.attempts_at
            || self.stats.attempts + self.stats.moves >= self.poll_at
        {
            self.poll()
        } else {
            ControlFlow::Continue(())
        }
    }

    /// Returns whether to continue after claiming a tour, which may have lifted the limit that the
    /// preceding charge reached; see [`Run::give_up_after`].
    pub fn check_limits(&self) -> ControlFlow<()> {
        let Stats { attempts, moves, .. } = self.stats;
        let spent = attempts >= self.attempts_at || moves >= self.allotment.moves;
        break_if(spent || self.control.must_stop())
    }

    /// Returns the number of moves that an attempt on `order` vertices may make before it charges
    /// them. Short attempts are charged as a whole.
    pub fn pace(&self, order: usize) -> u64 {
        if order <= 64 {
            return u64::MAX;
        }
        let left = self.allotment.moves.saturating_sub(self.stats.moves);
        left.clamp(1, PACE)
    }

    /// Breaks after `attempts` more attempts, unless a tour is found first.
    pub fn give_up_after(&mut self, attempts: u64) {
        self.give_up_at = self.stats.attempts.saturating_add(attempts);
        self.attempts_at = self.allotment.attempts.min(self.give_up_at);
    }

    /// Returns whether [`Run::give_up_after`] alone caused the last break.
    pub fn gave_up(&self) -> bool {
        let Stats { attempts, moves, .. } = self.stats;
        attempts >= self.give_up_at
            && attempts < self.allotment.attempts
            && moves < self.allotment.moves
            && !self.control.must_stop()
    }

    #[cold]
    fn poll(&mut self) -> ControlFlow<()> {
        self.report();
        let Stats { attempts, moves, .. } = self.stats;
        self.poll_at =
            attempts + moves + POLL_EVERY.min(self.allotment.moves.saturating_sub(moves));
        self.check_limits()
    }

    fn report(&mut self) {
        let (now, before) = (&self.stats, &self.reported);
        self.control.attempts.fetch_add(now.attempts - before.attempts, Relaxed);
        self.control.moves.fetch_add(now.moves - before.moves, Relaxed);
        self.control.tours.fetch_add(now.tours - before.tours, Relaxed);
        self.control.closed.fetch_add(now.closed - before.closed, Relaxed);
        self.reported = self.stats;
    }

    /// Claims a tour: verifies it, then counts and emits it if it answers the problem. Pass a vector
    /// to avoid a copy. `Break` means stop and return [`End::Limit`].
    pub fn claim<'p>(&mut self, squares: impl Into<Cow<'p, [Square]>>) -> ControlFlow<()> {
        let verifier = self.verifier;
        self.judge(verifier.check(squares.into()))
    }

    /// Claims a tour that was recorded as a [`Trail`].
    #[inline]
    pub fn claim_trail(&mut self, trail: &Trail) -> ControlFlow<()> {
        let own = trail.lies_on(self.problem.graph());
        self.judge(if own { trail.tour() } else { Err(TourFault::Foreign) })
    }

    #[inline(always)]
    fn judge(&mut self, verdict: Result<Verified<'_>, TourFault>) -> ControlFlow<()> {
        let tour = match verdict {
            Ok(tour) => tour,
            Err(fault) => {
                self.fault = Some(fault);
                return ControlFlow::Break(());
            }
        };
        // Claims cost time, too: one attempt may claim a tour for every start square.
        self.poll_at = self.poll_at.saturating_sub(tour.squares().len() as u64);
        if self.problem.admits(&tour) {
            self.stats.tours += 1;
            self.stats.closed += u64::from(tour.is_closed());
            self.give_up_at = u64::MAX;
            self.attempts_at = self.allotment.attempts;
            if let Some(sink) = &mut self.sink {
                sink(tour, &self.stats)?;
            }
        }
        if self.stats.attempts + self.stats.moves >= self.poll_at {
            return self.poll_outside();
        }
        ControlFlow::Continue(())
    }

    /// Polls without regard to the budget, so an attempt can claim all its tours.
    #[cold]
    fn poll_outside(&mut self) -> ControlFlow<()> {
        let _ = self.poll();
        break_if(self.control.must_stop())
    }

    /// Sends an event to the observer, if the run is watched.
    pub fn event(&mut self, event: &SearchEvent<'_>) -> ControlFlow<()> {
        let (now, before, control) = (self.stats, self.reported, self.control);
        match &mut self.observer {
            Some(observer) => {
                let so_far = Stats {
                    attempts: control.attempts.load(Relaxed) + now.attempts - before.attempts,
                    moves: control.moves.load(Relaxed) + now.moves - before.moves,
                    tours: control.tours.load(Relaxed) + now.tours - before.tours,
                    closed: control.closed.load(Relaxed) + now.closed - before.closed,
                };
                let flow = observer.event(event, &so_far);
                self.control.stop.fetch_or(flow.is_break(), Relaxed);
                flow
            }
            None => ControlFlow::Continue(()),
        }
    }

    /// Exports an artifact of the first unit, if it is requested.
    pub fn leave(&self, kind: ArtifactKind, make: impl FnOnce() -> Artifact) {
        if let (0, Some(request)) = (self.unit, &self.control.artifact) {
            request.leave(kind, make);
        }
    }

    pub(crate) fn finish(mut self) -> Result<(Stats, Readings), TourFault> {
        self.report();
        self.fault.map_or(Ok((self.stats, self.readings)), Err)
    }
}
