//! The output of `hippo count`: the plan of a dry run, or the count with its checks.

use crate::OutputMode;
use crate::fail::Fail;
use crate::output::with_board;
use hippodrome::count::{Count, CountKind, Counted, Forecast};
use hippodrome::numerals::{counted, grouped, grouped_digits, guessed_time, in_bytes};
use serde_json::json;

/// Runs `--dry-run`: prints the method of the count, and the memory and time it needs.
pub fn plan(
    census: &Count,
    forecast: &Forecast,
    memory: u64,
    mode: OutputMode,
) -> Result<(), Fail> {
    let object = || {
        let object = json!({
            "kind": census.kind.name(), "method": forecast.method,
            "frontier": forecast.frontier, "threads": census.threads,
            "parts": forecast.parts, "states": forecast.states, "bytes": forecast.bytes,
            "memory": memory, "seconds": forecast.seconds,
        });
        with_board(object, &census.graph)
    };
    mode.print(object, || {
        let extent = match (forecast.states, forecast.bytes) {
            (Some(states), Some(bytes)) => {
                let (states, bytes) = (grouped(states), in_bytes(bytes.into()));
                format!("at most {states} states at a time, {bytes} of memory")
            }
            _ => "in little memory".into(),
        };
        let parts = match forecast.parts {
            ..=1 => String::new(),
            parts => format!("\n  {parts} times, by the first moves from an end"),
        };
        format!(
            "would count {} on {} by {}\n  with at most {} squares in the frontier\n  {extent}{parts}\n  about {} on {}",
            noun(census.kind, false),
            census.graph,
            forecast.method,
            forecast.frontier,
            guessed_time(forecast.seconds),
            counted(census.threads as u64, "thread"),
        )
    })
}

/// Returns the noun for what is counted, in the singular or the plural.
fn noun(kind: CountKind, one: bool) -> &'static str {
    let (singular, plural) = match kind {
        CountKind::Open => ("open tour", "open tours"),
        CountKind::Closed => ("closed tour", "closed tours"),
        CountKind::TwoFactors => ("2-factor", "2-factors"),
        CountKind::PathCovers => ("cover by one path and cycles", "covers by one path and cycles"),
    };
    if one { singular } else { plural }
}

/// Prints the count, as a JSON object or as text.
pub fn sum_up(
    census: &Count,
    counted: &Counted,
    seconds: f64,
    peak: u64,
    mode: OutputMode,
) -> Result<(), Fail> {
    let describe = || counted.describe(census, seconds, peak);
    mode.print(describe, || in_words(census, counted, seconds, peak))
}

fn digits(number: &dyn ToString) -> String {
    grouped_digits(&number.to_string())
}

/// Returns the count as one line of text.
pub fn headline(census: &Count, counted: &Counted) -> String {
    let undirected = digits(&counted.undirected);
    let first = match (&counted.directed, census.kind) {
        (Some(directed), CountKind::Open) => digits(directed),
        _ => undirected.clone(),
    };
    let noun = noun(census.kind, first == "1");
    let mut text = format!("{}: {first} {noun}", census.graph);
    text += &match &counted.directed {
        None => String::new(),
        Some(directed) if census.kind == CountKind::Closed => {
            format!(", {} directed", digits(directed))
        }
        Some(_) => format!(", {undirected} undirected"),
    };
    text + "\n"
}

fn in_words(census: &Count, counted: &Counted, seconds: f64, peak: u64) -> String {
    let graph = &census.graph;
    let mut text = headline(census, counted);
    if let Some(classes) = &counted.classes {
        text += &format!("  up to symmetry: {}\n", digits(classes));
    }
    for (square, tours) in counted.by_start.iter().flatten() {
        text += &format!("  from {}: {}\n", graph.name(*square), digits(tours));
    }
    for class in counted.by_ends.iter().flatten() {
        let [s, e] = class.ends.map(|square| graph.name(square));
        let (alike, tours) = (grouped(class.pairs), digits(&class.tours));
        text += &format!("  between {s} and {e} ({alike} pairs in this class): {tours}\n");
    }
    if let Some(finding) = &counted.reason {
        return text + &format!("  reason: {finding}");
    }
    for check in &counted.checks {
        text += &format!("  check {}: {}\n", check.name, check.detail);
    }
    let held = in_bytes(peak.into());
    text + &format!("  by {} in {seconds:.2} s, {held} of states", counted.method)
}
