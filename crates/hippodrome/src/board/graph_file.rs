//! Graphs in files: TSPLIB HCP, DIMACS, edge lists and graph6 are read, TSPLIB HCP is written.
//!
//! The first lines decide the format: TSPLIB begins with a keyword, graph6 is a single word of the
//! characters `?` to `~`, DIMACS has a line `p edge`, and everything else is an edge list.

mod dimacs;
mod edge_list;
mod graph6;
mod hcp;
mod write;

pub use write::{Numbering, write_hcp};

pub(crate) use hcp::{begins_tsplib, keyword};
pub(crate) use write::write_origin;

use crate::board::{Csr, Graph};
use std::sync::Arc;
use thiserror::Error;

/// Maximum number of vertices.
pub const MAX_VERTICES: u64 = 10_000_000;
/// Maximum number of edges.
pub const MAX_EDGES: u64 = 500_000_000;

/// An error in the text of a graph, with its line.
#[derive(Error, Debug, Clone, PartialEq, Eq)]
#[error("graph {title}, line {line}: {fault}")]
pub struct GraphFileError {
    /// Name of the graph.
    pub title: String,
    /// Line number, from 1.
    pub line: usize,
    /// The error in that line.
    pub fault: GraphFault,
}

impl crate::error::Diagnostic for GraphFileError {}

/// An error in the text of a graph.
#[derive(Error, Debug, Clone, PartialEq, Eq)]
pub enum GraphFault {
    /// No vertex at all.
    #[error("the file has no vertices; give a TSPLIB HCP or DIMACS file, an edge list or graph6")]
    Empty,
    /// A line of an edge list with too many words.
    #[error("found {0} words, but an edge is two vertex names; write edges as in 'a b'")]
    Words(usize),
    /// A word of another notation in an edge list.
    #[error(
        "'{0}' is not a vertex name; write one edge per line, two names with a blank or comma between"
    )]
    Foreign(String),
    /// An edge list of several vertices and no edge.
    #[error("no line has two vertex names; write one edge per line, as in 'a b'")]
    NoEdge,
    /// An invalid line of a DIMACS file.
    #[error("'{0}' is not a DIMACS line; write edges as 'e 1 2' and comments as 'c text'")]
    Dimacs(String),
    /// A DIMACS header without its two numbers.
    #[error("'{0}' is not a DIMACS header; write 'p edge VERTICES EDGES', as in p edge 10 15")]
    Header(String),
    /// An edge before the header of a DIMACS file.
    #[error("an edge comes before the header; begin with a line 'p edge VERTICES EDGES'")]
    NoHeader,
    /// A second header in a DIMACS file.
    #[error("a second header begins; keep one graph in the file")]
    SecondHeader,
    /// A header that contradicts the edges.
    #[error(
        "the header announces {announced} edges, but {found} follow; give the whole file, or correct the number"
    )]
    EdgeCount {
        /// Edges as the header says.
        announced: u64,
        /// Edges listed.
        found: u64,
    },
    /// Not a vertex number.
    #[error("'{found}' is not a vertex; write a number from 1 to {last}")]
    Vertex {
        /// The word found.
        found: String,
        /// The number of vertices.
        last: u64,
    },
    /// An edge with one end.
    #[error("the last edge has only one end; write two vertex numbers per edge, then -1")]
    HalfEdge,
    /// An edge section without its end.
    #[error("the list of edges is incomplete; end it with a line -1, and the file with EOF")]
    CutOff,
    /// Too many vertices.
    #[error("{found} vertices are too many; the limit is {limit}")]
    TooManyVertices {
        /// The number of vertices.
        found: String,
        /// The limit.
        limit: u64,
    },
    /// Too many edges.
    #[error("{found} edges are too many; the limit is {MAX_EDGES}")]
    TooManyEdges {
        /// The number of edges.
        found: String,
    },
    /// A TSPLIB file of another type.
    #[error("TYPE {0} is not supported; only Hamiltonian cycle problems are, TYPE : HCP")]
    Type(String),
    /// An unsupported TSPLIB edge format.
    #[error("EDGE_DATA_FORMAT is {0}; write EDGE_LIST or ADJ_LIST")]
    EdgeFormat(String),
    /// A TSPLIB file without a valid number of vertices.
    #[error("DIMENSION '{0}' is not a number of vertices; write it as in DIMENSION : 64")]
    Dimension(String),
    /// A TSPLIB keyword that changes the problem.
    #[error("{0} is not supported; leave only NAME, COMMENT, TYPE, DIMENSION and the edges")]
    Keyword(String),
    /// A TSPLIB file without edges.
    #[error("there is no EDGE_DATA_SECTION; write one that lists the edges")]
    NoEdges,
    /// An unsupported relative of graph6, such as sparse6.
    #[error("{0} is not supported; convert it to graph6 or an edge list")]
    Relative(&'static str),
    /// A character that graph6 does not use.
    #[error("'{0}' is not a graph6 character; they run from '?' to '~'")]
    Character(char),
    /// A graph6 line of the wrong length.
    #[error(
        "graph6 of {vertices} vertices has {expected} characters after the size, but {found} follow; give the whole line"
    )]
    Length {
        /// Number of vertices according to the size.
        vertices: u64,
        /// Expected number of characters.
        expected: u64,
        /// Number of characters found.
        found: u64,
    },
    /// Several graph6 lines.
    #[error("a second graph begins; keep one graph6 line in the file")]
    SecondGraph,
}

