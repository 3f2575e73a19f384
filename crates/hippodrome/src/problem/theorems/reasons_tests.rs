//! Every impossible rectangle has a reason, and each reason is checked again without the code that found it.

use super::*;
use crate::board::{Board, Square};
use crate::problem::Goal;
use std::collections::BTreeSet;

type Moves = BTreeSet<(Square, Square)>;

/// The moves of a knight, from the definition.
fn all_moves(board: &Board) -> Moves {
    let squares: Vec<Square> = board.iter().collect();
    let apart = |u: Square, v: Square| {
        (board.row(u).abs_diff(board.row(v)), board.col(u).abs_diff(board.col(v)))
    };
    let pairs = squares.iter().flat_map(|&u| squares.iter().map(move |&v| (u, v)));
    pairs.filter(|&(u, v)| u < v && matches!(apart(u, v), (1, 2) | (2, 1))).collect()
}

fn at(moves: &Moves, v: Square) -> Vec<(Square, Square)> {
    moves.iter().copied().filter(|&(a, b)| a == v || b == v).collect()
}

/// The parts that are left without some squares, by repeated labelling.
fn part_count(board: &Board, moves: &Moves, removed: &[Square]) -> usize {
    let mut label: Vec<usize> = (0..board.len()).collect();
    for _ in 0..board.len() {
        for &(u, v) in moves.iter().filter(|(u, v)| !removed.contains(u) && !removed.contains(v)) {
            let least = label[u.index()].min(label[v.index()]);
            (label[u.index()], label[v.index()]) = (least, least);
        }
    }
    let left = board.iter().filter(|v| !removed.contains(v));
    left.map(|v| label[v.index()]).collect::<BTreeSet<_>>().len()
}

/// Draws the consequences of taken and excluded moves for a closed tour. `None` if they contradict each other.
fn consequences(board: &Board, mut left: Moves, mut taken: Moves) -> Option<Moves> {
    loop {
        let before = (left.len(), taken.len());
        for v in board.iter() {
            let (open, used) = (at(&left, v), at(&taken, v));
            if open.len() < 2 || used.len() > 2 {
                return None;
            }
            if open.len() == 2 {
                taken.extend(open);
            } else if used.len() == 2 {
                left.retain(|edge| used.contains(edge) || (edge.0 != v && edge.1 != v));
            }
        }
        // A taken path shorter than the board must not close.
        for first in board.iter().filter(|&v| at(&taken, v).len() == 1) {
            let (mut path, mut used) = (vec![first], BTreeSet::new());
            while let Some(&edge) =
                at(&taken, path[path.len() - 1]).iter().find(|e| !used.contains(*e))
            {
                used.insert(edge);
                let last = path[path.len() - 1];
                path.push(if edge.0 == last { edge.1 } else { edge.0 });
            }
            let last = path[path.len() - 1];
            if path.len() > 2 && path.len() < board.squares() {
                left.remove(&(first.min(last), first.max(last)));
            }
        }
        if taken.iter().any(|edge| !left.contains(edge)) {
            return None;
        }
        if before == (left.len(), taken.len()) {
            return Some(taken);
        }
    }
}

/// Whether moves are the moves of one or more cycles that leave some square out.
fn closes_early(board: &Board, moves: &[(Square, Square)]) -> bool {
    let met: BTreeSet<Square> = moves.iter().flat_map(|&(u, v)| [u, v]).collect();
    let all: Moves = moves.iter().copied().collect();
    met.len() < board.squares() && met.iter().all(|&v| at(&all, v).len() == 2)
}

