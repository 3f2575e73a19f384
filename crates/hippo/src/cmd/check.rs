//! `hippo check`: verifies and classifies tours.

use crate::OutputMode;
use crate::fail::{DONE, Fail, RUN_TIME};
use crate::interrupt::Signals;
use crate::readings::{Remarks, broken};
use crate::tours::SourceArgs;
use clap::Args;
use hippodrome::board::Graph;
use hippodrome::numerals::{counted, grouped};
use hippodrome::search::cores;
use hippodrome::store::{JobMonitor, TourSet, check_record};
use hippodrome::tour::{Claim, Class, Hints, ReadError, TourFault, verify};
use serde_json::{Value, json};
use std::io::{self, BufWriter, Write};
use std::path::Path;

/// Verify and classify tours in any text format, or in a job folder
#[derive(Args)]
#[command(after_help = "Example:\n  hippo find 8x8 --closed | hippo check")]
pub struct Check {
    /// Print the key of each tour's class under rotation, reflection, direction and start
    #[arg(long)]
    class: bool,
    #[command(flatten)]
    source: SourceArgs,
}

/// Most invalid tours that are printed.
const MOST_ERRORS: u64 = 20;

impl Check {
    /// Checks every tour; the exit code is 1 if any is invalid.
    pub fn run(self, mode: OutputMode) -> Result<u8, Fail> {
        if let Some(store) = self.source.file.as_deref().map(Path::new)
            && (store.join("job.json").exists()
                || store.extension().is_some_and(|e| e == "parquet"))
        {
            return check_store(store, mode);
        }
        // Valid, closed and symmetric are the same for all images of a tour.
        let hints = Hints { up_to_symmetry: true, ..self.source.hints()? };
        let mut tours = self.source.open(&hints)?;
        let mut remarks = Remarks::new(false);
        let mut out = BufWriter::new(io::stdout().lock());
        let (mut valid, mut invalid) = (0, 0);
        for claim in tours.by_ref() {
            match &claim {
                Ok(claim) => remarks.note(claim),
                Err(error) => {
                    if let Some(fail) = broken(&self.source, error) {
                        out.flush()?;
                        return Err(fail);
                    }
                }
            }
            let (line, verdict) = judge(claim, self.class);
            match &verdict {
                Ok(_) => valid += 1,
                Err(_) => invalid += 1,
            }
            let printed = if mode.json {
                writeln!(out, "{}", object(line, &verdict))
            } else if verdict.is_err() && invalid > MOST_ERRORS {
                Ok(())
            } else {
                let said = verdict.map_or_else(|error| format!("invalid: {error}"), in_words);
                writeln!(out, "line {line}: {said}")
            };
            // A closed pipe keeps the verdict so far.
            if let Err(error) = printed {
                return ended(error, invalid);
            }
        }
        let more = invalid.saturating_sub(MOST_ERRORS);
        let last = if mode.json {
            let counts = json!({
                "schema": 1, "type": "summary",
                "tours": valid + invalid, "valid": valid, "invalid": invalid,
            });
            writeln!(out, "{counts}")
        } else if more > 0 {
            writeln!(out, "and {} more", grouped(more))
        } else {
            Ok(())
        };
        if let Err(error) = last.and_then(|()| out.flush()) {
            return ended(error, invalid);
        }
        remarks.finish(&tours);
        let tours = counted(valid + invalid, "tour");
        mode.remark(&format!("{tours}: {} valid, {} invalid", grouped(valid), grouped(invalid)));
        Ok(if invalid == 0 { DONE } else { RUN_TIME })
    }
}

/// Returns the exit code after output has failed: a closed pipe keeps the verdict.
fn ended(error: io::Error, invalid: u64) -> Result<u8, Fail> {
    match error.kind() {
        io::ErrorKind::BrokenPipe if invalid > 0 => Err(Fail::silent(RUN_TIME)),
        _ => Err(error.into()),
    }
}

/// A valid tour: its graph, its kind, and the key of its class if asked for.
struct Valid {
    graph: Graph,
    class: Class,
    key: Option<String>,
}

fn object(line: usize, verdict: &Result<Valid, String>) -> Value {
    let tour = verdict.as_ref().ok();
    let on_board = tour.filter(|tour| tour.graph.board().is_some());
    let mut object = json!({
        "schema": 1,
        "type": "tour",
        "line": line,
        "valid": tour.is_some(),
        "board": tour.map(|tour| tour.graph.to_string()),
        "closed": tour.map(|tour| tour.class.closed),
        "magic": on_board.map(|tour| tour.class.magic.to_string()),
        "symmetry": on_board.map(|tour| tour.class.symmetry()),
        "error": verdict.as_ref().err(),
    });
    if let Some(key) = tour.and_then(|tour| tour.key.as_ref()) {
        object["class"] = json!(key);
    }
    object
}

fn in_words(Valid { graph, class, key }: Valid) -> String {
    let kind = if class.closed { "closed" } else { "open" };
    let mut text = format!("valid {kind} tour of {graph}");
    if graph.board().is_some() {
        text += &format!(", symmetry {}, magic {}", class.symmetry(), class.magic);
    }
    if let Some(key) = key {
        text += &format!(", class {key}");
    }
    text
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

fn judge(claim: Result<Claim, ReadError>, keyed: bool) -> (usize, Result<Valid, String>) {
    let Claim { line, graph, squares, .. } = match claim {
        Ok(claim) => claim,
        Err(error) => return (error.line, Err(Fail::of(&error.fault).text())),
    };
    let why = |fault: TourFault| match fault {
        TourFault::Short { .. } => {
            format!("{fault}; the board was taken to be {graph}, so give --board if it is another")
        }
        _ => fault.to_string(),
    };
    let verdict = verify(&graph, squares).map_err(why).and_then(|tour| {
        let key = keyed.then(|| tour.class_key()).transpose().map_err(|e| e.to_string())?;
        Ok(Valid { graph: graph.clone(), class: tour.classify(), key })
    });
    (line, verdict)
}
