//! Pictures of tours: SVG, PNG and animated GIF, drawn with the same strokes.
//!
//! A picture shows the board in two muted tones, the moves coloured by time, the start as a disc and the
//! end as a ring. On boards with more than 120x120 squares, where lines would blur, each square is coloured
//! by the time of its visit. An SVG contains its tour in `<metadata id="hippodrome-tour">` and can be
//! read back.
//!
//! ```text
//!   Verified tour ─▶ layout ─▶ picture ─┬─▶ svg (text)
//!                   (places)  (strokes) └─▶ raster (pixels) ─▶ PNG, animation (GIF)
//! ```

mod animation;
pub mod chart;
mod colour;
mod escape;
mod field;
mod glyph;
mod heat;
mod layout;
mod markup;
mod pen;
mod picture;
mod raster;
#[cfg(test)]
mod tests;
mod weight_sheet;
mod why;

pub use escape::Escaped;
pub use heat::Heat;
pub use why::Panel;

use crate::board::move_weights::MoveWeights;
use crate::board::{Board, Graph};
use crate::error::{Argument, Diagnostic, ErrorKind, Remedy};
use crate::tour::{Verified, tour_json};
use heat::HeatPicture;
use markup::SvgPen;
use pen::Pen;
use picture::Picture;
use raster::Raster;
use serde_json::Value;
use std::io::{self, Write};
use thiserror::Error;
use weight_sheet::WeightSheet;
use why::WhyPicture;

/// Options of a drawing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Style {
    /// Show move numbers where squares are large enough.
    pub numbers: bool,
    /// The longer side of the picture in pixels; `None` adapts to the board.
    pub size: Option<u32>,
    /// Colours of board and page.
    pub theme: Theme,
    /// Colour the path along its length; otherwise use one colour.
    pub coloured: bool,
    /// Show files and ranks on boards up to 30 long, or names around small graphs.
    pub coordinates: bool,
}

/// Colours of board and page.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Theme {
    /// A light page.
    #[default]
    Light,
    /// A dark page.
    Dark,
}

impl Default for Style {
    fn default() -> Style {
        Style { numbers: false, size: None, theme: Theme::Light, coloured: true, coordinates: true }
    }
}

impl Style {
    /// Smallest size.
    pub const SMALLEST: u32 = 64;
    /// Largest size.
    pub const LARGEST: u32 = 8192;

    /// Returns the requested size, or an error if it is out of bounds.
    fn checked_size(&self) -> Result<Option<u32>, DrawError> {
        match self.size {
            Some(asked) if !(Style::SMALLEST..=Style::LARGEST).contains(&asked) => {
                Err(DrawError::Size { asked })
            }
            size => Ok(size),
        }
    }

    /// Returns whether a still picture of the tour shows move numbers.
    pub fn shows_numbers(&self, tour: &Verified<'_>) -> bool {
        let layout = layout::PictureLayout::new(tour.graph(), self, None);
        layout.is_ok_and(|layout| layout.numbers.is_some())
    }
}

/// Why a picture cannot be drawn.
#[derive(Error, Debug)]
pub enum DrawError {
    /// A size out of bounds.
    #[error(
        "invalid picture size {asked}: expected a number of pixels from {} to {}",
        Style::SMALLEST,
        Style::LARGEST
    )]
    Size {
        /// The requested size.
        asked: u32,
    },
    /// Too many or too small squares for an animation.
    #[error(
        "{graph} is too large for an animated GIF of {size} pixels: its squares would not be visible"
    )]
    TooLargeForGif {
        /// The board or graph.
        graph: String,
        /// The longer side of the animation.
        size: u32,
    },
    /// A graph without a board.
    #[error("{graph} is not a board: pheromone can only be drawn on a board")]
    NoBoard {
        /// The graph.
        graph: String,
    },
    /// A graph or a large board whose reason cannot be drawn.
    #[error("{graph} cannot be drawn: a picture of a reason shows a board of at most 40x40")]
    NotExplained {
        /// The board or graph.
        graph: String,
    },
    /// Too many squares for pheromone.
    #[error("{graph} is too large: pheromone is visible on boards up to 200x200")]
    TooLargeForTrails {
        /// The board.
        graph: String,
    },
    /// Too many squares for an SVG.
    #[error(
        "{graph} has {order} squares, too many for an SVG with its tour (the limit is {SVG_SQUARES})"
    )]
    TooLargeForSvg {
        /// The board or graph.
        graph: String,
        /// Its number of squares.
        order: usize,
    },
    /// The output failed.
    #[error(transparent)]
    Io(#[from] io::Error),
}

impl Diagnostic for DrawError {
    fn kind(&self) -> ErrorKind {
        match self {
            DrawError::Size { .. } => ErrorKind::Invalid,
            DrawError::Io(_) => ErrorKind::Io,
            _ => ErrorKind::Unsupported,
        }
    }

    fn remedies(&self) -> Vec<Remedy> {
        match self {
            DrawError::TooLargeForGif { .. } | DrawError::TooLargeForSvg { .. } => {
                vec![Remedy::Set(Argument::Format, &["png"])]
            }
            _ => Vec::new(),
        }
    }
}

/// Most squares of an SVG: its metadata alone takes 40 MB.
const SVG_SQUARES: usize = 4_000_000;

