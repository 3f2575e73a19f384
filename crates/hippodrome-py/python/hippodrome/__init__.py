"""Hippodrome is a laboratory for knight's tours.

It finds, enumerates, samples, counts and compares tours on rectangular boards, with holes and any
leaper, and on any graph. Every returned tour has been verified.

>>> import hippodrome
>>> tour = hippodrome.find("5x5", start="a1", seed=3)
>>> len(tour), tour.start, tour.closed
(25, 'a1', False)
>>> hippodrome.count("6x6", closed=True).undirected
9862
>>> tours = hippodrome.sample("6x6", 1000, closed=True, seed=1)
>>> tours.squares.shape, tours.squares.dtype
((1000, 36), dtype('uint8'))
"""

import importlib
from typing import TYPE_CHECKING

from hippodrome._hippodrome import (
    Board,
    Count,
    Graph,
    Job,
    Parameter,
    Progress,
    Puzzle,
    Solver,
    Standing,
    Summary,
    Tour,
    Tours,
    __version__,
    count,
    enumerate_tours,
    find,
    plan,
    plan_count,
    puzzle,
    race,
    read_tours,
    recurrence,
    sample,
    solvers,
)
from hippodrome.errors import (
    ClusterError,
    Damaged,
    FolderExists,
    FolderNotFound,
    HippodromeError,
    Impossible,
    InUse,
    LimitReached,
    NotATour,
    NotReady,
    OutOfMemory,
    StoreError,
    UsageError,
)

if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        """Loads ``hippodrome.dask`` on first use, because Dask is optional."""
        if name == "dask":
            return importlib.import_module("hippodrome.dask")
        raise AttributeError(f"module 'hippodrome' has no attribute {name!r}")

__all__ = [
    "Board",
    "ClusterError",
    "Count",
    "Damaged",
    "FolderExists",
    "FolderNotFound",
    "Graph",
    "HippodromeError",
    "Impossible",
    "InUse",
    "Job",
    "LimitReached",
    "NotATour",
    "NotReady",
    "OutOfMemory",
    "Parameter",
    "Progress",
    "Puzzle",
    "Solver",
    "Standing",
    "StoreError",
    "Summary",
    "Tour",
    "Tours",
    "UsageError",
    "__version__",
    "count",
    "enumerate_tours",
    "find",
    "plan",
    "plan_count",
    "puzzle",
    "race",
    "read_tours",
    "recurrence",
    "sample",
    "solvers",
]
