//! `hippo board`: what is known of a board without search.

use crate::OutputMode;
use crate::args::BoardArgs;
use crate::cmd::find::name_board;
use crate::fail::{DONE, Fail};
use clap::Args;
use hippodrome::board::Graph;
use hippodrome::numerals::{counted, grouped};
use hippodrome::problem::theorems::{Colours, Existence, Facts, facts};
use serde_json::{Map, Value, json};
use std::io::{self, Write};

/// Tell what is known of a board: squares, moves, and which theorem says that tours exist or not
#[derive(Args)]
#[command(after_help = "Example:\n  hippo board 4x4")]
pub struct Board {
    #[command(flatten)]
    board: BoardArgs,
}

impl Board {
    /// Prints the facts.
    pub fn run(self, mode: OutputMode) -> Result<u8, Fail> {
        let graph = self.board.graph()?;
        let facts = facts(&graph);
        let mut out = io::stdout().lock();
        if mode.json {
            writeln!(out, "{}", describe(&graph, &facts))?;
            return Ok(DONE);
        }
        let (square, joined) =
            if graph.board().is_some() { ("square", "move") } else { ("vertex", "edge") };
        let (squares, moves) =
            (counted(facts.squares as u64, square), counted(facts.moves, joined));
        writeln!(out, "{graph}: {squares}, {moves} between them")?;
        let degrees: Vec<String> = facts
            .degrees
            .iter()
            .map(|(moves, squares)| format!("{} with {moves}", grouped(*squares)))
            .collect();
        writeln!(out, "  {joined}s a {square}: {}", degrees.join(", "))?;
        let alternates =
            graph.piece().is_some_and(|p| p.pairs().iter().all(|(a, b)| (a + b) % 2 == 1));
        match &facts.colours {
            Colours::Two(dark, light) if alternates => writeln!(
                out,
                "  colours: {} dark and {} light, every move changes colour",
                grouped(*dark),
                grouped(*light)
            )?,
            Colours::Two(one, other) => writeln!(
                out,
                "  two classes, of {} and {}: every {joined} leads from one to the other",
                grouped(*one),
                grouped(*other)
            )?,
            Colours::Mixed => {
                writeln!(out, "  colours: some round trip has an odd number of moves")?
            }
            Colours::Unknown => writeln!(out, "  colours: not looked at on so large a graph")?,
        }
        if let Some(parts) = facts.parts {
            writeln!(out, "  connected parts: {parts}")?;
        }
        if let Some(symmetries) = facts.symmetries {
            writeln!(out, "  symmetries: {symmetries}")?;
        }
        for (kind, verdict) in [("open", &facts.open), ("closed", &facts.closed)] {
            match verdict {
                Existence::Exists(f) => {
                    writeln!(out, "  {kind} tours: yes, {} ({})", f.reason, f.theorem)?
                }
                Existence::Impossible(f) => {
                    writeln!(out, "  {kind} tours: none, {} ({})", f.reason, f.theorem)?
                }
                Existence::Open => {
                    writeln!(out, "  {kind} tours: no theorem decides; hippo find searches")?
                }
            }
        }
        Ok(DONE)
    }
}

fn describe(graph: &Graph, facts: &Facts) -> Value {
    let degrees: Map<String, Value> =
        facts.degrees.iter().map(|(moves, squares)| (moves.to_string(), json!(squares))).collect();
    let verdict = |v: &Existence| {
        let exists = match v {
            Existence::Exists(_) => json!(true),
            Existence::Impossible(_) => json!(false),
            Existence::Open => Value::Null,
        };
        let finding = v.finding();
        json!({ "exists": exists, "theorem": finding.map(|f| f.theorem), "reason": finding.map(|f| &f.reason) })
    };
    let colours = match facts.colours {
        Colours::Two(dark, light) => json!([dark, light]),
        _ => Value::Null,
    };
    let mut object = json!({
        "schema": 1,
        "squares": facts.squares,
        "hole_count": facts.holes,
        "moves": facts.moves,
        "degrees": degrees,
        "colours": colours,
        "parts": facts.parts,
        "symmetries": facts.symmetries,
        "open": verdict(&facts.open),
        "closed": verdict(&facts.closed),
    });
    name_board(&mut object, graph);
    object
}
