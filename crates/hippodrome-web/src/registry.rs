//! The registry of solvers for forms: parameters with defaults, ranges and sentences.

use hippodrome::search::{ArtifactKind, Param, ParamKind, Solver};
use hippodrome::solvers::registry::SOLVERS;
use serde_json::{Value, json};

/// All solvers.
pub(crate) fn describe() -> Value {
    json!({ "schema": 1, "solvers": SOLVERS.iter().map(|s| solver(*s)).collect::<Value>() })
}

fn solver(solver: &dyn Solver) -> Value {
    let info = solver.info();
    json!({
        "name": info.name,
        "summary": info.summary,
        "good_for": info.good_for,
        "source": info.source,
        "pheromone": info.artifacts.contains(&ArtifactKind::MoveWeights),
        "rounds": info.rounds,
        "params": info.params.iter().map(param).collect::<Value>(),
    })
}

fn param(param: &Param) -> Value {
    let words = |words: &[(&str, &str)]| {
        words.iter().map(|(word, help)| json!({ "word": word, "help": help })).collect::<Value>()
    };
    let mut entry = json!({
        "name": param.name,
        "default": param.default,
        "range": param.kind.to_string(),
        "help": param.help,
    });
    match &param.kind {
        // Whole numbers may be beyond what a script can hold: they go as text.
        ParamKind::Int { min, max } => {
            entry["kind"] = json!("int");
            (entry["min"], entry["max"]) = (json!(min.to_string()), json!(max.to_string()));
        }
        ParamKind::Real { min, max } => {
            entry["kind"] = json!("real");
            (entry["min"], entry["max"]) = (json!(min.to_string()), json!(max.to_string()));
        }
        ParamKind::Choice(choices) => {
            entry["kind"] = json!("choice");
            entry["choices"] = words(choices);
        }
        ParamKind::Order(choices) => {
            entry["kind"] = json!("order");
            entry["choices"] = words(choices);
        }
    }
    entry
}
