//! Support for pickle.

use pyo3::prelude::*;
use pyo3::types::PyTuple;

/// Reduces an object to a function in `_pickling.py` and the arguments of that function.
pub fn reduced<'py, A>(
    py: Python<'py>,
    function: &str,
    arguments: A,
) -> PyResult<Bound<'py, PyTuple>>
where
    A: IntoPyObject<'py, Target = PyTuple, Output = Bound<'py, PyTuple>, Error = PyErr>,
{
    let make = py.import("hippodrome._pickling")?.getattr(function)?;
    (make, arguments).into_pyobject(py)
}

/// Reduces a result to its fields, from which its `_of` method restores it.
pub fn reduced_result<'py>(result: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyTuple>> {
    let py = result.py();
    let fields = py.import("hippodrome._pickling")?.call_method1("fields", (result,))?;
    (result.get_type().getattr("_of")?, (fields,)).into_pyobject(py)
}
