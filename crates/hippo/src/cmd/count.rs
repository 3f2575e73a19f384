//! `hippo count` counts tours exactly.

mod folder;
mod report;
mod series;

pub use folder::{merge, run_unit, status};

use crate::args::{ProblemArgs, ThreadArgs, bytes, one_of};
use crate::cmd::estimate::EstimateArgs;
use crate::fail::{DONE, Fail};
use crate::interrupt::Signals;
use crate::{OutputMode, progress};
use clap::Args;
use hippodrome::board::Graph;
use hippodrome::count::{By, Count as Census, CountError, CountKind, CountMonitor, Forecast};
use hippodrome::numerals::{grouped, in_bytes};
use hippodrome::search::memory;
use std::sync::{Arc, atomic::Ordering::Relaxed};
use std::time::Instant;

/// Count tours exactly, without listing them
#[derive(Args)]
#[command(
    after_help = "Open tours are counted with their direction, re-entrant ones included; closed ones as cycles.\nA count that fails one of its checks is not printed.\nA series of boards, as in 3x4..3x40 or 5x5..7x7 (:2 for every second one), prints one line per board; a linear recurrence that fits the counts is printed as a conjecture.\n\nExample:\n  hippo count 6x6 --closed --classes\n  hippo count 6x6 --out open-six\n  hippo count 3x4..3x40:2 --closed --csv"
)]
pub struct Count {
    #[command(flatten)]
    problem: ProblemArgs,
    /// open, closed, two-factors or path-covers [default: open]
    #[arg(long, value_name = "KIND", help_heading = "Tour", value_parser = one_of(CountKind::CHOICES), hide_possible_values = true)]
    kind: Option<CountKind>,
    /// Break the count down by start or ends
    #[arg(long, value_name = "WHAT", help_heading = "Output", value_parser = one_of(BREAKDOWNS), hide_possible_values = true)]
    by: Option<By>,
    /// Also count up to the symmetries of the board
    #[arg(long, help_heading = "Output")]
    classes: bool,
    /// text, csv or b-file (as in the OEIS) [default: text]
    #[arg(long, value_name = "FORMAT", help_heading = "Output", value_parser = one_of(series::FORMATS), hide_possible_values = true, conflicts_with_all = ["by", "out", "resume", "estimate", "dry_run"])]
    format: Option<series::Format>,
    /// The same as --format csv
    #[arg(long, help_heading = "Output", conflicts_with_all = ["format", "by", "out", "resume", "estimate", "dry_run"])]
    csv: bool,
    /// Job folder: open tours by classes of ends, safe against interrupts
    #[arg(long, value_name = "DIR", help_heading = "Folder", conflicts_with_all = ["closed", "kind", "start", "end", "by", "classes", "estimate"])]
    out: Option<String>,
    /// Resume the count of a folder
    #[arg(long, value_name = "DIR", help_heading = "Folder", conflicts_with_all = ["board", "holes", "mask", "leaper", "graph", "out", "closed", "kind", "start", "end", "by", "classes", "estimate", "dry_run"])]
    resume: Option<String>,
    /// Print the plan and exit
    #[arg(long, help_heading = "Output")]
    dry_run: bool,
    #[command(flatten)]
    estimate: EstimateArgs,
    /// Count again modulo a prime in another order of squares (always, if small)
    #[arg(long, help_heading = "Work")]
    confirm: bool,
    #[command(flatten)]
    resources: CountResources,
}

const BREAKDOWNS: &[(&str, By, &str)] =
    &[("start", By::Start, "The first square"), ("ends", By::Ends, "Both ends, up to symmetry")];

/// The limits of a count.
#[derive(Args, Clone, Copy)]
#[command(next_help_heading = "Work")]
pub struct CountResources {
    /// Memory for states, as in 12G [default: nine tenths of the free memory]
    #[arg(long, value_name = "BYTES", value_parser = bytes)]
    pub memory: Option<usize>,
    #[command(flatten)]
    pub threads: ThreadArgs,
}

