//! `hippo count --estimate` estimates the number of tours and gives a confidence interval.

use crate::OutputMode;
use crate::args::{seed, whole};
use crate::cmd::sample::{table, without_solver};
use crate::fail::{DONE, Fail, LIMIT, complain};
use crate::interrupt::Signals;
use crate::output::with_board;
use crate::progress;
use clap::{Args, ValueEnum};
use hippodrome::lab::estimate::{Estimate, EstimateSettings, FrozenTrails, by_covers};
use hippodrome::numerals::{counted, grouped};
use hippodrome::problem::Problem;
use hippodrome::problem::theorems::{Existence, Finding, known};
use hippodrome::search::Control;
use hippodrome::uniform::{TableError, cache_folder};
use serde_json::{Value, json};
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

/// Default number of trials for each method.
const COVERS: u64 = 1_000_000;
const ANTS: u64 = 4_000_000;
/// Default memory for the table of covers.
const TABLE_MEMORY: usize = 6 << 30;

/// Maximum number of squares for an estimate by ants. There is a limit because the weight of a tour is a
/// product with one factor per square.
const MOST_SQUARES: usize = 900;

/// The method of estimation.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Method {
    /// Exact number of covers times the share that are tours: at most 8 rows or columns
    Covers,
    /// Ants with fixed pheromone, each tour weighted by its probability: any board, less reliable
    Ants,
}

/// The options of an estimate.
#[derive(Args)]
#[command(next_help_heading = "Estimate")]
pub struct EstimateArgs {
    /// Estimate the number of tours instead of counting them
    #[arg(long, conflicts_with_all = ["kind", "by", "classes", "confirm", "dry_run"])]
    pub estimate: bool,
    /// covers or ants [default: covers if the board is narrow enough]
    #[arg(
        long,
        value_name = "METHOD",
        value_enum,
        hide_possible_values = true,
        requires = "estimate"
    )]
    pub method: Option<Method>,
    /// Number of covers or ants [default: 1M covers, 4M ants]
    #[arg(long, value_name = "N", value_parser = whole, requires = "estimate", allow_negative_numbers = true)]
    pub trials: Option<u64>,
    /// Confidence of the interval
    #[arg(long, value_name = "SHARE", value_parser = confidence, default_value = "0.95", requires = "estimate")]
    pub confidence: f64,
    /// How strongly ants avoid squares with many onward moves
    #[arg(long, value_name = "POWER", value_parser = clap::value_parser!(i32).range(0..=8), default_value = "2", requires = "estimate")]
    pub beta: i32,
    /// Random seed of the estimate
    #[arg(long, value_name = "N", value_parser = seed, default_value = "1", requires = "estimate", allow_negative_numbers = true)]
    pub seed: u64,
    /// Do not use the cache folder for the table of covers
    #[arg(long, requires = "estimate")]
    pub no_cache: bool,
}

fn confidence(text: &str) -> Result<f64, String> {
    let share = text.parse::<f64>().ok().filter(|share| *share > 0.0 && *share < 1.0);
    share.ok_or_else(|| "write a share between 0 and 1, as in 0.95".into())
}

/// An estimate and the method by which it was made.
struct Made {
    method: &'static str,
    found: Estimate,
    /// Numbers that are known exactly, in the same form as the checks of a count.
    checks: Vec<Value>,
    /// Size of the table in bytes.
    bytes: usize,
}

impl Made {
    /// Returns an estimate of 0 for a board on which, by a theorem, no tour exists.
    fn none(finding: &Finding, confidence: f64) -> Made {
        let (trials, tours, share) = (0, 0, 0.0);
        let found =
            Estimate { estimate: 0.0, low: 0.0, high: 0.0, confidence, trials, tours, share };
        let check = json!({ "name": finding.theorem, "detail": finding.reason });
        Made { method: "theorem", found, checks: vec![check], bytes: 0 }
    }

    /// Returns the exact number of tours for JSON: `0` if a theorem gives it, otherwise null.
    fn none_exist(&self) -> Option<&'static str> {
        (self.method == "theorem").then_some("0")
    }
}

