//! `hippo convert`: between notations.

use crate::OutputMode;
use crate::args::one_of;
use crate::fail::{DONE, Fail};
use crate::output::Output;
use crate::pictures::StyleArgs;
use crate::tours::{Format, SourceArgs, write_one};
use clap::Args;
use hippodrome::tour::{Claim, Tour, TourWriter, verify};

/// Convert tours from one notation to another
#[derive(Args)]
#[command(after_help = "Example:\n  hippo find 8x8 | hippo convert --format digits")]
pub struct Convert {
    /// File to write instead of standard output; its extension sets the format
    #[arg(long, short, value_name = "FILE", help_heading = "Output")]
    output: Option<String>,
    /// grid, moves, digits, json, tsplib, svg, png, gif, pdf [default: moves]
    #[arg(long, value_name = "FORMAT", value_parser = one_of(Format::CHOICES), hide_possible_values = true, help_heading = "Output")]
    format: Option<Format>,
    #[command(flatten)]
    source: SourceArgs,
    #[command(flatten)]
    style: StyleArgs,
}

/// Returns the tours of a source, or an error that names the first invalid one.
pub fn valid_tours(source: &SourceArgs) -> Result<Vec<Tour>, Fail> {
    let read = |claim: Result<Claim, _>| {
        let Claim { line, graph, squares } = claim.map_err(|e| Fail::inside(source.name(), &e))?;
        verify(&graph, squares)
            .map_err(|e| Fail::run_time(format!("{}: line {line}: {e}", source.name())))
    };
    source.read()?.into_iter().map(read).collect()
}

impl Convert {
    /// Verifies and converts every tour.
    pub fn run(self, mode: OutputMode) -> Result<u8, Fail> {
        let tours = valid_tours(&self.source)?;
        let asked = Format::asked(self.format, self.output.as_deref(), mode)?;
        let format = asked.unwrap_or(Format::MOVES);
        let mut out = Output::open(self.output.as_deref(), format.is_binary())?;
        match format.notation() {
            Some(notation) => {
                let mut writer = TourWriter::new(notation, &mut out);
                tours.iter().try_for_each(|tour| writer.write(&tour.view()))?;
            }
            None => match &tours[..] {
                [tour] => write_one(&tour.view(), format, &self.style.style(), &mut out)?,
                _ => {
                    return Err(Fail::usage(format!(
                        "{} contains {} tours and a picture shows one; choose a text format, or one tour with 'hippo draw --tour N'",
                        self.source.name(),
                        tours.len()
                    )));
                }
            },
        }
        out.finish(mode)?;
        Ok(DONE)
    }
}
