//! Converts Python arguments to types of the library.

use crate::errors::{raised, usage};
use crate::ground::PyGraph;
use hippodrome::board::{Board, Graph, Square};
use hippodrome::problem::{Goal, Problem};
use hippodrome::search::{Budget, nearest};
use hippodrome::solvers::registry::Choice;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyInt, PyMapping, PyTuple};
use std::time::Duration;

/// Converts a `Board`, a `Graph`, a text such as "8x8", or a pair (rows, columns).
pub fn ground(given: &Bound<'_, PyAny>) -> PyResult<Graph> {
    if let Ok(graph) = given.cast::<PyGraph>() {
        return Ok(graph.get().graph.clone());
    }
    if let Ok(text) = given.extract::<String>() {
        return Board::parse(&text).map(Graph::knight).map_err(raised);
    }
    if let Ok((rows, cols)) = given.extract::<(u64, u64)>() {
        return Board::new(rows, cols).map(Graph::knight).map_err(raised);
    }
    let text = given.repr()?.to_string();
    Err(usage(format!(
        "{text} is not a board; pass \"ROWSxCOLS\", as in \"8x8\", or a Board or Graph; Graph.from_networkx converts networkx graphs"
    )))
}

/// Converts the name or number of a square on a board, or the name of a vertex in a graph.
///
/// On a graph, integers and tuples are taken as names, because graphs can be built from them. Array elements
/// are refused, because they are vertex numbers and not names.
pub fn square(graph: &Graph, given: &Bound<'_, PyAny>) -> PyResult<Square> {
    if let Ok(name) = given.extract::<String>() {
        return graph.vertex(&name).map_err(raised);
    }
    let text = || given.repr().map_or("this".into(), |text| text.to_string());
    if graph.board().is_some() {
        let number = index(given).and_then(|number| number.try_into().ok());
        return number.map(Square::new).ok_or_else(|| {
            usage(format!("{} is not a square; pass its name, as in \"a1\", or its number", text()))
        });
    }
    let named = given.is_instance_of::<PyInt>() && !given.is_instance_of::<PyBool>();
    if named || given.is_instance_of::<PyTuple>() {
        return graph.vertex(&given.str()?.to_string()).map_err(raised);
    }
    Err(usage(format!(
        "{} is not the name of a vertex; pass text or an integer, and convert array elements with board.name(number)",
        text()
    )))
}

/// Converts a non-negative integer. Returns `None` for anything else.
fn index(given: &Bound<'_, PyAny>) -> Option<u64> {
    if given.is_instance_of::<PyBool>() {
        return None;
    }
    given.call_method0("__index__").ok().and_then(|number| number.extract::<u64>().ok())
}

/// Builds the problem that the arguments describe.
pub fn problem(
    board: &Bound<'_, PyAny>,
    closed: bool,
    start: Given<'_, '_>,
    end: Given<'_, '_>,
) -> PyResult<Problem> {
    let graph = ground(board)?;
    let of = |given: Given<'_, '_>| given.map(|g| square(&graph, g)).transpose();
    let (start, end) = (of(start)?, of(end)?);
    let goal = if closed { Goal::Closed } else { Goal::Open };
    Problem::new(graph, goal, start, end).map_err(raised)
}

/// Parses a solver of the form `name` or `name:param=value`, and adds the parameters that are passed by name.
pub fn choice(solver: &str, params: Given<'_, '_>) -> PyResult<Choice> {
    let mut parts = solver.split(':');
    let name = parts.next().unwrap_or(solver);
    let mut all: Vec<String> = parts.map(String::from).collect();
    if let Some(params) = params {
        for item in mapping(params)?.items()? {
            let (name, value) = item.extract::<(Bound<'_, PyAny>, Bound<'_, PyAny>)>()?;
            all.push(format!("{}={}", name.str()?, value.str()?));
        }
    }
    Choice::new(name, &all).map_err(raised)
}

/// Converts a mapping from the names of parameters to their values.
pub fn mapping<'a, 'py>(given: &'a Bound<'py, PyAny>) -> PyResult<&'a Bound<'py, PyMapping>> {
    given.cast::<PyMapping>().map_err(|_| {
        usage("params is not a mapping; pass one, as in params={\"ties\": \"random\"}")
    })
}

/// Looks up a word in a table with rows of the form (word, value, meaning).
pub fn word<T: Copy>(
    name: &str,
    given: &str,
    table: &[(&'static str, T, &'static str)],
) -> PyResult<T> {
    if let Some(row) = table.iter().find(|row| row.0 == given) {
        return Ok(row.1);
    }
    let words: Vec<&str> = table.iter().map(|row| row.0).collect();
    let hint = match nearest(given, words.iter().copied()) {
        Some(near) => format!("did you mean {near}?"),
        None => format!("choose from {}", words.join(", ")),
    };
    Err(usage(format!("invalid value '{given}' for {name}; {hint}")))
}

/// Converts an optional integer of at least `least`.
pub fn whole(name: &str, given: Given<'_, '_>, least: u64) -> PyResult<Option<u64>> {
    given.map(|given| needed(name, given, least)).transpose()
}

/// Converts a required integer of at least `least`.
pub fn needed(name: &str, given: &Bound<'_, PyAny>, least: u64) -> PyResult<u64> {
    if let Some(number) = index(given).filter(|&number| number >= least) {
        return Ok(number);
    }
    let large = given.is_instance_of::<PyInt>() && given.gt(least)?;
    let range = match large {
        true => format!("from {least} to 2**64 - 1"),
        false => format!("of at least {least}"),
    };
    Err(usage(format!(
        "invalid value {} for {name}: expected a whole number {range}",
        given.repr()?
    )))
}

/// Converts a seed. The default is 1.
pub fn seed(given: Given<'_, '_>) -> PyResult<u64> {
    Ok(whole("seed", given, 0)?.unwrap_or(1))
}

/// Converts a number of threads. The default is one per core.
pub fn threads(given: Given<'_, '_>) -> PyResult<usize> {
    match whole("threads", given, 1)? {
        Some(number @ ..=1024) => Ok(number as usize),
        Some(number) => Err(usage(format!(
            "invalid value {number} for threads: expected a whole number from 1 to 1024"
        ))),
        None => Ok(hippodrome::search::cores()),
    }
}

/// Converts a memory limit in bytes.
pub fn memory(given: Given<'_, '_>) -> PyResult<Option<usize>> {
    Ok(whole("memory", given, 1)?.map(|bytes| bytes as usize))
}

/// An optional argument.
pub type Given<'a, 'py> = Option<&'a Bound<'py, PyAny>>;

/// Builds a budget. `counts` are the limits on attempts, attempts per start square, tours and moves.
pub fn budget(counts: [Given<'_, '_>; 4], time: Given<'_, '_>) -> PyResult<Budget> {
    let time = time.map(|given| {
        let seconds = given.extract::<f64>().ok().filter(|seconds| (0.0..1e9).contains(seconds));
        let text = given.repr()?;
        seconds.filter(|&seconds| seconds > 0.0).ok_or_else(|| {
            usage(format!("invalid value {text} for time: expected seconds, as in 30 or 0.5"))
        })
    });
    let [attempts, attempts_per_start, tours, moves] = counts;
    Ok(Budget {
        attempts: whole("attempts", attempts, 1)?,
        attempts_per_start: whole("attempts_per_start", attempts_per_start, 1)?,
        tours: whole("tours", tours, 1)?,
        moves: whole("moves", moves, 1)?,
        time: time.transpose()?.map(Duration::from_secs_f64),
    })
}
