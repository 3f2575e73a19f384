"""Types and documentation of the compiled module."""

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Literal, SupportsIndex, TypeAlias, final, overload

import numpy as np
import numpy.typing as npt

__all__ = [
    "Board",
    "Count",
    "Graph",
    "Job",
    "Parameter",
    "Progress",
    "Solver",
    "Standing",
    "Summary",
    "Tour",
    "Tours",
    "__version__",
    "count",
    "enumerate_tours",
    "find",
    "plan",
    "plan_count",
    "race",
    "read_tours",
    "sample",
    "solvers",
]

__version__: str

_Path: TypeAlias = str | os.PathLike[str]
_Int: TypeAlias = SupportsIndex
_BoardLike: TypeAlias = str | tuple[_Int, _Int] | "Graph"
_Leaper: TypeAlias = str | tuple[_Int, _Int]
_SquareLike: TypeAlias = str | _Int | tuple[object, ...]
_Distinct: TypeAlias = Literal["directed", "undirected", "cycle", "symmetry"]
_Where: TypeAlias = Literal["closed", "semi-magic", "magic", "symmetric"]
_Params: TypeAlias = Mapping[str, str | float | _Int]
_Interval: TypeAlias = tuple[float, float | None, float | None]

class Graph:
    """An undirected graph with named vertices.

    Names are strings, but methods also accept the integer 1 for the vertex "1". Arrays of tours contain
    vertex numbers, which start at 0; ``name`` and ``number`` convert between names and numbers.

    >>> from hippodrome import Graph, find
    >>> prism = Graph([("a", "b"), ("b", "c"), ("c", "a"), ("a", "x"), ("x", "y"), ("y", "b")])
    >>> len(prism), prism.neighbours("x")
    (5, ['a', 'y'])
    >>> find(prism, closed=True).closed
    True
    """

    def __new__(
        cls,
        edges: Iterable[tuple[object, object]],
        vertices: Iterable[object] | None = None,
        *,
        title: str = "graph",
    ) -> Graph: ...
    @staticmethod
    def read(path: _Path, *, format: str | None = None) -> Graph:
        """Reads a graph file: TSPLIB HCP, DIMACS, edge list, CSV, adjacency list or matrix, graph6, sparse6, DOT, GraphML,
        GML or node-link JSON. The content decides unless ``format`` names one, as in ``"csv"`` or ``"adjacency-list"``.
        Loops and repeated edges are dropped."""

    @staticmethod
    def generate(text: str) -> Graph:
        """Generates a graph whose vertices are named "1", "2", and so on: ``petersen:N,K``, ``cube:D``,
        ``grid:RxC[x…]``, ``torus:RxC[x…]``, ``knight:RxC[x…]``, ``king:RxC``, ``queen:RxC``, ``rook:RxC``,
        ``bishop:RxC``, ``random-regular:N,D[,SEED]``, ``flower:N``, ``coxeter``, ``tutte``,
        ``meredith``, ``cycle:N``, ``path:N``, ``complete:N`` or ``bipartite:A,B``.

        >>> from hippodrome import Graph, count
        >>> Graph.generate("petersen:101,2")
        Graph(petersen:101,2: 202 vertices, 303 edges)
        >>> count(Graph.generate("cube:3"), closed=True).undirected
        6
        """

    @staticmethod
    def parse(text: str, *, title: str = "graph", format: str | None = None) -> Graph:
        """Parses the text of a graph file in any format that ``read`` takes.

        >>> from hippodrome import Graph
        >>> Graph.parse("IheA@GUAo", title="petersen")
        Graph(petersen: 10 vertices, 15 edges)
        >>> Graph.parse("source,target\\na,b\\nb,c", format="csv").vertices
        ['a', 'b', 'c']
        """

    @property
    def positions(self) -> dict[str, tuple[float, float]] | None:
        """The position (x, y) of each vertex by name, if the file of the graph has one for each; otherwise ``None``.

        >>> from hippodrome import Graph
        >>> Graph.parse('graph { a [pos="0,1"]; b [pos="2,3"]; a -- b }').positions
        {'a': (0.0, 1.0), 'b': (2.0, 3.0)}
        """

    @property
    def vertices(self) -> list[str]:
        """The names of the vertices, in order. On a board, these are the squares, row by row from a1."""

    @property
    def edges(self) -> list[tuple[str, str]]:
        """The edges, each listed once."""

    def neighbours(self, vertex: _SquareLike) -> list[str]:
        """Returns the vertices that are one move away.

        >>> from hippodrome import Board
        >>> sorted(Board("8x8").neighbours("a1"))
        ['b3', 'c2']
        """

    def number(self, name: str) -> int:
        """Returns the number of a vertex, as used in arrays of tours."""

    def name(self, number: _Int) -> str:
        """Returns the name of the vertex with this number."""

    def to_networkx(self) -> Any:
        """Converts the graph to a ``networkx.Graph``. The squares of a board have a position (``pos``).

        >>> from hippodrome import Board
        >>> Board("8x8").to_networkx().number_of_edges()
        168
        """

    @staticmethod
    def from_networkx(graph: Any) -> Graph:
        """Converts an undirected ``networkx.Graph`` to a graph.

        Vertices are named by ``str(node)``, as in ``networkx.relabel_nodes(graph, str)``. A graph that was
        made from a board becomes that board again.

        >>> import networkx
        >>> from hippodrome import Graph
        >>> Graph.from_networkx(networkx.petersen_graph())
        Graph(graph: 10 vertices, 15 edges)
        """

    def __len__(self) -> int: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Board(Graph):
    """A board, which may have holes, and the piece that moves on it.

    ``shape`` gives rows and columns, or is another board. The default piece is the knight, or the piece of
    that other board. Squares have names, and numbers that start at 0 and go row by row: a1, b1, and so on.
    Methods accept both; holes are given by name.

    >>> from hippodrome import Board
    >>> Board("8x8", holes=["d4", "e5"])
    Board("8x8", holes=['d4', 'e5'])
    >>> board = Board((10, 10), leaper="1,4")
    >>> board.shape, board.leaper, len(board)
    ((10, 10), '1,4', 100)
    """

    def __new__(
        cls,
        shape: _BoardLike,
        *,
        holes: Iterable[str] | None = None,
        leaper: _Leaper | None = None,
    ) -> Board: ...
    @staticmethod
    def from_mask(mask: str, *, leaper: _Leaper | None = None) -> Board:
        """Parses a board from one line per row, top row first, with ``.`` for a square and ``#`` for a hole.

        >>> from hippodrome import Board
        >>> Board.from_mask("#...\\n....\\n....").holes
        ['a3']
        """

    @property
    def rows(self) -> int:
        """Number of rows."""

    @property
    def cols(self) -> int:
        """Number of columns."""

    @property
    def shape(self) -> tuple[int, int]:
        """Number of rows and number of columns."""

    @property
    def holes(self) -> list[str]:
        """The names of the holes."""

    @property
    def leaper(self) -> str:
        """The piece. The knight is ``1,2``."""

    @property
    def mask(self) -> str:
        """The board as text that ``from_mask`` can parse."""

