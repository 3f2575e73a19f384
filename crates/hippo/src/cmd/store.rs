//! `hippo store` works on sets of tours on disk.

use crate::OutputMode;
use crate::cmd::convert::valid_tours;
use crate::fail::{DONE, Fail, LIMIT};
use crate::interrupt::Signals;
use crate::tours::SourceArgs;
use clap::{Args, Subcommand};
use hippodrome::numerals::{counted, grouped, in_bytes};
use hippodrome::store::{JobMonitor, SetOperation, StoreError, TourSet};
use hippodrome::tour::Verified;
use serde_json::json;
use std::io::{self, Write};
use std::path::Path;

/// Union, difference, membership, ranks and facts of sets of tours on disk
#[derive(Args)]
#[command(after_help = "Example:\n  hippo store union jobs/a jobs/b -o both.parquet")]
pub struct Store {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    /// Write the tours of either set to a Parquet file
    #[command(after_help = "Example:\n  hippo store union jobs/a jobs/b -o both.parquet")]
    Union(Both),
    /// Write the tours of the first set that are not in the second to a Parquet file
    #[command(after_help = "Example:\n  hippo store difference jobs/a jobs/b -o only-a.parquet")]
    Difference(Both),
    /// Look up tours in a set: exit 0 if all are in it, else 4
    #[command(
        after_help = "Example:\n  hippo find 5x5 --format moves | hippo store contains tours5"
    )]
    Contains(Contains),
    /// Print the row of each tour in a set: exit 0 if all are in it, else 4
    #[command(
        after_help = "Example:\n  hippo enumerate 5x5 --all --out tours5\n  hippo find 5x5 --format moves | hippo store rank tours5"
    )]
    Rank(Contains),
    /// Print facts of a set, and verify its checksums
    #[command(after_help = "Example:\n  hippo store info six")]
    Info(Info),
}

#[derive(Args)]
struct Both {
    /// Job folder or Parquet file of tours
    #[arg(value_name = "SET")]
    first: String,
    /// The other set
    #[arg(value_name = "OTHER")]
    second: String,
    /// Parquet file to write
    #[arg(long, short, value_name = "FILE")]
    output: String,
}

#[derive(Args)]
struct Contains {
    /// Job folder or Parquet file of tours
    #[arg(value_name = "SET")]
    set: String,
    #[command(flatten)]
    source: SourceArgs,
}

#[derive(Args)]
struct Info {
    /// Job folder or Parquet file of tours
    #[arg(value_name = "SET")]
    set: String,
}

impl Store {
    /// Runs the operation.
    pub fn run(self, mode: OutputMode) -> Result<u8, Fail> {
        match self.what {
            What::Union(both) => both.join(SetOperation::Union, mode),
            What::Difference(both) => both.join(SetOperation::Difference, mode),
            What::Contains(question) => question.answer(false, mode),
            What::Rank(question) => question.answer(true, mode),
            What::Info(question) => question.answer(mode),
        }
    }
}

impl Both {
    fn join(self, how: SetOperation, mode: OutputMode) -> Result<u8, Fail> {
        let (first, second) =
            (TourSet::open(Path::new(&self.first))?, TourSet::open(Path::new(&self.second))?);
        let output = Path::new(&self.output);
        let folder = output.parent().filter(|folder| !folder.as_os_str().is_empty());
        let wrong = if output.is_dir() || output.file_name().is_none() {
            "is not the name of a file; give one, as in both.parquet"
        } else if folder.is_some_and(|folder| folder.join("job.json").exists()) {
            "is inside a job folder; give another file"
        } else if output.metadata().is_ok_and(|there| !there.is_file()) {
            "is a device; give a file, as in both.parquet"
        } else {
            ""
        };
        if !wrong.is_empty() {
            return Err(Fail::usage(format!("'{}' {wrong}", self.output)));
        }
        let (control, signals) = Signals::control();
        let watch = JobMonitor::new(&control.interrupt, &|_| {});
        let tours = match first.join(&second, how, output, watch) {
            Err(StoreError::Stopped) => {
                let text = "interrupted before anything was written";
                return Err(Fail::interrupted(signals.code(), text));
            }
            tours => tours?,
        };
        mode.print(
            || json!({ "tours": tours, "file": self.output }),
            || format!("{} in {}", counted(tours, "tour"), self.output),
        )?;
        Ok(DONE)
    }
}

impl Contains {
    /// Looks up every tour; `rank` says whether rows are printed.
    fn answer(self, rank: bool, mode: OutputMode) -> Result<u8, Fail> {
        let set = TourSet::open(Path::new(&self.set))?;
        let tours = valid_tours(&self.source)?;
        if let Some(tour) = tours.iter().find(|tour| !set.is_on(tour.graph())) {
            return Err(Fail::usage(format!(
                "{} contains tours of {}, and {} has one of {}; give tours of the same board and piece; --board, --holes, --mask and --leaper set them if the text does not",
                self.set,
                set.graph(),
                self.source.name(),
                tour.graph()
            )));
        }
        let views: Vec<Verified<'_>> = tours.iter().map(|tour| tour.view()).collect();
        let rows = set.ranks(&views)?;
        let mut out = io::BufWriter::new(io::stdout().lock());
        for (number, row) in (1..).zip(&rows) {
            if mode.json {
                let found = row.is_some();
                let mut object =
                    json!({ "schema": 1, "type": "tour", "tour": number, "found": found });
                if rank {
                    object["row"] = json!(row);
                }
                writeln!(out, "{object}")?;
                continue;
            }
            match row {
                None => writeln!(out, "tour {number}: not found")?,
                Some(row) if rank => writeln!(out, "tour {number}: row {}", grouped(*row))?,
                Some(_) => writeln!(out, "tour {number}: found")?,
            }
        }
        out.flush()?;
        Ok(if rows.iter().all(Option::is_some) { DONE } else { LIMIT })
    }
}

impl Info {
    fn answer(self, mode: OutputMode) -> Result<u8, Fail> {
        let set = TourSet::open(Path::new(&self.set))?;
        set.verify()?;
        let bytes = std::fs::metadata(set.path()).map_or(0, |m| m.len());
        let file = set.path().display().to_string();
        let object = || {
            let mut about = set.about().clone();
            about.remove("job");
            json!({
                "file": file, "tours": set.len(), "bytes": bytes, "job": set.identity(),
                "about": about,
            })
        };
        mode.print(object, || {
            let each = bytes as f64 / set.len().max(1) as f64;
            let (tours, size) = (counted(set.len(), "tour"), in_bytes(bytes.into()));
            let mut text =
                format!("{file}: {tours} of {}\n{size}, {each:.2} bytes per tour\n", set.graph());
            for (key, value) in set.about().iter().filter(|(key, _)| *key != "job") {
                let value = value.parse::<u64>().map_or_else(|_| value.clone(), grouped);
                text += &format!("{}: {value}\n", key.replace('_', " "));
            }
            text
        })?;
        Ok(DONE)
    }
}
