//! `hippo enumerate`: a stream of tours from one solver, repeats removed.

use crate::args::{BudgetArgs, ProblemArgs, WorkArgs, bytes, choose, whole};
use crate::cmd::find::name_board;
use crate::fail::{DONE, Fail, IMPOSSIBLE, LIMIT};
use crate::interrupt::Signals;
use crate::numbers::{counted, grouped};
use crate::output::Output;
use crate::progress;
use crate::tours::Format;
use crate::{Manner, memory};
use clap::{Args, ValueEnum};
use hippodrome::driver::Status;
use hippodrome::enumerate::{Dedup, Enumeration, Keep, Summary, Tally};
use hippodrome::run::Control;
use hippodrome::theorems::{Finding, Verdict, known};
use hippodrome::tour::{self, TourWriter, Verified};
use serde_json::{Map, Value, json};
use std::io::Write;
use std::ops::ControlFlow;

/// Attempts where no budget is given.
const DEFAULT_ATTEMPTS: u64 = 1_000_000;

/// Enumerate tours with one solver, repeats removed
#[derive(Args)]
#[command(after_help = "Example:\n  hippo enumerate 5x5 --solver backtrack --all --by start")]
pub struct Enumerate {
    #[command(flatten)]
    problem: ProblemArgs,
    /// The solver, as name or name:param=value
    #[arg(long, value_name = "NAME", help_heading = "Search", default_value = "exact")]
    solver: String,
    /// A parameter of the solver; see 'hippo solvers NAME'
    #[arg(long, value_name = "NAME=VALUE", help_heading = "Search")]
    param: Vec<String>,
    /// Every tour the solver can find, without a budget
    #[arg(long, help_heading = "Budget, whichever ends first", conflicts_with_all = ["attempts", "attempts_per_start", "tours", "moves", "time"])]
    all: bool,
    /// Distinct tours
    #[arg(long, value_name = "N", help_heading = "Budget, whichever ends first", value_parser = whole, allow_negative_numbers = true)]
    tours: Option<u64>,
    #[command(flatten)]
    budget: BudgetArgs,
    #[command(flatten)]
    work: WorkArgs,
    /// What counts as a repeat
    #[arg(
        long,
        value_name = "WHAT",
        help_heading = "Repeats",
        value_enum,
        default_value = "directed"
    )]
    distinct: Distinct,
    /// How repeats are found
    #[arg(long, value_name = "HOW", help_heading = "Repeats", value_enum, default_value = "exact")]
    dedup: Deduplication,
    /// Memory for the set of distinct tours, as in 512M or 2G
    #[arg(long, value_name = "BYTES", help_heading = "Repeats", value_parser = bytes, default_value = "2G")]
    memory: usize,
    /// Keep only such tours
    #[arg(long = "where", value_name = "KIND", help_heading = "Output", value_enum)]
    keep: Option<Where>,
    /// Count by start square, too
    #[arg(long, value_name = "WHAT", help_heading = "Output", value_enum)]
    by: Option<By>,
    /// Write the tours, too
    #[arg(long, help_heading = "Output")]
    print: bool,
    /// How tours are written
    #[arg(long, value_enum, help_heading = "Output", default_value = "moves", requires = "print")]
    format: Format,
    /// Tell what would be done, and do nothing
    #[arg(long, help_heading = "Output")]
    dry_run: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum Distinct {
    /// The same squares in the same order
    Directed,
    /// The same line, walked either way
    Undirected,
    /// As undirected; closed tours also wherever they begin
    Cycle,
    /// As undirected (with --closed as cycle), up to the board's symmetries
    Symmetry,
}

#[derive(Clone, Copy, ValueEnum)]
enum Deduplication {
    /// An exact set in memory
    Exact,
    /// Not at all: every tour found counts
    None,
}

#[derive(Clone, Copy, ValueEnum)]
enum Where {
    /// Closed tours
    Closed,
    /// Equal sums in all rows, and in all columns
    SemiMagic,
    /// Equal sums in rows, columns and diagonals
    Magic,
    /// Tours with a symmetry
    Symmetric,
}

#[derive(Clone, Copy, ValueEnum)]
enum By {
    /// The first square
    Start,
}

