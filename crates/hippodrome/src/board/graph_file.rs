//! Graphs in files: twelve formats are read, TSPLIB HCP is written.
//!
//! The content decides the format (`detect.rs`), unless the caller names it. Each format has one file. A
//! misread graph could have a vertex too many and so be proved to have no tour: every reader refuses
//! what it cannot read in exactly one way, with the line.

mod adjacency_list;
mod adjacency_matrix;
mod detect;
mod dimacs;
mod dot;
mod dot_tokens;
mod edge_list;
mod fault;
mod gml;
mod graph6;
mod graphml;
mod hcp;
mod node_link;
mod pairs;
mod separated;
mod sparse6;
mod vertices;
mod write;

#[cfg(test)]
mod tests;

pub use fault::{GraphFault, GraphFileError, GraphPlace};
pub use write::{Numbering, write_hcp};

pub(crate) use hcp::{begins_tsplib, keyword};
pub(crate) use write::write_origin;

use crate::board::graph_format::{GraphFormat, GraphReading};
use crate::board::{Csr, Graph};
use crate::numerals::grouped;
use std::sync::Arc;

/// Maximum number of vertices.
pub const MAX_VERTICES: u64 = 10_000_000;
/// Maximum number of edges.
pub const MAX_EDGES: u64 = 500_000_000;

/// A line number and the error in that line.
type Located = (usize, GraphFault);

/// The parts of a graph.
#[derive(Debug, Default, Clone, PartialEq)]
struct GraphParts {
    /// Names of the vertices.
    names: Vec<String>,
    /// Edges between positions of names.
    edges: Vec<(u32, u32)>,
    /// Positions in the plane, in the order of the names.
    positions: Option<Vec<(f64, f64)>>,
    /// Columns of a table that are not read.
    ignored: Vec<String>,
}

impl GraphParts {
    fn new(names: Vec<String>, edges: Vec<(u32, u32)>) -> GraphParts {
        GraphParts { names, edges, ..GraphParts::default() }
    }
}

/// Reads a graph; `title` is its name in messages, such as the name of its file. The format is detected.
pub fn read_graph(title: &str, text: &str) -> Result<Graph, GraphFileError> {
    read_graph_as(title, text, None)
}

/// Reads a graph in a given format, or in the one that its content suggests.
///
/// [`Graph::reading`] returns the format, and [`Graph::positions`] the coordinates of the vertices if the file has
/// them.
pub fn read_graph_as(
    title: &str,
    text: &str,
    format: Option<GraphFormat>,
) -> Result<Graph, GraphFileError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let detected = format.is_none();
    let format = format.unwrap_or_else(|| detect::format(text));
    let located = |(line, fault)| GraphFileError {
        title: title.to_string(),
        place: GraphPlace { format, line },
        fault,
    };
    let GraphParts { names, edges, positions, ignored } = reader(format)(text).map_err(located)?;
    if names.is_empty() {
        return Err(located((1, GraphFault::Empty)));
    }
    few_enough(edges.len() as u64).map_err(|fault| located((1, fault)))?;
    // Two rows are also two edges between 0 and 1; only one matrix is the same graph.
    let matrix = format == GraphFormat::AdjacencyMatrix && names.len() == 2;
    if detected && matrix && edges != [(0, 1)] {
        return Err(located((1, GraphFault::MatrixOrEdges)));
    }
    let csr = Csr::new(title.to_string(), names, &edges);
    let reading = GraphReading { format, ignored };
    Ok(Graph::File(Arc::new(csr.with_reading(reading).with_positions(positions))))
}

/// Returns the reader of a format.
fn reader(format: GraphFormat) -> fn(&str) -> Result<GraphParts, Located> {
    match format {
        GraphFormat::Tsplib => hcp::read,
        GraphFormat::Dimacs => dimacs::read,
        GraphFormat::EdgeList => edge_list::read,
        GraphFormat::Csv => separated::read,
        GraphFormat::AdjacencyList => adjacency_list::read,
        GraphFormat::AdjacencyMatrix => adjacency_matrix::read,
        GraphFormat::Graph6 => graph6::read,
        GraphFormat::Sparse6 => sparse6::read,
        GraphFormat::Dot => dot::read,
        GraphFormat::GraphMl => graphml::read,
        GraphFormat::Gml => gml::read,
        GraphFormat::NodeLink => node_link::read,
    }
}

/// Refuses a graph by its first lines, if they announce more vertices or edges than are read.
pub fn check_head(title: &str, head: &str) -> Result<(), GraphFileError> {
    let refused = dimacs::check_head(head.strip_prefix('\u{feff}').unwrap_or(head));
    refused.map_err(|(line, fault)| GraphFileError {
        title: title.to_string(),
        place: GraphPlace { format: GraphFormat::Dimacs, line },
        fault,
    })
}

/// Shortens a word for a message.
pub(crate) fn shorten(word: &str) -> String {
    let mut short: String = word.chars().take(24).collect();
    if short.len() < word.len() {
        short.push('…');
    }
    short
}

/// Returns the data of a line: without a comment, which begins with `#` or `%` at the start of a word.
fn without_comment(line: &str) -> &str {
    let signs = line.char_indices().filter(|(_, c)| matches!(c, '#' | '%'));
    let mut begins =
        signs.map(|(at, _)| at).filter(|&at| !line[..at].ends_with(|c: char| !c.is_whitespace()));
    line[..begins.next().unwrap_or(line.len())].trim()
}

/// Returns the lines that contain data, with their numbers.
fn data_lines(text: &str) -> impl Iterator<Item = (usize, &str)> + Clone {
    let lines = (1..).zip(text.lines().map(without_comment));
    lines.filter(|(_, line)| !line.is_empty())
}

/// Returns the number of the line that contains an offset in bytes.
fn line_at(text: &str, offset: usize) -> usize {
    1 + text.as_bytes().iter().take(offset).filter(|&&b| b == b'\n').count()
}

/// Checks a number of vertices against a limit.
fn limited(vertices: u64, limit: u64) -> Result<u64, GraphFault> {
    let found = grouped(vertices);
    if vertices <= limit { Ok(vertices) } else { Err(GraphFault::TooManyVertices { found, limit }) }
}

/// Checks a number of edges against the limit.
fn few_enough(edges: u64) -> Result<u64, GraphFault> {
    let found = grouped(edges);
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
