//! DIMACS: comments `c text`, one header `p edge VERTICES EDGES`, edges `e U V`.
//!
//! Vertices are named from 1. The header may say `col` or `edges`, or leave the word out (`p 3 2`). The
//! number of edges must be that of the lines, or that of the edges without loops and repetitions: files
//! that list both directions count one or both. Anything else is a cut or corrupted file.

use super::{
    GraphFault, GraphParts, Located, MAX_VERTICES, few_enough, limited, numbered, position, shorten,
};

/// The numbers of a header as words; `None` if the line is not a header.
fn header(line: &str) -> Option<[&str; 2]> {
    let mut words = line.split_whitespace();
    if words.next() != Some("p") {
        return None;
    }
    let rest: Vec<&str> = words.take(4).collect();
    match rest[..] {
        ["edge" | "col" | "edges", vertices, edges] => Some([vertices, edges]),
        ["edge" | "col" | "edges", vertices] => Some([vertices, ""]),
        [vertices, edges] if [vertices, edges].iter().all(|w| w.parse::<u64>().is_ok()) => {
            Some([vertices, edges])
        }
        _ => None,
    }
}

/// The numbers of vertices and edges that a header announces.
fn announced(words: [&str; 2], content: &str) -> Result<(u64, u64), GraphFault> {
    let wrong = |_| GraphFault::Header(shorten(content.trim()));
    let [vertices, edges] = words.map(str::parse);
    Ok((limited(vertices.map_err(wrong)?, MAX_VERTICES)?, few_enough(edges.map_err(wrong)?)?))
}

/// Returns whether some line is a header, or the first is an edge as in `e 1 2`.
pub(super) fn looks_like(text: &str) -> bool {
    let edge = |line: &str| {
        let mut words = line.split_whitespace();
        words.next() == Some("e")
            && words.clone().count() == 2
            && words.all(|w| w.parse::<u64>().is_ok())
    };
    let first = text.lines().find(|line| !line.trim().is_empty() && !line.starts_with("c "));
    first.is_some_and(edge) || text.lines().any(|line| header(line).is_some())
}

/// Refuses the first lines of a file if their header announces too much.
pub(super) fn check_head(head: &str) -> Result<(), Located> {
    let mut lines = (1..).zip(head.lines());
    let found = lines.find_map(|(line, content)| Some((line, header(content)?, content)));
    let Some((line, words, content)) = found else { return Ok(()) };
    announced(words, content).map(|_| ()).map_err(|fault| (line, fault))
}

pub(super) fn read(text: &str) -> Result<GraphParts, Located> {
    let mut head = None;
    let mut edges = Vec::new();
    for (line, content) in (1..).zip(text.lines()) {
        let mut words = content.split_whitespace();
        match words.next() {
            None | Some("c") => {}
            Some("p") => {
                let wrong = || (line, GraphFault::Header(shorten(content.trim())));
                let numbers = header(content).ok_or_else(wrong)?;
                let size = announced(numbers, content).map_err(|fault| (line, fault))?;
                if head.replace((line, size)).is_some() {
                    return Err((line, GraphFault::SecondHeader));
                }
            }
            Some("e") => {
                let (_, (order, _)) = head.ok_or((line, GraphFault::NoHeader))?;
                let mut vertex = || {
                    let word = words.next().unwrap_or_default();
                    position(word, order).map_err(|fault| (line, fault))
                };
                edges.push((vertex()?, vertex()?));
                if words.next().is_some() {
                    return Err((line, GraphFault::Dimacs(shorten(content))));
                }
            }
            Some(word) if word.starts_with(['#', '%']) => {}
            Some(_) => return Err((line, GraphFault::Dimacs(shorten(content)))),
        }
    }
    let (line, (order, count)) = head.ok_or((1, GraphFault::NoHeader))?;
    let found = edges.len() as u64;
    if found != count && different(&edges) != count {
        return Err((line, GraphFault::EdgeCount { announced: count, found }));
    }
    Ok(GraphParts::new(numbered(1, order), edges))
}

