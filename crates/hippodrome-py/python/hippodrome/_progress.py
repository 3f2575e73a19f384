"""Progress of a submitted job, printed and shown on the scheduler's dashboard."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Sequence
from types import TracebackType
from typing import Any

from distributed import Client

from hippodrome import Job, Progress, StoreError
from hippodrome._dashboard import UPDATE_INTERVAL, duration, log_progress
from hippodrome._outputs import here


class Line:
    """The progress of a job, always shown on the dashboard. It is also printed; by default only where a line
    can be overwritten."""

    def __init__(self, job: Job, client: Client, submission: str, shown: bool | None) -> None:
        self.job = job
        self.client = client
        self.submission = submission
        self.output = here()
        self.shown = self.output.over if shown is None else shown
        self.quiet = shown is False
        self.phase = "running"
        self.workers = 0
        self.waiting = False
        self.known: Progress | None = None
        self.begun = time.monotonic()
        self.at_first = 0
        self.last = 0.0
        self.logged = 0.0
        self.result: dict[str, Any] = {}

    def __enter__(self) -> Line:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.phase = "stopped" if kind else "done"
        log_progress(self.client, self.facts())
        if self.shown:
            self.output.end(self.text())

    def count_workers(self, workers: int) -> None:
        """Sets the number of workers. Reports once that there are none, unless the line shows it."""
        self.workers = workers
        if workers:
            self.waiting = False
        elif not self.waiting:
            self.waiting = True
            if not (self.shown and self.output.over):
                address = self.client.scheduler.address if self.client.scheduler else "the scheduler"
                self.say(f"no workers at {address}; waiting")

    def say(self, sentence: str) -> None:
        """Prints a sentence above the line, unless progress is off."""
        if not self.quiet:
            self.output.say(sentence)

    def begin(self, left: Sequence[int]) -> None:
        self.known = Progress(self.job.path)
        missing = set(left)
        for unit in range(self.job.units):
            if unit not in missing:
                self.unit(unit)
        self.begun, self.at_first = time.monotonic(), self.known.done

    def unit(self, unit: int) -> None:
        """Counts a finished unit. A result that is temporarily unreadable is not an error."""
        if self.known is not None:
            with contextlib.suppress(StoreError):
                self.known.add(unit)

    def facts(self) -> dict[str, Any]:
        """Returns the progress as sent to the dashboard."""
        known = self.known
        done = known.done if known else 0
        left = None
        if self.phase == "running" and done > self.at_first:
            each = (time.monotonic() - self.begun) / (done - self.at_first)
            left = each * (self.job.units - done)
        return {
            "submission": self.submission,
            "job": str(self.job.path),
            "kind": self.job.kind,
            "phase": self.phase,
            "units": self.job.units,
            "done": done,
            "attempts": known.attempts if known else 0,
            "tours": known.tours if known else 0,
            "distinct": self.result.get("distinct", known.distinct if known else 0),
            "workers": self.workers,
            "seconds_left": left,
            # The result of a count; as text, because it may exceed 2^53.
            "directed": str(self.result["directed"]) if "directed" in self.result else None,
        }

    def text(self) -> str:
        facts = self.facts()
        parts = [f"{facts['done']:,} of {facts['units']:,} units"]
        if facts["attempts"]:
            parts.append(f"{facts['attempts']:,} attempts")
            parts.append(f"{facts['tours']:,} tours")
        if facts["distinct"]:
            parts.append(f"{'' if self.result else 'about '}{facts['distinct']:,} distinct")
        if not facts["workers"]:
            parts.append("waiting for workers")
        else:
            parts.append(f"{facts['workers']} worker{'' if facts['workers'] == 1 else 's'}")
            if self.phase != "running":
                parts.append(self.phase)
            elif facts["seconds_left"] is not None:
                parts.append(f"{duration(facts['seconds_left'])} left")
        return ", ".join(parts)

    def page_due(self) -> bool:
        """Whether the dashboard is due for an update."""
        return time.monotonic() - self.logged >= UPDATE_INTERVAL

    def show(self) -> None:
        now = time.monotonic()
        if self.shown and now - self.last >= self.output.every:
            self.last = now
            self.output.show(self.text())
        if self.page_due():
            self.logged = now
            log_progress(self.client, self.facts())
