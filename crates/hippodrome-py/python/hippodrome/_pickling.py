"""Boards, tours and results made again from what pickle keeps of them."""

from __future__ import annotations

from types import SimpleNamespace

from hippodrome._hippodrome import Board, Count, Graph, Parameter, Solver, Standing, Summary, Tour, Tours, solvers


def board(mask: str, leaper: str) -> Board:
    """A board of its mask and piece."""
    return Board.from_mask(mask, leaper=leaper)


def graph(edges: list[tuple[int, int]], vertices: list[str], title: str) -> Graph:
    """A graph of its numbered edges."""
    return Graph([(vertices[u], vertices[v]) for u, v in edges], vertices, title=title)


def tour(board: Graph, squares: list[int]) -> Tour:
    """A tour of the numbers of its squares; it is verified."""
    return Tour._of(board, squares)


def tours(board: Graph, squares: bytes, summary: Summary | None) -> Tours:
    """Tours of the numbers of their squares; each is verified."""
    return Tours._of(board, squares, summary)


def fields(result: Count | Standing | Summary) -> SimpleNamespace:
    """The values of a result by name."""
    return SimpleNamespace(**{name: getattr(result, name) for name in dir(result) if not name.startswith("_")})


def parameter(solver: str, name: str) -> Parameter:
    """A parameter by its name."""
    (found,) = (parameter for parameter in solvers(solver)[0].params if parameter.name == name)
    return found


def solver(name: str) -> Solver:
    """A solver by its name."""
    return solvers(name)[0]
