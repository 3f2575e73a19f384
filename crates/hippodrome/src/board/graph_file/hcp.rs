//! TSPLIB Hamiltonian cycle problems: keywords, then the edges as pairs (`EDGE_LIST`) or as one
//! list of neighbours per vertex (`ADJ_LIST`); -1 ends each list and the section.
//!
//! Vertices are named from 1. Blanks around the colon of a keyword are optional, and numbers may break
//! across lines. Coordinates (`NODE_COORD_SECTION`, `DISPLAY_DATA_SECTION`) are kept. Nothing but further sections may
//! follow the edges: a -1 after every edge would hide all but the first.

use super::vertices::Places;
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
    let mut edges = None;
    let mut places = Places::default();
    let mut lines = (1..).zip(text.lines()).filter(|(_, l)| !l.trim().is_empty()).peekable();
    let mut last = 1;
    while let Some((line, content)) = lines.next() {
        last = line;
        let Some((word, value)) = keyword(content) else {
            return Err((
                line,
                match edges {
                    Some(_) => GraphFault::AfterEnd(shorten(content.trim())),
                    None => GraphFault::Keyword(format!("'{}'", shorten(content.trim()))),
                },
            ));
        };
        let known = || order.ok_or((line, GraphFault::Dimension(String::new())));
        match word {
            "NAME" | "COMMENT" | "NODE_COORD_TYPE" | "DISPLAY_DATA_TYPE" => {}
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
            "NODE_COORD_SECTION" | "DISPLAY_DATA_SECTION" => {
                let order = known()?;
                let row = |l: &(usize, &str)| keyword(l.1).is_none() && l.1.trim() != "-1";
                while let Some((line, content)) = lines.next_if(row) {
                    let (vertex, x, y) =
                        coordinates(content, order).map_err(|fault| (line, fault))?;
                    places.set(vertex, x, y);
                }
                lines.next_if(|l| l.1.trim() == "-1");
            }
            "EDGE_DATA_SECTION" if edges.is_none() => {
                let mut section = EdgeSection::new(known()?, by_vertex, line);
                for (line, content) in lines.by_ref() {
                    for word in content.split_whitespace() {
                        section.word(line, word)?;
                    }
                    if section.state == State::Ended {
                        break;
                    }
                }
                edges = Some(section.finish()?);
            }
            "EOF" if edges.is_some() => break,
            _ => return Err((line, GraphFault::Keyword(shorten(word)))),
        }
    }
    if let Some((line, content)) = lines.next() {
        return Err((line, GraphFault::AfterEnd(shorten(content.trim()))));
    }
    let (Some(edges), Some(order)) = (edges, order) else {
        return Err((last, GraphFault::NoEdges));
    };
    let positions = places.complete(order as usize);
    Ok(GraphParts { positions, ..GraphParts::new(numbered(1, order), edges) })
}

/// Reads a vertex and its two coordinates.
fn coordinates(row: &str, order: u64) -> Result<(u32, f64, f64), GraphFault> {
    let words: Vec<&str> = row.split_whitespace().take(5).collect();
    let wrong = || GraphFault::Coordinates(shorten(row.trim()));
    let [vertex, x, y] = *words.get(..3).ok_or_else(wrong)? else { return Err(wrong()) };
    let number = |word: &str| word.parse::<f64>().map_err(|_| wrong());
    Ok((position(vertex, order)?, number(x)?, number(y)?))
}

/// Where an edge section is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// Before an edge or a list of neighbours.
    Between,
    /// After the first vertex of an edge, or within the neighbours of a vertex.
    Within(u32),
    /// After the -1 or EOF that ends the section.
    Ended,
}

/// The numbers of an edge section up to the -1 or EOF that ends it.
struct EdgeSection {
    order: u64,
    by_vertex: bool,
    edges: Vec<(u32, u32)>,
    state: State,
    last: usize,
}

impl EdgeSection {
    fn new(order: u64, by_vertex: bool, last: usize) -> EdgeSection {
        EdgeSection { order, by_vertex, edges: Vec::new(), state: State::Between, last }
    }

    fn word(&mut self, line: usize, word: &str) -> Result<(), Located> {
        self.last = line;
        let end = word == "EOF" || word == "-1";
        self.state = match (self.state, end) {
            (State::Ended, _) if word == "EOF" => State::Ended,
            (State::Ended, _) => return Err((line, GraphFault::AfterEnd(shorten(word)))),
            (State::Between, true) => State::Ended,
            (State::Within(_), true) if !self.by_vertex => {
                return Err((line, GraphFault::HalfEdge));
            }
            (State::Within(_), true) if word == "EOF" => State::Ended,
            (State::Within(_), true) => State::Between,
            (state, false) => {
                let vertex = position(word, self.order).map_err(|fault| (line, fault))?;
                match state {
                    State::Within(first) => {
                        self.edges.push((first, vertex));
                        if self.by_vertex { state } else { State::Between }
                    }
                    _ => State::Within(vertex),
                }
            }
        };
        Ok(())
    }

    fn finish(self) -> Result<Vec<(u32, u32)>, Located> {
        match self.state {
            State::Ended => Ok(self.edges),
            _ => Err((self.last, GraphFault::CutOff)),
        }
    }
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
        assert_eq!(hcp(text), Ok(GraphParts::new(numbered(1, 4), vec![(0, 1), (0, 2)])));
    }

    #[test]
    fn coordinates_are_kept_before_and_after_the_edges() {
        let places = "NODE_COORD_SECTION\n2 1.5 0\n1 0 -2e1\n";
        let edges = "EDGE_DATA_SECTION\n1 2\n-1\n";
        for rest in [
            format!("{places}{edges}EOF\n"),
            format!("{places}-1\n{edges}"),
            format!("{edges}{places}EOF\n"),
        ] {
            let parts = hcp(&format!("DIMENSION : 2\n{rest}")).unwrap();
            assert_eq!(parts.positions, Some(vec![(0.0, -20.0), (1.5, 0.0)]), "{rest}");
        }
    }

    #[test]
    fn faults_name_their_line() {
        let vertex = |found: &str| GraphFault::Vertex { found: found.into(), last: 3 };
        let after = |found: &str| GraphFault::AfterEnd(found.into());
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
            ("DIMENSION : 3\nEDGE_DATA_SECTION\n1 2 -1\n2 3 -1\n-1\nEOF\n", 6, after("2 3 -1")),
            ("DIMENSION : 3\nEDGE_DATA_SECTION\n1 2 -1 2 3 -1\nEOF\n", 5, after("2")),
            (
                "DIMENSION : 3\nEDGE_DATA_SECTION\n1 2\n-1\nFIXED_EDGES_SECTION\n1 2\n-1\n",
                7,
                GraphFault::Keyword("FIXED_EDGES_SECTION".into()),
            ),
            ("DIMENSION : 3\nEDGE_DATA_SECTION\n1 2\n-1\nEOF\n1 3\n", 8, after("1 3")),
            ("DIMENSION : 3\nEDGE_DATA_SECTION\n1 2\n", 5, GraphFault::CutOff),
            ("DIMENSION : 3\nNODE_COORD_SECTION\n1 2\n", 5, GraphFault::Coordinates("1 2".into())),
            ("FIXED_EDGES_SECTION\n", 3, GraphFault::Keyword("FIXED_EDGES_SECTION".into())),
        ];
        for (text, line, fault) in cases {
            assert_eq!(hcp(text), Err((line, fault)), "{text}");
        }
    }
}
