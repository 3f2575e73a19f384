"""Hippodrome is a laboratory for knight's tours.

It finds, enumerates, samples, counts and compares them, on any rectangle, with holes, for any
leaper, on any graph. Everything that is returned as a tour has been verified.

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

from hippodrome._hippodrome import (
    Board,
    Count,
    Graph,
    Job,
    Parameter,
    Progress,
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
    race,
    read_tours,
    sample,
    solvers,
)
from hippodrome.errors import (
    ClusterError,
    HippodromeError,
    Impossible,
    LimitReached,
    NotATour,
    StoreError,
    UsageError,
)

__all__ = [
    "Board",
    "ClusterError",
    "Count",
    "Graph",
    "HippodromeError",
    "Impossible",
    "Job",
    "LimitReached",
    "NotATour",
    "Parameter",
    "Progress",
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
    "race",
    "read_tours",
    "sample",
    "solvers",
]
