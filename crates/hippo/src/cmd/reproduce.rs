//! `hippo reproduce`: the papers' tables and figures, asked again.

use crate::Manner;
use crate::args::{WorkArgs, one_of};
use crate::fail::{DONE, Fail, RUN_TIME};
use crate::interrupt::Signals;
use crate::output::Output;
use crate::progress;
use clap::Args;
use hippodrome::budget::Budget;
use hippodrome::experiment::{
    Definition, Judged, Record, Scale, Verdict, experiments, judge, page, run, tally,
};
use hippodrome::params::nearest;
use hippodrome::run::Control;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::Path;

/// Ask the papers' tables and figures again
#[derive(Args)]
#[command(
    after_help = "Without a name all experiments are run; --list names them.\n\nExample:\n  hippo reproduce hk2005.table1 hk2005.table2"
)]
pub struct Reproduce {
    /// Experiments, as in hk2005.table1, or a paper, as in hk2005
    #[arg(value_name = "ID", help_heading = None::<&str>)]
    ids: Vec<String>,
    /// Name the experiments, and run none
    #[arg(long, help_heading = "Output")]
    list: bool,
    /// How large the runs are
    #[arg(long, value_name = "SCALE", help_heading = "Search", value_parser = one_of(Scale::CHOICES), default_value = "quick")]
    scale: Scale,
    /// Keep records in a folder and write REPRODUCTION.md there; what it has is not run again
    #[arg(long, value_name = "DIR", help_heading = "Output")]
    out: Option<String>,
    #[command(flatten)]
    work: WorkArgs,
}

impl Reproduce {
    /// Runs the experiments asked for and tells how they come out.
    pub fn run(self, manner: Manner) -> Result<u8, Fail> {
        let all = experiments().map_err(Fail::run_time)?;
        let asked = self.asked(&all)?;
        let mut out = Output::open(None, false)?;
        if self.list {
            return list(&asked, manner, &mut out);
        }
        let control = Control::default();
        let signals = Signals::set(&control.interrupt);
        let mut records = BTreeMap::new();
        for definition in &asked {
            let record = match self.known(definition)? {
                Some(record) => record,
                None => {
                    manner.remark(&format!("{}: {}", definition.id, definition.question));
                    let threads = self.work.threads();
                    let made = progress::during(manner, &Budget::UNLIMITED, 1, &control, || {
                        run(definition, self.scale, self.work.seed, threads, &control)
                    })?;
                    let Some(record) = made else {
                        out.finish()?;
                        return Ok(signals.code());
                    };
                    self.keep(&record)?;
                    record
                }
            };
            tell(definition, &record, manner, &mut out)?;
            records.insert(definition.id.clone(), record);
        }
        let judged = judge_all(&asked, &records);
        if !manner.json {
            writeln!(out, "{}", tally(judged.iter()))?;
        }
        out.finish()?;
        if let Some(dir) = &self.out {
            let mut kept = records.clone();
            for definition in all.iter().filter(|d| !records.contains_key(&d.id)) {
                kept.extend(self.known(definition)?.map(|record| (definition.id.clone(), record)));
            }
            write_whole(&Path::new(dir).join("REPRODUCTION.md"), &page(&all, &kept))?;
        }
        let unexplained =
            |j: &Judged<'_>| j.verdict == Verdict::Differs && j.cell.because.is_none();
        Ok(if judged.iter().any(unexplained) { RUN_TIME } else { DONE })
    }

    fn asked<'a>(&self, all: &'a [Definition]) -> Result<Vec<&'a Definition>, Fail> {
        if self.ids.is_empty() {
            return Ok(all.iter().collect());
        }
        let mut asked: Vec<&Definition> = Vec::new();
        for id in &self.ids {
            let paper = format!("{id}.");
            let found: Vec<&Definition> =
                all.iter().filter(|d| d.id == *id || d.id.starts_with(&paper)).collect();
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

    /// The record that the folder has of an experiment, if it is of the same text, scale and seed.
    fn known(&self, definition: &Definition) -> Result<Option<Record>, Fail> {
        let Some(dir) = &self.out else { return Ok(None) };
        let path = Path::new(dir).join("records").join(format!("{}.json", definition.id));
        let Ok(text) = fs::read_to_string(&path) else { return Ok(None) };
        let record: Record = serde_json::from_str(&text).map_err(|_| {
            Fail::run_time(format!("{} is not a record; remove it and try again", path.display()))
        })?;
        let same = record.definition == definition.checksum && record.seed == self.work.seed;
        Ok(Some(record).filter(|record| same && record.is_of(self.scale)))
    }

    fn keep(&self, record: &Record) -> Result<(), Fail> {
        let Some(dir) = &self.out else { return Ok(()) };
        let folder = Path::new(dir).join("records");
        fs::create_dir_all(&folder)
            .map_err(|e| Fail::file("make", &folder.display().to_string(), &e))?;
        let text = serde_json::to_string_pretty(record).map_err(Fail::run_time)?;
        write_whole(&folder.join(format!("{}.json", record.id)), &(text + "\n"))
    }
}

fn write_whole(path: &Path, text: &str) -> Result<(), Fail> {
    let mut file = Output::open(Some(&path.display().to_string()), false)?;
    file.write_all(text.as_bytes())?;
    file.finish()
}

fn judge_all<'a>(asked: &[&'a Definition], records: &BTreeMap<String, Record>) -> Vec<Judged<'a>> {
    let of = |definition: &&'a Definition| {
        let record = records.get(&definition.id);
        let cells = definition.cell.iter();
        cells.filter_map(|cell| record.map(|record| judge(cell, record))).collect::<Vec<_>>()
    };
    asked.iter().flat_map(of).collect()
}

fn list(asked: &[&Definition], manner: Manner, out: &mut Output) -> Result<u8, Fail> {
    for Definition { id, paper, question, .. } in asked {
        if manner.json {
            writeln!(
                out,
                "{}",
                json!({ "schema": 1, "id": id, "paper": paper, "question": question })
            )?;
        } else {
            writeln!(out, "{id:<22} {question}")?;
        }
    }
    out.flush()?;
    Ok(DONE)
}

fn tell(
    definition: &Definition,
    record: &Record,
    manner: Manner,
    out: &mut Output,
) -> Result<(), Fail> {
    let judged: Vec<Judged<'_>> = definition.cell.iter().map(|cell| judge(cell, record)).collect();
    if manner.json {
        let cell = |j: &Judged<'_>| {
            json!({
                "name": j.cell.name, "paper": j.cell.paper, "ours": j.ours,
                "low": j.interval.map(|i| i.0), "high": j.interval.map(|i| i.1),
                "verdict": j.verdict.words(), "because": j.cell.because,
            })
        };
        let cells: Vec<Value> = judged.iter().map(cell).collect();
        let object = json!({
            "schema": 1, "id": definition.id, "paper": definition.paper, "scale": record.scale,
            "seed": record.seed, "cells": cells, "files": [],
        });
        writeln!(out, "{object}")?;
    } else {
        writeln!(out, "{} ({})", definition.id, definition.paper)?;
        let width = judged.iter().map(|j| j.cell.name.chars().count()).max().unwrap_or(0);
        for j in &judged {
            let paper = j.cell.paper.as_deref().unwrap_or("-");
            writeln!(
                out,
                "  {:<width$}  {:>24}  {paper}  {}",
                j.cell.name,
                j.in_words(),
                j.verdict.words()
            )?;
        }
    }
    Ok(out.flush()?)
}
