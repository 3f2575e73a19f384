//! `hippo enumerate` lists the tours that one solver finds, without duplicates.

mod folder;
mod report;

pub use folder::describe_merged;
pub use report::{in_json, plan as plan_of};

use crate::OutputMode;
use crate::args::{
    BUDGET, BudgetArgs, ProblemArgs, WorkArgs, bytes, choose, one_of, whole, within,
};
use crate::explain::ExplainArgs;
use crate::fail::{DONE, Fail, IMPOSSIBLE, LIMIT};
use crate::interrupt::Signals;
use crate::output::Output;
use crate::progress;
use crate::tours::{Format, unless_failed};
use clap::parser::ValueSource;
use clap::{ArgMatches, Args, ValueEnum};
use hippodrome::lab::distinct::Bloom;
use hippodrome::lab::enumerate::{Dedup, Enumeration, Summary, Taker, TourFilter};
use hippodrome::numerals::{counted, in_bytes};
use hippodrome::problem::Problem;
use hippodrome::problem::theorems::{Existence, known};
use hippodrome::search::{Artifact, ArtifactKind, ArtifactRequest, Control, Info, Status, memory};
use hippodrome::solvers::registry::SOLVERS;
use hippodrome::tour::{Distinct, TourWriter, Verified};
use hippodrome::uniform::cache_folder;

/// Enumerate tours with one solver, without duplicates
#[derive(Args)]
#[command(after_help = "Example:\n  hippo enumerate 5x5 --solver backtrack --all --by start")]
pub struct Enumerate {
    #[command(flatten)]
    problem: ProblemArgs,
    /// Solver, as name or name:param=value
    #[arg(long, value_name = "NAME", help_heading = "Search", default_value = "exact")]
    solver: String,
    /// Parameter of the solver; see 'hippo solvers NAME'
    #[arg(long, value_name = "NAME=VALUE", help_heading = "Search")]
    param: Vec<String>,
    /// Every tour the solver can find
    #[arg(long, help_heading = BUDGET, conflicts_with_all = ["attempts", "attempts_per_start", "tours", "moves"])]
    all: bool,
    /// Distinct tours, as in 1000
    #[arg(long, value_name = "N", help_heading = BUDGET, value_parser = whole, allow_negative_numbers = true)]
    tours: Option<u64>,
    #[command(flatten)]
    pub budget: BudgetArgs,
    /// Also print the tours
    #[arg(long, help_heading = "Output")]
    print: bool,
    /// grid|moves|digits|json|tsplib|csv|coords|numbers|latex
    #[arg(long, value_name = "FORMAT", value_parser = one_of(Format::CHOICES), hide_possible_values = true, help_heading = "Output", default_value = "moves", requires = "print")]
    format: Format,
    /// Only closed, semi-magic, magic or symmetric tours
    #[arg(long = "where", value_name = "KIND", help_heading = "Output", value_parser = one_of(TourFilter::CHOICES), hide_possible_values = true)]
    keep: Option<TourFilter>,
    /// Also count by start, the first square
    #[arg(
        long,
        value_name = "WHAT",
        help_heading = "Output",
        value_enum,
        hide_possible_values = true
    )]
    by: Option<By>,
    /// Write the production curve as CSV: tours by attempts, and their prediction
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    curve: Option<String>,
    /// Write the pheromone of the first colony, for 'hippo draw --pheromone'
    #[arg(long, value_name = "FILE", help_heading = "Output", conflicts_with = "tours")]
    pheromone: Option<String>,
    /// Compare as directed, undirected, cycle, symmetry
    #[arg(long, value_name = "WHAT", help_heading = "Duplicates", value_parser = one_of(Distinct::CHOICES), hide_possible_values = true, default_value = "directed")]
    distinct: Distinct,
    /// Detection: exact, bloom or none
    #[arg(long, value_name = "HOW", help_heading = "Duplicates", value_parser = one_of(Dedup::CHOICES), hide_possible_values = true, default_value = "exact")]
    dedup: Dedup,
    /// With --dedup bloom: bitmaps, each with its hash function
    #[arg(long, value_name = "H", help_heading = "Duplicates", default_value = "25", value_parser = |n: &str| within(n, 1, 1000), allow_negative_numbers = true)]
    bloom_hashes: u64,
    /// With --dedup bloom: bits per bitmap [default: 12 x 2^20]
    #[arg(long, value_name = "BITS", help_heading = "Duplicates", value_parser = |n: &str| within(n, 1, 1 << 40), allow_negative_numbers = true)]
    bloom_bits: Option<u64>,
    /// With --dedup bloom: also keep the exact set, to count the tours lost
    #[arg(long, help_heading = "Duplicates")]
    bloom_error: bool,
    /// Memory for distinct tours, as in 2G [default: a quarter of free memory]
    #[arg(long, value_name = "BYTES", help_heading = "Duplicates", value_parser = bytes)]
    memory: Option<usize>,
    /// Job folder: tours as Parquet, larger than memory, safe against interrupts
    #[arg(long, value_name = "DIR", help_heading = "Folder")]
    pub out: Option<String>,
    /// Resume the job of a folder, also with a larger budget
    #[arg(long, value_name = "DIR", help_heading = "Folder", conflicts_with_all = ["out", "dry_run"])]
    resume: Option<String>,
    /// Print the plan and exit
    #[arg(long, help_heading = "Output")]
    pub dry_run: bool,
    #[command(flatten)]
    explain: ExplainArgs,
    #[command(flatten)]
    work: WorkArgs,
    /// The names of the options given on the command line.
    #[arg(skip)]
    given: Vec<String>,
}