@final
class Tour:
    """A verified tour. It has a direction and a start square.

    On a board, squares are given by name or by number; on other graphs, vertices are given by name.

    >>> from hippodrome import Tour
    >>> tour = Tour("3x4", "a1 c2 a3 b1 d2 b3 c1 a2 c3 d1 b2 d3".split())
    >>> print(tour)
     3  6  9 12
     8 11  2  5
     1  4  7 10
    >>> tour.numbers[0].tolist()
    [3, 6, 9, 12]
    >>> Tour("3x4", ["a1", "a2"])
    Traceback (most recent call last):
    hippodrome.errors.NotATour: step 2: a1 to a2 is not a move
    """

    def __new__(cls, board: _BoardLike, squares: Iterable[_SquareLike]) -> Tour: ...
    @staticmethod
    def parse(text: str, *, board: _BoardLike | None = None, origin: str | None = None) -> Tour:
        """Parses the first tour in a text, in any spelling.

        ``origin`` says where coordinates and numbers of squares count from, as in ``"top,row,0"``.
        """

    def rotate(self, degrees: int) -> Tour:
        """Returns the tour rotated clockwise by 90, 180 or 270 degrees."""

    def reflect(self, axis: str) -> Tour:
        """Returns the tour reflected: "rows", "columns", "diagonal" or "antidiagonal"."""

    def reverse(self) -> Tour:
        """Returns the tour in the other direction."""

    def from_start(self, start: _SquareLike) -> Tour:
        """Returns the closed tour from another start."""

    def canonical(self) -> Tour:
        """Returns the same tour for all rotations, reflections, directions and, if closed, starts."""

    @property
    def class_key(self) -> str:
        """The key of the canonical form: 32 hexadecimal digits, the same in all versions."""

    @property
    def board(self) -> Graph:
        """The board or graph that the tour is on."""

    @property
    def closed(self) -> bool:
        """Whether there is a move from the last square to the first."""

    @property
    def symmetry(
        self,
    ) -> Literal["none", "half-turn", "quarter-turn", "mirror", "mirror and half-turn"]:
        """The symmetry of the tour, regarded as a path without direction."""

    @property
    def magic(self) -> Literal["none", "semi", "full"]:
        """How magic the numbers are: "none", "semi" (rows and columns) or "full" (also diagonals)."""

    @property
    def start(self) -> str:
        """The first square."""

    @property
    def end(self) -> str:
        """The last square."""

    @property
    def algebraic(self) -> list[str]:
        """The names of the squares in order."""

    @property
    def squares(self) -> npt.NDArray[np.uint32]:
        """The numbers of the squares in order. They go row by row: a1 is 0, b1 is 1."""

    @property
    def numbers(self) -> npt.NDArray[np.uint32]:
        """The step, counted from 1, at which each square is visited; 0 for holes. The top row is first."""

    def text(self, notation: Literal["grid", "moves", "digits", "json", "tsplib"] = "grid") -> str:
        """Returns the tour as text in a notation.

        >>> import hippodrome
        >>> hippodrome.find("3x4", start="a1", seed=1).text("moves").split()[0]
        'a1'
        """

    def svg(
        self,
        *,
        numbers: bool = False,
        size: _Int | None = None,
        dark: bool = False,
        plain: bool = False,
    ) -> str:
        """Returns a drawing of the tour as SVG. Notebooks show it automatically."""

    def pdf(
        self,
        *,
        numbers: bool = False,
        size: _Int | None = None,
        dark: bool = False,
        plain: bool = False,
    ) -> bytes:
        """Draws the tour as a PDF whose page has the size of the picture."""

    def _repr_svg_(self) -> str | None: ...
    @staticmethod
    def _of(board: Graph, squares: list[int]) -> Tour:
        """Unpickles a tour from its square numbers."""

    def to_networkx(self) -> Any:
        """Returns the moves as a ``networkx.DiGraph``, including the closing move of a closed tour."""

    @staticmethod
    def from_networkx(graph: Any, board: _BoardLike | None = None) -> Tour:
        """Converts a directed path or cycle to a tour. ``board`` is required unless the graph was made from a
        board.

        >>> import hippodrome
        >>> tour = hippodrome.find("6x6", closed=True)
        >>> hippodrome.Tour.from_networkx(tour.to_networkx()) == tour
        True
        """

    def __len__(self) -> int: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Tours:
    """Many tours in one buffer, which numpy and Arrow read without copying it.

    The class has the methods of a sequence, but it is not registered with ``collections.abc``, because
    polars would then read it tour by tour.

    >>> import hippodrome, numpy
    >>> tours = hippodrome.enumerate_tours("5x5", all=True)
    >>> tours
    Tours(1728 of 5x5, 0 closed)
    >>> numpy.bincount(tours.squares[:, 0], minlength=25)[:5].tolist()
    [304, 0, 56, 0, 304]
    >>> import polars
    >>> polars.DataFrame(tours).columns
    ['squares', 'start', 'closed']
    """

    @property
    def board(self) -> Graph:
        """The board or graph that the tours are on."""

    @property
    def summary(self) -> Summary | None:
        """The counts of the run. None for tours that were read from a file or sliced."""

    @property
    def squares(self) -> npt.NDArray[np.uint8] | npt.NDArray[np.uint32]:
        """The square numbers, with one row per tour. The array is a read-only view and not a copy.

        The type is uint8 on boards of at most 255 squares, and uint32 on larger ones."""

    @property
    def closed(self) -> npt.NDArray[np.bool_]:
        """Whether each tour is closed."""

    @property
    def numbers(self) -> npt.NDArray[np.uint8] | npt.NDArray[np.uint32]:
        """The step at which each tour visits each square, as in ``Tour.numbers``. Returns a new array."""

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> npt.NDArray[Any]: ...
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...
    def __len__(self) -> int: ...
    @overload
    def __getitem__(self, index: _Int, /) -> Tour: ...
    @overload
    def __getitem__(self, index: slice, /) -> Tours: ...
    def __iter__(self) -> Iterator[Tour]: ...
    def __reversed__(self) -> Iterator[Tour]: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __contains__(self, tour: object, /) -> bool: ...
    def index(self, value: object, start: _Int | None = None, stop: _Int | None = None) -> int:
        """Returns the index at which a tour first occurs, from ``start`` up to but not including ``stop``."""

    def count(self, value: object) -> int:
        """Returns how many times a tour occurs."""

    @staticmethod
    def _of(board: Graph, squares: bytes, summary: Summary | None) -> Tours:
        """Unpickles tours from their square numbers, and verifies each tour."""

