//! Adjacency lists: a vertex and its neighbours per line, as in `0 1 2` (networkx) or `0: 1 2`.
//!
//! networkx lists every edge once, others list it in both lines. Both are read, a mixture is refused, and every
//! neighbour needs a line of its own: so an edge list with weights, a file that is cut off and prose are errors.

use super::vertices::{LocatedEdges, VertexNames};
use super::{GraphFault, GraphParts, Located, data_lines, shorten};
use std::collections::HashSet;

/// Splits a row with a colon after its first word into the vertex and the rest.
pub(super) fn head(row: &str) -> Option<(&str, &str)> {
    let (vertex, rest) = row.split_once(':')?;
    let vertex = vertex.trim_end();
    let single = !vertex.is_empty() && !vertex.contains(|c: char| c.is_whitespace() || c == ',');
    (single && (rest.is_empty() || rest.starts_with(char::is_whitespace))).then_some((vertex, rest))
}

fn words(row: &str) -> impl Iterator<Item = &str> {
    row.split(|c: char| c.is_whitespace() || matches!(c, ',' | ';')).filter(|word| !word.is_empty())
}

pub(super) fn read(text: &str) -> Result<GraphParts, Located> {
    let colons = data_lines(text).next().is_some_and(|(_, row)| head(row).is_some());
    let split = |line, row| match (head(row), colons) {
        (Some(parts), true) => Ok(parts),
        (None, true) => {
            let found = format!("'{}'", shorten(row));
            Err((line, GraphFault::Syntax { expected: "a vertex and a colon", found }))
        }
        (_, false) => {
            let vertex = words(row).next().ok_or((line, GraphFault::NoName))?;
            Ok((vertex, row.split_once(vertex).map_or("", |(_, rest)| rest)))
        }
    };
    let mut names = VertexNames::default();
    for (line, row) in data_lines(text) {
        let (vertex, _) = split(line, row)?;
        check(vertex).map_err(|fault| (line, fault))?;
        names.declare(vertex.into()).map_err(|fault| (line, fault))?;
    }
    let mut edges = LocatedEdges::default();
    let mut seen = HashSet::new();
    for (line, row) in data_lines(text) {
        let (vertex, rest) = split(line, row)?;
        let own = names.find(vertex).map_err(|fault| (line, fault))?;
        seen.clear();
        for word in words(rest) {
            check(word).map_err(|fault| (line, fault))?;
            let missing = |_| (line, GraphFault::NoLine(shorten(word)));
            let neighbour = names.find(word).map_err(missing)?;
            if !seen.insert(neighbour) {
                return Err((line, GraphFault::SameNeighbour(shorten(word))));
            }
            edges.push(line, (own, neighbour)).map_err(|fault| (line, fault))?;
        }
    }
    check_directions(&edges, &names)?;
    Ok(GraphParts::new(names.into_names(), edges.edges))
}

/// Refuses words that are not names.
fn check(word: &str) -> Result<(), GraphFault> {
    if word.contains(['#', '%']) {
        return Err(GraphFault::InnerComment(shorten(word)));
    }
    let numeric = word.starts_with(['-', '+', '.']) || word.contains('.');
    match numeric && word.parse::<f64>().is_ok() {
        true => Err(GraphFault::Decimal(shorten(word))),
        false => Ok(()),
    }
}

/// Checks that either every edge is listed in both lines or every edge in one.
fn check_directions(edges: &LocatedEdges, names: &VertexNames<'_>) -> Result<(), Located> {
    let mut sorted: Vec<(u32, u32)> = edges.edges.iter().filter(|(u, v)| u != v).copied().collect();
    sorted.sort_unstable();
    let back = |&(u, v): &(u32, u32)| sorted.binary_search(&(v, u)).is_ok();
    if !sorted.iter().any(back) {
        return Ok(());
    }
    edges.check_symmetric(names).map_err(|(line, fault)| match fault {
        GraphFault::Directed { from, to } => (line, GraphFault::OneWay { from, to }),
        fault => (line, fault),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_and_both_directions_are_the_same_graph() {
        let once = read("a b c\nb c\nc\n").unwrap();
        assert_eq!((once.names.len(), once.edges.len()), (3, 3));
        for text in
            ["a: b c\nb: a c\nc: a b\n", "a : b, c\nb : a, c\nc : a, b\n", "a b c\nb a c\nc b a\n"]
        {
            let parts = read(text).unwrap();
            assert_eq!((parts.names, parts.edges.len()), (once.names.clone(), 6), "{text}");
        }
    }

    #[test]
    fn faults_name_their_line() {
        for (text, line, said) in [
            ("a b c\nb\n", 1, "'c' has no line"),
            ("a b\nb a\na c\nc\n", 3, "declared twice"),
            ("a b c\nb a\nc\n", 1, "a lists c, but c does not list a"),
            ("a b b\nb\n", 1, "'b' is listed twice"),
            ("a: b\nb\n", 2, "a vertex and a colon"),
            ("this is a text\nof some lines\n", 1, "'is' has no line"),
            ("1 2 0.5\n2 1 0.5 3\n", 1, "decimal"),
        ] {
            let (at, fault) = read(text).unwrap_err();
            assert!(fault.to_string().contains(said), "{text}: {fault}");
            assert_eq!(at, line, "{text}: {fault}");
        }
    }
}
