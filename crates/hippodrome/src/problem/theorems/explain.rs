//! Impossibility step by step: what a class can check on the board, line by line.

use super::certificate::{Evidence, ForcedCases, ForcedMoves};
use super::{Finding, edge_noun, noun, nouns, obstacles};
use crate::board::{Board, Graph, Square};
use crate::error::joined;
use crate::numerals::counted;

/// Squares listed per line, at most.
const LISTED: usize = 24;

/// Returns the steps of the reason why a graph has no tour, or no closed tour; empty if the reason says it all.
pub fn steps(graph: &Graph, closed: bool, finding: &Finding) -> Vec<String> {
    let list = List { graph };
    match &finding.evidence {
        Evidence::None => Vec::new(),
        Evidence::Colours => graph.board().map_or(Vec::new(), |board| colours(board, closed)),
        Evidence::FewMoves(squares) => squares
            .iter()
            .take(LISTED)
            .map(|&v| {
                let near: Vec<Square> = graph.neighbours(v).collect();
                match near.len() {
                    0 => format!("{} has no {}", graph.name(v), edge_noun(graph)),
                    _ => format!(
                        "{} has only the {} {}",
                        graph.name(v),
                        edge_noun(graph),
                        list.to(v)
                    ),
                }
            })
            .collect(),
        Evidence::Removed(removed) => list.parts(removed, closed),
        Evidence::Forced(forced) => list.forced(forced, closed),
        Evidence::Cases(cases) => {
            let ForcedCases { forced, split: (u, v), cases: [with, without] } = &**cases;
            let mut lines =
                vec![format!("moves that every closed tour uses: {}", list.moves(forced))];
            let split = format!("{}-{}", graph.name(*u), graph.name(*v));
            for (case, forced) in [("with", with), ("without", without)] {
                let stuck = forced.stuck.map_or(String::new(), |v| {
                    format!(", and {} has too few moves left", graph.name(v))
                });
                let moves = list.moves(&forced.moves);
                lines.push(format!("{case} {split} it also uses {moves}{stuck}"));
            }
            lines
        }
        &Evidence::FourLines(rows) => {
            let Some(board) = graph.board() else { return Vec::new() };
            let (line, inner) =
                if rows { ("rows", board.cols()) } else { ("columns", board.rows()) };
            let squares = counted(2 * u64::from(inner), "square");
            vec![
                format!("the outer two {line} have {squares}, and so have the inner two"),
                "no move leads from an outer square to an outer square".into(),
                format!("so a closed tour goes outer, inner, outer, inner, … through the {line}"),
                "and dark, light, dark, light, … through the colours".into(),
                "so all outer squares would have the colour of the first, but both colours occur"
                    .into(),
            ]
        }
    }
}

fn colours(board: &Board, closed: bool) -> Vec<String> {
    let dark = obstacles::dark_squares(board);
    let light = board.squares() as u64 - dark;
    let rule = match closed {
        true => {
            "a closed tour goes dark, light, dark, light, … and back to its start: as many of both"
        }
        false => "a tour goes dark, light, dark, light, …: the numbers differ by at most 1",
    };
    vec![format!("dark squares, like a1: {dark}"), format!("light squares: {light}"), rule.into()]
}

struct List<'g> {
    graph: &'g Graph,
}

impl List<'_> {
    fn squares(&self, squares: &[Square]) -> String {
        let names: Vec<String> = squares.iter().take(LISTED).map(|&v| self.graph.name(v)).collect();
        match squares.len().saturating_sub(LISTED) {
            0 => names.join(", "),
            more => format!("{} and {more} more", names.join(", ")),
        }
    }

    fn moves(&self, moves: &[(Square, Square)]) -> String {
        let name =
            |&(u, v): &(Square, Square)| format!("{}-{}", self.graph.name(u), self.graph.name(v));
        let names: Vec<String> = moves.iter().take(LISTED).map(name).collect();
        match moves.len().saturating_sub(LISTED) {
            0 => names.join(", "),
            more => format!("{} and {more} more", names.join(", ")),
        }
    }

    fn to(&self, v: Square) -> String {
        let near: Vec<String> = self.graph.neighbours(v).map(|w| self.graph.name(w)).collect();
        format!("to {}", joined(&near, "and"))
    }

    fn parts(&self, removed: &[Square], closed: bool) -> Vec<String> {
        let parts = parts(self.graph, removed);
        let mut lines = Vec::new();
        if !removed.is_empty() {
            let count = counted(removed.len() as u64, noun(self.graph));
            lines.push(format!("remove {count}: {}", self.squares(removed)));
        }
        for (number, part) in (1..).zip(parts.iter().take(LISTED)) {
            lines.push(format!("part {number}: {}", self.squares(part)));
        }
        if parts.len() > LISTED {
            lines.push(format!("and {} more parts", parts.len() - LISTED));
        }
        let nouns = nouns(self.graph);
        lines.push(match (removed.len(), closed) {
            (0, _) => "a tour cannot pass from one part to another".into(),
            (k, true) => format!(
                "a closed tour is a ring: cut at {k} {nouns}, it falls into at most {k} parts"
            ),
            (k, false) => {
                format!(
                    "a tour is a line: cut at {k} {nouns}, it falls into at most {} parts",
                    k + 1
                )
            }
        });
        lines
    }

    fn forced(&self, forced: &ForcedMoves, closed: bool) -> Vec<String> {
        let mut seen = Vec::new();
        for v in forced.moves.iter().flat_map(|&(u, v)| [u, v]) {
            if self.graph.degree(v) == 2 && !seen.contains(&v) {
                seen.push(v);
            }
        }
        let edges = format!("{}s", edge_noun(self.graph));
        let only =
            |&v: &Square| format!("{} has only the {edges} {}", self.graph.name(v), self.to(v));
        let mut lines: Vec<String> = Vec::new();
        if closed {
            lines.extend(seen.iter().take(LISTED).map(only));
        }
        let tour = if closed { "closed tour" } else { "tour" };
        lines.push(format!("so every {tour} uses {}", self.moves(&forced.moves)));
        lines.push(match forced.stuck {
            Some(v) => format!("then {} has too few {edges} left", self.graph.name(v)),
            None => format!("but these close a ring without the other {}", nouns(self.graph)),
        });
        lines
    }
}

/// Returns the parts of a graph without some squares, in the order of their first squares.
pub fn parts(graph: &Graph, removed: &[Square]) -> Vec<Vec<Square>> {
    let mut seen = vec![false; graph.len()];
    removed.iter().for_each(|v| seen[v.index()] = true);
    let mut parts = Vec::new();
    for first in graph.vertices() {
        if std::mem::replace(&mut seen[first.index()], true) {
            continue;
        }
        let (mut part, mut at) = (vec![first], 0);
        while let Some(&v) = part.get(at) {
            at += 1;
            for w in graph.neighbours(v) {
                if !std::mem::replace(&mut seen[w.index()], true) {
                    part.push(w);
                }
            }
        }
        part.sort_unstable();
        parts.push(part);
    }
    parts
}
