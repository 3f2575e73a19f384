//! Implements `hippo enumerate --out DIR` and `--resume DIR`: an enumeration stored in a folder.

use super::{Enumerate, code, report};
use crate::OutputMode;
use crate::fail::Fail;
use crate::interrupt::Signals;
use crate::output::Output;
use crate::progress;
use crate::remedy::quoted_path;
use crate::trace::trace;
use hippodrome::lab::enumerate::Enumeration;
use hippodrome::numerals::{grouped, in_bytes};
use hippodrome::search::Control;
use hippodrome::store::{
    EnumerationJob, Identity, Job, JobChange, JobFolder, JobMonitor, Merged, StoreError,
    enumeration, restated,
};
use hippodrome::uniform::cache_folder;
use serde_json::json;
use std::path::Path;

/// Creates a job folder and runs the job.
pub fn begin(path: &str, run: Enumeration, mode: OutputMode) -> Result<u8, Fail> {
    let (control, signals) = Signals::control();
    match EnumerationJob::begin(Path::new(path), run, &control) {
        Ok((folder, job)) => work_on(&folder, &job, (&control, &signals), mode),
        Err(StoreError::Stopped) => {
            Err(Fail::interrupted(signals.code(), "interrupted before the job began"))
        }
        Err(error) => Err(error.into()),
    }
}

/// Returns the command that resumes the job in a folder.
fn resume_command(path: &Path) -> String {
    format!("hippo enumerate --resume {}", quoted_path(path))
}

/// Runs the missing units, merges the results, and prints the summary.
pub fn work_on(
    folder: &JobFolder,
    job: &EnumerationJob,
    (control, signals): (&Control, &Signals),
    mode: OutputMode,
) -> Result<u8, Fail> {
    let run = job.enumeration();
    let tell = trace(mode);
    let watch = JobMonitor::new(&control.interrupt, &tell);
    let attempts = progress::attempts(&run.budget, &run.problem);
    let distinct = || job.distinct_so_far();
    let work = || job.run(folder, watch);
    let merged = progress::during(mode, attempts, control, Some(&distinct), work)?;
    let path = folder.path().display().to_string();
    let again = resume_command(folder.path());
    let Some(merged) = merged else {
        let (stats, _) = job.counted(folder)?;
        let reason = "distinct tours are counted when the finished job is merged";
        let object = || {
            json!({
                "status": "interrupted", "board": job.identity().get("board"),
                "solver": run.choice.name(), "seed": run.seed, "attempts": stats.attempts,
                "tours": stats.tours, "distinct": null, "closed": null, "moves": stats.moves,
                "seconds": watch.seconds(), "out": path, "reason": reason, "resume": again,
            })
        };
        let text = || format!("{} found in {} attempts; {reason}", stats.tours, stats.attempts);
        mode.print(object, text)?;
        mode.remark(&format!("interrupted; nothing is lost; resume with: {again}"));
        return Ok(signals.code());
    };
    let mut out = Output::open(None, false)?;
    report::sum_up(run, Ok(&merged.summary), Some(&path), false, mode, &mut out)?;
    if merged.units.is_none_or(|units| merged.done < units) {
        mode.remark(&format!("some units are not done; resume with: {again}"));
    }
    Ok(code(&merged.summary, signals))
}

/// Returns the result of a merge in words.
pub fn describe_merged(merged: &Merged) -> String {
    let total = &merged.summary.total;
    format!(
        "{} distinct tours of {} in {}, {}",
        grouped(total.distinct),
        grouped(total.tours),
        merged.path.display(),
        in_bytes(merged.bytes.into()),
    )
}

impl Enumerate {
    /// Resumes the job in a folder.
    pub(super) fn resume_job(&self, path: &str, mode: OutputMode) -> Result<u8, Fail> {
        let (control, signals) = Signals::control();
        let mut folder = JobFolder::open(Path::new(path))?;
        if folder.kind() == "count" {
            let path = quoted_path(folder.path());
            return Err(Fail::usage(format!(
                "{path} contains a count; resume it with: hippo count --resume {path}"
            )));
        }
        if let Some(id) = self.given.iter().find(|id| id.starts_with("bloom_")) {
            return Err(Fail::usage(format!(
                "a job folder removes duplicates exactly; leave out --{} with --resume",
                id.replace('_', "-")
            )));
        }
        let change = JobChange {
            restated: self.restated(&folder)?,
            all: self.all,
            budget: self.budget.budget(None),
            threads: Some(self.work.threads()),
            memory: Some(self.memory()),
            tables: cache_folder(),
        };
        let job = EnumerationJob::resume(&mut folder, change, &control)?;
        work_on(&folder, &job, (&control, &signals), mode)
    }

    /// Returns those fields of the job's identity that are given again on the command line.
    fn restated(&self, folder: &JobFolder) -> Result<Identity, Fail> {
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
        let options = [
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
        ];
        let fields = options.iter().filter(|(id, _)| given(id)).flat_map(|(_, fields)| *fields);
        let typed = self.solver.split(':').skip(1).filter(|_| given("solver"));
        let pairs = typed.chain(self.param.iter().map(String::as_str));
        let params = pairs.map(|pair| pair.split('=').next().unwrap_or(pair));
        let (fields, params): (Vec<_>, Vec<_>) = (fields.copied().collect(), params.collect());
        Ok(restated(&here, &fields, &params))
    }
}
