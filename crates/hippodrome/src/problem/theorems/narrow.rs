//! Reasons why the knight has no tour of a narrow or odd rectangle, which can be followed without the paper.
//!
//! The theorems of `rectangles` decide; these arguments are for people. In the order tried: squares without moves;
//! two rows, which fall apart; unequal colours; squares with only two moves each, whose moves close a short cycle;
//! Pósa's colouring of four rows; then the obstacles of any graph, and last a distinction of two cases.
//!
//! Pósa: on four rows every move from the outer two leads to the inner two, and these are as many. So a closed tour
//! alternates between outer and inner squares. It also alternates between colours, so all outer squares would have
//! one colour. As a certificate: without the inner squares of one colour, the outer squares of the other colour stand
//! alone, and there is at least one part more.
//! Cost: constant for odd boards and for those of up to two rows, with a certificate up to [`LISTED`] squares;
//! otherwise linear, up to 8 squares on a side for the last two.

use super::certificate::{Certificate, Evidence, ForcedMoves};
use super::{Finding, forced, obstacles};
use crate::board::{Board, Graph, Square};
use crate::error::joined;
use crate::problem::Problem;

/// Boards with more squares get no certificate where that would take linear time.
const LISTED: usize = 1 << 16;

/// Boards with more squares are not searched for reasons.
const SEARCHED: usize = 64;

/// Finds a reason why the knight has no tour of a full board of at least 3 squares, with free ends.
pub(super) fn reason(board: &Board, problem: &Problem) -> Option<Finding> {
    let graph = problem.graph();
    let isolated = match (board.rows().min(board.cols()), board.rows().max(board.cols())) {
        (1, _) | (2, 2) | (3, 3) => obstacles::few_moves(problem),
        _ => None,
    };
    isolated
        .or_else(|| two_lines(board, graph))
        .or_else(|| obstacles::board_colours(board, problem))
        .or_else(|| if problem.is_closed() { short_cycle(graph) } else { None })
        .or_else(|| if problem.is_closed() { four_lines(board, graph) } else { None })
        .or_else(|| {
            let small = graph.order() <= SEARCHED;
            let searched =
                || obstacles::find(problem, None).or_else(|| forced::find_cases(problem));
            if small { searched() } else { None }
        })
}

/// Names of the lines along a board with two or four of them: the lines, and one of those across.
fn lines(board: &Board, number: u32) -> Option<(bool, [&'static str; 2])> {
    if board.rows() == number {
        return Some((true, ["row", "column"]));
    }
    (board.cols() == number).then_some((false, ["column", "row"]))
}

/// Two rows: every move leads to the second next column.
fn two_lines(board: &Board, graph: &Graph) -> Option<Finding> {
    let (_, [_, across]) = lines(board, 2)?;
    let long = board.rows().max(board.cols());
    let reason = format!(
        "every move on {board} changes the {across} by two, so from a1 only {} of {} squares can be reached",
        long.div_ceil(2),
        board.squares()
    );
    let certificate = listed(graph, || Certificate::parts(graph, &[]));
    let evidence = Evidence::Removed(Vec::new());
    Some(Finding { certificate, evidence, ..Finding::new("connectivity", reason) })
}

fn listed(graph: &Graph, make: impl FnOnce() -> Certificate) -> Option<Box<Certificate>> {
    (graph.order() <= LISTED).then(|| Box::new(make()))
}

/// Squares with two moves, all of which a closed tour uses, but which close a cycle without the other squares.
fn short_cycle(graph: &Graph) -> Option<Finding> {
    if graph.order() > LISTED {
        return None;
    }
    let mut used: Vec<Vec<Square>> = vec![Vec::new(); graph.len()];
    let scarce: Vec<Square> = graph.vertices().filter(|&v| graph.degree(v) == 2).collect();
    for &v in &scarce {
        for w in graph.neighbours(v) {
            for (from, to) in [(v, w), (w, v)] {
                if !used[from.index()].contains(&to) {
                    used[from.index()].push(to);
                }
            }
        }
    }
    scarce.iter().find_map(|&first| {
        let (mut before, mut here) = (first, used[first.index()][0]);
        let mut cycle = vec![first];
        while here != first {
            cycle.push(here);
            let &[one, two] = &used[here.index()][..] else { return None };
            (before, here) = (here, if one == before { two } else { one });
        }
        (cycle.len() < graph.order()).then(|| closing(graph, &cycle))
    })
}

fn closing(graph: &Graph, cycle: &[Square]) -> Finding {
    let name = |v: Square| graph.name(v);
    // Squares of the cycle with two moves, as many as are needed for all of its moves.
    let (count, mut told, mut known) = (cycle.len(), Vec::new(), vec![false; cycle.len()]);
    for (at, &v) in cycle.iter().enumerate() {
        let before = (at + count - 1) % count;
        if graph.degree(v) == 2 && !(known[at] && known[before]) {
            (known[at], known[before]) = (true, true);
            let near: Vec<String> = graph.neighbours(v).map(name).collect();
            let only = if told.is_empty() { "has only the moves" } else { "only those" };
            told.push(format!("{} {only} to {}", name(v), joined(&near, "and")));
        }
    }
    let way: Vec<String> = cycle.iter().chain(&cycle[..1]).map(|&v| name(v)).collect();
    let reason = format!(
        "on {graph} {}; a closed tour uses two moves at every square, so it uses all of these, but they close the cycle {} of {count} of {} squares",
        told.join(", and "),
        way.join("-"),
        graph.order()
    );
    let next = cycle.iter().cycle().skip(1);
    let mut moves: Vec<(Square, Square)> =
        cycle.iter().zip(next).map(|(&u, &v)| (u.min(v), u.max(v))).collect();
    moves.sort_unstable();
    let certificate = Some(Box::new(Certificate::forced(graph, &moves)));
    let evidence = Evidence::Forced(ForcedMoves { moves, stuck: None });
    Finding { theorem: forced::NAME, reason, certificate, evidence }
}

/// Four rows: a closed tour would alternate between outer and inner squares, and between colours.
fn four_lines(board: &Board, graph: &Graph) -> Option<Finding> {
    let (rows, [line, _]) = lines(board, 4)?;
    let half = board.squares() / 2;
    let reason = format!(
        "from the {half} squares of the first and the last {line} every move leads to the {half} squares of the two {line}s between, so a closed tour of {board} alternates between outer and inner {line}s; it also alternates between dark and light, so all outer squares would have one colour, but {} and {} differ",
        board.name(Square::new(0)),
        if rows { board.name(board.at(0, 1)) } else { board.name(board.at(1, 0)) }
    );
    let inner = |v: Square| matches!(if rows { board.row(v) } else { board.col(v) }, 1 | 2);
    let certificate = listed(graph, || {
        let removed: Vec<Square> =
            graph.vertices().filter(|&v| inner(v) && board.is_dark(v)).collect();
        Certificate::parts(graph, &removed)
    });
    let evidence = Evidence::FourLines(rows);
    Some(Finding { certificate, evidence, ..Finding::new("Pósa's colouring", reason) })
}
