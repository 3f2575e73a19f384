//! `hippo convert`: between notations, and to rotated, reflected, reversed and canonical tours.

use crate::OutputMode;
use crate::args::one_of;
use crate::fail::{DONE, Fail};
use crate::output::Output;
use crate::pictures::StyleArgs;
use crate::readings::each_tour;
use crate::tours::{Format, SourceArgs, write_one};
use clap::Args;
use hippodrome::board::Symmetry;
use hippodrome::tour::{Tour, TourWriter, TransformError};

/// Convert tours from one notation to another, and rotate or reflect them
#[derive(Args)]
#[command(
    after_help = "Example:\n  hippo find 8x8 | hippo convert --format digits\n  hippo find 5x6 | hippo convert --rotate 90 --format grid"
)]
pub struct Convert {
    /// File to write instead of standard output; its extension sets the format
    #[arg(long, short, value_name = "FILE", help_heading = "Output")]
    output: Option<String>,
    /// grid|moves|digits|json|tsplib|csv|coords|numbers|latex|svg|png|gif|pdf
    #[arg(long, value_name = "FORMAT", value_parser = one_of(Format::CHOICES), hide_possible_values = true, help_heading = "Output")]
    format: Option<Format>,
    #[command(flatten)]
    transform: TransformArgs,
    #[command(flatten)]
    source: SourceArgs,
    #[command(flatten)]
    style: StyleArgs,
}

/// Transformations, applied in the order of the help.
#[derive(Args)]
#[command(next_help_heading = "Transformation")]
struct TransformArgs {
    /// Rotate clockwise by 90, 180 or 270 degrees
    #[arg(long, value_name = "DEGREES", value_parser = one_of(ROTATIONS), hide_possible_values = true)]
    rotate: Option<Symmetry>,
    /// Reverse rows or columns, or reflect in the diagonal or antidiagonal
    #[arg(long, value_name = "AXIS", value_parser = one_of(REFLECTIONS), hide_possible_values = true)]
    reflect: Option<Symmetry>,
    /// Reverse the direction
    #[arg(long)]
    reverse: bool,
    /// Start at this square; only for closed tours
    #[arg(long, value_name = "SQUARE")]
    start: Option<String>,
    /// Replace each tour by the canonical form of its class
    #[arg(long, conflicts_with_all = ["rotate", "reflect", "reverse", "start"])]
    canonical: bool,
}

const ROTATIONS: &[(&str, Symmetry, &str)] = &[
    ("90", Symmetry::ThreeQuarterTurn, "A quarter turn clockwise"),
    ("180", Symmetry::HalfTurn, "A half turn"),
    ("270", Symmetry::QuarterTurn, "A quarter turn counterclockwise"),
];

const REFLECTIONS: &[(&str, Symmetry, &str)] = &[
    ("rows", Symmetry::TopBottom, "Exchange top and bottom"),
    ("columns", Symmetry::LeftRight, "Exchange left and right"),
    ("diagonal", Symmetry::Diagonal, "Reflect in the diagonal through a1"),
    ("antidiagonal", Symmetry::AntiDiagonal, "Reflect in the other diagonal"),
];

impl TransformArgs {
    fn apply(&self, mut tour: Tour) -> Result<Tour, Fail> {
        let of = |error: TransformError| Fail::of(&error);
        for symmetry in [self.rotate, self.reflect].into_iter().flatten() {
            tour = tour.image(symmetry).map_err(of)?;
        }
        if self.reverse {
            tour = tour.reversed().map_err(of)?;
        }
        if let Some(name) = &self.start {
            let start = tour.graph().vertex(name)?;
            tour = tour.from_start(start).map_err(of)?;
        }
        if self.canonical {
            tour = tour.canonical().map_err(of)?;
        }
        Ok(tour)
    }
}

/// Returns the tours of a source, or an error that names the first invalid one.
pub fn valid_tours(source: &SourceArgs) -> Result<Vec<Tour>, Fail> {
    let mut tours = Vec::new();
    each_tour(source, |tour| {
        tours.push(tour);
        Ok(())
    })?;
    Ok(tours)
}

impl Convert {
    /// Verifies, transforms and converts every tour.
    pub fn run(self, mode: OutputMode) -> Result<u8, Fail> {
        let asked = Format::asked(self.format, self.output.as_deref(), mode)?;
        let format = asked.unwrap_or(Format::MOVES);
        let Some(notation) = format.notation() else { return self.draw(format, mode) };
        let mut out = Output::open(self.output.as_deref(), format.is_binary())?;
        let mut writer = TourWriter::new(notation, &mut out);
        each_tour(&self.source, |tour| Ok(writer.write(&self.transform.apply(tour)?.view())?))?;
        out.finish(mode)?;
        Ok(DONE)
    }

    /// Draws the only tour.
    fn draw(self, format: Format, mode: OutputMode) -> Result<u8, Fail> {
        let tours = valid_tours(&self.source)?;
        let [tour] = &tours[..] else {
            return Err(Fail::usage(format!(
                "{} contains {} tours and a picture shows one; choose a text format, or one tour with 'hippo draw --tour N'",
                self.source.name(),
                tours.len()
            )));
        };
        let tour = self.transform.apply(tour.clone())?;
        let mut out = Output::open(self.output.as_deref(), format.is_binary())?;
        write_one(&tour.view(), format, &self.style.style(), &mut out)?;
        out.finish(mode)?;
        Ok(DONE)
    }
}
