//! Tours as the page sees them: read, classified, written and drawn.

use crate::refusal::Refusal;
use crate::setup::Ground;
use hippodrome::board::Graph;
use hippodrome::draw::{self, Style, Theme};
use hippodrome::tour::{Hints, Notation, Tour, Verified, read_tours, verify, write_tour};
use serde::Deserialize;
use serde_json::{Value, json};

/// Crossings are looked for on boards of at most so many squares.
const LOOKED_AT: usize = 4_000;

/// A tour in any notation, with its board.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Told {
    ground: Ground,
    tour: String,
}

impl Told {
    pub(crate) fn new(ground: Ground, tour: String) -> Told {
        Told { ground, tour }
    }

    /// The tour, verified.
    pub(crate) fn tour(&self) -> Result<Tour, Refusal> {
        let graph = self.ground.problem()?.graph().clone();
        let claim = read_tours(&self.tour, &hints(&graph)).swap_remove(0).map_err(Refusal::of)?;
        verify(&claim.graph, claim.squares).map_err(Refusal::of)
    }
}

fn hints(graph: &Graph) -> Hints {
    let (board, leaper) = (graph.board().cloned(), graph.piece().cloned());
    Hints { notation: None, board, leaper, graph: None }
}

/// What the page is told of a tour.
pub(crate) fn describe(tour: &Verified<'_>) -> Value {
    let symmetry = tour.clone().into_tour().classify();
    let shape = tour.shape().filter(|_| tour.squares().len() <= LOOKED_AT);
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

fn text(tour: &Verified<'_>, notation: Notation) -> Result<String, Refusal> {
    let mut out = Vec::new();
    write_tour(tour, notation, &mut out).map_err(Refusal::of)?;
    Ok(String::from_utf8_lossy(&out).trim_end().to_string())
}

/// How a tour is taken home.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Form {
    Svg,
    Png,
    Gif,
    Grid,
    Moves,
    Digits,
    Json,
    Tsplib,
}

/// What a picture looks like.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Look {
    #[serde(default)]
    numbers: bool,
    #[serde(default)]
    dark: bool,
    size: Option<u32>,
}

/// The longest picture, in pixels.
const LONGEST: u32 = 4096;

impl Look {
    fn style(self) -> Style {
        Style {
            numbers: self.numbers,
            size: self.size.map(|size| size.clamp(Style::SMALLEST, LONGEST)),
            theme: if self.dark { Theme::Dark } else { Theme::Light },
            ..Style::default()
        }
    }
}

/// A tour in some form: the type of the content, and the content.
pub(crate) fn render(
    tour: &Verified<'_>,
    form: Form,
    look: Look,
) -> Result<(&'static str, Vec<u8>), Refusal> {
    let (style, mut out) = (look.style(), Vec::new());
    let plain = |notation| text(tour, notation).map(|text| (text + "\n").into_bytes());
    let kind = match form {
        Form::Svg => {
            draw::svg(tour, &style, &mut out).map_err(Refusal::of)?;
            "image/svg+xml"
        }
        Form::Png => {
            draw::png(tour, &style, &mut out).map_err(Refusal::of)?;
            "image/png"
        }
        Form::Gif => {
            draw::gif(tour, &style, &mut out).map_err(Refusal::of)?;
            "image/gif"
        }
        Form::Json => {
            out = plain(Notation::Json)?;
            "application/json"
        }
        Form::Grid => {
            out = plain(Notation::Grid)?;
            "text/plain; charset=utf-8"
        }
        Form::Moves => {
            out = plain(Notation::Moves)?;
            "text/plain; charset=utf-8"
        }
        Form::Digits => {
            out = plain(Notation::Digits)?;
            "text/plain; charset=utf-8"
        }
        Form::Tsplib => {
            out = plain(Notation::Tsplib)?;
            "text/plain; charset=utf-8"
        }
    };
    Ok((kind, out))
}