impl Enumerate {
    /// Runs, prints tours if asked, and sums up.
    pub fn run(self, manner: Manner) -> Result<u8, Fail> {
        let job = self.job()?;
        let format = if manner.json { Format::Json } else { self.format };
        let Some(notation) = format.notation() else {
            return Err(Fail::usage(
                "pictures show one tour; use --format moves, digits, grid, json or tsplib",
            ));
        };
        format.check(job.problem.graph())?;
        if self.budget.budget(self.tours).is_unlimited() && !self.all {
            manner.remark("no budget given, so --attempts 1M; --all asks for every tour");
        }
        if self.dry_run {
            return self.plan(&job, manner);
        }
        let mut out = Output::open(None, false)?;
        if let Verdict::Impossible(finding) = known(&job.problem)
            && !self.all
        {
            return self.sum_up(&job, Err(&finding), manner, &mut out).map(|()| IMPOSSIBLE);
        }
        let control = Control::default();
        let signals = Signals::set(&control.interrupt);
        let starts = job.problem.start_count() as u64;
        let mut failed = None;
        let summary = {
            let mut writer = TourWriter::new(notation, &mut out);
            let mut take = |tour: Verified<'_>| match writer.write(&tour) {
                Ok(()) => ControlFlow::Continue(()),
                Err(error) => {
                    failed = Some(error);
                    ControlFlow::Break(())
                }
            };
            progress::during(manner, &job.budget, starts, &control, || {
                job.run(&control, if self.print { Some(&mut take) } else { None })
            })?
        };
        if let Some(error) = failed {
            return Err(error.into());
        }
        self.sum_up(&job, Ok(&summary), manner, &mut out)?;
        Ok(match (summary.status, summary.total.tours) {
            (Status::Interrupted, _) => signals.code(),
            (_, 1..) => DONE,
            (Status::Complete, 0) => IMPOSSIBLE,
            (_, 0) => LIMIT,
        })
    }

    fn job(&self) -> Result<Enumeration, Fail> {
        let mut budget = self.budget.budget(self.tours);
        if budget.is_unlimited() && !self.all {
            budget.attempts = Some(DEFAULT_ATTEMPTS);
        }
        let (problem, choice) = (self.problem.problem()?, choose(&self.solver, &self.param)?);
        if !matches!(known(&problem), Verdict::Impossible(_)) {
            memory::check(problem.graph(), self.work.threads())?;
        }
        let job = Enumeration {
            seed: self.work.seed,
            threads: self.work.threads(),
            budget,
            distinct: match self.distinct {
                Distinct::Directed => tour::Distinct::Directed,
                Distinct::Undirected => tour::Distinct::Undirected,
                Distinct::Cycle => tour::Distinct::Cycle,
                Distinct::Symmetry => tour::Distinct::Symmetry,
            },
            dedup: match self.dedup {
                Deduplication::Exact => Dedup::Exact,
                Deduplication::None => Dedup::None,
            },
            keep: self.keep.map(|keep| match keep {
                Where::Closed => Keep::Closed,
                Where::SemiMagic => Keep::SemiMagic,
                Where::Magic => Keep::Magic,
                Where::Symmetric => Keep::Symmetric,
            }),
            all: self.all,
            by_start: self.by.is_some(),
            memory: self.memory,
            ..Enumeration::new(problem, choice)
        };
        job.promise()?;
        Ok(job)
    }

    /// `--dry-run`.
    fn plan(&self, job: &Enumeration, manner: Manner) -> Result<u8, Fail> {
        let promise = job.promise()?;
        let set = promise.repeats || !matches!(self.distinct, Distinct::Directed);
        let memory =
            if set && matches!(self.dedup, Deduplication::Exact) { self.memory } else { 0 };
        let mut out = Output::open(None, false)?;
        if manner.json {
            let mut object = json!({
                "schema": 1, "solver": job.choice.name(), "seed": job.seed, "threads": job.threads,
                "starts": job.problem.start_count(), "attempts": job.budget.attempts,
                "memory": memory, "disk": 0, "ends_by_itself": promise.exhausts,
            });
            name_board(&mut object, &job.problem);
            writeln!(out, "{object}")?;
        } else {
            let (board, starts) = (job.problem.graph(), job.problem.start_count());
            writeln!(
                out,
                "would run {} on {board} from {}",
                job.choice.name(),
                counted(starts as u64, "start square"),
            )?;
            match job.budget.attempts {
                Some(attempts) => writeln!(out, "  for {} in all", counted(attempts, "attempt"))?,
                None => writeln!(out, "  to its end or the budget given")?,
            }
            let memory = hippodrome::board::in_bytes(memory as u128);
            writeln!(
                out,
                "  on {}, with at most {memory} for distinct tours and no disk",
                counted(job.threads as u64, "thread")
            )?;
        }
        out.finish()?;
        Ok(DONE)
    }

    fn sum_up(
        &self,
        job: &Enumeration,
        result: Result<&Summary, &Finding>,
        manner: Manner,
        out: &mut Output,
    ) -> Result<(), Fail> {
        let (total, seconds) = result.map_or((Tally::default(), 0.0), |s| (s.total, s.seconds));
        let status = match result {
            Err(_) => "impossible",
            Ok(s) if s.status == Status::Complete && s.total.tours == 0 => "impossible",
            Ok(s) => match s.status {
                Status::Complete => "complete",
                Status::Exhausted => "exhausted",
                Status::Limit => "limit",
                Status::Interrupted => "interrupted",
            },
        };
        let reason = match result {
            Err(finding) => Some(format!("{} ({})", finding.reason, finding.theorem)),
            Ok(s) if s.full => {
                Some("memory for distinct tours is full; give more with --memory".into())
            }
            Ok(_) if status == "impossible" => Some(format!(
                "solver {} has searched everything and there is no such tour",
                job.choice.name()
            )),
            Ok(_) => None,
        };
        if manner.json {
            let params: Map<String, Value> = job
                .choice
                .values
                .iter()
                .map(|(name, value)| (name.into(), value.to_string().into()))
                .collect();
            let mut object = json!({
                "schema": 1, "status": status, "solver": job.choice.name(), "params": params,
                "seed": job.seed, "attempts": total.attempts, "tours": total.tours,
                "distinct": total.distinct, "closed": total.closed, "moves": total.moves,
                "seconds": seconds, "out": null, "reason": reason,
            });
            name_board(&mut object, &job.problem);
            if let (Ok(summary), true) = (result, job.by_start) {
                object["by_start"] = by_start(job, summary);
            }
            writeln!(out, "{object}")?;
            return Ok(out.flush()?);
        }
        out.flush()?;
        // With --print the tours are the data and the summary is a remark.
        let text = in_words(job, result.ok(), status, &total, seconds, reason);
        if self.print {
            manner.remark(text.trim_end());
        } else {
            write!(out, "{text}")?;
        }
        Ok(out.flush()?)
    }
}

