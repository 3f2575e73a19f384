//! The file formats of graphs by name.

use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// A file format of graphs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GraphFormat {
    /// TSPLIB, type HCP.
    Tsplib,
    /// DIMACS: `p edge`, then `e 1 2`.
    Dimacs,
    /// Two names per line.
    EdgeList,
    /// Rows of comma, semicolon or tab-separated values, with or without a header.
    Csv,
    /// A vertex and its neighbours per line.
    AdjacencyList,
    /// Rows of 0 and 1.
    AdjacencyMatrix,
    /// graph6, the upper triangle of the matrix in one line.
    Graph6,
    /// sparse6, a list of edges in one line.
    Sparse6,
    /// DOT, the language of Graphviz.
    Dot,
    /// GraphML, an XML format.
    GraphMl,
    /// GML, nested lists of keys and values.
    Gml,
    /// Node-link JSON, as networkx writes it.
    NodeLink,
}

/// Format, its name as users write it, other names, its name in sentences, and an example.
type FormatRow = (GraphFormat, &'static str, &'static [&'static str], &'static str, &'static str);

/// All formats.
const FORMATS: &[FormatRow] = &[
    (
        GraphFormat::Tsplib,
        "tsplib",
        &["hcp", "tsp"],
        "TSPLIB",
        "TYPE : HCP, DIMENSION : 10, EDGE_DATA_SECTION",
    ),
    (GraphFormat::Dimacs, "dimacs", &["col", "clq"], "DIMACS", "p edge 10 15, then e 1 2"),
    (GraphFormat::EdgeList, "edge-list", &["edgelist", "edges"], "edge list", "a b"),
    (GraphFormat::Csv, "csv", &["tsv"], "CSV", "source,target, then a,b"),
    (
        GraphFormat::AdjacencyList,
        "adjacency-list",
        &["adjlist", "adj"],
        "adjacency list",
        "a b c, or a: b c",
    ),
    (GraphFormat::AdjacencyMatrix, "adjacency-matrix", &["matrix"], "adjacency matrix", "0 1 1"),
    (GraphFormat::Graph6, "graph6", &["g6"], "graph6", "IheA@GUAo"),
    (GraphFormat::Sparse6, "sparse6", &["s6"], "sparse6", ":Fa@x^"),
    (GraphFormat::Dot, "dot", &["gv", "graphviz"], "DOT", "graph { a -- b }"),
    (GraphFormat::GraphMl, "graphml", &["xml"], "GraphML", "<graphml>"),
    (GraphFormat::Gml, "gml", &[], "GML", "graph [ node [ id 1 ] ]"),
    (GraphFormat::NodeLink, "json", &["node-link"], "JSON", "{\"nodes\": [...], \"edges\": [...]}"),
];

impl GraphFormat {
    /// Returns all formats.
    pub fn all() -> impl Iterator<Item = GraphFormat> {
        FORMATS.iter().map(|row| row.0)
    }

    fn row(self) -> &'static FormatRow {
        FORMATS.iter().find(|row| row.0 == self).unwrap_or(&FORMATS[0])
    }

    /// Returns the name as users write it, such as `edge-list`.
    pub fn name(self) -> &'static str {
        self.row().1
    }

    /// Returns what a file of this format contains, in a few words.
    pub fn example(self) -> &'static str {
        self.row().4
    }
}

/// Formats the name as in sentences, such as `edge list` or `GraphML`.
impl fmt::Display for GraphFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.row().3)
    }
}

/// A name that is not a graph format.
#[derive(Error, Debug, Clone, PartialEq, Eq)]
#[error("there is no graph format '{name}'; {hint}")]
pub struct UnknownFormat {
    /// The name given.
    pub name: String,
    /// The nearest name, or all of them.
    pub hint: String,
}

impl crate::error::Diagnostic for UnknownFormat {}

impl FromStr for GraphFormat {
    type Err = UnknownFormat;

    fn from_str(text: &str) -> Result<GraphFormat, UnknownFormat> {
        let name = text.to_ascii_lowercase();
        let known = FORMATS.iter().find(|row| row.1 == name || row.2.contains(&&*name));
        known.map(|row| row.0).ok_or_else(|| {
            let distance = |row: &&FormatRow| strsim::damerau_levenshtein(&name, row.1);
            let mistakes = if name.len() < 5 { 1 } else { 2 };
            let near = FORMATS.iter().min_by_key(distance).filter(|row| distance(row) <= mistakes);
            let names: Vec<&str> = FORMATS.iter().map(|row| row.1).collect();
            let hint = match near {
                Some(row) => format!("did you mean {}?", row.1),
                None => format!("write one of {}", names.join(", ")),
            };
            UnknownFormat { name: text.chars().take(24).collect(), hint }
        })
    }
}

/// How the file of a graph was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GraphReading {
    /// The format.
    pub format: GraphFormat,
    /// Columns of a table that are not part of the graph, such as weights.
    pub ignored: Vec<String>,
}

/// `CSV, without column weight`.
impl fmt::Display for GraphReading {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.format)?;
        match &self.ignored[..] {
            [] => Ok(()),
            [one] => write!(f, ", without column {one}"),
            more => write!(f, ", without columns {}", more.join(", ")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back_and_near_misses_are_answered() {
        for format in GraphFormat::all() {
            assert_eq!(format.name().parse(), Ok(format));
            assert!(!format.example().is_empty());
        }
        assert_eq!("AdjList".parse(), Ok(GraphFormat::AdjacencyList));
        assert_eq!("TSV".parse(), Ok(GraphFormat::Csv));
        let said = |text: &str| text.parse::<GraphFormat>().unwrap_err().to_string();
        assert_eq!(said("graphlm"), "there is no graph format 'graphlm'; did you mean graphml?");
        assert!(said("parquet").contains("tsplib, dimacs, edge-list, csv"), "{}", said("parquet"));
    }

    #[test]
    fn ignored_columns_are_named() {
        let reading = |ignored: &[&str]| GraphReading {
            format: GraphFormat::Csv,
            ignored: ignored.iter().map(|name| name.to_string()).collect(),
        };
        assert_eq!(reading(&[]).to_string(), "CSV");
        assert_eq!(reading(&["weight"]).to_string(), "CSV, without column weight");
        assert_eq!(reading(&["id", "weight"]).to_string(), "CSV, without columns id, weight");
    }
}
