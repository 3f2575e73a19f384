//! Move orders: the sequence in which a search tries the moves from a square.

use crate::board::Graph;
use crate::search::{Param, ParamKind, ParamValue, Unsupported};

/// The parameter `order`, shared by all searches that try moves in a fixed sequence.
pub(crate) const ORDER: Param = Param {
    name: "order",
    default: "a",
    kind: ParamKind::Order(&[
        ("a", "circular, 01234567: Figure 1 of Gordon & Slocum, counter-clockwise"),
        ("b", "04251736: their second sequence"),
        (
            "tcd",
            "32107654: (2,1), (1,2), (-1,2), … of the 2020 comparison, as (rows up, columns right) from a1",
        ),
        ("random", "a seeded choice at each step"),
    ]),
    help: "The sequence in which the moves from a square are tried.",
};

/// The moves (2,1), (1,2), (-1,2), … of the 2020 comparison, as (rows up, columns right), by our
/// numbers.
pub(crate) const TCD: [usize; 8] = [3, 2, 1, 0, 7, 6, 5, 4];

/// The sequence of move numbers, or `None` for a random choice at each step. On a graph from a
/// file, neighbours have no move numbers and are tried in ascending order.
pub(crate) fn sequence(
    value: &ParamValue,
    graph: &Graph,
) -> Result<Option<Vec<usize>>, Unsupported> {
    let moves = graph.move_count();
    let preset = match value {
        ParamValue::Word("random") => return Ok(None),
        ParamValue::Word("b") => vec![0, 4, 2, 5, 1, 7, 3, 6],
        ParamValue::Word("tcd") => TCD.to_vec(),
        ParamValue::Permutation(order) => order.clone(),
        _ => (0..moves.unwrap_or(0)).collect(),
    };
    match moves {
        Some(moves) if moves == preset.len() => Ok(Some(preset)),
        None if preset.is_empty() => Ok(Some(preset)),
        Some(moves) => Err(Unsupported(format!(
            "order {value} has {} moves but the leaper has {moves}; use a, random or a permutation of 0 to {}",
            preset.len(),
            moves - 1
        ))),
        None => Err(Unsupported(format!(
            "order {value} numbers moves, which a graph from a file does not have; use order=a (ascending) or order=random"
        ))),
    }
}

/// The neighbours of a vertex in the given sequence of move numbers.
pub(crate) fn ordered<'a>(
    graph: &'a Graph,
    sequence: &'a [usize],
    v: crate::board::Square,
) -> impl Iterator<Item = crate::board::Square> + 'a {
    let plain = if sequence.is_empty() { Some(graph.neighbours(v)) } else { None };
    let numbered = sequence.iter().filter_map(move |&code| graph.step(v, code));
    plain.into_iter().flatten().chain(numbered)
}
