//! What a solver is.

use crate::problem::Problem;
use crate::search::{Allotment, Budget, End, Info, Resources, Run, Values};
use thiserror::Error;

/// What a prepared solver promises for its problem and parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Promise {
    /// Whether it can exhaust its search space and end by itself.
    pub exhausts: bool,
    /// It may find a tour more than once; otherwise no repeats have to be looked for.
    pub repeats: bool,
    /// Its end is a proof: it has seen every tour.
    pub complete: bool,
}

impl Promise {
    /// A complete search: it sees every tour once, and its end is a proof.
    pub const COMPLETE: Promise = Promise { exhausts: true, repeats: false, complete: true };

    /// A search by chance: it goes on until its budget is spent, and may find a tour again.
    pub const ENDLESS: Promise = Promise { exhausts: false, repeats: true, complete: false };
}

/// The reason why a solver does not take a problem.
#[derive(Error, Debug, Clone, PartialEq, Eq)]
#[error("{0}")]
pub struct Unsupported(pub String);

impl crate::error::Diagnostic for Unsupported {
    fn kind(&self) -> crate::error::ErrorKind {
        crate::error::ErrorKind::Unsupported
    }
}

/// A solver made ready for a problem, or the reason why it does not take it.
pub type Preparation = Result<Box<dyn Prepared>, Unsupported>;

/// A method of finding tours: an entry of the registry.
pub trait Solver: Sync {
    /// Name, source, parameters.
    fn info(&self) -> &'static Info;

    /// Makes the solver ready for one problem, or returns the reason why it does not take it.
    fn prepare(&self, problem: &Problem, values: &Values, resources: &Resources<'_>)
    -> Preparation;

    /// As [`Solver::prepare`], but only to ask for units and promises: returns at once, even where
    /// tables take long, and cannot run.
    fn outline(&self, problem: &Problem, values: &Values) -> Preparation {
        self.prepare(problem, values, &Resources::on(1))
    }
}

/// A solver made ready for one problem: immutable, shared by all threads.
pub trait Prepared: Send + Sync {
    /// What can be relied on; unless it is stated, no more than of a search by chance.
    fn promise(&self) -> Promise {
        Promise::ENDLESS
    }

    /// Attempts after which a run without a budget ends by itself, though it may not have seen all;
    /// `None` if it goes on for ever or until it has.
    fn bound(&self) -> Option<u64> {
        None
    }

    /// Attempts of one cycle, for solvers that go by cycles.
    fn cycle(&self) -> Option<u64> {
        None
    }

    /// The part of the budget that unit number `unit` gets; `None` if there is no such unit. Units
    /// are independent of each other, and their number does not depend on threads.
    fn allot(&self, unit: u64, budget: &Budget) -> Option<Allotment>;

    /// Runs one unit to its end or to the end of its allotment.
    fn run(&self, unit: u64, run: &mut Run<'_>) -> End;
}
