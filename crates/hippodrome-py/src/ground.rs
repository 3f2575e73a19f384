//! The classes `Graph` and `Board`.

use crate::arguments::{Given, ground, needed, square};
use crate::errors::{failed, raised, usage};
use crate::pickling::reduced;
use hippodrome::board::generators;
use hippodrome::board::graph_file::read_graph_as;
use hippodrome::board::graph_format::{GraphFormat, UnknownFormat};
use hippodrome::board::graph_source::{GraphSourceError, read_graph_file};
use hippodrome::board::{Board, Csr, Graph, Leaper, Square};
use hippodrome::search::memory::available;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString, PyTuple};
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;

/// An undirected graph with named vertices.
///
/// Names are strings, but methods also accept the integer 1 for the vertex "1". Arrays of tours contain
/// vertex numbers, which start at 0; ``name`` and ``number`` convert between names and numbers.
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

/// A board, which may have holes, and the piece that moves on it.
///
/// ``shape`` gives rows and columns, or is another board. The default piece is the knight, or the piece of
/// that other board. Squares have names, and numbers that start at 0 and go row by row: a1, b1, and so on.
/// Methods accept both; holes are given by name.
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
    /// The piece. The knight is ``1,2``.
    #[pyo3(get)]
    leaper: String,
}

/// Returns the Python object for a graph.
pub fn wrapped<'py>(py: Python<'py>, graph: &Graph) -> PyResult<Bound<'py, PyAny>> {
    let graph = graph.clone();
    Ok(match graph.board().cloned() {
        Some(board) => Bound::new(py, boarded(graph, board))?.into_any(),
        None => Bound::new(py, PyGraph { graph })?.into_any(),
    })
}

