//! `hippo enumerate --out DIR` and `--resume DIR`: an enumeration kept in a folder.

use super::{Enumerate, report};
use crate::Manner;
use crate::fail::{DONE, Fail, IMPOSSIBLE, LIMIT};
use crate::interrupt::Signals;
use crate::output::Output;
use crate::progress;
use crate::remedy::quoted;
use crate::trace::Trace;
use hippodrome::board::in_bytes;
use hippodrome::lab::enumerate::Enumeration;
use hippodrome::search::{Budget, Control, Status};
use hippodrome::store::{
    EnumerationJob, Identity, Job, JobFolder, JobMonitor, Merged, StoreError, complete,
    enumeration, identity, write_record,
};
use hippodrome::uniform::cache_folder;
use serde_json::{Value, json};
use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

/// Keys that are merged in well under a second, even when told to stop.
const QUICKLY_MERGED: u64 = 1_000_000;

/// Makes a folder and runs its job.
pub fn begin(path: &str, run: Enumeration, manner: Manner) -> Result<u8, Fail> {
    let control = Arc::<Control>::default();
    let signals = Signals::set(&control.interrupt);
    if Path::new(path).join("job.json").exists() {
        return Err(StoreError::Exists(path.into()).into());
    }
    let job = EnumerationJob::planned(run, &control)?;
    // What the solver refuses is refused before there is a folder.
    match job.prepare() {
        Err(StoreError::Stopped) => {
            manner.remark("interrupted before the job began");
            return Ok(signals.code());
        }
        ready => drop(ready?),
    }
    let folder = job.folder(Path::new(path))?;
    work_on(&folder, &job, (&control, &signals), manner)
}

/// The command that goes on with a folder.
fn resume_command(path: &Path) -> String {
    format!("hippo enumerate --resume {}", quoted(path))
}

/// Runs what is missing, merges, and sums up.
pub fn work_on(
    folder: &JobFolder,
    job: &EnumerationJob,
    (control, signals): (&Control, &Signals),
    manner: Manner,
) -> Result<u8, Fail> {
    let begun = Instant::now();
    let run = job.enumeration();
    let trace = Trace::new(manner);
    let tell = |event: hippodrome::store::Event<'_>| trace.tell(event);
    let watch = JobMonitor::new(&control.interrupt, &tell);
    job.recall(folder)?;
    job.begin();
    let starts = run.problem.start_count() as u64;
    let distinct = || job.distinct_so_far();
    let merged = progress::during(manner, &run.budget, starts, control, Some(&distinct), || {
        let merged = match complete(job, folder, run.threads, watch) {
            Ok((_, merged)) => merged,
            Err(StoreError::Stopped) => None,
            Err(error) => return Err(error),
        };
        // Few tours are merged before anybody has waited; many are left as they are.
        if merged.is_none() && job.counted(folder)?.1 <= QUICKLY_MERGED {
            let patient = std::sync::atomic::AtomicBool::new(false);
            return job.merge(folder, JobMonitor::new(&patient, &tell)).map(Some);
        }
        Ok(merged)
    })?;
    let seconds = begun.elapsed().as_secs_f64();
    let path = folder.path().display().to_string();
    let mut out = Output::open(None, false)?;
    let Some(mut merged) = merged else {
        let (stats, _) = job.counted(folder)?;
        let again = resume_command(folder.path());
        let told = "tours are merged, and distinct ones counted, when the job is done";
        if manner.json {
            let object = json!({
                "schema": 1, "status": "interrupted", "board": job.identity().get("board"),
                "solver": run.choice.name(), "seed": run.seed, "attempts": stats.attempts,
                "tours": stats.tours, "distinct": null, "closed": null, "moves": stats.moves,
                "seconds": seconds, "out": path, "reason": told, "resume": again,
            });
            writeln!(out, "{object}")?;
        } else {
            writeln!(out, "{} found in {} attempts; {told}", stats.tours, stats.attempts)?;
        }
        out.flush()?;
        manner.remark(&format!("interrupted; nothing is lost; go on with: {again}"));
        return Ok(signals.code());
    };
    merged.summary.seconds = seconds;
    write_record(folder, job, &merged, seconds)?;
    report::sum_up(run, Ok(&merged.summary), Some(&path), false, manner, &mut out)?;
    if merged.units.is_none_or(|units| merged.done < units) {
        let again = resume_command(folder.path());
        manner.remark(&format!("not all is done; go on with: {again}"));
    }
    Ok(match (merged.summary.status, merged.summary.total.distinct) {
        (Status::Interrupted, _) => signals.code(),
        (_, 1..) => DONE,
        (Status::Complete, 0) => IMPOSSIBLE,
        (_, 0) => LIMIT,
    })
}

