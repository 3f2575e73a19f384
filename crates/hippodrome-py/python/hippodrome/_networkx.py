"""Conversion of boards, graphs and tours to networkx graphs, and back."""

from __future__ import annotations

from typing import Any

from hippodrome._hippodrome import Board, Graph, Tour
from hippodrome.errors import NotATour, UsageError


def _networkx() -> Any:
    try:
        import networkx
    except ImportError:
        raise UsageError(
            "networkx is not installed; install it with 'pip install networkx'"
        ) from None
    return networkx


def _expect(graph: Any) -> None:
    """Raises unless this is a networkx graph."""
    if not isinstance(graph, _networkx().Graph):
        raise UsageError(f"{graph!r} is not a networkx graph; pass one, as in networkx.petersen_graph()")


def _about(graph: Graph) -> dict[str, str]:
    """Returns attributes from which a networkx graph can be converted back to a board."""
    about = {"title": str(graph)}
    if isinstance(graph, Board):
        about |= {"mask": graph.mask, "leaper": graph.leaper}
    return about


def _board(graph: Any) -> Board | None:
    """Returns the board that a networkx graph came from, if any."""
    if "mask" in graph.graph:
        return Board.from_mask(graph.graph["mask"], leaper=graph.graph["leaper"])
    return None


def of_graph(graph: Graph) -> Any:
    """Converts to a networkx graph; nodes of a board, or of a file with positions, have theirs (``pos``)."""
    result = _networkx().Graph(**_about(graph))
    if isinstance(graph, Board):
        for name in graph.vertices:
            row, col = divmod(graph.number(name), graph.cols)
            result.add_node(name, pos=(col, row))
    else:
        result.add_nodes_from(graph.vertices)
        for name, place in (graph.positions or {}).items():
            result.nodes[name]["pos"] = place
    result.add_edges_from(graph.edges)
    return result


def to_graph(graph: Any) -> Graph:
    """Converts an undirected networkx graph. Vertices are named by ``str(node)``, which must be
    unique. The unchanged graph of a board becomes that board."""
    _expect(graph)
    if graph.is_directed():
        raise UsageError("the graph is directed; pass graph.to_undirected()")
    names = [str(node) for node in graph.nodes]
    if len(set(names)) < len(names):
        raise UsageError("two nodes of the graph have the same text; rename one")
    edges = [(str(u), str(v)) for u, v in graph.edges()]
    board = _board(graph)
    if board is not None and sorted(names) == sorted(board.vertices):
        if set(map(frozenset, edges)) == set(map(frozenset, board.edges)):
            return board
    return Graph(edges, names, title=str(graph.graph.get("title", "graph")))


def of_tour(tour: Tour) -> Any:
    """Returns a directed graph of the moves, including the closing move of a closed tour."""
    result = _networkx().DiGraph(**_about(tour.board), closed=tour.closed)
    names = tour.algebraic
    for time, name in enumerate(names, 1):
        result.add_node(name, number=time)
    result.add_edges_from(zip(names, names[1:], strict=False))
    if tour.closed:
        result.add_edge(names[-1], names[0])
    return result


def to_tour(graph: Any, board: Any = None) -> Tour:
    """Converts a directed path or cycle to a tour. A cycle starts at its node numbered 1, or else at its first node."""
    _expect(graph)
    ground = board if board is not None else _board(graph)
    if ground is None:
        raise UsageError("the board of this tour is unknown; pass board=")
    if not graph.is_directed():
        raise UsageError("a tour is directed; pass a networkx.DiGraph")
    for node in graph.nodes:
        for moves, where in ((graph.out_degree(node), "away from"), (graph.in_degree(node), "to")):
            if moves > 1:
                raise NotATour(f"{'two' if moves == 2 else moves} moves lead {where} {node}; a tour has one")
    starts = [node for node in graph.nodes if graph.in_degree(node) == 0]
    if len(starts) > 1:
        raise NotATour(f"no move leads to {starts[0]}, nor to {starts[1]}; a tour has one start")
    if not starts:
        starts = [n for n, number in graph.nodes(data="number") if number == 1]
        starts = starts or list(graph.nodes)
    path = starts[:1]
    seen = set(path)
    while path and (onward := [node for node in graph.successors(path[-1]) if node not in seen]):
        path += onward
        seen.update(onward)
    for node in graph.nodes:
        if node not in seen:
            raise NotATour(f"no moves lead from {path[0]} to {node}; a tour is one path")
    if isinstance(ground, Graph) and not isinstance(ground, Board):
        # Vertices are named by str(node), as in to_graph.
        path = [str(node) for node in path]
    return Tour(ground, path)
