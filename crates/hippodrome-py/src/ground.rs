//! What tours are sought on: boards, and any other graph.

use crate::arguments::{Given, ground, needed, square};
use crate::errors::{failed, raised, usage};
use crate::pickling::reduced;
use hippodrome::board::graph_file::read_graph;
use hippodrome::board::{Board, Csr, Graph, Leaper, Square};
use pyo3::prelude::*;
use pyo3::types::{PyList, PyString, PyTuple};
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;

/// What tours are sought on: named vertices, and edges between them. Names are texts; a vertex that was
/// given as the integer 1 is named "1", and 1 is the same name. Arrays of tours hold numbers of vertices
/// from 0 on, see ``name`` and ``number``.
///
/// >>> from hippodrome import Graph, find
/// >>> prism = Graph([("a", "b"), ("b", "c"), ("c", "a"), ("a", "x"), ("x", "y"), ("y", "b")])
/// >>> len(prism), prism.neighbours("x")
/// (5, ['a', 'y'])
/// >>> find(prism, closed=True).closed
/// True
#[pyclass(name = "Graph", module = "hippodrome", subclass, frozen)]
pub struct PyGraph {
    pub graph: Graph,
}

/// A board: rows by columns, rows first, squares possibly missing, and the piece that moves on it:
/// a knight unless told, or that of the board which is given as the shape. Squares have names, and numbers
/// from 0 on: a1, b1 and so on, row by row; calls take either, holes are named.
///
/// >>> from hippodrome import Board
/// >>> Board("8x8", holes=["d4", "e5"])
/// Board("8x8", holes=['d4', 'e5'])
/// >>> board = Board((10, 10), leaper="1,4")
/// >>> board.shape, board.leaper, len(board)
/// ((10, 10), '1,4', 100)
#[pyclass(name = "Board", module = "hippodrome", extends = PyGraph, frozen)]
pub struct PyBoard {
    board: Board,
    /// The piece, as in ``1,2`` for the knight.
    #[pyo3(get)]
    leaper: String,
}

/// The Python object of a graph.
pub fn wrapped<'py>(py: Python<'py>, graph: &Graph) -> PyResult<Bound<'py, PyAny>> {
    let graph = graph.clone();
    Ok(match graph.board().cloned() {
        Some(board) => Bound::new(py, boarded(graph, board))?.into_any(),
        None => Bound::new(py, PyGraph { graph })?.into_any(),
    })
}

/// Whether two graphs have the same squares and moves, by the same names.
pub fn same(a: &Graph, b: &Graph) -> bool {
    match (a, b) {
        (Graph::File(x), Graph::File(y)) => {
            x.names() == y.names() && a.vertices().all(|v| a.neighbours(v).eq(b.neighbours(v)))
        }
        _ => a.board() == b.board() && a.piece().map(|p| p.pairs()) == b.piece().map(|p| p.pairs()),
    }
}

fn edges(graph: &Graph) -> impl Iterator<Item = (Square, Square)> + '_ {
    graph.vertices().flat_map(|u| graph.neighbours(u).filter(move |&v| u < v).map(move |v| (u, v)))
}

impl PyGraph {
    /// That it has no such vertex.
    fn without(&self, number: u64) -> PyErr {
        usage(format!("vertex number {number} is not part of {}; name one that is", self.graph))
    }
}

