//! A race between solvers under the same budget, with production curves that grow while they run.

use super::tables::table_if_needed;
use super::trace::traces;
use super::{Job, Submission, Task, UPDATE_INTERVAL, failed};
use crate::api_error::ApiError;
use crate::limits::{Limits, MAX_ENTRANTS, MAX_RUNS};
use crate::remedy::message;
use crate::snapshot::Topic;
use crate::spec::{BudgetSpec, ProblemSpec, SolverSpec, impossible};
use hippodrome::lab::enumerate::Totals;
use hippodrome::lab::race::{
    CONFIDENCE, Entrant, Race, RaceEvent, RaceRun, Raced, Standing, verdicts,
};
use hippodrome::search::{Budget, Status};
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// Number of points on a curve: about one per ten pixels of the chart on the page.
const CURVE_POINTS: usize = 80;

/// A request for a race.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RaceRequest {
    ground: ProblemSpec,
    entrants: Vec<SolverSpec>,
    spending: BudgetSpec,
    runs: u64,
    #[serde(default)]
    seed: u64,
}

impl RaceRequest {
    /// Checks the request.
    pub(crate) fn prepare(self, limits: &Limits) -> Result<Submission, ApiError> {
        let memory = limits.memory;
        if self.entrants.is_empty() || self.entrants.len() > MAX_ENTRANTS {
            let given = self.entrants.len();
            return Err(ApiError::too_large(format!(
                "invalid number of methods {given}: expected 1 to {MAX_ENTRANTS}"
            )));
        }
        if !(1..=MAX_RUNS).contains(&self.runs) {
            return Err(ApiError::too_large(format!(
                "invalid number of runs {}: expected 1 to {MAX_RUNS}",
                self.runs
            )));
        }
        let problem = self.ground.small_problem()?;
        let mut budget = self.spending.budget()?;
        if budget == Budget::UNLIMITED {
            return Err(ApiError::unprocessable(
                "a race needs a budget; set attempts, moves, tours or seconds",
            ));
        }
        if budget == (Budget { tours: budget.tours, ..Budget::UNLIMITED }) {
            // A method may never find that many tours.
            budget.time = Some(limits.drawing);
        }
        let entrant = |method: &SolverSpec| {
            Ok(Entrant { name: method.typed(), choice: method.choice(memory)? })
        };
        let entrants = self.entrants.iter().map(entrant).collect::<Result<Vec<_>, ApiError>>()?;
        if let Some(verdict) = impossible(&problem) {
            return Ok(Submission::Impossible(verdict));
        }
        let race = Race {
            problem,
            entrants,
            budget,
            runs: self.runs,
            seed: self.seed,
            // Use one thread per solver, so that all curves grow together. With a time limit, runs are still
            // made one at a time.
            threads: self.entrants.len(),
            memory,
        };
        let methods: Vec<String> = self.entrants.iter().map(SolverSpec::typed).collect();
        let work = move |job: &Job| run(&race, job);
        Ok(Submission::Task(Task::new("race", &self.ground, &methods, self.seed, work)))
    }
}

/// Runs the race, and returns the final state of the job.
fn run(race: &Race, job: &Job) -> Value {
    let choices = race.entrants.iter().map(|entrant| &entrant.choice);
    let _table = match table_if_needed(job, &race.problem, choices) {
        Ok(table) => table,
        Err(end) => return end,
    };
    let scoreboard = Scoreboard::new(race);
    job.snapshot.publish(Topic::Frame, &scoreboard.frame(race, None));
    job.snapshot.publish(Topic::Context, &traces(race, job));
    let scoreboard = Mutex::new(scoreboard);
    let observe = |event: &RaceEvent<'_>| {
        let mut scoreboard = scoreboard.lock().unwrap_or_else(PoisonError::into_inner);
        scoreboard.update(event);
        if scoreboard.published.elapsed() > UPDATE_INTERVAL {
            scoreboard.published = Instant::now();
            job.snapshot.publish(Topic::Frame, &scoreboard.frame(race, None));
        }
    };
    let raced = race.watch(&job.control(), &observe);
    let scoreboard = scoreboard.into_inner().unwrap_or_else(PoisonError::into_inner);
    match raced {
        Err(error) => failed(message(&error)),
        Ok(raced) => {
            job.snapshot.publish(Topic::Frame, &scoreboard.frame(race, Some(&raced)));
            let status = if raced.interrupted { Status::Interrupted.word() } else { "complete" };
            json!({ "state": "done", "status": status, "seconds": raced.seconds })
        }
    }
}