/// Returns whether two graphs have the same names and edges.
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
    /// Returns the error for a vertex number that does not exist.
    fn without(&self, number: u64) -> PyErr {
        usage(format!(
            "vertex number {number} is not in {}; pass the number of a vertex",
            self.graph
        ))
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
                    "{edge} is not an edge; pass two vertices, as in (\"a\", \"b\")"
                )));
            };
            pairs.push((number(&u)?, number(&v)?));
        }
        if names.is_empty() {
            return Err(usage("the graph has no vertices; pass edges or vertices"));
        }
        Ok(PyGraph { graph: Graph::File(Arc::new(Csr::new(title.into(), names, &pairs))) })
    }

    /// Reads a graph file: TSPLIB HCP, DIMACS, edge list, CSV, adjacency list or matrix, graph6, sparse6, DOT, GraphML,
    /// GML or node-link JSON. The content decides unless ``format`` names one, as in ``"csv"`` or ``"adjacency-list"``.
    /// Loops and repeated edges are dropped.
    #[staticmethod]
    #[pyo3(signature = (path, *, format=None))]
    fn read(path: PathBuf, format: Option<&str>) -> PyResult<PyGraph> {
        let format = self::format(format)?;
        let graph = read_graph_file(&path, format, available()).map_err(|error| match error {
            GraphSourceError::Io { path, error } => {
                let error = error.to_string();
                let why = error.split(" (os error").next().unwrap_or(&error).to_lowercase();
                failed(format!("cannot read {path}: {why}; check the path"))
            }
            error => raised(error),
        })?;
        Ok(PyGraph { graph })
    }

    /// Generates a graph whose vertices are named "1", "2", and so on: ``petersen:N,K``, ``cube:D``,
    /// ``grid:RxC[x…]``, ``torus:RxC[x…]``, ``knight:RxC[x…]``, ``king:RxC``, ``queen:RxC``, ``rook:RxC``,
    /// ``bishop:RxC``, ``random-regular:N,D[,SEED]``, ``flower:N``, ``coxeter``, ``tutte``,
    /// ``meredith``, ``cycle:N``, ``path:N``, ``complete:N`` or ``bipartite:A,B``.
    ///
    /// >>> from hippodrome import Graph, count
    /// >>> Graph.generate("petersen:101,2")
    /// Graph(petersen:101,2: 202 vertices, 303 edges)
    /// >>> count(Graph.generate("cube:3"), closed=True).undirected
    /// 6
    #[staticmethod]
    fn generate(text: &str) -> PyResult<PyGraph> {
        Ok(PyGraph { graph: generators::generate(text, available()).map_err(raised)? })
    }

    /// Parses the text of a graph file in any format that ``read`` takes.
    ///
    /// >>> from hippodrome import Graph
    /// >>> Graph.parse("IheA@GUAo", title="petersen")
    /// Graph(petersen: 10 vertices, 15 edges)
    /// >>> Graph.parse("source,target\na,b\nb,c", format="csv").vertices
    /// ['a', 'b', 'c']
    #[staticmethod]
    #[pyo3(signature = (text, *, title="graph", format=None))]
    fn parse(text: &str, title: &str, format: Option<&str>) -> PyResult<PyGraph> {
        let graph = read_graph_as(title, text, self::format(format)?).map_err(raised)?;
        Ok(PyGraph { graph })
    }

    /// The position (x, y) of each vertex by name, if the file of the graph has one for each; otherwise ``None``.
    ///
    /// >>> from hippodrome import Graph
    /// >>> Graph.parse('graph { a [pos="0,1"]; b [pos="2,3"]; a -- b }').positions
    /// {'a': (0.0, 1.0), 'b': (2.0, 3.0)}
    #[getter]
    fn positions<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        let Some(positions) = self.graph.positions() else { return Ok(None) };
        let places = PyDict::new(py);
        for (name, place) in self.vertices().into_iter().zip(positions) {
            places.set_item(name, *place)?;
        }
        Ok(Some(places))
    }

    /// The names of the vertices, in order. On a board, these are the squares, row by row from a1.
    #[getter]
    fn vertices(&self) -> Vec<String> {
        self.graph.vertices().map(|v| self.graph.name(v)).collect()
    }

    /// The edges, each listed once.
    #[getter]
    fn edges(&self) -> Vec<(String, String)> {
        edges(&self.graph).map(|(u, v)| (self.graph.name(u), self.graph.name(v))).collect()
    }

    /// Returns the vertices that are one move away.
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

    /// Returns the number of a vertex, as used in arrays of tours.
    fn number(&self, name: &str) -> PyResult<u32> {
        self.graph.vertex(name).map(Square::number).map_err(raised)
    }

    /// Returns the name of the vertex with this number.
    fn name(&self, number: &Bound<'_, PyAny>) -> PyResult<String> {
        let number = needed("number", number, 0)?;
        let vertex = u32::try_from(number).ok().map(Square::new);
        let vertex = vertex.filter(|&v| self.graph.has(v));
        vertex.map(|v| self.graph.name(v)).ok_or_else(|| self.without(number))
    }

    /// Converts the graph to a ``networkx.Graph``. The squares of a board have a position (``pos``).
    ///
    /// >>> from hippodrome import Board
    /// >>> Board("8x8").to_networkx().number_of_edges()
    /// 168
    fn to_networkx<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("hippodrome._networkx")?.call_method1("of_graph", (slf,))
    }

    /// Converts an undirected ``networkx.Graph`` to a graph.
    ///
    /// Vertices are named by ``str(node)``, as in ``networkx.relabel_nodes(graph, str)``. A graph that was
    /// made from a board becomes that board again.
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

/// Returns the graph format of a name.
fn format(name: Option<&str>) -> PyResult<Option<GraphFormat>> {
    name.map(|name| name.parse().map_err(|error: UnknownFormat| raised(error))).transpose()
}

/// Returns the board, which must have no holes.
fn shape(given: &Graph) -> PyResult<Board> {
    let board = given.board().filter(|board| board.is_full()).cloned();
    board.ok_or_else(|| {
        usage("the shape of a board is rows and columns; pass \"ROWSxCOLS\", as in \"8x8\"")
    })
}

/// Converts the names of the holes.
fn names(given: &Bound<'_, PyAny>) -> PyResult<Vec<String>> {
    let wrong = || usage("holes is not a list of square names; pass one, as in [\"a1\", \"b2\"]");
    // A string is iterable too.
    if given.is_instance_of::<PyString>() {
        return Err(wrong());
    }
    let each = given.try_iter().map_err(|_| wrong())?;
    each.map(|name| name?.extract::<String>().map_err(|_| wrong())).collect()
}

/// Converts a piece, given as a text such as "1,2" or as two numbers.
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
        // A board passed as the shape keeps its piece.
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

    /// Parses a board from one line per row, top row first, with ``.`` for a square and ``#`` for a hole.
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

    /// Number of rows and number of columns.
    #[getter]
    fn shape(&self) -> (u32, u32) {
        (self.board.rows(), self.board.cols())
    }

    /// The names of the holes.
    #[getter]
    fn holes(&self) -> Vec<String> {
        self.board.holes().map(|s| self.board.name(s)).collect()
    }

    /// The board as text that ``from_mask`` can parse.
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
