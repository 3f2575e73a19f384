//! Searches for one tour with several solvers, one after another, each within its own budget.

use crate::problem::Problem;
use crate::search::{
    BadClaim, Budget, Control, Driver, Info, Observer, Purpose, Resources, SearchEvent, Solver,
    Stats, Status, Unsupported, Values,
};
use crate::tour::{Tour, Verified};
use serde::Serialize;
use std::ops::ControlFlow;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Instant;
use thiserror::Error;

/// A solver to try, with its parameter values.
#[derive(Clone)]
pub struct Stage {
    /// The solver.
    pub solver: &'static dyn Solver,
    /// Parameter values of the solver.
    pub values: Values,
    /// Maximum number of attempts before the next stage starts; `None` for no limit.
    pub attempts: Option<u64>,
}

impl Stage {
    /// Returns one stage per offer that has this purpose and suits the problem, in the order of their ranks.
    pub fn offered(
        solvers: &[&'static dyn Solver],
        purpose: Purpose,
        problem: &Problem,
    ) -> Vec<Stage> {
        let mut ranked = Vec::new();
        for &solver in solvers {
            let info = solver.info();
            let offers = info.offers.iter().filter(|offer| offer.purpose == purpose);
            for offer in offers.filter(|offer| (offer.suits)(problem)) {
                let pairs = offer.params.iter().filter_map(|param| param.split_once('='));
                if let Ok(values) = Values::resolve(info.name, info.params, pairs) {
                    ranked.push((offer.rank, Stage { solver, values, attempts: offer.attempts }));
                }
            }
        }
        ranked.sort_by_key(|(rank, _)| *rank);
        ranked.into_iter().map(|(_, stage)| stage).collect()
    }
}

/// The result and cost of a staged search.
#[derive(Debug)]
pub struct FirstTour {
    /// The tour, if one was found.
    pub tour: Option<Tour>,
    /// How the last stage ended. `Complete` without a tour proves that there is none.
    pub status: Status,
    /// The solver of the last stage.
    pub solver: &'static Info,
    /// Number of attempts in all stages together.
    pub attempts: u64,
    /// Number of moves in all stages together.
    pub moves: u64,
    /// Whether the last solver stopped at a bound set by its parameters.
    pub bounded: bool,
    /// Reports on the stages, in order.
    pub stages: Vec<StageReport>,
}

/// The outcome and cost of one stage of a search.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StageReport {
    /// Name of the solver.
    pub solver: &'static str,
    /// How the stage ended: `found`, `unsupported`, or the word for its status.
    pub status: &'static str,
    /// Number of attempts made.
    pub attempts: u64,
    /// Number of moves made.
    pub moves: u64,
    /// Wall-clock time in seconds, including the preparation.
    pub seconds: f64,
}

/// Why a staged search failed.
#[derive(Error, Debug, Clone, PartialEq, Eq)]
pub enum StageError {
    /// No solver supports the problem.
    #[error("solver {solver} does not support this: {reason}")]
    Refused {
        /// Name of the last solver tried.
        solver: &'static str,
        /// The most informative reason. It comes from a solver that constructs tours, if there is one, and
        /// otherwise from the last solver tried.
        reason: Unsupported,
    },
    /// A solver claimed an invalid tour, which is a bug.
    #[error(transparent)]
    BadClaim(#[from] BadClaim),
}

/// A search for one tour in several stages.
pub struct StagedSearch<'a> {
    /// The problem to solve.
    pub problem: &'a Problem,
    /// Master seed.
    pub seed: u64,
    /// Number of threads; the result does not depend on it.
    pub threads: usize,
    /// Budget that all stages share.
    pub budget: Budget,
    /// Stop flags and live counters.
    pub control: &'a Control,
}

fn left(total: Option<u64>, spent: u64) -> Option<u64> {
    total.map(|total| total.saturating_sub(spent))
}

