//! `--explain`: the search in sentences, on standard error or as lines of JSON on standard output.

use crate::OutputMode;
use crate::args::whole;
use clap::Args;
use hippodrome::board::Graph;
use hippodrome::numerals::counted;
use hippodrome::search::narrate::{Narrator, Sentence};
use serde_json::json;
use std::io::{self, Write};
use std::ops::ControlFlow;

/// Options of an explanation.
#[derive(Args)]
pub struct ExplainArgs {
    /// Tell the search in sentences on standard error, one thread at work
    #[arg(long, help_heading = "Explanation")]
    pub explain: bool,
    /// Sentences to print with --explain
    #[arg(long, value_name = "N", help_heading = "Explanation", value_parser = whole, allow_negative_numbers = true, default_value = "100", requires = "explain")]
    steps: u64,
}

impl ExplainArgs {
    /// Runs a search with a narrator, and says afterwards how many sentences are left out.
    pub fn narrated<T>(
        &self,
        graph: &Graph,
        mode: OutputMode,
        search: impl FnOnce(&mut Narrator<'_>) -> T,
    ) -> T {
        let mut tell = |sentence: Sentence| print(&sentence, mode);
        let mut narrator = Narrator::new(graph, self.steps, &mut tell);
        let result = search(&mut narrator);
        let more = narrator.left_out();
        if more > 0 {
            let text = format!("… {}", counted(more, "more step"));
            let _ = match mode.json {
                true => writeln!(
                    io::stdout(),
                    "{}",
                    json!({ "schema": 1, "type": "steps-left-out", "steps": more, "text": text })
                ),
                false => writeln!(io::stderr(), "{text}"),
            };
        }
        result
    }
}

/// Prints a sentence. A closed standard output stops the search.
fn print(Sentence { number, kind, text }: &Sentence, mode: OutputMode) -> ControlFlow<()> {
    if !mode.json {
        // There is no other place to report a failure of standard error.
        let _ = writeln!(io::stderr(), "{text}");
        return ControlFlow::Continue(());
    }
    let line = json!({ "schema": 1, "type": "step", "number": number, "kind": kind, "text": text });
    match writeln!(io::stdout(), "{line}") {
        Ok(()) => ControlFlow::Continue(()),
        Err(_) => ControlFlow::Break(()),
    }
}