#[pymethods]
impl PyGraph {
    #[new]
    #[pyo3(signature = (edges, vertices=None, *, title="graph"))]
    fn new(edges: &Bound<'_, PyAny>, vertices: Given<'_, '_>, title: &str) -> PyResult<PyGraph> {
        let mut names: Vec<String> = Vec::new();
        let mut numbers: HashMap<String, u32> = HashMap::new();
        let mut number = |name: &Bound<'_, PyAny>| -> PyResult<u32> {
            let next = names.len() as u32;
            Ok(*numbers.entry(name.str()?.to_string()).or_insert_with_key(|name| {
                names.push(name.clone());
                next
            }))
        };
        if let Some(vertices) = vertices {
            for vertex in vertices.try_iter()? {
                number(&vertex?)?;
            }
        }
        let mut pairs = Vec::new();
        for edge in edges.try_iter()? {
            let edge = edge?;
            let ends = edge.extract::<(Bound<'_, PyAny>, Bound<'_, PyAny>)>();
            let Ok((u, v)) = ends else {
                let edge = edge.repr()?;
                return Err(usage(format!(
                    "{edge} is not an edge; write two vertices, as in (\"a\", \"b\")"
                )));
            };
            pairs.push((number(&u)?, number(&v)?));
        }
        if names.is_empty() {
            return Err(usage("there is no vertex here; give edges or vertices"));
        }
        Ok(PyGraph { graph: Graph::File(Arc::new(Csr::new(title.into(), names, &pairs))) })
    }

    /// A graph from a file: TSPLIB HCP, edge list or graph6.
    #[staticmethod]
    fn read(path: PathBuf) -> PyResult<PyGraph> {
        let shown = path.display().to_string();
        let text = std::fs::read_to_string(&path).map_err(|error| {
            let error = error.to_string();
            let why = error.split(" (os error").next().unwrap_or(&error).to_lowercase();
            failed(format!("cannot read {shown}: {why}; check the name"))
        })?;
        let title = path.file_name().map_or(shown.clone(), |n| n.to_string_lossy().into_owned());
        let graph = read_graph(&title, &text);
        let graph = graph
            .map_err(|e| failed(format!("graph file {shown}, line {}: {}", e.line, e.fault)))?;
        Ok(PyGraph { graph })
    }

    /// A graph from the text of such a file.
    ///
    /// >>> from hippodrome import Graph
    /// >>> Graph.parse("IheA@GUAo", title="petersen")
    /// Graph(petersen: 10 vertices, 15 edges)
    #[staticmethod]
    #[pyo3(signature = (text, *, title="graph"))]
    fn parse(text: &str, title: &str) -> PyResult<PyGraph> {
        Ok(PyGraph { graph: read_graph(title, text).map_err(raised)? })
    }

    /// The names of the vertices, in order; of a board, its squares from a1 on, row by row.
    #[getter]
    fn vertices(&self) -> Vec<String> {
        self.graph.vertices().map(|v| self.graph.name(v)).collect()
    }

    /// The edges, each once.
    #[getter]
    fn edges(&self) -> Vec<(String, String)> {
        edges(&self.graph).map(|(u, v)| (self.graph.name(u), self.graph.name(v))).collect()
    }

    /// What may follow a vertex.
    ///
    /// >>> from hippodrome import Board
    /// >>> sorted(Board("8x8").neighbours("a1"))
    /// ['b3', 'c2']
    fn neighbours(&self, vertex: &Bound<'_, PyAny>) -> PyResult<Vec<String>> {
        let vertex = square(&self.graph, vertex)?;
        if !self.graph.has(vertex) {
            return Err(self.without(u64::from(vertex.number())));
        }
        Ok(self.graph.neighbours(vertex).map(|v| self.graph.name(v)).collect())
    }

    /// The number of a vertex: that which arrays of tours hold.
    fn number(&self, name: &str) -> PyResult<u32> {
        self.graph.vertex(name).map(Square::number).map_err(raised)
    }

    /// The name of a vertex.
    fn name(&self, number: &Bound<'_, PyAny>) -> PyResult<String> {
        let number = needed("number", number, 0)?;
        let vertex = u32::try_from(number).ok().map(Square::new);
        let vertex = vertex.filter(|&v| self.graph.has(v));
        vertex.map(|v| self.graph.name(v)).ok_or_else(|| self.without(number))
    }

    /// The graph as a ``networkx.Graph``; squares of a board know where they lie (``pos``).
    ///
    /// >>> from hippodrome import Board
    /// >>> Board("8x8").to_networkx().number_of_edges()
    /// 168
    fn to_networkx<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("hippodrome._networkx")?.call_method1("of_graph", (slf,))
    }

    /// Any undirected ``networkx.Graph``. Vertices are named by the texts of its nodes, as those of
    /// ``networkx.relabel_nodes(graph, str)``; the graph of a board comes back as that board.
    ///
    /// >>> import networkx
    /// >>> from hippodrome import Graph
    /// >>> Graph.from_networkx(networkx.petersen_graph())
    /// Graph(graph: 10 vertices, 15 edges)
    #[staticmethod]
    fn from_networkx<'py>(graph: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        graph.py().import("hippodrome._networkx")?.call_method1("to_graph", (graph,))
    }

    fn __len__(&self) -> usize {
        self.graph.order()
    }

    fn __str__(&self) -> String {
        self.graph.to_string()
    }

    fn __repr__(&self) -> String {
        format!(
            "Graph({}: {} vertices, {} edges)",
            self.graph,
            self.graph.order(),
            self.graph.edges()
        )
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<PyGraph>().is_ok_and(|other| same(&self.graph, &other.get().graph))
    }

    fn __hash__(&self) -> u64 {
        let first = self.graph.vertices().next().map_or(0, Square::number);
        (self.graph.order() as u64) << 32 | u64::from(first)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let edges: Vec<_> = edges(&self.graph).map(|(u, v)| (u.number(), v.number())).collect();
        reduced(py, "graph", (edges, self.vertices(), self.graph.to_string()))
    }
}

