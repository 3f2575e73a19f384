//! `hippo job` runs a large enumeration or count in steps, under any scheduler.

use crate::OutputMode;
use crate::args::{ThreadArgs, bytes};
use crate::cmd::count::{self, CountResources};
use crate::cmd::enumerate::{Enumerate, describe_merged, plan_of};
use crate::cmd::submit::Submit;
use crate::fail::{DONE, Fail, LIMIT};
use crate::interrupt::Signals;
use crate::remedy::quoted_path;
use crate::trace::trace;
use clap::{Args, Subcommand};
use hippodrome::error::Remedy;
use hippodrome::numerals::counted;
use hippodrome::search::{Control, memory, number};
use hippodrome::store::{
    self, EnumerationJob, Job as _, JobChange, JobFolder, JobMonitor, StoreError, TourSet,
    UnitState, check_record, encode_part, merge_part, run_unit,
};
use hippodrome::uniform::cache_folder;
use serde_json::json;
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;

/// Run a large enumeration or count in parts, under any scheduler
///
/// 'plan' creates the folder of an enumeration and 'plan-count' that of a count. 'run-unit' runs one unit;
/// any number can run at the same time, on all machines that share the folder. 'merge' merges the results and
/// 'status' lists what is left. 'submit' does all of it on a Dask cluster.
#[derive(Args)]
#[command(
    after_help = "Example:\n  hippo job plan 6x6 --solver mace --attempts 1M --out six\n  hippo job run-unit six 0; hippo job status six    # exit 4: units are left"
)]
pub struct Job {
    #[command(subcommand)]
    step: Step,
}

#[derive(Subcommand)]
enum Step {
    /// Create the job folder of an enumeration, with --out DIR
    #[command(after_help = "Example:\n  hippo job plan 6x6 --solver mace --attempts 1M --out six")]
    Plan(Box<Enumerate>),
    /// Create the job folder of a count, with --out DIR: one unit per class of ends
    #[command(after_help = "Example:\n  hippo job plan-count 6x6 --out open-six")]
    PlanCount(Box<count::Count>),
    /// Run one unit, unless its result exists
    #[command(after_help = "Example:\n  hippo job run-unit six 0")]
    RunUnit(RunUnit),
    /// Merge the results of all units: tours into tours.parquet, counts into their sum
    #[command(after_help = "Example:\n  hippo job merge six")]
    Merge(Merge),
    /// Print which units are done and which are left
    ///
    /// The ends of the files show whether results are missing, truncated or of another job. --verify reads every
    /// byte and compares checksums.
    #[command(after_help = "Example:\n  hippo job status six --verify")]
    Status(Status),
    /// Run and merge all units on a Dask cluster
    Submit(Submit),
}

/// The memory limit of a step.
#[derive(Args)]
struct MemoryArgs {
    /// Memory for tours, as in 2G [default: a quarter of the free memory]
    #[arg(long, value_name = "BYTES", value_parser = bytes)]
    memory: Option<usize>,
}

#[derive(Args)]
struct RunUnit {
    /// Job folder
    #[arg(value_name = "DIR")]
    folder: String,
    /// Number of the unit, from 0
    #[arg(value_name = "N", value_parser = unit, allow_negative_numbers = true)]
    unit: u64,
    #[command(flatten)]
    memory: MemoryArgs,
}

#[derive(Args)]
struct Merge {
    /// Job folder
    #[arg(value_name = "DIR")]
    folder: String,
    /// Merge only this part of the tours, from 0 to 63; a later merge uses it
    #[arg(long, value_name = "P", value_parser = unit, allow_negative_numbers = true, conflicts_with = "partial")]
    part: Option<u64>,
    /// After all parts: encode the rows that begin in this one
    #[arg(long, value_name = "P", value_parser = unit, allow_negative_numbers = true, conflicts_with_all = ["partial", "part"])]
    rows: Option<u64>,
    /// Merge the units that are done, although others are missing
    #[arg(long)]
    partial: bool,
    #[command(flatten)]
    memory: MemoryArgs,
    #[command(flatten)]
    threads: ThreadArgs,
}

#[derive(Args)]
struct Status {
    /// Job folder
    #[arg(value_name = "DIR")]
    folder: String,
    /// Read every byte of units and table and compare checksums
    #[arg(long)]
    verify: bool,
}

/// Parses the number of a unit or part.
fn unit(text: &str) -> Result<u64, String> {
    number(text).ok_or_else(|| {
        "write a whole number of at least 0; 'hippo job status DIR' lists the units that are left".into()
    })
}

