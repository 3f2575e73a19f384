//! `hippo store`: sets of tours on disk, joined and asked.

use crate::OutputMode;
use crate::cmd::convert::valid_tours;
use crate::fail::{DONE, Fail, LIMIT};
use crate::interrupt::Signals;
use crate::tours::SourceArgs;
use clap::{Args, Subcommand};
use hippodrome::numerals::{counted, grouped, in_bytes};
use hippodrome::search::Control;
use hippodrome::store::{JobMonitor, SetOperation, StoreError, TourSet};
use hippodrome::tour::Verified;
use serde_json::json;
use std::io::{self, Write};
use std::path::Path;

/// Join sets of tours on disk, and ask what they hold
#[derive(Args)]
#[command(after_help = "Example:\n  hippo store union jobs/a jobs/b -o both.parquet")]
pub struct Store {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    /// Tours of one set or the other, as a new Parquet file
    #[command(after_help = "Example:\n  hippo store union jobs/a jobs/b -o both.parquet")]
    Union(Both),
    /// Tours of the first set that are not in the second, as a new Parquet file
    #[command(after_help = "Example:\n  hippo store difference jobs/a jobs/b -o only-a.parquet")]
    Difference(Both),
    /// Whether tours, read from a file or standard input, are in a set: exit 0 if all are, 4 if not
    #[command(
        after_help = "Example:\n  hippo find 5x5 --format moves | hippo store contains tours5"
    )]
    Contains(Contains),
    /// What a set holds and where it comes from; every byte is compared with its checksum
    #[command(after_help = "Example:\n  hippo store info six")]
    Info(One),
}

#[derive(Args)]
struct Both {
    /// A job folder, or a Parquet file of tours
    #[arg(value_name = "SET")]
    first: String,
    /// Another
    #[arg(value_name = "OTHER")]
    second: String,
    /// The Parquet file to write
    #[arg(long, short, value_name = "FILE")]
    output: String,
}

#[derive(Args)]
struct Contains {
    /// A job folder, or a Parquet file of tours
    #[arg(value_name = "SET")]
    set: String,
    #[command(flatten)]
    source: SourceArgs,
}

#[derive(Args)]
struct One {
    /// A job folder, or a Parquet file of tours
    #[arg(value_name = "SET")]
    set: String,
}

impl Store {
    /// Does what is asked.
    pub fn run(self, mode: OutputMode) -> Result<u8, Fail> {
        match self.what {
            What::Union(both) => both.join(SetOperation::Union, mode),
            What::Difference(both) => both.join(SetOperation::Difference, mode),
            What::Contains(question) => question.answer(mode),
            What::Info(one) => one.describe(mode),
        }
    }
}

impl Both {
    fn join(self, how: SetOperation, mode: OutputMode) -> Result<u8, Fail> {
        let (first, second) =
            (TourSet::open(Path::new(&self.first))?, TourSet::open(Path::new(&self.second))?);
        let output = Path::new(&self.output);
        if output.is_dir() || output.file_name().is_none() {
            return Err(Fail::usage(format!(
                "'{}' is not the name of a file; give one, as in both.parquet",
                self.output
            )));
        }
        let folder = output.parent().filter(|folder| !folder.as_os_str().is_empty());
        if folder.is_some_and(|folder| folder.join("job.json").exists()) {
            return Err(Fail::usage(format!(
                "'{}' lies in a job folder, which is left to its job; give another file",
                self.output
            )));
        }
        if output.metadata().is_ok_and(|there| !there.is_file()) {
            return Err(Fail::usage(format!(
                "'{}' is a device, and a set of tours is a file; give one, as in both.parquet",
                self.output
            )));
        }
        let control = Control::default();
        let signals = Signals::set(&control.interrupt);
        let watch = JobMonitor::new(&control.interrupt, &|_| {});
        let tours = match first.join(&second, how, output, watch) {
            Err(StoreError::Stopped) => {
                mode.remark("interrupted; nothing is written");
                return Ok(signals.code());
            }
            tours => tours?,
        };
        let mut out = io::stdout().lock();
        if mode.json {
            let object = json!({ "schema": 1, "tours": tours, "file": self.output });
            writeln!(out, "{object}")?;
        } else {
            writeln!(out, "{} in {}", counted(tours, "tour"), self.output)?;
        }
        Ok(DONE)
    }
}

impl Contains {
    fn answer(self, mode: OutputMode) -> Result<u8, Fail> {
        let set = TourSet::open(Path::new(&self.set))?;
        let tours = valid_tours(&self.source)?;
        if let Some(tour) = tours.iter().find(|tour| !set.is_on(tour.graph())) {
            return Err(Fail::usage(format!(
                "{} contains tours of {}, and {} has one of {}; give tours of the same board and piece, by --board, --holes, --mask and --leaper where the text does not tell",
                self.set,
                set.graph(),
                self.source.name(),
                tour.graph()
            )));
        }
        let views: Vec<Verified<'_>> = tours.iter().map(|tour| tour.view()).collect();
        let found = set.contains(&views)?;
        let mut out = io::BufWriter::new(io::stdout().lock());
        for (number, found) in (1..).zip(&found) {
            if mode.json {
                writeln!(out, "{}", json!({ "schema": 1, "tour": number, "found": found }))?;
            } else {
                writeln!(out, "tour {number}: {}", if *found { "found" } else { "not found" })?;
            }
        }
        out.flush()?;
        Ok(if found.iter().all(|&found| found) { DONE } else { LIMIT })
    }
}

impl One {
    fn describe(self, mode: OutputMode) -> Result<u8, Fail> {
        let set = TourSet::open(Path::new(&self.set))?;
        set.verify()?;
        let bytes = std::fs::metadata(set.path()).map_or(0, |m| m.len());
        let mut out = io::stdout().lock();
        if mode.json {
            let mut about = set.about().clone();
            about.remove("job");
            let object = json!({
                "schema": 1, "file": set.path().display().to_string(), "tours": set.len(),
                "bytes": bytes, "job": set.identity(), "about": about,
            });
            writeln!(out, "{object}")?;
            return Ok(DONE);
        }
        let each = bytes as f64 / set.len().max(1) as f64;
        let size = in_bytes(bytes.into());
        writeln!(
            out,
            "{}: {} of {}",
            set.path().display(),
            counted(set.len(), "tour"),
            set.graph()
        )?;
        writeln!(out, "{size}, {each:.2} bytes a tour")?;
        for (key, value) in set.about().iter().filter(|(key, _)| *key != "job") {
            let value = value.parse::<u64>().map_or_else(|_| value.clone(), grouped);
            writeln!(out, "{}: {value}", key.replace('_', " "))?;
        }
        Ok(DONE)
    }
}
