//! TSPLIB Hamiltonian cycle problems: keywords, then the edges as pairs (`EDGE_LIST`) or as one
//! list of neighbours per vertex (`ADJ_LIST`); -1 ends each list and the section.
//!
//! Vertices are named from 1. Blanks around the colon of a keyword are optional, and numbers may break
//! across lines.

use super::{GraphFault, GraphParts, Located, MAX_VERTICES, limited, numbered, position, shorten};

/// Keywords a TSPLIB file may begin with.
const KEYWORDS: [&str; 12] = [
    "NAME",
    "TYPE",
    "COMMENT",
    "DIMENSION",
    "EDGE_DATA_FORMAT",
    "EDGE_DATA_SECTION",
    "TOUR_SECTION",
    "EDGE_WEIGHT_TYPE",
    "EDGE_WEIGHT_FORMAT",
    "NODE_COORD_TYPE",
    "DISPLAY_DATA_TYPE",
    "CAPACITY",
];

/// Returns the keyword of a line and its value, if the line begins with a keyword.
pub(crate) fn keyword(line: &str) -> Option<(&str, &str)> {
    let line = line.trim();
    let end = line.find(|c: char| !(c.is_ascii_uppercase() || c == '_')).unwrap_or(line.len());
    let (word, rest) = line.split_at(end);
    let rest = rest.trim_start();
    let value = rest.strip_prefix(':');
    let section = word.ends_with("_SECTION") || word == "EOF";
    match value {
        Some(value) if !word.is_empty() => Some((word, value.trim())),
        None if section && rest.is_empty() => Some((word, "")),
        _ => None,
    }
}

/// Returns whether the first nonblank line belongs to a TSPLIB file.
pub(crate) fn begins_tsplib(text: &str) -> bool {
    let first = text.lines().find(|line| !line.trim().is_empty());
    first.and_then(keyword).is_some_and(|(word, _)| KEYWORDS.contains(&word))
}

pub(super) fn read(text: &str) -> Result<GraphParts, Located> {
    let mut order = None;
    let mut by_vertex = false;
    let mut lines = (1..).zip(text.lines());
    let mut last = 1;
    while let Some((line, content)) = lines.by_ref().find(|(_, l)| !l.trim().is_empty()) {
        last = line;
        let Some((word, value)) = keyword(content) else {
            return Err((line, GraphFault::Keyword(format!("'{}'", shorten(content.trim())))));
        };
        match word {
            "NAME" | "COMMENT" => {}
            "TYPE" if value.split_whitespace().next() == Some("HCP") => {}
            "TYPE" => return Err((line, GraphFault::Type(shorten(value)))),
            "DIMENSION" => {
                let wrong = |_| (line, GraphFault::Dimension(shorten(value)));
                let count = value.parse().map_err(wrong)?;
                order = Some(limited(count, MAX_VERTICES).map_err(|fault| (line, fault))?);
            }
            "EDGE_DATA_FORMAT" => match value {
                "EDGE_LIST" => by_vertex = false,
                "ADJ_LIST" => by_vertex = true,
                _ => return Err((line, GraphFault::EdgeFormat(shorten(value)))),
            },
            "EDGE_DATA_SECTION" => {
                let order = order.ok_or((line, GraphFault::Dimension(String::new())))?;
                let words = lines.flat_map(|(n, l)| l.split_whitespace().map(move |w| (n, w)));
                let edges = edges(words, order, by_vertex)?;
                return Ok((numbered(1, order), edges));
            }
            _ => return Err((line, GraphFault::Keyword(shorten(word)))),
        }
    }
    Err((last, GraphFault::NoEdges))
}

/// Reads the numbers of an edge section up to the -1 or EOF that ends it.
fn edges<'t>(
    mut words: impl Iterator<Item = (usize, &'t str)>,
    order: u64,
    by_vertex: bool,
) -> Result<Vec<(u32, u32)>, Located> {
    let mut last = 1;
    let mut ended = false;
    // `None` is the -1 that ends a list, or EOF.
    let mut next = || {
        let Some((line, word)) = words.next().filter(|_| !ended) else {
            return if ended { Ok((last, None)) } else { Err((last, GraphFault::CutOff)) };
        };
        last = line;
        ended = word == "EOF";
        if ended || word == "-1" {
            return Ok((line, None));
        }
        position(word, order).map(|v| (line, Some(v))).map_err(|fault| (line, fault))
    };
    let mut edges = Vec::new();
    while let (_, Some(u)) = next()? {
        if by_vertex {
            while let (_, Some(v)) = next()? {
                edges.push((u, v));
            }
        } else {
            let (line, v) = next()?;
            edges.push((u, v.ok_or((line, GraphFault::HalfEdge))?));
        }
    }
    Ok(edges)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hcp(rest: &str) -> Result<GraphParts, Located> {
        read(&format!("NAME : t\nTYPE : HCP\n{rest}"))
    }

    #[test]
    fn keywords_take_blanks_around_the_colon_or_not() {
        for line in ["TYPE:HCP", "TYPE : HCP", " TYPE  :HCP \r", "TYPE: HCP"] {
            assert_eq!(keyword(line), Some(("TYPE", "HCP")), "{line}");
        }
        assert_eq!(keyword("EOF"), Some(("EOF", "")));
        assert_eq!(keyword("TYPE HCP"), None);
        assert!(!begins_tsplib("a b\n") && begins_tsplib("\n\nCOMMENT : x"));
    }

    #[test]
    fn neighbour_lists_may_be_empty_and_run_over_lines() {
        let text = "DIMENSION : 4\nEDGE_DATA_FORMAT : ADJ_LIST\nEDGE_DATA_SECTION\n1 2\n3 -1\n4 -1\n-1\nEOF\n";
        assert_eq!(hcp(text), Ok((numbered(1, 4), vec![(0, 1), (0, 2)])));
    }

    #[test]
    fn faults_name_their_line() {
        let vertex = |found: &str| GraphFault::Vertex { found: found.into(), last: 3 };
        let cases = [
            ("DIMENSION : 3\nEDGE_DATA_SECTION\n1 2\n2 4\n-1\n", 6, vertex("4")),
            ("DIMENSION : 3\nEDGE_DATA_SECTION\n1 x\n-1\n", 5, vertex("x")),
            ("DIMENSION : 3\nEDGE_DATA_SECTION\n1 2\n2\n-1\n", 7, GraphFault::HalfEdge),
            ("DIMENSION : many\n", 3, GraphFault::Dimension("many".into())),
            ("EDGE_DATA_SECTION\n1 2\n", 3, GraphFault::Dimension("".into())),
            ("DIMENSION : 3\nEOF\n", 4, GraphFault::Keyword("EOF".into())),
            ("DIMENSION : 3\n", 3, GraphFault::NoEdges),
            ("TYPE : TSP\n", 3, GraphFault::Type("TSP".into())),
            ("EDGE_DATA_FORMAT : MATRIX\n", 3, GraphFault::EdgeFormat("MATRIX".into())),
            ("FIXED_EDGES_SECTION\n", 3, GraphFault::Keyword("FIXED_EDGES_SECTION".into())),
        ];
        for (text, line, fault) in cases {
            assert_eq!(hcp(text), Err((line, fault)), "{text}");
        }
    }
}