impl MemoryArgs {
    /// Returns the changes to the job's limits that apply to this step.
    fn change(&self, threads: usize) -> JobChange {
        let memory = Some(self.memory.unwrap_or_else(memory::share));
        let threads = Some(threads);
        JobChange { threads, memory, tables: cache_folder(), ..JobChange::default() }
    }
}

impl Job {
    /// Runs one step.
    pub fn run(self, mode: OutputMode) -> Result<u8, Fail> {
        match self.step {
            Step::Plan(plan) => make(&plan, mode),
            Step::PlanCount(plan) => plan.plan(mode),
            Step::RunUnit(step) => step.run(mode),
            Step::Merge(step) => step.run(mode),
            Step::Status(step) => step.run(mode),
            Step::Submit(step) => step.run(mode),
        }
    }
}

/// Prints how many units a new job has.
pub fn tell_planned(path: &str, units: u64, mode: OutputMode) -> Result<u8, Fail> {
    let text = || match units.checked_sub(1) {
        Some(last) => format!("{path}: {}, from 0 to {last}", counted(units, "unit")),
        None => format!("{path}: no units; only the merge is left"),
    };
    mode.print(|| json!({ "out": path, "units": units }), text)?;
    Ok(DONE)
}

/// Rejects a unit that the job does not have.
pub fn expect_unit(job: &impl store::Job, folder: &JobFolder, unit: u64) -> Result<(), Fail> {
    if unit < job.units() {
        return Ok(());
    }
    let (path, last) = (folder.path().display().to_string(), job.units().saturating_sub(1));
    Err(StoreError::NoUnit { path, unit, last }.into())
}

/// Prints the outcome of a unit. Without `--json`, prints it only if the unit was interrupted.
pub fn tell_unit(
    folder: &JobFolder,
    unit: u64,
    ran: Result<bool, StoreError>,
    (interrupted, signals): (&str, &Signals),
    mode: OutputMode,
) -> Result<u8, Fail> {
    let done = match ran {
        Err(StoreError::Stopped) => false,
        done => done?,
    };
    if mode.json {
        let object = json!({ "schema": 1, "out": folder.path(), "unit": unit, "done": done });
        writeln!(io::stdout().lock(), "{object}")?;
    }
    if done {
        return Ok(DONE);
    }
    mode.remark(interrupted);
    Ok(signals.code())
}

fn make(plan: &Enumerate, mode: OutputMode) -> Result<u8, Fail> {
    let Some(path) = &plan.out else {
        return Err(Fail::usage("a job needs a folder; give one with --out DIR"));
    };
    plan.suits_folder(path)?;
    if plan.budget.time.is_some() {
        return Err(Fail::usage(
            "units run at any time, so a plan cannot have a time limit; leave out --time and give --attempts or --moves",
        ));
    }
    let (run, default) = plan.job()?;
    if let Some(code) = plan.impossible(&run, mode)? {
        return Ok(code);
    }
    if run.units(u64::MAX)?.is_none() {
        return Err(Fail::usage(
            "a plan needs a budget that can be split into units; give --attempts or --moves",
        ));
    }
    if let Some(default) = default {
        mode.remark(&default);
    }
    if plan.dry_run {
        return plan_of(&run, true, mode);
    }
    let control = Arc::<Control>::default();
    let (_, job) = EnumerationJob::create(Path::new(path), run, &control)?;
    tell_planned(path, job.units(), mode)
}

impl RunUnit {
    fn run(self, mode: OutputMode) -> Result<u8, Fail> {
        let folder = JobFolder::share(Path::new(&self.folder))?;
        if folder.kind() == "count" {
            let threads = ThreadArgs::default();
            let resources = CountResources { memory: self.memory.memory, threads };
            return count::run_unit(&folder, self.unit, resources, mode);
        }
        let (control, signals) = Signals::control();
        let job = EnumerationJob::of(&folder, self.memory.change(1), &control)?;
        expect_unit(&job, &folder, self.unit)?;
        let tell = trace(mode);
        let watch = JobMonitor::new(&control.interrupt, &tell);
        let ran = run_unit(&job, &folder, self.unit, watch);
        let interrupted = "interrupted; results so far are kept; run the unit again";
        tell_unit(&folder, self.unit, ran, (interrupted, &signals), mode)
    }
}

