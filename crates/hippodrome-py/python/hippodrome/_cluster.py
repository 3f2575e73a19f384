"""The cluster of a submission: its scheduler, its workers, and which of them can run the job."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar

from distributed import Client
from distributed.comm.addressing import get_address_host

import hippodrome
from hippodrome import ClusterError, HippodromeError
from hippodrome._dashboard import add_page
from hippodrome._timeout import NoAnswer, all_within, within
from hippodrome._progress import Line
from hippodrome._tasks import Stranger, greeting, shares_there

#: Seconds for all workers to answer when a job is submitted,
GREETING = 20.0
#: and for each worker to answer alone, if one did not.
ONCE_MORE = 5.0
#: Least seconds for an answer of the scheduler.
LEAST = 10.0
#: Seconds until a client notices that its scheduler is gone.
HEARD = 5.0

Answer = TypeVar("Answer")


class SchedulerLost(Exception):
    """The connection to the scheduler broke while tasks were running."""


def said(error: BaseException) -> str:
    """The message of an error, on one line."""
    return " ".join(str(error).split()) or type(error).__name__


def without(who: str, error: BaseException) -> str | None:
    """Says that the package is missing there, if that is the error. Errors arrive as objects or as text."""
    text = f"{type(error).__name__} {error}"
    kinds = ("ImportError", "ModuleNotFoundError", "AttributeError")
    if "hippodrome" in text and any(kind in text for kind in kinds):
        return f"{who} does not have hippodrome {hippodrome.__version__}; install the same version there"
    if "deserialization" in text:
        return (
            f"{who} cannot read the tasks; install the same versions of Python, Dask and hippodrome "
            f"({hippodrome.__version__}) there"
        )
    return None


class Cluster:
    """The scheduler and the workers of one submission."""

    def __init__(self, client: Client, path: str, token: str, reconnect: float, line: Line) -> None:
        self.client = client
        self.path = path
        self.token = token
        self.reconnect = reconnect
        self.line = line
        self.address = str(client.scheduler.address) if client.scheduler else ""
        #: Excluded workers.
        self.strangers: set[str] = set()
        #: The other workers, as last queried, with their threads.
        self.able: dict[str, int] = {}

    def asked(self, question: Callable[[], Answer], seconds: float | None = None) -> Answer:
        """Asks the scheduler. Without ``seconds``, a scheduler that does not answer is an error."""
        self.expect_running()
        try:
            return within(max(self.reconnect, LEAST) if seconds is None else seconds, question)
        except HippodromeError:
            raise
        except NoAnswer:
            if seconds is not None:
                raise
            raise ClusterError(
                f"the scheduler {self.address} does not answer; finished units are kept: start another one with "
                f"workers and submit {self.path} again"
            ) from None
        except Exception as error:
            # If the scheduler is gone, the client notices as well.
            until = time.monotonic() + HEARD
            while time.monotonic() < until:
                self.expect_running()
                time.sleep(0.1)
            raise ClusterError(f"the scheduler {self.address} cannot answer: {said(error)}") from error

    def expect_running(self) -> None:
        if self.client.status != "running":
            raise SchedulerLost

    def expect_open(self) -> None:
        """Raises if the client is closed, because it gave up its scheduler."""
        if self.client.status in ("closing", "closed"):
            raise SchedulerLost

    def back_again(self) -> bool:
        """Waits for the client to reconnect to its scheduler."""
        until = time.monotonic() + self.reconnect
        while time.monotonic() < until and self.client.status not in ("closing", "closed"):
            if self.client.status == "running":
                return True
            time.sleep(0.1)
        return False

    def look(self) -> None:
        """Queries the workers that can run the job."""
        # Ask the scheduler: the client's own list may be empty for a moment.
        there: dict[str, int] = self.asked(self.client.nthreads)
        self.able = {worker: threads for worker, threads in there.items() if worker not in self.strangers}
        self.line.count_workers(len(self.able))

    def hosts(self) -> dict[str, int]:
        """Threads of the usable workers per machine."""
        hosts: dict[str, int] = {}
        for worker, threads in self.able.items():
            host = get_address_host(worker)
            hosts[host] = hosts.get(host, 0) + threads
        return hosts

    def greet(self) -> None:
        """Checks that the scheduler and all connected workers can run the job."""
        self.asked(self.has_package)
        answers = self.answers()
        if any(isinstance(answer, OSError) for answer in answers.values()):
            # A worker that has just left is soon unlisted.
            time.sleep(1.0)
            answers = self.answers()
        for worker, answer in sorted(answers.items()):
            if isinstance(answer, str):
                raise ClusterError(answer)
            if answer is not None:
                raise ClusterError(
                    without(f"worker {worker}", answer)
                    or f"worker {worker} cannot run the job: {said(answer)}; stop it, or check its log"
                )
        self.look()

    def answers(self) -> dict[str, Any]:
        """The answers of the connected workers. Workers that do not answer are excluded."""
        self.look()
        if not self.able:
            return {}
        arguments = (self.path, self.token, hippodrome.__version__)

        def greeted(*workers: str) -> dict[str, Any]:
            return dict(self.client.run(greeting, *arguments, workers=list(workers), on_error="return"))

        try:
            return self.asked(lambda: greeted(*self.able), GREETING)
        except NoAnswer:
            each = all_within(ONCE_MORE, {worker: partial(greeted, worker) for worker in self.able})
        silent = self.able.keys() - each.keys()
        self.strangers |= silent
        self.look()
        for worker in sorted(silent):
            if not self.able:
                raise ClusterError(f"worker {worker} does not answer, and there is no other; stop it, or check its log")
            self.line.say(f"worker {worker} does not answer; continuing without it")
        return {worker: answer for one in each.values() for worker, answer in self.asked(one.result).items()}

    def has_package(self) -> None:
        """Raises if the scheduler cannot unpickle tasks; adds the page to its dashboard."""
        try:
            self.client.run_on_scheduler(add_page)
        except OSError:
            raise
        except Exception as error:
            complaint = without(f"the scheduler {self.address}", error)
            # Some schedulers do not run functions.
            if complaint:
                raise ClusterError(complaint) from None

    def shares(self) -> dict[str, int]:
        """Bytes per thread of the workers that have a memory limit."""
        return self.asked(lambda: dict(self.client.run_on_scheduler(shares_there)))

    def avoid(self, stranger: Stranger) -> None:
        """Excludes a worker that cannot run the job, if there are others. If it has too little memory,
        workers with as little are excluded too."""
        news = stranger.worker not in self.strangers
        self.strangers.add(stranger.worker)
        if stranger.share is not None:
            self.strangers |= {worker for worker, share in self.shares().items() if share <= stranger.share}
        self.look()
        if not self.able:
            raise ClusterError(stranger.complaint)
        if news:
            self.line.say(f"{stranger}; continuing without it")
