//! The symmetries of a board: 8 for square boards and 4 for other rectangles, except those that map a hole to
//! a square.
//!
//! A leaper has the same moves in all directions, so a symmetry of the board is a symmetry of its graph.

use crate::board::{Board, BoardError, Graph, Square};

/// A symmetry of a square board; other rectangles have only the first four.
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub enum Symmetry {
    /// Leaves everything in place.
    Identity,
    /// Turns the board by 180 degrees.
    HalfTurn,
    /// Exchanges left and right.
    LeftRight,
    /// Exchanges top and bottom.
    TopBottom,
    /// Turns the board by 90 degrees counterclockwise.
    QuarterTurn,
    /// Turns the board by 90 degrees clockwise.
    ThreeQuarterTurn,
    /// Reflects the board in the diagonal through a1.
    Diagonal,
    /// Reflects the board in the other diagonal.
    AntiDiagonal,
}

use Symmetry::*;

impl Symmetry {
    /// All eight symmetries.
    pub const ALL: [Symmetry; 8] = [
        Identity,
        HalfTurn,
        LeftRight,
        TopBottom,
        QuarterTurn,
        ThreeQuarterTurn,
        Diagonal,
        AntiDiagonal,
    ];

    /// Maps a square of a board to a square of its [image](Symmetry::image).
    pub fn apply(self, board: &Board, square: Square) -> Square {
        let (r, c) = (board.row(square), board.col(square));
        let (top, right) = (board.rows() - 1 - r, board.cols() - 1 - c);
        // The last four exchange rows and columns.
        let turned = |row: u32, col: u32| Square::new(row * board.rows() + col);
        match self {
            Identity => square,
            HalfTurn => board.at(top, right),
            LeftRight => board.at(r, right),
            TopBottom => board.at(top, c),
            QuarterTurn => turned(c, top),
            ThreeQuarterTurn => turned(right, r),
            Diagonal => turned(c, r),
            AntiDiagonal => turned(right, top),
        }
    }

    /// Returns the image of a board, holes included. The last four symmetries turn 5x6 into 6x5.
    pub fn image(self, board: &Board) -> Result<Board, BoardError> {
        let (rows, cols) = (u64::from(board.rows()), u64::from(board.cols()));
        let turns = matches!(self, QuarterTurn | ThreeQuarterTurn | Diagonal | AntiDiagonal);
        let image = if turns { Board::new(cols, rows)? } else { Board::new(rows, cols)? };
        image.with_holes(board.holes().map(|hole| self.apply(board, hole)))
    }

    /// Returns the symmetries of a board, the identity first.
    pub fn of(board: &Board) -> Vec<Symmetry> {
        let possible = if board.rows() == board.cols() { 8 } else { 4 };
        let keeps = |s: &Symmetry| board.holes().all(|hole| !board.has(s.apply(board, hole)));
        Symmetry::ALL[..possible].iter().copied().filter(keeps).collect()
    }

    /// Returns the symmetries of a graph as maps of its vertices, the identity first. For a graph from a
    /// file, the identity is the only one: other symmetries are not computed.
    pub fn maps(graph: &Graph) -> Vec<Vec<Square>> {
        let all = Square::below(graph.len());
        match graph.board() {
            None => vec![all.collect()],
            Some(b) => Symmetry::of(b)
                .into_iter()
                .map(|s| all.clone().map(|v| s.apply(b, v)).collect())
                .collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_have_eight_and_rectangles_four() {
        let count = |text| Symmetry::of(&Board::parse(text).unwrap()).len();
        assert_eq!((count("6x6"), count("5x6"), count("1x1")), (8, 4, 8));
    }

    #[test]
    fn symmetries_keep_the_graph_and_the_holes() {
        for (shape, holes) in
            [("6x6", vec![0]), ("4x6", vec![7, 16]), ("5x5", vec![12]), ("3x7", vec![])]
        {
            let board = Board::parse(shape)
                .unwrap()
                .with_holes(holes.into_iter().map(Square::new))
                .unwrap();
            let graph = Graph::knight(board.clone());
            for map in Symmetry::maps(&graph) {
                let mut image = map.clone();
                image.sort_unstable();
                assert!(image.into_iter().eq(Square::below(graph.len())));
                for u in graph.vertices() {
                    assert!(
                        graph.neighbours(u).all(|v| graph.adjacent(map[u.index()], map[v.index()]))
                    );
                }
            }
        }
        let corner = Board::parse("6x6").unwrap().with_holes([0].map(Square::new)).unwrap();
        assert_eq!(Symmetry::of(&corner), [Identity, Diagonal]);
    }
}
