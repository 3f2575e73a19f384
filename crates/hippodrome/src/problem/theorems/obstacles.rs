//! What rules a tour out on any graph.
//!
//! - Arithmetic on boards: a leaper whose a + b is even keeps to one colour; one whose a and b
//!   share a divisor keeps to a sublattice; one (a,b)-leaper connects a full board exactly under
//!   Knuth's (1994) three conditions.
//! - Degrees: a tour passes every square but its ends by two moves, and reaches its ends by one.
//! - Connection: a tour is in one part.
//! - Colours: where every move changes colour a tour alternates, so the classes differ by at most 1
//!   (closed: by 0) and its ends have the colours that follow.
//! - Cuts: what is left of a closed tour without one square is in one piece, of an open one in at
//!   most two; the blocks between cut squares hang together like beads, a fixed end on the first or
//!   the last. With both ends fixed, a move between them would make the tour closed, so the graph
//!   with that move must have no cut square.
//!
//! Cost: linear; at most two walks. Past [`EXAMINED`] squares: colours and divisors, and on boards
//! without holes degrees.

use super::walk::{Walk, walk};
use super::{EXAMINED, Finding, degrees, noun, nouns};
use crate::board::{Board, Graph, Leaper, Square};
use crate::problem::Problem;

fn finding(theorem: &'static str, reason: String) -> Option<Finding> {
    Some(Finding { theorem, reason })
}

/// The first obstacle found for a problem of at least 3 squares. A walk from the first square, if
/// one was made already, serves problems with free ends.
pub(super) fn find(problem: &Problem, walked: Option<&Walk>) -> Option<Finding> {
    let graph = problem.graph();
    if let (Some(board), Some(piece)) = (graph.board(), graph.piece()) {
        let obstacle = arithmetic(board, piece, graph).or_else(|| {
            let alternates = piece.pairs().iter().all(|(a, b)| (a + b) % 2 == 1);
            if alternates { board_colours(board, problem) } else { None }
        });
        if obstacle.is_some() {
            return obstacle;
        }
    }
    if let Some(obstacle) = few_moves(problem) {
        return Some(obstacle);
    }
    if graph.len() > EXAMINED {
        return None;
    }
    let fixed = problem.start().or(problem.end());
    let root = fixed.or_else(|| graph.vertices().next())?;
    let own;
    let walked = match walked {
        Some(walked) if fixed.is_none() => walked,
        _ => {
            own = walk(graph, root, None);
            &own
        }
    };
    parts(problem, walked, root)
        .or_else(|| classes(problem, walked))
        .or_else(|| cuts(problem, walked))
}

/// Leapers that cannot reach every square of a board.
fn arithmetic(board: &Board, piece: &Leaper, graph: &Graph) -> Option<Finding> {
    let pairs = piece.pairs();
    if pairs.iter().all(|(a, b)| (a + b) % 2 == 0) {
        let dark = dark_squares(board);
        return if dark > 0 && dark < board.squares() as u64 {
            let reason = format!("on {graph} no move leads from a dark square to a light one");
            finding("connectivity", reason)
        } else {
            None
        };
    }
    if !board.is_full() {
        return None;
    }
    let divisor = pairs.iter().flat_map(|&(a, b)| [a, b]).fold(0, gcd);
    if divisor > 1 {
        let reason = format!(
            "on {graph} every move changes row and column by multiples of {divisor}, which leaves squares out of reach"
        );
        return finding("connectivity", reason);
    }
    if is_connected(board, piece) == Some(false) {
        let reason = format!("on {graph} the leaper cannot reach every square from a1");
        return finding("Knuth 1994", reason);
    }
    None
}

fn gcd(a: u32, b: u32) -> u32 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// Whether a full board is connected, by Knuth's theorem; `None` where it does not speak: unions of
/// leapers, straight leapers, boards one square wide.
pub(super) fn is_connected(board: &Board, piece: &Leaper) -> Option<bool> {
    let &[(r, s)] = piece.pairs() else { return None };
    let (m, n) = (board.rows().min(board.cols()), board.rows().max(board.cols()));
    (board.is_full() && r >= 1 && m >= 2)
        .then(|| gcd(r + s, s - r) == 1 && m >= r + s && n >= 2 * s)
}

/// How many squares have the colour of a1.
pub(super) fn dark_squares(board: &Board) -> u64 {
    if board.is_full() {
        (board.squares() as u64).div_ceil(2)
    } else {
        board.iter().filter(|&v| board.is_dark(v)).count() as u64
    }
}

/// The colour argument for a leaper that changes colour with every move.
pub(super) fn board_colours(board: &Board, problem: &Problem) -> Option<Finding> {
    let dark = dark_squares(board);
    let sizes = [dark, board.squares() as u64 - dark];
    let is_second = |v: Square| !board.is_dark(v);
    balance(problem, sizes, is_second, ["dark", "light"])
}

/// The colour argument where a walk found the colours.
fn classes(problem: &Problem, walked: &Walk) -> Option<Finding> {
    let is_second = |v: Square| walked.second.contains(v.index());
    balance(problem, walked.classes?, is_second, ["first-class", "second-class"])
}

