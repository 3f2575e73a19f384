//! A run as one unit of work sees it: generator, budget, statistics, where tours go, who watches.

use crate::board::Square;
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

/// Attempts plus moves between two looks at the clock and the stop flag: some milliseconds.
const POLL_EVERY: u64 = 1 << 17;

/// Most moves of a long attempt that are not charged yet.
const PACE: u64 = 1 << 16;

/// What was counted. `tours` and `closed` count every tour found, repeats included.
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
    /// It has seen all there is for it to see.
    Exhausted {
        /// Whether that was every tour of its part of the problem.
        proof: bool,
    },
    /// Its budget is spent, or it was told to stop.
    Limit,
}

impl End {
    /// The end of a search that ran out of things to see, or was told to break.
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
    /// Takes one event, and what all units have counted so far; the answer may stop the run.
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
    /// Tours found so far, repeats included, for progress bars.
    pub tours: AtomicU64,
    /// Closed ones among them.
    pub closed: AtomicU64,
    /// The artifact that the first unit leaves, if one is requested.
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

/// The seeds of several runs with one master seed: the same runs can be made one by one.
pub fn seeds(master: u64, runs: u64) -> Vec<u64> {
    let mut rng = SplitMix64::seed_from_u64(master);
    // They go through JSON, so they stay below 2^53.
    (0..runs).map(|_| rng.next_u64() >> 11).collect()
}

/// Looks at the clock and the stop flags now and then, for long work that charges nothing.
#[derive(Debug)]
pub struct StopCheck<'a> {
    control: Option<&'a Control>,
    left: Cell<u64>,
    over: Cell<bool>,
}

impl StopCheck<'_> {
    /// It never ends.
    pub const fn endless() -> StopCheck<'static> {
        StopCheck { control: None, left: Cell::new(u64::MAX), over: Cell::new(false) }
    }

    /// Counts work of so many small steps. Break means it is time to stop.
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

/// Where verified tours go, with the statistics at that moment.
pub(crate) type Sink<'a> = &'a mut dyn FnMut(Verified<'_>, &Stats) -> ControlFlow<()>;

/// One unit's view of a run. Solvers get nothing from the outside but this.
pub struct Run<'a> {
    /// The unit's own generator, seeded from the master seed, the solver's name and the unit.
    pub rng: Xoshiro256PlusPlus,
    /// What the solver measures of itself; see its [`Info`](crate::search::Info).
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
    /// Count of attempts at which to stop for want of tours.
    give_up_at: u64,
    /// The nearer of that and the allotment.
    attempts_at: u64,
    fault: Option<TourFault>,
}

/// The generator of one unit: a hash (FNV-1a) of solver and unit, mixed with the master seed.
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

    /// The generator that a unit of another solver has in a run with the same master seed, for those
    /// that repeat its choices.
    pub fn rng_of(&self, solver: &str, unit: u64) -> Xoshiro256PlusPlus {
        derive(self.seed, solver, unit)
    }

    /// The unit's start square and budget.
    pub fn allotment(&self) -> &Allotment {
        &self.allotment
    }

    /// How long work may go on that charges nothing: until it is stopped from outside or late.
    pub fn stop_check(&self) -> StopCheck<'a> {
        StopCheck { control: Some(self.control), left: Cell::new(0), over: Cell::new(false) }
    }

    /// Moves charged so far.
    pub fn moves(&self) -> u64 {
        self.stats.moves
    }

    /// Tours found so far.
    pub fn tours(&self) -> u64 {
        self.stats.tours
    }

    /// Whether the run is watched; a solver then runs the variant that sends events.
    pub fn is_watched(&self) -> bool {
        self.observer.is_some()
    }

    /// Counts attempts and moves. Break means stop and return [`End::Limit`]; a tour completed by
    /// the very attempt just charged is still to be claimed.
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

    /// Whether to go on after a tour was claimed, which may have lifted the limit that the charge
    /// before it ran into; see [`Run::give_up_after`].
    pub fn go_on(&self) -> ControlFlow<()> {
        let Stats { attempts, moves, .. } = self.stats;
        let spent = attempts >= self.attempts_at || moves >= self.allotment.moves;
        break_if(spent || self.control.must_stop())
    }

    /// How many moves an attempt on a graph of `order` vertices may make before it charges them;
    /// short attempts are charged whole.
    pub fn pace(&self, order: usize) -> u64 {
        if order <= 64 {
            return u64::MAX;
        }
        let left = self.allotment.moves.saturating_sub(self.stats.moves);
        left.clamp(1, PACE)
    }

    /// From now on break after so many attempts, unless a tour is found before.
    pub fn give_up_after(&mut self, attempts: u64) {
        self.give_up_at = self.stats.attempts.saturating_add(attempts);
        self.attempts_at = self.allotment.attempts.min(self.give_up_at);
    }

    /// Whether the last break came from [`Run::give_up_after`] and from nothing else.
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
        self.go_on()
    }

    fn report(&mut self) {
        let (now, before) = (&self.stats, &self.reported);
        self.control.attempts.fetch_add(now.attempts - before.attempts, Relaxed);
        self.control.moves.fetch_add(now.moves - before.moves, Relaxed);
        self.control.tours.fetch_add(now.tours - before.tours, Relaxed);
        self.control.closed.fetch_add(now.closed - before.closed, Relaxed);
        self.reported = self.stats;
    }

    /// Claims a tour: it is verified, and counted and handed on if it answers the problem. Pass a
    /// vector to hand it over without a copy. Break means stop and return [`End::Limit`].
    pub fn claim<'p>(&mut self, squares: impl Into<Cow<'p, [Square]>>) -> ControlFlow<()> {
        let verifier = self.verifier;
        self.judge(verifier.check(squares.into()))
    }

    /// As [`Run::claim`], for a path that was laid down as a [`Trail`].
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
        if !self.problem.admits(&tour) {
            return ControlFlow::Continue(());
        }
        self.stats.tours += 1;
        self.stats.closed += u64::from(tour.is_closed());
        self.give_up_at = u64::MAX;
        self.attempts_at = self.allotment.attempts;
        // Claims are work as well: one attempt may claim a tour for every start square.
        self.poll_at = self.poll_at.saturating_sub(tour.squares().len() as u64);
        if let Some(sink) = &mut self.sink {
            sink(tour, &self.stats)?;
        }
        if self.stats.attempts + self.stats.moves >= self.poll_at {
            return self.poll_outside();
        }
        ControlFlow::Continue(())
    }

    /// As [`Run::poll`], without regard to the budget: what an attempt has found is all claimed.
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

    /// Leaves an artifact of the first unit, if it is requested.
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
