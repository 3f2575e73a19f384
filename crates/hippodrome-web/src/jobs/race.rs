//! A race: solvers under the same budget, with lines that grow as they run.

use super::tables::table_if_needed;
use super::watch::Ready;
use super::{Job, Task, failed};
use crate::limits::{ENTRANTS, RUNS};
use crate::news::Topic;
use crate::pace::Pace;
use crate::refusal::Refusal;
use crate::remedy::told;
use crate::setup::{Ground, Method, Spending, impossible, verdict};
use hippodrome::lab::enumerate::Totals;
use hippodrome::lab::race::{
    self, CONFIDENCE, Entrant, RaceEvent, RaceRun, Raced, Standing, verdicts,
};
use hippodrome::search::Budget;
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Points of a line.
const POINTS: usize = 80;
/// Time between two pictures.
const PICTURE: Duration = Duration::from_millis(100);

/// Who races, where and for how long.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Race {
    ground: Ground,
    entrants: Vec<Method>,
    spending: Spending,
    runs: u64,
    #[serde(default)]
    seed: u64,
}

impl Race {
    pub(crate) fn ready(self, memory: usize) -> Result<Ready, Refusal> {
        if self.entrants.is_empty() || self.entrants.len() > ENTRANTS {
            return Err(Refusal::large(format!("1 to {ENTRANTS} methods race at a time")));
        }
        if !(1..=RUNS).contains(&self.runs) {
            return Err(Refusal::large(format!("a race has 1 to {RUNS} runs of each method")));
        }
        let problem = self.ground.problem()?;
        let budget = self.spending.budget()?;
        if budget == Budget::UNLIMITED {
            return Err(Refusal::wrong("a race needs a budget; give attempts, moves or seconds"));
        }
        let entrant =
            |method: &Method| Ok(Entrant { name: method.typed(), choice: method.choice(memory)? });
        let entrants = self.entrants.iter().map(entrant).collect::<Result<Vec<_>, Refusal>>()?;
        if let Some(finding) = impossible(&problem) {
            return Ok(Ready::Impossible(verdict(&finding)));
        }
        let race = race::Race {
            problem,
            entrants,
            budget,
            runs: self.runs,
            seed: self.seed,
            // All lines grow together; against the clock, runs go one at a time all the same.
            threads: self.entrants.len(),
            memory,
        };
        let methods: Vec<String> = self.entrants.iter().map(Method::typed).collect();
        Ok(Ready::Job(Task {
            kind: "race",
            about: json!({ "ground": self.ground, "methods": methods, "seed": self.seed }),
            pace: Pace::new(None, false),
            pinned: false,
            work: Box::new(move |job| run(&race, job)),
        }))
    }
}

/// Runs the race; its last state.
fn run(race: &race::Race, job: &Job) -> Value {
    let choices = race.entrants.iter().map(|entrant| &entrant.choice);
    let _table = match table_if_needed(job, &race.problem, choices) {
        Ok(table) => table,
        Err(end) => return end,
    };
    let stand = Mutex::new(Stand::new(race));
    let see = |pulse: &RaceEvent<'_>| {
        let mut stand = stand.lock().unwrap_or_else(PoisonError::into_inner);
        stand.see(pulse);
        if stand.shown.elapsed() > PICTURE {
            stand.shown = Instant::now();
            job.news.publish(Topic::Frame, &stand.picture(race, None));
        }
    };
    let raced = race.watch(&job.control(), &see);
    let stand = stand.into_inner().unwrap_or_else(PoisonError::into_inner);
    match raced {
        Err(error) => failed(told(&error)),
        Ok(raced) => {
            job.news.publish(Topic::Frame, &stand.picture(race, Some(&raced)));
            let status = if raced.interrupted { "interrupted" } else { "complete" };
            json!({ "state": "done", "status": status, "seconds": raced.seconds })
        }
    }
}

/// A line of distinct tours.
type Line = Vec<(f64, u64)>;

