"""Functions that unpickle boards, tours and results."""

from __future__ import annotations

from types import SimpleNamespace

from hippodrome._hippodrome import Board, Count, Graph, Parameter, Solver, Standing, Summary, Tour, Tours, solvers


def board(mask: str, leaper: str) -> Board:
    """Creates a board from its mask and piece."""
    return Board.from_mask(mask, leaper=leaper)


def graph(edges: list[tuple[int, int]], vertices: list[str], title: str) -> Graph:
    """Creates a graph from its numbered edges."""
    return Graph([(vertices[u], vertices[v]) for u, v in edges], vertices, title=title)


def tour(board: Graph, squares: list[int]) -> Tour:
    """Creates a tour from its square numbers, and verifies it."""
    return Tour._of(board, squares)


def tours(board: Graph, squares: bytes, summary: Summary | None) -> Tours:
    """Creates tours from their square numbers, and verifies each."""
    return Tours._of(board, squares, summary)


def fields(result: Count | Standing | Summary) -> SimpleNamespace:
    """Returns the fields of a result by name."""
    return SimpleNamespace(**{name: getattr(result, name) for name in dir(result) if not name.startswith("_")})


def parameter(solver: str, name: str) -> Parameter:
    """Returns a parameter by name."""
    (found,) = (parameter for parameter in solvers(solver)[0].params if parameter.name == name)
    return found


def solver(name: str) -> Solver:
    """Returns a solver by name."""
    return solvers(name)[0]