@final
class Summary:
    """The counts of a run. Attempts are counted as in the papers; ``tours`` includes duplicates, ``distinct``
    does not."""

    @property
    def status(self) -> Literal["complete", "exhausted", "limit", "interrupted", "impossible"]:
        """The outcome: "complete" proves that there are no more tours; "exhausted" means that the solver can
        find no more."""

    @property
    def solver(self) -> str: ...
    @property
    def seed(self) -> int: ...
    @property
    def attempts(self) -> int: ...
    @property
    def tours(self) -> int: ...
    @property
    def distinct(self) -> int | None:
        """Number of distinct tours. None for a sample, which does not detect duplicates."""

    @property
    def closed(self) -> int: ...
    @property
    def moves(self) -> int: ...
    @property
    def seconds(self) -> float: ...
    @property
    def reason(self) -> str | None:
        """Why the run ended, if that is not obvious."""

    @property
    def statistics(self) -> dict[str, Any]:
        """The solver's own measurements."""

    @property
    def by_start(self) -> dict[str, dict[str, int | None]] | None:
        """The counts by start square, if requested."""

    @staticmethod
    def _of(fields: SimpleNamespace) -> Summary:
        """Unpickles a summary from its fields."""

@final
class Count:
    """An exact count, with the checks that it passed."""

    @property
    def kind(self) -> Literal["open", "closed", "two-factors", "path-covers"]: ...
    @property
    def directed(self) -> int | None:
        """Number of directed tours; for closed tours, twice the number of cycles. None for undirected kinds."""

    @property
    def undirected(self) -> int:
        """Number of undirected tours, cycles or covers."""

    @property
    def method(self) -> str: ...
    @property
    def checks(self) -> list[tuple[str, str]]:
        """The checks that passed, each with its name and what it compared."""

    @property
    def reason(self) -> str | None:
        """Why there is no tour, if a theorem rules it out."""

    @property
    def theorem(self) -> str | None:
        """The name of that theorem."""

    @property
    def classes(self) -> int | None:
        """Number of undirected tours up to symmetry, if requested."""

    @property
    def by_start(self) -> dict[str, int] | None:
        """Number of directed tours from each start square, if requested."""

    @property
    def by_ends(self) -> list[tuple[str, str, int, int]] | None:
        """For each class of end pairs: one pair, the size of the class, and the number of undirected tours per
        pair."""

    @property
    def seconds(self) -> float: ...
    @property
    def peak_bytes(self) -> int: ...
    @staticmethod
    def _of(fields: SimpleNamespace) -> Count:
        """Unpickles a count from its fields."""

