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
        line.strip_prefix([':', '&']).unwrap_or(line).bytes().all(|b| (63..=126).contains(&b))
    };
    let mut lines = lines(text);
    lines.next().is_some_and(|(_, first)| {
        first.starts_with(">>") || (word(first) && lines.all(|(_, line)| word(line)))
    })
}

pub(super) fn read(text: &str) -> Result<GraphParts, Located> {
    let mut lines = lines(text);
    let Some((mut line, first)) = lines.next() else { return Err((1, GraphFault::Empty)) };
    let mut data = first.strip_prefix(HEADER).unwrap_or(first);
    if data.is_empty() {
        (line, data) = lines.next().ok_or((line, GraphFault::Empty))?;
    }
    for (mark, name) in [(":", "sparse6"), ("&", "digraph6")] {
        if data.starts_with(mark) || data.strip_prefix(">>").is_some_and(|d| d.starts_with(name)) {
            return Err((line, GraphFault::Relative(name)));
        }
    }
    if let Some((second, _)) = lines.next() {
        return Err((second, GraphFault::SecondGraph));
    }
    if let Some(wrong) = data.chars().find(|c| !('?'..='~').contains(c)) {
        return Err((line, GraphFault::Character(wrong)));
    }
    decode(data.as_bytes()).map_err(|fault| (line, fault))
}

fn decode(data: &[u8]) -> Result<GraphParts, GraphFault> {
    let (size, rest) = match data {
        [b'~', b'~', rest @ ..] => rest.split_at(rest.len().min(6)),
        [b'~', rest @ ..] => rest.split_at(rest.len().min(3)),
        _ => data.split_at(data.len().min(1)),
    };
    let order = limited(size.iter().fold(0, |n, &b| n << 6 | u64::from(b - 63)), LIMIT)?;
    let expected = (order * order.saturating_sub(1) / 2).div_ceil(6);
    if rest.len() as u64 != expected {
        let found = rest.len() as u64;
        return Err(GraphFault::Length { vertices: order, expected, found });
    }
    let pairs = (1..order as u32).flat_map(|v| (0..v).map(move |u| (u, v)));
    let is_set = |bit: usize| (rest[bit / 6] - 63) >> (5 - bit % 6) & 1 == 1;
    let edges = (0..).zip(pairs).filter(|&(bit, _)| is_set(bit)).map(|(_, edge)| edge).collect();
    Ok((numbered(0, order), edges))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_size_takes_one_four_or_eight_characters() {
        let path_of_two = (numbered(0, 2), vec![(0, 1)]);
        for text in ["A_", "~??A_", "~~?????A_", ">>graph6<<A_", ">>graph6<<\nA_\n"] {
            assert_eq!(read(text), Ok(path_of_two.clone()), "{text}");
        }
    }

    #[test]
    fn anything_but_one_graph_is_rejected() {
        assert!(looks_like("A_\nA?\n") && looks_like(":An") && !looks_like("A B"));
        assert_eq!(read("A_\n\nA?"), Err((3, GraphFault::SecondGraph)));
        assert_eq!(read(":An"), Err((1, GraphFault::Relative("sparse6"))));
        assert_eq!(read("&AO"), Err((1, GraphFault::Relative("digraph6"))));
        assert_eq!(read(">>graph6<<A 1"), Err((1, GraphFault::Character(' '))));
        assert_eq!(read("D?"), Err((1, GraphFault::Length { vertices: 5, expected: 2, found: 1 })));
    }

    #[test]
    fn an_absurd_size_is_refused_with_the_limit() {
        let (_, fault) = read("~~~~~~~~").unwrap_err();
        assert_eq!(fault.to_string(), "68719476735 vertices are too many; the limit is 20000");
    }
}
