"""Boards and graphs made again from what pickle keeps of them."""

from __future__ import annotations

from hippodrome._hippodrome import Board, Graph


def board(mask: str, leaper: str) -> Board:
    """A board of its mask and piece."""
    return Board.from_mask(mask, leaper=leaper)


def graph(edges: list[tuple[int, int]], vertices: list[str], title: str) -> Graph:
    """A graph of its numbered edges."""
    return Graph([(vertices[u], vertices[v]) for u, v in edges], vertices, title=title)
