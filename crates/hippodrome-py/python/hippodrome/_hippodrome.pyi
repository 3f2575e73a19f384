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
    """What tours are sought on: named vertices, and edges between them. Names are texts; a vertex that was
    given as the integer 1 is named "1", and 1 is the same name. Arrays of tours hold numbers of vertices
    from 0 on, see ``name`` and ``number``.

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
    def read(path: _Path) -> Graph:
        """A graph from a file: TSPLIB HCP, edge list or graph6."""

    @staticmethod
    def parse(text: str, *, title: str = "graph") -> Graph:
        """A graph from the text of such a file.

        >>> from hippodrome import Graph
        >>> Graph.parse("IheA@GUAo", title="petersen")
        Graph(petersen: 10 vertices, 15 edges)
        """

    @property
    def vertices(self) -> list[str]:
        """The names of the vertices, in order; of a board, its squares from a1 on, row by row."""

    @property
    def edges(self) -> list[tuple[str, str]]:
        """The edges, each once."""

    def neighbours(self, vertex: _SquareLike) -> list[str]:
        """What may follow a vertex.

        >>> from hippodrome import Board
        >>> sorted(Board("8x8").neighbours("a1"))
        ['b3', 'c2']
        """

    def number(self, name: str) -> int:
        """The number of a vertex: that which arrays of tours hold."""

    def name(self, number: _Int) -> str:
        """The name of a vertex."""

    def to_networkx(self) -> Any:
        """The graph as a ``networkx.Graph``; squares of a board know where they lie (``pos``).

        >>> from hippodrome import Board
        >>> Board("8x8").to_networkx().number_of_edges()
        168
        """

    @staticmethod
    def from_networkx(graph: Any) -> Graph:
        """Any undirected ``networkx.Graph``. Vertices are named by the texts of its nodes, as those of
        ``networkx.relabel_nodes(graph, str)``; the graph of a board comes back as that board.

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
    """A board: rows by columns, rows first, squares possibly missing, and the piece that moves on it:
    a knight unless told, or that of the board which is given as the shape. Squares have names, and numbers
    from 0 on: a1, b1 and so on, row by row; calls take either, holes are named.

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
        """A board from text: a line a row, top row first, ``.`` for a square and ``#`` for a hole.

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
        """Rows and columns."""

    @property
    def holes(self) -> list[str]:
        """The missing squares."""

    @property
    def leaper(self) -> str:
        """The piece, as in ``1,2`` for the knight."""

    @property
    def mask(self) -> str:
        """The board as text that ``from_mask`` reads."""

