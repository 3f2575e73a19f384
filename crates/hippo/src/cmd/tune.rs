//! `hippo tune` finds the best values of a solver's parameters, as in Section 3 of the MACE paper.

use crate::OutputMode;
use crate::args::{ProblemArgs, WorkArgs, named, whole, within};
use crate::cmd::enumerate::in_json;
use crate::fail::{DONE, Fail, LIMIT};
use crate::interrupt::Signals;
use crate::output::{Output, impossible, with_board};
use crate::progress;
use clap::Args;
use hippodrome::lab::tune::{Rate, Trial, Tuned, Tuning, Vary, usual_attempts, usual_runs, words};
use hippodrome::numerals::{counted, grouped};
use hippodrome::problem::theorems::{Existence, known};
use hippodrome::search::{Control, memory};
use serde_json::{Map, Value, json};
use std::time::Duration;

/// Duration of the trial runs from which a dry run estimates the time.
const TRIAL: Duration = Duration::from_millis(400);

/// Find the parameter values that give distinct tours at the highest rate
#[derive(Args)]
#[command(
    after_help = "Without --vary, alpha takes the values from 0.5 to 2 in steps of 0.25. Several --vary are combined.\n\nExample:\n  hippo tune 5x5 --solver ace --vary alpha=0.5..2:0.5 --runs 10\n  hippo tune 5x5 --solver ace --vary alpha=1,2 --vary rho=0.1,0.25,0.5 --runs 10"
)]
pub struct Tune {
    #[command(flatten)]
    problem: ProblemArgs,
    /// Solver, as name or name:param=value
    #[arg(long, value_name = "NAME", help_heading = "Search", default_value = "ace")]
    solver: String,
    /// Fixed parameter; see 'hippo solvers NAME'
    #[arg(long, value_name = "NAME=VALUE", help_heading = "Search")]
    param: Vec<String>,
    /// Parameter to vary, as name=value,value or name=from..to:step
    #[arg(long, value_name = "NAME=VALUES", help_heading = "Search")]
    vary: Vec<String>,
    /// Runs per combination of values [default: 100, fewer on large boards]
    #[arg(long, value_name = "N", help_heading = "Budget", value_parser = |n: &str| within(n, 1, 1_000_000), allow_negative_numbers = true)]
    runs: Option<u64>,
    /// Attempts per run [default: twice those between restarts of mace]
    #[arg(long, value_name = "N", help_heading = "Budget", value_parser = whole, allow_negative_numbers = true)]
    attempts: Option<u64>,
    /// Write the mean rates by attempts as CSV
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    curves: Option<String>,
    /// Print the plan and exit
    #[arg(long, help_heading = "Output")]
    dry_run: bool,
    #[command(flatten)]
    work: WorkArgs,
}

impl Tune {
    /// Makes the runs and prints the best values.
    pub fn run(self, mode: OutputMode) -> Result<u8, Fail> {
        let job = self.job()?;
        let settings = job.settings()?;
        if let Existence::Impossible(finding) = known(&job.problem) {
            let object = json!({
                "schema": 1, "status": "impossible", "solver": job.solver, "seed": job.seed,
                "best": null, "curves": [], "seconds": 0.0, "reason": finding.to_string(),
            });
            let object = with_board(object, job.problem.graph());
            return impossible(finding, mode, object, Output::open(None, false)?);
        }
        let infos: Vec<_> = settings.iter().map(|setting| setting.choice.solver.info()).collect();
        memory::check(job.problem.graph(), &infos, job.threads, false)?;
        if self.attempts.is_none() {
            let Tuning { runs, attempts, .. } = job;
            let runs =
                if self.runs.is_none() { format!(" and --runs {runs}") } else { String::new() };
            mode.remark(&format!("no --attempts given; using --attempts {attempts}{runs}"));
        }
        if self.dry_run {
            return plan(&job, settings.len() as u64, mode);
        }
        let curves = Output::beside(self.curves.as_deref(), "--curves")?;
        let (control, signals) = Signals::control();
        let attempts = job.attempts.saturating_mul(job.runs).saturating_mul(settings.len() as u64);
        let tuned = progress::during(mode, Some(attempts), &control, None, || job.run(&control))?;
        if let Some(mut file) = curves {
            tuned.write_csv(&mut file)?;
            file.finish(mode)?;
        }
        mode.print(|| describe(&job, &tuned), || in_words(&job, &tuned))?;
        Ok(match (tuned.interrupted, tuned.best()) {
            (true, _) => signals.code(),
            (false, Some(_)) => DONE,
            (false, None) => LIMIT,
        })
    }

    fn job(&self) -> Result<Tuning, Fail> {
        let problem = self.problem.problem()?;
        let (solver, fixed) = named(&self.solver, &self.param);
        let vary = self.vary.iter().map(|text| Vary::parse(text));
        let attempts = self.attempts.unwrap_or_else(|| usual_attempts(&problem));
        Ok(Tuning {
            solver: solver.into(),
            fixed: fixed.into_iter().map(String::from).collect(),
            vary: vary.collect::<Result<_, _>>().map_err(|e| Fail::of(&e))?,
            runs: self.runs.unwrap_or_else(|| usual_runs(&problem, attempts)),
            attempts,
            seed: self.work.seed,
            threads: self.work.threads(),
            problem,
        })
    }
}

