//! Move orders: the sequence in which a search tries the moves from a square.

use crate::board::Graph;
use crate::search::{ParamKind, ParamType, ParamValue, Unsupported, choice, params};
use std::fmt;

choice! {
    /// Named move orders.
    pub(crate) enum NamedOrder {
        A = "a", "circular, 01234567: Figure 1 of Gordon & Slocum, counter-clockwise";
        B = "b", "04251736: their second sequence";
        Tcd = "tcd", "32107654: (2,1), (1,2), (-1,2), … of the 2020 comparison, as (rows up, columns right) from a1";
        Random = "random", "a random choice at each step";
    }
}

/// Our numbers for the moves (2,1), (1,2), (-1,2), …, which the 2020 comparison lists as (rows up,
/// columns right).
pub(crate) const TCD: [usize; 8] = [3, 2, 1, 0, 7, 6, 5, 4];

/// A move order by name, or as a permutation of move numbers.
#[derive(Clone, Debug)]
pub(crate) enum Sequence {
    Named(NamedOrder),
    Permutation(Vec<usize>),
}

impl ParamType for Sequence {
    const KIND: ParamKind = ParamKind::Order(NamedOrder::WORDS);

    fn read(value: &ParamValue) -> Option<Sequence> {
        match value {
            ParamValue::Permutation(order) => Some(Sequence::Permutation(order.clone())),
            named => NamedOrder::read(named).map(Sequence::Named),
        }
    }
}

impl fmt::Display for Sequence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Sequence::Named(order) => f.write_str(order.word()),
            Sequence::Permutation(order) => ParamValue::Permutation(order.clone()).fmt(f),
        }
    }
}

params! {
    /// The parameter `order`, shared by all searches that try moves in a fixed sequence.
    pub(crate) struct MoveOrder {
        order: Sequence = "a", "The sequence in which the moves from a square are tried.";
    }
}

impl MoveOrder {
    /// Returns the sequence of move numbers, or `None` for a random choice at each step. On a graph
    /// from a file, neighbours have no move numbers and are tried in ascending order.
    pub(crate) fn sequence(&self, graph: &Graph) -> Result<Option<Vec<usize>>, Unsupported> {
        let moves = graph.move_count();
        let order = &self.order;
        let preset = match order {
            Sequence::Named(NamedOrder::Random) => return Ok(None),
            Sequence::Named(NamedOrder::A) => (0..moves.unwrap_or(0)).collect(),
            Sequence::Named(NamedOrder::B) => vec![0, 4, 2, 5, 1, 7, 3, 6],
            Sequence::Named(NamedOrder::Tcd) => TCD.to_vec(),
            Sequence::Permutation(order) => order.clone(),
        };
        match moves {
            Some(moves) if moves == preset.len() => Ok(Some(preset)),
            None if preset.is_empty() => Ok(Some(preset)),
            Some(moves) => Err(Unsupported(format!(
                "order {order} lists {} moves, but the leaper has {moves}; use a, random or a permutation of 0 to {}",
                preset.len(),
                moves - 1
            ))),
            None => Err(Unsupported(format!(
                "order {order} numbers moves, which a graph from a file does not have; use order=a (ascending) or order=random"
            ))),
        }
    }
}

/// Returns the neighbours of a vertex in the given sequence of move numbers.
pub(crate) fn ordered<'a>(
    graph: &'a Graph,
    sequence: &'a [usize],
    v: crate::board::Square,
) -> impl Iterator<Item = crate::board::Square> + 'a {
    let plain = if sequence.is_empty() { Some(graph.neighbours(v)) } else { None };
    let numbered = sequence.iter().filter_map(move |&code| graph.step(v, code));
    plain.into_iter().flatten().chain(numbered)
}
