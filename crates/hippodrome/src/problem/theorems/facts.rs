//! A description of a graph: squares, moves, degrees, colours, parts, symmetries, known verdicts.
//!
//! On boards without holes, degrees and moves are counted per block of equivalent squares, and the
//! components of the knight's graph are known, so 10,000 x 10,000 costs no more than 8x8. Other
//! graphs take one walk, linear in squares and moves, or two if open tours depend on cut squares.
//! Limits: above [`EXAMINED`] squares the number of components is unknown, and colours are known
//! only if they are those of the board. Symmetries of graphs from files are not computed.

use super::walk::walk;
use super::{EXAMINED, Existence, degrees, judge, knight_rectangle, obstacles};
use crate::board::{Board, Graph, Symmetry};
use crate::problem::Problem;
use serde::Serialize;
use std::collections::BTreeMap;

/// The facts about a graph; see [`facts`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Facts {
    /// Number of squares that a tour visits.
    pub squares: u64,
    /// Number of missing squares.
    pub holes: u64,
    /// Number of moves, each pair of squares counted once.
    pub moves: u64,
    /// Number of squares of each degree: (degree, squares), ascending.
    pub degrees: Vec<(u32, u64)>,
    /// Whether every move changes colour.
    pub colours: Colours,
    /// Number of connected components, if counted.
    pub parts: Option<u64>,
    /// Symmetries of the board; `None` for a graph from a file.
    pub symmetries: Option<u64>,
    /// Verdict on open tours with free ends.
    pub open: Existence,
    /// Verdict on closed tours.
    pub closed: Existence,
}

/// Whether squares can be coloured so that every move changes colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Colours {
    /// They can. Holds the sizes of the two classes: dark squares (like a1) first if the board's
    /// own colours qualify, otherwise the class of the first square of each component first.
    Two(u64, u64),
    /// They cannot: some cycle has an odd number of moves.
    Mixed,
    /// Unknown: the graph is too large to be traversed.
    Unknown,
}

/// Describes a graph.
pub fn facts(graph: &Graph) -> Facts {
    let degrees = match (graph.board(), graph.piece()) {
        (Some(board), Some(piece)) if board.is_full() => {
            tally(degrees::blocks(board, piece).iter().map(|b| (b.degree, b.squares)))
        }
        _ => tally(graph.vertices().map(|v| (graph.degree(v) as u32, 1))),
    };
    let parts = knight_rectangle(graph).map(knight_parts);
    describe(graph, degrees, parts)
}

fn describe(graph: &Graph, degrees: Vec<(u32, u64)>, parts: Option<u64>) -> Facts {
    let alternates = graph.piece().is_some_and(obstacles::alternates);
    let of_board = graph.board().filter(|_| alternates).map(|board| {
        let dark = obstacles::dark_squares(board);
        Colours::Two(dark, board.squares() as u64 - dark)
    });
    let root = graph.vertices().next().filter(|_| graph.len() <= EXAMINED && parts.is_none());
    let walked = root.map(|root| walk(graph, root, None));
    let (parts, colours) = match (parts, of_board, &walked) {
        (Some(parts), Some(colours), _) => (Some(parts), colours),
        (_, _, Some(walked)) => {
            let by_walk = walked.classes.map_or(Colours::Mixed, |[a, b]| Colours::Two(a, b));
            (Some(walked.parts), of_board.unwrap_or(by_walk))
        }
        _ => {
            let connected =
                graph.board().zip(graph.piece()).and_then(|(b, p)| obstacles::is_connected(b, p));
            (connected.filter(|&c| c).map(|_| 1), of_board.unwrap_or(Colours::Unknown))
        }
    };
    Facts {
        squares: graph.order() as u64,
        holes: (graph.len() - graph.order()) as u64,
        moves: degrees.iter().map(|&(degree, count)| u64::from(degree) * count).sum::<u64>() / 2,
        degrees,
        colours,
        parts,
        symmetries: graph.board().map(|board| Symmetry::of(board).len() as u64),
        open: judge(&Problem::open(graph.clone()), walked.as_ref()),
        closed: judge(&Problem::closed(graph.clone()), walked.as_ref()),
    }
}

fn tally(counts: impl Iterator<Item = (u32, u64)>) -> Vec<(u32, u64)> {
    let mut degrees = BTreeMap::new();
    for (degree, count) in counts {
        *degrees.entry(degree).or_insert(0) += count;
    }
    degrees.into_iter().collect()
}

/// Counts the components of the knight's graph on a full rectangle: squares of a single row are
/// isolated, two rows form four zigzags, and the centre of 3x3 is isolated.
fn knight_parts(board: &Board) -> u64 {
    let (rows, cols) = (board.rows(), board.cols());
    match (rows.min(cols), rows.max(cols)) {
        (1, n) => u64::from(n),
        (2, _) => 4,
        (3, 3) => 2,
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slow(graph: &Graph) -> Facts {
        describe(graph, tally(graph.vertices().map(|v| (graph.degree(v) as u32, 1))), None)
    }

    #[test]
    fn facts_by_blocks_agree_with_facts_square_by_square() {
        for leaper in
            ["1,2", "0,1", "1,1", "2,3", "1,2+0,1", "0,3+2,2", "1,4", "3,7", "1,1+0,2+1,2"]
        {
            for (rows, cols) in [(1, 1), (1, 9), (2, 2), (2, 7), (3, 3), (3, 5), (13, 4), (20, 31)]
            {
                let board = Board::new(rows, cols).unwrap();
                let graph = Graph::leaper(board, leaper.parse().unwrap());
                let quick = facts(&graph);
                assert_eq!(quick, slow(&graph), "{graph}");
                assert_eq!(quick.moves, graph.edges(), "{graph}");
            }
        }
    }

    #[test]
    fn a_board_of_a_hundred_million_squares_is_described_at_once() {
        let found = facts(&Graph::knight(Board::new(10_000, 10_000).unwrap()));
        assert_eq!(found.squares, 100_000_000);
        assert_eq!(found.moves, 4 * 9_998 * 9_999);
        assert_eq!(found.degrees[0], (2, 4));
        assert_eq!(found.degrees.iter().map(|d| d.1).sum::<u64>(), found.squares);
        assert_eq!(found.colours, Colours::Two(50_000_000, 50_000_000));
        assert_eq!((found.parts, found.symmetries), (Some(1), Some(8)));
        assert!(
            matches!(found.open, Existence::Exists(_))
                && matches!(found.closed, Existence::Exists(_))
        );
        let zebra =
            facts(&Graph::leaper(Board::new(9_999, 9_999).unwrap(), "2,3".parse().unwrap()));
        assert_eq!((zebra.parts, zebra.open), (Some(1), Existence::Open));
        assert!(zebra.closed.is_impossible());
    }

    #[test]
    fn holes_and_odd_cycles_are_reported() {
        let board = Board::from_mask("..#\n#..\n...").unwrap();
        let found = facts(&Graph::knight(board.clone()));
        assert_eq!((found.squares, found.holes, found.symmetries), (7, 2, Some(1)));
        assert_eq!(found.colours, Colours::Two(4, 3));
        let king = facts(&Graph::leaper(board, "0,1+1,1".parse().unwrap()));
        assert_eq!((king.colours, king.parts), (Colours::Mixed, Some(1)));
    }
}