/// What is to be seen of a race.
struct Stand {
    /// Whether lines run over seconds rather than attempts.
    timed: bool,
    /// For each entrant, its runs.
    laps: Vec<BTreeMap<u64, (Totals, Line)>>,
    done: Vec<u64>,
    shown: Instant,
}

impl Stand {
    fn new(race: &race::Race) -> Stand {
        let field = race.entrants.len();
        let (laps, done) = (vec![BTreeMap::new(); field], vec![0; field]);
        Stand { timed: race.budget.time.is_some(), laps, done, shown: Instant::now() }
    }

    fn see(&mut self, pulse: &RaceEvent<'_>) {
        match *pulse {
            RaceEvent::UnderWay { who, run, tally, seconds } => {
                let (last, line) = self.laps[who].entry(run).or_default();
                *last = tally;
                let at = if self.timed { seconds } else { tally.attempts as f64 };
                line.push((at, tally.distinct));
                *line = thinned(line);
            }
            RaceEvent::Done { who, run, lap } => {
                self.done[who] += 1;
                let line = if self.timed { lap.clock.clone() } else { over_attempts(lap) };
                self.laps[who].insert(run, (lap.total, thinned(&line)));
            }
        }
    }

    fn picture(&self, race: &race::Race, raced: Option<&Raced>) -> Value {
        let standings = raced.map(|raced| race.standings(raced));
        let entry = |(who, entrant): (usize, &Entrant)| {
            let sum =
                |of: fn(&Totals) -> u64| self.laps[who].values().map(|lap| of(&lap.0)).sum::<u64>();
            let lines: Vec<&Line> = self.laps[who].values().map(|lap| &lap.1).collect();
            let mut told = json!({
                "name": entrant.name,
                "done": self.done[who],
                "attempts": sum(|t| t.attempts),
                "moves": sum(|t| t.moves),
                "tours": sum(|t| t.tours),
                "distinct": sum(|t| t.distinct),
                "closed": sum(|t| t.closed),
                "laps": lines,
                "failed": null, "hit_ratio": null, "bias": null, "first": null,
            });
            if let Some(standing) = standings.as_ref().map(|all| &all[who]) {
                conclude(&mut told, standing);
            }
            told
        };
        let law = raced.and_then(|raced| raced.law.silence());
        json!({
            "unit": if self.timed { "seconds" } else { "attempts" },
            "runs": race.runs,
            "standings": race.entrants.iter().enumerate().map(entry).collect::<Value>(),
            "law": law.map(|reason| format!("Start bias is not told: {reason}.")),
            "verdicts": standings.map_or_else(Vec::new, |all| verdicts(&all)),
        })
    }
}

/// What only the end tells.
fn conclude(told: &mut Value, standing: &Standing) {
    let hit = standing.hit_ratio.as_ref().map(|spread| {
        let (low, high) = spread.interval(CONFIDENCE.0).unzip();
        json!({ "value": spread.mean, "low": low, "high": high })
    });
    told["failed"] = json!(standing.failed_runs);
    told["hit_ratio"] = json!(hit);
    told["bias"] = json!(
        standing.start_bias.map(|bias| json!({ "value": bias.distance, "chance": bias.by_chance }))
    );
    told["first"] = json!(standing.seconds_to_first.map(|five| five[2]));
}

fn over_attempts(lap: &RaceRun) -> Line {
    let mut line: Line = lap.curve.iter().map(|p| (p.attempts as f64, p.distinct)).collect();
    line.push((lap.total.attempts as f64, lap.total.distinct));
    line
}

/// The line with few points: the last, and others evenly spread.
fn thinned(line: &Line) -> Line {
    if line.len() <= 2 * POINTS {
        return line.clone();
    }
    let last = line.len() - 1;
    (0..=POINTS).map(|point| line[point * last / POINTS]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_keeps_its_ends_and_few_points() {
        let line: Line = (0..1000).map(|n| (n as f64, n)).collect();
        let thin = thinned(&line);
        assert_eq!((thin.len(), thin[0].1, thin[POINTS].1), (POINTS + 1, 0, 999));
        assert_eq!(thinned(&thin), thin);
    }
}