impl StagedSearch<'_> {
    /// Tries the stages in order until one of them finds a tour or proves that there is none, or until the
    /// budget is spent.
    pub fn run(&self, stages: &[Stage]) -> Result<FirstTour, StageError> {
        self.try_all(stages, None)
    }

    /// As [`StagedSearch::run`], on this thread, with an observer of the search.
    pub fn watch(
        &self,
        stages: &[Stage],
        observer: &mut dyn Observer,
    ) -> Result<FirstTour, StageError> {
        self.try_all(stages, Some(observer))
    }

    fn try_all(
        &self,
        stages: &[Stage],
        mut observer: Option<&mut dyn Observer>,
    ) -> Result<FirstTour, StageError> {
        if let Some(time) = self.budget.time {
            self.control.deadline.get_or_init(|| Instant::now() + time);
        }
        let mut found = FirstTour {
            tour: None,
            status: Status::Limit,
            solver: &Info::PLAIN,
            attempts: 0,
            moves: 0,
            bounded: false,
            stages: Vec::new(),
        };
        let mut refusal = None;
        for (index, stage) in stages.iter().enumerate() {
            found.solver = stage.solver.info();
            let (begun, attempts, moves) = (Instant::now(), found.attempts, found.moves);
            let observer: Option<&mut dyn Observer> = match &mut observer {
                Some(observer) => Some(&mut **observer),
                None => None,
            };
            let ended = self.stage(stage, stages.len() > 1, &mut found, observer);
            found.stages.push(StageReport {
                solver: found.solver.name,
                status: match (&ended, &found.tour) {
                    (Err(_), _) => "unsupported",
                    (Ok(_), Some(_)) => "found",
                    (Ok(_), None) => found.status.verdict(0),
                },
                attempts: found.attempts - attempts,
                moves: found.moves - moves,
                seconds: begun.elapsed().as_secs_f64(),
            });
            let spent = match ended {
                Err(StageError::Refused { reason, .. }) if index + 1 < stages.len() => {
                    refusal = refusal.or(found.solver.constructs.map(|_| reason));
                    continue;
                }
                Err(StageError::Refused { solver, reason }) => {
                    let reason = refusal.unwrap_or(reason);
                    return Err(StageError::Refused { solver, reason });
                }
                spent => spent?,
            };
            let decided = found.tour.is_some()
                || matches!(found.status, Status::Interrupted | Status::Complete);
            if decided || spent || self.control.late() {
                break;
            }
        }
        Ok(found)
    }

    /// Runs one solver until it finds a tour, or until the budget of the stage or of the whole search is
    /// spent. Returns whether the budget of the whole search is spent.
    fn stage(
        &self,
        stage: &Stage,
        several: bool,
        found: &mut FirstTour,
        observer: Option<&mut dyn Observer>,
    ) -> Result<bool, StageError> {
        let control = self.control;
        let stop = || control.must_stop();
        let resources = Resources { stop: &stop, ..Resources::on(self.threads) };
        let solver = stage.solver.info().name;
        match stage.solver.prepare(self.problem, &stage.values, &resources) {
            Err(_) if stop() => {
                let interrupted = control.interrupt.load(Relaxed);
                found.status = if interrupted { Status::Interrupted } else { Status::Limit };
                found.bounded = false;
            }
            Err(reason) => return Err(StageError::Refused { solver, reason }),
            Ok(prepared) => {
                let (attempts, moves) = (found.attempts, found.moves);
                let most = left(self.budget.attempts, found.attempts);
                let driver = Driver {
                    problem: self.problem,
                    solver,
                    prepared: &*prepared,
                    seed: self.seed,
                    budget: Budget {
                        attempts: stage.attempts.into_iter().chain(most).min(),
                        moves: left(self.budget.moves, found.moves),
                        ..self.budget
                    },
                    control,
                };
                let mut take = |tour: Verified<'_>, _: &_| {
                    found.tour = Some(tour.into_tour());
                    ControlFlow::Break(())
                };
                let report = match observer {
                    None => driver.run(self.threads, Some(&mut take))?,
                    Some(observer) => {
                        let so_far = Stats { attempts, moves, ..Stats::default() };
                        let stage = SearchEvent::Stage { solver, attempts: stage.attempts };
                        if several {
                            // The answer of the observer is asked for at the first step.
                            let _ = observer.event(&stage, &so_far);
                        }
                        let report = driver.watch(observer, &mut take)?;
                        if let Some(tour) = &found.tour {
                            let (squares, closed) = (tour.squares(), tour.is_closed());
                            let stats = so_far + report.stats;
                            let _ = observer.event(&SearchEvent::Tour { squares, closed }, &stats);
                        }
                        report
                    }
                };
                found.attempts += report.stats.attempts;
                found.moves += report.stats.moves;
                found.bounded = prepared.bound().is_some_and(|most| report.stats.attempts >= most);
                found.status = report.status;
            }
        }
        Ok(left(self.budget.attempts, found.attempts) == Some(0)
            || left(self.budget.moves, found.moves) == Some(0)
            || (stage.attempts.is_none() && found.status == Status::Limit && !found.bounded))
    }
}
