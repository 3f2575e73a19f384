//! Describes the registered solvers in JSON for the page's forms: each parameter with its default, range and
//! meaning.
//!
//! The library declares the solvers; this module only chooses the presets.

use hippodrome::search::{ArtifactKind, Param, ParamKind, Solver};
use hippodrome::solvers::registry::SOLVERS;
use hippodrome::uniform::NAME as UNIFORM;
use serde_json::{Value, json};

/// The solvers that are preset in the forms of the page, named as on the command line.
const WATCH: &str = "warnsdorff";
const RACE: [&str; 3] = ["warnsdorff:ties=random", "mace", "ga-heuristic"];
const RACE_ADD: &str = "ga-repair";
const GALLERY: &str = UNIFORM;

/// Describes all solvers and the presets of the page.
pub(crate) fn describe() -> Value {
    json!({
        "schema": 1,
        "solvers": SOLVERS.iter().map(|s| solver(*s)).collect::<Value>(),
        "presets": { "watch": WATCH, "race": RACE, "race_add": RACE_ADD, "gallery": GALLERY },
    })
}

fn solver(solver: &dyn Solver) -> Value {
    let info = solver.info();
    json!({
        "name": info.name,
        "title": info.title,
        "family": info.family,
        "summary": info.summary,
        "good_for": info.good_for,
        "source": info.source,
        "pheromone": info.artifacts.contains(&ArtifactKind::MoveWeights),
        "rounds": info.rounds,
        "events": info.events,
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
        // Integers may exceed the range that JavaScript represents exactly, so limits are strings.
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

#[cfg(test)]
mod tests {
    use super::*;
    use hippodrome::solvers::registry::Choice;

    #[test]
    fn presets_are_solvers_of_the_registry() {
        for preset in RACE.into_iter().chain([WATCH, RACE_ADD, GALLERY]) {
            let mut parts = preset.split(':');
            let name = parts.next().unwrap_or_default();
            assert!(Choice::new(name, &parts.collect::<Vec<_>>()).is_ok(), "{preset}");
        }
    }

    #[test]
    fn a_solver_is_described_with_its_title_family_and_events() {
        let all = describe();
        let mut solvers = all["solvers"].as_array().unwrap().iter();
        let rule = solvers.find(|solver| solver["name"] == "warnsdorff").unwrap();
        assert_eq!(
            (&rule["title"], &rule["family"]),
            (&json!("Warnsdorff's rule"), &json!("rules"))
        );
        assert!(rule["events"].as_array().unwrap().contains(&json!("dead-end")), "{rule}");
    }
}
