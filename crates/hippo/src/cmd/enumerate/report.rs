//! The output of `hippo enumerate`: the plan of a dry run, or the summary.

use crate::OutputMode;
use crate::fail::{DONE, Fail};
use crate::output::{Output, with_board};
use hippodrome::board::Square;
use hippodrome::board::move_weights::{MoveWeight, MoveWeights};
use hippodrome::lab::curve::{Curve, CurvePoint};
use hippodrome::lab::enumerate::{Enumeration, Summary, Totals};
use hippodrome::numerals::{counted, grouped, in_bytes};
use hippodrome::problem::theorems::{Existence, Finding, known};
use hippodrome::search::ParamValue;
use hippodrome::search::{Budget, Control, Reading, Readings, Status};
use hippodrome::store::{EnumerationJob, Job as _};
use hippodrome::tour::Packer;
use serde::Serialize;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::io::Write;
use std::sync::Arc;
use std::time::Duration;

/// Duration of the trial run from which a dry run estimates time and tours.
const TRIAL: Duration = Duration::from_millis(300);
/// Maximum number of units that a dry run counts.
const MANY_UNITS: u64 = 1_000_000;

/// Runs `--dry-run`: prints the plan, with an estimate of the time.
pub fn plan(job: &Enumeration, on_disk: bool, mode: OutputMode) -> Result<u8, Fail> {
    let memory = if on_disk || job.keeps_a_set()? { job.memory } else { 0 };
    // A unit of a job folder consists of several units of the solver.
    let units = match on_disk {
        true => Some(EnumerationJob::planned(job.clone(), &Arc::default())?.units())
            .filter(|&n| n < u64::MAX),
        false => job.units(MANY_UNITS)?,
    };
    let (guess, tours) = guess(job)?;
    let words = Packer::new(job.problem.graph()).words() as u64;
    // Units store whole words; the merged table adds about two thirds of that.
    let disk = if on_disk { tours.map(|n| n.saturating_mul(words * 8 * 5 / 3)) } else { Some(0) };
    let graph = job.problem.graph();
    let object = || {
        let object = json!({
            "solver": job.choice.name(), "seed": job.seed, "threads": job.threads,
            "starts": job.problem.start_count(), "attempts": job.budget.attempts, "units": units,
            "memory": memory, "disk": disk, "seconds_guess": guess,
        });
        with_board(object, graph)
    };
    mode.print(object, || {
        let starts = counted(job.problem.start_count() as u64, "start square");
        let extent = match job.budget.attempts {
            Some(attempts) => format!("for a total of {}", counted(attempts, "attempt")),
            None => "to its end or the end of the budget".into(),
        };
        let units = units.map_or("more than a million units".into(), |n| counted(n, "unit"));
        let threads = counted(job.threads as u64, "thread");
        let disk = match disk {
            Some(0) if !on_disk => "no disk".into(),
            Some(bytes) => format!("about {} of disk", in_bytes(bytes.into())),
            None => "an unknown amount of disk".into(),
        };
        let memory = in_bytes(memory as u128);
        let time = match guess {
            Some(seconds) if seconds < 1.0 => "within about a second".into(),
            Some(seconds) => format!("in about {}", counted(seconds as u64, "second")),
            None => "for an unknown time".into(),
        };
        format!(
            "would run {} on {graph} from {starts}\n  {extent}\n  in {units} on {threads}\n  with at most {memory} for distinct tours and {disk}\n  {time}",
            job.choice.name()
        )
    })?;
    Ok(DONE)
}

/// Estimates from a short trial run how many seconds the job takes and how many tours it finds.
fn guess(job: &Enumeration) -> Result<(Option<f64>, Option<u64>), Fail> {
    let time = job.budget.time.map_or(TRIAL, |t| t.min(TRIAL));
    let trial = Enumeration { budget: Budget { time: Some(time), ..job.budget }, ..job.clone() };
    let summary = trial.run(&Control::default(), None)?;
    if summary.seconds < time.as_secs_f64() {
        return Ok((Some(summary.seconds), Some(summary.total.distinct)));
    }
    let limit = job.budget.time.map(|t| t.as_secs_f64());
    let attempts = job.budget.attempts.filter(|_| summary.total.attempts > 0);
    let whole = attempts.map(|n| summary.seconds * n as f64 / summary.total.attempts as f64);
    let seconds = whole.into_iter().chain(limit).reduce(f64::min);
    let tours = seconds.map(|s| (summary.total.distinct as f64 * s / summary.seconds) as u64);
    Ok((seconds, tours))
}

