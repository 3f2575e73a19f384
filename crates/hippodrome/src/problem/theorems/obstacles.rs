//! Obstacles that rule out a tour on any graph.
//!
//! - Arithmetic on boards: a leaper with even a + b stays on one colour; a leaper whose a and b have
//!   a common divisor stays on a sublattice; a single (a,b)-leaper connects a full board exactly
//!   under Knuth's (1994) three conditions.
//! - Degrees: every square of a tour needs two moves, except the ends, which need one.
//! - Connectivity: a tour stays in one component.
//! - Colours: if every move changes colour, a tour alternates colours. So the two classes differ by
//!   at most 1 (by 0 for a closed tour), which also determines the colours of the ends.
//! - Cuts: removing one square leaves a closed tour in one piece and an open tour in at most two.
//!   So the blocks between cut squares form a chain, with a fixed end in the first or last block.
//!   If both ends are fixed, a move between them would close the tour, so the graph with that move
//!   added must have no cut square.
//!
//! Cost: linear, with at most two walks. Above [`EXAMINED`] squares only colours and divisors are
//! checked, and degrees on boards without holes.

use super::certificate::{Certificate, Evidence};
use super::walk::{Connectivity, walk};
use super::{EXAMINED, Finding, degrees, edge_noun, forced, noun, nouns, toughness};
use crate::board::{Board, Graph, Leaper, Square};
use crate::problem::Problem;

fn finding(theorem: &'static str, reason: String) -> Option<Finding> {
    Some(Finding::new(theorem, reason))
}