@final
class Parameter:
    """A parameter of a solver."""

    @property
    def solver(self) -> str:
        """The solver to which the parameter belongs."""

    @property
    def name(self) -> str: ...
    @property
    def default(self) -> str: ...
    @property
    def range(self) -> str: ...
    @property
    def choices(self) -> list[str]: ...
    @property
    def help(self) -> str: ...

@final
class Solver:
    """A search method."""

    @property
    def name(self) -> str: ...
    @property
    def summary(self) -> str: ...
    @property
    def good_for(self) -> str: ...
    @property
    def source(self) -> str: ...
    @property
    def params(self) -> list[Parameter]: ...
    @property
    def measures(self) -> list[tuple[str, str]]:
        """The names of the solver's measurements, each with a description."""

@final
class Standing:
    """The results of one solver in a race. Counts are sums over its runs."""

    @property
    def solver(self) -> str: ...
    @property
    def runs(self) -> int: ...
    @property
    def attempts(self) -> int: ...
    @property
    def tours(self) -> int: ...
    @property
    def distinct(self) -> int:
        """Sum over the runs of the number of distinct tours in each run."""

    @property
    def closed(self) -> int: ...
    @property
    def moves(self) -> int: ...
    @property
    def hit_ratio(self) -> float:
        """Number of distinct tours per attempt."""

    @property
    def hit_ratio_of_a_run(self) -> _Interval | None:
        """Mean hit ratio per run, with its 95% interval if there are several runs."""

    @property
    def distinct_of_a_run(self) -> _Interval | None:
        """Mean number of distinct tours per run, with its 95% interval if there are several runs."""

    @property
    def closed_share(self) -> _Interval | None:
        """Mean share of closed tours among distinct tours, with its interval. Runs without a tour are
        excluded."""

    @property
    def distinct_a_second(self) -> _Interval | None:
        """Mean over the runs of the number of distinct tours per second, with its interval."""

    @property
    def failed_runs(self) -> int:
        """Number of runs without a tour."""

    @property
    def success(self) -> tuple[float, float, float]:
        """Share of runs that found a tour, with its 95% interval."""

    @property
    def start_bias(self) -> float | None:
        """Total variation distance between the start squares of the tours and those of uniform tours, if
        known."""

    @property
    def start_bias_by_chance(self) -> float | None:
        """Expected value of that distance for the same number of uniform tours."""

    @property
    def attempts_to_first(self) -> list[float] | None:
        """Attempts until the first tour: minimum, quartiles and maximum over the successful runs."""

    @property
    def moves_to_first(self) -> list[float] | None:
        """Moves until the first tour: minimum, quartiles and maximum over the successful runs."""

    @property
    def seconds_to_first(self) -> list[float] | None:
        """Seconds until the first tour: minimum, quartiles and maximum over the successful runs."""

    @property
    def ahead_of(self) -> list[str]:
        """The solvers that find fewer distinct tours under this budget, with 99% confidence."""

    @staticmethod
    def _of(fields: SimpleNamespace) -> Standing:
        """Unpickles a standing from its fields."""

