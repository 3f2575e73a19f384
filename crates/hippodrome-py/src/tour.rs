//! The class `Tour`.

use crate::arguments::{Given, ground, square, whole};
use crate::arrays::array;
use crate::errors::{failed, not_a_tour, raised, usage};
use crate::ground::{PyGraph, same, wrapped};
use crate::pickling::reduced;
use arrow_buffer::Buffer;
use hippodrome::board::{Graph, Square, Symmetry};
use hippodrome::draw::{self, Style, Theme};
use hippodrome::tour::{GridOrigin, Hints, Notation, Tour, TourTextReader, verify, write_tour};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyTuple};

/// Maximum number of squares of a tour that a notebook draws automatically; the image then takes 80 kB.
const MOST_DRAWN: usize = 10_000;

/// A verified tour. It has a direction and a start square.
///
/// On a board, squares are given by name or by number; on other graphs, vertices are given by name.
///
/// >>> from hippodrome import Tour
/// >>> tour = Tour("3x4", "a1 c2 a3 b1 d2 b3 c1 a2 c3 d1 b2 d3".split())
/// >>> print(tour)
///  3  6  9 12
///  8 11  2  5
///  1  4  7 10
/// >>> tour.numbers[0].tolist()
/// [3, 6, 9, 12]
/// >>> Tour("3x4", ["a1", "a2"])
/// Traceback (most recent call last):
/// hippodrome.errors.NotATour: step 2: a1 to a2 is not a move
#[pyclass(name = "Tour", module = "hippodrome", frozen)]
pub struct PyTour {
    pub tour: Tour,
}

/// Writes the step, counted from 1, at which each square is visited. Rows go from the top down, holes are 0,
/// and a graph has a single row.
pub fn times(graph: &Graph, squares: &[Square], out: &mut [u32]) {
    let (rows, cols) =
        graph.board().map_or((1, graph.len()), |b| (b.rows() as usize, b.cols() as usize));
    for (time, &square) in (1..).zip(squares) {
        let (row, col) = (square.index() / cols, square.index() % cols);
        out[(rows - 1 - row) * cols + col] = time;
    }
}

/// Returns the shape of an array of steps.
pub fn shape(graph: &Graph) -> Vec<usize> {
    match graph.board() {
        Some(board) => vec![board.rows() as usize, board.cols() as usize],
        None => vec![graph.len()],
    }
}

/// Converts the options of a picture.
fn style(numbers: bool, size: Given<'_, '_>, dark: bool, plain: bool) -> PyResult<Style> {
    // The library checks the size.
    let size = whole("size", size, 0)?.map(|size| size.try_into().unwrap_or(u32::MAX));
    let theme = if dark { Theme::Dark } else { Theme::Light };
    Ok(Style { numbers, size, theme, coloured: !plain, ..Style::default() })
}

impl PyTour {
    /// Verifies the squares, and returns the tour.
    pub fn verified(graph: &Graph, squares: Vec<Square>) -> PyResult<PyTour> {
        Ok(PyTour { tour: verify(graph, squares).map_err(not_a_tour)? })
    }

    fn image(&self, symmetry: Symmetry) -> PyResult<PyTour> {
        Ok(PyTour { tour: self.tour.image(symmetry).map_err(raised)? })
    }

    /// Returns the numbers of the squares in order.
    fn numbers_of_squares(&self) -> Vec<u32> {
        self.tour.squares().iter().map(|square| square.number()).collect()
    }
}

#[pymethods]
impl PyTour {
    #[new]
    fn new(board: &Bound<'_, PyAny>, squares: &Bound<'_, PyAny>) -> PyResult<PyTour> {
        let graph = ground(board)?;
        let Ok(each) = squares.try_iter() else {
            let text = squares.repr()?;
            return Err(usage(format!(
                "{text} is not a list of squares; pass their names in order, as in [\"a1\", \"b3\"]"
            )));
        };
        let path: PyResult<Vec<Square>> = each.map(|given| square(&graph, &given?)).collect();
        PyTour::verified(&graph, path?)
    }

