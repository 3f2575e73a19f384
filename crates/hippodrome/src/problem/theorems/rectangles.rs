//! Theorems on the knight's tours of full rectangles, with free and in most cases with fixed ends.
//!
//! Let m ≤ n be the sides. A closed tour exists unless m·n is odd, m is 1, 2 or 4, or m is 3 and n
//! is 4, 6 or 8 (Schwenk 1991). An open one exists exactly on 1x1, 3x4, 3xn with n ≥ 7, 4xn with
//! n ≥ 5, and for all m ≥ 5 (Cull & De Curtins 1978 for m ≥ 5, Chia & Ong 2005 for all). On n x n
//! with n ≥ 6 an open tour exists between any two ends that the colours allow (Conrad et al. 1994).
//!
//! Consequences: a closed tour can begin on any square; both moves of a square that has only two
//! belong to every closed tour. On a board with four rows, both ends of a tour lie on the two long
//! edges. Proof: no two of the 2n edge squares are a move apart, so a tour with an end on an inner
//! row would alternate between edge and inner squares. It also alternates between colours, so all
//! edge squares would have one colour, a contradiction. Cost: constant.

use super::certificate::Evidence;
use super::{Existence, Finding, narrow, obstacles};
use crate::board::{Board, Square};
use crate::problem::Problem;

const SCHWENK: &str = "Schwenk 1991";
const CONRAD: &str = "Conrad et al. 1994";

/// Returns whether an m x n board, m ≤ n, has no closed tour.
pub(super) fn no_closed(m: u32, n: u32) -> bool {
    let odd = m % 2 == 1 && n % 2 == 1;
    odd || matches!((m, n), (1 | 2 | 4, _) | (3, 4 | 6 | 8))
}

/// Returns why a board has no tour, by an argument that can be followed without the paper if there is one.
fn explained(board: &Board, problem: &Problem, theorem: &'static str) -> Finding {
    let graph = problem.graph().clone();
    // The ends do not matter, and the reason is simpler without them.
    let free = if problem.is_closed() { Problem::closed(graph) } else { Problem::open(graph) };
    match narrow::reason(board, &free) {
        Some(finding) => Finding { theorem, ..finding },
        None => {
            let kind = if problem.is_closed() { "closed tour" } else { "tour, open or closed" };
            Finding::new(
                theorem,
                format!("the {board} board has no {kind}; no short argument for it is known here"),
            )
        }
    }
}

/// Returns whether an m x n board, m ≤ n, has an open tour.
fn has_open(m: u32, n: u32) -> bool {
    match m {
        1 => n == 1,
        2 => false,
        3 => n == 4 || n >= 7,
        4 => n >= 5,
        _ => true,
    }
}

/// Decides a problem of the knight on this full board of at least 3 squares.
pub(super) fn known(board: &Board, problem: &Problem) -> Existence {
    let (rows, cols) = (board.rows(), board.cols());
    let (m, n) = (rows.min(cols), rows.max(cols));
    if problem.is_closed() { closed(board, problem, m, n) } else { open(board, problem, m, n) }
}

fn closed(board: &Board, problem: &Problem, m: u32, n: u32) -> Existence {
    if no_closed(m, n) {
        return Existence::Impossible(explained(board, problem, SCHWENK));
    }
    match (problem.start(), problem.end()) {
        (Some(s), Some(e)) => joined(board, problem, s, e, m == n),
        (None, None) => Existence::exists(SCHWENK, format!("the {board} board has a closed tour")),
        (Some(s), None) | (None, Some(s)) => Existence::exists(SCHWENK, from_anywhere(board, s)),
    }
}

fn from_anywhere(board: &Board, s: Square) -> String {
    let name = board.name(s);
    format!("the {board} board has a closed tour, which can be begun or ended on {name}")
}

/// Decides problems with fixed ends a move apart, on a board that has a closed tour.
fn joined(board: &Board, problem: &Problem, s: Square, e: Square, is_square: bool) -> Existence {
    let (from, to) = (board.name(s), board.name(e));
    if is_square {
        let reason = format!("on the {board} board a tour leads from {from} to {to}, a move apart");
        return Existence::exists(CONRAD, reason);
    }
    match [s, e].into_iter().find(|&v| problem.graph().degree(v) == 2) {
        Some(v) => Existence::exists(
            SCHWENK,
            format!(
                "the {board} board has a closed tour, and it uses the move {from} to {to} because {} has only two moves",
                board.name(v)
            ),
        ),
        None => Existence::Open,
    }
}

fn open(board: &Board, problem: &Problem, m: u32, n: u32) -> Existence {
    let theorem = if m >= 5 { "Cull & De Curtins 1978" } else { "Chia & Ong 2005" };
    if !has_open(m, n) {
        return Existence::Impossible(explained(board, problem, theorem));
    }
    let fixed = [problem.start(), problem.end()];
    if let Some(finding) = obstacles::board_colours(board, problem).or_else(|| inner(board, fixed))
    {
        return Existence::Impossible(finding);
    }
    let has_closed = !no_closed(m, n);
    match fixed {
        [None, None] => Existence::exists(theorem, format!("the {board} board has an open tour")),
        [Some(s), Some(e)] if m == n && m >= 6 => {
            let (from, to) = (board.name(s), board.name(e));
            let reason = format!("on the {board} board a tour leads from {from} to {to}");
            Existence::exists(CONRAD, reason)
        }
        [Some(s), None] | [None, Some(s)] if has_closed => {
            Existence::exists(SCHWENK, from_anywhere(board, s))
        }
        [Some(s), None] | [None, Some(s)] if m == n && m >= 6 => {
            let reason = format!("the {board} board has a tour that ends on {}", board.name(s));
            Existence::exists(CONRAD, reason)
        }
        [Some(s), Some(e)] if has_closed && problem.graph().adjacent(s, e) => {
            joined(board, problem, s, e, false)
        }
        _ if m < 5 => obstacles::find(problem, None).map_or(Existence::Open, Existence::Impossible),
        _ => Existence::Open,
    }
}

/// Finds a fixed end on an inner row of a board with four rows (or columns).
fn inner(board: &Board, fixed: [Option<Square>; 2]) -> Option<Finding> {
    let across = |v: Square| {
        if board.rows() == 4 { board.row(v) } else { board.col(v) }
    };
    if board.rows() != 4 && board.cols() != 4 {
        return None;
    }
    let inside = fixed.into_iter().flatten().find(|&v| matches!(across(v), 1 | 2))?;
    let lines = if board.rows() == 4 { "top and bottom rows" } else { "first and last columns" };
    Some(Finding {
        theorem: "Pósa's colouring",
        reason: format!(
            "both ends of a tour of the {board} board lie on its {lines}, and {} does not",
            board.name(inside)
        ),
        certificate: None,
        evidence: Evidence::FourLines(board.rows() == 4),
    })
}
