//! Graphs by the name of their file, or by a generator.
//!
//! A file of that name comes first, so that no file becomes unreadable by a generator of its name. A
//! file is refused by its size and by its first lines before the rest of it is read.

use crate::board::Graph;
use crate::board::generators::{GeneratorError, generate, is_generator};
use crate::board::graph_file::{GraphFault, GraphFileError, GraphPlace, check_head, read_graph_as};
use crate::board::graph_format::GraphFormat;
use crate::error::{Diagnostic, ErrorKind};
use crate::numerals::in_bytes;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use thiserror::Error;

/// Bytes of a file that are examined before the rest is read.
const HEAD: u64 = 1 << 16;

/// A graph that cannot be read or generated.
#[derive(Error, Debug)]
pub enum GraphSourceError {
    /// The file cannot be read.
    #[error("cannot read {path}: {error}")]
    Io {
        /// The file.
        path: String,
        /// What went wrong.
        error: io::Error,
    },
    /// The file is larger than the available memory.
    #[error(
        "graph file {path} has {} and only {} of memory is available; give a smaller graph",
        in_bytes((*.bytes).into()),
        in_bytes(*.available)
    )]
    Memory {
        /// The file.
        path: String,
        /// Its size.
        bytes: u64,
        /// Available memory in bytes.
        available: u128,
    },
    /// The text of the file is not a graph.
    #[error("graph file {path}, {place}: {fault}")]
    Text {
        /// The file.
        path: String,
        /// Format and line.
        place: GraphPlace,
        /// What is wrong there.
        fault: GraphFault,
    },
    /// The generator refuses.
    #[error(transparent)]
    Generator(#[from] GeneratorError),
    /// Neither a file nor a generator.
    #[error("there is no file {path}, and {error}")]
    Neither {
        /// The text given.
        path: String,
        /// What is wrong with it as a generator.
        error: GeneratorError,
    },
}

impl Diagnostic for GraphSourceError {
    fn kind(&self) -> ErrorKind {
        match self {
            GraphSourceError::Io { .. } => ErrorKind::Io,
            GraphSourceError::Memory { .. } => ErrorKind::Memory,
            GraphSourceError::Text { .. } => ErrorKind::Failed,
            GraphSourceError::Generator(error) | GraphSourceError::Neither { error, .. } => {
                error.kind()
            }
        }
    }
}

/// Reads the file of this name; if there is none, generates the graph that the text describes.
///
/// A given `format` means a file in that format. `available` is the memory in bytes, if known.
pub fn open_graph(
    text: &str,
    format: Option<GraphFormat>,
    available: Option<u128>,
) -> Result<Graph, GraphSourceError> {
    if format.is_some() || Path::new(text).exists() || !is_generator(text) {
        return read_graph_file(Path::new(text), format, available);
    }
    generate(text, available).map_err(|error| match error {
        GeneratorError::Unknown { .. } => GraphSourceError::Neither { path: text.into(), error },
        error => error.into(),
    })
}

/// Reads a graph from a file; the graph is titled by the file's name.
///
/// Without a `format` the content decides. `available` is the memory in bytes, if known.
pub fn read_graph_file(
    path: &Path,
    format: Option<GraphFormat>,
    available: Option<u128>,
) -> Result<Graph, GraphSourceError> {
    let shown = path.display().to_string();
    let title = path.file_name().map_or(shown.clone(), |n| n.to_string_lossy().into_owned());
    let failed = |error| GraphSourceError::Io { path: shown.clone(), error };
    let file = File::open(path).map_err(failed)?;
    let size = file.metadata().map_or(0, |about| about.len());
    read_graph_from(file, GraphOrigin { shown: &shown, title: &title, size }, format, available)
}

/// Names of a stream of bytes, and its size.
#[derive(Clone, Copy, Debug)]
pub struct GraphOrigin<'a> {
    /// The path or other name in messages.
    pub shown: &'a str,
    /// The title of the graph.
    pub title: &'a str,
    /// Number of bytes, or 0 if it is unknown.
    pub size: u64,
}

/// Reads a graph from a stream such as standard input, at most as many bytes as are available.
pub fn read_graph_from(
    mut stream: impl Read,
    origin: GraphOrigin<'_>,
    format: Option<GraphFormat>,
    available: Option<u128>,
) -> Result<Graph, GraphSourceError> {
    let failed = |error| GraphSourceError::Io { path: origin.shown.into(), error };
    let refused = |GraphFileError { place, fault, .. }| {
        let path = origin.shown.into();
        GraphSourceError::Text { path, place, fault }
    };
    let limit = available.map_or(u64::MAX, |bytes| u64::try_from(bytes).unwrap_or(u64::MAX));
    let too_large = |bytes| {
        let available = limit.into();
        GraphSourceError::Memory { path: origin.shown.into(), bytes, available }
    };
    let mut bytes = Vec::new();
    stream.by_ref().take(HEAD).read_to_end(&mut bytes).map_err(failed)?;
    if format.is_none_or(|format| format == GraphFormat::Dimacs) {
        let lines = bytes.iter().rposition(|&b| b == b'\n').map_or(0, |last| last + 1);
        let head = String::from_utf8_lossy(&bytes[..lines]);
        check_head(origin.title, &head).map_err(refused)?;
    }
    if origin.size > limit {
        return Err(too_large(origin.size));
    }
    stream.take(limit.saturating_sub(HEAD)).read_to_end(&mut bytes).map_err(failed)?;
    if bytes.len() as u64 >= limit {
        return Err(too_large(bytes.len() as u64));
    }
    let not_text = |_| failed(io::Error::new(io::ErrorKind::InvalidData, "it is not text"));
    let text = String::from_utf8(bytes).map_err(not_text)?;
    read_graph_as(origin.title, &text, format).map_err(refused)
}
