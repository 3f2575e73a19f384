//! Tours in requests and answers: read, classified, written and drawn.

use crate::api_error::ApiError;
use crate::spec::ProblemSpec;
use hippodrome::board::Graph;
use hippodrome::draw::{self, Style, Theme};
use hippodrome::tour::{Hints, Notation, Tour, Verified, read_tours, verify, write_tour};
use serde::Deserialize;
use serde_json::{Value, json};

/// Largest board, in squares, whose crossings are counted: more than any
/// painted board has.
const MAX_CROSSINGS_SQUARES: usize = 4_000;

/// A tour in any notation, with its board.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct TourRequest {
    ground: ProblemSpec,
    tour: String,
}

impl TourRequest {
    pub(crate) fn new(ground: ProblemSpec, tour: String) -> TourRequest {
        TourRequest { ground, tour }
    }

    /// Reads and verifies the tour.
    pub(crate) fn tour(&self) -> Result<Tour, ApiError> {
        let graph = self.ground.problem()?.graph().clone();
        let claim = read_tours(&self.tour, &hints(&graph)).swap_remove(0).map_err(ApiError::of)?;
        verify(&claim.graph, claim.squares).map_err(ApiError::of)
    }
}

fn hints(graph: &Graph) -> Hints {
    let (board, leaper) = (graph.board().cloned(), graph.piece().cloned());
    Hints { notation: None, board, leaper, graph: None }
}

/// Describes a tour as JSON.
pub(crate) fn describe(tour: &Verified<'_>) -> Value {
    let symmetry = tour.clone().into_tour().classify();
    let shape = tour.shape().filter(|_| tour.squares().len() <= MAX_CROSSINGS_SQUARES);
    json!({
        "squares": tour.squares(),
        "closed": tour.is_closed(),
        "symmetry": symmetry.symmetry(),
        "magic": symmetry.magic.to_string(),
        "turns": shape.map(|s| s.turns),
        "crossings": shape.map(|s| s.crossings),
        "digits": text(tour, Notation::Digits).ok(),
    })
}

fn text(tour: &Verified<'_>, notation: Notation) -> Result<String, ApiError> {
    let mut out = Vec::new();
    write_tour(tour, notation, &mut out).map_err(ApiError::of)?;
    Ok(String::from_utf8_lossy(&out).trim_end().to_string())
}

/// File formats of a tour.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Format {
    Svg,
    Png,
    Gif,
    Grid,
    Moves,
    Digits,
    Json,
    Tsplib,
}

/// Options of an image.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ImageOptions {
    #[serde(default)]
    numbers: bool,
    #[serde(default)]
    dark: bool,
    size: Option<u32>,
}

/// Longest side of an image, in pixels: the width of a 4K screen.
const MAX_IMAGE_PIXELS: u32 = 4096;

impl ImageOptions {
    fn style(self) -> Style {
        Style {
            numbers: self.numbers,
            size: self.size.map(|size| size.clamp(Style::SMALLEST, MAX_IMAGE_PIXELS)),
            theme: if self.dark { Theme::Dark } else { Theme::Light },
            ..Style::default()
        }
    }
}

/// Renders a tour. Returns the content type and the content.
pub(crate) fn render(
    tour: &Verified<'_>,
    format: Format,
    options: ImageOptions,
) -> Result<(&'static str, Vec<u8>), ApiError> {
    let (style, mut out) = (options.style(), Vec::new());
    let plain = |notation| text(tour, notation).map(|text| (text + "\n").into_bytes());
    let kind = match format {
        Format::Svg => {
            draw::svg(tour, &style, &mut out).map_err(ApiError::of)?;
            "image/svg+xml"
        }
        Format::Png => {
            draw::png(tour, &style, &mut out).map_err(ApiError::of)?;
            "image/png"
        }
        Format::Gif => {
            draw::gif(tour, &style, &mut out).map_err(ApiError::of)?;
            "image/gif"
        }
        Format::Json => {
            out = plain(Notation::Json)?;
            "application/json"
        }
        Format::Grid => {
            out = plain(Notation::Grid)?;
            "text/plain; charset=utf-8"
        }
        Format::Moves => {
            out = plain(Notation::Moves)?;
            "text/plain; charset=utf-8"
        }
        Format::Digits => {
            out = plain(Notation::Digits)?;
            "text/plain; charset=utf-8"
        }
        Format::Tsplib => {
            out = plain(Notation::Tsplib)?;
            "text/plain; charset=utf-8"
        }
    };
    Ok((kind, out))
}
