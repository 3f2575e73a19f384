//! Reads, classifies, writes and draws the tours in requests and responses.

use crate::api_error::ApiError;
use crate::spec::ProblemSpec;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use hippodrome::board::Graph;
use hippodrome::draw::{self, Caption, DrawError, SheetFormat, Style, Theme};
use hippodrome::tour::{Hints, Notation, Tour, Verified, read_tours, verify, write_tour};
use serde::Deserialize;
use serde_json::{Value, json};
use std::io::Write;

/// Maximum number of squares for which turns and crossings are counted. On more squares, counting takes longer
/// than the time between two frames.
const MAX_CROSSINGS_SQUARES: usize = 4_000;

/// A tour in any notation, with the board that it is on.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct TourRequest {
    pub(crate) ground: ProblemSpec,
    pub(crate) tour: String,
}

impl TourRequest {
    /// Reads and verifies the tour.
    pub(crate) fn tour(&self) -> Result<Tour, ApiError> {
        read_tour(self.ground.problem()?.graph(), &self.tour)
    }
}

/// Reads and verifies the first tour of a text.
pub(crate) fn read_tour(graph: &Graph, text: &str) -> Result<Tour, ApiError> {
    let hints = Hints { graph: Some(graph.clone()), ..Hints::default() };
    let claim = read_tours(text, &hints).swap_remove(0)?;
    Ok(verify(&claim.graph, claim.squares)?)
}

/// Describes a tour as JSON.
pub(crate) fn describe(tour: &Verified<'_>) -> Value {
    let class = tour.classify();
    let shape = tour.shape().filter(|_| tour.squares().len() <= MAX_CROSSINGS_SQUARES);
    json!({
        "squares": tour.squares(),
        "closed": tour.is_closed(),
        "symmetry": class.symmetry(),
        "magic": class.magic.to_string(),
        "turns": shape.map(|s| s.turns),
        "crossings": shape.map(|s| s.crossings),
        "digits": text(tour, Notation::Digits).ok(),
    })
}

fn text(tour: &Verified<'_>, notation: Notation) -> Result<String, ApiError> {
    let mut out = Vec::new();
    write_tour(tour, notation, &mut out)?;
    Ok(String::from_utf8_lossy(&out).trim_end().to_string())
}

/// The file format of a tour.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Format {
    Svg,
    Png,
    Gif,
    Pdf,
    Grid,
    Moves,
    Digits,
    Json,
    Tsplib,
    Csv,
    Coords,
    Numbers,
    Latex,
}

/// The options of an image.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ImageOptions {
    #[serde(default)]
    numbers: bool,
    #[serde(default)]
    dark: bool,
    size: Option<u32>,
    /// A text below each tour, which may contain placeholders such as `{crossings}`. Animations have none.
    caption: Option<String>,
}

/// Maximum length of a caption or a title in bytes. A longer one does not fit below an image.
const MAX_CAPTION: usize = 500;

/// Maximum side of an image in pixels: the width of a 4K screen.
const MAX_IMAGE_PIXELS: u32 = 4096;

impl ImageOptions {
    /// Parses the caption. A blank one counts as none.
    pub(crate) fn caption(&self) -> Result<Option<Caption>, ApiError> {
        let given = self.caption.as_deref().filter(|text| !text.trim().is_empty());
        given.map(|text| Ok(Caption::parse(short("caption", text)?)?)).transpose()
    }

    pub(crate) fn style(&self) -> Style {
        Style {
            numbers: self.numbers,
            size: self.size.map(|size| size.clamp(Style::SMALLEST, MAX_IMAGE_PIXELS)),
            theme: if self.dark { Theme::Dark } else { Theme::Light },
            ..Style::default()
        }
    }
}

/// Returns a text, or an error if it is too long to be drawn.
pub(crate) fn short<'t>(name: &str, text: &'t str) -> Result<&'t str, ApiError> {
    match text.len() {
        0..=MAX_CAPTION => Ok(text),
        length => Err(ApiError::too_large(format!(
            "the {name} has {length} bytes: expected at most {MAX_CAPTION}"
        ))),
    }
}

const PLAIN_TEXT: &str = "text/plain; charset=utf-8";

/// A function that draws a tour in one format.
type Draw = fn(&Verified<'_>, &Style, &mut dyn Write) -> Result<(), DrawError>;

/// Renders a tour as a file.
pub(crate) fn render(
    tour: &Verified<'_>,
    format: Format,
    options: &ImageOptions,
) -> Result<Response, ApiError> {
    let caption = options.caption()?.map(|caption| caption.fill(tour, 1));
    let file = |kind, bytes: Vec<u8>| ([(header::CONTENT_TYPE, kind)], bytes).into_response();
    let drawn = |kind, draw: Draw| {
        let mut out = Vec::new();
        draw(tour, &options.style(), &mut out)?;
        Ok(file(kind, out))
    };
    let captioned = |kind, form, draw: Draw| match &caption {
        None => drawn(kind, draw),
        Some(caption) => {
            let mut out = Vec::new();
            draw::captioned(tour, caption, &options.style(), form, &mut out)?;
            Ok(file(kind, out))
        }
    };
    let written = |kind, notation| Ok(file(kind, (text(tour, notation)? + "\n").into_bytes()));
    match format {
        Format::Svg => captioned("image/svg+xml", SheetFormat::Svg, |tour, style, out| {
            draw::svg(tour, style, out)
        }),
        Format::Png => {
            captioned("image/png", SheetFormat::Png, |tour, style, out| draw::png(tour, style, out))
        }
        Format::Gif => drawn("image/gif", draw::gif),
        Format::Pdf => captioned("application/pdf", SheetFormat::Pdf, |tour, style, out| {
            draw::pdf(tour, style, out)
        }),
        Format::Json => written("application/json", Notation::Json),
        Format::Grid => written(PLAIN_TEXT, Notation::Grid),
        Format::Moves => written(PLAIN_TEXT, Notation::Moves),
        Format::Digits => written(PLAIN_TEXT, Notation::Digits),
        Format::Tsplib => written(PLAIN_TEXT, Notation::Tsplib),
        Format::Csv => written("text/csv; charset=utf-8", Notation::Csv),
        Format::Coords => written(PLAIN_TEXT, Notation::Coords),
        Format::Numbers => written(PLAIN_TEXT, Notation::Numbers),
        Format::Latex => written(PLAIN_TEXT, Notation::Latex),
    }
}
