//! `hippo sample` draws tours uniformly at random.

mod compare;

use crate::OutputMode;
use crate::args::{ProblemArgs, WorkArgs, bytes, one_of, whole, within};
use crate::fail::{DONE, Fail, LIMIT, complain};
use crate::interrupt::Signals;
use crate::output::{Output, impossible, with_board};
use crate::pictures::{StyleArgs, mind_numbers, report_sheet};
use crate::progress;
use crate::tours::{Format, unless_failed, write_one};
use clap::Args;
use hippodrome::count::CountMonitor;
use hippodrome::draw::{Sheet, SheetWriter};
use hippodrome::numerals::{counted, in_bytes};
use hippodrome::problem::Problem;
use hippodrome::problem::theorems::{Existence, known};
use hippodrome::search::{Control, Resources, RunReport, Status};
use hippodrome::tour::{TourWriter, Verified};
use hippodrome::uniform::{Sampler, TableError, TourStream, cache_folder};
use serde_json::json;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Instant;

/// Draw tours at random, all exactly equally likely
#[derive(Args)]
#[command(
    after_help = "The board has at most 8 rows or 8 columns. The sample can contain a tour twice. Pictures of several\ntours are sheets, as in -n 12 -o sheet.pdf.\n\nExample:\n  hippo sample 6x6 --closed -n 1000 --format moves"
)]
pub struct Sample {
    #[command(flatten)]
    problem: ProblemArgs,
    /// Tours to draw [default: 1; with --compare: 20k of the solver]
    #[arg(short = 'n', long = "tours", value_name = "N", value_parser = whole, allow_negative_numbers = true, help_heading = "Sample")]
    tours: Option<u64>,
    /// Memory for the table of counts, as in 512M or 2G
    #[arg(long, value_name = "BYTES", value_parser = bytes, default_value = "6G", help_heading = "Sample")]
    memory: usize,
    /// Do not use the cache folder for the table
    #[arg(long, help_heading = "Sample")]
    no_cache: bool,
    /// Print the plan and exit
    #[arg(long, help_heading = "Sample", conflicts_with_all = ["compare", "output", "format"])]
    dry_run: bool,
    /// File to write instead of standard output; its extension sets the format
    #[arg(long, short, value_name = "FILE", help_heading = "Output")]
    output: Option<String>,
    /// grid, moves, digits, json, tsplib, svg, png, pdf [default: grid or moves]
    #[arg(long, value_name = "FORMAT", value_parser = one_of(Format::CHOICES), hide_possible_values = true, help_heading = "Output")]
    format: Option<Format>,
    /// Compare the tours of a solver with uniform ones
    #[arg(long, value_name = "SOLVER", help_heading = "Bias", conflicts_with = "format")]
    compare: Option<String>,
    /// Runs of the solver with different seeds, for the errors
    #[arg(long, value_name = "N", default_value = "8", value_parser = |n: &str| within(n, 1, 10_000), allow_negative_numbers = true, help_heading = "Bias", requires = "compare")]
    runs: u64,
    /// Total attempts of the solver [default: enough for -n, at most 64M]
    #[arg(long, value_name = "N", value_parser = whole, allow_negative_numbers = true, help_heading = "Bias", requires = "compare", conflicts_with = "tours")]
    attempts: Option<u64>,
    /// Draw the bias of start squares and moves as .svg or .png
    #[arg(long, value_name = "FILE", help_heading = "Bias", requires = "compare")]
    heat: Option<String>,
    #[command(flatten)]
    style: StyleArgs,
    #[command(flatten)]
    work: WorkArgs,
}

