//! Graphs by the name of their file, or by a generator.
//!
//! A file of that name comes first, so that no file becomes unreadable by a generator of its name. A
//! file is refused by its size and by its first lines before the rest of it is read.

use crate::board::Graph;
use crate::board::generators::{GeneratorError, generate, is_generator};
use crate::board::graph_file::{GraphFault, GraphFileError, check_head, read_graph};
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
        "graph file {path} has {} and {} of memory are available; give a smaller graph",
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
    #[error("graph file {path}, line {line}: {fault}")]
    Text {
        /// The file.
        path: String,
        /// Line number, from 1.
        line: usize,
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
/// `available` is the memory in bytes, if known.
pub fn open_graph(text: &str, available: Option<u128>) -> Result<Graph, GraphSourceError> {
    if Path::new(text).exists() || !is_generator(text) {
        return read_graph_file(Path::new(text), available);
    }
    generate(text, available).map_err(|error| match error {
        GeneratorError::Unknown { .. } => GraphSourceError::Neither { path: text.into(), error },
        error => error.into(),
    })
}

/// Reads a graph from a file; the graph is titled by the file's name.
///
/// `available` is the memory in bytes, if known.
pub fn read_graph_file(path: &Path, available: Option<u128>) -> Result<Graph, GraphSourceError> {
    let shown = path.display().to_string();
    let title = path.file_name().map_or(shown.clone(), |n| n.to_string_lossy().into_owned());
    let failed = |error| GraphSourceError::Io { path: shown.clone(), error };
    let refused = |GraphFileError { line, fault, .. }| {
        let path = shown.clone();
        GraphSourceError::Text { path, line, fault }
    };
    let mut file = File::open(path).map_err(failed)?;
    let mut bytes = Vec::new();
    file.by_ref().take(HEAD).read_to_end(&mut bytes).map_err(failed)?;
    let lines = bytes.iter().rposition(|&b| b == b'\n').map_or(0, |last| last + 1);
    check_head(&title, &String::from_utf8_lossy(&bytes[..lines])).map_err(refused)?;
    let size = file.metadata().map_or(0, |about| about.len());
    if let Some(available) = available.filter(|&available| available < size.into()) {
        return Err(GraphSourceError::Memory { path: shown, bytes: size, available });
    }
    file.read_to_end(&mut bytes).map_err(failed)?;
    let text = String::from_utf8(bytes)
        .map_err(|_| failed(io::Error::new(io::ErrorKind::InvalidData, "it is not text")))?;
    read_graph(&title, &text).map_err(refused)
}
