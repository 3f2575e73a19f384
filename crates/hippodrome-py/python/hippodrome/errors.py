"""The exceptions of this package."""

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
    """Base class of all exceptions of this package."""


class UsageError(HippodromeError, ValueError):
    """An invalid argument, or a solver that does not support the problem.

    >>> import hippodrome
    >>> hippodrome.find("8by8")
    Traceback (most recent call last):
    hippodrome.errors.UsageError: '8by8' is not a board; write ROWSxCOLS, rows first, as in 8x8 or 5x6
    """


class NotATour(UsageError):
    """A list of squares is not a tour."""


class FolderExists(UsageError):
    """The folder to create exists and is not empty."""


class FolderNotFound(UsageError):
    """The folder contains no job."""


class StoreError(HippodromeError, OSError):
    """Reading or writing a job folder failed."""


class Damaged(StoreError):
    """A file of a job folder is damaged; run its unit again."""


class InUse(StoreError):
    """Another process uses the folder."""


class NotReady(StoreError):
    """Units or parts to merge are not done, or not yet visible on this machine."""


# Not a subclass of MemoryError, because Dask would turn that into a plain Exception.
class OutOfMemory(HippodromeError):
    """More memory is needed than is allowed or available."""


class LimitReached(HippodromeError):
    """The budget or the search space was exhausted without a result. This proves nothing."""


class Impossible(HippodromeError):
    """Proof that there is no such tour.

    >>> import hippodrome
    >>> try:
    ...     hippodrome.find("5x5", closed=True)
    ... except hippodrome.Impossible as proof:
    ...     print(proof.theorem)
    Schwenk 1991
    """

    #: The name of the theorem, or "complete search".
    theorem: str
    #: The reason, in a sentence that names the board.
    reason: str

    def __init__(self, reason: str, theorem: str) -> None:
        super().__init__(reason, theorem)
        self.reason = reason
        self.theorem = theorem

    def __str__(self) -> str:
        return f"impossible: {self.reason} ({self.theorem})"


class ClusterError(HippodromeError):
    """A cluster cannot run the job: no scheduler, a folder that is not shared, different versions."""