/// A line number and the error in that line.
type Located = (usize, GraphFault);

/// The parts of a graph: names of the vertices, and edges between their positions.
type GraphParts = (Vec<String>, Vec<(u32, u32)>);

/// Reads a graph; `title` is its name in messages, such as the name of its file.
pub fn read_graph(title: &str, text: &str) -> Result<Graph, GraphFileError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let parts = if graph6::looks_like(text) {
        graph6::read(text)
    } else if begins_tsplib(text) {
        hcp::read(text)
    } else if dimacs::looks_like(text) {
        dimacs::read(text)
    } else {
        edge_list::read(text)
    };
    let located = |(line, fault)| GraphFileError { title: title.to_string(), line, fault };
    let (names, edges) = parts.map_err(located)?;
    if names.is_empty() {
        return Err(located((1, GraphFault::Empty)));
    }
    few_enough(edges.len() as u64).map_err(|fault| located((1, fault)))?;
    Ok(Graph::File(Arc::new(Csr::new(title.to_string(), names, &edges))))
}

/// Refuses a graph by its first lines, if they announce more vertices or edges than are read.
pub fn check_head(title: &str, head: &str) -> Result<(), GraphFileError> {
    let refused = dimacs::check_head(head.strip_prefix('\u{feff}').unwrap_or(head));
    refused.map_err(|(line, fault)| GraphFileError { title: title.to_string(), line, fault })
}

/// Shortens a word for a message.
pub(crate) fn shorten(word: &str) -> String {
    let mut short: String = word.chars().take(24).collect();
    if short.len() < word.len() {
        short.push('…');
    }
    short
}

/// Checks a number of vertices against a limit.
fn limited(vertices: u64, limit: u64) -> Result<u64, GraphFault> {
    let found = vertices.to_string();
    if vertices <= limit { Ok(vertices) } else { Err(GraphFault::TooManyVertices { found, limit }) }
}

/// Checks a number of edges against the limit.
fn few_enough(edges: u64) -> Result<u64, GraphFault> {
    let found = edges.to_string();
    if edges <= MAX_EDGES { Ok(edges) } else { Err(GraphFault::TooManyEdges { found }) }
}

/// Parses a vertex number from 1 to `last` into a position.
fn position(word: &str, last: u64) -> Result<u32, GraphFault> {
    let number = word.parse::<u64>().ok().filter(|n| (1..=last).contains(n));
    let wrong = || GraphFault::Vertex { found: shorten(word), last };
    number.map(|n| (n - 1) as u32).ok_or_else(wrong)
}

/// Returns the names of `count` vertices numbered from `first`.
fn numbered(first: u64, count: u64) -> Vec<String> {
    (first..first + count).map(|n| n.to_string()).collect()
}

#[cfg(test)]
mod tests {
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
        let mut bits: Vec<bool> = (0..order)
            .flat_map(|v| (0..v).map(move |u| (u, v)))
            .map(|(u, v)| joined(u, v))
            .collect();
        bits.resize(bits.len().next_multiple_of(6), false);
        let value = |six: &[bool]| six.iter().fold(0, |n, &b| n * 2 + u8::from(b));
        let body = bits.chunks(6).map(|six| char::from(63 + value(six)));
        std::iter::once(char::from(63 + order as u8)).chain(body).collect()
    }

    #[test]
    fn petersen_is_the_same_graph_in_every_format() {
        let list =
            |from: u32| PETERSEN.map(|(u, v)| format!("{} {}\n", u + from, v + from)).concat();
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
        assert_eq!(
            (graph.name(Square::new(0)), graph.name(Square::new(9))),
            ("0".into(), "9".into())
        );
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
}
