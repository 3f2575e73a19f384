//! sparse6, the one-line format of nauty for graphs with few edges: a colon, the size as in graph6, then pairs
//! of a bit b and a number x, six bits per character.
//!
//! A vertex v begins at 0. Each pair adds b to v; then x greater than v becomes v, and otherwise x and v are an
//! edge. At most five bits fill the last character: ones, or a zero and ones. Vertices are named from 0.
//! (B. McKay, formats.txt of nauty.)

use super::graph6::{check_characters, one_line, size};
use super::{GraphFault, GraphParts, Located, MAX_VERTICES, few_enough, limited, numbered};

const HEADER: &str = ">>sparse6<<";

pub(super) fn read(text: &str) -> Result<GraphParts, Located> {
    let (line, data) = one_line(text, HEADER)?;
    let located = |fault| (line, fault);
    let Some(data) = data.strip_prefix(':') else {
        return Err(located(match data.starts_with(';') {
            true => GraphFault::Relative("incremental sparse6"),
            false => GraphFault::Syntax { expected: "a colon", found: "another format".into() },
        }));
    };
    check_characters(data).map_err(located)?;
    decode(data.as_bytes()).map_err(located)
}

fn decode(data: &[u8]) -> Result<GraphParts, GraphFault> {
    let (order, rest) = size(data).ok_or(GraphFault::Sparse6)?;
    limited(order, MAX_VERTICES)?;
    let width = (64 - order.saturating_sub(1).leading_zeros() as usize).max(1);
    let total = 6 * rest.len();
    let bit = |at: usize| u64::from((rest[at / 6] - 63) >> (5 - at % 6) & 1);
    let number = |from: usize| (from..from + width).fold(0, |n, at| n << 1 | bit(at));
    let mut edges = Vec::new();
    let (mut at, mut v) = (0, 0);
    while at + width < total {
        let x = number(at + 1);
        let next = v + bit(at);
        if x >= order || next >= order {
            break;
        }
        v = next.max(x);
        if x <= next {
            edges.push((x as u32, next as u32));
            few_enough(edges.len() as u64)?;
        }
        at += 1 + width;
    }
    // What fills the last character is shorter than one, and ones but for its first bit.
    let rest = total - at;
    if rest > 5 || (at + 1..total).any(|at| bit(at) == 0) {
        return Err(GraphFault::Sparse6);
    }
    Ok(GraphParts::new(numbered(0, order), edges))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Encodes by the definition.
    fn encoded(order: u64, edges: &[(u64, u64)]) -> String {
        let mut edges: Vec<(u64, u64)> = edges.iter().map(|&(u, v)| (u.max(v), u.min(v))).collect();
        edges.sort_unstable();
        let width = (64 - (order - 1).leading_zeros() as usize).max(1);
        let mut bits = Vec::new();
        let mut push = |b: u64, x: u64| {
            bits.push(b);
            bits.extend((0..width).rev().map(|shift| x >> shift & 1));
        };
        let mut current = 0;
        for (v, u) in edges {
            match v - current {
                0 => push(0, u),
                1 => push(1, u),
                _ => {
                    push(1, v);
                    push(0, u);
                }
            }
            current = v;
        }
        let fill = (6 - bits.len() % 6) % 6;
        if width < 6 && order == 1 << width && fill > width && current < order - 1 {
            bits.push(0);
        }
        bits.resize(bits.len().next_multiple_of(6), 1);
        let value = |six: &[u64]| six.iter().fold(0, |n, &b| n * 2 + b as u8);
        let body: String = bits.chunks(6).map(|six| char::from(63 + value(six))).collect();
        format!(":{}{body}", char::from(63 + order as u8))
    }

    #[test]
    fn the_example_of_the_definition_is_read() {
        // formats.txt: ":Fa@x^" has 7 vertices and the edges 0-1, 0-2, 1-2, 5-6.
        let parts = read(">>sparse6<<:Fa@x^\n").unwrap();
        assert_eq!(parts, GraphParts::new(numbered(0, 7), vec![(0, 1), (0, 2), (1, 2), (5, 6)]));
    }

    #[test]
    fn every_graph_of_up_to_four_vertices_survives() {
        for order in 2..=4u64 {
            let pairs: Vec<(u64, u64)> =
                (0..order).flat_map(|v| (0..v).map(move |u| (u, v))).collect();
            for set in 0..1u32 << pairs.len() {
                let chosen: Vec<(u64, u64)> = pairs
                    .iter()
                    .enumerate()
                    .filter(|(at, _)| set >> at & 1 == 1)
                    .map(|(_, &e)| e)
                    .collect();
                let mut read = read(&encoded(order, &chosen)).unwrap().edges;
                read.sort_unstable_by_key(|&(u, v)| (v, u));
                let expected: Vec<(u32, u32)> =
                    chosen.iter().map(|&(u, v)| (u as u32, v as u32)).collect();
                assert_eq!(read, expected, "{order} {chosen:?}");
            }
        }
    }

    #[test]
    fn cut_lines_are_refused() {
        for text in [":", ":~", ":~?", ":~??G?", ":F\nx"] {
            assert!(read(text).is_err(), "{text}");
        }
        assert_eq!(read(":Fa@x^\n:An"), Err((2, GraphFault::SecondGraph)));
        assert_eq!(read(";Fa"), Err((1, GraphFault::Relative("incremental sparse6"))));
        assert_eq!(read(":F1"), Err((1, GraphFault::Character('1'))));
    }
}
