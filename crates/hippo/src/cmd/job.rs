//! `hippo job`: the parts of a large enumeration or count, for any scheduler.

use crate::args::bytes;
use crate::cmd::count;
use crate::cmd::enumerate::{Enumerate, describe_merged, plan_of};
use crate::cmd::submit::Submit;
use crate::fail::{DONE, Fail, LIMIT};
use crate::interrupt::Signals;
use crate::numbers::counted;
use crate::trace::Trace;
use crate::{Manner, memory};
use clap::{Args, Subcommand};
use hippodrome::enumerate::Enumeration;
use hippodrome::run::Control;
use hippodrome::store::{
    Event, Folder, Job as _, State, StoreError, Tours, Watch, merge_part, run_unit, write_record,
};
use serde_json::json;
use std::io::{self, Write};
use std::path::Path;
use std::time::Instant;

/// The parts of a large enumeration or count, for any scheduler
///
/// 'plan' makes a folder (for a count 'hippo count --out DIR' does), 'run-unit' does one of its units (any
/// number at once, on any machines that share the folder), 'merge' merges them, 'status' tells what is
/// left; 'submit' hands all of it to a Dask cluster.
#[derive(Args)]
#[command(
    after_help = "Example:\n  hippo job plan 6x6 --solver mace --attempts 1M --out six\n  hippo job run-unit six 0; hippo job status six"
)]
pub struct Job {
    #[command(subcommand)]
    step: Step,
}

#[derive(Subcommand)]
enum Step {
    /// Make the folder of a job: an enumeration with --out DIR
    Plan(Box<Enumerate>),
    /// Do one unit, unless its result is there
    RunUnit(RunUnit),
    /// Merge the results of all units: tours to tours.parquet, counts to their sum
    Merge(Merge),
    /// What is done and what is left
    Status(Status),
    /// Run all units on a Dask cluster, and merge them there
    Submit(Submit),
}

/// What may differ from step to step.
#[derive(Args)]
struct Means {
    /// Memory for tours, as in 512M or 2G [default: a quarter of what is available]
    #[arg(long, value_name = "BYTES", value_parser = bytes)]
    memory: Option<usize>,
}

#[derive(Args)]
struct RunUnit {
    /// The job's folder
    #[arg(value_name = "DIR")]
    folder: String,
    /// Number of the unit, from 0
    #[arg(value_name = "N")]
    unit: u64,
    #[command(flatten)]
    means: Means,
}

#[derive(Args)]
struct Merge {
    /// The job's folder
    #[arg(value_name = "DIR")]
    folder: String,
    /// Only this part of the tours, from 0 to 63, to a file of its own that a whole merge then takes
    #[arg(long, value_name = "P", conflicts_with = "partial")]
    part: Option<usize>,
    /// Merge what there is, though units are missing
    #[arg(long)]
    partial: bool,
    #[command(flatten)]
    means: Means,
    #[command(flatten)]
    work: Threads,
}

#[derive(Args)]
struct Threads {
    /// Number of threads; the result does not depend on it [default: all cores]
    #[arg(long, value_name = "N", value_parser = |n: &str| crate::args::within(n, 1, 1024), allow_negative_numbers = true)]
    threads: Option<u64>,
}

#[derive(Args)]
struct Status {
    /// The job's folder
    #[arg(value_name = "DIR")]
    folder: String,
}

impl Means {
    /// Sets them.
    fn set(&self, threads: usize) -> impl FnOnce(&mut Enumeration) {
        let memory = self.memory.unwrap_or_else(memory::share);
        move |run| (run.threads, run.memory) = (threads, memory)
    }
}

impl Job {
    /// Does one step.
    pub fn run(self, manner: Manner) -> Result<u8, Fail> {
        match self.step {
            Step::Plan(plan) => make(&plan, manner),
            Step::RunUnit(step) => step.run(manner),
            Step::Merge(step) => step.run(manner),
            Step::Status(step) => step.run(manner),
            Step::Submit(step) => step.run(manner),
        }
    }
}

fn say(text: &str) -> Result<(), Fail> {
    Ok(writeln!(io::stdout().lock(), "{text}")?)
}

fn make(plan: &Enumerate, manner: Manner) -> Result<u8, Fail> {
    let Some(path) = &plan.out else {
        return Err(Fail::usage("a job needs a folder; give one with --out DIR"));
    };
    let (run, default) = plan.job()?;
    if run.units(u64::MAX)?.is_none() {
        return Err(Fail::usage(
            "a plan needs a budget that can be split, for its units have no end; give --attempts or --moves",
        ));
    }
    if let Some(default) = default {
        manner.remark(&default);
    }
    if plan.dry_run {
        return plan_of(&run, true, manner);
    }
    let control = Control::default();
    let (_, job) = Tours::create(Path::new(path), run, &control)?;
    let units = job.units();
    if manner.json {
        say(&json!({ "schema": 1, "out": path, "units": units }).to_string())?;
    } else {
        let last = units.saturating_sub(1);
        say(&format!("{path}: {}, from 0 to {last}", counted(units, "unit")))?;
    }
    Ok(DONE)
}

