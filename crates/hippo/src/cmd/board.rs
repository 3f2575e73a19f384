//! `hippo board` prints facts about a board that need no search.

use crate::OutputMode;
use crate::args::BoardArgs;
use crate::fail::{DONE, Fail};
use crate::output::with_board;
use clap::Args;
use hippodrome::board::Graph;
use hippodrome::numerals::{counted, grouped};
use hippodrome::problem::theorems::{Colours, Existence, Facts, facts};
use serde_json::{Map, Value, json};

/// Print facts about a board, and theorems on whether tours exist
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
        mode.print(|| describe(&graph, &facts), || in_words(&graph, &facts))?;
        Ok(DONE)
    }
}

fn in_words(graph: &Graph, facts: &Facts) -> String {
    let (square, joined) =
        if graph.board().is_some() { ("square", "move") } else { ("vertex", "edge") };
    let (squares, moves) = (counted(facts.squares, square), counted(facts.moves, joined));
    let degree = |(moves, squares): &(u32, u64)| format!("{} with {moves}", grouped(*squares));
    let degrees: Vec<String> = facts.degrees.iter().map(degree).collect();
    let alternates = graph.piece().is_some_and(|p| p.pairs().iter().all(|(a, b)| (a + b) % 2 == 1));
    let colours = match facts.colours {
        Colours::Two(dark, light) if alternates => {
            let (dark, light) = (grouped(dark), grouped(light));
            format!("colours: {dark} dark and {light} light, every move changes colour")
        }
        Colours::Two(one, other) => {
            let (one, other) = (grouped(one), grouped(other));
            format!("two classes, of {one} and {other}: every {joined} leads from one to the other")
        }
        Colours::Mixed => format!("not bipartite: some cycle has an odd number of {joined}s"),
        Colours::Unknown => "colours: unknown, because the graph is too large".into(),
    };
    let mut lines = vec![
        format!("{graph}: {squares}, {moves} between them"),
        format!("{joined}s per {square}: {}", degrees.join(", ")),
        colours,
    ];
    lines.extend(facts.parts.map(|parts| format!("connected parts: {parts}")));
    lines.extend(facts.symmetries.map(|symmetries| format!("symmetries: {symmetries}")));
    lines.extend([("open", &facts.open), ("closed", &facts.closed)].map(|(kind, verdict)| {
        match verdict {
            Existence::Exists(finding) => format!("{kind} tours: yes, {finding}"),
            Existence::Impossible(finding) => format!("{kind} tours: none, {finding}"),
            Existence::Open => format!("{kind} tours: no theorem decides; try 'hippo find'"),
        }
    }));
    lines.join("\n  ")
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
    let object = json!({
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
    with_board(object, graph)
}