/// A step of a merge that handles one part of the tours.
type Apart = fn(&EnumerationJob, &JobFolder, usize, JobMonitor<'_>) -> Result<bool, StoreError>;

impl Merge {
    fn run(self, mode: OutputMode) -> Result<u8, Fail> {
        let path = Path::new(&self.folder);
        let apart: Option<(Apart, &str, u64)> = match (self.part, self.rows) {
            (Some(part), _) => Some((merge_part, "part", part)),
            (None, Some(part)) => Some((encode_part, "rows", part)),
            (None, None) => None,
        };
        let folder = match apart {
            Some(_) => JobFolder::share(path)?,
            None => JobFolder::open(path)?,
        };
        if folder.kind() == "count" {
            if let Some((_, name, _)) = apart {
                return Err(Fail::usage(format!("a count has no parts; leave out --{name}")));
            }
            let resources = CountResources { memory: self.memory.memory, threads: self.threads };
            return count::merge(&folder, self.partial, resources, mode);
        }
        let (control, signals) = Signals::control();
        let change = self.memory.change(self.threads.get());
        let job = EnumerationJob::of(&folder, change, &control)?;
        let tell = trace(mode);
        let watch = JobMonitor::new(&control.interrupt, &tell);
        if !self.partial {
            folder.expect_all(&job)?;
        }
        // `--resume` reruns damaged units, but `merge` does not. The error names the command that reruns
        // them.
        let explain = |error: StoreError| match &error {
            StoreError::Damaged { path, .. } => match folder.unit_at(path) {
                Some(unit) => {
                    let folder = folder.path().display().to_string();
                    Fail::advising(&error, &[Remedy::RunUnit(folder, unit)])
                }
                None => error.into(),
            },
            _ => error.into(),
        };
        let interrupted = || {
            mode.remark("interrupted; nothing is lost; run the merge again");
            Ok(signals.code())
        };
        if let Some((work, name, part)) = apart {
            match work(&job, &folder, part as usize, watch) {
                Err(StoreError::Stopped) => return interrupted(),
                done => drop(done.map_err(explain)?),
            }
            if mode.json {
                let object = json!({ "schema": 1, "out": self.folder, name: part });
                writeln!(io::stdout().lock(), "{object}")?;
            }
            return Ok(DONE);
        }
        let merged = match job.merge(&folder, watch) {
            Err(StoreError::Stopped) => return interrupted(),
            merged => merged.map_err(explain)?,
        };
        let object = || {
            let mut object = json!(merged);
            object["out"] = json!(self.folder);
            object
        };
        mode.print(object, || describe_merged(&merged))?;
        Ok(DONE)
    }
}

impl Status {
    fn run(self, mode: OutputMode) -> Result<u8, Fail> {
        let folder = JobFolder::look(Path::new(&self.folder))?;
        if folder.kind() == "count" {
            return count::status(&folder, mode);
        }
        let control = Arc::<Control>::default();
        let job = EnumerationJob::of(&folder, JobChange::default(), &control)?;
        let (mut done, mut unfinished, mut damaged) = (0u64, Vec::new(), Vec::new());
        let mut first = 0;
        for (unit, glanced) in folder.results(&job, JobMonitor::silent())? {
            let state = if self.verify { folder.state(&job, unit)? } else { glanced };
            match state {
                UnitState::Done(_) => {
                    done += 1;
                    first += u64::from(first == unit);
                }
                UnitState::Unfinished(_) => unfinished.push(unit),
                UnitState::Damaged(_) => damaged.push(unit),
                UnitState::Missing => {}
            }
        }
        let (stats, _) = job.counted(&folder)?;
        let units = Some(job.units()).filter(|&units| units < u64::MAX);
        let merged = folder.path().join("tours.parquet").exists();
        if merged && self.verify {
            TourSet::open(folder.path())?.verify()?;
            check_record(folder.path())?;
        }
        let all = units == Some(done);
        let object = || {
            json!({
                "out": self.folder, "units": units, "done": done,
                "unfinished": unfinished, "damaged": damaged, "next": (!all).then_some(first),
                "attempts": stats.attempts, "tours": stats.tours, "merged": merged,
                "verified": self.verify,
            })
        };
        mode.print(object, || {
            let of = units.map_or("an unlimited number of units".into(), |n| counted(n, "unit"));
            let mut lines = vec![format!("{}: {done} of {of} done", self.folder)];
            if !all {
                let path = quoted_path(folder.path());
                lines.push(format!("next: hippo job run-unit {path} {first}"));
            }
            for (what, units) in [("unfinished", &unfinished), ("damaged", &damaged)] {
                lines.extend((!units.is_empty()).then(|| format!("{what}: {units:?}")));
            }
            let merged = if merged { "merged: see tours.parquet" } else { "not merged yet" };
            let known = match self.verify {
                true => "all other bytes match their checksums",
                false => "checked by the ends of files; --verify reads every byte",
            };
            lines.extend([merged.into(), known.into()]);
            lines.join("\n")
        })?;
        Ok(if all { DONE } else { LIMIT })
    }
}
