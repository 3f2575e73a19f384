//! `hippo reproduce` reruns the papers' experiments.

use crate::OutputMode;
use crate::args::{WorkArgs, one_of};
use crate::fail::{DONE, Fail, RUN_TIME, complain};
use crate::interrupt::Signals;
use crate::output::Output;
use crate::progress;
use clap::Args;
use hippodrome::lab::experiment::{
    Archive, CellVerdict, Definition, Erratum, ExperimentRecord, ExperimentRun, ExperimentScale,
    JudgedCell, errata, experiments, judge_all, page, parse_errata, pictures, tally,
};
use hippodrome::numerals::counted;
use hippodrome::search::{Control, nearest};
use serde_json::{Value, json};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

/// Minimum time between two writes of a record.
const PAUSE: Duration = Duration::from_secs(5);

/// Rerun the papers' experiments: their tables and figures
#[derive(Args)]
#[command(
    after_help = "Without ID all experiments run, which takes about ten minutes at the quick scale on two cores.\nWith --out DIR an interrupted experiment resumes at the interrupted run.\n\nExample:\n  hippo reproduce hk2005.table1 hk2005.table2"
)]
pub struct Reproduce {
    /// Experiments, as in hk2005.table1, or a paper, as in hk2005
    #[arg(value_name = "ID", help_heading = None::<&str>)]
    ids: Vec<String>,
    /// List the experiments and exit
    #[arg(long, help_heading = "Output")]
    list: bool,
    /// Size of the runs
    #[arg(long, value_name = "SCALE", help_heading = "Search", value_parser = one_of(ExperimentScale::CHOICES), default_value = "quick")]
    scale: ExperimentScale,
    /// Folder of TOML definitions, instead of the papers'
    #[arg(long, value_name = "DIR", help_heading = "Search")]
    from: Option<String>,
    /// Folder of records, figures and REPRODUCTION.md; finished runs are kept
    #[arg(long, value_name = "DIR", help_heading = "Output")]
    out: Option<String>,
    /// Only write the page and figures from the records in --out
    #[arg(long, help_heading = "Output", requires = "out", conflicts_with = "list")]
    page: bool,
    #[command(flatten)]
    work: WorkArgs,
}

impl Reproduce {
    /// Runs the requested experiments and prints their verdicts.
    pub fn run(self, mode: OutputMode) -> Result<u8, Fail> {
        let (all, errata) = self.definitions()?;
        let asked = self.asked(&all)?;
        let mut out = Output::open(None, false)?;
        if self.list {
            return list(&asked, mode, &mut out);
        }
        let mut archive = self.archive(&all)?;
        if self.ids.is_empty() && !self.page {
            self.announce(&asked, &archive, mode);
        }
        let (control, signals) = Signals::control();
        let mut judged = Vec::new();
        for definition in &asked {
            if !self.page {
                let record = self.work(definition, &archive, &control, mode)?;
                let whole = record.is_whole(definition, self.scale);
                archive.entry(definition.id.clone()).or_default().insert(self.scale, record);
                if !whole {
                    out.finish(mode)?;
                    self.say_how_to_resume();
                    return Ok(signals.code());
                }
            }
            // Without --page, only results of the requested scale are printed.
            let mut kept = archive.get(&definition.id).cloned().unwrap_or_default();
            if !self.page && self.scale == ExperimentScale::Quick {
                kept.remove(&ExperimentScale::Full);
            }
            let files = self.draw(definition, &archive)?;
            let cells = judge_all(definition, &kept);
            print_verdicts(definition, &cells, &files, (mode, self.scale), &mut out)?;
            judged.extend(cells);
        }
        if !mode.json {
            writeln!(out, "{}", tally(&judged))?;
        }
        out.finish(mode)?;
        if let Some(dir) = &self.out {
            let path = Path::new(dir).join("REPRODUCTION.md");
            write_whole(&path, &page(&all, &errata, &archive))?;
        }
        let unexplained =
            |j: &JudgedCell<'_>| j.verdict == CellVerdict::Differs && j.cell.because.is_none();
        Ok(if judged.iter().any(unexplained) { RUN_TIME } else { DONE })
    }

