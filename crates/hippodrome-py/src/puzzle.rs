//! `puzzle` and the class `Puzzle`.

use crate::arguments::{Given, problem, seed, whole};
use crate::errors::{failed, impossible, limit, raised, usage};
use crate::ground::wrapped;
use crate::interruptible;
use crate::tour::PyTour;
use hippodrome::board::text_grid;
use hippodrome::draw::{self, Drawable, Sheet, SheetFormat, SheetWriter, Style};
use hippodrome::lab::puzzle::{DEFAULT_NODES, Puzzle, PuzzleOutcome, PuzzleSearch};
use hippodrome::search::Control;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

/// A board with some numbers of a tour, and exactly one way to complete them.
#[pyclass(name = "Puzzle", module = "hippodrome", frozen)]
pub struct PyPuzzle {
    puzzle: Puzzle,
}

#[pymethods]
impl PyPuzzle {
    /// The board or graph.
    #[getter]
    fn board<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        wrapped(py, self.puzzle.graph())
    }

    /// The given numbers with their squares.
    #[getter]
    fn clues<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let clues = PyDict::new(py);
        for &(number, square) in &self.puzzle.clues {
            clues.set_item(number, self.puzzle.graph().name(square))?;
        }
        Ok(clues)
    }

    /// The only solution.
    #[getter]
    fn solution(&self) -> PyTour {
        PyTour { tour: self.puzzle.solution.clone() }
    }

    /// Nodes of the complete search that proves it: the difficulty. With 1 no guess is needed.
    #[getter]
    fn search(&self) -> u64 {
        self.puzzle.search
    }

    /// Whether only closed tours are solutions.
    #[getter]
    fn closed(&self) -> bool {
        self.puzzle.closed
    }

    /// Draws the board with its clues. Notebooks show it automatically.
    fn svg(&self) -> PyResult<String> {
        let (texts, mut out) = (self.puzzle.texts(), Vec::new());
        let figure = Drawable::Board(self.puzzle.graph(), &texts);
        draw::svg(figure, &Style::default(), &mut out).map_err(raised)?;
        String::from_utf8(out).map_err(failed)
    }

    /// Draws the board with its clues and what to do on a page of A4.
    #[pyo3(signature = (title="Knight's tour puzzle"))]
    fn pdf<'py>(&self, py: Python<'py>, title: &str) -> PyResult<Bound<'py, PyBytes>> {
        let sheet =
            Sheet { columns: Some(1), title: Some(title.into()), ..Sheet::new(Style::default()) };
        let mut out = Vec::new();
        let mut writer = SheetWriter::new(sheet, SheetFormat::Pdf, &mut out).map_err(raised)?;
        let caption = self.puzzle.instructions();
        writer.add_board(self.puzzle.graph(), &self.puzzle.texts(), &caption).map_err(raised)?;
        writer.finish().map_err(raised)?;
        Ok(PyBytes::new(py, &out))
    }

    fn _repr_svg_(&self) -> Option<String> {
        self.svg().ok()
    }

    fn __str__(&self) -> PyResult<String> {
        let board = self.puzzle.graph().board();
        let board = board.ok_or_else(|| usage("a graph is not a board; call svg()"))?;
        Ok(text_grid(board, &self.puzzle.texts()).trim_end_matches('\n').to_string())
    }

    fn __repr__(&self) -> String {
        format!(
            "Puzzle({} of {}, {} nodes)",
            crate::search::many(self.puzzle.clues.len() as u64, "clue"),
            self.puzzle.graph(),
            self.puzzle.search
        )
    }
}

/// Makes a puzzle: ``clues`` numbers of a random tour that have exactly one solution.
///
/// A complete search proves that there is one. Without ``clues`` as few are given as a first try leaves. The same
/// ``seed`` (default 1) gives the same puzzle. ``nodes`` limits the searches.
///
/// Raises ``Impossible`` if there is no tour, ``LimitReached`` if no such puzzle was found.
///
/// >>> import hippodrome
/// >>> puzzle = hippodrome.puzzle("5x5", clues=6, seed=2)
/// >>> len(puzzle.clues), len(puzzle.solution)
/// (6, 25)
/// >>> all(puzzle.solution.algebraic[n - 1] == square for n, square in puzzle.clues.items())
/// True
#[pyfunction]
#[pyo3(signature = (board, clues=None, *, closed=false, seed=None, nodes=None))]
pub fn puzzle(
    py: Python<'_>,
    board: &Bound<'_, PyAny>,
    clues: Given<'_, '_>,
    closed: bool,
    seed: Given<'_, '_>,
    nodes: Given<'_, '_>,
) -> PyResult<PyPuzzle> {
    let search = PuzzleSearch {
        problem: problem(board, closed, None, None)?,
        // The library checks the number of clues.
        clues: whole("clues", clues, 0)?.map(|clues| clues.try_into().unwrap_or(usize::MAX)),
        seed: self::seed(seed)?,
        nodes: whole("nodes", nodes, 1)?.unwrap_or(DEFAULT_NODES),
    };
    let control = Control::default();
    let run = || search.run(&control).map_err(raised);
    match interruptible::run(py, &control.interrupt, run)? {
        PuzzleOutcome::Made(puzzle) => Ok(PyPuzzle { puzzle: *puzzle }),
        PuzzleOutcome::Impossible(finding) => Err(impossible(&finding)),
        PuzzleOutcome::Limit { fewest: Some(fewest) } => Err(limit(format!(
            "no puzzle with that number of clues was found; pass clues={fewest}, another seed or more nodes"
        ))),
        PuzzleOutcome::Limit { fewest: None } | PuzzleOutcome::Interrupted => {
            Err(limit("no tour was found; try another seed"))
        }
    }
}
