//! Errors as Python exceptions, with remedies in the words of Python.

use crate::remedy::advice;
use hippodrome::error::{Diagnostic, ErrorKind};
use hippodrome::problem::theorems::Finding;
use hippodrome::store::StoreError;
use pyo3::PyErr;

mod classes {
    // The macro imports the class when it is first raised.
    #![allow(missing_docs)]
    pyo3::import_exception!(hippodrome.errors, HippodromeError);
    pyo3::import_exception!(hippodrome.errors, UsageError);
    pyo3::import_exception!(hippodrome.errors, FolderExists);
    pyo3::import_exception!(hippodrome.errors, FolderNotFound);
    pyo3::import_exception!(hippodrome.errors, StoreError);
    pyo3::import_exception!(hippodrome.errors, Damaged);
    pyo3::import_exception!(hippodrome.errors, InUse);
    pyo3::import_exception!(hippodrome.errors, NotReady);
    pyo3::import_exception!(hippodrome.errors, OutOfMemory);
    pyo3::import_exception!(hippodrome.errors, LimitReached);
    pyo3::import_exception!(hippodrome.errors, NotATour);
    pyo3::import_exception!(hippodrome.errors, Impossible);
}

/// Wrong arguments, or a solver that does not take the problem: what the command ends with 2 for.
pub fn usage(message: impl ToString) -> PyErr {
    classes::UsageError::new_err(message.to_string())
}

/// Something went wrong while running.
pub fn failed(message: impl ToString) -> PyErr {
    classes::HippodromeError::new_err(message.to_string())
}

/// It needs more memory than it may have.
pub fn out_of_memory(message: impl ToString) -> PyErr {
    classes::OutOfMemory::new_err(message.to_string())
}

/// A limit was reached without a result.
pub fn limit(message: impl ToString) -> PyErr {
    classes::LimitReached::new_err(message.to_string())
}

/// What was to be a tour is none.
pub fn not_a_tour(message: impl ToString) -> PyErr {
    classes::NotATour::new_err(message.to_string())
}

/// Proved impossible.
pub fn impossible(finding: &Finding) -> PyErr {
    classes::Impossible::new_err((finding.reason.clone(), finding.theorem))
}

/// What an error of the library says, with what to do about it in Python.
pub fn told(error: &dyn Diagnostic) -> String {
    match advice(&error.remedies()) {
        Some(advice) => format!("{error}; {advice}"),
        None => error.to_string(),
    }
}

/// An error of the library as the exception of its kind.
#[expect(clippy::needless_pass_by_value, reason = "it is given to map_err")]
pub fn raised(error: impl Diagnostic) -> PyErr {
    let message = told(&error);
    match error.kind() {
        ErrorKind::Invalid | ErrorKind::Unsupported => classes::UsageError::new_err(message),
        ErrorKind::Exists => classes::FolderExists::new_err(message),
        ErrorKind::Missing => classes::FolderNotFound::new_err(message),
        ErrorKind::NotReady => classes::NotReady::new_err(message),
        ErrorKind::InUse => classes::InUse::new_err(message),
        ErrorKind::Damaged => classes::Damaged::new_err(message),
        ErrorKind::Io => classes::StoreError::new_err(message),
        ErrorKind::Memory => classes::OutOfMemory::new_err(message),
        ErrorKind::Interrupted | ErrorKind::Bug | ErrorKind::Failed => failed(message),
    }
}

/// An error of a job folder as the exception of its kind.
pub fn storing(error: StoreError) -> PyErr {
    match error {
        StoreError::Enumerate(error) => raised(error),
        StoreError::Count(error) => raised(error),
        error => match error.kind() {
            ErrorKind::Interrupted | ErrorKind::Failed => {
                classes::StoreError::new_err(told(&error))
            }
            _ => raised(error),
        },
    }
}
