//! The Python module `hippodrome._hippodrome`: a thin edge over the library, one file a subject.
//!
//! Nothing is computed here. Arguments become the library's types (`arguments.rs`), the search runs on
//! a thread of its own while Python's locks are free and Ctrl-C is looked for (`interruptible.rs`), and
//! errors become exceptions with the same sentences that the command prints (`errors.rs`).

// Documentation is for Python: its examples are no Markdown.
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