/// Writes a tour as SVG, with the tour in its metadata.
pub fn svg(tour: &Verified<'_>, style: &Style, out: &mut dyn Write) -> Result<(), DrawError> {
    let (graph, order) = (tour.graph(), tour.squares().len());
    if order > SVG_SQUARES {
        return Err(DrawError::TooLargeForSvg { graph: graph.to_string(), order });
    }
    let picture = Picture::new(tour, style, None)?;
    let kind = if tour.is_closed() { "Closed tour" } else { "Open tour" };
    let ends = [tour.squares().first(), tour.squares().last()];
    let [first, last] = ends.map(|end| end.map_or(String::new(), |&s| graph.name(s)));
    let title = format!("{kind} of {graph}, from {first} to {last}");
    let metadata = tour_json(tour);
    write_svg(out, picture.layout.size, &title, Some(&metadata), |pen| picture.paint(pen))
}

/// Writes a tour as PNG.
pub fn png(tour: &Verified<'_>, style: &Style, out: &mut dyn Write) -> Result<(), DrawError> {
    let picture = Picture::new(tour, style, None)?;
    write_png(out, picture.layout.size, |pen| picture.paint(pen))
}

/// Writes weights on moves as SVG.
pub fn move_weights_svg(
    weights: &MoveWeights,
    style: &Style,
    out: &mut dyn Write,
) -> Result<(), DrawError> {
    let sheet = WeightSheet::new(weights, style)?;
    write_svg(out, sheet.size, &sheet.title(), None, |pen| Ok(sheet.paint(pen)?))
}

/// Writes weights on moves as PNG.
pub fn move_weights_png(
    weights: &MoveWeights,
    style: &Style,
    out: &mut dyn Write,
) -> Result<(), DrawError> {
    let sheet = WeightSheet::new(weights, style)?;
    write_png(out, sheet.size, |pen| Ok(sheet.paint(pen)?))
}

/// Writes a map of over- and under-use as SVG.
pub fn heat_svg(heat: &Heat, style: &Style, out: &mut dyn Write) -> Result<(), DrawError> {
    let sheet = HeatPicture::new(heat, style)?;
    write_svg(out, sheet.size, &heat.title, None, |pen| Ok(sheet.paint(pen)?))
}

/// Writes a map of over- and under-use as PNG.
pub fn heat_png(heat: &Heat, style: &Style, out: &mut dyn Write) -> Result<(), DrawError> {
    let sheet = HeatPicture::new(heat, style)?;
    write_png(out, sheet.size, |pen| Ok(sheet.paint(pen)?))
}

/// Writes the reasons why there is no tour as SVG, one board per reason.
pub fn why_svg(
    graph: &Graph,
    panels: &[Panel<'_>],
    style: &Style,
    out: &mut dyn Write,
) -> Result<(), DrawError> {
    let picture = WhyPicture::new(graph, panels, style)?;
    write_svg(out, picture.size, &picture.title(), None, |pen| Ok(picture.paint(pen)?))
}

/// Writes the reasons why there is no tour as PNG, one board per reason.
pub fn why_png(
    graph: &Graph,
    panels: &[Panel<'_>],
    style: &Style,
    out: &mut dyn Write,
) -> Result<(), DrawError> {
    let picture = WhyPicture::new(graph, panels, style)?;
    write_png(out, picture.size, |pen| Ok(picture.paint(pen)?))
}

/// Writes a painting as SVG, with its tour in the metadata.
fn write_svg(
    out: &mut dyn Write,
    size: (u32, u32),
    title: &str,
    tour: Option<&Value>,
    paint: impl FnOnce(&mut dyn Pen) -> Result<(), DrawError>,
) -> Result<(), DrawError> {
    let mut pen = SvgPen::open(out, size, title, tour)?;
    paint(&mut pen)?;
    Ok(pen.close()?)
}

/// Writes a painting as PNG.
fn write_png(
    out: &mut dyn Write,
    size: (u32, u32),
    paint: impl FnOnce(&mut dyn Pen) -> Result<(), DrawError>,
) -> Result<(), DrawError> {
    let mut raster = Raster::new(size)?;
    paint(&mut raster)?;
    raster.write_png(out)
}

/// Returns the board of a graph, or an error if it has none or is longer than `longest`.
fn board_up_to(longest: u32, graph: &Graph) -> Result<&Board, DrawError> {
    let Some(board) = graph.board() else {
        return Err(DrawError::NoBoard { graph: graph.to_string() });
    };
    if board.rows().max(board.cols()) > longest {
        return Err(DrawError::TooLargeForTrails { graph: graph.to_string() });
    }
    Ok(board)
}

/// Writes a tour as an animated GIF of at most 600 pixels that grows move by move.
pub fn gif(tour: &Verified<'_>, style: &Style, out: &mut dyn Write) -> Result<(), DrawError> {
    let picture = Picture::new(tour, style, Some(animation::LONGEST))?;
    let order = tour.squares().len();
    if !picture.layout.has_lines() || order > layout::LINE_SQUARES {
        let size = style.size.unwrap_or(animation::LONGEST).min(animation::LONGEST);
        return Err(DrawError::TooLargeForGif { graph: tour.graph().to_string(), size });
    }
    animation::write(&picture, order, out)
}
