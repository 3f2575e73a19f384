//! `hippo export` writes the tours of a store as text.

use crate::OutputMode;
use crate::args::{one_of, whole};
use crate::fail::{DONE, Fail};
use crate::output::Output;
use crate::tours::{Format, unless_failed};
use clap::Args;
use hippodrome::store::TourSet;
use hippodrome::tour::TourWriter;
use std::path::Path;

/// Print tours of a job folder or Parquet file as text
#[derive(Args)]
#[command(
    after_help = "Example:\n  hippo enumerate 5x5 --all --out tours5\n  hippo export tours5 --from 10 --to 12 --format grid"
)]
pub struct Export {
    /// Job folder or Parquet file of tours
    #[arg(value_name = "DIR")]
    store: String,
    /// First row, from 1
    #[arg(long, value_name = "ROW", default_value = "1", value_parser = whole, allow_negative_numbers = true)]
    from: u64,
    /// Last row [default: all rows]
    #[arg(long, value_name = "ROW", value_parser = whole, allow_negative_numbers = true)]
    to: Option<u64>,
    /// grid|moves|digits|json|tsplib|csv|coords|numbers|latex [default: moves]
    #[arg(long, value_name = "FORMAT", value_parser = one_of(Format::CHOICES), hide_possible_values = true)]
    format: Option<Format>,
    /// File to write instead of standard output; its extension sets the format
    #[arg(long, short, value_name = "FILE")]
    output: Option<String>,
}

impl Export {
    /// Verifies and writes the requested rows, in order.
    pub fn run(self, mode: OutputMode) -> Result<u8, Fail> {
        let set = TourSet::open(Path::new(&self.store))?;
        let asked = Format::asked(self.format, self.output.as_deref(), mode)?;
        let format = asked.unwrap_or(Format::MOVES);
        let notation = format.of_many()?;
        format.check(set.graph())?;
        let last = self.to.unwrap_or_else(|| set.len());
        if last > set.len() || self.from > last.max(1) {
            return Err(Fail::usage(format!(
                "{} has rows 1 to {}, not {} to {last}; change --from or --to",
                self.store,
                set.len(),
                self.from
            )));
        }
        let mut out = Output::open(self.output.as_deref(), false)?;
        let mut failed = None;
        let mut writer = TourWriter::new(notation, &mut out);
        set.visit(self.from..=last, |_, tour| unless_failed(writer.write(&tour), &mut failed))?;
        if let Some(error) = failed {
            return Err(error.into());
        }
        out.finish(mode)?;
        Ok(DONE)
    }
}