/// Finds an obstacle for a problem of at least 3 squares. An earlier walk from the first square is
/// reused if both ends are free.
pub(super) fn find(problem: &Problem, walked: Option<&Connectivity>) -> Option<Finding> {
    let graph = problem.graph();
    if let (Some(board), Some(piece)) = (graph.board(), graph.piece()) {
        let obstacle = arithmetic(board, piece, graph)
            .or_else(|| if alternates(piece) { board_colours(board, problem) } else { None });
        if obstacle.is_some() {
            return obstacle;
        }
    }
    let obstacle = few_moves(problem);
    if obstacle.is_some() || graph.len() > EXAMINED {
        return obstacle;
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
        .or_else(|| if problem.is_constrained() { None } else { forced::find(problem) })
        .or_else(|| toughness::find(problem, walked))
}

/// Returns whether every move of a leaper changes the colour.
pub(super) fn alternates(piece: &Leaper) -> bool {
    piece.pairs().iter().all(|(a, b)| (a + b) % 2 == 1)
}

/// Finds leapers that cannot reach every square of a board.
fn arithmetic(board: &Board, piece: &Leaper, graph: &Graph) -> Option<Finding> {
    let pairs = piece.pairs();
    if pairs.iter().all(|(a, b)| (a + b) % 2 == 0) {
        let both = (1..board.squares() as u64).contains(&dark_squares(board));
        let reason = format!("on {graph} no move leads from a dark square to a light one");
        return if both { finding("connectivity", reason) } else { None };
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

/// Returns whether a full board is connected, by Knuth's theorem. `None` if the theorem does not
/// apply: unions of leapers, straight leapers, boards one square wide.
pub(super) fn is_connected(board: &Board, piece: &Leaper) -> Option<bool> {
    let &[(r, s)] = piece.pairs() else { return None };
    let (m, n) = (board.rows().min(board.cols()), board.rows().max(board.cols()));
    (board.is_full() && r >= 1 && m >= 2)
        .then(|| gcd(r + s, s - r) == 1 && m >= r + s && n >= 2 * s)
}

/// Returns the number of squares with the colour of a1.
pub(super) fn dark_squares(board: &Board) -> u64 {
    if board.is_full() {
        (board.squares() as u64).div_ceil(2)
    } else {
        board.iter().filter(|&v| board.is_dark(v)).count() as u64
    }
}

/// Applies the colour argument to a leaper that changes colour with every move.
pub(super) fn board_colours(board: &Board, problem: &Problem) -> Option<Finding> {
    let dark = dark_squares(board);
    let sizes = [dark, board.squares() as u64 - dark];
    let is_second = |v: Square| !board.is_dark(v);
    balance(problem, sizes, is_second, true)
}

/// Applies the colour argument to the colours found by a walk.
fn classes(problem: &Problem, walked: &Connectivity) -> Option<Finding> {
    let is_second = |v: Square| walked.second.contains(v.index());
    balance(problem, walked.classes?, is_second, false)
}

/// Compares the classes of a graph in which every move changes class; `coloured` if these are the colours of a board.
fn balance(
    problem: &Problem,
    sizes: [u64; 2],
    is_second: impl Fn(Square) -> bool,
    coloured: bool,
) -> Option<Finding> {
    let graph = problem.graph();
    let [first, second] = sizes;
    let ends = [problem.start(), problem.end()];
    let consequence = match (problem.is_closed(), first.abs_diff(second)) {
        (true, 0) => return None,
        (true, _) if coloured => "a closed tour needs equally many of both".to_string(),
        (true, _) => "a closed tour needs equal classes".to_string(),
        (false, 0) => {
            let [s, e] = [ends[0]?, ends[1]?];
            if is_second(s) != is_second(e) {
                return None;
            }
            let (s, e) = (graph.name(s), graph.name(e));
            match coloured {
                true => format!("a tour has one end of each colour, but {s} and {e} have the same"),
                false => format!("a tour has one end in each class, but {s} and {e} are in one"),
            }
        }
        (false, 1) => {
            let major = second > first;
            let wrong = ends.into_iter().flatten().find(|&v| is_second(v) != major)?;
            let wrong = graph.name(wrong);
            let place = match (coloured, major) {
                (true, false) => "dark",
                (true, true) => "light",
                (false, _) => "in the larger class",
            };
            format!("both ends of a tour are {place}, but {wrong} is not")
        }
        (false, _) if coloured => "their numbers may differ by at most 1".to_string(),
        (false, _) => "the classes may differ by at most 1".to_string(),
    };
    let nouns = nouns(graph);
    let reason = match coloured {
        true => {
            let piece =
                if graph.piece().is_some_and(Leaper::is_knight) { "knight" } else { "piece" };
            format!(
                "{graph} has {first} dark and {second} light {nouns}; a {piece} changes colour at each move, so {consequence}"
            )
        }
        false => format!(
            "{graph} is bipartite with classes of {first} and {second} {nouns}; {consequence}"
        ),
    };
    let differ = first.abs_diff(second) > u64::from(!problem.is_closed());
    let certificate = differ.then(|| {
        let sizes = [first.min(second), first.max(second)];
        Box::new(Certificate::class(graph, sizes, |v| is_second(v) == (second > first)))
    });
    let evidence = if coloured { Evidence::Colours } else { Evidence::None };
    Some(Finding { theorem: "colouring", reason, certificate, evidence })
}

/// Finds squares with fewer moves than a tour needs.
pub(super) fn few_moves(problem: &Problem) -> Option<Finding> {
    let graph = problem.graph();
    let (mut without, mut one, mut ones) = (None, None, 0);
    let mut add = |degree: u32, first: Square, squares: u64| match degree {
        0 => without = without.or(Some(first)),
        1 => (one, ones) = (one.or(Some(first)), ones + squares),
        _ => {}
    };
    match (graph.board(), graph.piece()) {
        (Some(board), Some(piece)) if board.is_full() => {
            degrees::blocks(board, piece).iter().for_each(|b| add(b.degree, b.first, b.squares));
        }
        _ if graph.len() > EXAMINED => return None,
        // Degrees above two do not matter.
        _ => graph.vertices().for_each(|v| add(graph.neighbours(v).take(2).count() as u32, v, 1)),
    }
    let argument = |first: Square, reason: String| {
        let evidence = Evidence::FewMoves(vec![first]);
        Some(Finding { evidence, ..Finding::new("degrees", reason) })
    };
    if let Some(v) = without {
        let edge = edge_noun(graph);
        return argument(v, format!("no {edge} leads to {} on {graph}", graph.name(v)));
    }
    let one = one?;
    let (name, noun, nouns) = (graph.name(one), noun(graph), nouns(graph));
    if problem.is_closed() {
        return argument(
            one,
            format!(
                "a closed tour needs two moves at every {noun}, and {name} on {graph} has only one"
            ),
        );
    }
    let ends = [problem.start(), problem.end()];
    let fixed = ends.iter().flatten().count() as u64;
    let at_ends = ends.iter().flatten().filter(|&&v| graph.degree(v) == 1).count() as u64;
    if ones - at_ends <= 2 - fixed {
        return None;
    }
    let among = match (fixed, at_ends) {
        (0, _) => String::new(),
        (_, 0) => ", none among the fixed ends".to_string(),
        (_, some) => format!(", {some} among the fixed ends"),
    };
    let single = |v: &Square| graph.neighbours(*v).take(2).count() == 1;
    let singles = match graph.len() <= EXAMINED {
        true => graph.vertices().filter(single).collect(),
        false => vec![one],
    };
    let reason = format!(
        "a tour can only end on {nouns} with a single move, and {graph} has {ones} of them{among}"
    );
    Some(Finding { evidence: Evidence::FewMoves(singles), ..Finding::new("degrees", reason) })
}

/// Finds graphs that are not connected.
fn parts(problem: &Problem, walked: &Connectivity, root: Square) -> Option<Finding> {
    let graph = problem.graph();
    let (parts, reached) = (walked.parts, walked.reached);
    if parts == 1 {
        return None;
    }
    let (root, order, nouns) = (graph.name(root), graph.order(), nouns(graph));
    let reason = format!(
        "{graph} falls into {parts} parts without moves between them: from {root} only {reached} of {order} {nouns} can be reached"
    );
    let certificate = Some(Box::new(Certificate::parts(graph, &[])));
    let evidence = Evidence::Removed(Vec::new());
    Some(Finding { theorem: "connectivity", reason, certificate, evidence })
}

/// Finds squares whose removal leaves more pieces than a tour allows.
fn cuts(problem: &Problem, walked: &Connectivity) -> Option<Finding> {
    let (graph, noun) = (problem.graph(), noun(problem.graph()));
    let (v, pieces) = walked.cut?;
    let argument = |reason: String| finding("cut squares", reason);
    if problem.is_closed() || pieces > 2 {
        let limit = match problem.is_closed() {
            true => format!("a closed tour without one {noun} stays in one piece"),
            false => format!("a tour without one {noun} leaves at most two"),
        };
        let name = graph.name(v);
        let reason = format!("without {name} {graph} falls into {pieces} pieces, and {limit}");
        let certificate = Some(Box::new(Certificate::parts(graph, &[v])));
        let evidence = Evidence::Removed(vec![v]);
        return Some(Finding { theorem: "cut squares", reason, certificate, evidence });
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
            "a tour with the end {} has one other end, but {graph} has {leaves} more dead ends (parts connected to the rest by a single {noun})",
            graph.name(s)
        )),
        (None, None) => {
            // From inside one leaf block there must be exactly one other leaf block.
            let leaves = if leaves > 2 { leaves } else { 1 + walk(graph, tip?, None).leaves };
            if leaves <= 2 {
                return None;
            }
            argument(format!(
                "a tour has two ends, but {graph} has at least {leaves} dead ends (parts connected to the rest by a single {noun})"
            ))
        }
        _ => None,
    }
}
