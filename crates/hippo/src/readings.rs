//! Tours of a source one after another, with remarks on how they were read.

use crate::OutputMode;
use crate::fail::Fail;
use crate::graphs;
use crate::tours::SourceArgs;
use hippodrome::numerals::counted;
use hippodrome::tour::{Claim, ReadError, ReadFault, Tour, TourReading, TourTextReader, verify};

/// Most distinct readings that are remarked on.
const MOST_REMARKS: usize = 8;

/// Remarks once for each distinct reading.
pub struct Remarks {
    mode: OutputMode,
    /// Whether remarks wait until all tours are valid, so that an error stands alone.
    late: bool,
    said: Vec<TourReading>,
}

impl Remarks {
    /// Creates it without a reading; `late` remarks wait for [`Remarks::finish`].
    pub fn new(late: bool) -> Remarks {
        Remarks { mode: graphs::mode(), late, said: Vec::new() }
    }

    /// Remarks how a tour was read, unless one before was read in the same way.
    pub fn note(&mut self, claim: &Claim) {
        if !self.said.contains(&claim.reading) && self.said.len() < MOST_REMARKS {
            self.said.push(claim.reading);
            if self.late {
                return;
            }
            self.mode.remark(&format!("read as {}", claim.reading));
        }
    }

    /// Prints the remarks that waited, except on plain notations, and how many lines were skipped.
    pub fn finish(&self, tours: &TourTextReader<'_>) {
        for reading in self.said.iter().filter(|reading| self.late && !reading.is_plain()) {
            self.mode.remark(&format!("read as {reading}"));
        }
        let (lines, first) = tours.prose();
        if lines > 0 {
            let lines = counted(lines as u64, "line");
            self.mode.remark(&format!("skipped {lines} of other text, the first on line {first}"));
        }
    }
}

/// Returns the failure of an input that cannot be read further, if the error is one.
pub fn broken(source: &SourceArgs, error: &ReadError) -> Option<Fail> {
    match &error.fault {
        ReadFault::Unreadable(kind) => Some(Fail::file("read", source.name(), &(*kind).into())),
        ReadFault::NotText => Some(Fail::run_time(format!(
            "{}: line {}: this is not text; give tours as text in UTF-8, or as an SVG drawn by Hippodrome",
            source.name(),
            error.line
        ))),
        ReadFault::Endless | ReadFault::Repetitive(_) => Some(Fail::inside(source.name(), error)),
        _ => None,
    }
}

/// Visits the tours of a source in order. Stops at the first invalid one with an error that names it.
pub fn each_tour(
    source: &SourceArgs,
    mut see: impl FnMut(Tour) -> Result<(), Fail>,
) -> Result<(), Fail> {
    let hints = source.hints()?;
    let mut tours = source.open(&hints)?;
    let mut remarks = Remarks::new(true);
    for claim in tours.by_ref() {
        let claim = claim.map_err(|error| {
            broken(source, &error).unwrap_or_else(|| Fail::inside(source.name(), &error))
        })?;
        remarks.note(&claim);
        let Claim { line, graph, squares, .. } = claim;
        see(verify(&graph, squares)
            .map_err(|e| Fail::run_time(format!("{}: line {line}: {e}", source.name())))?)?;
    }
    remarks.finish(&tours);
    Ok(())
}