    /// Returns the papers' definitions and errata, or those in the folder given by `--from`.
    fn definitions(&self) -> Result<(Vec<Definition>, Vec<Erratum>), Fail> {
        let Some(dir) = &self.from else {
            let papers = experiments().map_err(Fail::run_time)?;
            return Ok((papers, errata().map_err(Fail::run_time)?));
        };
        let unread = |e: std::io::Error| Fail::file("read", dir, &e);
        let files = fs::read_dir(dir).map_err(unread)?;
        let mut paths: Vec<PathBuf> =
            files.map(|entry| entry.map(|e| e.path())).collect::<Result<_, _>>().map_err(unread)?;
        paths.retain(|path| path.extension().is_some_and(|end| end == "toml"));
        paths.sort();
        let (mut all, mut list) = (Vec::new(), Vec::new());
        for path in paths {
            let text = fs::read_to_string(&path)
                .map_err(|e| Fail::file("read", &path.display().to_string(), &e))?;
            match path.file_stem().map(|stem| stem.to_string_lossy()).as_deref() {
                Some("errata") => list = parse_errata(&text).map_err(Fail::usage)?,
                Some(id) => all.push(Definition::parse(id, &text).map_err(|e| Fail::of(&e))?),
                None => {}
            }
        }
        if all.is_empty() {
            return Err(Fail::usage(format!(
                "folder '{dir}' has no definitions; give one with TOML files, such as crates/hippodrome/experiments"
            )));
        }
        // Definitions of the papers keep the papers' order.
        let order: Vec<String> =
            experiments().map_err(Fail::run_time)?.into_iter().map(|d| d.id).collect();
        all.sort_by_key(|d| order.iter().position(|id| *id == d.id).unwrap_or(order.len()));
        Ok((all, list))
    }

    fn asked<'a>(&self, all: &'a [Definition]) -> Result<Vec<&'a Definition>, Fail> {
        if self.ids.is_empty() {
            return Ok(all.iter().collect());
        }
        let mut asked: Vec<&Definition> = Vec::new();
        for id in &self.ids {
            let paper = format!("{id}.");
            let named = |d: &&Definition| d.id == *id || d.id.starts_with(&paper);
            let found: Vec<&Definition> = all.iter().filter(named).collect();
            if found.is_empty() {
                let near = nearest(id, all.iter().map(|d| d.id.as_str()));
                let hint = near.map_or("see --list".into(), |near| format!("did you mean {near}?"));
                return Err(Fail::usage(format!("there is no experiment '{id}'; {hint}")));
            }
            for definition in found {
                if !asked.iter().any(|earlier| earlier.id == definition.id) {
                    asked.push(definition);
                }
            }
        }
        Ok(asked)
    }

    /// Reads the records in the output folder.
    fn archive(&self, all: &[Definition]) -> Result<Archive, Fail> {
        let mut archive = Archive::new();
        for definition in all {
            let kept = archive.entry(definition.id.clone()).or_default();
            for scale in [ExperimentScale::Quick, ExperimentScale::Full] {
                kept.extend(self.kept(definition, scale)?.map(|record| (scale, record)));
            }
        }
        Ok(archive)
    }

    fn place(&self, id: &str, scale: ExperimentScale) -> Option<PathBuf> {
        let dir = self.out.as_ref()?;
        Some(Path::new(dir).join("records").join(scale.name()).join(format!("{id}.json")))
    }

    fn kept(
        &self,
        definition: &Definition,
        scale: ExperimentScale,
    ) -> Result<Option<ExperimentRecord>, Fail> {
        let Some(path) = self.place(&definition.id, scale) else { return Ok(None) };
        let Ok(text) = fs::read_to_string(&path) else { return Ok(None) };
        serde_json::from_str(&text).map(Some).map_err(|_| {
            Fail::run_time(format!("{} is not a record; remove it and try again", path.display()))
        })
    }

    /// Prints a remark on how many experiments are about to run, how long they take, and how to run only one.
    fn announce(&self, asked: &[&Definition], archive: &Archive, mode: OutputMode) {
        let (scale, seed) = (self.scale, self.work.seed);
        let is_done = |d: &&&Definition| {
            let record = archive.get(&d.id).and_then(|kept| kept.get(&scale));
            record.is_some_and(|record| record.is_whole(d, scale) && record.seed == seed)
        };
        let left = asked.iter().filter(|d| !is_done(d)).count() as u64;
        let time = match scale {
            ExperimentScale::Quick => "about ten minutes on two cores",
            ExperimentScale::Full => "many hours",
        };
        if left > 0 && self.from.is_none() {
            mode.remark(&format!(
                "running {} at scale {} (all together: {time}); 'hippo reproduce --list' names them, 'hippo reproduce ID' runs one",
                counted(left, "experiment"),
                scale.name(),
            ));
        }
    }

    /// Makes the missing runs. Saves the record from time to time.
    fn work(
        &self,
        definition: &Definition,
        archive: &Archive,
        control: &Control,
        mode: OutputMode,
    ) -> Result<ExperimentRecord, Fail> {
        let known = archive.values().filter_map(|kept| kept.get(&self.scale)).collect();
        let (scale, seed, threads) = (self.scale, self.work.seed, self.work.threads());
        let plan = ExperimentRun { definition, scale, seed, threads, control, known };
        let before = archive.get(&definition.id).and_then(|kept| kept.get(&scale));
        if before.is_none_or(|record| !record.is_whole(definition, scale) || record.seed != seed) {
            mode.remark(&format!("{}: {}", definition.id, definition.question));
        }
        let (mut trouble, mut last) = (None, Instant::now());
        let mut keep = |record: &ExperimentRecord| {
            // Writing a file takes longer than some runs.
            if last.elapsed() < PAUSE {
                return;
            }
            last = Instant::now();
            if let Err(error) = self.keep(record, scale) {
                // Stop: further runs could not be saved.
                control.interrupt.store(true, Relaxed);
                trouble.get_or_insert(error);
            }
        };
        let made = progress::during(mode, None, control, None, || plan.run(&mut keep));
        if let Some(trouble) = trouble {
            return Err(trouble);
        }
        let record = made.map_err(|e| Fail::of(&e).into_usage())?;
        if before != Some(&record) {
            self.keep(&record, scale)?;
        }
        Ok(record)
    }

    fn keep(&self, record: &ExperimentRecord, scale: ExperimentScale) -> Result<(), Fail> {
        match self.place(&record.id, scale) {
            Some(path) => write_whole(&path, &record.text()),
            None => Ok(()),
        }
    }

    /// Writes the figures of an experiment, and returns the names of all its files.
    fn draw(&self, definition: &Definition, archive: &Archive) -> Result<Vec<String>, Fail> {
        let (Some(dir), Some(kept)) = (&self.out, archive.get(&definition.id)) else {
            return Ok(Vec::new());
        };
        let mut files = Vec::new();
        for scale in [ExperimentScale::Quick, ExperimentScale::Full] {
            let path = kept.get(&scale).and_then(|_| self.place(&definition.id, scale));
            files.extend(path.map(|path| path.display().to_string()));
        }
        for (name, svg) in pictures(definition, kept) {
            let path = Path::new(dir).join("figures").join(name);
            write_whole(&path, &svg)?;
            files.push(path.display().to_string());
        }
        Ok(files)
    }

    fn say_how_to_resume(&self) {
        let given: Vec<String> = std::env::args().skip(1).collect();
        match &self.out {
            Some(_) => complain(&format!("interrupted; resume with: hippo {}", given.join(" "))),
            None => complain("interrupted; use --out DIR to make it resumable"),
        }
    }
}