@final
class Job:
    """A job folder. Its numbered units are independent, can be killed or rerun at any time, and are merged at
    the end.

    >>> import hippodrome, tempfile
    >>> job = hippodrome.plan(tempfile.mkdtemp(), "5x5", solver="exact", all=True)
    >>> for unit in job.missing():
    ...     _ = job.run_unit(unit)
    >>> job.merge()["distinct"]
    1728
    >>> len(hippodrome.read_tours(job.path))
    1728
    """

    def __new__(cls, path: _Path) -> Job: ...
    @property
    def path(self) -> Path: ...
    @property
    def kind(self) -> str: ...
    @property
    def units(self) -> int:
        """Number of units."""

    @property
    def parts(self) -> int:
        """Number of parts that can be merged independently; 0 if the job has no parts."""

    @property
    def identity(self) -> dict[str, Any]:
        """The settings that identify the job."""

    def missing(self) -> list[int]:
        """Returns the numbers of the units that are not done."""

    def run_unit(self, unit: _Int, *, threads: _Int | None = None, memory: _Int | None = None) -> bool:
        """Runs a unit, unless its result exists. Returns False if the unit was interrupted.

        ``threads`` applies to counts; a unit of an enumeration uses one thread."""

    def merge_part(self, part: _Int, *, memory: _Int | None = None) -> bool:
        """Merges one part of the tours from all units, unless that has been done."""

    def encode_part(self, part: _Int, *, memory: _Int | None = None) -> bool:
        """Encodes the rows that begin in one part, unless that has been done. All parts must have been merged."""

    def merge(
        self,
        *,
        partial: bool = False,
        threads: _Int | None = None,
        memory: _Int | None = None,
        seconds: float | None = None,
    ) -> dict[str, Any]:
        """Merges the results of all units. No other process may use the folder at the same time."""

    def status(self) -> dict[str, Any]:
        """Returns the progress of the job."""

    def __fspath__(self) -> str:
        """Returns the path of the folder, so that a job can be used as a path."""

    def _foresee(self, memory: _Int | None = None) -> None:
        """Raises an exception if a unit of a count is predicted to need far more memory than this limit."""