/// What became of merging, for people.
pub fn describe_merged(merged: &Merged) -> String {
    let total = &merged.summary.total;
    format!(
        "{} distinct tours of {} in {}, {}",
        crate::numbers::grouped(total.distinct),
        crate::numbers::grouped(total.tours),
        merged.path.display(),
        in_bytes(merged.bytes.into()),
    )
}

impl Enumerate {
    /// Goes on with the job of a folder.
    pub(super) fn go_on(&self, path: &str, manner: Manner) -> Result<u8, Fail> {
        let control = Arc::<Control>::default();
        let signals = Signals::set(&control.interrupt);
        let mut folder = JobFolder::open(Path::new(path))?;
        if folder.kind() == "count" {
            let path = quoted(folder.path());
            return Err(Fail::usage(format!(
                "{path} contains a count; resume it with: hippo count --resume {path}"
            )));
        }
        folder.expect("enumeration", &self.overlaid(&folder)?, None)?;
        let given = |id: &str| self.given.iter().any(|g| g == id);
        let change = |run: &mut Enumeration| {
            let Budget { attempts, attempts_per_start, moves, time, .. } = self.budget.budget(None);
            if self.all {
                run.budget = Budget::UNLIMITED;
                run.all = true;
            }
            run.budget.attempts = attempts.or(run.budget.attempts);
            run.budget.attempts_per_start = attempts_per_start.or(run.budget.attempts_per_start);
            run.budget.moves = moves.or(run.budget.moves);
            run.budget.time = time;
            run.threads = self.work.threads();
            run.memory = self.memory();
            run.tables = cache_folder();
        };
        let repeats = [
            ("bloom_hashes", "--bloom-hashes"),
            ("bloom_bits", "--bloom-bits"),
            ("bloom_error", "--bloom-error"),
        ];
        if let Some((_, option)) = repeats.iter().find(|(id, _)| given(id)) {
            return Err(Fail::usage(format!(
                "a job folder removes repeats exactly; leave out {option} with --resume",
            )));
        }
        let job = EnumerationJob::resume(&mut folder, change, &control)?;
        work_on(&folder, &job, (&control, &signals), manner)
    }

    /// What identifies the folder's job, with what was given on the command line in its place.
    fn overlaid(&self, folder: &JobFolder) -> Result<Identity, Fail> {
        let there = enumeration(folder.identity())?;
        let given = |id: &str| self.given.iter().any(|g| g == id);
        let grounds = ["board", "holes", "mask", "leaper", "graph"];
        let graph = if grounds.iter().any(|id| given(id)) {
            self.problem.board.graph()?
        } else {
            there.problem.graph().clone()
        };
        let here = Enumeration {
            problem: self.problem.on(graph)?,
            choice: crate::args::choose(
                if given("solver") { &self.solver } else { there.choice.name() },
                &self.param,
            )?,
            seed: self.work.seed,
            distinct: self.distinct,
            keep: self.keep,
            ..there
        };
        let here = identity(&here);
        let mut overlaid = folder.identity().clone();
        let mut put = |field: &str| match here.get(field) {
            Some(value) => drop(overlaid.insert(field.into(), value.clone())),
            None => drop(overlaid.remove(field)),
        };
        for (id, fields) in [
            ("board", &["board", "holes"][..]),
            ("holes", &["board", "holes"]),
            ("mask", &["board", "holes"]),
            ("leaper", &["leaper"]),
            ("graph", &["board", "holes", "graph", "edges", "vertices"]),
            ("closed", &["closed"]),
            ("start", &["start"]),
            ("end", &["end"]),
            ("solver", &["solver"]),
            ("seed", &["seed"]),
            ("distinct", &["distinct"]),
            ("keep", &["where"]),
        ] {
            if given(id) {
                fields.iter().for_each(|field| put(field));
            }
        }
        let typed = self.solver.split(':').skip(1).filter(|_| given("solver"));
        for pair in typed.chain(self.param.iter().map(String::as_str)) {
            let name = pair.split('=').next().unwrap_or(pair);
            if let (Some(Value::Object(all)), Some(value)) =
                (overlaid.get_mut("params"), here["params"].get(name))
            {
                all.insert(name.into(), value.clone());
            }
        }
        Ok(overlaid)
    }
}