impl Sample {
    /// Builds the table, then draws tours and writes them.
    pub fn run(self, mode: OutputMode) -> Result<u8, Fail> {
        let problem = self.problem.problem()?;
        let format = self.format(&problem, mode)?;
        if let Some(heat) = &self.heat {
            compare::check_heat(heat, problem.graph())?;
        }
        let out = Output::open(self.output.as_deref(), format.is_binary())?;
        if let Existence::Impossible(finding) = known(&problem) {
            return no_tour(&problem, &finding.to_string(), mode, out);
        }
        let (control, signals) = Signals::control();
        let folder = if self.no_cache { None } else { cache_folder() };
        let work = (self.work.threads(), self.memory);
        if self.dry_run {
            return self.plan(&problem, work, folder.as_deref(), (&control, &signals), mode);
        }
        let sampler = match table(&problem, work, folder.as_deref(), &control, mode) {
            Ok(sampler) => Arc::new(sampler),
            Err(TableError::Stopped) => {
                let text = "interrupted while building the table";
                return Err(Fail::interrupted(signals.code(), text));
            }
            Err(error) => return Err(self.refused(&error)),
        };
        if sampler.covers() == 0 {
            let reason = "neither cycles nor a path with cycles cover all squares (complete table)";
            return no_tour(&problem, reason, mode, out);
        }
        if let Some(solver) = &self.compare {
            return self.compare(solver, &sampler, (&control, &signals), mode, out);
        }
        self.draw(&sampler, format, (&control, &signals), mode, out)
    }

    /// Draws tours and writes them.
    fn draw(
        &self,
        sampler: &Arc<Sampler>,
        format: Format,
        (control, signals): (&Control, &Signals),
        mode: OutputMode,
        mut out: Output,
    ) -> Result<u8, Fail> {
        let wanted = self.tours.unwrap_or(1);
        let stream =
            TourStream { tours: wanted, seed: self.work.seed, threads: self.work.threads() };
        let mut failed = None;
        let mut written = 0;
        let begun = Instant::now();
        let report = {
            let style = self.style.style();
            let mut picture = Vec::new();
            let mut writer = match (format.notation(), format.of_sheet()) {
                (Some(notation), _) => Drawn::Text(TourWriter::new(notation, &mut out)),
                (None, Some(sheet)) if wanted > 1 => {
                    let writer = SheetWriter::new(Sheet::new(style.clone()), sheet, &mut out)?;
                    Drawn::Sheet(Box::new(writer))
                }
                _ => Drawn::Picture(&mut picture),
            };
            let mut take = |tour: Verified<'_>| {
                let result = match &mut writer {
                    Drawn::Text(writer) => writer.write(&tour).map_err(Fail::from),
                    Drawn::Sheet(writer) => writer.add(&tour, written + 1).map_err(Fail::from),
                    Drawn::Picture(picture) => {
                        mind_numbers(mode, &tour, format, &style);
                        write_one(&tour, format, &style, *picture)
                    }
                };
                written += u64::from(result.is_ok());
                unless_failed(result, &mut failed)
            };
            let report = progress::during(mode, None, control, None, || {
                stream.run(sampler, control, &mut take)
            });
            match writer {
                Drawn::Sheet(writer) if failed.is_none() && written > 0 => {
                    report_sheet(mode, writer.finish()?);
                }
                _ => {}
            }
            out.write_all(&picture)?;
            report?
        };
        if let Some(error) = failed {
            return Err(error);
        }
        out.finish(mode)?;
        mode.remark(&summary(&report, written, begun.elapsed().as_secs_f64()));
        if report.status == Status::Interrupted && control.interrupt.load(Relaxed) {
            complain(&format!("interrupted after {}", counted(written, "tour")));
            return Ok(signals.code());
        }
        if written < wanted {
            complain(&format!(
                "only {} of {} found in {}; try another board or 'hippo find'",
                counted(written, "tour"),
                wanted,
                counted(report.stats.attempts, "cover")
            ));
            return Ok(LIMIT);
        }
        Ok(DONE)
    }

    /// Runs `--dry-run`: does the first third of the work, and estimates from it the size and time of the
    /// table.
    fn plan(
        &self,
        problem: &Problem,
        (threads, memory): (usize, usize),
        folder: Option<&Path>,
        (control, signals): (&Control, &Signals),
        mode: OutputMode,
    ) -> Result<u8, Fail> {
        let stop = || control.interrupt.load(Relaxed);
        let resources = Resources { threads, memory, stop: &stop, cache: folder, progress: None };
        let begun = Instant::now();
        let forecast = match Sampler::forecast(problem, &resources) {
            Ok(forecast) => forecast,
            Err(TableError::Stopped) => return Ok(signals.code()),
            Err(error) => return Err(self.refused(&error)),
        };
        let seconds = 3.0 * begun.elapsed().as_secs_f64();
        let kept = forecast.kept.as_ref().map(|path| path.display().to_string());
        let object = || {
            let object = json!({
                "states": forecast.states, "bytes": forecast.bytes, "memory": memory,
                "threads": threads, "seconds": seconds, "kept": kept,
            });
            with_board(object, problem.graph())
        };
        mode.print(object, || {
        format!(
            "would build the table of {}: {}, at most {} (limit: {}{}), about {seconds:.1} s\n{}",
            problem.graph(),
            counted(forecast.states, "state"),
            in_bytes(forecast.bytes.into()),
            in_bytes(memory as u128),
            if forecast.bytes <= memory as u64 { "" } else { "; it may not fit" },
            kept.as_ref().map_or(String::new(), |file| format!("  or read it from {file}")),
        )
    })?;
        Ok(DONE)
    }

    /// Turns an error about the table into a failure with advice for `hippo sample`.
    fn refused(&self, error: &TableError) -> Fail {
        let board = self.problem.board.board.as_deref().unwrap_or("BOARD");
        let instead = match self.problem.closed {
            true => "try a smaller board".into(),
            false => {
                format!("use 'hippo enumerate {board} --solver backbite --tours 1000 --print'")
            }
        };
        without_solver(error, &instead)
    }

    fn format(&self, problem: &Problem, mode: OutputMode) -> Result<Format, Fail> {
        let named = Format::asked(self.format, self.output.as_deref(), mode)?;
        let one = self.tours.unwrap_or(1) == 1;
        let one_grid = one && problem.graph().board().is_some();
        let format = named.unwrap_or(if one_grid { Format::GRID } else { Format::MOVES });
        let many = format.notation().is_some() || format.of_sheet().is_some();
        if !many && !one && self.compare.is_none() {
            return Err(Fail::usage("an animation shows one tour; use -n 1, or another --format"));
        }
        format.check(problem.graph())?;
        Ok(format)
    }
}

