//! Races: several solvers run on one problem under the same budget, each several times.
//!
//! Each run uses one solver, one thread and one seed; all entrants get the same seeds. Runs with a time limit
//! are executed one at a time. Other runs are executed in parallel, which does not change their counts. An
//! entrant is ahead of another only if the 99% interval of the difference between their mean numbers of
//! distinct tours is above zero. Limits: parallel runs report slightly more seconds than runs executed alone.

mod law;
#[cfg(feature = "draw")]
mod report;
mod standing;

pub use law::{Law, StartBias};
pub use standing::{CONFIDENCE, Standing, ahead, verdicts};

use crate::board::Square;
use crate::error::{Argument, Diagnostic, ErrorKind, Remedy};
use crate::lab::curve::CurvePoint;
use crate::lab::enumerate::{EnumerateError, Enumeration, Totals};
use crate::lab::runs::make_runs;
use crate::problem::Problem;
use crate::search::{BadClaim, Budget, Control, Moment, Stats, Status, seeds};
use crate::solvers::registry::Choice;
use crate::tour::Verified;
use crate::uniform::Lease;
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};
use thiserror::Error;

/// Maximum number of points of a curve over time, as for a production curve. When it is exceeded, every
/// second point is dropped.
const MOST_TICKS: usize = crate::lab::curve::MOST_POINTS;

/// Minimum time between two events of a run; 25 events per second look continuous.
const PULSE: Duration = Duration::from_millis(40);

/// A solver in a race.
#[derive(Clone)]
pub struct Entrant {
    /// Name and parameters, as typed.
    pub name: String,
    /// The solver and its parameters.
    pub choice: Choice,
}

/// A race: a problem, the solvers and the budget of each run.
#[derive(Clone)]
pub struct Race {
    /// The problem to solve.
    pub problem: Problem,
    /// The solvers.
    pub entrants: Vec<Entrant>,
    /// Budget of each run.
    pub budget: Budget,
    /// Number of runs per entrant.
    pub runs: u64,
    /// Master seed.
    pub seed: u64,
    /// Number of threads; the counts do not depend on it.
    pub threads: usize,
    /// Maximum number of bytes for the distinct tours of all runs that are executed in parallel.
    pub memory: usize,
}

/// What it cost to find the first tour.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TimeToFirst {
    /// Attempts and moves up to the first tour.
    pub stats: Stats,
    /// Seconds up to the first tour.
    pub seconds: f64,
}

/// One run of one entrant.
#[derive(Clone, Debug)]
pub struct RaceRun {
    /// Seed of the run.
    pub seed: u64,
    /// How the run ended.
    pub status: Status,
    /// Totals of the run.
    pub total: Totals,
    /// Cost of the first tour, if one was found.
    pub first: Option<TimeToFirst>,
    /// Number of distinct tours as a function of attempts.
    pub curve: Vec<CurvePoint>,
    /// Number of distinct tours as a function of seconds.
    pub clock: Vec<(f64, u64)>,
    /// Number of distinct tours by start square.
    pub starts: BTreeMap<Square, u64>,
    /// Wall-clock time in seconds.
    pub seconds: f64,
}

/// The result of a race.
#[derive(Debug)]
pub struct Raced {
    /// The runs of each entrant, in the order of their seeds.
    pub laps: Vec<Vec<RaceRun>>,
    /// Distribution of the start squares of uniform tours.
    pub law: Law,
    /// Whether an interrupt prevented some of the runs.
    pub interrupted: bool,
    /// Wall-clock time in seconds.
    pub seconds: f64,
}

impl Raced {
    /// Writes one CSV line per run.
    pub fn write_csv(&self, race: &Race, out: &mut impl Write) -> io::Result<()> {
        writeln!(
            out,
            "solver,seed,attempts,tours,distinct,closed,moves,seconds,first_attempts,first_moves,first_seconds"
        )?;
        for (entrant, laps) in race.entrants.iter().zip(&self.laps) {
            for RaceRun { seed, total: t, first, seconds, .. } in laps {
                let Totals { attempts, tours, distinct, closed, moves } = t;
                let name = &entrant.name;
                write!(
                    out,
                    "{name},{seed},{attempts},{tours},{distinct},{closed},{moves},{seconds:.6},"
                )?;
                match first {
                    Some(f) => {
                        writeln!(out, "{},{},{:.9}", f.stats.attempts, f.stats.moves, f.seconds)?
                    }
                    None => writeln!(out, ",,")?,
                }
            }
        }
        Ok(())
    }
}