/// A production curve: the number of distinct tours by seconds or by attempts.
type Curve = Vec<(f64, u64)>;

/// The data about a race that viewers see.
struct Scoreboard {
    /// Whether the curves are plotted against seconds instead of attempts.
    timed: bool,
    /// For each entrant, the totals and curves of its runs, by the number of the run.
    laps: Vec<BTreeMap<u64, (Totals, Curve)>>,
    done: Vec<u64>,
    published: Instant,
}

impl Scoreboard {
    fn new(race: &Race) -> Scoreboard {
        let entrants = race.entrants.len();
        let (laps, done) = (vec![BTreeMap::new(); entrants], vec![0; entrants]);
        Scoreboard { timed: race.budget.time.is_some(), laps, done, published: Instant::now() }
    }

    fn update(&mut self, event: &RaceEvent<'_>) {
        match *event {
            RaceEvent::UnderWay { who, run, tally, seconds } => {
                let (last, curve) = self.laps[who].entry(run).or_default();
                *last = tally;
                let at = if self.timed { seconds } else { tally.attempts as f64 };
                curve.push((at, tally.distinct));
                *curve = thinned(curve);
            }
            RaceEvent::Done { who, run, lap } => {
                self.done[who] += 1;
                let curve = if self.timed { lap.clock.clone() } else { over_attempts(lap) };
                self.laps[who].insert(run, (lap.total, thinned(&curve)));
            }
        }
    }

    fn frame(&self, race: &Race, raced: Option<&Raced>) -> Value {
        let standings = raced.map(|raced| race.standings(raced));
        let entry = |(who, entrant): (usize, &Entrant)| {
            let sum =
                |of: fn(&Totals) -> u64| self.laps[who].values().map(|lap| of(&lap.0)).sum::<u64>();
            let curves: Vec<&Curve> = self.laps[who].values().map(|lap| &lap.1).collect();
            let mut standing = json!({
                "name": entrant.name,
                "done": self.done[who],
                "attempts": sum(|t| t.attempts),
                "moves": sum(|t| t.moves),
                "tours": sum(|t| t.tours),
                "distinct": sum(|t| t.distinct),
                "closed": sum(|t| t.closed),
                "laps": curves,
                "failed": null, "hit_ratio": null, "bias": null, "first": null,
            });
            if let Some(final_standing) = standings.as_ref().map(|all| &all[who]) {
                add_final(&mut standing, final_standing);
            }
            standing
        };
        let law = raced.and_then(|raced| raced.law.silence());
        json!({
            "unit": if self.timed { "seconds" } else { "attempts" },
            "runs": race.runs,
            "standings": race.entrants.iter().enumerate().map(entry).collect::<Value>(),
            "law": law.map(|reason| format!("Start bias is not available: {reason}.")),
            "verdicts": standings.map_or_else(Vec::new, |all| verdicts(&all)),
        })
    }
}

/// Adds the measures that are known only after all runs.
fn add_final(entry: &mut Value, standing: &Standing) {
    let hit = standing.hit_ratio.as_ref().map(|spread| {
        let (low, high) = spread.interval(CONFIDENCE.0).unzip();
        json!({ "value": spread.mean, "low": low, "high": high })
    });
    entry["failed"] = json!(standing.failed_runs);
    entry["hit_ratio"] = json!(hit);
    entry["bias"] = json!(
        standing.start_bias.map(|bias| json!({ "value": bias.distance, "chance": bias.by_chance }))
    );
    entry["first"] = json!(standing.seconds_to_first.map(|five| five[2]));
}

fn over_attempts(lap: &RaceRun) -> Curve {
    let mut curve: Curve = lap.curve.iter().map(|p| (p.attempts as f64, p.distinct)).collect();
    curve.push((lap.total.attempts as f64, lap.total.distinct));
    curve
}

/// Reduces a long curve to about [`CURVE_POINTS`] evenly spaced points, including both ends.
fn thinned(curve: &Curve) -> Curve {
    if curve.len() <= 2 * CURVE_POINTS {
        return curve.clone();
    }
    let last = curve.len() - 1;
    (0..=CURVE_POINTS).map(|point| curve[point * last / CURVE_POINTS]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thinned_curve_keeps_its_ends_and_few_points() {
        let curve: Curve = (0..1000).map(|n| (n as f64, n)).collect();
        let thin = thinned(&curve);
        assert_eq!((thin.len(), thin[0].1, thin[CURVE_POINTS].1), (CURVE_POINTS + 1, 0, 999));
        assert_eq!(thinned(&thin), thin);
    }
}