/// Rows and columns, however they are written.
fn shape(given: &Graph) -> PyResult<Board> {
    let board = given.board().filter(|board| board.is_full()).cloned();
    board.ok_or_else(|| usage("a board is made of its shape; write \"ROWSxCOLS\", as in \"8x8\""))
}

/// The names of squares that are missing.
fn names(given: &Bound<'_, PyAny>) -> PyResult<Vec<String>> {
    let wrong = || usage("holes are the names of squares in a list, as in [\"a1\", \"b2\"]");
    // A string is iterable, too.
    if given.is_instance_of::<PyString>() {
        return Err(wrong());
    }
    let each = given.try_iter().map_err(|_| wrong())?;
    each.map(|name| name?.extract::<String>().map_err(|_| wrong())).collect()
}

/// A piece by its text, as in "1,2", or by its two numbers.
fn piece(given: &Bound<'_, PyAny>) -> PyResult<Leaper> {
    let text = match given.extract::<(u32, u32)>() {
        Ok((a, b)) => format!("{a},{b}"),
        Err(_) => given.extract().or_else(|_| Ok::<_, PyErr>(given.repr()?.to_string()))?,
    };
    text.parse().map_err(raised)
}

fn boarded(graph: Graph, board: Board) -> PyClassInitializer<PyBoard> {
    let leaper = graph.piece().map(ToString::to_string).unwrap_or_default();
    PyClassInitializer::from(PyGraph { graph }).add_subclass(PyBoard { board, leaper })
}

#[pymethods]
impl PyBoard {
    #[new]
    #[pyo3(signature = (shape, *, holes=None, leaper=None))]
    fn new(
        shape: &Bound<'_, PyAny>,
        holes: Given<'_, '_>,
        leaper: Given<'_, '_>,
    ) -> PyResult<PyClassInitializer<PyBoard>> {
        let given = ground(shape)?;
        let board = self::shape(&given)?;
        let holes = holes.map_or(Ok(Vec::new()), names)?;
        // A board that is given as the shape keeps its piece.
        let leaper = match (leaper, given.piece()) {
            (Some(leaper), _) => piece(leaper)?,
            (None, Some(piece)) => piece.clone(),
            (None, None) => Leaper::knight(),
        };
        let places: Result<Vec<Square>, _> = holes.iter().map(|name| board.place(name)).collect();
        let board = match holes.is_empty() {
            true => board,
            false => board.with_holes(places.map_err(raised)?).map_err(raised)?,
        };
        Ok(boarded(Graph::leaper(board.clone(), leaper), board))
    }

    /// A board from text: a line a row, top row first, ``.`` for a square and ``#`` for a hole.
    ///
    /// >>> from hippodrome import Board
    /// >>> Board.from_mask("#...\n....\n....").holes
    /// ['a3']
    #[staticmethod]
    #[pyo3(signature = (mask, *, leaper=None))]
    fn from_mask<'py>(
        py: Python<'py>,
        mask: &str,
        leaper: Given<'_, '_>,
    ) -> PyResult<Bound<'py, PyBoard>> {
        let leaper = leaper.map_or(Ok(Leaper::knight()), piece)?;
        let board = Board::from_mask(mask).map_err(raised)?;
        Bound::new(py, boarded(Graph::leaper(board.clone(), leaper), board))
    }

    /// Number of rows.
    #[getter]
    fn rows(&self) -> u32 {
        self.board.rows()
    }

    /// Number of columns.
    #[getter]
    fn cols(&self) -> u32 {
        self.board.cols()
    }

    /// Rows and columns.
    #[getter]
    fn shape(&self) -> (u32, u32) {
        (self.board.rows(), self.board.cols())
    }

    /// The missing squares.
    #[getter]
    fn holes(&self) -> Vec<String> {
        self.board.holes().map(|s| self.board.name(s)).collect()
    }

    /// The board as text that ``from_mask`` reads.
    #[getter]
    fn mask(&self) -> String {
        self.board.mask()
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let mut text = format!("Board(\"{}\"", self.board.shape());
        if !self.board.is_full() {
            text += &format!(", holes={}", PyList::new(py, self.holes())?.repr()?);
        }
        if self.leaper != "1,2" {
            text += &format!(", leaper=\"{}\"", self.leaper);
        }
        Ok(text + ")")
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        reduced(py, "board", (self.mask(), &self.leaper))
    }
}