/// Prints the summary, as a JSON object or as text.
pub fn sum_up(
    job: &Enumeration,
    result: Result<&Summary, &Finding>,
    folder: Option<&str>,
    printed: bool,
    mode: OutputMode,
    out: &mut Output,
) -> Result<(), Fail> {
    let status = match result {
        Err(_) => "impossible",
        Ok(s) => s.status.verdict(s.total.distinct),
    };
    let reason = match result {
        Err(finding) => Some(finding.to_string()),
        Ok(s) if s.full => Some(
            "memory for distinct tours is full; raise --memory, or use a job folder with --out DIR"
                .into(),
        ),
        Ok(_) if status == "impossible" => Some(match known(&job.problem) {
            Existence::Impossible(finding) => finding.to_string(),
            _ => format!("the complete search of solver {} found no such tour", job.choice.name()),
        }),
        Ok(s) if s.bounded && s.status == Status::Limit => Some(format!(
            "{} reached its own limit of attempts; see 'hippo solvers {0}' for the parameter that sets it",
            job.choice.name()
        )),
        Ok(_) => None,
    };
    if mode.json {
        let report = Report::new(job, result.ok(), status, reason, folder);
        writeln!(out, "{}", json!(report))?;
        return Ok(out.flush()?);
    }
    out.flush()?;
    // With --print the tours are the data and the summary is a remark.
    let mut text = in_words(job, result.ok(), status, reason);
    if let Some(folder) = folder {
        text += &format!("kept in {folder}/tours.parquet\n");
    }
    if printed {
        mode.remark(text.trim_end());
    } else {
        write!(out, "{text}")?;
    }
    out.flush()?;
    let unseen = !printed && folder.is_none();
    if unseen && result.is_ok_and(|summary| summary.total.distinct > 0) {
        mode.hint("add --print to see the tours, or --out DIR to keep them");
    }
    Ok(())
}

/// Returns the values of the solver's parameters by name.
fn params(job: &Enumeration) -> Map<String, Value> {
    let values = job.choice.values.iter();
    values.map(|(name, value)| (name.into(), in_json(value))).collect()
}

/// Returns the value of a parameter in JSON: a number as a number, anything else as a string.
pub fn in_json(value: &ParamValue) -> Value {
    match value {
        ParamValue::Int(n) => json!(n),
        ParamValue::Real(x) => json!(x),
        word => json!(word.to_string()),
    }
}

/// Writes the pheromone of the first colony.
pub fn write_pheromone(
    job: &Enumeration,
    weights: Vec<MoveWeight>,
    mut file: Output,
    mode: OutputMode,
) -> Result<(), Fail> {
    let graph = job.problem.graph().clone();
    let weights = MoveWeights::new(graph, weights).map_err(Fail::run_time)?;
    let mut object = weights.to_json();
    object["solver"] = job.choice.name().into();
    object["params"] = params(job).into();
    object["seed"] = job.seed.into();
    writeln!(file, "{object}")?;
    file.finish(mode)
}

/// The summary, as written in JSON.
#[derive(Serialize)]
struct Report<'r> {
    schema: u64,
    #[serde(rename = "type")]
    kind: &'static str,
    status: &'r str,
    #[serde(flatten)]
    board: Value,
    solver: &'r str,
    params: Map<String, Value>,
    seed: u64,
    #[serde(flatten)]
    total: Totals,
    seconds: f64,
    reason: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    curve: Option<Production<'r>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    lost: Option<u64>,
    statistics: Map<String, Value>,
    statistics_attempts: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    by_start: Option<BTreeMap<String, StartTotals>>,
    out: Option<&'r str>,
}

/// The production curve. The total number of tours is a string, because it can exceed 2^53.
#[derive(Serialize)]
struct Production<'r> {
    rate: f64,
    known: Option<String>,
    points: Vec<Predicted<'r>>,
}

#[derive(Serialize)]
struct Predicted<'r> {
    #[serde(flatten)]
    point: &'r CurvePoint,
    predicted: f64,
}

/// The totals for one start square. Attempts are omitted if the units are not split by start square.
#[derive(Serialize)]
struct StartTotals {
    attempts: Option<u64>,
    tours: u64,
    distinct: u64,
    closed: u64,
}

impl<'r> Report<'r> {
    fn new(
        job: &'r Enumeration,
        summary: Option<&'r Summary>,
        status: &'r str,
        reason: Option<String>,
        out: Option<&'r str>,
    ) -> Report<'r> {
        Report {
            schema: 1,
            kind: "summary",
            status,
            board: with_board(json!({}), job.problem.graph()),
            solver: job.choice.name(),
            params: params(job),
            seed: job.seed,
            total: summary.map_or(Totals::default(), |s| s.total),
            seconds: summary.map_or(0.0, |s| s.seconds),
            reason,
            curve: summary.and_then(|s| s.curve.as_ref()).map(Production::new),
            lost: summary.and_then(|s| s.lost),
            statistics: summary.map_or_else(Map::new, |s| statistics(job, &s.readings)),
            statistics_attempts: summary.map_or(0, |s| s.measured),
            by_start: summary.filter(|_| job.by_start).map(|s| by_start(job, s)),
            out,
        }
    }
}