    /// Parses the first tour in a text, in any spelling.
    ///
    /// ``origin`` says where coordinates and numbers of squares count from, as in ``"top,row,0"``.
    #[staticmethod]
    #[pyo3(signature = (text, *, board=None, origin=None))]
    fn parse(text: &str, board: Given<'_, '_>, origin: Option<&str>) -> PyResult<PyTour> {
        let origin = origin.map(str::parse::<GridOrigin>).transpose().map_err(raised)?;
        let graph = board.map(ground).transpose()?;
        let hints = Hints { graph, origin: origin.unwrap_or_default(), ..Hints::default() };
        let Some(claim) = TourTextReader::new(text.as_bytes(), &hints).next() else {
            return Err(failed("the text has neither a tour nor an error"));
        };
        let claim = claim.map_err(raised)?;
        PyTour::verified(&claim.graph, claim.squares)
    }

    /// Returns the tour rotated clockwise by 90, 180 or 270 degrees.
    fn rotate(&self, degrees: i64) -> PyResult<PyTour> {
        let symmetry = match degrees {
            90 => Symmetry::ThreeQuarterTurn,
            180 => Symmetry::HalfTurn,
            270 => Symmetry::QuarterTurn,
            _ => return Err(usage(format!("cannot rotate by {degrees}; pass 90, 180 or 270"))),
        };
        self.image(symmetry)
    }

    /// Returns the tour reflected: "rows", "columns", "diagonal" or "antidiagonal".
    fn reflect(&self, axis: &str) -> PyResult<PyTour> {
        let symmetry = match axis {
            "rows" => Symmetry::TopBottom,
            "columns" => Symmetry::LeftRight,
            "diagonal" => Symmetry::Diagonal,
            "antidiagonal" => Symmetry::AntiDiagonal,
            _ => {
                let axes = "rows, columns, diagonal or antidiagonal";
                return Err(usage(format!("cannot reflect by '{axis}'; pass {axes}")));
            }
        };
        self.image(symmetry)
    }

    /// Returns the tour in the other direction.
    fn reverse(&self) -> PyResult<PyTour> {
        Ok(PyTour { tour: self.tour.reversed().map_err(raised)? })
    }

    /// Returns the closed tour from another start.
    #[pyo3(name = "from_start")]
    fn rotated_to(&self, start: &Bound<'_, PyAny>) -> PyResult<PyTour> {
        let start = square(self.tour.graph(), start)?;
        Ok(PyTour { tour: self.tour.from_start(start).map_err(raised)? })
    }

    /// Returns the same tour for all rotations, reflections, directions and, if closed, starts.
    fn canonical(&self) -> PyResult<PyTour> {
        Ok(PyTour { tour: self.tour.canonical().map_err(raised)? })
    }

    /// The key of the canonical form: 32 hexadecimal digits, the same in all versions.
    #[getter]
    fn class_key(&self) -> PyResult<String> {
        self.tour.class_key().map_err(raised)
    }

