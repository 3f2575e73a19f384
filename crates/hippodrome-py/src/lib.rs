//! The Python module `hippodrome._hippodrome`, with bindings to the library.
//!
//! Nothing is computed here. `arguments.rs` converts arguments to types of the library. Searches run on
//! another thread with the GIL released, while this thread checks for signals (`interruptible.rs`).
//! `errors.rs` converts errors to exceptions, with remedies that name Python keywords (`remedy.rs`).

// Doc comments become docstrings, so their examples are not Markdown.
#![allow(missing_docs, clippy::doc_lazy_continuation)]

mod arguments;
mod arrays;
mod count;
mod errors;
mod gathered;
mod ground;
mod interruptible;
mod job;
mod pickling;
mod puzzle;
mod race;
mod remedy;
mod sample;
mod search;
mod solvers;
mod summary;
mod tour;
mod tours;
mod work;

use pyo3::prelude::*;

#[pymodule]
mod _hippodrome {
    #[pymodule_export]
    use super::count::{Count, count, recurrence};
    #[pymodule_export]
    use super::ground::{PyBoard, PyGraph};
    #[pymodule_export]
    use super::job::{Job, Progress, plan, plan_count};
    #[pymodule_export]
    use super::puzzle::{PyPuzzle, puzzle};
    #[pymodule_export]
    use super::race::{Standing, race};
    #[pymodule_export]
    use super::sample::sample;
    #[pymodule_export]
    use super::search::{enumerate_tours, find};
    #[pymodule_export]
    use super::solvers::{Parameter, Solver, solvers};
    #[pymodule_export]
    use super::summary::Summary;
    #[pymodule_export]
    use super::tour::PyTour;
    #[pymodule_export]
    use super::tours::{PyTours, read_tours};
    use pyo3::prelude::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
