//! One graph in every format, and texts that are no graph.

use super::*;
use crate::board::Square;
use proptest::prelude::*;

/// Outer cycle, spokes, inner star.
#[rustfmt::skip]
const PETERSEN: [(u32, u32); 15] = [
    (0, 1), (1, 2), (2, 3), (3, 4), (4, 0),
    (0, 5), (1, 6), (2, 7), (3, 8), (4, 9),
    (5, 7), (7, 9), (9, 6), (6, 8), (8, 5),
];

fn edges_of(graph: &Graph) -> Vec<(u32, u32)> {
    let arcs = graph.vertices().flat_map(|u| graph.neighbours(u).map(move |v| (u, v)));
    arcs.filter(|(u, v)| u < v).map(|(u, v)| (u.number(), v.number())).collect()
}

fn girth(graph: &Graph) -> usize {
    let from = |root: Square| {
        let mut seen = vec![(root, root, 0)];
        let mut at = 0;
        while at < seen.len() {
            let (here, parent, depth) = seen[at];
            for next in graph.neighbours(here).filter(|&n| n != parent) {
                if let Some(&(_, _, other)) = seen.iter().find(|s| s.0 == next) {
                    return depth + other + 1;
                }
                seen.push((next, here, depth + 1));
            }
            at += 1;
        }
        usize::MAX
    };
    graph.vertices().map(from).min().unwrap()
}

/// Encodes as graph6 by the definition: columns of the upper triangle, six bits per character.
fn graph6_of(order: u32, edges: &[(u32, u32)]) -> String {
    let joined = |u, v| edges.contains(&(u, v)) || edges.contains(&(v, u));
    let mut bits: Vec<bool> =
        (0..order).flat_map(|v| (0..v).map(move |u| (u, v))).map(|(u, v)| joined(u, v)).collect();
    bits.resize(bits.len().next_multiple_of(6), false);
    let value = |six: &[bool]| six.iter().fold(0, |n, &b| n * 2 + u8::from(b));
    let body = bits.chunks(6).map(|six| char::from(63 + value(six)));
    std::iter::once(char::from(63 + order as u8)).chain(body).collect()
}

#[test]
fn petersen_is_the_same_graph_in_every_format() {
    let list = |from: u32| PETERSEN.map(|(u, v)| format!("{} {}\n", u + from, v + from)).concat();
    let adjacency: String = (0..10)
        .map(|u| {
            let joined = PETERSEN.iter().filter(|e| e.0 == u).map(|e| (e.1 + 1).to_string());
            format!("{} {} -1\n", u + 1, joined.collect::<Vec<_>>().join(" "))
        })
        .collect();
    let head = "NAME: petersen\r\nTYPE :HCP\r\nDIMENSION:10\r\n";
    let texts = [
        list(0),
        list(7).replace(' ', ",\t"),
        graph6_of(10, &PETERSEN),
        format!(">>graph6<<{}\n", graph6_of(10, &PETERSEN)),
        format!(
            "\u{feff}{head}EDGE_DATA_FORMAT : EDGE_LIST\nEDGE_DATA_SECTION\n{}-1\nEOF\n",
            list(1)
        ),
        format!("{head}EDGE_DATA_FORMAT : ADJ_LIST\nEDGE_DATA_SECTION\n{adjacency}-1\nEOF\n"),
        format!(
            "c petersen in DIMACS\np edge 10 15\n{}",
            PETERSEN.map(|(u, v)| format!("e {} {}\n", u + 1, v + 1)).concat()
        ),
    ];
    let expected = {
        let mut edges = PETERSEN.map(|(u, v)| (u.min(v), u.max(v)));
        edges.sort_unstable();
        edges.to_vec()
    };
    for text in texts {
        let graph = read_graph("petersen", &text).unwrap();
        assert_eq!(edges_of(&graph), expected, "{text}");
    }
}

#[test]
fn a_petersen_graph_in_graph6_has_girth_five() {
    let graph = read_graph("petersen", "IheA@GUAo").unwrap();
    assert!(graph.vertices().all(|v| graph.degree(v) == 3));
    assert_eq!((graph.order(), graph.edges(), girth(&graph)), (10, 15, 5));
    assert_eq!((graph.name(Square::new(0)), graph.name(Square::new(9))), ("0".into(), "9".into()));
}

#[test]
fn a_text_without_a_vertex_is_refused() {
    for text in ["", " \n\r\n", "# nothing\n% at all\n", "?", "\u{feff}"] {
        let error = read_graph("g.txt", text).unwrap_err();
        assert_eq!(error.fault, GraphFault::Empty, "{text:?}");
        assert!(error.to_string().contains("g.txt"), "{error}");
    }
}

proptest! {
    #[test]
    fn arbitrary_text_never_panics(text in "\\PC*|[ -~\n]{0,60}|[0-9 \n-]{0,60}") {
        let _ = read_graph("any", &text);
        let _ = read_graph("any", &format!("TYPE: HCP\nDIMENSION: 9\nEDGE_DATA_SECTION\n{text}"));
        let _ = read_graph("any", &format!("p edge 9 9\n{text}"));
    }
}
