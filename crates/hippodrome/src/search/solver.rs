//! The interface of a solver.

use crate::problem::Problem;
use crate::search::{Allotment, Budget, End, Info, Resources, Run, Values};
use thiserror::Error;

/// The guarantees of a prepared solver for its problem and parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Promise {
    /// Whether it can exhaust its search space and end on its own.
    pub exhausts: bool,
    /// Whether it may find a tour more than once. If not, no deduplication is needed.
    pub repeats: bool,
    /// Whether its end is a proof that it has seen every tour.
    pub complete: bool,
}

impl Promise {
    /// A complete search: it finds every tour once, and its end is a proof.
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

/// A method of finding tours: an entry of the registry.
pub trait Solver: Sync {
    /// Returns the declaration: name, source, parameters.
    fn info(&self) -> &'static Info;

    /// Prepares the solver for one problem, or returns the reason why it is unsupported.
    fn prepare(&self, problem: &Problem, values: &Values, resources: &Resources<'_>)
    -> Preparation;

    /// Prepares the solver without its tables, to query units and promises. Returns immediately; the
    /// result cannot run.
    fn outline(&self, problem: &Problem, values: &Values) -> Preparation {
        self.prepare(problem, values, &Resources::on(1))
    }
}

/// A solver prepared for one problem: immutable, shared by all threads.
pub trait Prepared: Send + Sync {
    /// Returns the guarantees; by default those of a random search.
    fn promise(&self) -> Promise {
        Promise::ENDLESS
    }

    /// Returns the number of attempts after which a run without a budget ends although its search
    /// space is not exhausted; `None` if there is no such bound.
    fn bound(&self) -> Option<u64> {
        None
    }

    /// Returns the attempts per cycle, for solvers that work in cycles.
    fn cycle(&self) -> Option<u64> {
        None
    }

    /// Returns the budget of unit `unit`; `None` if there is no such unit. Units are independent of
    /// each other, and their number does not depend on threads.
    fn allot(&self, unit: u64, budget: &Budget) -> Option<Allotment>;

    /// Runs one unit until it ends or its allotment is spent.
    fn run(&self, unit: u64, run: &mut Run<'_>) -> End;
}
