//! The interface of a solver.

use crate::problem::Problem;
use crate::search::{Allotment, Budget, End, Info, Resources, Run, Values};
use thiserror::Error;

/// What a prepared solver guarantees for its problem and parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Promise {
    /// Whether the solver can exhaust its search space and end on its own.
    pub exhausts: bool,
    /// Whether the solver may find a tour more than once. If not, no deduplication is needed.
    pub repeats: bool,
    /// Whether the solver has found every tour when it ends on its own.
    pub complete: bool,
}

impl Promise {
    /// A complete search: it finds every tour exactly once, and when it ends, this is proved.
    pub const COMPLETE: Promise = Promise { exhausts: true, repeats: false, complete: true };

    /// A random search: it runs until its budget is spent and may find duplicates.
    pub const ENDLESS: Promise = Promise { exhausts: false, repeats: true, complete: false };
}

/// The reason why a solver does not support a problem.
#[derive(Error, Debug, Clone, PartialEq, Eq)]
#[error("{0}")]
pub struct Unsupported(pub String);

impl crate::error::Diagnostic for Unsupported {
    fn kind(&self) -> crate::error::ErrorKind {
        crate::error::ErrorKind::Unsupported
    }
}

/// A prepared solver, or the reason why the problem is unsupported.
pub type Preparation = Result<Box<dyn Prepared>, Unsupported>;

/// A method of finding tours. The registry lists all solvers.
pub trait Solver: Sync {
    /// Returns the declaration of the solver: its name, source, parameters and so on.
    fn info(&self) -> &'static Info;

    /// Prepares the solver for one problem, or returns the reason why the solver does not support it.
    fn prepare(&self, problem: &Problem, values: &Values, resources: &Resources<'_>)
    -> Preparation;

    /// Prepares the solver without building its tables, so that its units and promise can be queried. Returns
    /// immediately; the result cannot be run.
    fn outline(&self, problem: &Problem, values: &Values) -> Preparation {
        self.prepare(problem, values, &Resources::on(1))
    }
}

/// A solver prepared for one problem; it is immutable and shared by all threads.
pub trait Prepared: Send + Sync {
    /// Returns what the solver guarantees; by default, this is the promise of a random search.
    fn promise(&self) -> Promise {
        Promise::ENDLESS
    }

    /// Returns the number of attempts after which a run without a budget ends although the search space is
    /// not exhausted; `None` if there is no such bound.
    fn bound(&self) -> Option<u64> {
        None
    }

    /// Returns the number of attempts per cycle, if the solver works in cycles.
    fn cycle(&self) -> Option<u64> {
        None
    }

    /// Returns the part of the budget that unit `unit` may spend; `None` if there is no such unit. Units are
    /// independent of each other, and their number does not depend on the number of threads.
    fn allot(&self, unit: u64, budget: &Budget) -> Option<Allotment>;

    /// Runs one unit until it ends or its allotment is spent.
    fn run(&self, unit: u64, run: &mut Run<'_>) -> End;
}
