//! The Python module `hippodrome._hippodrome`: bindings to the library.
//!
//! Nothing is computed here. Arguments are converted to types of the library (`arguments.rs`). Searches run on
//! another thread, with the GIL released, while signals are checked (`interruptible.rs`). Errors are converted to
//! exceptions (`errors.rs`), with remedies that name Python keywords (`remedy.rs`).

// Doc comments are docstrings: their examples are not Markdown.
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
    use super::count::{Count, count};
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