@final
class Tour:
    """A tour: verified, directed, with a start square. Of a board, names or numbers of squares can be
    given; of another graph, names.

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
    def parse(text: str, *, board: _BoardLike | None = None) -> Tour:
        """The first tour of a text in any notation: grid, moves, digits, json, tsplib, or our SVG."""

    @property
    def board(self) -> Graph:
        """What it is a tour of."""

    @property
    def closed(self) -> bool:
        """Whether the last square attacks the first."""

    @property
    def symmetry(
        self,
    ) -> Literal["none", "half-turn", "quarter-turn", "mirror", "mirror and half-turn"]:
        """What maps its line onto itself."""

    @property
    def magic(self) -> Literal["none", "semi", "full"]:
        """Whether rows and columns of its numbers have equal sums, and diagonals too."""

    @property
    def start(self) -> str:
        """The first square."""

    @property
    def end(self) -> str:
        """The last square."""

    @property
    def algebraic(self) -> list[str]:
        """The names of the squares, in order."""

    @property
    def squares(self) -> npt.NDArray[np.uint32]:
        """The numbers of the squares, in order: a1 is 0, b1 is 1, row by row."""

    @property
    def numbers(self) -> npt.NDArray[np.uint32]:
        """When each square is visited, from 1, top row first, as a board is drawn; holes are 0."""

    def text(self, notation: Literal["grid", "moves", "digits", "json", "tsplib"] = "grid") -> str:
        """The tour in a notation.

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
        """A picture; notebooks show it by themselves."""

    def _repr_svg_(self) -> str | None: ...
    @staticmethod
    def _of(board: Graph, squares: list[int]) -> Tour:
        """A tour of numbers of squares, as pickle keeps it."""

    def to_networkx(self) -> Any:
        """Its moves as a ``networkx.DiGraph``; a closed tour has the move home as well."""

    @staticmethod
    def from_networkx(graph: Any, board: _BoardLike | None = None) -> Tour:
        """A tour from a directed path or cycle. What it is a tour of is to be given where that did not come
        from a board.

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
    """Many tours in one piece of memory, which numpy and Arrow read where it lies. It has what sequences
    have; that it is one is not told to ``collections.abc``, for polars would then read it tour by tour.

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
        """What they are tours of."""

    @property
    def summary(self) -> Summary | None:
        """What the run counted; none for tours that were read or sliced."""

    @property
    def squares(self) -> npt.NDArray[np.uint8] | npt.NDArray[np.uint32]:
        """The numbers of the squares, a row a tour, in order. No copy, and not to be written to.
        Bytes on boards of at most 255 squares, else 32 bits."""

    @property
    def closed(self) -> npt.NDArray[np.bool_]:
        """For each tour whether it is closed."""

    @property
    def numbers(self) -> npt.NDArray[np.uint8] | npt.NDArray[np.uint32]:
        """For each tour when each square is visited, from 1, top row first; made anew each time."""

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
        """Where a tour is for the first time, from ``start`` on up to ``stop``."""

    def count(self, value: object) -> int:
        """How often a tour is there."""

    @staticmethod
    def _of(board: Graph, squares: bytes, summary: Summary | None) -> Tours:
        """The tours of a board from their numbers of squares, as pickle keeps them; each is verified."""

@final
class Summary:
    """What a run counted: attempts as the papers do, tours with repeats, distinct ones without."""

    @property
    def status(self) -> Literal["complete", "exhausted", "limit", "interrupted", "impossible"]:
        """Complete: a proof that there are no more. Exhausted: the method sees no more."""

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
        """None for a sample, where repeats are not looked for."""

    @property
    def closed(self) -> int: ...
    @property
    def moves(self) -> int: ...
    @property
    def seconds(self) -> float: ...
    @property
    def reason(self) -> str | None:
        """Why it ended, where there is something to say."""

    @property
    def statistics(self) -> dict[str, Any]:
        """What the solver measured of itself."""

    @property
    def by_start(self) -> dict[str, dict[str, int | None]] | None:
        """The same counts for each start square, if asked for."""

    @staticmethod
    def _of(fields: SimpleNamespace) -> Summary:
        """A summary of its fields, as pickle keeps it."""

@final
class Count:
    """An exact count and what it was checked against."""

    @property
    def kind(self) -> Literal["open", "closed", "two-factors", "path-covers"]: ...
    @property
    def directed(self) -> int | None:
        """Directed tours; for closed ones twice the cycles. None for kinds without a direction."""

    @property
    def undirected(self) -> int:
        """Undirected tours, cycles or covers."""

    @property
    def method(self) -> str: ...
    @property
    def checks(self) -> list[tuple[str, str]]:
        """What the count agrees with: kind of check, and what was compared."""

    @property
    def reason(self) -> str | None:
        """Why there is none, if that is known without counting."""

    @property
    def theorem(self) -> str | None:
        """The name of the theorem that says so."""

    @property
    def classes(self) -> int | None:
        """Undirected tours up to symmetry, if asked for."""

    @property
    def by_start(self) -> dict[str, int] | None:
        """Directed tours from each square, if asked for."""

    @property
    def by_ends(self) -> list[tuple[str, str, int, int]] | None:
        """For each class of ends: two of them, the pairs like them, the undirected tours of a pair."""

    @property
    def seconds(self) -> float: ...
    @property
    def peak_bytes(self) -> int: ...
    @staticmethod
    def _of(fields: SimpleNamespace) -> Count:
        """A count of its fields, as pickle keeps it."""

