//! The graph of `--graph`: a file, standard input or a generator.

use crate::fail::Fail;
use crate::output::OutputMode;
use hippodrome::board::Graph;
use hippodrome::board::graph_format::GraphFormat;
use hippodrome::board::graph_source::{GraphOrigin, GraphSourceError, open_graph, read_graph_from};
use hippodrome::numerals::counted;
use hippodrome::search::memory::available;
use std::io::{self, IsTerminal};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Whether `--quiet` is given, which arguments are read without.
static QUIET: AtomicBool = AtomicBool::new(false);

/// Sets whether remarks about graphs are left out.
pub fn set_mode(mode: OutputMode) {
    QUIET.store(mode.quiet, Relaxed);
}

/// Returns how remarks are printed where only the arguments are known.
pub fn mode() -> OutputMode {
    OutputMode { json: false, quiet: QUIET.load(Relaxed) }
}

/// The name of standard input in place of a file.
const STANDARD_INPUT: &str = "-";

/// Whether `--graph` means standard input.
pub fn is_standard_input(text: &str) -> bool {
    text == STANDARD_INPUT
}

/// Reads or generates a graph; remarks on standard error what was read and dropped.
pub fn load_graph(text: &str, format: Option<GraphFormat>) -> Result<Graph, Fail> {
    let read = match is_standard_input(text) {
        true => {
            if io::stdin().is_terminal() {
                remark("reading a graph from the terminal; end with Ctrl-D");
            }
            let origin = GraphOrigin { shown: "standard input", title: "standard input", size: 0 };
            read_graph_from(io::stdin().lock(), origin, format, available())
        }
        false => open_graph(text, format, available()),
    };
    let graph = read.map_err(|error| match error {
        GraphSourceError::Io { path, error } => Fail::file("read", &path, &error),
        error => Fail::of(&error),
    })?;
    if let Some(reading) = graph.reading() {
        let (vertices, edges) =
            (counted(graph.order() as u64, "vertex"), counted(graph.edges(), "edge"));
        remark(&format!("{graph}: read {vertices}, {edges} as {reading}"));
    }
    if !graph.dropped().is_none() {
        remark(&format!("{graph}: dropped {}", graph.dropped()));
    }
    Ok(graph)
}

/// Prints a remark unless `--quiet` is given.
fn remark(text: &str) {
    OutputMode { json: false, quiet: QUIET.load(Relaxed) }.remark(text);
}
