//! `hippo check`: verifies and classifies tours.

use crate::Manner;
use crate::fail::{DONE, Fail, RUN_TIME};
use crate::tours::SourceArgs;
use clap::Args;
use hippodrome::tour::{Claim, Class, Fault, ReadError, verify};
use serde_json::json;
use std::io::{self, BufWriter, Write};

/// Verify and classify tours in any text format
#[derive(Args)]
#[command(after_help = "Example:\n  hippo find 8x8 --closed | hippo check")]
pub struct Check {
    #[command(flatten)]
    source: SourceArgs,
}

impl Check {
    /// Checks every tour; the exit code is 1 if any is invalid.
    pub fn run(self, manner: Manner) -> Result<u8, Fail> {
        let mut out = BufWriter::new(io::stdout().lock());
        let mut code = DONE;
        for claim in self.source.read()? {
            let (line, verdict) = judge(claim);
            if verdict.is_err() {
                code = RUN_TIME;
            }
            if manner.json {
                let class = verdict.as_ref().ok();
                let object = json!({
                    "schema": 1,
                    "line": line,
                    "valid": class.is_some(),
                    "board": class.map(|c| &c.0),
                    "closed": class.map(|c| c.1.closed),
                    "magic": class.map(|c| c.1.magic.to_string()),
                    "symmetry": class.map(|c| c.1.symmetry()),
                    "error": verdict.as_ref().err(),
                });
                writeln!(out, "{object}")?;
                continue;
            }
            match verdict {
                Ok((graph, class)) => {
                    let kind = if class.closed { "closed" } else { "open" };
                    let (symmetry, magic) = (class.symmetry(), class.magic);
                    writeln!(
                        out,
                        "line {line}: valid {kind} tour of {graph}, symmetry {symmetry}, magic {magic}"
                    )?;
                }
                Err(error) => writeln!(out, "line {line}: invalid: {error}")?,
            }
        }
        out.flush()?;
        Ok(code)
    }
}

fn judge(claim: Result<Claim, ReadError>) -> (usize, Result<(String, Class), String>) {
    match claim {
        Err(error) => (error.line, Err(error.fault.to_string())),
        Ok(Claim { line, graph, squares }) => {
            let tour = verify(&graph, squares).map_err(|fault: Fault| fault.to_string());
            (line, tour.map(|tour| (graph.to_string(), tour.classify())))
        }
    }
}