impl RunUnit {
    fn run(self, manner: Manner) -> Result<u8, Fail> {
        let folder = Folder::share(Path::new(&self.folder))?;
        if folder.kind() == "count" {
            let means = count::Means { memory: self.means.memory, threads: None };
            return count::run_unit(&folder, self.unit, means, manner);
        }
        let control = Control::default();
        let signals = Signals::set(&control.interrupt);
        let job = Tours::of(&folder, self.means.set(1), &control)?;
        if self.unit >= job.units() {
            let (path, last) = (self.folder, job.units().saturating_sub(1));
            return Err(StoreError::NoUnit { path, unit: self.unit, last }.into());
        }
        let trace = Trace::new(manner);
        let tell = |event: Event<'_>| trace.tell(event);
        let watch = Watch::new(&control.interrupt, &tell);
        let whole = run_unit(&job, &folder, self.unit, watch)?;
        if manner.json {
            let object =
                json!({ "schema": 1, "out": self.folder, "unit": self.unit, "done": whole });
            say(&object.to_string())?;
        }
        if !whole {
            manner.remark("interrupted; what was found is kept, and the unit is to be run again");
            return Ok(signals.code());
        }
        Ok(DONE)
    }
}

impl Merge {
    fn run(self, manner: Manner) -> Result<u8, Fail> {
        let begun = Instant::now();
        let path = Path::new(&self.folder);
        let folder = match self.part {
            Some(_) => Folder::share(path)?,
            None => Folder::open(path)?,
        };
        if folder.kind() == "count" {
            if self.part.is_some() {
                return Err(Fail::usage("a count has no parts; leave out --part"));
            }
            let means = count::Means { memory: self.means.memory, threads: self.work.threads };
            return count::merge(&folder, self.partial, means, manner);
        }
        let control = Control::default();
        let signals = Signals::set(&control.interrupt);
        let all = || std::thread::available_parallelism().map_or(1, usize::from);
        let threads = self.work.threads.map_or_else(all, |n| n as usize);
        let job = Tours::of(&folder, self.means.set(threads), &control)?;
        let trace = Trace::new(manner);
        let tell = |event: Event<'_>| trace.tell(event);
        let watch = Watch::new(&control.interrupt, &tell);
        let left = left(&folder, &job)?;
        if left.0 > 0 && !self.partial {
            return Err(Fail::run_time(format!(
                "{} of {} are not done, the first is {}; run them, or merge what there is with --partial",
                counted(left.0, "unit"),
                self.folder,
                left.1
            )));
        }
        if let Some(part) = self.part {
            merge_part(&job, &folder, part, watch)?;
            if manner.json {
                say(&json!({ "schema": 1, "out": self.folder, "part": part }).to_string())?;
            }
            return Ok(DONE);
        }
        let merged = match job.merge(&folder, watch) {
            Err(StoreError::Stopped) => return Ok(signals.code()),
            merged => merged?,
        };
        write_record(&folder, &job, &merged, begun.elapsed().as_secs_f64())?;
        if manner.json {
            let total = &merged.summary.total;
            let object = json!({
                "schema": 1, "out": self.folder, "attempts": total.attempts, "tours": total.tours,
                "distinct": total.distinct, "closed": total.closed, "moves": total.moves,
                "units": merged.units, "units_done": merged.done, "bytes": merged.bytes,
                "xxh3": format!("{:016x}", merged.checksum),
            });
            say(&object.to_string())?;
        } else {
            say(&describe_merged(&merged))?;
        }
        Ok(DONE)
    }
}

/// How many units are not done, and the first of them.
fn left(folder: &Folder, job: &Tours<'_>) -> Result<(u64, u64), Fail> {
    let results = folder.results(job, Watch::nobody())?;
    let done = results.iter().filter(|(_, state)| matches!(state, State::Done(_)));
    let count = done.clone().count() as u64;
    let first = (0..).zip(done).find(|(expected, (unit, _))| expected != unit);
    let first = first.map_or(count, |(expected, _)| expected);
    Ok((job.units().saturating_sub(count), first))
}

impl Status {
    fn run(self, manner: Manner) -> Result<u8, Fail> {
        let folder = Folder::look(Path::new(&self.folder))?;
        if folder.kind() == "count" {
            return count::status(&folder, manner);
        }
        let control = Control::default();
        let job = Tours::of(&folder, |_| {}, &control)?;
        let (mut done, mut unfinished, mut damaged) = (0u64, Vec::new(), Vec::new());
        for (unit, state) in folder.results(&job, Watch::nobody())? {
            match state {
                State::Done(_) => done += 1,
                State::Unfinished(_) => unfinished.push(unit),
                State::Damaged(_) => damaged.push(unit),
                State::Missing => {}
            }
        }
        let (_, first) = left(&folder, &job)?;
        let (stats, _) = job.counted(&folder)?;
        let units = Some(job.units()).filter(|&units| units < u64::MAX);
        let merged = folder.path().join("tours.parquet").exists();
        let all = units == Some(done);
        if manner.json {
            let object = json!({
                "schema": 1, "out": self.folder, "units": units, "done": done,
                "unfinished": unfinished, "damaged": damaged, "next": (!all).then_some(first),
                "attempts": stats.attempts, "tours": stats.tours, "merged": merged,
            });
            say(&object.to_string())?;
        } else {
            let of = units.map_or("units without end".into(), |n| counted(n, "unit"));
            say(&format!("{}: {done} of {of} done", self.folder))?;
            if !all {
                say(&format!("next: hippo job run-unit {} {first}", self.folder))?;
            }
            for (what, units) in [("unfinished", &unfinished), ("damaged", &damaged)] {
                if !units.is_empty() {
                    say(&format!("{what}: {units:?}"))?;
                }
            }
            say(if merged { "merged: tours.parquet is there" } else { "not merged yet" })?;
        }
        Ok(if all { DONE } else { LIMIT })
    }
}
