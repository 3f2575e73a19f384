//! Converts errors to Python exceptions.

use crate::remedy::advice;
use hippodrome::error::{Diagnostic, ErrorKind};
use hippodrome::problem::Problem;
use hippodrome::problem::theorems::{Existence, Finding, known};
use hippodrome::store::StoreError;
use pyo3::{PyErr, PyResult};

mod classes {
    // Each class is imported on first use.
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

/// Returns a `UsageError`, which corresponds to exit code 2 of the command.
pub fn usage(message: impl ToString) -> PyErr {
    classes::UsageError::new_err(message.to_string())
}

/// Returns a `HippodromeError`.
pub fn failed(message: impl ToString) -> PyErr {
    classes::HippodromeError::new_err(message.to_string())
}

/// Returns an `OutOfMemory`.
pub fn out_of_memory(message: impl ToString) -> PyErr {
    classes::OutOfMemory::new_err(message.to_string())
}

/// Returns a `LimitReached`.
pub fn limit(message: impl ToString) -> PyErr {
    classes::LimitReached::new_err(message.to_string())
}

/// Returns a `NotATour`.
pub fn not_a_tour(message: impl ToString) -> PyErr {
    classes::NotATour::new_err(message.to_string())
}

/// Returns an `Impossible`.
pub fn impossible(finding: &Finding) -> PyErr {
    classes::Impossible::new_err((finding.reason.clone(), finding.theorem))
}

/// Raises an `Impossible` if a theorem says that no tour exists.
pub fn expect_possible(problem: &Problem) -> PyResult<()> {
    match known(problem) {
        Existence::Impossible(finding) => Err(impossible(&finding)),
        Existence::Exists(_) | Existence::Open => Ok(()),
    }
}

/// Returns the message of a library error, followed by what to do about it in Python.
pub fn message(error: &dyn Diagnostic) -> String {
    match advice(&error.remedies()) {
        Some(advice) => format!("{error}; {advice}"),
        None => error.to_string(),
    }
}

/// Converts a library error to the exception for its kind.
#[expect(clippy::needless_pass_by_value, reason = "for map_err")]
pub fn raised(error: impl Diagnostic) -> PyErr {
    let message = message(&error);
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

/// Converts an error about a job folder to the exception for its kind.
pub fn storing(error: StoreError) -> PyErr {
    match error {
        StoreError::Enumerate(error) => raised(error),
        StoreError::Count(error) => raised(error),
        error => match error.kind() {
            ErrorKind::Interrupted | ErrorKind::Failed => {
                classes::StoreError::new_err(message(&error))
            }
            _ => raised(error),
        },
    }
}