    /// The board or graph that the tour is on.
    #[getter]
    fn board<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        wrapped(py, self.tour.graph())
    }

    /// Whether there is a move from the last square to the first.
    #[getter]
    fn closed(&self) -> bool {
        self.tour.is_closed()
    }

    /// The symmetry of the tour, regarded as a path without direction.
    #[getter]
    fn symmetry(&self) -> &'static str {
        self.tour.classify().symmetry()
    }

    /// How magic the numbers are: "none", "semi" (rows and columns) or "full" (also diagonals).
    #[getter]
    fn magic(&self) -> String {
        self.tour.view().magic().to_string()
    }

    /// The first square.
    #[getter]
    fn start(&self) -> String {
        self.tour.graph().name(self.tour.squares()[0])
    }

    /// The last square.
    #[getter]
    fn end(&self) -> String {
        let squares = self.tour.squares();
        self.tour.graph().name(squares[squares.len() - 1])
    }

    /// The names of the squares in order.
    #[getter]
    fn algebraic(&self) -> Vec<String> {
        self.tour.squares().iter().map(|&s| self.tour.graph().name(s)).collect()
    }

    /// The numbers of the squares in order. They go row by row: a1 is 0, b1 is 1.
    #[getter]
    fn squares<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let numbers = self.numbers_of_squares();
        let length = numbers.len();
        array(py, &Buffer::from_vec(numbers), "uint32", &[length])
    }

    /// The step, counted from 1, at which each square is visited; 0 for holes. The top row is first.
    #[getter]
    fn numbers<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let graph = self.tour.graph();
        let mut numbers = vec![0; graph.len()];
        times(graph, self.tour.squares(), &mut numbers);
        array(py, &Buffer::from_vec(numbers), "uint32", &shape(graph))
    }

    /// Returns the tour as text in a notation.
    ///
    /// >>> import hippodrome
    /// >>> hippodrome.find("3x4", start="a1", seed=1).text("moves").split()[0]
    /// 'a1'
    #[pyo3(signature = (notation="grid"))]
    fn text(&self, notation: &str) -> PyResult<String> {
        let notation: Notation = notation.parse().map_err(raised)?;
        let mut out = Vec::new();
        write_tour(&self.tour.view(), notation, &mut out).map_err(raised)?;
        Ok(String::from_utf8_lossy(&out).trim_end_matches('\n').to_string())
    }

    /// Returns a drawing of the tour as SVG. Notebooks show it automatically.
    #[pyo3(signature = (*, numbers=false, size=None, dark=false, plain=false))]
    fn svg(&self, numbers: bool, size: Given<'_, '_>, dark: bool, plain: bool) -> PyResult<String> {
        let style = style(numbers, size, dark, plain)?;
        let mut out = Vec::new();
        draw::svg(&self.tour.view(), &style, &mut out).map_err(raised)?;
        String::from_utf8(out).map_err(failed)
    }

    /// Draws the tour as a PDF whose page has the size of the picture.
    #[pyo3(signature = (*, numbers=false, size=None, dark=false, plain=false))]
    fn pdf<'py>(
        &self,
        py: Python<'py>,
        numbers: bool,
        size: Given<'_, '_>,
        dark: bool,
        plain: bool,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let style = style(numbers, size, dark, plain)?;
        let mut out = Vec::new();
        draw::pdf(&self.tour.view(), &style, &mut out).map_err(raised)?;
        Ok(PyBytes::new(py, &out))
    }

    /// Unpickles a tour from its square numbers.
    #[staticmethod]
    fn _of(board: &Bound<'_, PyGraph>, squares: Vec<u32>) -> PyResult<PyTour> {
        let squares = squares.into_iter().map(Square::new).collect();
        PyTour::verified(&board.get().graph, squares)
    }

    fn _repr_svg_(&self) -> Option<String> {
        // A notebook shows larger tours as text.
        (self.tour.squares().len() <= MOST_DRAWN)
            .then(|| self.svg(false, None, false, false).ok())?
    }

    /// Returns the moves as a ``networkx.DiGraph``, including the closing move of a closed tour.
    fn to_networkx<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("hippodrome._networkx")?.call_method1("of_tour", (slf,))
    }

    /// Converts a directed path or cycle to a tour. ``board`` is required unless the graph was made from a
    /// board.
    ///
    /// >>> import hippodrome
    /// >>> tour = hippodrome.find("6x6", closed=True)
    /// >>> hippodrome.Tour.from_networkx(tour.to_networkx()) == tour
    /// True
    #[staticmethod]
    #[pyo3(signature = (graph, board=None))]
    fn from_networkx<'py>(
        graph: &Bound<'py, PyAny>,
        board: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        graph.py().import("hippodrome._networkx")?.call_method1("to_tour", (graph, board))
    }

    fn __len__(&self) -> usize {
        self.tour.squares().len()
    }

    fn __str__(&self) -> PyResult<String> {
        self.text(if self.tour.graph().board().is_some() { "grid" } else { "moves" })
    }

    fn __repr__(&self) -> String {
        let kind = if self.tour.is_closed() { "closed" } else { "open" };
        format!("Tour({} of {}: {} … {})", kind, self.tour.graph(), self.start(), self.end())
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<PyTour>().is_ok_and(|other| {
            let other = &other.get().tour;
            other.squares() == self.tour.squares() && same(other.graph(), self.tour.graph())
        })
    }

    fn __hash__(&self) -> u64 {
        let mix =
            |hash: u64, s: &Square| (hash ^ u64::from(s.number())).wrapping_mul(0x0100_0000_01b3);
        self.tour.squares().iter().fold(0xcbf2_9ce4_8422_2325, mix)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        reduced(py, "tour", (self.board(py)?, self.numbers_of_squares()))
    }
}
