//! The registry of all solvers, and the choice of one with its parameter values.

use crate::error::joined;
use crate::problem::Problem;
use crate::search::{ParamError, ParamValue, Purpose, Solver, Stage, Values, nearest};
use crate::solvers;
use thiserror::Error;

/// All solvers, in display order. Command, help, documentation and tests read this list.
pub static SOLVERS: &[&dyn Solver] = &[
    &solvers::backtrack::Backtrack,
    &solvers::scan::Scan,
    &solvers::warnsdorff::Warnsdorff,
    &solvers::best_first::BestFirst,
    &solvers::exact::Exact,
    &solvers::frontier::Frontier,
    &solvers::cuts::Cuts,
    &solvers::divide::Divide,
    &solvers::ants::Ace,
    &solvers::ants::Mace,
    &solvers::ants::AntsRandom,
    &solvers::ants::Colonies,
    &solvers::neural::Neural,
    &solvers::neural::NeuralJoin,
    &solvers::genetic::GA,
    &solvers::genetic::GA_REPAIR,
    &solvers::genetic::GA_HEURISTIC,
    &solvers::genetic::REPAIR_ONLY,
    &solvers::genetic::HEURISTIC_ONLY,
    &solvers::uniform::Uniform,
    &solvers::backbite::Backbite,
];

/// Other words for solvers, with the names that an error suggests instead. The words themselves are not
/// accepted.
pub static SYNONYMS: &[(&[&str], &[&str])] = &[
    (&["dfs", "depth-first", "backtracking", "brute-force", "bruteforce", "brute"], &["backtrack"]),
    (&["aco", "ant", "ants", "ant-colony", "colony"], &["ace", "mace"]),
    (
        &["genetic", "genetic-algorithm", "evolution", "evolutionary"],
        &["ga-repair", "ga-heuristic"],
    ),
    (&["greedy", "heuristic", "warnsdorffs-rule"], &["warnsdorff"]),
    (&["astar", "a-star", "a*", "bfs", "priority-queue"], &["best-first"]),
    (&["neural-network", "hopfield", "nn", "network"], &["neural", "neural-join"]),
    (&["divide-and-conquer", "parberry", "construct"], &["divide"]),
    (&["complete", "hamiltonian", "sat", "all"], &["exact"]),
    (&["mcmc", "markov", "markov-chain"], &["backbite"]),
    (&["random", "sample", "unbiased"], &["uniform", "ants-random"]),
];

/// Errors in the choice of a solver.
#[derive(Error, Debug, Clone, PartialEq, Eq)]
pub enum ChoiceError {
    /// No solver has this name.
    #[error("there is no solver '{name}'; {hint}")]
    Unknown {
        /// The name given.
        name: String,
        /// The names that exist, or the most similar one.
        hint: String,
    },
    /// A parameter is invalid.
    #[error(transparent)]
    Param(#[from] ParamError),
}

impl crate::error::Diagnostic for ChoiceError {}

/// A solver with its parameter values.
#[derive(Clone)]
pub struct Choice {
    /// The solver.
    pub solver: &'static dyn Solver,
    /// Its parameters.
    pub values: Values,
}

impl Choice {
    /// Finds a solver by name and parses its parameters, each `name=value`.
    pub fn new<S: AsRef<str>>(name: &str, params: &[S]) -> Result<Choice, ChoiceError> {
        let names = SOLVERS.iter().map(|s| s.info().name);
        let Some(&solver) = SOLVERS.iter().find(|s| s.info().name == name) else {
            let typed = name.to_lowercase().replace(['_', ' '], "-");
            let meant = SYNONYMS.iter().find(|(words, _)| words.contains(&&*typed));
            let hint = match (meant, nearest(&typed, names.clone())) {
                (Some((_, names)), _) => format!("did you mean {}?", joined(names, "or")),
                (None, Some(near)) => format!("did you mean {near}?"),
                (None, None) => format!("choose from {}", names.collect::<Vec<_>>().join(", ")),
            };
            return Err(ChoiceError::Unknown { name: name.to_string(), hint });
        };
        let pairs: Vec<_> =
            params.iter().map(|p| Values::pair(p.as_ref())).collect::<Result<_, _>>()?;
        let values = Values::resolve(name, solver.info().params, pairs)?;
        Ok(Choice { solver, values })
    }

    /// Returns the first offer for a purpose that suits a problem.
    pub fn offered(purpose: Purpose, problem: &Problem) -> Option<Choice> {
        let mut stages = Stage::offered(SOLVERS, purpose, problem).into_iter();
        stages.next().map(|Stage { solver, values, .. }| Choice { solver, values })
    }

    /// Returns the memory limit of its tables in bytes, if it builds tables before it runs.
    pub fn table_memory(&self) -> Option<usize> {
        match self.values.get(self.solver.info().table_memory?)? {
            ParamValue::Int(mebibytes) => Some(mebibytes.saturating_mul(1 << 20) as usize),
            _ => None,
        }
    }

