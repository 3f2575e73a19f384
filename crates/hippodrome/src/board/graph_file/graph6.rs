//! graph6, the one-line format of nauty: a size, then the upper triangle of the adjacency matrix,
//! column by column, six bits per character from `?` (000000) to `~` (111111).
//!
//! The size is one character below 63 vertices, `~` and three characters below 2^18, `~~` and six
//! characters below 2^36. Vertices are named from 0.

use super::{GraphFault, GraphParts, Located, limited, numbered};

/// Maximum number of vertices, whose matrix already has 200 million entries.
const LIMIT: u64 = 20_000;
const HEADER: &str = ">>graph6<<";

/// Returns the lines that are not blank, with their numbers.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    (1..).zip(text.lines().map(str::trim)).filter(|(_, line)| !line.is_empty())
}

/// Returns whether the text has a header of this family or consists of single words without digits.
pub(super) fn looks_like(text: &str) -> bool {
    let word = |line: &str| {
        line.strip_prefix('&').unwrap_or(line).bytes().all(|b| (63..=126).contains(&b))
    };
    let mut lines = lines(text);
    lines.next().is_some_and(|(_, first)| {
        first.starts_with(">>") || (word(first) && lines.all(|(_, line)| word(line)))
    })
}

/// Returns the one line of a graph without its header, with its number.
pub(super) fn one_line<'t>(text: &'t str, header: &str) -> Result<(usize, &'t str), Located> {
    let mut lines = lines(text);
    let Some((mut line, first)) = lines.next() else { return Err((1, GraphFault::Empty)) };
    let mut data = first.strip_prefix(header).unwrap_or(first);
    if data.is_empty() {
        (line, data) = lines.next().ok_or((line, GraphFault::Empty))?;
    }
    match lines.next() {
        Some((second, _)) => Err((second, GraphFault::SecondGraph)),
        None => Ok((line, data)),
    }
}

/// Checks that all characters belong to graph6.
pub(super) fn check_characters(data: &str) -> Result<(), GraphFault> {
    let wrong = data.chars().find(|c| !('?'..='~').contains(c));
    wrong.map_or(Ok(()), |wrong| Err(GraphFault::Character(wrong)))
}

/// Splits off the number of vertices; `None` if it is cut off.
pub(super) fn size(data: &[u8]) -> Option<(u64, &[u8])> {
    let (size, rest) = match data {
        [b'~', b'~', rest @ ..] => rest.split_at_checked(6),
        [b'~', rest @ ..] => rest.split_at_checked(3),
        _ => data.split_at_checked(1),
    }?;
    Some((size.iter().fold(0, |n, &b| n << 6 | u64::from(b - 63)), rest))
}

pub(super) fn read(text: &str) -> Result<GraphParts, Located> {
    let (line, data) = one_line(text, HEADER)?;
    if data.starts_with('&') || data.starts_with(">>digraph6") {
        return Err((line, GraphFault::Relative("digraph6")));
    }
    let located = |fault| (line, fault);
    check_characters(data).map_err(located)?;
    decode(data.as_bytes()).map_err(located)
}

fn decode(data: &[u8]) -> Result<GraphParts, GraphFault> {
    let cut = GraphFault::Syntax { expected: "a number of vertices", found: "the end".into() };
    let (order, rest) = size(data).ok_or(cut)?;
    limited(order, LIMIT)?;
    let expected = (order * order.saturating_sub(1) / 2).div_ceil(6);
    if rest.len() as u64 != expected {
        let found = rest.len() as u64;
        return Err(GraphFault::Length { vertices: order, expected, found });
    }
    let pairs = (1..order as u32).flat_map(|v| (0..v).map(move |u| (u, v)));
    let is_set = |bit: usize| (rest[bit / 6] - 63) >> (5 - bit % 6) & 1 == 1;
    let edges = (0..).zip(pairs).filter(|&(bit, _)| is_set(bit)).map(|(_, edge)| edge).collect();
    Ok(GraphParts::new(numbered(0, order), edges))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_size_takes_one_four_or_eight_characters() {
        let path_of_two = GraphParts::new(numbered(0, 2), vec![(0, 1)]);
        for text in ["A_", "~??A_", "~~?????A_", ">>graph6<<A_", ">>graph6<<\nA_\n"] {
            assert_eq!(read(text), Ok(path_of_two.clone()), "{text}");
        }
    }

    #[test]
    fn anything_but_one_graph_is_rejected() {
        assert!(looks_like("A_\nA?\n") && looks_like("&AO") && !looks_like("A B"));
        assert_eq!(read("A_\n\nA?"), Err((3, GraphFault::SecondGraph)));
        assert_eq!(read("&AO"), Err((1, GraphFault::Relative("digraph6"))));
        assert_eq!(read(">>graph6<<A 1"), Err((1, GraphFault::Character(' '))));
        assert!(read("~?").is_err());
        assert_eq!(read("D?"), Err((1, GraphFault::Length { vertices: 5, expected: 2, found: 1 })));
    }

    #[test]
    fn an_absurd_size_is_refused_with_the_limit() {
        let (_, fault) = read("~~~~~~~~").unwrap_err();
        assert_eq!(fault.to_string(), "68,719,476,735 vertices are too many; the limit is 20,000");
    }
}