/// A progress report of a race.
#[derive(Clone, Copy, Debug)]
pub enum RaceEvent<'a> {
    /// A run in progress has found a tour.
    UnderWay {
        /// Index of the entrant.
        who: usize,
        /// Index of the run.
        run: u64,
        /// Totals so far.
        tally: Totals,
        /// Wall-clock time in seconds.
        seconds: f64,
    },
    /// A run is finished.
    Done {
        /// Index of the entrant.
        who: usize,
        /// Index of the run.
        run: u64,
        /// The finished run.
        lap: &'a RaceRun,
    },
}

/// A callback that receives the events of a race; several threads call it if runs are executed in parallel.
pub type Spectator<'a> = &'a (dyn Fn(&RaceEvent<'_>) + Sync);

/// Why a race failed.
#[derive(Error, Debug, Clone, PartialEq, Eq)]
pub enum RaceError {
    /// An entrant cannot run on the problem.
    #[error("{name} cannot start: {reason}")]
    Entrant {
        /// Name of the entrant.
        name: String,
        /// Why the entrant cannot run.
        reason: EnumerateError,
    },
    /// The distinct tours of a run do not fit in memory.
    #[error("the distinct tours of {0} do not fit in memory")]
    Full(String),
    /// A uniform tour failed verification.
    #[error(transparent)]
    Uniform(#[from] BadClaim),
}

impl Diagnostic for RaceError {
    fn kind(&self) -> ErrorKind {
        match self {
            RaceError::Entrant { .. } => ErrorKind::Unsupported,
            RaceError::Full(_) => ErrorKind::Memory,
            RaceError::Uniform(claim) => claim.kind(),
        }
    }

    fn remedies(&self) -> Vec<Remedy> {
        match self {
            RaceError::Entrant { .. } => vec![Remedy::LeaveOutEntrant],
            RaceError::Full(_) => vec![
                Remedy::Do("give a smaller budget"),
                Remedy::Lower(Argument::Threads),
                Remedy::Raise(Argument::Memory),
            ],
            RaceError::Uniform(_) => Vec::new(),
        }
    }
}

impl Race {
    /// Default number of attempts per run, used if no budget is given.
    pub const DEFAULT_ATTEMPTS: u64 = 100_000;

    /// Runs the race: first the first run of every entrant, then the second, and so on. `control` can
    /// interrupt the race; the runs that are already finished are kept.
    pub fn run(&self, control: &Control) -> Result<Raced, RaceError> {
        self.go(control, None)
    }

    /// Runs the race like [`Race::run`] and reports progress to a spectator.
    pub fn watch(&self, control: &Control, see: Spectator<'_>) -> Result<Raced, RaceError> {
        self.go(control, Some(see))
    }

    fn go(&self, control: &Control, see: Option<Spectator<'_>>) -> Result<Raced, RaceError> {
        let begun = Instant::now();
        // The runs of `uniform` and the start bias share one table.
        let _lease = Lease::new();
        for entrant in &self.entrants {
            let name = entrant.name.clone();
            let promise = self.enumeration(entrant, self.seed).promise();
            promise.map_err(|reason| RaceError::Entrant { name, reason })?;
        }
        let seeds = seeds(self.seed, self.runs);
        let field = self.entrants.len() as u64;
        let number = field.saturating_mul(self.runs);
        let place = |job: u64| ((job % field) as usize, job / field);
        let lap = |job: u64| {
            let (who, run) = place(job);
            let lap = self.lap((who, run), seeds[run as usize], control, see)?;
            if let (Some(see), Some(lap)) = (see, &lap) {
                see(&RaceEvent::Done { who, run, lap });
            }
            Ok::<_, RaceError>(lap)
        };
        let mut made = BTreeMap::new();
        make_runs(self.abreast(), number, control, lap, |job, lap| {
            made.insert(place(job), lap);
        })?;
        let interrupted = (made.len() as u64) < number;
        let mut laps: Vec<Vec<RaceRun>> = self.entrants.iter().map(|_| Vec::new()).collect();
        for ((who, _), lap) in made {
            laps[who].push(lap);
        }
        let law = match interrupted {
            true => Law::Unknown("the race was interrupted".into()),
            false => Law::of(self, control)?,
        };
        Ok(Raced { laps, law, interrupted, seconds: begun.elapsed().as_secs_f64() })
    }

    /// Returns the number of runs that are executed in parallel.
    pub fn abreast(&self) -> usize {
        if self.budget.time.is_some() { 1 } else { self.threads.max(1) }
    }

    fn enumeration(&self, entrant: &Entrant, seed: u64) -> Enumeration {
        Enumeration {
            seed,
            threads: 1,
            budget: self.budget,
            curve: Some(1),
            memory: self.memory / self.abreast(),
            ..Enumeration::new(self.problem.clone(), entrant.choice.clone())
        }
    }

    /// Executes one run; returns `None` if it was interrupted.
    fn lap(
        &self,
        (who, run): (usize, u64),
        seed: u64,
        shared: &Control,
        see: Option<Spectator<'_>>,
    ) -> Result<Option<RaceRun>, RaceError> {
        let entrant = &self.entrants[who];
        // Every timed run has its own deadline.
        let own = Control { interrupt: shared.interrupt.clone(), ..Control::default() };
        let timed = self.budget.time.is_some();
        let (mut clock, mut starts) = (Clock::new(), BTreeMap::new());
        let (mut closed, mut last) = (0, Instant::now());
        let mut take = |tour: Verified<'_>, moment: &Moment| {
            clock.tick();
            *starts.entry(tour.squares()[0]).or_default() += 1;
            closed += u64::from(tour.is_closed());
            if let Some(see) = see
                && last.elapsed() > PULSE
            {
                last = Instant::now();
                let Stats { attempts, moves, tours, .. } = moment.stats;
                let tally = Totals { attempts, tours, distinct: clock.tours, closed, moves };
                let seconds = clock.begun.elapsed().as_secs_f64();
                see(&RaceEvent::UnderWay { who, run, tally, seconds });
            }
            ControlFlow::Continue(())
        };
        let control = if timed { &own } else { shared };
        let summary = self.enumeration(entrant, seed).follow(control, &mut take);
        let summary =
            summary.map_err(|reason| RaceError::Entrant { name: entrant.name.clone(), reason })?;
        if summary.full {
            return Err(RaceError::Full(entrant.name.clone()));
        }
        if timed {
            shared.attempts.fetch_add(summary.total.attempts, Relaxed);
            shared.tours.fetch_add(summary.total.tours, Relaxed);
            shared.moves.fetch_add(summary.total.moves, Relaxed);
        }
        if summary.status == Status::Interrupted {
            return Ok(None);
        }
        let first = summary.first.zip(clock.first);
        Ok(Some(RaceRun {
            seed,
            status: summary.status,
            total: summary.total,
            first: first.map(|(stats, seconds)| TimeToFirst { stats, seconds }),
            curve: summary.curve.map_or(Vec::new(), |curve| curve.points),
            clock: clock.finish(summary.total.distinct, summary.seconds),
            starts,
            seconds: summary.seconds,
        }))
    }
}

/// The number of distinct tours as a function of seconds, at a limited number of points.
struct Clock {
    begun: Instant,
    first: Option<f64>,
    tours: u64,
    step: u64,
    ticks: Vec<(f64, u64)>,
}

impl Clock {
    fn new() -> Clock {
        Clock { begun: Instant::now(), first: None, tours: 0, step: 1, ticks: Vec::new() }
    }

    /// Counts one more distinct tour.
    fn tick(&mut self) {
        self.tours += 1;
        if !self.tours.is_multiple_of(self.step) {
            return;
        }
        let now = self.begun.elapsed().as_secs_f64();
        self.first.get_or_insert(now);
        self.ticks.push((now, self.tours));
        if self.ticks.len() > MOST_TICKS {
            self.step *= 2;
            self.ticks.retain(|tick| tick.1.is_multiple_of(self.step));
        }
    }

    fn finish(mut self, tours: u64, seconds: f64) -> Vec<(f64, u64)> {
        self.ticks.push((seconds, tours));
        self.ticks
    }
}

#[cfg(test)]
mod tests;