    /// Returns the name of the solver.
    pub fn name(&self) -> &'static str {
        self.solver.info().name
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::{Family, Param, ParamKind, ParamType};
    use std::collections::BTreeSet;

    /// Returns values that a declaration allows: its default, every word, and both ends of a range.
    fn allowed(param: &Param) -> Vec<String> {
        let words = |words: &[(&str, &str)]| words.iter().map(|(w, _)| w.to_string()).collect();
        match param.kind {
            ParamKind::Int { min, max } => vec![min.to_string(), max.to_string()],
            ParamKind::Real { min, max } => vec![min.to_string(), max.to_string()],
            ParamKind::Choice(choices) => words(choices),
            ParamKind::Order(choices) => {
                let mut all: Vec<String> = words(choices);
                all.push("62514037".into());
                all
            }
        }
    }

    #[test]
    fn every_declared_value_has_a_distinct_typed_value() {
        for solver in SOLVERS {
            let info = solver.info();
            let defaults = Values::resolve(info.name, info.params, []).unwrap();
            for param in info.params {
                let mut typed = BTreeSet::new();
                for text in allowed(param) {
                    let pair = [(param.name, text.as_str())];
                    let values = Values::resolve(info.name, info.params, pair).unwrap();
                    let shown = (param.typed)(values.get(param.name).unwrap());
                    let shown = shown.unwrap_or_else(|| panic!("{} {text}", info.name));
                    assert!(typed.insert(shown.clone()), "{} {}: {shown}", info.name, param.name);
                }
                let default = (param.typed)(defaults.get(param.name).unwrap()).unwrap();
                let is_choice = matches!(param.kind, ParamKind::Choice(_) | ParamKind::Order(_));
                assert!(!is_choice || typed.contains(&default), "{} {default}", info.name);
            }
        }
    }

    #[test]
    fn every_solver_has_a_short_title_of_its_own() {
        let mut titles = BTreeSet::new();
        for info in SOLVERS.iter().map(|solver| solver.info()) {
            let length = info.title.chars().count();
            assert!((4..=28).contains(&length), "{}: '{}'", info.name, info.title);
            assert!(titles.insert(info.title), "{}: '{}' is taken", info.name, info.title);
        }
        let families: BTreeSet<Family> = SOLVERS.iter().map(|s| s.info().family).collect();
        assert_eq!(families.len(), 5, "{families:?}");
    }

    #[test]
    fn every_parameter_that_a_solver_names_in_its_info_is_declared() {
        for info in SOLVERS.iter().map(|solver| solver.info()) {
            let declared = |name: &str| {
                info.param(name).unwrap_or_else(|| panic!("{} has no {name}", info.name))
            };
            if let Some(name) = info.table_memory {
                assert!(matches!(declared(name).kind, ParamKind::Int { .. }), "{}", info.name);
            }
            for offer in info.offers {
                let given = Choice::new(info.name, offer.params);
                given.unwrap_or_else(|error| panic!("{}: {error}", info.name));
            }
            if let Some(tuning) = info.tuning {
                let (varied, _) = tuning.vary.split_once('=').expect("a parameter and its values");
                for name in [varied, tuning.length].into_iter().chain(tuning.cycle) {
                    assert_eq!(declared(name).name, name);
                }
            }
        }
    }

    #[test]
    fn synonyms_lead_to_solvers_and_are_no_names_of_solvers() {
        let is_name = |word: &str| SOLVERS.iter().any(|solver| solver.info().name == word);
        let mut seen = BTreeSet::new();
        for (words, names) in SYNONYMS {
            assert!(names.iter().all(|name| is_name(name)), "{names:?}");
            for word in *words {
                assert!(!is_name(word) && seen.insert(*word), "{word}");
                let hint = format!("did you mean {}?", joined(names, "or"));
                let error = Choice::new::<&str>(&word.to_uppercase(), &[]).err();
                let expected = ChoiceError::Unknown { name: word.to_uppercase(), hint };
                assert_eq!(error, Some(expected));
            }
        }
    }

    #[test]
    fn suggestions_are_no_wild_guesses() {
        let names = || SOLVERS.iter().map(|solver| solver.info().name);
        for (typed, name) in [
            ("warnsdorf", Some("warnsdorff")),
            ("Wransdorf", Some("warnsdorff")),
            ("exat", Some("exact")),
            ("heur", Some("heuristic-only")),
            ("rake", None),
            ("brain", None),
            ("xyz", None),
            ("b", None),
        ] {
            assert_eq!(nearest(typed, names()), name, "{typed}");
        }
    }

    #[test]
    fn a_word_unknown_to_the_type_is_rejected() {
        static WRONG: [Param; 1] = [Param {
            name: "kernel",
            default: "first",
            kind: ParamKind::Choice(&[("first", ""), ("forgotten", "")]),
            help: "",
            typed: crate::solvers::exact::VertexTies::show,
        }];
        assert!(Values::resolve("s", &WRONG, []).is_ok());
        assert!(Values::resolve("s", &WRONG, [("kernel", "forgotten")]).is_err());
    }
}