/// Runs `--dry-run`: prints the plan, with an estimate of the time.
fn plan(job: &Tuning, settings: u64, mode: OutputMode) -> Result<u8, Fail> {
    let units = settings.saturating_mul(job.runs);
    let seconds = guess(job)?;
    let graph = job.problem.graph();
    let object = || {
        let object = json!({
            "solver": job.solver, "seed": job.seed, "threads": job.threads,
            "settings": settings, "runs": job.runs, "attempts": job.attempts, "units": units,
            "disk": 0, "seconds_guess": seconds,
        });
        with_board(object, graph)
    };
    mode.print(object, || {
        format!(
            "would run {} on {graph} on {}\n  {} of values, {} of {} for each\n  in about {}",
            job.solver,
            counted(job.threads as u64, "thread"),
            counted(settings, "combination"),
            counted(job.runs, "run"),
            counted(job.attempts, "attempt"),
            counted(seconds.ceil() as u64, "second"),
        )
    })?;
    Ok(DONE)
}

/// Estimates how many seconds the job takes, from a short trial of every combination of values.
fn guess(job: &Tuning) -> Result<f64, Fail> {
    let settings = job.settings()?;
    let each = TRIAL / settings.len() as u32;
    let mut seconds = 0.0;
    for setting in &settings {
        let mut run = job.enumeration(setting, job.seed);
        run.budget.time = Some(each);
        let summary = run.run(&Control::default(), None)?;
        let share = summary.total.attempts.max(1) as f64 / job.attempts as f64;
        seconds += summary.seconds / share.min(1.0) * job.runs as f64;
    }
    let units = job.runs.saturating_mul(settings.len() as u64);
    Ok(seconds / units.min(job.threads as u64).max(1) as f64)
}

fn describe(job: &Tuning, tuned: &Tuned) -> Value {
    let curves: Vec<Value> = tuned.trials.iter().map(|trial| curve(job, trial)).collect();
    let best = tuned.best().map(|(trial, peak)| {
        let mut best = point(job, &peak);
        best["params"] = params(trial);
        best
    });
    let object = json!({
        "status": if tuned.interrupted { "interrupted" } else { "complete" },
        "solver": job.solver, "fixed": job.fixed, "seed": job.seed, "seeds": job.seeds(),
        "runs": job.runs, "attempts": job.attempts, "best": best, "curves": curves,
        "seconds": tuned.seconds,
    });
    with_board(object, job.problem.graph())
}

fn curve(job: &Tuning, trial: &Trial) -> Value {
    let rate = |p: &Rate| json!({ "attempts": p.attempts, "rate": p.rate, "error": p.error });
    let points: Vec<Value> = trial.points.iter().map(rate).collect();
    let peak = trial.peak().map(|peak| point(job, &peak));
    json!({ "params": params(trial), "runs": trial.runs, "points": points, "peak": peak })
}

fn params(trial: &Trial) -> Value {
    let entries = trial.params.iter().map(|(name, v)| (name.to_string(), in_json(v)));
    Value::Object(entries.collect::<Map<_, _>>())
}

fn point(job: &Tuning, peak: &Rate) -> Value {
    json!({
        "attempts": peak.attempts, "cycles": cycles(job, peak), "rate": peak.rate,
        "error": peak.error,
    })
}

/// Returns the number of cycles needed to reach a peak, if the solver works in cycles.
fn cycles(job: &Tuning, peak: &Rate) -> Option<u64> {
    job.cycle().map(|ants| peak.attempts.div_ceil(ants))
}

fn in_words(job: &Tuning, tuned: &Tuned) -> String {
    let graph = job.problem.graph();
    let mut text = format!(
        "{graph}, {}: {} of {} for each value{}, {:.2} s\n",
        job.solver,
        counted(job.runs, "run"),
        counted(job.attempts, "attempt"),
        if tuned.interrupted { " (interrupted)" } else { "" },
        tuned.seconds,
    );
    let best = tuned.best();
    let width = tuned.trials.iter().map(|t| words(&t.params).len()).max().unwrap_or(0);
    for trial in &tuned.trials {
        let mark = if best.is_some_and(|(b, _)| std::ptr::eq(b, trial)) { '*' } else { ' ' };
        text += &format!("{mark} {:<width$}  {}\n", words(&trial.params), outcome(job, trial));
    }
    text + &match best {
        Some((trial, peak)) => {
            let cycles =
                cycles(job, &peak).map_or(String::new(), |n| format!(", {}", counted(n, "cycle")));
            let late = if trial.is_cut() { "; longer runs may do better" } else { "" };
            format!("best: {}{cycles}{late}\n", words(&trial.params))
        }
        None if tuned.interrupted => "interrupted before the first run ended\n".into(),
        None => "no tour was found; raise --attempts\n".into(),
    }
}

fn outcome(job: &Tuning, trial: &Trial) -> String {
    let Some(peak) = trial.peak() else {
        return match trial.runs {
            0 => "not run".into(),
            _ => "no tour".into(),
        };
    };
    let error = peak.error.map_or(String::new(), |e| format!(" ± {e:.5}"));
    let fewer = match trial.runs < job.runs {
        true => format!(", {}", counted(trial.runs, "run")),
        false => String::new(),
    };
    let cut = if trial.is_cut() { ", still rising" } else { "" };
    let attempts = format!("{} attempts", grouped(peak.attempts));
    format!(
        "peak after {attempts:>18}: {:.5}{error} distinct tours per attempt{fewer}{cut}",
        peak.rate
    )
}
