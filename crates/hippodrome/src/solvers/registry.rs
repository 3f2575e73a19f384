//! The registry: every solver by name, and the choice of one with values for its parameters.

use crate::search::{ParamError, Solver, Values, nearest};
use crate::solvers;
use thiserror::Error;

/// All solvers, in the order they are shown. Command, help, documentation and tests read this.
pub static SOLVERS: &[&dyn Solver] = &[
    &solvers::backtrack::Backtrack,
    &solvers::scan::Scan,
    &solvers::warnsdorff::Warnsdorff,
    &solvers::best_first::BestFirst,
    &solvers::exact::Exact,
    &solvers::divide::Divide,
    &solvers::ants::Ace,
    &solvers::ants::Mace,
    &solvers::ants::Random,
    &solvers::ants::Colonies,
    &solvers::neural::Neural,
    &solvers::neural::NeuralJoin,
    &solvers::genetic::Ga,
    &solvers::genetic::GaRepair,
    &solvers::genetic::GaHeuristic,
    &solvers::genetic::RepairOnly,
    &solvers::genetic::HeuristicOnly,
    &solvers::uniform::Uniform,
    &solvers::backbite::Backbite,
];

/// What can be wrong with the choice of a solver.
#[derive(Error, Debug, Clone, PartialEq, Eq)]
pub enum ChoiceError {
    /// No solver of that name.
    #[error("there is no solver '{name}'; {hint}")]
    Unknown {
        /// The name given.
        name: String,
        /// What there is.
        hint: String,
    },
    /// A parameter is wrong.
    #[error(transparent)]
    Param(#[from] ParamError),
}

impl crate::error::Diagnostic for ChoiceError {}

/// A solver with values for its parameters.
#[derive(Clone)]
pub struct Choice {
    /// The solver.
    pub solver: &'static dyn Solver,
    /// Its parameters.
    pub values: Values,
}

impl Choice {
    /// A solver by name with parameters as typed, each `name=value`.
    pub fn new<S: AsRef<str>>(name: &str, params: &[S]) -> Result<Choice, ChoiceError> {
        let names = SOLVERS.iter().map(|s| s.info().name);
        let Some(&solver) = SOLVERS.iter().find(|s| s.info().name == name) else {
            let hint = match nearest(name, names.clone()) {
                Some(near) => format!("did you mean {near}?"),
                None => format!("choose from {}", names.collect::<Vec<_>>().join(", ")),
            };
            return Err(ChoiceError::Unknown { name: name.to_string(), hint });
        };
        let pairs: Vec<_> =
            params.iter().map(|p| Values::pair(p.as_ref())).collect::<Result<_, _>>()?;
        let values = Values::resolve(name, solver.info().params, pairs)?;
        Ok(Choice { solver, values })
    }

    /// Name of the solver.
    pub fn name(&self) -> &'static str {
        self.solver.info().name
    }
}