/// Checks a reason by its evidence; returns what kind it is.
fn check(board: &Board, closed: bool, finding: &Finding) -> &'static str {
    let (moves, context) = (all_moves(board), format!("{board} {closed} {finding}"));
    assert!(finding.reason.contains(&board.to_string()), "{context}");
    match &finding.evidence {
        Evidence::None => panic!("nothing to check: {context}"),
        Evidence::Colours => {
            let dark =
                board.iter().filter(|&v| (board.row(v) + board.col(v)).is_multiple_of(2)).count();
            let light = board.squares() - dark;
            assert!(dark.abs_diff(light) > usize::from(!closed), "{context}");
            for number in [format!("{dark} dark"), format!("{light} light")] {
                assert!(finding.reason.contains(&number), "{context}");
            }
            "colours"
        }
        Evidence::FewMoves(squares) => {
            assert!(
                !squares.is_empty() && squares.iter().all(|&v| at(&moves, v).is_empty()),
                "{context}"
            );
            assert!(finding.reason.contains(&board.name(squares[0])), "{context}");
            "few moves"
        }
        Evidence::Removed(removed) => {
            let most = match removed.len() {
                0 => 1,
                k => k + usize::from(!closed),
            };
            let parts = part_count(board, &moves, removed);
            assert!(parts > most, "{context}");
            let certificate = finding.certificate.as_ref().expect("a certificate");
            assert_eq!(certificate.part_count as usize, parts, "{context}");
            assert_eq!(certificate.removed_count as usize, removed.len(), "{context}");
            "parts"
        }
        Evidence::Forced(forced) => {
            assert!(closed && closes_early(board, &forced.moves), "{context}");
            // Each of the moves belongs to a square with only two.
            let scarce =
                |&(u, v): &(Square, Square)| [u, v].iter().any(|&v| at(&moves, v).len() == 2);
            assert!(forced.moves.iter().all(scarce), "{context}");
            "forced"
        }
        Evidence::Cases(cases) => {
            let ForcedCases { forced, split, cases } = &**cases;
            let base =
                consequences(board, moves.clone(), Moves::new()).expect("no contradiction yet");
            assert!(forced.iter().all(|edge| base.contains(edge)), "{context}");
            assert!(moves.contains(split) && !base.contains(split), "{context}");
            assert_eq!(consequences(board, moves.clone(), [*split].into()), None, "{context}");
            let mut without = moves.clone();
            without.remove(split);
            assert_eq!(consequences(board, without, Moves::new()), None, "{context}");
            assert!(cases.iter().all(|case| case.moves.iter().all(|edge| moves.contains(edge))));
            "cases"
        }
        &Evidence::FourLines(rows) => {
            let outer = |v: Square| matches!(if rows { board.row(v) } else { board.col(v) }, 0 | 3);
            assert_eq!(
                2 * board.iter().filter(|&v| outer(v)).count(),
                board.squares(),
                "{context}"
            );
            assert!(moves.iter().all(|&(u, v)| !(outer(u) && outer(v))), "{context}");
            let colours: BTreeSet<u32> = board
                .iter()
                .filter(|&v| outer(v))
                .map(|v| (board.row(v) + board.col(v)) % 2)
                .collect();
            assert!(closed && colours.len() == 2, "{context}");
            let certificate = finding.certificate.as_ref().expect("a certificate");
            assert!(certificate.part_count > certificate.removed_count, "{context}");
            "four lines"
        }
    }
}

#[test]
fn every_impossible_rectangle_has_a_reason_that_holds() {
    let mut kinds = BTreeSet::new();
    let mut count = 0;
    for rows in 1..=10 {
        for cols in 1..=10 {
            let board = Board::new(rows, cols).unwrap();
            for goal in [Goal::Open, Goal::Closed] {
                let graph = Graph::knight(board.clone());
                let problem = Problem::new(graph, goal, None, None).unwrap();
                let Existence::Impossible(finding) = known(&problem) else { continue };
                count += 1;
                let closed = goal == Goal::Closed;
                if rows * cols <= 2 {
                    let says =
                        if closed { "at least 3 squares" } else { "there is no move between" };
                    assert!(finding.reason.contains(says), "{finding}");
                    continue;
                }
                assert!(
                    ["Schwenk 1991", "Chia & Ong 2005"].contains(&finding.theorem),
                    "{finding}"
                );
                kinds.insert(check(&board, closed, &finding));
                let steps = explain::steps(problem.graph(), closed, &finding);
                assert!(
                    !steps.is_empty() && steps.iter().all(|step| !step.is_empty()),
                    "{finding}"
                );
            }
        }
    }
    assert_eq!(count, impossible_by_definition());
    let expected = ["cases", "colours", "few moves", "forced", "four lines", "parts"];
    assert_eq!(kinds, BTreeSet::from(expected));
}

/// The number of impossible goals on these boards, from the statements of the theorems.
fn impossible_by_definition() -> usize {
    let sides = (1..=10).flat_map(|m: u32| (1..=10).map(move |n: u32| (m.min(n), m.max(n))));
    let no_closed = |&(m, n): &(u32, u32)| {
        m * n % 2 == 1 || [1, 2, 4].contains(&m) || (m == 3 && [4, 6, 8].contains(&n))
    };
    let has_open = |&(m, n): &(u32, u32)| {
        (m, n) == (1, 1) || (m, n) == (3, 4) || (m == 3 && n >= 7) || (m == 4 && n >= 5) || m >= 5
    };
    let all: Vec<(u32, u32)> = sides.collect();
    all.iter().filter(|side| no_closed(side)).count()
        + all.iter().filter(|side| !has_open(side)).count()
}

#[test]
fn a_fixed_end_does_not_change_the_reason() {
    let graph = Graph::knight(Board::parse("4x4").unwrap());
    let free = known(&Problem::open(graph.clone()));
    let fixed = Problem::new(graph, Goal::Open, Some(Square::new(5)), None).unwrap();
    assert_eq!(known(&fixed), free);
}

#[test]
fn large_boards_are_decided_at_once() {
    for (size, says) in [
        ("9999x9999", "49990001 dark and 49990000 light"),
        ("4x1000000", "alternates between outer and inner rows"),
        ("2x1000000", "changes the column by two"),
        ("1x1000000", "no move leads to a1"),
    ] {
        let problem = Problem::closed(Graph::knight(Board::parse(size).unwrap()));
        let verdict = known(&problem);
        assert!(
            verdict.is_impossible() && verdict.finding().unwrap().reason.contains(says),
            "{verdict:?}"
        );
    }
}