fn by_start(job: &Enumeration, summary: &Summary) -> Value {
    let graph = job.problem.graph();
    let entry = |(&start, tally): (&u32, &Tally)| {
        let Tally { attempts, tours, distinct, closed, .. } = *tally;
        let counts =
            json!({ "attempts": attempts, "tours": tours, "distinct": distinct, "closed": closed });
        (graph.name(start), counts)
    };
    Value::Object(summary.by_start.iter().map(entry).collect())
}

fn in_words(
    job: &Enumeration,
    summary: Option<&Summary>,
    status: &str,
    total: &Tally,
    seconds: f64,
    reason: Option<String>,
) -> String {
    let graph = job.problem.graph();
    let mut text = format!(
        "{graph}, {}: {}, {} of them closed ({status})\n{} found in {} and {}, {seconds:.2} s\n",
        job.choice.name(),
        counted(total.distinct, "distinct tour"),
        grouped(total.closed),
        counted(total.tours, "tour"),
        counted(total.attempts, "attempt"),
        counted(total.moves, "move"),
    );
    if let Some(reason) = reason {
        text += &format!("{reason}\n");
    }
    for (&start, tally) in summary.iter().flat_map(|s| &s.by_start) {
        let name = graph.name(start);
        text += &format!(
            "{name:>5}  {}, {}, {} distinct, {} closed\n",
            counted(tally.attempts, "attempt"),
            counted(tally.tours, "tour"),
            grouped(tally.distinct),
            grouped(tally.closed),
        );
    }
    text
}
