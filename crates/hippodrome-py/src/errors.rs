//! Errors as Python exceptions, with the sentences that the command prints.

use hippodrome::count::CountError;
use hippodrome::lab::enumerate::EnumerateError;
use hippodrome::problem::theorems::Finding;
use hippodrome::store::StoreError;
use pyo3::PyErr;

mod classes {
    // The macro imports the class when it is first raised.
    #![allow(missing_docs)]
    pyo3::import_exception!(hippodrome.errors, HippodromeError);
    pyo3::import_exception!(hippodrome.errors, UsageError);
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

/// What an enumeration complains of.
pub fn enumerating(error: EnumerateError) -> PyErr {
    if error.is_usage() { usage(error) } else { failed(error) }
}

/// What a count complains of.
pub fn counting(error: CountError) -> PyErr {
    match error {
        error if error.is_usage() => usage(error),
        error @ CountError::Memory { .. } => out_of_memory(error),
        error => failed(error),
    }
}

/// What a job in a folder complains of.
pub fn storing(error: StoreError) -> PyErr {
    match error {
        StoreError::Enumerate(error) => enumerating(error),
        StoreError::Count(error) => counting(error),
        wrong if wrong.is_usage() => usage(wrong),
        undone @ StoreError::Undone { .. } => classes::NotReady::new_err(format!(
            "{undone}; run what is missing, or merge what there is with partial=True"
        )),
        unmerged @ StoreError::Unmerged { .. } => classes::NotReady::new_err(unmerged.to_string()),
        held @ StoreError::InUse(_) => classes::InUse::new_err(held.to_string()),
        damage if damage.is_damage() => classes::Damaged::new_err(damage.to_string()),
        failed => classes::StoreError::new_err(failed.to_string()),
    }
}
