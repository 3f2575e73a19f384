//! `hippo race` runs several solvers on one board under the same budget.

use crate::OutputMode;
use crate::args::{BUDGET, BudgetArgs, ProblemArgs, WorkArgs, bytes, choose, whole, within};
use crate::fail::{DONE, Fail, LIMIT};
use crate::interrupt::Signals;
use crate::output::{Output, impossible};
use crate::progress;
use crate::remedy::quoted;
use clap::Args;
use hippodrome::lab::race::{CONFIDENCE, Entrant, Race as Job, Raced, Standing, verdicts};
use hippodrome::lab::statistics::Spread;
use hippodrome::numerals::{counted, grouped, in_time};
use hippodrome::problem::theorems::{Existence, known};
use hippodrome::search::{Budget, memory};
use serde_json::{Value, json};
use std::io::Write;

/// Race solvers under the same budget
#[derive(Args)]
#[command(
    after_help = "Runs are made one after another with --time; otherwise they use all threads.\n\nExample:\n  hippo race 6x6 --solvers mace,ga-repair:operator=edge-recombination --runs 5\n  hippo race 6x6 --solvers mace,warnsdorff --attempts 20k --html race.html"
)]
pub struct Race {
    #[command(flatten)]
    problem: ProblemArgs,
    /// Solvers, each as name or name:param=value
    #[arg(
        long,
        value_name = "A,B",
        help_heading = "Search",
        value_delimiter = ',',
        required = true
    )]
    solvers: Vec<String>,
    /// Runs of each solver
    #[arg(long, value_name = "N", help_heading = "Search", default_value = "10", value_parser = |n: &str| within(n, 1, 1_000_000), allow_negative_numbers = true)]
    runs: u64,
    /// Distinct tours per run
    #[arg(long, value_name = "N", help_heading = BUDGET, value_parser = whole, allow_negative_numbers = true)]
    tours: Option<u64>,
    #[command(flatten)]
    budget: BudgetArgs,
    /// Memory for the distinct tours of all runs
    #[arg(long, value_name = "BYTES", help_heading = "Search", value_parser = bytes, default_value = "2G")]
    memory: usize,
    /// Write a page with charts as one HTML file
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    html: Option<String>,
    /// Write one CSV line per run
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    csv: Option<String>,
    /// Print the plan and exit
    #[arg(long, help_heading = "Output")]
    dry_run: bool,
    #[command(flatten)]
    work: WorkArgs,
}

impl Race {
    /// Runs the race and prints the standings.
    pub fn run(self, mode: OutputMode) -> Result<u8, Fail> {
        let job = self.job(mode)?;
        if let Existence::Impossible(finding) = known(&job.problem) {
            let reason = finding.to_string();
            let object = json!([{ "schema": 1, "status": "impossible", "reason": reason }]);
            return impossible(reason, mode, object, Output::open(None, false)?);
        }
        let infos: Vec<_> = job.entrants.iter().map(|e| e.choice.solver.info()).collect();
        memory::check(job.problem.graph(), &infos, job.abreast(), false)?;
        if self.dry_run {
            return plan(&job, mode);
        }
        if self.html.is_some() && self.html == self.csv {
            return Err(Fail::usage("--html and --csv need different files"));
        }
        let html = Output::beside(self.html.as_deref(), "--html")?;
        let csv = Output::beside(self.csv.as_deref(), "--csv")?;
        let (control, signals) = Signals::control();
        let runs = job.runs.saturating_mul(job.entrants.len() as u64);
        let attempts = progress::attempts(&job.budget, &job.problem);
        let attempts = attempts.map(|each| each.saturating_mul(runs));
        let raced = progress::during(mode, attempts, &control, None, || job.run(&control))?;
        let standings = job.standings(&raced);
        mode.print(|| describe(&job, &raced, &standings), || in_words(&job, &raced, &standings))?;
        if let Some(mut file) = csv {
            raced.write_csv(&job, &mut file)?;
            file.finish(mode)?;
        }
        if let Some(mut file) = html {
            file.write_all(job.html(&raced, &again(&job)).as_bytes())?;
            file.finish(mode)?;
        }
        Ok(match (raced.interrupted, standings.iter().any(|s| s.distinct > 0)) {
            (true, _) => signals.code(),
            (false, true) => DONE,
            (false, false) => LIMIT,
        })
    }

    fn job(&self, mode: OutputMode) -> Result<Job, Fail> {
        let problem = self.problem.problem()?;
        let mut entrants: Vec<Entrant> = Vec::new();
        for name in self.solvers.iter().map(|name| name.trim()) {
            if entrants.iter().any(|e| e.name == name) {
                return Err(Fail::usage(format!("{name} is listed twice; leave one out")));
            }
            entrants.push(Entrant { name: name.into(), choice: choose(name, &[])? });
        }
        let mut budget = self.budget.budget(self.tours);
        if budget == Budget::UNLIMITED {
            let attempts = Job::DEFAULT_ATTEMPTS;
            mode.remark(&format!("no budget given; using --attempts {attempts}"));
            budget.attempts = Some(attempts);
        }
        Ok(Job {
            problem,
            entrants,
            budget,
            runs: self.runs,
            seed: self.work.seed,
            threads: self.work.threads(),
            memory: self.memory,
        })
    }
}

