"""Compares the speed of the package with that of the command, and asserts the results.

    python crates/hippodrome-py/benches/speed.py [--quick] [converting] [enumerating] [sampling] [uniform] [overhead]
        [merging]

Times are medians of runs that alternate between Python and the command. With --quick, runs are too short for
meaningful times, but results are asserted.
"""

from __future__ import annotations

import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import hippodrome
import numpy as np
from distributed import Client, LocalCluster
from hippodrome.dask import submit

ROOT = Path(__file__).resolve().parents[3]
TARGET = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
HIPPO = os.environ.get("HIPPO", str(TARGET / "release/hippo"))


def command(*words: object) -> float:
    """Returns the seconds that a command takes."""
    begun = time.perf_counter()
    done = subprocess.run([HIPPO, *map(str, words), "--quiet"], stdout=subprocess.PIPE, check=False)
    seconds = time.perf_counter() - begun
    # Exit code 4: the search ended without a tour.
    assert done.stdout and done.returncode in (0, 4)
    return seconds


def beside(name: str, runs: int, ours: Callable[[], float], theirs: Callable[[], float]) -> None:
    """Prints the medians of alternating runs, and their ratio."""
    pairs = [(ours(), theirs()) for _ in range(runs)]
    mine, command = (statistics.median(side) for side in zip(*pairs, strict=True))
    print(f"{name}: Python {mine:.3f} s, command {command:.3f} s, {mine / command - 1:+.1%}")


def enumerating(attempts: int, runs: int) -> None:
    def ours() -> float:
        begun = time.perf_counter()
        tours = hippodrome.enumerate_tours("8x8", solver="mace", attempts=attempts)
        assert tours.summary is not None and tours.summary.attempts == attempts
        return time.perf_counter() - begun

    beside(
        f"enumerate 8x8 mace, {attempts:,} attempts, tours collected or printed",
        runs,
        ours,
        lambda: command("enumerate", "8x8", "--solver", "mace", "--attempts", attempts, "--print"),
    )
    counting("8x8", "mace", attempts, runs)


def counting(board: str, solver: str, attempts: int, runs: int, *, closed: bool = False) -> None:
    def ours() -> float:
        begun = time.perf_counter()
        counted = hippodrome.enumerate_tours(board, solver=solver, closed=closed, attempts=attempts, collect=False)
        assert counted.summary is not None and counted.summary.attempts == attempts
        return time.perf_counter() - begun

    words = ["enumerate", board, "--solver", solver, "--attempts", attempts, *(["--closed"] if closed else [])]
    name = f"enumerate {board} {solver}, {attempts:,} attempts, counted only"
    beside(name, runs, ours, lambda: command(*words))


def sampling(board: str, tours: int, runs: int) -> None:
    def ours() -> float:
        begun = time.perf_counter()
        assert len(hippodrome.sample(board, tours, closed=True)) == tours
        return time.perf_counter() - begun

    beside(
        f"sample {board} closed, {tours:,}",
        runs,
        ours,
        lambda: command("sample", board, "--closed", "-n", tours),
    )


def converting(tours: int) -> None:
    drawn = hippodrome.enumerate_tours("8x8", solver="warnsdorff:ties=random", tours=tours)
    begun = time.perf_counter()
    squares = drawn.squares
    seen = time.perf_counter() - begun
    copied = np.array(squares)
    seconds = time.perf_counter() - begun
    assert squares.shape == (tours, 64) and int(copied[0].sum()) == 2016
    print(f"{tours:,} tours of 8x8 to numpy: {seen * 1e3:.3f} ms, {seconds * 1e3:.1f} ms with a copy")


def overhead(board: str, solver: str, attempts: int, runs: int) -> None:
    """Times a job of equal units, with Dask on two workers and with the command on two threads."""
    with tempfile.TemporaryDirectory() as place:
        number = 0
        counts: dict[str, int] = {}

        def fresh() -> tuple[Path, hippodrome.Job]:
            nonlocal number
            number += 1
            folder = Path(place, f"job{number}")
            job = hippodrome.plan(folder, board, solver=solver, attempts=attempts)
            return folder, job

        _, job = fresh()
        with (
            LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster,
            Client(cluster) as client,
        ):

            def ours() -> float:
                folder, job = fresh()
                begun = time.perf_counter()
                result = submit(folder, client)
                seconds = time.perf_counter() - begun
                assert result["units_done"] == job.units
                counts.update({name: result[name] for name in ("tours", "distinct")}, kept=job.status()["keys"])
                shutil.rmtree(folder)
                return seconds

            def theirs() -> float:
                folder, job = fresh()
                begun = time.perf_counter()
                command("enumerate", "--resume", folder, "--threads", 2)
                seconds = time.perf_counter() - begun
                record = json.loads((folder / "record.json").read_text())
                assert record["units_done"] == job.units
                shutil.rmtree(folder)
                return seconds

            beside(f"{job.units} units of {solver} on {board} by Dask on two workers", runs, ours, theirs)
            print("  " + ", ".join(f"{number:,} {name}" for name, number in counts.items()) + " in units")


def main() -> None:
    quick = "--quick" in sys.argv
    runs = 1 if quick else 5
    benches: dict[str, Callable[[], None]] = {
        "converting": lambda: converting(100_000 if quick else 1_000_000),
        "enumerating": lambda: enumerating(200_000 if quick else 10_000_000, runs),
        # The table of 8x8 takes a minute if it is not in the cache.
        "sampling": lambda: sampling("6x6" if quick else "8x8", 20_000 if quick else 1_000_000, runs),
        # Python and the command share a cached table.
        "uniform": lambda: counting(
            "6x6" if quick else "8x8", "uniform", 10_000 if quick else 1_000_000, runs, closed=True
        ),
        # 200 units of about a second that find nothing: this measures scheduling.
        "overhead": lambda: overhead("20x20", "ants-random", 300_000 if quick else 50_323_200, runs),
        # 200 units of half a second, and tours to merge.
        "merging": lambda: overhead("8x8", "mace", 3_000_000 if quick else 345_600_000, runs),
    }
    chosen = [word for word in sys.argv[1:] if word != "--quick"] or list(benches)
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}; the command is {HIPPO}")
    for name in chosen:
        benches[name]()


if __name__ == "__main__":
    main()
