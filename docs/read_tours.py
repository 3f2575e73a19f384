"""Reads a store of knight's tours with DuckDB: python docs/read_tours.py DIR/tours.parquet

Counts the tours, decodes them with one SQL expression, follows their moves over the board, and prints
each as `hippo export --format digits` does. Needs `pip install duckdb`.
"""

import json
import sys

import duckdb


def squares(moves, start, cols, jumps):
    """The squares of a tour, numbered from the bottom left, row by row."""
    row, col = divmod(start, cols)
    path = [(row, col)] + [(row := row + jumps[m][0], col := col + jumps[m][1]) for m in moves]
    return [r * cols + c for r, c in path]


def main(file):
    about = {
        key.decode(): value.decode()
        for key, value in duckdb.sql(
            f"SELECT key, value FROM parquet_kv_metadata('{file}')"
        ).fetchall()
    }
    rows, cols = map(int, about["board"].split("x"))
    jumps = json.loads(about["moves_up_right"])
    bits, length = int(about["bits"]), rows * cols - 1
    each = 64 // bits
    words = ", ".join(f"k{i}" for i in range(-(-length // each)))
    # Move i is stored in word i // each, with the first move in the highest bits. For 8x8 this is
    # ([k0, k1, k2][i // 21 + 1] >> (60 - 3 * (i % 21))) & 7
    move = f"([{words}][i // {each} + 1] >> ({bits} * ({each - 1} - i % {each}))) & {2**bits - 1}"
    tours = duckdb.sql(
        f"SELECT list_transform(range({length}), lambda i: {move}) AS moves, start, closed "
        f"FROM '{file}' ORDER BY {words}"
    )
    for moves, start, closed in tours.fetchall():
        path = squares(moves, start, cols, jumps)
        assert sorted(path) == list(range(rows * cols)), "every square once"
        name = chr(ord("a") + start % cols) + str(start // cols + 1)
        home = [path[0] // cols - path[-1] // cols, path[0] % cols - path[-1] % cols]
        assert closed == (home in jumps), "closed tours return"
        digits = moves + [jumps.index(home)] if closed else moves
        print(name, "".join(map(str, digits)))
    count, distinct = duckdb.sql(
        f"SELECT count(*), count(DISTINCT ({words})) FROM '{file}'"
    ).fetchall()[0]
    assert count == distinct == int(about["tours_distinct"]), "each tour once"
    print(f"{count} tours, {about['tours_closed']} closed", file=sys.stderr)


main(sys.argv[1])