#[derive(Clone, Copy, ValueEnum)]
enum By {
    /// The first square
    Start,
}

impl Enumerate {
    /// Returns the memory limit for the set of distinct tours.
    pub(super) fn memory(&self) -> usize {
        self.memory.unwrap_or_else(memory::share)
    }

    /// Returns the number and size of the bitmaps, as in the paper.
    fn bloom(&self) -> Result<Bloom, Fail> {
        let bloom = Bloom {
            hashes: self.bloom_hashes as usize,
            bits: self.bloom_bits.unwrap_or(Bloom::default().bits),
            measure: self.bloom_error,
        };
        if self.dedup != Dedup::Bloom && bloom != Bloom::default() {
            return Err(Fail::usage(
                "--bloom-hashes, --bloom-bits and --bloom-error need --dedup bloom; add it, or leave them out",
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

    /// Records which options were given.
    pub fn note_given(&mut self, matches: &ArgMatches) {
        let ids = matches.ids().map(|id| id.as_str());
        let typed = |id: &&str| matches.value_source(id) == Some(ValueSource::CommandLine);
        self.given = ids.filter(typed).map(String::from).collect();
    }

    /// Rejects options that a job folder does not support. The error says what to do instead.
    pub fn suits_folder(&self, folder: &str) -> Result<(), Fail> {
        let (option, instead) = if self.tours.is_some() {
            ("--tours", "distinct tours are known only after the merge; give --attempts or --moves")
        } else if self.by.is_some() {
            ("--by", "the rows of tours.parquet have a column for the start square")
        } else if self.curve.is_some() {
            ("--curve", "the finished job has the curve in FOLDER/curve.csv")
        } else if self.print {
            ("--print", "'hippo export FOLDER' prints the tours of the finished job")
        } else if self.pheromone.is_some() {
            ("--pheromone", "run the first colony without a folder")
        } else if self.explain.explain {
            ("--explain", "units run on all threads; explain a search without a folder")
        } else if self.dedup != Dedup::Exact {
            ("--dedup", "a job folder always removes duplicates exactly")
        } else {
            return Ok(());
        };
        let instead = instead.replace("FOLDER", folder);
        Err(Fail::usage(format!("{option} does not work with a job folder: {instead}")))
    }

    /// Reports that no such tour exists if a theorem says so, unless `--all` requests a search.
    pub fn impossible(&self, job: &Enumeration, mode: OutputMode) -> Result<Option<u8>, Fail> {
        let Existence::Impossible(finding) = known(&job.problem) else { return Ok(None) };
        if self.all {
            return Ok(None);
        }
        let mut out = Output::open(None, false)?;
        report::sum_up(job, Err(&finding), None, self.print, mode, &mut out)?;
        Ok(Some(IMPOSSIBLE))
    }

    /// Runs the enumeration, prints the tours if requested, and prints the summary.
    pub fn run(self, mode: OutputMode) -> Result<u8, Fail> {
        if let Some(folder) = self.out.as_deref().or(self.resume.as_deref()) {
            self.suits_folder(folder)?;
        }
        if let Some(folder) = &self.resume {
            return self.resume_job(folder, mode);
        }
        let (job, default) = self.job()?;
        let format = if mode.json { Format::JSON } else { self.format };
        let notation = format.of_many()?;
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
            return Err(Fail::usage("--curve and --pheromone need different files"));
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
            let take: Option<Taker<'_>> = if self.print { Some(&mut take) } else { None };
            match self.explain.explain {
                true => self.explain.narrated(job.problem.graph(), mode, |narrator| {
                    job.explain(&control, narrator, take)
                })?,
                false => {
                    progress::during(mode, attempts, &control, None, || job.run(&control, take))?
                }
            }
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

    /// Returns the job, and a remark about the default budget if no budget is given.
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
            return Err(Fail::usage("pheromone files are for boards only; leave out --pheromone"));
        }
        let lays = |info: &Info| info.artifacts.contains(&ArtifactKind::MoveWeights);
        if self.pheromone.is_some() && !lays(job.choice.solver.info()) {
            let infos = SOLVERS.iter().map(|solver| solver.info());
            let laying = infos.filter(|info| lays(info)).map(|info| info.name);
            return Err(Fail::usage(format!(
                "solver {} has no pheromone; use one of {}",
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
                    "no budget given, so {name} runs to its own limit of {}",
                    counted(n, "attempt")
                ),
                _ if promise.exhausts => {
                    "no budget given; using --attempts 1M; --all finds every tour".into()
                }
                _ => "no budget given; using --attempts 1M".into(),
            });
        }
        Ok((job, default))
    }
}

/// Returns the exit code of a finished enumeration.
fn code(summary: &Summary, signals: &Signals) -> u8 {
    match (summary.status, summary.total.distinct) {
        (Status::Interrupted, _) => signals.code(),
        (_, 1..) => DONE,
        (Status::Complete, 0) => IMPOSSIBLE,
        (_, 0) => LIMIT,
    }
}

/// Returns the number of attempts between the first points of a curve: the number of start squares, or 1 if
/// there are more than 1024 of them.
fn curve_step(problem: &Problem) -> u64 {
    Some(problem.start_count() as u64).filter(|&starts| starts <= 1024).unwrap_or(1)
}

/// Writes the additional files that were requested: the production curve and the pheromone.
fn write_beside(
    job: &Enumeration,
    summary: &Summary,
    (curve, pheromone): (Option<Output>, Option<Output>),
    control: Control,
    mode: OutputMode,
) -> Result<(), Fail> {
    if let (Some(mut file), Some(curve)) = (curve, &summary.curve) {
        curve.write_csv(&mut file)?;
        file.finish(mode)?;
        if curve.known.is_none() {
            mode.remark("the number of tours is unknown, so the prediction is attempts times rate");
        }
    }
    let left = control.artifact.and_then(ArtifactRequest::into_artifact);
    let laid = left.and_then(Artifact::into_move_weights);
    if let (Some(file), Some(laid)) = (pheromone, laid) {
        // When memory runs out, the state of the colony depends on the number of threads.
        match summary.full {
            true => mode.remark(
                "memory was full before the colony finished, so its pheromone is not written",
            ),
            false => report::write_pheromone(job, laid, file, mode)?,
        }
    }
    Ok(())
}