/// Where sampled tours go.
enum Drawn<'a> {
    Text(TourWriter<'a>),
    Sheet(Box<SheetWriter<'a>>),
    Picture(&'a mut Vec<u8>),
}

/// Returns the failure for an error about the table, with other advice in place of the solver that the
/// library recommends.
pub fn without_solver(error: &TableError, instead: &str) -> Fail {
    let fail = Fail::of(error).into_usage();
    fail.instead(" for tours that are nearly uniform", "").instead("use solver backbite", instead)
}

/// Builds the table of a problem or reads it from its file, and prints a remark about the file.
pub fn table(
    problem: &Problem,
    (threads, memory): (usize, usize),
    folder: Option<&Path>,
    control: &Control,
    mode: OutputMode,
) -> Result<Sampler, TableError> {
    let begun = Instant::now();
    let stop = || control.interrupt.load(Relaxed);
    let watch = CountMonitor::default();
    let resources =
        Resources { threads, memory, stop: &stop, cache: folder, progress: Some(&watch) };
    let sampler = progress::counting(mode, &watch, || Sampler::new(problem, &resources))?;
    let origin = sampler.origin();
    if let Some(trouble) = &origin.trouble {
        mode.remark(&format!("cached table {trouble}"));
    }
    if let Some(file) = &origin.file {
        mode.remark(&format!(
            "table of {}, {}, {} {} in {:.1} s",
            problem.graph(),
            in_bytes(origin.bytes.into()),
            if origin.read { "read from" } else { "built and kept in" },
            file.display(),
            begun.elapsed().as_secs_f64(),
        ));
    }
    Ok(sampler)
}

fn no_tour(problem: &Problem, reason: &str, mode: OutputMode, out: Output) -> Result<u8, Fail> {
    let object = json!({ "schema": 1, "status": "impossible", "reason": reason });
    impossible(reason, mode, with_board(object, problem.graph()), out)
}

fn summary(report: &RunReport, tours: u64, seconds: f64) -> String {
    let (drawn, covers) = (counted(tours, "tour"), report.stats.attempts);
    // A cover that is not a tour is rejected before it is complete, so the share is biased if there are few
    // covers.
    let share = match covers {
        ..1000 => String::new(),
        _ => format!(", {:.1}% of them tours", 100.0 * report.stats.tours as f64 / covers as f64),
    };
    format!("{drawn} from {}{share}, {seconds:.2} s", counted(covers, "cover"))
}
