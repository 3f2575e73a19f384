//! Known numbers of tours of the knight on rectangles.

use super::{knight_rectangle, known};
use crate::problem::Problem;
use crate::tour::Distinct;

/// Directed open tours, re-entrant ones included, by rows and columns.
/// Sources: OEIS A169696, A079137, A083386, A306281 (undirected there), A165134.
const OPEN: &[(u32, u32, u64)] = &[
    (3, 4, 16),
    (3, 7, 104),
    (3, 8, 792),
    (3, 10, 6_096),
    (4, 5, 164),
    (4, 6, 1_488),
    (4, 7, 12_756),
    (4, 8, 62_176),
    (5, 5, 1_728),
    (5, 6, 37_568),
    (5, 7, 1_245_736),
    (5, 8, 36_122_108),
    (6, 6, 6_637_920),
    (6, 7, 779_938_932),
    (6, 8, 49_929_787_608),
    (7, 7, 165_575_218_320),
    (8, 8, 19_591_828_170_979_904),
];

/// Closed tours as cycles, whatever their start and direction.
/// Sources: OEIS A070030, A175855, A001230, A175881, A193054; McKay (1997) for 8x8.
const CYCLES: &[(u32, u32, u64)] = &[
    (3, 10, 16),
    (3, 12, 176),
    (5, 6, 8),
    (5, 8, 44_202),
    (6, 6, 9_862),
    (6, 7, 1_067_638),
    (6, 8, 55_488_142),
    (7, 8, 34_524_432_316),
    (8, 8, 13_267_364_410_532),
];

/// How many tours that count as different answer a problem, where that is known without search.
///
/// ```
/// use hippodrome::{board::Board, graph::Graph, problem::Problem, theorems::count, tour::Distinct};
/// let board = Board::parse("6x6").unwrap();
/// let problem = Problem::closed(Graph::knight(board));
/// assert_eq!(count(&problem, Distinct::Cycle), Some(9862));
/// ```
pub fn count(problem: &Problem, distinct: Distinct) -> Option<u64> {
    if known(problem).is_impossible() {
        return Some(0);
    }
    let free = problem.start().is_none() && problem.end().is_none();
    let board = knight_rectangle(problem.graph()).filter(|_| free)?;
    let sides = (board.rows().min(board.cols()), board.rows().max(board.cols()));
    let listed = |table: &[(u32, u32, u64)]| {
        table.iter().find(|row| (row.0, row.1) == sides).map(|row| row.2)
    };
    let closed = Problem::closed(problem.graph().clone());
    let cycles = || if known(&closed).is_impossible() { Some(0) } else { listed(CYCLES) };
    // A cycle of so many squares begins on any of them and runs either way.
    let squares = board.squares() as u64;
    Some(match (distinct, problem.is_closed()) {
        (Distinct::Directed, false) => listed(OPEN)?,
        (Distinct::Undirected, false) => listed(OPEN)? / 2,
        (Distinct::Cycle, false) => listed(OPEN)? / 2 - (squares - 1) * cycles()?,
        (Distinct::Directed, true) => 2 * squares * cycles()?,
        (Distinct::Undirected, true) => squares * cycles()?,
        (Distinct::Cycle, true) => cycles()?,
        (Distinct::Symmetry, _) => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board;
    use crate::enumerate::Enumeration;
    use crate::graph::Graph;
    use crate::run::Control;
    use crate::solver::Choice;

    fn graph(shape: &str) -> Graph {
        Graph::knight(Board::parse(shape).unwrap())
    }

    #[test]
    fn the_tables_are_the_oracles() {
        let oracles = include_str!("../../tests/data/oracles.tsv");
        for (kind, table) in [("open", OPEN), ("closed", CYCLES)] {
            let mut listed: Vec<(String, u64)> = oracles
                .lines()
                .map(|line| line.split('\t').collect::<Vec<_>>())
                .filter(|cells| cells.get(1) == Some(&kind))
                .map(|cells| (cells[0].to_string(), cells[2].parse().unwrap()))
                .collect();
            let mut ours: Vec<_> = table.iter().map(|&(r, c, n)| (format!("{r}x{c}"), n)).collect();
            listed.sort();
            ours.sort();
            assert_eq!(ours, listed, "{kind}");
        }
    }

    #[test]
    fn counts_agree_with_complete_searches_whatever_counts_as_a_repeat() {
        for shape in ["4x3", "3x7", "4x5", "5x5", "5x6", "6x5", "3x10", "4x4"] {
            for problem in [Problem::open(graph(shape)), Problem::closed(graph(shape))] {
                for distinct in [Distinct::Directed, Distinct::Undirected, Distinct::Cycle] {
                    let choice = Choice::new::<&str>("exact", &[]).unwrap();
                    let run = Enumeration::new(problem.clone(), choice);
                    let run = Enumeration { all: true, distinct, ..run };
                    let found = run.run(&Control::default(), None).unwrap().total.distinct;
                    assert_eq!(count(&problem, distinct), Some(found), "{shape} {distinct:?}");
                }
            }
        }
    }

    #[test]
    fn what_is_not_known_is_not_told() {
        let fixed = Problem::open(graph("5x5")).starting_at(0);
        assert_eq!(count(&fixed, Distinct::Directed), None);
        assert_eq!(count(&Problem::open(graph("9x9")), Distinct::Directed), None);
        assert_eq!(count(&Problem::open(graph("5x5")), Distinct::Symmetry), None);
        let king = Graph::leaper(Board::parse("5x5").unwrap(), "0,1+1,1".parse().unwrap());
        assert_eq!(count(&Problem::open(king), Distinct::Directed), None);
    }
}
