//! `hippo enumerate`: a stream of tours from one solver, repeats removed.

mod folder;
mod report;

pub use folder::describe_merged;
pub use report::{in_json, plan as plan_of};

use crate::OutputMode;
use crate::args::{BudgetArgs, ProblemArgs, WorkArgs, bytes, choose, one_of, whole, within};
use crate::fail::{DONE, Fail, IMPOSSIBLE, LIMIT};
use crate::interrupt::Signals;
use crate::output::Output;
use crate::progress;
use crate::tours::{Format, unless_failed};
use clap::parser::ValueSource;
use clap::{ArgMatches, Args, ValueEnum};
use hippodrome::lab::distinct::Bloom;
use hippodrome::lab::enumerate::{Dedup, Enumeration, Summary, TourFilter};
use hippodrome::numerals::{counted, in_bytes};
use hippodrome::problem::Problem;
use hippodrome::problem::theorems::{Existence, known};
use hippodrome::search::{Artifact, ArtifactKind, ArtifactRequest, Control, Info, Status, memory};
use hippodrome::solvers::registry::SOLVERS;
use hippodrome::tour::{Distinct, TourWriter, Verified};
use hippodrome::uniform::cache_folder;

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
    #[arg(long, help_heading = "Budget, whichever ends first", conflicts_with_all = ["attempts", "attempts_per_start", "tours", "moves"])]
    all: bool,
    /// Distinct tours
    #[arg(long, value_name = "N", help_heading = "Budget, whichever ends first", value_parser = whole, allow_negative_numbers = true)]
    tours: Option<u64>,
    #[command(flatten)]
    pub budget: BudgetArgs,
    #[command(flatten)]
    work: WorkArgs,
    /// What counts as a repeat
    #[arg(long, value_name = "WHAT", help_heading = "Repeats", value_parser = one_of(Distinct::CHOICES), default_value = "directed")]
    distinct: Distinct,
    /// How repeats are found
    #[arg(long, value_name = "HOW", help_heading = "Repeats", value_parser = one_of(Dedup::CHOICES), default_value = "exact")]
    dedup: Dedup,
    /// For --dedup bloom: number of bitmaps, a hash function each
    #[arg(long, value_name = "H", help_heading = "Repeats", default_value = "25", value_parser = |n: &str| within(n, 1, 1000), allow_negative_numbers = true)]
    bloom_hashes: u64,
    /// For --dedup bloom: bits of each bitmap [default: 12582912, which is 12 x 2^20]
    #[arg(long, value_name = "BITS", help_heading = "Repeats", value_parser = |n: &str| within(n, 1, 1 << 40), allow_negative_numbers = true)]
    bloom_bits: Option<u64>,
    /// For --dedup bloom: keep the exact set as well, and tell how many new tours were lost
    #[arg(long, help_heading = "Repeats")]
    bloom_error: bool,
    /// Memory for distinct tours, as in 512M or 2G [default: a quarter of what is available]
    #[arg(long, value_name = "BYTES", help_heading = "Repeats", value_parser = bytes)]
    memory: Option<usize>,
    /// Keep only such tours
    #[arg(long = "where", value_name = "KIND", help_heading = "Output", value_parser = one_of(TourFilter::CHOICES))]
    keep: Option<TourFilter>,
    /// Count by start square, too
    #[arg(long, value_name = "WHAT", help_heading = "Output", value_enum)]
    by: Option<By>,
    /// Write the production curve as CSV: tours, distinct, repeated and closed ones after so many attempts,
    /// and what the formula of Hingston & Kendall 2005 predicts for independent restarts
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    curve: Option<String>,
    /// Write the tours, too
    #[arg(long, help_heading = "Output")]
    print: bool,
    /// How tours are written
    #[arg(long, value_name = "FORMAT", value_parser = one_of(Format::CHOICES), help_heading = "Output", default_value = "moves", requires = "print")]
    format: Format,
    /// Write the pheromone of the first colony, for 'hippo draw --pheromone FILE'; not with --tours
    #[arg(long, value_name = "FILE", help_heading = "Output", conflicts_with = "tours")]
    pheromone: Option<String>,
    /// Keep the job in a folder: tours as Parquet, merged beyond memory, safe against interrupts
    #[arg(long, value_name = "DIR", help_heading = "Folder")]
    pub out: Option<String>,
    /// Go on with the job of a folder; a larger budget may be given
    #[arg(long, value_name = "DIR", help_heading = "Folder", conflicts_with_all = ["out", "dry_run"])]
    resume: Option<String>,
    /// Tell what would be done, and do nothing
    #[arg(long, help_heading = "Output")]
    pub dry_run: bool,
    /// The options that were given and not left at their defaults.
    #[arg(skip)]
    given: Vec<String>,
}

