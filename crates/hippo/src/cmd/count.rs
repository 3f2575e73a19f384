//! `hippo count`: exactly how many tours there are.

mod folder;
mod report;

pub use folder::{merge, run_unit, status};

use crate::args::{ProblemArgs, ThreadArgs, bytes, one_of};
use crate::cmd::estimate::EstimateArgs;
use crate::fail::{DONE, Fail};
use crate::interrupt::Signals;
use crate::{OutputMode, progress};
use clap::Args;
use hippodrome::count::{By, Count as Census, CountError, CountKind, CountMonitor, Forecast};
use hippodrome::numerals::{grouped, in_bytes};
use hippodrome::search::memory;
use std::sync::{Arc, atomic::Ordering::Relaxed};
use std::time::Instant;

/// Count tours exactly, without listing them
#[derive(Args)]
#[command(
    after_help = "Open tours are counted with their direction, re-entrant ones included; closed ones as cycles.\nA count that fails one of its checks is not given.\n\nExample:\n  hippo count 6x6 --closed --classes\n  hippo count 6x6 --out open-six"
)]
pub struct Count {
    #[command(flatten)]
    problem: ProblemArgs,
    /// What to count [default: open, or closed with --closed]
    #[arg(long, value_name = "KIND", help_heading = "Tour", value_parser = one_of(CountKind::CHOICES))]
    kind: Option<CountKind>,
    /// Break the count down
    #[arg(long, value_name = "WHAT", help_heading = "Output", value_parser = one_of(BREAKDOWNS))]
    by: Option<By>,
    /// Count up to the symmetries of the board, too
    #[arg(long, help_heading = "Output")]
    classes: bool,
    /// Count a second time modulo a prime, with another order of the squares; small counts always are
    #[arg(long, help_heading = "Work")]
    confirm: bool,
    #[command(flatten)]
    resources: CountResources,
    /// Keep a count of open tours in a folder: a unit for each class of ends, safe against interrupts
    #[arg(long, value_name = "DIR", help_heading = "Folder", conflicts_with_all = ["closed", "kind", "start", "end", "by", "classes", "estimate"])]
    out: Option<String>,
    /// Go on with the count of a folder
    #[arg(long, value_name = "DIR", help_heading = "Folder", conflicts_with_all = ["board", "holes", "mask", "leaper", "graph", "out", "closed", "kind", "start", "end", "by", "classes", "estimate", "dry_run"])]
    resume: Option<String>,
    /// Tell what would be done, and do nothing
    #[arg(long, help_heading = "Output")]
    dry_run: bool,
    #[command(flatten)]
    estimate: EstimateArgs,
}

const BREAKDOWNS: &[(&str, By, &str)] =
    &[("start", By::Start, "The first square"), ("ends", By::Ends, "Both ends, up to symmetry")];

/// What a count may use.
#[derive(Args, Clone, Copy)]
#[command(next_help_heading = "Work")]
pub struct CountResources {
    /// Memory for states, as in 512M or 12G [default: nine tenths of what is available]
    #[arg(long, value_name = "BYTES", value_parser = bytes)]
    pub memory: Option<usize>,
    #[command(flatten)]
    pub threads: ThreadArgs,
}

impl CountResources {
    /// A monitor with its bytes of memory, and the signals that stop it.
    fn watch(self) -> (Arc<CountMonitor>, Signals) {
        let memory = self.memory.map_or_else(memory::most, |bytes| bytes as u64);
        let watch = Arc::new(CountMonitor { memory, ..CountMonitor::default() });
        let signals = Signals::set(&watch.interrupt);
        (watch, signals)
    }
}

impl Count {
    /// Counts, checks and tells.
    pub fn run(self, mode: OutputMode) -> Result<u8, Fail> {
        if let Some(path) = &self.resume {
            return folder::go_on(path, self.resources, self.confirm, mode);
        }
        let census = self.census()?;
        if let Some(path) = &self.out {
            return match self.dry_run {
                true => folder::foretell(path, census, self.resources, mode),
                false => folder::begin(path, census, self.resources, mode),
            };
        }
        if self.estimate.estimate {
            let memory = self.resources.memory;
            return self.estimate.run(&self.problem.problem()?, census.threads, memory, mode);
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
                mode.remark("interrupted; nothing is counted");
                return Ok(signals.code());
            }
            Err(error) => return Err(error.into()),
        }
        Ok(DONE)
    }

    /// `hippo job plan-count`: makes the folder and counts nothing.
    pub fn plan(self, mode: OutputMode) -> Result<u8, Fail> {
        let (Some(path), None) = (&self.out, &self.resume) else {
            return Err(Fail::usage("a job needs a new folder; give one with --out DIR"));
        };
        let census = self.census()?;
        match self.dry_run {
            true => folder::foretell(path, census, self.resources, mode),
            false => folder::plan(path, census, self.resources, mode),
        }
    }

    fn census(&self) -> Result<Census, Fail> {
        let problem = self.problem.problem()?;
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

/// Says what a large count will take.
fn explain(forecast: &Forecast, memory: u64, mode: OutputMode) {
    if let (Some(states), Some(bytes)) = (forecast.states, forecast.bytes) {
        let parts = match forecast.parts {
            ..=1 => String::new(),
            parts => format!(" in {parts} parts"),
        };
        mode.remark(&format!(
            "by {}{parts}: at most {} states at a time, {} of memory; {} are allowed",
            forecast.method,
            grouped(states),
            in_bytes(bytes.into()),
            in_bytes(memory.into())
        ));
    }
}