impl CountResources {
    /// Returns a monitor with the memory limit, and the signals that stop the count.
    fn watch(self) -> (Arc<CountMonitor>, Signals) {
        let memory = self.memory.map_or_else(memory::most, |bytes| bytes as u64);
        let watch = Arc::new(CountMonitor { memory, ..CountMonitor::default() });
        let signals = Signals::set(&watch.interrupt);
        (watch, signals)
    }
}

impl Count {
    /// Makes the count, checks it and prints it.
    pub fn run(self, mode: OutputMode) -> Result<u8, Fail> {
        if let Some(path) = &self.resume {
            return folder::resume(path, self.resources, self.confirm, mode);
        }
        if let Some(boards) = self.series()? {
            return self.count_series(&boards, mode);
        }
        let graph = self.problem.board.graph()?;
        let census = self.census(graph.clone())?;
        if let Some(path) = &self.out {
            return match self.dry_run {
                true => folder::forecast(path, census, self.resources, mode),
                false => folder::begin(path, census, self.resources, mode),
            };
        }
        if self.estimate.estimate {
            let memory = self.resources.memory;
            return self.estimate.run(&self.problem.on(graph)?, census.threads, memory, mode);
        }
        let (watch, signals) = self.resources.watch();
        let memory = watch.memory;
        let begun = Instant::now();
        let work = || {
            let plan = census.plan(&watch)?;
            let forecast = plan.forecast(&watch)?;
            if self.dry_run {
                return Ok((forecast, None));
            }
            explain(&forecast, memory, mode);
            Ok((forecast, Some(plan.run(&watch)?)))
        };
        match progress::counting(mode, &watch, work) {
            Ok((forecast, None)) => report::plan(&census, &forecast, memory, mode)?,
            Ok((_, Some(counted))) => {
                let peak = watch.peak.load(Relaxed);
                let seconds = begun.elapsed().as_secs_f64();
                report::sum_up(&census, &counted, seconds, peak, mode)?;
            }
            Err(CountError::Interrupted) => {
                return Err(Fail::interrupted(
                    signals.code(),
                    "interrupted before the count finished",
                ));
            }
            Err(error) => return Err(error.into()),
        }
        Ok(DONE)
    }

    /// Runs `hippo job plan-count`: creates the job folder and counts nothing.
    pub fn plan(self, mode: OutputMode) -> Result<u8, Fail> {
        let (Some(path), None) = (&self.out, &self.resume) else {
            return Err(Fail::usage("a job needs a new folder; give one with --out DIR"));
        };
        let census = self.census(self.problem.board.graph()?)?;
        match self.dry_run {
            true => folder::forecast(path, census, self.resources, mode),
            false => folder::plan(path, census, self.resources, mode),
        }
    }

    fn census(&self, graph: Graph) -> Result<Census, Fail> {
        let problem = self.problem.on(graph)?;
        let kind = match (self.kind, self.problem.closed) {
            (None, true) => CountKind::Closed,
            (None, false) => CountKind::Open,
            (Some(kind), closed) if !closed || kind == CountKind::Closed => kind,
            (Some(kind), _) => {
                return Err(Fail::usage(format!(
                    "--closed and --kind {} do not go together; leave one out",
                    kind.name()
                )));
            }
        };
        Ok(Census {
            start: problem.start(),
            end: problem.end(),
            by: self.by,
            classes: self.classes,
            confirm: self.confirm,
            threads: self.resources.threads.get(),
            ..Census::new(problem.graph().clone(), kind)
        })
    }
}

/// Prints how much memory a large count needs.
fn explain(forecast: &Forecast, memory: u64, mode: OutputMode) {
    if let (Some(states), Some(bytes)) = (forecast.states, forecast.bytes) {
        let parts = match forecast.parts {
            ..=1 => String::new(),
            parts => format!(" in {parts} parts"),
        };
        mode.remark(&format!(
            "by {}{parts}: at most {} states at a time, {} of memory; the limit is {}",
            forecast.method,
            grouped(states),
            in_bytes(bytes.into()),
            in_bytes(memory.into())
        ));
    }
}
