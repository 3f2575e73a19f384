//! Arguments of pictures: style, paper and sheets.

use crate::OutputMode;
use crate::args::{one_of, within};
use crate::fail::Fail;
use crate::tours::Format;
use clap::Args;
use hippodrome::draw::{Caption, Paper, Sheet, SheetReport, Style, Theme};
use hippodrome::tour::Verified;

/// The style of pictures.
#[derive(Args, Clone)]
#[command(next_help_heading = "Picture")]
pub struct StyleArgs {
    /// Number the squares
    #[arg(long)]
    pub numbers: bool,
    /// Longer side in pixels, at most
    #[arg(long, value_name = "PIXELS", value_parser = size, allow_negative_numbers = true)]
    pub size: Option<u32>,
    /// Light lines on a dark board
    #[arg(long, conflicts_with = "mono")]
    pub dark: bool,
    /// One colour instead of colours along the path
    #[arg(long)]
    pub plain: bool,
    /// Black lines on outlined squares
    #[arg(long)]
    pub mono: bool,
    /// Leave out the names of files and ranks, or of vertices
    #[arg(long)]
    pub no_coordinates: bool,
    /// Do not mark the first and the last square
    #[arg(long)]
    pub no_ends: bool,
    /// Speed of an animation, as in 0.5 or 2
    #[arg(long, value_name = "FACTOR", default_value = "1", value_parser = speed, allow_negative_numbers = true)]
    pub speed: f32,
}

/// Parses the longer side of a picture.
pub fn size(text: &str) -> Result<u32, String> {
    within(text, Style::SMALLEST.into(), Style::LARGEST.into()).map(|n| n as u32).map_err(|range| {
        format!("{range}, in pixels (the board is given without an option, as in 'hippo find 8x8')")
    })
}

fn speed(text: &str) -> Result<f32, String> {
    let value = text.parse::<f32>().ok().filter(|speed| (0.1..=10.0).contains(speed));
    value.ok_or_else(|| "write a number from 0.1 to 10, as in 0.5 or 2".into())
}

impl StyleArgs {
    /// Returns the style.
    pub fn style(&self) -> Style {
        Style {
            numbers: self.numbers,
            size: self.size,
            theme: match (self.dark, self.mono) {
                (true, _) => Theme::Dark,
                (false, true) => Theme::Mono,
                (false, false) => Theme::Light,
            },
            coloured: !self.plain,
            coordinates: !self.no_coordinates,
            ends: !self.no_ends,
            speed: self.speed,
        }
    }
}

/// Prints a remark if there is no room for the numbers asked for.
pub fn mind_numbers(mode: OutputMode, tour: &Verified<'_>, format: Format, style: &Style) {
    if format.notation().is_none() && style.numbers && !style.shows_numbers(tour) {
        mode.remark("the squares are too small for numbers; a larger --size may help");
    }
}

/// The paper and its title.
#[derive(Args, Clone)]
#[command(next_help_heading = "Sheet")]
pub struct PaperArgs {
    /// a4 or letter [default: a4 for PDF, otherwise as large as needed]
    #[arg(long, value_name = "SIZE", value_parser = one_of(PAPERS), hide_possible_values = true)]
    pub paper: Option<Paper>,
    /// Paper on its longer side
    #[arg(long)]
    pub landscape: bool,
    /// Title above the figures
    #[arg(long, value_name = "TEXT")]
    pub title: Option<String>,
}

const PAPERS: &[(&str, Paper, &str)] =
    &[("a4", Paper::A4, "210 x 297 mm"), ("letter", Paper::Letter, "8.5 x 11 inches")];

impl PaperArgs {
    /// Returns whether an option asks for a sheet.
    pub fn is_given(&self) -> bool {
        self.paper.is_some() || self.landscape || self.title.is_some()
    }

    /// Returns the options of a sheet. Paper on its longer side is A4 unless it is named.
    pub fn sheet(
        &self,
        columns: Option<u32>,
        caption: Option<&str>,
        style: Style,
    ) -> Result<Sheet, Fail> {
        Ok(Sheet {
            paper: self.paper.or(self.landscape.then_some(Paper::A4)),
            landscape: self.landscape,
            columns,
            title: self.title.clone().filter(|title| !title.trim().is_empty()),
            caption: caption.map(Caption::parse).transpose()?,
            style,
        })
    }
}

/// Prints what a sheet shows.
pub fn report_sheet(mode: OutputMode, report: SheetReport) {
    if report.small_squares {
        mode.remark("the squares are too small for numbers; fewer --columns may help");
    }
    if report.pages > 1 {
        mode.remark(&format!("{} figures on {} pages", report.figures, report.pages));
    }
}