@final
class Parameter:
    """A parameter of a solver."""

    @property
    def solver(self) -> str:
        """The solver whose parameter it is."""

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
    """A method of finding tours."""

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
        """What it measures of itself, with a sentence each."""

@final
class Standing:
    """What the runs of one solver came to in a race: counts are added up over the runs."""

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
        """Distinct tours of each run, added up."""

    @property
    def closed(self) -> int: ...
    @property
    def moves(self) -> int: ...
    @property
    def hit_ratio(self) -> float:
        """Distinct tours an attempt."""

    @property
    def hit_ratio_of_a_run(self) -> _Interval | None:
        """Mean of the runs, and its 95% interval where there are several."""

    @property
    def distinct_of_a_run(self) -> _Interval | None:
        """Mean of the runs, and its 95% interval where there are several."""

    @property
    def closed_share(self) -> _Interval | None:
        """Closed ones among the distinct tours, likewise; runs without a tour left out."""

    @property
    def distinct_a_second(self) -> _Interval | None:
        """Distinct tours a second, likewise."""

    @property
    def failed_runs(self) -> int:
        """Runs without a tour."""

    @property
    def success(self) -> tuple[float, float, float]:
        """Share of the runs that found a tour, and its 95% interval."""

    @property
    def start_bias(self) -> float | None:
        """How far the start squares are from those of uniform tours, where that can be told."""

    @property
    def start_bias_by_chance(self) -> float | None:
        """What that would be in the mean if the tours were uniform."""

    @property
    def attempts_to_first(self) -> list[float] | None:
        """Attempts to the first tour: least, quartiles and greatest of the runs that found one."""

    @property
    def moves_to_first(self) -> list[float] | None:
        """Moves to the first tour, likewise."""

    @property
    def seconds_to_first(self) -> list[float] | None:
        """Seconds to the first tour, likewise."""

    @property
    def ahead_of(self) -> list[str]:
        """Those that surely find fewer distinct tours under this budget: at 99%."""

    @staticmethod
    def _of(fields: SimpleNamespace) -> Standing:
        """A standing of its fields, as pickle keeps it."""

