//! Certificates: what a program needs to check that a problem is impossible.

use crate::board::{Graph, Square};
use fixedbitset::FixedBitSet;
use serde::Serialize;
use std::fmt;

/// The evidence for an impossible problem, short enough to print.
///
/// Removing k > 0 vertices leaves at most k parts of a closed tour, and at most k + 1 parts of an
/// open one. So vertices whose removal leaves more parts prove that there is no tour. With fixed ends
/// fewer parts may be enough; the reason says how many. Where forced moves are the proof, there are no
/// parts, and `moves` are moves that every tour would have to use.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Certificate {
    /// Names of the removed vertices, at most [`Certificate::NAMED`] of them.
    pub removed: Vec<String>,
    /// Number of removed vertices.
    pub removed_count: u64,
    /// The parts that are left, at most [`Certificate::NAMED`] of them.
    pub parts: Vec<Part>,
    /// Number of parts.
    pub part_count: u64,
    /// Forced moves, at most [`Certificate::NAMED`] of them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub moves: Vec<[String; 2]>,
}

/// What a reason points at on the board, for pictures and for checks of the reason.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Evidence {
    /// Nothing that can be drawn.
    #[default]
    None,
    /// The dark and light squares of the board, between which every move leads.
    Colours,
    /// Squares with fewer moves than a tour needs.
    FewMoves(Vec<Square>),
    /// Squares whose removal leaves too many parts; none if the graph itself is in parts.
    Removed(Vec<Square>),
    /// Moves that every tour would have to use.
    Forced(ForcedMoves),
    /// A move that leads to a contradiction if it is used and if it is not.
    Cases(Box<ForcedCases>),
    /// Two outer lines and two inner ones, between which every move from an outer square leads. `true` for rows.
    FourLines(bool),
}

/// Forced moves that contradict a tour.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ForcedMoves {
    /// The moves that the contradiction needs.
    pub moves: Vec<(Square, Square)>,
    /// The square that has too few moves left, if that is the contradiction.
    pub stuck: Option<Square>,
}

/// Two cases that both contradict a tour.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ForcedCases {
    /// Moves that every tour would have to use, whatever the case.
    pub forced: Vec<(Square, Square)>,
    /// The move that distinguishes the cases.
    pub split: (Square, Square),
    /// The contradiction if it is used, and if it is not.
    pub cases: [ForcedMoves; 2],
}

/// One part of a graph from which vertices were removed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Part {
    /// The name of its first vertex.
    pub member: String,
    /// Number of its vertices.
    pub size: u64,
}

impl Certificate {
    /// Maximum length of a list.
    pub const NAMED: usize = 20;

    /// Removes vertices and lists the parts that are left. Cost: linear in the graph.
    pub(super) fn parts(graph: &Graph, removed: &[Square]) -> Certificate {
        let mut seen = FixedBitSet::with_capacity(graph.len());
        removed.iter().for_each(|v| seen.insert(v.index()));
        let mut parts = Vec::new();
        let mut part_count = 0;
        let mut reached = Vec::new();
        for first in graph.vertices() {
            if seen.put(first.index()) {
                continue;
            }
            part_count += 1;
            let mut size = 0;
            reached.push(first);
            while let Some(v) = reached.pop() {
                size += 1;
                reached.extend(graph.neighbours(v).filter(|w| !seen.put(w.index())));
            }
            if parts.len() < Certificate::NAMED {
                parts.push(Part { member: graph.name(first), size });
            }
        }
        let names = removed.iter().take(Certificate::NAMED).map(|&v| graph.name(v));
        Certificate {
            removed: names.collect(),
            removed_count: removed.len() as u64,
            parts,
            part_count,
            moves: Vec::new(),
        }
    }

    /// Removes one colour class and leaves every vertex of the other one alone. `keep` tells the
    /// classes apart; `sizes` are those of the removed and the remaining one.
    pub(super) fn class(
        graph: &Graph,
        sizes: [u64; 2],
        keep: impl Fn(Square) -> bool,
    ) -> Certificate {
        let names = |kept: bool| {
            let class = graph.vertices().filter(|&v| keep(v) == kept);
            class.take(Certificate::NAMED).map(|v| graph.name(v)).collect::<Vec<_>>()
        };
        let part = |member| Part { member, size: 1 };
        Certificate {
            removed: names(false),
            removed_count: sizes[0],
            parts: names(true).into_iter().map(part).collect(),
            part_count: sizes[1],
            moves: Vec::new(),
        }
    }

    /// Lists forced moves.
    pub(super) fn forced(graph: &Graph, moves: &[(Square, Square)]) -> Certificate {
        let name = |&(u, v): &(Square, Square)| [graph.name(u), graph.name(v)];
        let moves = moves.iter().take(Certificate::NAMED).map(name).collect();
        Certificate { moves, ..Certificate::default() }
    }
}

/// Names in a sentence: `a1, b2 and c3`, or the first few `and 17 more`.
pub(super) struct Listed<'a>(pub(super) &'a Graph, pub(super) &'a [Square]);

impl fmt::Display for Listed<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        /// Longer lists are cut.
        const MOST: usize = 8;
        let &Listed(graph, squares) = self;
        let shown = if squares.len() > MOST { MOST - 1 } else { squares.len() };
        for (at, &v) in squares[..shown].iter().enumerate() {
            let before = match at {
                0 => "",
                _ if at + 1 == squares.len() => " and ",
                _ => ", ",
            };
            write!(f, "{before}{}", graph.name(v))?;
        }
        match squares.len() - shown {
            0 => Ok(()),
            more => write!(f, " and {more} more"),
        }
    }
}
