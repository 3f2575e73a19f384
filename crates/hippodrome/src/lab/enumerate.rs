//! Enumeration: the distinct tours that one solver finds within a budget.

mod deduplicator;
mod engine;
mod filter;
mod summary;

pub use engine::{GroupCounts, TourSink};
pub use filter::{Dedup, TourFilter, WhenFull};
pub use summary::{Summary, Totals};

use crate::error::{Argument, Diagnostic, ErrorKind, Remedy};
use crate::lab::distinct::Bloom;
use crate::problem::Problem;
use crate::search::narrate::Narrator;
use crate::search::{
    BadClaim, Budget, Consumer, Control, Driver, Ends, Moment, Observer, Prepared, Promise,
    Purpose, Resources, RunReport, SearchEvent, Stats, Status, Unsupported, cores,
};
use crate::solvers::registry::Choice;
use crate::tour::{Distinct, Packer, Verified};
use deduplicator::Deduplicator;
use engine::Intake;
use std::cell::RefCell;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Instant;
use thiserror::Error;

/// Maximum number of squares of a board whose tours are counted to predict a curve. It is the size of 6x6,
/// the largest of the papers' boards whose tours can all be listed by a search.
const COUNTED_SQUARES: usize = 36;
/// Maximum number of tours and of moves in that search, which then takes a few seconds.
const COUNTING: (u64, u64) = (1 << 23, 1 << 27);

