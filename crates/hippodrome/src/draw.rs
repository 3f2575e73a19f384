//! Pictures of tours: SVG, PDF, PNG and animated GIF, drawn with the same strokes.
//!
//! A picture shows the board in two muted tones, the moves coloured by time, the start as a disc and the
//! end as a ring. On boards with more than 120x120 squares, where lines would blur, each square is coloured
//! by the time of its visit. The vertices of a graph lie on a circle in the order of the tour, or at given
//! positions. An SVG contains its tour in `<metadata id="hippodrome-tour">` and can be read back. A sheet
//! shows many figures with captions.
//!
//! ```text
//!   Drawable ─▶ layout ─▶ picture ─┬─▶ markup (SVG)
//!            (places)  (strokes) ├─▶ pdf
//!     sheet ─▶ placed ───────────┴─▶ raster (pixels) ─▶ PNG, animation (GIF)
//! ```

mod animation;
mod backdrop;
mod caption;
mod captioned;
pub mod chart;
mod colour;
mod drawable;
mod error;
mod escape;
mod field;
mod glyph;
mod heat;
mod layout;
mod lettering;
mod markup;
mod paper;
mod pdf;
mod pen;
mod picture;
mod placed;
mod places;
mod raster;
mod rim;
mod sheet;
#[cfg(test)]
mod tests;
mod weight_sheet;
mod why;

pub use caption::{Caption, CaptionError, PLACEHOLDERS, Placeholder};
pub use captioned::captioned;
pub use drawable::Drawable;
pub use error::DrawError;
pub use escape::Escaped;
pub use heat::Heat;
pub use paper::Paper;
pub use sheet::{Sheet, SheetFormat, SheetReport, SheetWriter};
pub use why::Panel;

use crate::board::move_weights::MoveWeights;
use crate::board::{Board, Graph};
use crate::tour::{Verified, tour_json};
use error::SVG_SQUARES;
use heat::HeatPicture;
use layout::Space;
use markup::SvgPen;
use pdf::PdfFile;
use pen::Pen;
use picture::Picture;
use raster::Raster;
use std::io::Write;
use weight_sheet::WeightSheet;
use why::WhyPicture;

/// Options of a drawing.
#[derive(Clone, PartialEq, Debug)]
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
    /// Mark both ends; otherwise the closing move of a closed tour is drawn like the others.
    pub ends: bool,
    /// Speed of an animation; 1 is the usual one.
    pub speed: f32,
}

/// Colours of board and page.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Theme {
    /// A light page.
    #[default]
    Light,
    /// A dark page.
    Dark,
    /// Black lines on outlined squares, for print.
    Mono,
}

impl Default for Style {
    fn default() -> Style {
        Style {
            numbers: false,
            size: None,
            theme: Theme::Light,
            coloured: true,
            coordinates: true,
            ends: true,
            speed: 1.0,
        }
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

    /// Returns whether the path is coloured along its length.
    fn is_coloured(&self) -> bool {
        self.coloured && self.theme != Theme::Mono
    }

    /// Returns whether a still picture of the tour shows move numbers.
    pub fn shows_numbers(&self, tour: &Verified<'_>) -> bool {
        let layout = layout::PictureLayout::new(&tour.into(), self, Space::Alone(None));
        layout.is_ok_and(|layout| layout.numbers.is_some())
    }
}

/// Writes a figure as SVG, with its tour in the metadata.
pub fn svg<'a>(
    figure: impl Into<Drawable<'a>>,
    style: &Style,
    out: &mut dyn Write,
) -> Result<(), DrawError> {
    let figure = figure.into();
    let (graph, order) = (figure.graph(), figure.path().len());
    if order > SVG_SQUARES {
        return Err(DrawError::TooLargeForSvg { graph: graph.to_string(), order });
    }
    let picture = Picture::new(figure, style, Space::Alone(None))?;
    let mut pen = SvgPen::open(out, picture.layout.size, &figure.title())?;
    if let Drawable::Tour(tour) = figure {
        pen.metadata(&tour_json(tour), 0)?;
    }
    picture.paint(&mut pen)?;
    Ok(pen.close()?)
}

/// Writes a figure as PNG.
pub fn png<'a>(
    figure: impl Into<Drawable<'a>>,
    style: &Style,
    out: &mut dyn Write,
) -> Result<(), DrawError> {
    let picture = Picture::new(figure.into(), style, Space::Alone(None))?;
    write_png(out, picture.layout.size, |pen| picture.paint(pen))
}

/// Writes a figure as a PDF whose page has the size of the picture; [`Sheet`] has paper.
pub fn pdf<'a>(
    figure: impl Into<Drawable<'a>>,
    style: &Style,
    out: &mut dyn Write,
) -> Result<(), DrawError> {
    let figure = figure.into();
    let picture = Picture::new(figure, style, Space::Alone(None))?;
    let mut file = PdfFile::open(out, &figure.title())?;
    let (width, height) = picture.layout.size;
    file.page((width as f32, height as f32), |pen| picture.paint(pen))?;
    Ok(file.close()?)
}

/// Writes weights on moves as SVG.
pub fn move_weights_svg(
    weights: &MoveWeights,
    style: &Style,
    out: &mut dyn Write,
) -> Result<(), DrawError> {
    let sheet = WeightSheet::new(weights, style)?;
    write_svg(out, sheet.size, &sheet.title(), |pen| Ok(sheet.paint(pen)?))
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
    write_svg(out, sheet.size, &heat.title, |pen| Ok(sheet.paint(pen)?))
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
    write_svg(out, picture.size, &picture.title(), |pen| Ok(picture.paint(pen)?))
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

/// Writes a painting as SVG.
fn write_svg(
    out: &mut dyn Write,
    size: (u32, u32),
    title: &str,
    paint: impl FnOnce(&mut dyn Pen) -> Result<(), DrawError>,
) -> Result<(), DrawError> {
    let mut pen = SvgPen::open(out, size, title)?;
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

/// Returns the number of frames in the animation of a tour.
pub fn gif_frames(tour: &Verified<'_>) -> usize {
    animation::frames(tour.squares().len())
}

/// Writes a tour as an animated GIF of at most 600 pixels that grows move by move.
pub fn gif(tour: &Verified<'_>, style: &Style, out: &mut dyn Write) -> Result<(), DrawError> {
    let picture = Picture::new(tour.into(), style, Space::Alone(Some(animation::LONGEST)))?;
    let order = tour.squares().len();
    if !picture.layout.has_lines() || order > layout::LINE_SQUARES {
        let size = style.size.unwrap_or(animation::LONGEST).min(animation::LONGEST);
        return Err(DrawError::TooLargeForGif { graph: tour.graph().to_string(), size });
    }
    animation::write(&picture, order, (style.speed, style.ends), out)
}