#[derive(Clone, Copy, ValueEnum)]
enum By {
    /// The first square
    Start,
}

impl Enumerate {
    /// Memory for distinct tours.
    pub(super) fn memory(&self) -> usize {
        self.memory.unwrap_or_else(memory::share)
    }

    /// Sizes of the paper's bitmaps.
    fn bloom(&self) -> Result<Bloom, Fail> {
        let bloom = Bloom {
            hashes: self.bloom_hashes as usize,
            bits: self.bloom_bits.unwrap_or(Bloom::default().bits),
            measure: self.bloom_error,
        };
        if self.dedup != Dedup::Bloom && bloom != Bloom::default() {
            return Err(Fail::usage(
                "bitmaps are for --dedup bloom; add it, or leave out --bloom-...",
            ));
        }
        let bytes = bloom.bits.div_ceil(8).saturating_mul(self.bloom_hashes);
        if self.dedup == Dedup::Bloom && bytes > self.memory() as u64 {
            return Err(Fail::usage(format!(
                "{} bitmaps of {} bits take {}, more than --memory allows; give fewer or smaller ones",
                bloom.hashes,
                bloom.bits,
                in_bytes(bytes.into())
            )));
        }
        Ok(bloom)
    }

    /// Remembers which options were given.
    pub fn note_given(&mut self, matches: &ArgMatches) {
        let ids = matches.ids().map(|id| id.as_str());
        let typed = |id: &&str| matches.value_source(id) == Some(ValueSource::CommandLine);
        self.given = ids.filter(typed).map(String::from).collect();
    }

    /// Refuses what a folder does not do, and says what to do in its place.
    pub fn suits_folder(&self, folder: &str) -> Result<(), Fail> {
        let (option, instead) = if self.tours.is_some() {
            (
                "--tours",
                "distinct tours are known only when all is merged; give --attempts or --moves",
            )
        } else if self.by.is_some() {
            ("--by", "each row of tours.parquet has its start; count rows by it, as README shows")
        } else if self.curve.is_some() {
            ("--curve", "the curve is in FOLDER/curve.csv when the job is done")
        } else if self.print {
            ("--print", "tours are written by 'hippo export FOLDER' when the job is done")
        } else if self.pheromone.is_some() {
            ("--pheromone", "run the first colony without a folder for it")
        } else if self.dedup != Dedup::Exact {
            ("--dedup", "a folder keeps each tour once and looks for repeats exactly")
        } else {
            return Ok(());
        };
        let instead = instead.replace("FOLDER", folder);
        Err(Fail::usage(format!("leave out {option} with a job folder: {instead}")))
    }

    /// If a theorem says that there is no such tour, and no proof by search is asked for: says so.
    pub fn impossible(&self, job: &Enumeration, mode: OutputMode) -> Result<Option<u8>, Fail> {
        let Existence::Impossible(finding) = known(&job.problem) else { return Ok(None) };
        if self.all {
            return Ok(None);
        }
        let mut out = Output::open(None, false)?;
        report::sum_up(job, Err(&finding), None, self.print, mode, &mut out)?;
        Ok(Some(IMPOSSIBLE))
    }

    /// Runs, prints tours if asked, and sums up.
    pub fn run(self, mode: OutputMode) -> Result<u8, Fail> {
        if let Some(folder) = self.out.as_deref().or(self.resume.as_deref()) {
            self.suits_folder(folder)?;
        }
        if let Some(folder) = &self.resume {
            return self.go_on(folder, mode);
        }
        let (job, default) = self.job()?;
        let format = if mode.json { Format::JSON } else { self.format };
        let Some(notation) = format.notation() else {
            return Err(Fail::usage(
                "pictures show one tour; use --format moves, digits, grid, json or tsplib",
            ));
        };
        format.check(job.problem.graph())?;
        if let Some(default) = default {
            mode.remark(&default);
        }
        if self.dry_run {
            return report::plan(&job, self.out.is_some(), mode);
        }
        if let Some(folder) = &self.out {
            return match self.impossible(&job, mode)? {
                Some(code) => Ok(code),
                None => folder::begin(folder, job, mode),
            };
        }
        if self.curve.is_some() && self.curve == self.pheromone {
            return Err(Fail::usage("--curve and --pheromone need files of their own"));
        }
        let curve = Output::beside(self.curve.as_deref(), "--curve")?;
        let pheromone = Output::beside(self.pheromone.as_deref(), "--pheromone")?;
        if let Some(code) = self.impossible(&job, mode)? {
            return Ok(code);
        }
        let mut out = Output::open(None, false)?;
        let mut control = Control::default();
        control.artifact =
            self.pheromone.is_some().then(|| ArtifactRequest::new(ArtifactKind::MoveWeights));
        let signals = Signals::set(&control.interrupt);
        let attempts = progress::attempts(&job.budget, &job.problem);
        let mut failed = None;
        let mut summary = {
            let mut writer = TourWriter::new(notation, &mut out);
            let mut take = |tour: Verified<'_>| unless_failed(writer.write(&tour), &mut failed);
            progress::during(mode, attempts, &control, None, || {
                job.run(&control, if self.print { Some(&mut take) } else { None })
            })?
        };
        if let Some(error) = failed {
            return Err(error.into());
        }
        if let Some(curve) = &mut summary.curve {
            curve.known = job.count_all(&control);
        }
        report::sum_up(&job, Ok(&summary), None, self.print, mode, &mut out)?;
        write_beside(&job, &summary, (curve, pheromone), control, mode)?;
        Ok(code(&summary, &signals))
    }