impl<'r> Production<'r> {
    fn new(curve: &'r Curve) -> Production<'r> {
        let predicted =
            |point: &'r CurvePoint| Predicted { point, predicted: curve.predicted(point.attempts) };
        Production {
            rate: curve.rate,
            known: curve.known.map(|n| n.to_string()),
            points: curve.points.iter().map(predicted).collect(),
        }
    }
}

/// Returns the readings in the order in which the solver declares them.
fn in_order(job: &Enumeration, readings: &Readings) -> Vec<(&'static str, Reading)> {
    let declared = job.choice.solver.info().measures.iter();
    declared.filter_map(|m| readings.get(m).map(|reading| (m.name, reading))).collect()
}

/// Returns the solver's statistics by name.
fn statistics(job: &Enumeration, readings: &Readings) -> Map<String, Value> {
    let entry = |(name, reading): (&str, Reading)| {
        let value = match reading {
            Reading::Count(n) => json!(n),
            Reading::Spread { times, sum, min, max } => {
                json!({ "times": times, "mean": sum / times as f64, "min": min, "max": max })
            }
        };
        (name.to_string(), value)
    };
    in_order(job, readings).into_iter().map(entry).collect()
}

fn by_start(job: &Enumeration, summary: &Summary) -> BTreeMap<String, StartTotals> {
    let entry = |(&start, total): (&Square, &Totals)| {
        let Totals { attempts, tours, distinct, closed, .. } = *total;
        let attempts = (attempts > 0).then_some(attempts);
        (job.problem.graph().name(start), StartTotals { attempts, tours, distinct, closed })
    };
    summary.by_start.iter().map(entry).collect()
}

fn in_words(
    job: &Enumeration,
    summary: Option<&Summary>,
    status: &str,
    reason: Option<String>,
) -> String {
    let graph = job.problem.graph();
    let (total, seconds) = summary.map_or((Totals::default(), 0.0), |s| (s.total, s.seconds));
    let mut text = format!(
        "{graph}, {}: {}, {} of them closed ({status})\n{} found in {} and {}, {seconds:.2} s\n",
        job.choice.name(),
        counted(total.distinct, "distinct tour"),
        grouped(total.closed),
        counted(total.tours, "tour"),
        counted(total.attempts, "attempt"),
        counted(total.moves, "move"),
    );
    if let Some(reason) = reason {
        text += &format!("{reason}\n");
    }
    if let Some(lost) = summary.and_then(|s| s.lost) {
        text +=
            &format!("{} lost: the bitmaps took them for duplicates\n", counted(lost, "new tour"));
    }
    if let Some(summary) = summary.filter(|_| !job.choice.solver.info().measures.is_empty()) {
        text += &measured(job, summary);
    }
    for (&start, tally) in summary.iter().flat_map(|s| &s.by_start) {
        let name = graph.name(start);
        let attempts = match tally.attempts {
            0 => String::new(),
            n => format!("{}, ", counted(n, "attempt")),
        };
        text += &format!(
            "{name:>5}  {attempts}{}, {} distinct, {} closed\n",
            counted(tally.tours, "tour"),
            grouped(tally.distinct),
            grouped(tally.closed),
        );
    }
    text
}

/// Returns the solver's statistics as text. If they do not cover all attempts, the text says how many they
/// cover.
fn measured(job: &Enumeration, summary: &Summary) -> String {
    let mut text = String::new();
    for (name, reading) in in_order(job, &summary.readings) {
        let name = name.replace('_', " ");
        text += &match reading {
            Reading::Count(n) => format!("{name}: {}\n", grouped(n)),
            Reading::Spread { times: 1, sum, .. } => format!("{name}: {sum}\n"),
            Reading::Spread { times, sum, min, max } => {
                let (mean, times) = (sum / times as f64, grouped(times));
                format!("{name}: mean {mean:.4}, from {min} to {max}, {times} times\n")
            }
        };
    }
    let all = summary.total.attempts;
    if summary.measured < all {
        let (some, all) = (grouped(summary.measured), counted(all, "attempt"));
        text += &format!("statistics cover {some} of {all}; the others were cut short\n");
    }
    text
}