@final
class Progress:
    """Running totals over the units that are done.

    >>> import hippodrome, tempfile
    >>> job = hippodrome.plan(tempfile.mkdtemp(), "5x5", all=True)
    >>> progress = hippodrome.Progress(job.path)
    >>> for unit in job.missing():
    ...     _ = job.run_unit(unit), progress.add(unit)
    >>> progress.done == job.units, progress.tours
    (True, 1728)
    """

    def __new__(cls, path: _Path) -> Progress: ...
    def add(self, unit: _Int) -> bool: ...
    @property
    def done(self) -> int: ...
    @property
    def attempts(self) -> int: ...
    @property
    def tours(self) -> int: ...
    @property
    def distinct(self) -> int:
        """Estimated number of distinct tours."""

def find(
    board: _BoardLike,
    *,
    closed: bool = False,
    start: _SquareLike | None = None,
    end: _SquareLike | None = None,
    solver: str | None = None,
    params: _Params | None = None,
    attempts: _Int | None = None,
    attempts_per_start: _Int | None = None,
    moves: _Int | None = None,
    time: float | None = None,
    seed: _Int | None = None,
    threads: _Int | None = None,
) -> Tour:
    """Finds one tour.

    Chooses a solver if none is named, and stops after ten minutes if no budget is given. The same ``seed``
    (default 1) gives the same tour.

    Raises ``Impossible`` with the theorem if no tour exists, and ``LimitReached`` if no tour was found.

    >>> import hippodrome
    >>> hippodrome.find("8x8", start="a1", closed=True)
    Tour(closed of 8x8: a1 … b3)
    >>> hippodrome.find("4x4")
    Traceback (most recent call last):
    hippodrome.errors.Impossible: impossible: remove the 4 squares b2, c2, b3 and c3: the rest of 4x4 falls into 6 parts, but a tour would fall into at most 5 (Chia & Ong 2005)
    """

