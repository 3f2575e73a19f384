//! A race: solvers on one problem under the same budget, run after run, with what the runs allow to say.
//!
//! Every run is one solver on one thread with one seed; all entrants see the same seeds. Untimed runs go
//! side by side on all threads, which changes no count; runs against the clock go one at a time.
//! An entrant is called ahead of another only where the whole 99% interval of the difference of their
//! mean numbers of distinct tours lies above zero.
//! Limits: the seconds of runs that go side by side are somewhat longer than those of runs alone.

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

/// Points of a line over time, as many as a production curve has; when there are more, every second is dropped.
const MOST_TICKS: usize = crate::lab::curve::MOST_POINTS;

/// Time between two events of a run under way: 25 per second look continuous.
const PULSE: Duration = Duration::from_millis(40);

/// A solver in a race.
#[derive(Clone)]
pub struct Entrant {
    /// As it was typed: the solver's name and its parameters.
    pub name: String,
    /// The solver.
    pub choice: Choice,
}

/// Who races, where, and for how long.
#[derive(Clone)]
pub struct Race {
    /// The problem.
    pub problem: Problem,
    /// The solvers.
    pub entrants: Vec<Entrant>,
    /// Budget of each run.
    pub budget: Budget,
    /// Runs of each entrant.
    pub runs: u64,
    /// Master seed.
    pub seed: u64,
    /// Number of threads; no count depends on it.
    pub threads: usize,
    /// Memory for the distinct tours of all runs that go side by side, in bytes.
    pub memory: usize,
}

/// When the first tour was found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TimeToFirst {
    /// Attempts and moves until then.
    pub stats: Stats,
    /// Seconds until then.
    pub seconds: f64,
}

/// One run of one entrant.
#[derive(Clone, Debug)]
pub struct RaceRun {
    /// Its seed.
    pub seed: u64,
    /// How it ended.
    pub status: Status,
    /// What it counted.
    pub total: Totals,
    /// The first tour, if there was one.
    pub first: Option<TimeToFirst>,
    /// Distinct tours over attempts.
    pub curve: Vec<CurvePoint>,
    /// Distinct tours over seconds.
    pub clock: Vec<(f64, u64)>,
    /// Distinct tours by start square.
    pub starts: BTreeMap<Square, u64>,
    /// Wall-clock seconds.
    pub seconds: f64,
}

/// What a race came to: the laps of every entrant, in the order of their seeds.
#[derive(Debug)]
pub struct Raced {
    /// For each entrant.
    pub laps: Vec<Vec<RaceRun>>,
    /// Where uniform tours start.
    pub law: Law,
    /// Whether it was stopped before all runs were made.
    pub interrupted: bool,
    /// Wall-clock seconds.
    pub seconds: f64,
}

impl Raced {
    /// Writes a line a run.
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

/// How a race goes.
#[derive(Clone, Copy, Debug)]
pub enum RaceEvent<'a> {
    /// A run is under way and has just found a tour.
    UnderWay {
        /// The entrant, by its place.
        who: usize,
        /// The run, from 0.
        run: u64,
        /// What was counted.
        tally: Totals,
        /// Wall-clock seconds.
        seconds: f64,
    },
    /// A run is done.
    Done {
        /// The entrant, by its place.
        who: usize,
        /// The run, from 0.
        run: u64,
        /// What came of it.
        lap: &'a RaceRun,
    },
}

/// Somebody who looks on, from several threads where runs go side by side.
pub type Spectator<'a> = &'a (dyn Fn(&RaceEvent<'_>) + Sync);

/// Why a race is not possible, or went wrong.
#[derive(Error, Debug, Clone, PartialEq, Eq)]
pub enum RaceError {
    /// An entrant does not take the problem.
    #[error("{name} cannot start: {reason}")]
    Entrant {
        /// The entrant.
        name: String,
        /// The reason.
        reason: EnumerateError,
    },
    /// No room for the distinct tours of a run.
    #[error("the distinct tours of {0} do not fit in memory")]
    Full(String),
    /// A uniform tour was none.
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
    /// Attempts of a run where no budget is given.
    pub const DEFAULT_ATTEMPTS: u64 = 100_000;

    /// Makes all runs, the first of every entrant first. `control` stops it from outside; runs that
    /// were made to their end are kept.
    pub fn run(&self, control: &Control) -> Result<Raced, RaceError> {
        self.go(control, None)
    }

    /// As [`Race::run`], and tells a spectator how it goes.
    pub fn watch(&self, control: &Control, see: Spectator<'_>) -> Result<Raced, RaceError> {
        self.go(control, Some(see))
    }

    fn go(&self, control: &Control, see: Option<Spectator<'_>>) -> Result<Raced, RaceError> {
        let begun = Instant::now();
        // The runs of `uniform`, and the law of the starts, share one table.
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

    /// Runs that go side by side.
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

    /// One run; `None` if it was interrupted.
    fn lap(
        &self,
        (who, run): (usize, u64),
        seed: u64,
        shared: &Control,
        see: Option<Spectator<'_>>,
    ) -> Result<Option<RaceRun>, RaceError> {
        let entrant = &self.entrants[who];
        // Every run against the clock has a clock of its own.
        let own = Control { interrupt: shared.interrupt.clone(), ..Control::default() };
        let timed = self.budget.time.is_some();
        let (mut clock, mut starts) = (Clock::new(), BTreeMap::new());
        let (mut closed, mut told) = (0, Instant::now());
        let mut take = |tour: Verified<'_>, moment: &Moment| {
            clock.tick();
            *starts.entry(tour.squares()[0]).or_default() += 1;
            closed += u64::from(tour.is_closed());
            if let Some(see) = see
                && told.elapsed() > PULSE
            {
                told = Instant::now();
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

/// Distinct tours over seconds, at few points.
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

    /// One more tour.
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
