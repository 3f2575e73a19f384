"""Graphs and tours to networkx and back."""

from __future__ import annotations

import json
import pickle
from pathlib import Path

import hippodrome
import networkx
import pytest
from hippodrome import Board, Graph, HippodromeError, NotATour, Tour, UsageError


def test_a_board_is_the_graph_of_its_moves() -> None:
    graph = Board("8x8").to_networkx()
    assert (graph.number_of_nodes(), graph.number_of_edges()) == (64, 168)
    assert graph.nodes["h8"]["pos"] == (7, 7)
    assert set(graph.neighbors("a1")) == {"b3", "c2"}
    assert networkx.is_bipartite(graph)


def test_graphs_survive_a_round_trip() -> None:
    for graph in (networkx.petersen_graph(), networkx.grid_2d_graph(3, 4), Board("3x4").to_networkx()):
        ours = Graph.from_networkx(graph)
        back = ours.to_networkx()
        names = networkx.relabel_nodes(graph, {node: str(node) for node in graph})
        assert set(map(frozenset, back.edges)) == set(map(frozenset, names.edges))
        assert set(back.nodes) == set(names.nodes)


def test_any_graph_can_be_toured() -> None:
    cube = Graph.from_networkx(networkx.hypercube_graph(4))
    tour = hippodrome.find(cube, closed=True)
    assert tour.closed and len(tour) == 16
    with pytest.raises(hippodrome.Impossible):
        hippodrome.find(Graph.from_networkx(networkx.petersen_graph()), closed=True, solver="exact")


@pytest.mark.parametrize("closed", [True, False])
def test_tours_survive_a_round_trip(closed: bool) -> None:
    tour = hippodrome.find("6x6", closed=closed, seed=8)
    graph = tour.to_networkx()
    assert graph.number_of_edges() == (36 if tour.closed else 35)
    assert Tour.from_networkx(graph) == tour
    assert Tour.from_networkx(graph, Board("6x6")) == tour
    assert networkx.is_isomorphic(graph.to_undirected(), networkx.cycle_graph(36)) == tour.closed


def test_boards_stay_boards_in_a_round_trip() -> None:
    for board in (Board("5x6"), Board("6x6", holes=["a1", "b1"]), Board((10, 10), leaper="1,4")):
        graph = board.to_networkx()
        assert Graph.from_networkx(graph) == board
        tour = hippodrome.find(board)
        assert Tour.from_networkx(tour.to_networkx()) == tour
        graph.remove_edge(*next(iter(graph.edges)))
        less = Graph.from_networkx(graph)
        assert not isinstance(less, Board) and len(less.edges) == len(board.edges) - 1
    grid = Graph.from_networkx(networkx.grid_2d_graph(3, 4))
    tour = hippodrome.find(grid, start=(0, 0))
    assert tour.start == "(0, 0)"
    with pytest.raises(UsageError, match="the board of this tour is unknown; pass board="):
        Tour.from_networkx(tour.to_networkx())
    assert Tour.from_networkx(tour.to_networkx(), grid) == tour


def test_invalid_tours_are_refused() -> None:
    with pytest.raises(UsageError, match="a tour is directed; pass a networkx.DiGraph"):
        Tour.from_networkx(networkx.path_graph(4), "2x2")
    forked = networkx.DiGraph([("a1", "b3"), ("a1", "c2")])
    with pytest.raises(NotATour, match="two moves lead away from a1"):
        Tour.from_networkx(forked, "3x4")
    with pytest.raises(NotATour, match="two moves lead to c2"):
        Tour.from_networkx(networkx.DiGraph([("a1", "c2"), ("a3", "c2")]), "3x4")
    with pytest.raises(NotATour, match="no move leads to a1, nor to a2; a tour has one start"):
        Tour.from_networkx(networkx.DiGraph([("a1", "c2"), ("a2", "c1")]), "3x4")
    with pytest.raises(NotATour, match="no moves lead from a1 to a2; a tour is one path"):
        Tour.from_networkx(networkx.DiGraph([("a1", "c2"), ("a2", "c1"), ("c1", "a2")]), "3x4")
    with pytest.raises(UsageError, match="undirected"):
        Graph.from_networkx(networkx.DiGraph([(1, 2)]))
    with pytest.raises(UsageError, match="same text"):
        Graph.from_networkx(networkx.Graph([(1, "1")]))


def test_integers_are_names_of_vertices_everywhere() -> None:
    graph = networkx.Graph([(3, 2), (2, 1), (1, 0), (0, 4)])
    ours = Graph.from_networkx(graph)
    path = networkx.DiGraph([(4, 0), (0, 1), (1, 2), (2, 3)])
    tour = Tour.from_networkx(path, ours)
    assert tour.algebraic == ["4", "0", "1", "2", "3"]
    assert tour == Tour(ours, [4, 0, 1, 2, 3]) == Tour(ours, ["4", "0", "1", "2", "3"])
    assert Tour.from_networkx(tour.to_networkx(), ours) == tour == pickle.loads(pickle.dumps(tour))
    assert hippodrome.find(ours, start=4).start == "4" and hippodrome.find(ours, start=3, end=4).end == "4"
    small = Graph([(1, 2), (2, 3)])
    assert hippodrome.find(small, start=1) == Tour(small, [1, 2, 3]) == hippodrome.find(small, start="1")
    assert small.neighbours(1) == ["2"]
    with pytest.raises(UsageError, match="0"):
        hippodrome.find(small, start=0)
    with pytest.raises(UsageError, match="is not the name of a vertex"):
        Tour(ours, tour.squares)
    assert Tour(ours, [ours.name(number) for number in tour.squares]) == tour


def test_files_that_networkx_writes_are_read(tmp_path: Path) -> None:
    petersen = networkx.petersen_graph()
    plain = networkx.Graph()
    plain.add_nodes_from(petersen)
    plain.add_edges_from(petersen.edges)
    (tmp_path / "json").write_text(json.dumps(networkx.node_link_data(petersen)))
    networkx.write_graphml(petersen, tmp_path / "graphml")
    networkx.write_gml(petersen, tmp_path / "gml")
    networkx.write_adjlist(plain, tmp_path / "adjacency-list")
    networkx.write_edgelist(plain, tmp_path / "edge-list")
    networkx.write_sparse6(plain, tmp_path / "sparse6")
    networkx.write_graph6(plain, tmp_path / "graph6")
    networkx.to_pandas_edgelist(plain).to_csv(tmp_path / "csv", index=False)
    expected = {frozenset((str(u), str(v))) for u, v in petersen.edges}
    files = sorted(tmp_path.iterdir())
    assert len(files) == 8
    for file in files:
        for format in (None, file.name):
            graph = Graph.read(file, format=format)
            assert {frozenset(edge) for edge in graph.edges} == expected, file
    with pytest.raises(UsageError, match="did you mean gml"):
        Graph.read(tmp_path / "gml", format="gmll")
    with pytest.raises(HippodromeError, match="DOT line 1"):
        Graph.read(tmp_path / "gml", format="dot")


def test_positions_of_a_file_reach_networkx() -> None:
    graph = Graph.parse('graph { a [pos="0,1"]; b [pos="2,3"]; a -- b }')
    assert graph.positions == {"a": (0.0, 1.0), "b": (2.0, 3.0)}
    assert graph.to_networkx().nodes["b"]["pos"] == (2.0, 3.0)
    assert Graph.parse("a b").positions is None