/// A callback that receives each distinct tour; returning `Break` ends the run.
pub type Taker<'a> = &'a mut dyn FnMut(Verified<'_>) -> ControlFlow<()>;

/// An enumeration: a problem, a solver and the settings of a run.
#[derive(Clone)]
pub struct Enumeration {
    /// The problem to solve.
    pub problem: Problem,
    /// The solver and its parameters.
    pub choice: Choice,
    /// Master seed.
    pub seed: u64,
    /// Number of threads; the result does not depend on it.
    pub threads: usize,
    /// Budget of the run.
    pub budget: Budget,
    /// Which tours count as duplicates.
    pub distinct: Distinct,
    /// How duplicates are detected.
    pub dedup: Dedup,
    /// Sizes of the bitmaps, for [`Dedup::Bloom`].
    pub bloom: Bloom,
    /// The filter that tours must pass, if there is one.
    pub keep: Option<TourFilter>,
    /// Whether to find every tour. This is an error if the solver cannot exhaust its search space.
    pub all: bool,
    /// Whether to count tours by start square as well.
    pub by_start: bool,
    /// Maximum number of bytes for the set of distinct tours.
    pub memory: usize,
    /// What happens when that memory is full.
    pub when_full: WhenFull,
    /// Initial number of attempts per point of the production curve; `None` if no curve is recorded.
    pub curve: Option<u64>,
    /// Folder in which tables are cached, such as [`cache_folder`](crate::uniform::cache_folder); `None` for
    /// no cache.
    pub tables: Option<PathBuf>,
}

/// Why an enumeration failed.
#[derive(Error, Debug, Clone, PartialEq, Eq)]
pub enum EnumerateError {
    /// The solver does not support the problem.
    #[error("solver {solver} does not support this: {reason}")]
    Unsupported {
        /// Name of the solver.
        solver: &'static str,
        /// Why the solver does not support the problem.
        reason: Unsupported,
    },
    /// Every tour was requested, but the solver cannot exhaust its search space.
    #[error("solver {0} cannot exhaust its search space with these parameters")]
    Endless(&'static str),
    /// Symmetry classes were requested for a graph that was read from a file.
    #[error("{0} is not a board and its symmetries are not known")]
    NoSymmetries(String),
    /// A production curve was requested without duplicate detection.
    #[error("a production curve needs duplicate detection, which is turned off")]
    Blind,
    /// No solver was named, and none supports the problem.
    #[error("no solver supports {graph}: {reason}")]
    NoSolver {
        /// Description of the graph.
        graph: String,
        /// Why the last solver does not support the problem.
        reason: Unsupported,
    },
    /// The run was interrupted while the solver was being prepared.
    #[error("interrupted while preparing the solver")]
    Stopped,
    /// A solver claimed an invalid tour, which is a bug.
    #[error(transparent)]
    BadClaim(#[from] BadClaim),
}

impl Diagnostic for EnumerateError {
    fn kind(&self) -> ErrorKind {
        match self {
            EnumerateError::Blind => ErrorKind::Invalid,
            EnumerateError::Stopped => ErrorKind::Interrupted,
            EnumerateError::BadClaim(claim) => claim.kind(),
            _ => ErrorKind::Unsupported,
        }
    }

    fn remedies(&self) -> Vec<Remedy> {
        match self {
            EnumerateError::Endless(_) => vec![Remedy::GiveBudget],
            EnumerateError::NoSymmetries(_) => {
                vec![Remedy::Set(Argument::Distinct, &["undirected", "cycle"])]
            }
            EnumerateError::Blind => vec![Remedy::LeaveOut(vec![Argument::Dedup])],
            _ => Vec::new(),
        }
    }
}

/// A narrator that events and tours share.
struct Shared<'n, 'a, 'g>(&'n RefCell<&'a mut Narrator<'g>>);

impl Observer for Shared<'_, '_, '_> {
    fn event(&mut self, event: &SearchEvent<'_>, so_far: &Stats) -> ControlFlow<()> {
        self.0.borrow_mut().event(event, so_far)
    }
}

/// Number of powers of two, beginning with 2^0, that are tried as an upper bound on the number of units of a
/// run without a budget. A run with more than 2^23 units counts as endless: exhaustive searches have a few
/// thousand at most.
const ENDLESS: u32 = 24;

/// Returns the number of units among which a budget is split; `None` if the run is endless.
pub(crate) fn count_units(prepared: &dyn Prepared, budget: &Budget) -> Option<u64> {
    let missing = |unit: u64| prepared.allot(unit, budget).is_none();
    // Without a budget, some solvers divide u64::MAX attempts into units: such a run is endless.
    let bounded =
        [budget.attempts, budget.attempts_per_start, budget.moves].iter().any(Option::is_some);
    let bits = if bounded { 48 } else { ENDLESS };
    let beyond = (0..bits).map(|bit| 1u64 << bit).find(|&unit| missing(unit))?;
    let (mut low, mut high) = (0, beyond);
    while low < high {
        let middle = low + (high - low) / 2;
        if missing(middle) { high = middle } else { low = middle + 1 }
    }
    Some(low)
}

impl Enumeration {
    /// Default number of attempts for an endless run without a budget.
    pub const DEFAULT_ATTEMPTS: u64 = 1_000_000;

    /// Creates an enumeration with default settings: all cores, exact deduplication, no filter.
    pub fn new(problem: Problem, choice: Choice) -> Enumeration {
        Enumeration {
            problem,
            choice,
            seed: 1,
            threads: cores(),
            budget: Budget::UNLIMITED,
            distinct: Distinct::Directed,
            dedup: Dedup::Exact,
            bloom: Bloom::default(),
            keep: None,
            all: false,
            by_start: false,
            memory: 2 << 30,
            when_full: WhenFull::Stop,
            curve: None,
            tables: None,
        }
    }

    /// Returns what the solver guarantees for this problem.
    pub fn promise(&self) -> Result<Promise, EnumerateError> {
        if self.distinct == Distinct::Symmetry && self.problem.graph().board().is_none() {
            return Err(EnumerateError::NoSymmetries(self.problem.graph().to_string()));
        }
        let promise = self.outline(&self.problem)?.promise();
        self.can_tell(promise)?;
        Ok(promise)
    }

    fn can_tell(&self, promise: Promise) -> Result<(), EnumerateError> {
        if self.curve.is_some() && self.dedup == Dedup::None && self.sees_repeats(promise) {
            return Err(EnumerateError::Blind);
        }
        Ok(())
    }

    /// Returns the number of attempts after which a run without a budget ends by itself, if the solver
    /// declares such a bound.
    pub fn bound(&self) -> Result<Option<u64>, EnumerateError> {
        Ok(self.outline(&self.problem)?.bound())
    }

    /// Returns the number of units, if it is at most `most`.
    pub fn units(&self, most: u64) -> Result<Option<u64>, EnumerateError> {
        let prepared = self.outline(&self.anchored()?)?;
        Ok(count_units(prepared.as_ref(), &self.budget).filter(|&units| units <= most))
    }

    /// Returns whether the run must keep a set of the tours that it finds.
    pub fn keeps_a_set(&self) -> Result<bool, EnumerateError> {
        Ok(self.looks(self.promise()?))
    }

    /// Returns whether to detect duplicates. The paper's scheme runs even if there can be no duplicates, so
    /// that the tours it loses can be counted.
    fn looks(&self, promise: Promise) -> bool {
        match self.dedup {
            Dedup::Exact => self.sees_repeats(promise),
            Dedup::Bloom => true,
            Dedup::None => false,
        }
    }

    fn sees_repeats(&self, promise: Promise) -> bool {
        promise.repeats || self.distinct != Distinct::Directed
    }

    fn unsupported(&self, reason: Unsupported) -> EnumerateError {
        EnumerateError::Unsupported { solver: self.choice.name(), reason }
    }

    fn outline(&self, problem: &Problem) -> Result<Box<dyn Prepared>, EnumerateError> {
        let outline = self.choice.solver.outline(problem, &self.choice.values);
        outline.map_err(|reason| self.unsupported(reason))
    }

    /// Prepares the solver; `control` can stop the preparation.
    pub(crate) fn prepare(
        &self,
        problem: &Problem,
        control: &Control,
    ) -> Result<Box<dyn Prepared>, EnumerateError> {
        let stop = || control.must_stop();
        let cache = self.tables.as_deref();
        let resources = Resources { stop: &stop, cache, ..Resources::on(self.threads) };
        let prepared = self.choice.solver.prepare(problem, &self.choice.values, &resources);
        prepared.map_err(|reason| match stop() {
            true => EnumerateError::Stopped,
            false => self.unsupported(reason),
        })
    }

    /// Returns the problem with a fixed start square if a complete solver is to find closed tours. Every
    /// cycle passes through every square, so it is enough to start on the square with the fewest moves.
    fn anchored(&self) -> Result<Problem, EnumerateError> {
        let cycles = matches!(self.distinct, Distinct::Cycle | Distinct::Symmetry);
        let free = self.problem.start().is_none() && self.problem.end().is_none();
        // The start square must stay free if the filter depends on it, as for magic tours, or if tours are
        // counted by start square.
        let free = free
            && !self.by_start
            && matches!(self.keep, None | Some(TourFilter::Closed | TourFilter::Symmetric));
        let graph = self.problem.graph();
        if !cycles || !free || !self.problem.is_closed() || !self.promise()?.complete {
            return Ok(self.problem.clone());
        }
        let anchor = graph.vertices().min_by_key(|&v| graph.degree(v));
        Ok(anchor.map_or_else(|| self.problem.clone(), |v| self.problem.starting_at(v)))
    }

    /// Starts the time limit of the run.
    pub(crate) fn set_deadline(&self, control: &Control) {
        if let Some(time) = self.budget.time {
            control.deadline.get_or_init(|| Instant::now() + time);
        }
    }

    /// Returns the problem that is passed to the solver, and an outline of the solver's units.
    pub fn planned(&self) -> Result<(Problem, Box<dyn Prepared>), EnumerateError> {
        let problem = self.anchored()?;
        let outline = self.outline(&problem)?;
        self.can_do(outline.promise())?;
        Ok((problem, outline))
    }

    fn can_do(&self, promise: Promise) -> Result<(), EnumerateError> {
        self.can_tell(promise)?;
        if self.all && !promise.exhausts {
            return Err(EnumerateError::Endless(self.choice.name()));
        }
        Ok(())
    }

    /// Runs the enumeration. `take` receives each distinct tour that passes the filter, in an order that does
    /// not depend on the number of threads. Both `control` and `take` can stop the run.
    pub fn run(
        &self,
        control: &Control,
        take: Option<Taker<'_>>,
    ) -> Result<Summary, EnumerateError> {
        match take {
            Some(take) => self.follow(control, &mut |tour, _| take(tour)),
            None => self.go(control, None, None),
        }
    }

    /// Runs the enumeration like [`Enumeration::run`]; `take` also receives the moment at which each tour was
    /// found.
    pub fn follow(&self, control: &Control, take: Consumer<'_>) -> Result<Summary, EnumerateError> {
        self.go(control, Some(take), None)
    }

    /// Runs the enumeration like [`Enumeration::follow`], but on the calling thread and with an observer of
    /// the search.
    pub fn watch(
        &self,
        control: &Control,
        observer: &mut dyn Observer,
        take: Consumer<'_>,
    ) -> Result<Summary, EnumerateError> {
        self.go(control, Some(take), Some(observer))
    }

    /// As [`Enumeration::run`], on this thread; a narrator tells the search, with each distinct tour.
    pub fn explain(
        &self,
        control: &Control,
        narrator: &mut Narrator<'_>,
        take: Option<Taker<'_>>,
    ) -> Result<Summary, EnumerateError> {
        let narrator = RefCell::new(narrator);
        let mut pass = take;
        let mut consumer = |tour: Verified<'_>, moment: &Moment| {
            let found = SearchEvent::Tour { squares: tour.squares(), closed: tour.is_closed() };
            narrator.borrow_mut().event(&found, &moment.stats)?;
            pass.as_mut().map_or(ControlFlow::Continue(()), |take| take(tour))
        };
        self.watch(control, &mut Shared(&narrator), &mut consumer)
    }

    fn go(
        &self,
        control: &Control,
        mut take: Option<Consumer<'_>>,
        observer: Option<&mut dyn Observer>,
    ) -> Result<Summary, EnumerateError> {
        let begun = Instant::now();
        self.set_deadline(control);
        let problem = self.anchored()?;
        let prepared = match self.prepare(&problem, control) {
            Err(EnumerateError::Stopped) => {
                let ends = Ends { limit: true, ..Ends::default() };
                let report = RunReport::new(ends.status(control.interrupt.load(Relaxed)));
                let seconds = begun.elapsed().as_secs_f64();
                return Ok(Summary::new(report, Totals::default(), None, seconds));
            }
            prepared => prepared?,
        };
        let promise = prepared.promise();
        self.can_do(promise)?;
        let looks = self.looks(promise);
        let words = || Packer::new(problem.graph()).words();
        let mut seen = looks.then(|| Deduplicator::new(self, words(), self.set_memory()));
        let sink = seen.as_mut().map(|seen| seen as &mut dyn TourSink);
        let mut intake = Intake::new(self, &problem, sink);
        let must_see = looks
            || self.by_start
            || self.curve.is_some()
            || self.keep.is_some()
            || self.budget.tours.is_some()
            || take.is_some();
        let mut consumer = |tour: Verified<'_>, moment: &Moment| {
            let taken = intake.take(&tour, moment);
            if intake.full {
                control.distinct_full.store(true, Relaxed);
            }
            if taken {
                if let Some(take) = &mut take {
                    take(tour, moment)?;
                }
                if Some(intake.total.distinct) == self.budget.tours {
                    return ControlFlow::Break(());
                }
            }
            match self.when_full {
                WhenFull::Stop if intake.full => ControlFlow::Break(()),
                _ => ControlFlow::Continue(()),
            }
        };
        let driver = self.driver(&problem, prepared.as_ref(), control);
        let mut report = match observer {
            Some(observer) => driver.watch(observer, &mut consumer)?,
            None => driver.run(self.threads, if must_see { Some(&mut consumer) } else { None })?,
        };
        if !must_see {
            let Stats { tours, closed, .. } = report.stats;
            intake.total = Totals { tours, distinct: tours, closed, ..intake.total };
        }
        let curve = intake.curve(report.stats.attempts);
        let mut by_start = intake.by_start.take().unwrap_or_default();
        if self.by_start {
            for (start, stats) in std::mem::take(&mut report.by_start) {
                let total: &mut Totals = by_start.entry(start).or_default();
                (total.attempts, total.moves) = (stats.attempts, stats.moves);
            }
        }
        let Intake { total, full, first, .. } = intake;
        let lost = seen.as_ref().and_then(Deduplicator::lost);
        let seconds = begun.elapsed().as_secs_f64();
        let counted = Summary::new(report, total, prepared.bound(), seconds);
        Ok(Summary { by_start, full, lost, curve, first, ..counted })
    }

    /// Returns the number of bytes for one set of distinct tours. A production curve needs a second set, for
    /// the tours of one unit.
    fn set_memory(&self) -> usize {
        if self.curve.is_some() { self.memory / 2 } else { self.memory }
    }

    /// Creates the driver that runs the prepared solver.
    pub(crate) fn driver<'d>(
        &self,
        problem: &'d Problem,
        prepared: &'d dyn Prepared,
        control: &'d Control,
    ) -> Driver<'d> {
        let (solver, seed, budget) = (self.choice.name(), self.seed, self.budget);
        Driver { problem, solver, prepared, seed, budget, control }
    }

    /// Counts all distinct tours that pass the filter, to predict a curve; returns `None` if that takes too
    /// long. An interrupt or the time limit of the run ends the search.
    pub fn count_all(&self, control: &Control) -> Option<u64> {
        if self.problem.graph().order() > COUNTED_SQUARES {
            return None;
        }
        let everything = Enumeration {
            choice: Choice::offered(Purpose::EveryTour, &self.problem)?,
            budget: Budget {
                tours: Some(COUNTING.0),
                moves: Some(COUNTING.1),
                ..Budget::UNLIMITED
            },
            curve: None,
            by_start: false,
            dedup: if self.dedup == Dedup::Bloom { Dedup::Exact } else { self.dedup },
            ..self.clone()
        };
        let control = Control {
            interrupt: control.interrupt.clone(),
            deadline: control.deadline.clone(),
            ..Control::default()
        };
        let counted = everything.run(&control, None).ok()?;
        (counted.status == Status::Complete).then_some(counted.total.distinct)
    }
}
