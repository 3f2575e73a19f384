//! Implements `hippo count A..B`: prints one count per board, as soon as it is known, then a recurrence that
//! the counts satisfy.

use super::{Count, report};
use crate::fail::{DONE, Fail};
use crate::output::with_schema;
use crate::{OutputMode, progress};
use hippodrome::board::{BoardSeries, Graph};
use hippodrome::count::{BigUint, Count as Census, CountError, CountKind, Counted, Recurrence};
use hippodrome::numerals::counted;
use serde_json::json;
use std::io::{self, Write};
use std::sync::atomic::Ordering::Relaxed;
use std::time::Instant;

/// The format in which the counts of several boards are printed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// One sentence per board.
    Text,
    /// One line of comma-separated values per board.
    Csv,
    /// Two numbers per line, as in the OEIS: the side that grows, and the count.
    BFile,
}

/// The formats by name.
pub const FORMATS: &[(&str, Format, &str)] = &[
    ("text", Format::Text, "A sentence per board"),
    ("csv", Format::Csv, "board,directed,undirected and seconds, with a header"),
    ("b-file", Format::BFile, "The side that grows, and the count, as in the OEIS"),
];

impl Count {
    /// Returns the series of boards. A single board forms a series if the requested format needs one.
    pub(super) fn series(&self) -> Result<Option<BoardSeries>, Fail> {
        let board = self.problem.board.board.as_deref().unwrap_or_default();
        if let Some(series) = BoardSeries::parse(board) {
            let refused = [
                (self.by.is_some(), "--by"),
                (self.out.is_some(), "--out"),
                (self.estimate.estimate, "--estimate"),
                (self.dry_run, "--dry-run"),
                (self.problem.board.graph.is_some(), "--graph"),
                (self.problem.board.shape.mask.is_some(), "--mask"),
            ];
            if let Some((_, option)) = refused.iter().find(|(given, _)| *given) {
                return Err(Fail::usage(format!(
                    "{option} and a series of boards do not go together; give one board, or leave out {option}"
                )));
            }
            return Ok(Some(series?));
        }
        if !self.csv && self.format.is_none() {
            return Ok(None);
        }
        match BoardSeries::parse(&format!("{board}..{board}")) {
            Some(Ok(single)) if self.problem.board.shape.mask.is_none() => Ok(Some(single)),
            _ => Err(Fail::usage("--csv and --format need a board, as in 8x8, or 3x4..3x40")),
        }
    }

    /// Counts the boards one after another.
    pub(super) fn count_series(self, boards: &BoardSeries, mode: OutputMode) -> Result<u8, Fail> {
        let (watch, signals) = self.resources.watch();
        let format = if self.csv { Format::Csv } else { self.format.unwrap_or(Format::Text) };
        if mode.json && format != Format::Text {
            return Err(Fail::usage("--json and --format do not go together; leave one out"));
        }
        if format == Format::Csv {
            let classes = if self.classes { ",classes" } else { "" };
            print(&format!("board,directed,undirected{classes},seconds"))?;
        }
        let (mut terms, shape) = (Vec::new(), &self.problem.board.shape);
        for (side, board) in boards.boards() {
            let board = shape.board(Some(&board.shape()))?.unwrap_or(board);
            let census = self.census(Graph::leaper(board, shape.piece()?))?;
            let begun = Instant::now();
            watch.peak.store(0, Relaxed);
            let work = || census.plan(&watch)?.run(&watch);
            let counted = match progress::counting(mode, &watch, work) {
                Err(CountError::Interrupted) => {
                    let text = format!("interrupted while counting {}", census.graph);
                    return Err(Fail::interrupted(signals.code(), &text));
                }
                counted => counted?,
            };
            let seconds = begun.elapsed().as_secs_f64();
            let term = term(&census, &counted);
            print(&match (format, mode.json) {
                (Format::Text, false) => report::headline(&census, &counted),
                (Format::Text, true) => {
                    let mut line = counted.describe(&census, seconds, watch.peak.load(Relaxed));
                    line["type"] = json!("count");
                    with_schema(line).to_string()
                }
                (Format::Csv, _) => row(&census, &counted, seconds),
                (Format::BFile, _) => format!("{side} {term}"),
            })?;
            terms.push(term);
        }
        if boards.has_fixed_side() && terms.len() > 1 {
            conjecture(&terms, boards.step(), format, mode)?;
        }
        Ok(DONE)
    }
}

fn print(line: &str) -> Result<(), Fail> {
    Ok(writeln!(io::stdout(), "{}", line.trim_end())?)
}

/// Returns the term for a board in its sequence: open tours are counted as directed, all other kinds as
/// undirected.
fn term(census: &Census, counted: &Counted) -> BigUint {
    match (&counted.directed, census.kind) {
        (Some(directed), CountKind::Open) => directed.clone(),
        _ => counted.undirected.clone(),
    }
}

fn row(census: &Census, counted: &Counted, seconds: f64) -> String {
    let directed = counted.directed.as_ref().map(ToString::to_string).unwrap_or_default();
    let shape = census.graph.board().map(|board| board.shape()).unwrap_or_default();
    let classes = counted.classes.as_ref().map(|n| format!(",{n}")).unwrap_or_default();
    format!("{shape},{directed},{}{classes},{seconds:.3}", counted.undirected)
}

/// Prints the recurrence of the terms. If the results are columns of numbers, it is printed as a remark
/// instead of with the results.
fn conjecture(terms: &[BigUint], step: u64, format: Format, mode: OutputMode) -> Result<(), Fail> {
    let found = Recurrence::find(terms);
    if mode.json {
        let object = found.map(|found| {
            json!({
                "order": found.order(), "formula": found.formula(step), "confirmed": found.confirmed,
                "coefficients": found.coefficients.iter().map(ToString::to_string).collect::<Vec<_>>(),
            })
        });
        let line = json!({
            "type": "summary", "boards": terms.len(), "step": step, "conjecture": object,
        });
        return print(&with_schema(line).to_string());
    }
    let Some(found) = found else {
        mode.remark(&format!("no linear recurrence is confirmed by these {} counts", terms.len()));
        return Ok(());
    };
    let text = format!(
        "conjecture: {}\n  order {}, found from {} and confirmed by {} more",
        found.formula(step),
        found.order(),
        counted((terms.len() - found.confirmed) as u64, "count"),
        found.confirmed
    );
    match format {
        Format::Text => print(&text),
        _ => {
            mode.remark(&text);
            Ok(())
        }
    }
}