@final
class Job:
    """A job folder: numbered units that may be run anywhere, twice, and killed; then merged.

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
        """How many units there are."""

    @property
    def parts(self) -> int:
        """How many parts can be merged apart from each other; 0 if that is not worth it."""

    @property
    def identity(self) -> dict[str, Any]:
        """What identifies the job."""

    def missing(self) -> list[int]:
        """Units that are not done."""

    def run_unit(self, unit: _Int, *, threads: _Int | None = None, memory: _Int | None = None) -> bool:
        """Does a unit, unless its result is there. False if it was stopped before its end.
        Threads are for counts; a unit of an enumeration has one."""

    def merge_part(self, part: _Int, *, memory: _Int | None = None) -> bool:
        """Merges one part of all units, unless that is done."""

    def encode_part(self, part: _Int, *, memory: _Int | None = None) -> bool:
        """Encodes the rows that begin in one part, after all parts are merged, unless that is done."""

    def merge(
        self,
        *,
        partial: bool = False,
        threads: _Int | None = None,
        memory: _Int | None = None,
        seconds: float | None = None,
    ) -> dict[str, Any]:
        """Merges the results of all units. Nobody else may work on the folder meanwhile."""

    def status(self) -> dict[str, Any]:
        """What is done and what is left."""

    def __fspath__(self) -> str:
        """A job stands for its folder."""

    def _foresee(self, memory: _Int | None = None) -> None:
        """Raises if a unit of a count needs far more memory than this, as far as that is foreseen."""

@final
class Progress:
    """What the units of a job have found so far, added up as they are done.

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
        """About how many distinct tours there are among them."""

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
    """One tour. Picks the solver unless it is named; gives up after ten minutes without a budget. The same
    ``seed``, 1 unless told, gives the same tour.

    Raises ``Impossible`` with the theorem where there is none, ``LimitReached`` where none was found.

    >>> import hippodrome
    >>> hippodrome.find("8x8", start="a1", closed=True)
    Tour(closed of 8x8: a1 … b3)
    >>> hippodrome.find("4x4")
    Traceback (most recent call last):
    hippodrome.errors.Impossible: impossible: the 4x4 board has no tour, open or closed (Chia & Ong 2005)
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
    """Tours from one solver, repeats removed; a million attempts unless a budget is given. The same ``seed``,
    1 unless told, gives the same tours.

    ``collect=False`` only counts them. With ``all=True`` the solver is run to its end, which may prove
    that there is none: then there are no tours, and the status is "impossible". ``memory`` bounds the
    tours that are compared, and those that are gathered, in bytes each; more of these are an error.

    >>> import hippodrome
    >>> mace = hippodrome.enumerate_tours("6x6", solver="mace", attempts=100_000, seed=1)
    >>> mace.summary.attempts, len(mace) == mace.summary.distinct
    (100000, True)
    >>> cycles = hippodrome.enumerate_tours("6x6", closed=True, all=True, distinct="cycle")
    >>> len(cycles), cycles.summary.status
    (9862, 'complete')
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
    """Tours, each exactly as likely as any other; repeats are not removed, and not looked for, so that
    the summary tells no distinct ones. One unless told. The same ``seed``, 1 unless told, gives the same
    tours: for others, give others. ``memory`` bounds the table of counts and the tours, in bytes each.

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
    """Exactly how many tours there are, without listing them. An impossible board has none. With a given
    end, tours are counted from it, so that they are as many directed as undirected. ``memory`` bounds
    what is held, in bytes; nine tenths of what is available unless told.

    >>> import hippodrome
    >>> hippodrome.count("5x6")
    Count(kind="open", directed=37568, undirected=18784)
    >>> hippodrome.count("5x5", closed=True).theorem
    'Schwenk 1991'
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
    """Solvers on one board under the same budget, a Standing for each; ten runs each unless told, and
    100,000 attempts a run unless a budget is given. All solvers see the same seeds; ``time`` is for
    each run, and such runs go one at a time.

    >>> import hippodrome
    >>> standings = hippodrome.race("6x6", ["mace", "ants-random"], runs=3, attempts=20_000)
    >>> [standing.solver for standing in standings], standings[0].ahead_of
    (['mace', 'ants-random'], ['ants-random'])
    """

def solvers(name: str | None = None) -> list[Solver]:
    """The registry of solvers, or one of them.

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
    """Makes the folder of a job: an enumeration whose units can be run anywhere.

    >>> import hippodrome, tempfile
    >>> hippodrome.plan(tempfile.mkdtemp(), "6x6", solver="mace", attempts=1_000_000, seed=3).units > 1
    True
    """

def plan_count(
    path: _Path, board: _BoardLike, *, confirm: bool = False, memory: _Int | None = None
) -> Job:
    """Makes the folder of a count of open tours, one unit per class of ends.

    Refuses a count whose first unit needs more than ``memory`` bytes (default: nine tenths of the
    available memory).

    >>> import hippodrome, tempfile
    >>> job = hippodrome.plan_count(tempfile.mkdtemp(), "5x5")
    >>> all(job.run_unit(unit) for unit in job.missing())
    True
    >>> job.merge()["directed"]
    1728
    """

def read_tours(path: _Path, start: _Int | None = None, stop: _Int | None = None) -> Tours:
    """The tours of a job folder that was merged, or of its Parquet file; rows count from 0.

    >>> import hippodrome, tempfile
    >>> job = hippodrome.plan(tempfile.mkdtemp(), "5x5", all=True)
    >>> all(job.run_unit(unit) for unit in job.missing()) and job.merge()["distinct"]
    1728
    >>> hippodrome.read_tours(job.path, 100, 103)
    Tours(3 of 5x5, 0 closed)
    """
