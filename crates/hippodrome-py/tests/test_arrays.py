"""Tours as arrays and tables: without copies, with the same squares everywhere."""

from __future__ import annotations

from typing import Any

import hippodrome
import numpy as np
import pandas
import polars
import pyarrow
import pyarrow.parquet
import pytest
from hippodrome import Tours


@pytest.fixture(scope="module")
def tours() -> Tours:
    return hippodrome.enumerate_tours("5x6", all=True)


def test_numpy_sees_the_same_memory_each_time(tours: Tours) -> None:
    one, two = tours.squares, tours.squares
    assert one.shape == (37568, 30) and one.dtype == np.uint8
    assert np.shares_memory(one, two) and not one.flags.writeable
    assert np.shares_memory(np.asarray(tours), one)
    assert np.array(tours, dtype=np.int64).dtype == np.int64
    assert not np.shares_memory(np.array(tours, copy=True), one)
    assert np.shares_memory(tours[100:200].squares, one)
    assert (np.sort(one, axis=1) == np.arange(30)).all()


def test_arrays_outlive_their_tours() -> None:
    squares = hippodrome.sample("6x6", 1000, closed=True, seed=1).squares
    total = int(squares.sum())
    _ = [hippodrome.sample("6x6", 1000, closed=True, seed=seed).squares.copy() for seed in range(5)]
    assert int(squares.sum()) == total == 1000 * 35 * 36 // 2


def test_large_boards_have_wide_numbers() -> None:
    tours = hippodrome.enumerate_tours("20x20", solver="warnsdorff:ties=random", attempts=50)
    assert tours.squares.dtype == np.uint32 and tours.squares.shape == (len(tours), 400)
    assert (np.sort(tours.squares, axis=1) == np.arange(400)).all()
    frame = polars.DataFrame(tours)
    assert np.array_equal(np.stack(frame["squares"].to_list()), tours.squares)
    assert np.array_equal(tours[::2].squares, tours.squares[::2])


def test_numbers_are_the_boards_as_printed(tours: Tours) -> None:
    numbers = tours[:50].numbers
    assert numbers.shape == (50, 5, 6)
    for tour, grid in zip(tours, numbers, strict=False):
        assert np.array_equal(tour.numbers, grid)
        assert str(tour).split() == [str(n) for n in grid.ravel()]


def test_slices_and_indices_work_as_in_a_list(tours: Tours) -> None:
    everything = list(tours[:20])
    for piece in (slice(3, 9), slice(None, None, -3), slice(15, 2, -4), slice(9, 3), slice(-5, None)):
        part = tours[:20][piece]
        assert list(part) == everything[piece]
        assert part.closed.tolist() == [tour.closed for tour in part]
    assert tours[-1] == tours[len(tours) - 1]
    for beyond in (len(tours), -len(tours) - 1, 10**30, -(10**30)):
        with pytest.raises(IndexError, match=f"there is no tour {beyond}"):
            tours[beyond]
    untyped: Any = tours
    for wrong in (1.0, "a", None):
        with pytest.raises(TypeError, match="is not an index; pass an integer or a slice"):
            untyped[wrong]


def test_tours_have_the_methods_of_a_sequence(tours: Tours) -> None:
    some = tours[:40]
    listed = list(some)
    assert list(reversed(some)) == listed[::-1] and len(listed) == 40
    assert some.index(listed[7]) == 7 == some.index(listed[7], 5, 9) == some.index(listed[7], -35)
    for bounds in ((8,), (0, 7), (-3,)):
        with pytest.raises(ValueError, match="the tour is not in the list"):
            some.index(listed[7], *bounds)
    assert listed[3] in some and listed[3] not in tours[10:20] and "a1" not in some
    assert some.count(listed[5]) == 1 and some.count(tours[41]) == 0
    drawn = hippodrome.sample("3x4", 200, seed=2)
    assert sum(drawn.count(tour) for tour in set(drawn)) == 200 and drawn.count(drawn[0]) > 1
    assert hippodrome.find("6x6") not in some


def test_closed_tours_are_marked(tours: Tours) -> None:
    assert tours.closed.dtype == np.bool_ and tours.closed.sum() == 8 * 30 * 2
    assert all(tour.closed for tour in hippodrome.sample("6x6", 20, closed=True))


def equal(frame: Any, tours: Tours) -> None:
    assert np.array_equal(np.stack([np.asarray(row) for row in frame["squares"]]), tours.squares)
    assert np.array_equal(np.asarray(frame["start"]), tours.squares[:, 0])
    assert np.array_equal(np.asarray(frame["closed"]), tours.closed)


def test_polars_pyarrow_and_pandas_read_the_stream(tours: Tours) -> None:
    equal(polars.DataFrame(tours), tours)
    table = pyarrow.table(tours)
    assert table.schema.field("squares").type == pyarrow.list_(pyarrow.uint8(), 30) or str(
        table.schema.field("squares").type
    ).startswith("fixed_size_list<item: uint8")
    assert table.schema.metadata[b"board"] == b"5x6"
    equal(table.to_pandas(), tours)
    equal(pandas.DataFrame.from_arrow(tours), tours)


def test_pyarrow_sees_the_same_memory(tours: Tours) -> None:
    cells = pyarrow.table(tours).column("squares").chunk(0).values
    assert cells.buffers()[1].address == tours.squares.__array_interface__["data"][0]


def test_duckdb_counts_the_stream(tours: Tours) -> None:
    import duckdb

    assert tours is not None  # DuckDB reads it by its name.
    found = duckdb.execute("SELECT count(*), count(*) FILTER (closed), count(DISTINCT start) FROM tours")
    assert found.fetchall() == [(37568, 480, 30)]


def test_tours_are_equal_by_their_squares(tours: Tours) -> None:
    assert tours[3:9] == tours[3:9] and tours[3:9] != tours[4:10] and tours[:3] != tours[:4]
    assert tours[:0] != hippodrome.enumerate_tours("3x5", all=True) and tours != 7


def test_empty_results_are_empty_arrays() -> None:
    nothing = hippodrome.enumerate_tours("3x5", all=True)
    assert nothing.squares.shape == (0, 15) and nothing.closed.shape == (0,)
    assert pyarrow.table(nothing).num_rows == 0 and nothing.numbers.shape == (0, 3, 5)
    counted = hippodrome.enumerate_tours("5x6", all=True, collect=False)
    assert len(counted) == 0 and counted.summary is not None and counted.summary.distinct == 37568
