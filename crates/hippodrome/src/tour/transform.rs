//! Images of a tour: rotated, reflected, reversed, from another start, and in canonical form.
//!
//! Every result is verified again. A rotation by a quarter turn and a reflection in a diagonal turn a
//! 5x6 board into a 6x5 board, holes included.

use super::canon::line;
use super::{Tour, TourFault, verify};
use crate::board::{Board, BoardError, Graph, Square, Symmetry};
use crate::error::{Diagnostic, ErrorKind};
use thiserror::Error;
use xxhash_rust::xxh3::xxh3_128;

/// Errors in transforming a tour.
#[derive(Error, Debug, Clone, PartialEq, Eq)]
pub enum TransformError {
    /// A graph has no rotations and reflections.
    #[error(
        "{0} is not a board, so its tours cannot be rotated or reflected; only reverse them, or change the start"
    )]
    NotABoard(String),
    /// Only closed tours can start anywhere.
    #[error("the tour is open, so it cannot start at {0}; give a closed tour, or reverse it")]
    Open(String),
    /// The square is not on the board.
    #[error("{square} is not a square of {graph}")]
    NotASquare {
        /// The square.
        square: String,
        /// The graph.
        graph: String,
    },
    /// The image of a board is invalid.
    #[error(transparent)]
    Board(#[from] BoardError),
    /// A bug: the image of a tour is not a tour.
    #[error("the image of the tour is not a tour: {0}")]
    Invalid(#[from] TourFault),
}

impl Diagnostic for TransformError {
    fn kind(&self) -> ErrorKind {
        match self {
            TransformError::NotABoard(_) => ErrorKind::Unsupported,
            TransformError::Invalid(_) => ErrorKind::Bug,
            _ => ErrorKind::Invalid,
        }
    }
}

/// The image of a board, and the squares on it.
type BoardImage = (Board, Vec<Square>);

fn image(tour: &Tour, symmetry: Symmetry) -> Result<BoardImage, TransformError> {
    let graph = tour.graph();
    let not_a_board = || TransformError::NotABoard(graph.to_string());
    let board = graph.board().ok_or_else(not_a_board)?;
    let squares = tour.squares().iter().map(|&square| symmetry.apply(board, square)).collect();
    Ok((symmetry.image(board)?, squares))
}

impl Tour {
    /// Returns the image of the tour under a rotation or reflection.
    pub fn image(&self, symmetry: Symmetry) -> Result<Tour, TransformError> {
        let (board, squares) = image(self, symmetry)?;
        Ok(verify(&self.on(board), squares)?)
    }

    /// Returns the tour in the other direction.
    pub fn reversed(&self) -> Result<Tour, TransformError> {
        Ok(verify(&self.graph, self.squares.iter().rev().copied().collect())?)
    }

    /// Returns the closed tour from another start.
    pub fn from_start(&self, start: Square) -> Result<Tour, TransformError> {
        let name = || self.graph.name(start);
        let Some(at) = self.squares.iter().position(|&square| square == start) else {
            let (square, graph) = (name(), self.graph.to_string());
            return Err(TransformError::NotASquare { square, graph });
        };
        if at > 0 && !self.closed {
            return Err(TransformError::Open(name()));
        }
        let (before, after) = self.squares.split_at(at);
        Ok(verify(&self.graph, [after, before].concat())?)
    }

    /// Returns the canonical form: the same for all rotations, reflections, directions and, if the tour is
    /// closed, starts of the tour.
    ///
    /// Of all these images it is the one whose board has the fewest rows, then the smallest numbers of
    /// holes, then the smallest numbers of squares in order. On a square board without holes this is the
    /// form that sets of tours up to symmetry contain.
    pub fn canonical(&self) -> Result<Tour, TransformError> {
        if self.graph.board().is_none() {
            let mut squares = Vec::new();
            line(&self.squares, self.closed, &mut squares);
            return Ok(verify(&self.graph, squares)?);
        }
        let mut best: Option<BoardImage> = None;
        for symmetry in Symmetry::ALL {
            let (board, squares) = image(self, symmetry)?;
            let mut form = Vec::new();
            line(&squares, self.closed, &mut form);
            let precedes = |(other, least): &BoardImage| {
                let size = board.rows().cmp(&other.rows());
                size.then_with(|| board.holes().cmp(other.holes())).then_with(|| form.cmp(least))
            };
            if best.as_ref().is_none_or(|best| precedes(best).is_lt()) {
                best = Some((board, form));
            }
        }
        let (board, squares) = best.ok_or(TourFault::Empty)?;
        Ok(verify(&self.on(board), squares)?)
    }

    /// Returns the key of the tour's class: 32 hexadecimal digits, equal for tours with the same
    /// [canonical form](Tour::canonical).
    ///
    /// It is the 128-bit XXH3 hash of a text: the board such as `8x8`, its holes with commas between,
    /// the leaper such as `1,2`, `open` or `closed`, and the names of the squares of the canonical form,
    /// each with a blank before it except the board. The key is the same in all versions.
    pub fn class_key(&self) -> Result<String, TransformError> {
        let form = self.canonical()?;
        let graph = form.graph();
        let mut text = graph.board().map_or_else(|| graph.to_string(), Board::shape);
        if let (Some(board), Some(piece)) = (graph.board(), graph.piece()) {
            let holes: Vec<String> = board.holes().map(|hole| board.name(hole)).collect();
            text += &format!(" {} {piece}", holes.join(","));
        }
        text += if form.is_closed() { " closed" } else { " open" };
        for &square in form.squares() {
            text.push(' ');
            text += &graph.name(square);
        }
        Ok(format!("{:032x}", xxh3_128(text.as_bytes())))
    }

    /// Returns the graph of the same piece on another board.
    fn on(&self, board: Board) -> Graph {
        match self.graph.piece() {
            Some(_) if self.graph.board() == Some(&board) => self.graph.clone(),
            Some(piece) => Graph::leaper(board, piece.clone()),
            None => self.graph.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    fn tour(board: &str, holes: &[&str], piece: &str, names: &str) -> Tour {
        let board = Board::parse(board).unwrap();
        let holes: Vec<Square> = holes.iter().map(|hole| board.place(hole).unwrap()).collect();
        let graph = Graph::leaper(board.with_holes(holes).unwrap(), piece.parse().unwrap());
        let squares = names.split(' ').map(|name| graph.vertex(name).unwrap()).collect();
        verify(&graph, squares).unwrap()
    }

    fn some() -> Vec<Tour> {
        vec![
            tour("3x4", &[], "1,2", "a1 c2 a3 b1 d2 b3 c1 a2 c3 d1 b2 d3"),
            tour("3x3", &["b2"], "1,2", "a1 b3 c1 a2 c3 b1 a3 c2"),
            tour("2x3", &[], "0,1", "a1 b1 c1 c2 b2 a2"),
            tour("2x3", &["c2"], "0,1", "c1 b1 b2 a2 a1"),
        ]
    }

    #[test]
    fn turns_and_reflections_undo_each_other() {
        use Symmetry::*;
        let same = |a: &Tour, b: &Tour| {
            a.squares() == b.squares() && a.graph().board() == b.graph().board()
        };
        for tour in some() {
            let all = [HalfTurn, LeftRight, TopBottom, Diagonal, AntiDiagonal].map(|s| (s, s));
            for (there, back) in all.into_iter().chain([(QuarterTurn, ThreeQuarterTurn)]) {
                let image = tour.image(there).unwrap();
                assert!(same(&image.image(back).unwrap(), &tour), "{there:?}");
            }
            assert!(same(&tour.reversed().unwrap().reversed().unwrap(), &tour));
        }
        let turned = some()[0].image(ThreeQuarterTurn).unwrap();
        assert_eq!(turned.graph().to_string(), "4x3");
        assert_eq!(turned.graph().name(turned.squares()[0]), "a4", "a1 turns clockwise to the top");
    }

    #[test]
    fn all_images_have_one_canonical_form_and_key() {
        let mut keys = HashSet::new();
        for tour in some() {
            let key = tour.class_key().unwrap();
            let form = tour.canonical().unwrap();
            for symmetry in Symmetry::ALL {
                let image = tour.image(symmetry).unwrap();
                let starts: Vec<Square> = image.squares().to_vec();
                let from = |s| image.from_start(s).ok();
                for image in starts.into_iter().filter_map(from) {
                    for image in [image.reversed().unwrap(), image] {
                        let other = image.canonical().unwrap();
                        assert_eq!(other.squares(), form.squares(), "{symmetry:?}");
                        assert_eq!(image.class_key().unwrap(), key);
                    }
                }
            }
            keys.insert(key);
        }
        assert_eq!(keys.len(), 4);
        // The key may not change.
        assert_eq!(some()[0].class_key().unwrap(), "d69752cfed97e400420f49e2ef98b489");
    }

    #[test]
    fn only_closed_tours_start_anywhere() {
        let [open, closed] = [&some()[0], &some()[1]];
        let start = |tour: &Tour, name: &str| {
            tour.from_start(tour.graph().board().unwrap().place(name).unwrap())
        };
        assert!(start(open, "a1").is_ok());
        assert_eq!(start(open, "b2").unwrap_err(), TransformError::Open("b2".into()));
        let moved = start(closed, "c2").unwrap();
        assert_eq!(moved.graph().name(moved.squares()[0]), "c2");
        assert!(matches!(start(closed, "b2"), Err(TransformError::NotASquare { .. })));
    }
}