def enumerate_tours(
    board: _BoardLike,
    *,
    solver: str = "exact",
    params: _Params | None = None,
    closed: bool = False,
    start: _SquareLike | None = None,
    end: _SquareLike | None = None,
    all: bool = False,
    attempts: _Int | None = None,
    attempts_per_start: _Int | None = None,
    tours: _Int | None = None,
    moves: _Int | None = None,
    time: float | None = None,
    seed: _Int | None = None,
    threads: _Int | None = None,
    distinct: _Distinct = "directed",
    dedup: Literal["exact", "bloom", "none"] = "exact",
    where: _Where | None = None,
    by_start: bool = False,
    memory: _Int | None = None,
    collect: bool = True,
) -> Tours:
    """Enumerates the distinct tours that one solver finds.

    The default budget is one million attempts. The same ``seed`` (default 1) gives the same tours.

    ``collect=False`` counts tours without returning them. ``all=True`` runs the solver until it has
    finished, which can prove that there are no tours (status "impossible"). ``memory`` is a limit in bytes;
    it applies separately to duplicate detection and to the returned tours. ``OutOfMemory`` is raised if the
    returned tours do not fit.

    >>> import hippodrome
    >>> mace = hippodrome.enumerate_tours("6x6", solver="mace", attempts=100_000, seed=1)
    >>> mace.summary.attempts, len(mace) == mace.summary.distinct
    (100000, True)
    >>> cycles = hippodrome.enumerate_tours("6x6", closed=True, all=True, distinct="cycle")
    >>> len(cycles), cycles.summary.status
    (9862, 'complete')
    """

@final
class Puzzle:
    """A board with some numbers of a tour, and exactly one way to complete them."""

    @property
    def board(self) -> Board | Graph:
        """The board or graph."""

    @property
    def clues(self) -> dict[int, str]:
        """The given numbers with their squares."""

    @property
    def solution(self) -> Tour:
        """The only solution."""

    @property
    def search(self) -> int:
        """Nodes of the complete search that proves it: the difficulty. With 1 no guess is needed."""

    @property
    def closed(self) -> bool:
        """Whether only closed tours are solutions."""

    def svg(self) -> str:
        """Draws the board with its clues. Notebooks show it automatically."""

    def pdf(self, title: str = "Knight's tour puzzle") -> bytes:
        """Draws the board with its clues and what to do on a page of A4."""

    def _repr_svg_(self) -> str | None: ...

def puzzle(
    board: _BoardLike,
    clues: _Int | None = None,
    *,
    closed: bool = False,
    seed: _Int | None = None,
    nodes: _Int | None = None,
) -> Puzzle:
    """Makes a puzzle: ``clues`` numbers of a random tour that have exactly one solution.

    A complete search proves that there is one. Without ``clues`` as few are given as a first try leaves. The same
    ``seed`` (default 1) gives the same puzzle. ``nodes`` limits the searches.

    Raises ``Impossible`` if there is no tour, ``LimitReached`` if no such puzzle was found.

    >>> import hippodrome
    >>> puzzle = hippodrome.puzzle("5x5", clues=6, seed=2)
    >>> len(puzzle.clues), len(puzzle.solution)
    (6, 25)
    >>> all(puzzle.solution.algebraic[n - 1] == square for n, square in puzzle.clues.items())
    True
    """

def sample(
    board: _BoardLike,
    n: _Int | None = None,
    *,
    closed: bool = False,
    start: _SquareLike | None = None,
    end: _SquareLike | None = None,
    seed: _Int | None = None,
    threads: _Int | None = None,
    memory: _Int | None = None,
    cache: bool = True,
) -> Tours:
    """Draws ``n`` tours (default 1) uniformly at random: all tours are exactly equally likely.

    Duplicates are neither removed nor counted. The same ``seed`` (default 1) gives the same tours.
    ``memory`` is a limit in bytes; it applies separately to the table of counts and to the tours.

    >>> import hippodrome
    >>> tours = hippodrome.sample("6x6", 500, closed=True, seed=7)
    >>> tours
    Tours(500 of 6x6, 500 closed)
    """

def count(
    board: _BoardLike,
    *,
    closed: bool = False,
    start: _SquareLike | None = None,
    end: _SquareLike | None = None,
    kind: Literal["open", "closed", "two-factors", "path-covers"] | None = None,
    by: Literal["start", "ends"] | None = None,
    classes: bool = False,
    confirm: bool = False,
    threads: _Int | None = None,
    memory: _Int | None = None,
) -> Count:
    """Counts tours exactly, without listing them. The count is 0 if a theorem rules tours out.

    With ``start`` or ``end``, tours are counted in one direction only, so both numbers are equal.
    ``memory`` is a limit in bytes (default: nine tenths of the available memory).

    >>> import hippodrome
    >>> hippodrome.count("5x6")
    Count(kind="open", directed=37568, undirected=18784)
    >>> hippodrome.count("5x5", closed=True).theorem
    'Schwenk 1991'
    """

