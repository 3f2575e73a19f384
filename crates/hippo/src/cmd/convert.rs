//! `hippo convert`: between notations.

use crate::OutputMode;
use crate::fail::{DONE, Fail};
use crate::output::Output;
use crate::tours::{Format, SourceArgs, StyleArgs, write_one};
use clap::Args;
use hippodrome::tour::{Claim, Notation, Tour, TourWriter, verify};

/// Turn tours from one notation into another
#[derive(Args)]
#[command(after_help = "Example:\n  hippo find 8x8 | hippo convert --format digits")]
pub struct Convert {
    #[command(flatten)]
    source: SourceArgs,
    /// The notation to write [default: by the name of the output, else moves]
    #[arg(long, value_enum, help_heading = "Output")]
    format: Option<Format>,
    /// Write to a file in place of standard output
    #[arg(long, short, value_name = "FILE", help_heading = "Output")]
    output: Option<String>,
    #[command(flatten)]
    style: StyleArgs,
}

/// The tours of a source, all of them valid, or an error that names the first that is not.
pub fn valid_tours(source: &SourceArgs) -> Result<Vec<Tour>, Fail> {
    let read = |claim: Result<Claim, _>| {
        let Claim { line, graph, squares } = claim.map_err(|e| Fail::inside(source.name(), &e))?;
        verify(&graph, squares)
            .map_err(|e| Fail::run_time(format!("{}: line {line}: {e}", source.name())))
    };
    source.read()?.into_iter().map(read).collect()
}

impl Convert {
    /// Converts; every tour is verified on the way.
    pub fn run(self, mode: OutputMode) -> Result<u8, Fail> {
        let tours = valid_tours(&self.source)?;
        let format = match (self.format, mode.json) {
            (Some(format), false) => format,
            (None, false) => Format::of_file(self.output.as_deref())?.unwrap_or(Format::Moves),
            (None | Some(Format::Json), true) => Format::Json,
            (Some(_), true) => {
                return Err(Fail::usage(
                    "--json and --format ask for two things; give one of them",
                ));
            }
        };
        let mut out = Output::open(self.output.as_deref(), format.is_binary())?;
        match format.notation() {
            Some(notation) => write_all(&tours, notation, &mut out)?,
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
        out.finish()?;
        Ok(DONE)
    }
}

fn write_all(tours: &[Tour], notation: Notation, out: &mut Output) -> Result<(), Fail> {
    let mut writer = TourWriter::new(notation, out);
    for tour in tours {
        writer.write(&tour.view())?;
    }
    Ok(())
}