/// The number of edges without loops and repetitions.
fn different(edges: &[(u32, u32)]) -> u64 {
    let proper = edges.iter().filter(|(u, v)| u != v);
    let mut ordered: Vec<(u32, u32)> = proper.map(|&(u, v)| (u.min(v), u.max(v))).collect();
    ordered.sort_unstable();
    ordered.dedup();
    ordered.len() as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_header_is_read() {
        let graph = GraphParts::new(numbered(1, 3), vec![(0, 2), (1, 2)]);
        for head in ["p edge 3 2", "p col 3 2", "p edges 3 2", "p 3 2", "  p  edge\t3 2 \r"] {
            let text = format!("c a comment\n{head}\n\ne 1 3\ne 2 3\n");
            assert!(looks_like(&text), "{head}");
            assert_eq!(read(&text), Ok(graph.clone()), "{head}");
        }
        for text in ["p edge\n", "p q\nq 3\n", "1 2\n", "p x y\n", "c p 3 2\n"] {
            assert!(!looks_like(text), "{text}");
        }
    }

    #[test]
    fn the_header_counts_lines_or_edges() {
        for text in [
            "p edge 3 4\ne 1 2\ne 2 1\ne 2 3\ne 3 2\n",
            "p edge 3 2\ne 1 2\ne 2 1\ne 2 3\ne 3 2\n",
            "p edge 3 2\ne 1 2\ne 2 3\ne 3 3\n",
            "p edge 3 0\n",
        ] {
            assert!(read(text).is_ok(), "{text}");
        }
        for (text, announced, found) in [
            ("p edge 3 3\ne 1 2\ne 2 3\n", 3, 2),
            ("p edge 3 1\ne 1 2\ne 2 3\n", 1, 2),
            ("p 3 2\n", 2, 0),
            ("p edge 3 4\ne 1 2\ne 2 3\n", 4, 2),
        ] {
            assert_eq!(read(text), Err((1, GraphFault::EdgeCount { announced, found })), "{text}");
        }
    }

    #[test]
    fn faults_name_their_line() {
        let beyond = GraphFault::Vertex { found: "4".into(), last: 3 };
        assert_eq!(read("p edge 3 1\ne 1 4\n"), Err((2, beyond)));
        assert_eq!(read("p edge 3 1\n1 2\n"), Err((2, GraphFault::Dimacs("1 2".into()))));
        assert_eq!(read("p 3 1\ne 1 2 3\n"), Err((2, GraphFault::Dimacs("e 1 2 3".into()))));
        assert_eq!(read("e 1 2\np edge 3 1\n"), Err((1, GraphFault::NoHeader)));
        assert_eq!(read("p 3 0\np 3 0\n"), Err((2, GraphFault::SecondHeader)));
        for head in ["p edge 3", "p edge x 2", "p edge 3 -1", "p edge 3 2 1"] {
            let fault = GraphFault::Header(head.into());
            assert_eq!(read(&format!("c\n{head}\n")), Err((2, fault)), "{head}");
        }
        let huge = "p edge 99999999999 1\n";
        assert!(matches!(read(huge), Err((1, GraphFault::TooManyVertices { .. }))));
    }

    #[test]
    fn a_billion_edges_are_refused_by_the_header() {
        let head = "c a large graph\np edge 100000 1000000000\ne 1 2\n";
        let (line, fault) = check_head(head).unwrap_err();
        assert_eq!(line, 2);
        assert_eq!(fault.to_string(), "1,000,000,000 edges are too many; the limit is 500,000,000");
        assert_eq!(read(head), Err((line, fault)));
        assert_eq!(check_head("p edge 3 2\ne 1"), Ok(()));
        assert_eq!(check_head("NAME : x\n"), Ok(()));
    }
}
