//! Why a picture cannot be drawn.

use super::{CaptionError, Style};
use crate::error::{Argument, Diagnostic, ErrorKind, Remedy};
use std::io;
use thiserror::Error;

/// Most squares of an SVG: its metadata alone takes 40 MB.
pub(super) const SVG_SQUARES: usize = 4_000_000;

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
    /// A board without a tour whose squares would not be visible.
    #[error("{graph} is too large for a board without a tour: its squares would not be visible")]
    TooLargeForBlank {
        /// The board.
        graph: String,
    },
    /// Squares too small for the text in them.
    #[error("the squares are too small for '{text}' to be readable")]
    SmallSquares {
        /// The longest text.
        text: String,
    },
    /// More columns than the page has room for.
    #[error("{asked} columns do not fit on the page: expected 1 to {most}")]
    Columns {
        /// The requested number.
        asked: u32,
        /// The largest number.
        most: u32,
    },
    /// More figures than one page shows.
    #[error(
        "one page has room for {fit} figures, and there are more; only a PDF has several pages"
    )]
    SeveralPages {
        /// Figures on a page.
        fit: usize,
    },
    /// More figures than one picture shows.
    #[error(
        "a sheet of one picture has at most {most} figures at this size; a PDF has several pages"
    )]
    LongSheet {
        /// The largest number.
        most: usize,
    },
    /// A sheet without figures.
    #[error("there is nothing to draw on the sheet")]
    EmptySheet,
    /// A text that does not fit.
    #[error("there is no room for the text '{text}'")]
    NoRoom {
        /// The text.
        text: String,
    },
    /// A character without a glyph.
    #[error("the character '{0}' cannot be drawn: expected ASCII or a letter with an accent")]
    Character(char),
    /// An invalid caption.
    #[error(transparent)]
    Caption(#[from] CaptionError),
    /// The output failed.
    #[error(transparent)]
    Io(#[from] io::Error),
}

impl Diagnostic for DrawError {
    fn kind(&self) -> ErrorKind {
        match self {
            DrawError::Size { .. }
            | DrawError::Columns { .. }
            | DrawError::NoRoom { .. }
            | DrawError::SmallSquares { .. }
            | DrawError::EmptySheet
            | DrawError::Character(_)
            | DrawError::Caption(_) => ErrorKind::Invalid,
            DrawError::Io(_) => ErrorKind::Io,
            _ => ErrorKind::Unsupported,
        }
    }

    fn remedies(&self) -> Vec<Remedy> {
        match self {
            DrawError::TooLargeForGif { .. } | DrawError::TooLargeForSvg { .. } => {
                vec![Remedy::Set(Argument::Format, &["png"])]
            }
            DrawError::SeveralPages { .. } | DrawError::LongSheet { .. } => {
                vec![Remedy::Set(Argument::Format, &["pdf"])]
            }
            DrawError::TooLargeForBlank { .. } => vec![Remedy::Do("try a smaller board")],
            DrawError::SmallSquares { .. } => {
                vec![Remedy::Raise(Argument::Size), Remedy::Lower(Argument::Columns)]
            }
            DrawError::NoRoom { .. } => {
                vec![Remedy::Do("shorten it"), Remedy::Lower(Argument::Columns)]
            }
            _ => Vec::new(),
        }
    }
}
