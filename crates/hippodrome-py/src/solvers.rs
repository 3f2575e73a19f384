//! The function `solvers`, which returns the registered solvers.

use crate::errors::raised;
use crate::pickling::reduced;
use hippodrome::search::{Info, Param, ParamKind};
use hippodrome::solvers::registry::{Choice, SOLVERS};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

/// A parameter of a solver.
#[pyclass(module = "hippodrome", frozen, get_all)]
#[derive(Clone)]
pub struct Parameter {
    /// The solver to which the parameter belongs.
    solver: &'static str,
    name: &'static str,
    default: &'static str,
    range: String,
    choices: Vec<&'static str>,
    help: &'static str,
}

#[pymethods]
impl Parameter {
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        reduced(py, "parameter", (self.solver, self.name))
    }

    fn __repr__(&self) -> String {
        format!("Parameter({:?}, default={:?}, range={:?})", self.name, self.default, self.range)
    }
}

/// A search method.
#[pyclass(module = "hippodrome", frozen, get_all)]
pub struct Solver {
    name: &'static str,
    summary: &'static str,
    good_for: &'static str,
    source: &'static str,
    params: Vec<Parameter>,
    /// The names of the solver's measurements, each with a description.
    measures: Vec<(&'static str, &'static str)>,
}

#[pymethods]
impl Solver {
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        reduced(py, "solver", (self.name,))
    }

    fn __repr__(&self) -> String {
        format!("Solver({:?}: {})", self.name, self.summary)
    }
}

fn parameter(solver: &'static str, param: &Param) -> Parameter {
    let words = match &param.kind {
        ParamKind::Choice(words) | ParamKind::Order(words) => *words,
        _ => &[],
    };
    Parameter {
        solver,
        name: param.name,
        default: param.default,
        range: param.kind.to_string(),
        choices: words.iter().map(|(word, _)| *word).collect(),
        help: param.help,
    }
}

fn solver(info: &'static Info) -> Solver {
    Solver {
        name: info.name,
        summary: info.summary,
        good_for: info.good_for,
        source: info.source,
        params: info.params.iter().map(|param| parameter(info.name, param)).collect(),
        measures: info.measures.iter().map(|m| (m.name, m.help)).collect(),
    }
}

/// Returns all solvers, or only the one with this name.
///
/// >>> import hippodrome
/// >>> [parameter.name for parameter in hippodrome.solvers("neural")[0].params][:1]
/// ['update']
#[pyfunction]
#[pyo3(signature = (name=None))]
pub fn solvers(name: Option<&str>) -> PyResult<Vec<Solver>> {
    Ok(match name {
        Some(name) => vec![solver(Choice::new::<&str>(name, &[]).map_err(raised)?.solver.info())],
        None => SOLVERS.iter().map(|s| solver(s.info())).collect(),
    })
}