/// Returns the command that repeats the race.
fn again(job: &Job) -> String {
    let words: Vec<String> = std::env::args().skip(1).map(|word| quoted(&word)).collect();
    let seeded = words.iter().any(|word| word.starts_with("--seed"));
    let seed = if seeded { String::new() } else { format!(" --seed {}", job.seed) };
    format!("hippo {}{seed}", words.join(" "))
}

fn plan(job: &Job, mode: OutputMode) -> Result<u8, Fail> {
    let (field, runs) = (job.entrants.len() as u64, job.runs);
    let seconds = job.budget.time.map(|t| t.as_secs_f64() * (field * runs) as f64);
    let object = || {
        let names: Vec<&str> = job.entrants.iter().map(|e| e.name.as_str()).collect();
        json!({
            "solvers": names, "runs": runs, "units": field * runs,
            "threads": job.abreast(), "seed": job.seed, "memory": job.memory, "disk": 0,
            "seconds_guess": seconds,
        })
    };
    mode.print(object, || {
        let time = |s: f64| format!("  in at most {}", counted(s.ceil() as u64, "second"));
        format!(
            "would race {} on {} on {}\n  {} of each\n{}",
            counted(field, "solver"),
            job.problem.graph(),
            counted(job.abreast() as u64, "thread"),
            counted(runs, "run"),
            seconds.map_or(String::new(), time),
        )
    })?;
    Ok(DONE)
}

fn describe(job: &Job, raced: &Raced, standings: &[Standing]) -> Value {
    let five = |five: Option<[f64; 5]>| {
        five.map(|[least, lower, median, upper, most]| {
            json!({ "min": least, "q1": lower, "median": median, "q3": upper, "max": most })
        })
    };
    let spread = |spread: &Option<Spread>| {
        spread.map(|s| {
            let interval = s.interval(CONFIDENCE.0);
            json!({ "mean": s.mean, "low": interval.map(|i| i.0), "high": interval.map(|i| i.1) })
        })
    };
    let row = |s: &Standing| {
        let (success, (low, high)) = s.success();
        let ahead: Vec<&str> = standings
            .iter()
            .filter(|other| hippodrome::lab::race::ahead(s, other))
            .map(|other| other.name.as_str())
            .collect();
        json!({
            "schema": 1, "solver": s.name, "seed": job.seed, "runs": s.runs,
            "interrupted": raced.interrupted, "attempts": s.attempts, "tours": s.tours,
            "distinct": s.distinct, "closed": s.closed, "moves": s.moves,
            "hit_ratio": s.distinct as f64 / s.attempts.max(1) as f64,
            "hit_ratio_of_a_run": spread(&s.hit_ratio),
            "distinct_of_a_run": spread(&s.distinct_a_run),
            "closed_share": spread(&s.closed_share),
            "distinct_a_second": spread(&s.rate),
            "start_bias": s.start_bias.map(|bias| bias.distance),
            "start_bias_by_chance": s.start_bias.map(|bias| bias.by_chance),
            "start_bias_note": raced.law.silence(),
            "failed_runs": s.failed_runs,
            "success": { "share": success, "low": low, "high": high },
            "attempts_to_first": five(s.attempts_to_first),
            "moves_to_first": five(s.moves_to_first),
            "seconds_to_first": five(s.seconds_to_first),
            "ahead_of": ahead,
        })
    };
    Value::Array(standings.iter().map(row).collect())
}

fn in_words(job: &Job, raced: &Raced, standings: &[Standing]) -> String {
    let graph = job.problem.graph();
    let cut = if raced.interrupted { " (interrupted)" } else { "" };
    let width = standings.iter().map(|s| s.name.len()).max().unwrap_or(0).max(6);
    let mut text = format!(
        "{graph}: {} of {}, seed {}, {:.2} s{cut}\n{:<width$}  {:>12} {:>12} {:>19} {:>7} {:>11} {:>9} {:>12}\n",
        counted(job.runs, "run"),
        counted(standings.len() as u64, "solver"),
        job.seed,
        raced.seconds,
        "solver",
        "attempts",
        "distinct",
        "hit ratio",
        "closed",
        "start bias",
        "found",
        "first after",
    );
    for s in standings {
        let each = |sum: u64| grouped((sum as f64 / s.runs.max(1) as f64).round() as u64);
        let ratio = s.hit_ratio.map_or("-".into(), |spread| {
            let half = spread.interval(CONFIDENCE.0).map(|(_, high)| high - spread.mean);
            let half = half.map_or(String::new(), |half| format!(" ± {:.3}", half * 100.0));
            format!("{:.3}{half} %", spread.mean * 100.0)
        });
        let closed = s.closed_share.map_or("-".into(), |c| format!("{:.1} %", c.mean * 100.0));
        let bias = s.start_bias.map_or("-".into(), |bias| format!("{:.3}", bias.distance));
        let found = format!("{}/{}", s.runs - s.failed_runs, s.runs);
        let first = s.seconds_to_first.map_or("-".into(), |five| in_time(five[2]));
        text += &format!(
            "{:<width$}  {:>12} {:>12} {ratio:>19} {closed:>7} {bias:>11} {found:>9} {first:>12}\n",
            s.name,
            each(s.attempts),
            each(s.distinct),
        );
    }
    text += "attempts, distinct tours and time to the first tour: per run (mean, mean, median)\n";
    text += &match raced.law.silence() {
        Some(reason) => format!("start bias is unknown: {reason}\n"),
        None => "start bias: total variation distance of the start squares from those of uniform tours\n".into(),
    };
    for sentence in verdicts(standings) {
        text += &format!("{sentence}\n");
    }
    text
}