def recurrence(terms: Sequence[_Int]) -> list[int] | None:
    """Finds the shortest linear recurrence that a sequence of counts satisfies, if enough terms confirm it.

    Returns its coefficients, or None. The first one is the factor of the preceding term. The recurrence is
    a conjecture: it holds for the given terms, and at least four of them were not needed to find it.

    >>> import hippodrome
    >>> hippodrome.recurrence([1, 1, 2, 3, 5, 8, 13, 21, 34])
    [1, 1]
    >>> tours = [hippodrome.count((3, n), closed=True).undirected for n in range(4, 102, 2)]
    >>> hippodrome.recurrence(tours)[:4]
    [6, 64, -200, -1000]
    """

def race(
    board: _BoardLike,
    solvers: Sequence[str],
    *,
    runs: _Int | None = None,
    closed: bool = False,
    start: _SquareLike | None = None,
    end: _SquareLike | None = None,
    attempts: _Int | None = None,
    attempts_per_start: _Int | None = None,
    tours: _Int | None = None,
    moves: _Int | None = None,
    time: float | None = None,
    seed: _Int | None = None,
    threads: _Int | None = None,
    memory: _Int | None = None,
) -> list[Standing]:
    """Runs several solvers on one board under the same budget, and returns a ``Standing`` for each.

    The defaults are ten runs per solver and 100,000 attempts per run. All solvers get the same seeds. ``time``
    limits each run; runs with a time limit are made one at a time.

    >>> import hippodrome
    >>> standings = hippodrome.race("6x6", ["mace", "ants-random"], runs=3, attempts=20_000)
    >>> [standing.solver for standing in standings], standings[0].ahead_of
    (['mace', 'ants-random'], ['ants-random'])
    """

def solvers(name: str | None = None) -> list[Solver]:
    """Returns all solvers, or only the one with this name.

    >>> import hippodrome
    >>> [parameter.name for parameter in hippodrome.solvers("neural")[0].params][:1]
    ['update']
    """

def plan(
    path: _Path,
    board: _BoardLike,
    *,
    solver: str = "exact",
    params: _Params | None = None,
    closed: bool = False,
    start: _SquareLike | None = None,
    end: _SquareLike | None = None,
    all: bool = False,
    attempts: _Int | None = None,
    attempts_per_start: _Int | None = None,
    moves: _Int | None = None,
    seed: _Int | None = None,
    distinct: _Distinct = "directed",
    where: _Where | None = None,
) -> Job:
    """Creates a job folder for an enumeration. Its units can run on any machine.

    >>> import hippodrome, tempfile
    >>> hippodrome.plan(tempfile.mkdtemp(), "6x6", solver="mace", attempts=1_000_000, seed=3).units > 1
    True
    """

def plan_count(
    path: _Path, board: _BoardLike, *, confirm: bool = False, memory: _Int | None = None
) -> Job:
    """Creates a job folder for a count of open tours, with one unit per class of end pairs.

    Raises ``OutOfMemory`` if the first unit needs more than ``memory`` bytes (default: nine tenths of the
    available memory).

    >>> import hippodrome, tempfile
    >>> job = hippodrome.plan_count(tempfile.mkdtemp(), "5x5")
    >>> all(job.run_unit(unit) for unit in job.missing())
    True
    >>> job.merge()["directed"]
    1728
    """

def read_tours(path: _Path, start: _Int | None = None, stop: _Int | None = None) -> Tours:
    """Reads tours from a merged job folder or from its Parquet file. Rows are numbered from 0.

    >>> import hippodrome, tempfile
    >>> job = hippodrome.plan(tempfile.mkdtemp(), "5x5", all=True)
    >>> all(job.run_unit(unit) for unit in job.missing()) and job.merge()["distinct"]
    1728
    >>> hippodrome.read_tours(job.path, 100, 103)
    Tours(3 of 5x5, 0 closed)
    """