    /// The job, and what to say of its budget if none was given.
    pub fn job(&self) -> Result<(Enumeration, Option<String>), Fail> {
        let (problem, choice) = (self.problem.problem()?, choose(&self.solver, &self.param)?);
        if self.all || !matches!(known(&problem), Existence::Impossible(_)) {
            memory::check(problem.graph(), &[choice.solver.info()], self.work.threads(), false)?;
        }
        let step = curve_step(&problem);
        let mut job = Enumeration {
            seed: self.work.seed,
            threads: self.work.threads(),
            budget: self.budget.budget(self.tours),
            distinct: self.distinct,
            dedup: self.dedup,
            bloom: self.bloom()?,
            keep: self.keep,
            all: self.all,
            by_start: self.by.is_some(),
            memory: self.memory(),
            curve: self.curve.is_some().then_some(step),
            tables: cache_folder(),
            ..Enumeration::new(problem, choice)
        };
        let promise = job.promise()?;
        if self.pheromone.is_some() && job.problem.graph().board().is_none() {
            return Err(Fail::usage("pheromone is kept of boards only; leave out --pheromone"));
        }
        let lays = |info: &Info| info.artifacts.contains(&ArtifactKind::MoveWeights);
        if self.pheromone.is_some() && !lays(job.choice.solver.info()) {
            let infos = SOLVERS.iter().map(|solver| solver.info());
            let laying = infos.filter(|info| lays(info)).map(|info| info.name);
            return Err(Fail::usage(format!(
                "solver {} keeps no pheromone to be written; use one of {}",
                job.choice.name(),
                laying.collect::<Vec<_>>().join(", ")
            )));
        }
        let mut default = None;
        if job.budget.is_unlimited() && !self.all {
            let bound = job.bound()?;
            job.budget.attempts = bound.or(Some(Enumeration::DEFAULT_ATTEMPTS));
            default = Some(match (bound, job.choice.name()) {
                (Some(n), name) => format!(
                    "no budget given, so {name} ends by itself after {}",
                    counted(n, "attempt")
                ),
                _ if promise.exhausts => {
                    "no budget given, so --attempts 1M; --all asks for every tour".into()
                }
                _ => "no budget given, so --attempts 1M".into(),
            });
        }
        Ok((job, default))
    }
}

/// The exit code of an enumeration that came to an end.
fn code(summary: &Summary, signals: &Signals) -> u8 {
    match (summary.status, summary.total.distinct) {
        (Status::Interrupted, _) => signals.code(),
        (_, 1..) => DONE,
        (Status::Complete, 0) => IMPOSSIBLE,
        (_, 0) => LIMIT,
    }
}

/// Attempts between two points of a curve at first: an ant from every square, where they are few.
fn curve_step(problem: &Problem) -> u64 {
    Some(problem.start_count() as u64).filter(|&starts| starts <= 1024).unwrap_or(1)
}

/// Writes the files beside the tours that were asked for: the production curve and what a colony has laid.
fn write_beside(
    job: &Enumeration,
    summary: &Summary,
    (curve, pheromone): (Option<Output>, Option<Output>),
    control: Control,
    mode: OutputMode,
) -> Result<(), Fail> {
    if let (Some(mut file), Some(curve)) = (curve, &summary.curve) {
        curve.write_csv(&mut file)?;
        file.finish()?;
        if curve.known.is_none() {
            mode.remark("the number of tours is not known here, so what is predicted is attempts times rate");
        }
    }
    let left = control.artifact.and_then(ArtifactRequest::into_artifact);
    let laid = left.and_then(Artifact::into_move_weights);
    if let (Some(file), Some(laid)) = (pheromone, laid) {
        // A colony that is cut off by what others find depends on threads.
        match summary.full {
            true => mode.remark(
                "memory was full before the colony was done, so its pheromone is not written",
            ),
            false => report::write_pheromone(job, laid, file)?,
        }
    }
    Ok(())
}
