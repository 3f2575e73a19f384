"""What can go wrong."""

from __future__ import annotations

__all__ = [
    "ClusterError",
    "Damaged",
    "FolderExists",
    "FolderNotFound",
    "HippodromeError",
    "Impossible",
    "InUse",
    "LimitReached",
    "NotATour",
    "NotReady",
    "OutOfMemory",
    "StoreError",
    "UsageError",
]

class HippodromeError(Exception):
    """Something went wrong. Every exception of this package is one."""


class UsageError(HippodromeError, ValueError):
    """Wrong arguments, or a solver that does not take the problem.

    >>> import hippodrome
    >>> hippodrome.find("8by8")
    Traceback (most recent call last):
    hippodrome.errors.UsageError: '8by8' is not a board; write ROWSxCOLS, rows first, as in 8x8 or 5x6
    """


class NotATour(UsageError):
    """A list of squares that is no tour, and why."""


class FolderExists(UsageError):
    """A folder that is to be made contains something already."""


class FolderNotFound(UsageError):
    """There is no job in the folder."""


class StoreError(HippodromeError, OSError):
    """A job folder or its disk failed."""


class Damaged(StoreError):
    """A file of a job folder is not as it was written; its unit is to be run again."""


class InUse(StoreError):
    """Another process works on the folder."""


class NotReady(StoreError):
    """Units or parts are to be merged that are not done, or not to be seen here yet."""


# Not a MemoryError, which Dask sends as a plain Exception.
class OutOfMemory(HippodromeError):
    """It needs more memory than is allowed or can be had."""


class LimitReached(HippodromeError):
    """The budget is spent, or the method can see no more, without a result. It proves nothing."""


class Impossible(HippodromeError):
    """Proved: there is no such tour.

    >>> import hippodrome
    >>> try:
    ...     hippodrome.find("5x5", closed=True)
    ... except hippodrome.Impossible as proof:
    ...     print(proof.theorem)
    Schwenk 1991
    """

    #: The name of the theorem, or "complete search".
    theorem: str
    #: Why, in a sentence that names the board.
    reason: str

    def __init__(self, reason: str, theorem: str) -> None:
        super().__init__(reason, theorem)
        self.reason = reason
        self.theorem = theorem

    def __str__(self) -> str:
        return f"impossible: {self.reason} ({self.theorem})"


class ClusterError(HippodromeError):
    """A cluster cannot run the job: no scheduler, a folder that is not shared, other versions."""
