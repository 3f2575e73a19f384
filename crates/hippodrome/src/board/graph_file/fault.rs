//! What can be wrong with the text of a graph.

use super::MAX_EDGES;
use crate::board::graph_format::GraphFormat;
use crate::numerals::{counted, grouped};
use std::fmt;
use thiserror::Error;

/// An error in the text of a graph, with its line.
#[derive(Error, Debug, Clone, PartialEq, Eq)]
#[error("graph {title}, {place}: {fault}")]
pub struct GraphFileError {
    /// Name of the graph.
    pub title: String,
    /// Format and line.
    pub place: GraphPlace,
    /// The error in that line.
    pub fault: GraphFault,
}

impl crate::error::Diagnostic for GraphFileError {}

/// A line of a graph file, and the format that the file was read as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GraphPlace {
    /// The format.
    pub format: GraphFormat,
    /// Line number, from 1.
    pub line: usize,
}

/// `CSV line 3`.
impl fmt::Display for GraphPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} line {}", self.format, self.line)
    }
}

/// An error in the text of a graph.
#[derive(Error, Debug, Clone, PartialEq, Eq)]
pub enum GraphFault {
    /// No vertex at all.
    #[error("the file has no vertices; give a file with at least one")]
    Empty,
    /// A text that is not in the format.
    #[error("expected {expected}, but found {found}")]
    Syntax {
        /// What belongs there.
        expected: &'static str,
        /// What is there.
        found: String,
    },
    /// A message of a parser.
    #[error("{0}; correct the file, or name its format")]
    Parser(String),
    /// Lists or elements within others, too many.
    #[error("more than {0} lists are nested; give a file with fewer levels")]
    Depth(usize),
    /// A vertex declared again.
    #[error("vertex '{0}' is declared twice; keep one of the two")]
    Twice(String),
    /// An edge to a vertex that is not declared.
    #[error("there is no vertex '{0}'; declare it, or correct the edge")]
    Undeclared(String),
    /// A vertex without a name.
    #[error("a vertex name is empty; name both ends of every edge")]
    NoName,
    /// A name with a control character.
    #[error("the name '{0}' contains a hidden character; remove it")]
    Hidden(String),
    /// A directed edge without its opposite.
    #[error(
        "there is an edge from {from} to {to} but none back, and directed graphs are not supported; declare the graph undirected, or list both directions"
    )]
    Directed {
        /// Where it begins.
        from: String,
        /// Where it ends.
        to: String,
    },
    /// A second graph in the file.
    #[error("a second graph begins; keep one graph in the file")]
    SecondGraph,
    /// A feature of the format that is not read.
    #[error("{0} is not supported; {1}")]
    Unsupported(&'static str, &'static str),
    /// A line of an edge list with too many words.
    #[error(
        "found {0} words, but an edge is two vertex names; remove further columns such as weights, and write edges as in 'a b'"
    )]
    Words(usize),
    /// Rows of three words.
    #[error(
        "three words per line are an edge with a weight or a vertex with two neighbours; remove the weights, or name the format adjacency-list"
    )]
    ThreeWords,
    /// A row of a table with the wrong number of columns.
    #[error("found {found}, but line {line} has {expected}; make all rows equally long")]
    Ragged {
        /// Columns found.
        found: usize,
        /// Columns of the first row.
        expected: usize,
        /// The first row.
        line: usize,
    },
    /// A table of more than two columns without a known header.
    #[error(
        "found {0} columns, but an edge is two vertex names; remove further columns such as weights, or begin with a header, as in source,target,weight"
    )]
    Columns(usize),
    /// A word of another notation in an edge list.
    #[error(
        "'{0}' is not a vertex name; write one edge per line, as in 'a b', or DOT, as in graph {{ a -- b }}"
    )]
    Foreign(String),
    /// A decimal or negative number in place of a name.
    #[error("'{0}' is a decimal or negative number, not a vertex; write two vertex names per line")]
    Decimal(String),
    /// Two spellings of one number.
    #[error("'{0}' and '{1}' are the same number; write it in one way")]
    SameNumber(String, String),
    /// A comment sign within a word.
    #[error("'{0}' contains a comment sign; write a blank before a comment, or rename the vertex")]
    InnerComment(String),
    /// An edge list of several vertices and no edge.
    #[error("no line has two vertex names; write one edge per line, as in 'a b'")]
    NoEdge,
    /// A first line that is an edge or a header.
    #[error(
        "'{0}' is a header or an edge; remove the line if it is a header, or write the edge further down"
    )]
    HeaderOrEdge(String),
    /// A first line that is an edge or the size of the graph.
    #[error(
        "'{0}' could be an edge, or a header with the numbers of vertices and edges; remove it if it is a header, or move it below another edge"
    )]
    SizeOrEdge(String),
    /// A name on a line of its own.
    #[error(
        "'{0}' stands alone and is in no edge; remove the line if it is not a vertex, or name it like the others and write it after the edges"
    )]
    Lone(String),
    /// A word among numbers, or a number among words.
    #[error(
        "'{0}' occurs once and is unlike the other vertices; remove the line if it is not an edge, or rename the vertex"
    )]
    Unlike(String),
    /// A comment that may be a list of neighbours.
    #[error(
        "a line that begins with 'c' is a comment or a list of neighbours; begin comments with '#', or name the format adjacency-list"
    )]
    CommentOrList,
    /// A neighbour without a line of its own.
    #[error(
        "vertex '{0}' has no line of its own; write one line per vertex, even without neighbours"
    )]
    NoLine(String),
    /// A neighbour listed twice in one line.
    #[error("'{0}' is listed twice in one line; write each neighbour once")]
    SameNeighbour(String),
    /// An edge listed once, and others twice.
    #[error(
        "{from} lists {to}, but {to} does not list {from}, although other edges are listed in both directions; list every edge in both directions, or every edge once"
    )]
    OneWay {
        /// The vertex whose line it is.
        from: String,
        /// The neighbour.
        to: String,
    },
    /// A row of a matrix with the wrong length.
    #[error("found {found} entries, but the matrix has {rows} rows; give a square matrix")]
    NotSquare {
        /// Entries of the row.
        found: usize,
        /// Number of rows.
        rows: usize,
    },
    /// An entry of a matrix other than 0 or 1.
    #[error("entry '{0}' is neither 0 nor 1; write 1 for an edge")]
    Entry(String),
    /// A matrix of a directed graph.
    #[error(
        "row {row} and column {column} differ from row {column} and column {row}; give a symmetric matrix"
    )]
    Asymmetric {
        /// Row, from 1.
        row: usize,
        /// Column, from 1.
        column: usize,
    },
    /// Two rows of two entries that could be a matrix or two edges.
    #[error("two rows of 0 and 1 could be a matrix or a list of two edges; name the format")]
    MatrixOrEdges,
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
        "the header announces {}, but {} follow; give the whole file, or correct the number",
        counted(*.announced, "edge"),
        grouped(*.found)
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
    /// Text behind the end of the edges.
    #[error("'{0}' follows the -1 that ends the edges; write -1 once, after the last edge")]
    AfterEnd(String),
    /// A line of coordinates that is not a vertex and two numbers.
    #[error("'{0}' is not a vertex with its coordinates; write lines such as 1 0.5 2.5")]
    Coordinates(String),
    /// Too many vertices.
    #[error("{found} vertices are too many; the limit is {}", grouped(*.limit))]
    TooManyVertices {
        /// The number of vertices, in words of a sentence.
        found: String,
        /// The limit.
        limit: u64,
    },
    /// Too many edges.
    #[error("{found} edges are too many; the limit is {}", grouped(MAX_EDGES))]
    TooManyEdges {
        /// The number of edges, in words of a sentence.
        found: String,
    },
    /// A TSPLIB file of another type.
    #[error("TYPE {0} is not supported; give a Hamiltonian cycle problem (TYPE : HCP)")]
    Type(String),
    /// An unsupported TSPLIB edge format.
    #[error("EDGE_DATA_FORMAT is {0}; write EDGE_LIST or ADJ_LIST")]
    EdgeFormat(String),
    /// A TSPLIB file without a valid number of vertices.
    #[error("DIMENSION '{0}' is not a number of vertices; write it as in DIMENSION : 64")]
    Dimension(String),
    /// A TSPLIB keyword that changes the problem.
    #[error(
        "{0} is not supported; leave only NAME, COMMENT, TYPE, DIMENSION, coordinates and the edges"
    )]
    Keyword(String),
    /// A TSPLIB file without edges.
    #[error("there is no EDGE_DATA_SECTION; write one that lists the edges")]
    NoEdges,
    /// An unsupported relative of a format, such as digraph6.
    #[error("{0} is not supported; convert it to graph6 or an edge list")]
    Relative(&'static str),
    /// A character that graph6 does not use.
    #[error("'{0}' is not a graph6 character; they run from '?' to '~'")]
    Character(char),
    /// A graph6 line of the wrong length.
    #[error(
        "a graph6 line for {vertices} vertices needs {expected} characters after the size, but {found} follow; give the whole line"
    )]
    Length {
        /// Number of vertices according to the size.
        vertices: u64,
        /// Expected number of characters.
        expected: u64,
        /// Number of characters found.
        found: u64,
    },
    /// A sparse6 line that ends within its size or an edge.
    #[error("the sparse6 line is cut off; give the whole line")]
    Sparse6,
}
