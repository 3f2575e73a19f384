//! What `hippo count` says: the plan of a dry run, and the count with its checks.

use crate::OutputMode;
use crate::cmd::find::name_board;
use crate::fail::Fail;
use hippodrome::count::{Count, CountKind, Counted, Forecast};
use hippodrome::numerals::{counted, grouped, grouped_digits, guessed_time, in_bytes};
use serde_json::json;
use std::io::{self, Write};

/// `--dry-run`: what the count would take.
pub fn plan(
    census: &Count,
    forecast: &Forecast,
    memory: u64,
    mode: OutputMode,
) -> Result<(), Fail> {
    let mut out = io::stdout().lock();
    if mode.json {
        let mut object = json!({
            "schema": 1, "kind": census.kind.name(), "method": forecast.method,
            "frontier": forecast.frontier, "threads": census.threads,
            "parts": forecast.parts, "states": forecast.states, "bytes": forecast.bytes,
            "memory": memory, "seconds": forecast.seconds,
        });
        name_board(&mut object, &census.graph);
        return Ok(writeln!(out, "{object}")?);
    }
    writeln!(
        out,
        "would count {} on {} by {}",
        noun(census.kind, false),
        census.graph,
        forecast.method
    )?;
    writeln!(out, "  with at most {} squares in the frontier", forecast.frontier)?;
    match (forecast.states, forecast.bytes) {
        (Some(states), Some(bytes)) => writeln!(
            out,
            "  at most {} states at a time, {} of memory",
            grouped(states),
            in_bytes(bytes.into())
        )?,
        _ => writeln!(out, "  in little memory")?,
    }
    if forecast.parts > 1 {
        writeln!(out, "  {} times, by the first moves from an end", forecast.parts)?;
    }
    let threads = counted(census.threads as u64, "thread");
    writeln!(out, "  {} on {threads}, as a guess", guessed_time(forecast.seconds))?;
    Ok(())
}

/// One thing of a kind, or many.
fn noun(kind: CountKind, one: bool) -> &'static str {
    match (kind, one) {
        (CountKind::Open, true) => "open tour",
        (CountKind::Open, false) => "open tours",
        (CountKind::Closed, true) => "closed tour",
        (CountKind::Closed, false) => "closed tours",
        (CountKind::TwoFactors, true) => "2-factor",
        (CountKind::TwoFactors, false) => "2-factors",
        (CountKind::PathCovers, true) => "cover by one path and cycles",
        (CountKind::PathCovers, false) => "covers by one path and cycles",
    }
}

/// The count: a JSON object, or words.
pub fn sum_up(
    census: &Count,
    counted: &Counted,
    seconds: f64,
    peak: u64,
    mode: OutputMode,
) -> Result<(), Fail> {
    let mut out = io::stdout().lock();
    if mode.json {
        let mut object = counted.describe(census, seconds, peak);
        object["schema"] = json!(1);
        return Ok(writeln!(out, "{object}")?);
    }
    let digits = |number: &dyn ToString| grouped_digits(&number.to_string());
    let graph = &census.graph;
    let undirected = digits(&counted.undirected);
    let first = match (&counted.directed, census.kind) {
        (Some(directed), CountKind::Open) => digits(directed),
        _ => undirected.clone(),
    };
    let noun = noun(census.kind, first == "1");
    match &counted.directed {
        None => writeln!(out, "{graph}: {first} {noun}")?,
        Some(directed) if census.kind == CountKind::Closed => {
            writeln!(out, "{graph}: {first} {noun}, {} directed", digits(directed))?
        }
        Some(_) => writeln!(out, "{graph}: {first} {noun}, {undirected} undirected")?,
    }
    if let Some(classes) = &counted.classes {
        writeln!(out, "  up to symmetry: {}", digits(classes))?;
    }
    for (square, tours) in counted.by_start.iter().flatten() {
        writeln!(out, "  from {}: {}", graph.name(*square), digits(tours))?;
    }
    for class in counted.by_ends.iter().flatten() {
        let [s, e] = class.ends.map(|square| graph.name(square));
        let alike = grouped(class.pairs);
        writeln!(out, "  between {s} and {e}, and {alike} alike in all: {}", digits(&class.tours))?;
    }
    match &counted.reason {
        Some(finding) => writeln!(out, "  because {} ({})", finding.reason, finding.theorem)?,
        None => {
            for check in &counted.checks {
                writeln!(out, "  check {}: {}", check.name, check.detail)?;
            }
            let held = in_bytes(peak.into());
            writeln!(out, "  by {} in {seconds:.2} s, {held} of states", counted.method)?;
        }
    }
    Ok(())
}