fn write_whole(path: &Path, text: &str) -> Result<(), Fail> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)
            .map_err(|e| Fail::file("make", &folder.display().to_string(), &e))?;
    }
    let mut file = Output::open(Some(&path.display().to_string()), false)?;
    file.write_all(text.as_bytes())?;
    file.finish(OutputMode::QUIET)
}

fn list(asked: &[&Definition], mode: OutputMode, out: &mut Output) -> Result<u8, Fail> {
    for Definition { id, paper, question, .. } in asked {
        if mode.json {
            let object = json!({ "schema": 1, "id": id, "paper": paper, "question": question });
            writeln!(out, "{object}")?;
        } else {
            writeln!(out, "{id:<22} {question}")?;
        }
    }
    out.flush()?;
    Ok(DONE)
}

fn print_verdicts(
    definition: &Definition,
    judged: &[JudgedCell<'_>],
    files: &[String],
    (mode, scale): (OutputMode, ExperimentScale),
    out: &mut Output,
) -> Result<(), Fail> {
    if mode.json {
        let cell = |j: &JudgedCell<'_>| {
            json!({
                "name": j.cell.name, "paper": j.cell.paper, "ours": j.ours,
                "low": j.interval.map(|i| i.0), "high": j.interval.map(|i| i.1),
                "verdict": j.verdict.words(), "because": j.cell.because,
            })
        };
        let cells: Vec<Value> = judged.iter().map(cell).collect();
        let object = json!({
            "schema": 1, "id": definition.id, "paper": definition.paper, "scale": scale.name(),
            "cells": cells, "files": files,
        });
        writeln!(out, "{object}")?;
    } else {
        writeln!(out, "{} ({})", definition.id, definition.paper)?;
        let width = judged.iter().map(|j| j.cell.name.chars().count()).max().unwrap_or(0);
        for j in judged {
            let paper = j.cell.paper.as_deref().unwrap_or("-");
            let (name, ours, verdict) = (&j.cell.name, j.in_words(), j.verdict.words());
            writeln!(out, "  {name:<width$}  {ours:>24}  {paper}  {verdict}")?;
        }
    }
    Ok(out.flush()?)
}
