"""The line that tells how far a submitted job is."""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Sequence

from distributed import Client

from hippodrome import Job, Progress


class Line:
    """How far a job is, on standard error: over and over on a terminal, else a line at a time."""

    def __init__(self, job: Job, shown: bool | None) -> None:
        self.job = job
        self.terminal = sys.stderr.isatty()
        self.shown = self.terminal if shown is None else shown
        self.quiet = shown is False
        self.phase = "units"
        self.workers = 0
        self.known: Progress | None = None
        self.begun = time.monotonic()
        self.at_first = 0
        self.last = 0.0

    def wait(self, address: str) -> None:
        """Says that there is nobody to work, where the line does not."""
        if not self.quiet and not (self.shown and self.terminal):
            print(f"no worker is at {address} yet; waiting for one", file=sys.stderr, flush=True)

    def begin(self, left: Sequence[int]) -> None:
        if not self.shown:
            return
        self.known = Progress(self.job.path)
        missing = set(left)
        for unit in range(self.job.units):
            if unit not in missing:
                self.known.add(unit)
        self.begun, self.at_first = time.monotonic(), self.known.done

    def unit(self, unit: int, client: Client) -> None:
        if self.known is not None:
            self.known.add(unit)
        self.show(client)

    def text(self) -> str:
        if self.known is None:
            return self.phase
        done, units = self.known.done, self.job.units
        told = [f"{done:,} of {units:,} units"]
        if self.known.attempts:
            told.append(f"{self.known.attempts:,} attempts")
            told.append(f"{self.known.tours:,} tours")
        if self.known.distinct:
            told.append(f"about {self.known.distinct:,} distinct")
        told.append(f"{self.workers} workers")
        if self.phase != "units":
            told.append(self.phase)
        elif done > self.at_first:
            each = (time.monotonic() - self.begun) / (done - self.at_first)
            told.append(f"{_duration(each * (units - done))} left")
        return ", ".join(told)

    def show(self, client: Client) -> None:
        now = time.monotonic()
        if not self.shown or now - self.last < (0.2 if self.terminal else 5.0):
            return
        self.last = now
        with contextlib.suppress(Exception):
            self.workers = len(client.scheduler_info(n_workers=-1)["workers"])
        end = "\033[K\r" if self.terminal else "\n"
        print(self.text(), end=end, file=sys.stderr, flush=True)

    def end(self) -> None:
        if self.shown and self.terminal:
            print("\033[K", end="", file=sys.stderr, flush=True)


def _duration(seconds: float) -> str:
    minutes, seconds = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"
