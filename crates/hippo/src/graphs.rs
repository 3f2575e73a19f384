//! The graph of `--graph`: a file or a generator.

use crate::fail::Fail;
use crate::output::OutputMode;
use hippodrome::board::Graph;
use hippodrome::board::graph_source::{GraphSourceError, open_graph};
use hippodrome::search::memory::available;
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

/// Reads or generates a graph; remarks on standard error what was dropped.
pub fn load_graph(text: &str) -> Result<Graph, Fail> {
    let graph = open_graph(text, available()).map_err(|error| match error {
        GraphSourceError::Io { path, error } => Fail::file("read", &path, &error),
        error => Fail::of(&error),
    })?;
    if !graph.dropped().is_none() {
        mode().remark(&format!("{graph}: dropped {}", graph.dropped()));
    }
    Ok(graph)
}