fn balance(
    problem: &Problem,
    sizes: [u64; 2],
    is_second: impl Fn(Square) -> bool,
    names: [&str; 2],
) -> Option<Finding> {
    let graph = problem.graph();
    let [first, second] = sizes;
    let between = format!(
        "every move on {graph} leads between its {first} {} and its {second} {} {}",
        names[0],
        names[1],
        nouns(graph)
    );
    let argument = |rest: String| finding("colouring", format!("{between}, {rest}"));
    if problem.is_closed() {
        return if first == second {
            None
        } else {
            argument("so a closed tour needs as many of either".to_string())
        };
    }
    if first.abs_diff(second) > 1 {
        return argument("so their numbers may differ by at most 1".to_string());
    }
    let ends = [problem.start(), problem.end()];
    if first == second {
        let [Some(s), Some(e)] = ends else { return None };
        return if is_second(s) == is_second(e) {
            let (s, e) = (graph.name(s), graph.name(e));
            argument(format!("so a tour has one end of each, but {s} and {e} are alike"))
        } else {
            None
        };
    }
    let majority_second = second > first;
    let wrong = ends.into_iter().flatten().find(|&v| is_second(v) != majority_second)?;
    let name = names[usize::from(majority_second)];
    argument(format!("so a tour has both ends on {name} ones, but {} is not", graph.name(wrong)))
}

/// Squares with fewer moves than a tour needs.
fn few_moves(problem: &Problem) -> Option<Finding> {
    let graph = problem.graph();
    let mut lonely = Lonely::default();
    match (graph.board(), graph.piece()) {
        (Some(board), Some(piece)) if board.is_full() => {
            for block in degrees::blocks(board, piece) {
                lonely.add(block.degree, block.first, block.squares);
            }
        }
        _ if graph.len() > EXAMINED => return None,
        _ => {
            for v in graph.vertices() {
                // More than two moves are as good as two.
                lonely.add(graph.neighbours(v).take(2).count() as u32, v, 1);
            }
        }
    }
    let argument = |reason: String| finding("degrees", reason);
    if let Some(v) = lonely.without {
        return argument(format!("no move leads to {} on {graph}", graph.name(v)));
    }
    let one = lonely.one?;
    if problem.is_closed() {
        let name = graph.name(one);
        return argument(format!(
            "a closed tour needs two moves at every {}, and {name} on {graph} has only one",
            noun(graph)
        ));
    }
    let ends = [problem.start(), problem.end()];
    let fixed = ends.iter().flatten().count() as u64;
    let at_ends = ends.iter().flatten().filter(|&&v| graph.degree(v) == 1).count() as u64;
    if lonely.ones - at_ends <= 2 - fixed {
        return None;
    }
    let count = lonely.ones;
    argument(if fixed == 0 {
        format!(
            "a tour can only end on {} with a single move, and {graph} has {count} of them",
            nouns(graph)
        )
    } else {
        format!(
            "a tour can only end on {} with a single move, and {graph} has {count} of them, {} among the fixed ends",
            nouns(graph),
            if at_ends == 0 { "none".to_string() } else { at_ends.to_string() }
        )
    })
}

/// Squares with no move and with one.
#[derive(Default)]
struct Lonely {
    without: Option<Square>,
    one: Option<Square>,
    ones: u64,
}

impl Lonely {
    fn add(&mut self, degree: u32, first: Square, squares: u64) {
        match degree {
            0 => self.without = self.without.or(Some(first)),
            1 => {
                self.one = self.one.or(Some(first));
                self.ones += squares;
            }
            _ => {}
        }
    }
}

/// A graph in several parts.
fn parts(problem: &Problem, walked: &Walk, root: Square) -> Option<Finding> {
    let graph = problem.graph();
    let order = graph.order() as u64;
    if walked.parts == 1 {
        return None;
    }
    let reason = format!(
        "{graph} falls into {} parts without moves between them: from {} only {} of {order} {} can be reached",
        walked.parts,
        graph.name(root),
        walked.reached,
        nouns(graph)
    );
    finding("connectivity", reason)
}

/// Squares whose loss leaves more pieces than that of a square of a tour can.
fn cuts(problem: &Problem, walked: &Walk) -> Option<Finding> {
    let graph = problem.graph();
    let (v, pieces) = walked.cut?;
    let name = graph.name(v);
    let argument = |reason: String| finding("cut squares", reason);
    if problem.is_closed() {
        return argument(format!(
            "without {name} {graph} falls into {pieces} pieces, and a closed tour without one {} stays in one",
            noun(graph)
        ));
    }
    if pieces > 2 {
        return argument(format!(
            "without {name} {graph} falls into {pieces} pieces, and a tour without one {} into at most two",
            noun(graph)
        ));
    }
    let (leaves, tip) = (walked.leaves, walked.tip);
    match (problem.start(), problem.end()) {
        (Some(s), Some(e)) => {
            let (v, _) = walk(graph, s, Some((s, e))).cut?;
            argument(format!(
                "without {} a piece of {graph} is left that holds neither {} nor {}, and a tour between these cannot both enter and leave it",
                graph.name(v),
                graph.name(s),
                graph.name(e)
            ))
        }
        (Some(s), None) | (None, Some(s)) if leaves > 1 => argument(format!(
            "a tour with the end {} has one other end, but {graph} has {leaves} more dead ends, parts joined to the rest by one {} only",
            graph.name(s),
            noun(graph)
        )),
        (None, None) => {
            // Seen from inside one leaf there must be a single other one.
            let leaves = if leaves > 2 { leaves } else { 1 + walk(graph, tip?, None).leaves };
            if leaves <= 2 {
                return None;
            }
            argument(format!(
                "a tour has two ends, but {graph} has at least {leaves} dead ends, parts joined to the rest by one {} only",
                noun(graph)
            ))
        }
        _ => None,
    }
}
