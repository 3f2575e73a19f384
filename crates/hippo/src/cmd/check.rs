//! `hippo check`: verifies and classifies tours.

use crate::OutputMode;
use crate::fail::{DONE, Fail, RUN_TIME};
use crate::interrupt::Signals;
use crate::tours::SourceArgs;
use clap::Args;
use hippodrome::board::Graph;
use hippodrome::numerals::{counted, grouped};
use hippodrome::search::cores;
use hippodrome::store::{JobMonitor, TourSet, check_record};
use hippodrome::tour::{Claim, Class, ReadError, TourFault, verify};
use serde_json::json;
use std::io::{self, BufWriter, Write};
use std::path::Path;

/// Verify and classify tours in any text format, or in a job folder
#[derive(Args)]
#[command(after_help = "Example:\n  hippo find 8x8 --closed | hippo check")]
pub struct Check {
    #[command(flatten)]
    source: SourceArgs,
}

impl Check {
    /// Checks every tour; the exit code is 1 if any is invalid.
    pub fn run(self, mode: OutputMode) -> Result<u8, Fail> {
        if let Some(store) = self.source.file.as_deref().map(Path::new)
            && (store.join("job.json").exists()
                || store.extension().is_some_and(|e| e == "parquet"))
        {
            return check_store(store, mode);
        }
        let mut out = BufWriter::new(io::stdout().lock());
        let mut code = DONE;
        for claim in self.source.read()? {
            let (line, verdict) = judge(claim);
            if verdict.is_err() {
                code = RUN_TIME;
            }
            if mode.json {
                let class = verdict.as_ref().ok();
                let on_board = class.filter(|c| c.0.board().is_some());
                let object = json!({
                    "schema": 1,
                    "line": line,
                    "valid": class.is_some(),
                    "board": class.map(|c| c.0.to_string()),
                    "closed": class.map(|c| c.1.closed),
                    "magic": on_board.map(|c| c.1.magic.to_string()),
                    "symmetry": on_board.map(|c| c.1.symmetry()),
                    "error": verdict.as_ref().err(),
                });
                writeln!(out, "{object}")?;
                continue;
            }
            let said = verdict.map_or_else(|error| format!("invalid: {error}"), in_words);
            writeln!(out, "line {line}: {said}")?;
        }
        out.flush()?;
        Ok(code)
    }
}

fn in_words((graph, class): (Graph, Class)) -> String {
    let kind = if class.closed { "closed" } else { "open" };
    let text = format!("valid {kind} tour of {graph}");
    match graph.board() {
        Some(_) => format!("{text}, symmetry {}, magic {}", class.symmetry(), class.magic),
        None => text,
    }
}

/// Verifies every tour of a job folder or Parquet file.
fn check_store(path: &Path, mode: OutputMode) -> Result<u8, Fail> {
    let (control, signals) = Signals::control();
    let set = TourSet::open(path)?;
    if path.is_dir() {
        check_record(path)?;
    }
    let watch = JobMonitor::new(&control.interrupt, &|_| {});
    let checked = signals.unless_stopped(set.check(cores(), watch))?;
    let error = checked.first.as_ref().map(|(row, why)| format!("row {row}: {why}"));
    let object = || {
        json!({
            "valid": checked.wrong == 0, "board": set.graph().to_string(),
            "tours": checked.valid, "closed": checked.closed, "wrong": checked.wrong,
            "error": error,
        })
    };
    mode.print(object, || {
        let (tours, closed) = (counted(checked.valid, "valid tour"), grouped(checked.closed));
        let wrong = error.as_ref().map_or(String::new(), |error| {
            let rows = counted(checked.wrong, "row");
            format!("{rows} with an invalid tour, the first {error}")
        });
        format!("{tours} of {}, {closed} of them closed\n{wrong}", set.graph())
    })?;
    Ok(if checked.wrong == 0 { DONE } else { RUN_TIME })
}

fn judge(claim: Result<Claim, ReadError>) -> (usize, Result<(Graph, Class), String>) {
    match claim {
        Err(error) => (error.line, Err(Fail::of(&error.fault).text())),
        Ok(Claim { line, graph, squares }) => {
            let why = |fault: TourFault| match fault {
                TourFault::Short { .. } => {
                    format!(
                        "{fault}; the board was taken to be {graph}, so give --board if it is another"
                    )
                }
                _ => fault.to_string(),
            };
            let tour = verify(&graph, squares).map_err(why);
            (line, tour.map(|tour| (graph.clone(), tour.classify())))
        }
    }
}