impl EstimateArgs {
    /// Makes the estimate and prints it.
    pub fn run(
        &self,
        problem: &Problem,
        threads: usize,
        memory: Option<usize>,
        mode: OutputMode,
    ) -> Result<u8, Fail> {
        let begun = std::time::Instant::now();
        let (control, signals) = Signals::control();
        let made = match known(problem) {
            Existence::Impossible(finding) => Made::none(&finding, self.confidence),
            _ => match self.measure(problem, (threads, memory), &control, mode)? {
                Some(made) if !control.interrupt.load(Relaxed) => made,
                _ => {
                    let text = "interrupted before the estimate was made";
                    return Err(Fail::interrupted(signals.code(), text));
                }
            },
        };
        let Made { method, found, .. } = &made;
        if *method == "ants" && found.tours == 0 {
            complain(&format!(
                "none of {} found a tour of {}, so there is no estimate; raise --trials",
                counted(found.trials, "ant"),
                problem.graph()
            ));
            return Ok(LIMIT);
        }
        let seconds = begun.elapsed().as_secs_f64();
        // Open tours are counted with their direction, closed tours as cycles.
        let free = !problem.is_closed() && problem.start().is_none() && problem.end().is_none();
        // A tour of one square is its own reverse.
        let free = free && problem.graph().order() > 1;
        let times = if free { 2.0 } else { 1.0 };
        let [estimate, low, high] = [found.estimate, found.low, found.high].map(|x| times * x);
        let kind = if problem.is_closed() { "closed" } else { "open" };
        let object = || {
            let object = json!({
                "kind": kind, "method": method, "seed": self.seed,
                "estimate": estimate, "low": low, "high": high, "confidence": found.confidence,
                "trials": found.trials, "tours": found.tours, "largest_share": found.share,
                "directed": made.none_exist(), "undirected": made.none_exist(),
                "checks": made.checks, "seconds": seconds, "peak_bytes": made.bytes,
            });
            with_board(object, problem.graph())
        };
        mode.print(object, || {
            let share = 100.0 * found.share;
            let doubt = match found.share > 0.1 {
                true => format!(
                    "unreliable: the largest of 200 batches makes {share:.0}% of the sum; raise --trials"
                ),
                false => String::new(),
            };
            format!(
                "{} has about {estimate:.4e} {} ({}% interval {low:.4e} to {high:.4e})\n{} of {} are tours, {seconds:.1} s\n{doubt}",
                problem.graph(),
                if problem.is_closed() {
                    "closed tours, as cycles"
                } else {
                    "open tours, with direction"
                },
                100.0 * found.confidence,
                grouped(found.tours),
                counted(found.trials, if *method == "ants" { "ant" } else { "cover" }),
            )
        })?;
        Ok(DONE)
    }

    fn measure(
        &self,
        problem: &Problem,
        (threads, memory): (usize, Option<usize>),
        control: &Control,
        mode: OutputMode,
    ) -> Result<Option<Made>, Fail> {
        let effort = |usual| EstimateSettings {
            trials: self.trials.unwrap_or(usual),
            confidence: self.confidence,
            seed: self.seed,
            threads,
        };
        if self.method != Some(Method::Ants) {
            let folder = if self.no_cache { None } else { cache_folder() };
            let work = (threads, memory.unwrap_or(TABLE_MEMORY));
            match table(problem, work, folder.as_deref(), control, mode) {
                Ok(sampler) => {
                    let sampler = Arc::new(sampler);
                    let found = progress::during(mode, None, control, None, || {
                        by_covers(&sampler, effort(COVERS), control)
                    });
                    let covers = format!("{} covers, counted exactly", sampler.covers());
                    return Ok(Some(Made {
                        method: "covers",
                        found: found?,
                        checks: vec![json!({ "name": "covers", "detail": covers })],
                        bytes: sampler.bytes(),
                    }));
                }
                Err(TableError::Stopped) => return Ok(None),
                Err(error) if self.method.is_some() => {
                    return Err(without_solver(&error, "use --method ants"));
                }
                Err(_) => {}
            }
        }
        if problem.graph().order() > MOST_SQUARES {
            return Err(Fail::usage(format!(
                "{} is too large: ants estimate boards of at most {MOST_SQUARES} squares; try a smaller board",
                problem.graph()
            )));
        }
        if problem.end().is_some() {
            return Err(Fail::usage(
                "an estimate by ants cannot fix the last square; leave out --end",
            ));
        }
        let found = progress::during(mode, None, control, None, || {
            let trails = FrozenTrails::learn(problem, self.beta, self.seed, control)?;
            Ok::<_, Fail>(trails.estimate(effort(ANTS), control))
        })?;
        Ok(Some(Made { method: "ants", found, checks: Vec::new(), bytes: 0 }))
    }
}
