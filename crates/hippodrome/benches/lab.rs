//! Functions that the benches share: runs, times, and medians of interleaved pairs.

use hippodrome::board::{Board, Graph};
use hippodrome::lab::enumerate::Enumeration;
use hippodrome::problem::Problem;
use hippodrome::solvers::registry::Choice;
use std::sync::Mutex;
use std::time::Instant;

/// Returns whether `--quick` is given.
pub fn is_quick() -> bool {
    std::env::args().any(|a| a == "--quick")
}

/// Returns the value of `--name=value`, or else of the environment variable `HIPPO_NAME`.
pub fn setting(name: &str) -> Option<String> {
    let flag = format!("--{name}=");
    let given = std::env::args().find_map(|a| a.strip_prefix(&flag).map(str::to_string));
    given.or_else(|| std::env::var(format!("HIPPO_{}", name.to_uppercase())).ok())
}

/// Returns whether to run a bench: either it is named on the command line, or no bench is named.
pub fn is_selected(name: &str) -> bool {
    let mut named = std::env::args().skip(1).filter(|a| !a.starts_with('-')).peekable();
    named.peek().is_none() || named.any(|a| a == name)
}

/// The thresholds that were missed.
static MISSED: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// Returns whether `--strict` is given.
pub fn is_strict() -> bool {
    std::env::args().any(|a| a == "--strict")
}

/// Records a missed threshold; with `--strict` the run fails at its end.
pub fn expect(holds: bool, what: &str) {
    if !holds && is_strict() {
        println!("  MISSED: {what}");
        MISSED.lock().expect("no bench panics while it holds the list").push(what.to_string());
    }
}

/// Exits with code 1 if a threshold was missed.
pub fn conclude() {
    let missed = MISSED.lock().expect("no bench panics while it holds the list");
    if !missed.is_empty() {
        println!("missed thresholds:\n  {}", missed.join("\n  "));
        std::process::exit(1);
    }
}

pub fn knight(board: &str) -> Graph {
    Graph::knight(Board::parse(board).expect("a board"))
}

/// Creates the enumeration of the tours that a solver finds on a board.
pub fn job(board: &str, solver: &str, params: &[&str]) -> Enumeration {
    let choice = Choice::new(solver, params).expect("a solver");
    Enumeration::new(Problem::open(knight(board)), choice)
}

pub fn seconds<T>(work: impl FnOnce() -> T) -> (f64, T) {
    let begun = Instant::now();
    let answer = work();
    (begun.elapsed().as_secs_f64(), answer)
}

pub fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// Runs two measurements alternately. Returns the median of each, and the median over pairs of the ratio of
/// the first to the second.
pub fn interleave(
    pairs: usize,
    mut one: impl FnMut(u64) -> f64,
    mut other: impl FnMut(u64) -> f64,
) -> (f64, f64, f64) {
    let figures: Vec<(f64, f64)> = (1..=pairs as u64).map(|n| (one(n), other(n))).collect();
    (
        median(figures.iter().map(|f| f.0).collect()),
        median(figures.iter().map(|f| f.1).collect()),
        median(figures.iter().map(|f| f.0 / f.1).collect()),
    )
}

/// Times two programs alternately. Returns the median seconds of each, and the median ratio of the first to
/// the second.
pub fn compare(pairs: usize, mut plain: impl FnMut(), mut ours: impl FnMut()) -> (f64, f64, f64) {
    interleave(pairs, |_| seconds(&mut plain).0, |_| seconds(&mut ours).0)
}
