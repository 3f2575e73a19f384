//! The registry of solvers for forms: parameters with defaults, ranges and sentences, and the page's presets.
//!
//! All that the server and the page know of a solver is said here, from what the library declares.

use hippodrome::search::{Kind, Param, Solver};
use hippodrome::solvers::registry::SOLVERS;
use hippodrome::uniform::NAME as UNIFORM;
use serde_json::{Value, json};

/// The parameter by which a solver declares that it makes a table first, and the MiB that it may take.
pub(crate) const TABLE_MEMORY: &str = "memory";

/// Solvers that the forms of the page show at first, as they would be typed: one of each family.
const WATCH: &str = "warnsdorff";
const RACE: [&str; 3] = ["warnsdorff:ties=random", "mace", "ga-heuristic"];
const RACE_ADD: &str = "ga-repair";
const GALLERY: &str = UNIFORM;

/// Describes all solvers, and the presets of the page.
pub(crate) fn describe() -> Value {
    json!({
        "schema": 1,
        "solvers": SOLVERS.iter().map(|s| solver(*s)).collect::<Value>(),
        "presets": { "watch": WATCH, "race": RACE, "race_add": RACE_ADD, "gallery": GALLERY },
    })
}

/// Whether a solver makes a table before it searches: one at a time, shared by all jobs.
pub(crate) fn makes_table(solver: &dyn Solver) -> bool {
    table_memory(solver).is_some()
}

fn table_memory(solver: &dyn Solver) -> Option<&'static Param> {
    solver.info().params.iter().find(|param| param.name == TABLE_MEMORY)
}

/// Least MiB that the table of the named solver may be given; `None` if it makes none, or is unknown.
pub(crate) fn least_table_memory(name: &str) -> Option<u64> {
    let solver = SOLVERS.iter().find(|solver| solver.info().name == name)?;
    match table_memory(*solver)?.kind {
        Kind::Int { min, .. } => Some(min),
        _ => None,
    }
}

/// What a solver counts by its frames of chosen moves, where it is not sweeps.
fn rounds(solver: &dyn Solver) -> Option<&'static str> {
    makes_table(solver).then_some("Covers")
}

fn solver(solver: &dyn Solver) -> Value {
    let info = solver.info();
    json!({
        "name": info.name,
        "summary": info.summary,
        "good_for": info.good_for,
        "source": info.source,
        "pheromone": solver.lays_pheromone(),
        "rounds": rounds(solver),
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
        // Whole numbers may exceed the integers of JavaScript, so limits are strings.
        Kind::Int { min, max } => {
            entry["kind"] = json!("int");
            (entry["min"], entry["max"]) = (json!(min.to_string()), json!(max.to_string()));
        }
        Kind::Real { min, max } => {
            entry["kind"] = json!("real");
            (entry["min"], entry["max"]) = (json!(min.to_string()), json!(max.to_string()));
        }
        Kind::Choice(choices) => {
            entry["kind"] = json!("choice");
            entry["choices"] = words(choices);
        }
        Kind::Order(choices) => {
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
    fn only_solvers_that_declare_its_memory_make_a_table() {
        let making = SOLVERS.iter().filter(|s| makes_table(**s)).map(|s| s.info().name);
        assert_eq!(making.collect::<Vec<_>>(), [UNIFORM]);
        assert_eq!(least_table_memory(UNIFORM), Some(64));
        assert_eq!((least_table_memory(WATCH), least_table_memory("none")), (None, None));
    }
}
