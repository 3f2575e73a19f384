//! Exact numbers of tours that are known for plain boards, with their sources.
//!
//! They answer at once what a count would take minutes or hours to compute. The data file states each number
//! once: open tours as directed paths, closed tours as undirected cycles.

use crate::board::{Graph, Leaper};
use num_bigint::BigUint;

/// Lines of board, kind, number and source.
const DATA: &str = include_str!("../../data/known-counts.tsv");

/// A known number of tours.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KnownCount {
    /// The number of directed tours. A cycle counts once per direction and not once per start.
    pub directed: BigUint,
    /// Where the number was published.
    pub source: &'static str,
}

/// The known numbers of tours of a board.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct KnownCounts {
    /// Open tours, including those whose ends are a move apart.
    pub open: Option<KnownCount>,
    /// Closed tours.
    pub closed: Option<KnownCount>,
}

impl KnownCounts {
    /// Returns the numbers for a knight on a board without holes, in either orientation.
    pub fn of(graph: &Graph) -> KnownCounts {
        let knight = graph.piece() == Some(&Leaper::knight());
        let Some(board) = graph.board().filter(|board| knight && board.is_full()) else {
            return KnownCounts::default();
        };
        let (short, long) = (board.rows().min(board.cols()), board.rows().max(board.cols()));
        let shape = format!("{short}x{long}");
        let number = |kind: &str, directions: u32| {
            let line = rows().find(|row| row[0] == shape && row[1] == kind)?;
            let number: BigUint = line[2].parse().ok()?;
            Some(KnownCount { directed: number * directions, source: line[3] })
        };
        KnownCounts { open: number("open", 1), closed: number("closed", 2) }
    }
}

fn rows() -> impl Iterator<Item = [&'static str; 4]> {
    let lines = DATA.lines().filter(|line| !line.starts_with('#'));
    lines.filter_map(|line| line.split('\t').collect::<Vec<_>>().try_into().ok())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board;
    use crate::count::{Count, CountKind, CountMonitor};

    fn known(board: &str) -> KnownCounts {
        KnownCounts::of(&Graph::knight(Board::parse(board).unwrap()))
    }

    #[test]
    fn known_numbers_are_those_of_the_counting_engine() {
        let mut checked = 0;
        for [shape, ..] in rows() {
            let board = Board::parse(shape).unwrap();
            if board.len() > 32 {
                continue;
            }
            let KnownCounts { open, closed } = known(shape);
            for (kind, known) in [(CountKind::Open, open), (CountKind::Closed, closed)] {
                let Some(known) = known else { continue };
                let count = Count::new(Graph::knight(board.clone()), kind);
                let counted = count.run(&CountMonitor::default()).unwrap();
                let directed = match kind {
                    CountKind::Open => counted.directed.unwrap(),
                    _ => counted.undirected * 2u32,
                };
                assert_eq!(known.directed, directed, "{shape} {kind:?}");
                checked += 1;
            }
        }
        assert!(checked > 10, "{checked}");
    }

    #[test]
    fn eight_by_eight_has_its_published_numbers() {
        let KnownCounts { open, closed } = known("8x8");
        let open = open.unwrap();
        assert_eq!(open.directed.to_string(), "19591828170979904");
        assert_eq!(open.source, "OEIS A165134");
        assert_eq!(closed.unwrap().directed.to_string(), "26534728821064");
    }

    #[test]
    fn only_plain_boards_of_either_orientation_have_known_numbers() {
        assert_eq!(known("6x5"), known("5x6"));
        assert_eq!(known("5x6").closed.unwrap().directed, BigUint::from(16u32));
        assert_eq!(known("3x4").closed, None);
        let nothing = KnownCounts::default();
        assert_eq!(known("30x30"), nothing);
        let board = Board::parse("6x6").unwrap();
        let camel = Graph::leaper(board.clone(), "1,3".parse().unwrap());
        assert_eq!(KnownCounts::of(&camel), nothing);
        let hole = board.square("a1").unwrap();
        assert_eq!(KnownCounts::of(&Graph::knight(board.with_holes([hole]).unwrap())), nothing);
    }
}
