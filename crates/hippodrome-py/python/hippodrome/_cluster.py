"""The cluster of a submission: its scheduler, and the workers that can run the job."""

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
from hippodrome._timeout import NoReply, all_within, within
from hippodrome._progress import Line
from hippodrome._tasks import UnusableWorker, check_worker, shares_there

#: Timeout in seconds for the replies of all workers when a job is submitted.
GREETING_TIMEOUT = 20.0
#: Timeout in seconds for one worker, used if some did not reply to the first query.
RETRY_TIMEOUT = 5.0
#: Minimum timeout in seconds for the scheduler.
MIN_TIMEOUT = 10.0
#: Seconds until a client notices that its scheduler is lost.
LOST_TIMEOUT = 5.0

Answer = TypeVar("Answer")


class SchedulerLost(Exception):
    """The connection to the scheduler broke while tasks were running."""


def one_line(error: BaseException) -> str:
    """Returns the message of an error on one line."""
    return " ".join(str(error).split()) or type(error).__name__


def missing_package(who: str, error: BaseException) -> str | None:
    """Explains an error that is caused by a missing package or a different version; None for other errors.

    Errors arrive as objects or as text.
    """
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
        self.excluded: set[str] = set()
        #: Threads of each of the other workers, as last queried.
        self.usable: dict[str, int] = {}

    def ask(self, question: Callable[[], Answer], seconds: float | None = None) -> Answer:
        """Queries the scheduler. Without ``seconds``, a scheduler that does not reply is an error."""
        self.expect_running()
        try:
            return within(max(self.reconnect, MIN_TIMEOUT) if seconds is None else seconds, question)
        except HippodromeError:
            raise
        except NoReply:
            if seconds is not None:
                raise
            raise ClusterError(
                f"the scheduler {self.address} does not answer; finished units are kept: start another one with "
                f"workers and submit {self.path} again"
            ) from None
        except Exception as error:
            # If the connection to the scheduler is lost, the client notices it too.
            until = time.monotonic() + LOST_TIMEOUT
            while time.monotonic() < until:
                self.expect_running()
                time.sleep(0.1)
            raise ClusterError(f"the scheduler {self.address} failed: {one_line(error)}") from error

    def expect_running(self) -> None:
        if self.client.status != "running":
            raise SchedulerLost

    def expect_open(self) -> None:
        """Raises if the client has closed because it lost its scheduler."""
        if self.client.status in ("closing", "closed"):
            raise SchedulerLost

    def wait_for_reconnect(self) -> bool:
        """Waits for the client to reconnect to its scheduler. Returns whether it did."""
        until = time.monotonic() + self.reconnect
        while time.monotonic() < until and self.client.status not in ("closing", "closed"):
            if self.client.status == "running":
                return True
            time.sleep(0.1)
        return False

    def update_workers(self) -> None:
        """Updates the list of usable workers."""
        # Query the scheduler: the client's own list may be empty for a moment.
        there: dict[str, int] = self.ask(self.client.nthreads)
        self.usable = {worker: threads for worker, threads in there.items() if worker not in self.excluded}
        self.line.count_workers(len(self.usable))

    def hosts(self) -> dict[str, int]:
        """Returns the threads of the usable workers per machine."""
        hosts: dict[str, int] = {}
        for worker, threads in self.usable.items():
            host = get_address_host(worker)
            hosts[host] = hosts.get(host, 0) + threads
        return hosts

    def check_workers(self) -> None:
        """Checks that the scheduler and all connected workers can run the job."""
        self.ask(self.has_package)
        answers = self.answers()
        if any(isinstance(answer, OSError) for answer in answers.values()):
            # A worker that has just left disappears from the list soon.
            time.sleep(1.0)
            answers = self.answers()
        for worker, answer in sorted(answers.items()):
            if isinstance(answer, str):
                raise ClusterError(answer)
            if answer is not None:
                raise ClusterError(
                    missing_package(f"worker {worker}", answer)
                    or f"worker {worker} cannot run the job: {one_line(answer)}; stop it, or check its log"
                )
        self.update_workers()

    def answers(self) -> dict[str, Any]:
        """Returns the answers of the connected workers. Excludes workers that do not reply."""
        self.update_workers()
        if not self.usable:
            return {}
        arguments = (self.path, self.token, hippodrome.__version__)

        def check(*workers: str) -> dict[str, Any]:
            return dict(self.client.run(check_worker, *arguments, workers=list(workers), on_error="return"))

        try:
            return self.ask(lambda: check(*self.usable), GREETING_TIMEOUT)
        except NoReply:
            each = all_within(RETRY_TIMEOUT, {worker: partial(check, worker) for worker in self.usable})
        silent = self.usable.keys() - each.keys()
        self.excluded |= silent
        self.update_workers()
        for worker in sorted(silent):
            if not self.usable:
                raise ClusterError(f"worker {worker} does not answer, and there is no other; stop it, or check its log")
            self.line.say(f"worker {worker} does not answer; continuing without it")
        return {worker: answer for one in each.values() for worker, answer in self.ask(one.result).items()}

    def has_package(self) -> None:
        """Raises if the scheduler cannot unpickle tasks; adds the page to its dashboard."""
        try:
            self.client.run_on_scheduler(add_page)
        except OSError:
            raise
        except Exception as error:
            complaint = missing_package(f"the scheduler {self.address}", error)
            # Some schedulers do not run functions.
            if complaint:
                raise ClusterError(complaint) from None

    def shares(self) -> dict[str, int]:
        """Returns the bytes per thread of the workers that have a memory limit."""
        return self.ask(lambda: dict(self.client.run_on_scheduler(shares_there)))

    def exclude(self, unusable: UnusableWorker) -> None:
        """Excludes a worker that cannot run the job; raises if no other worker is left. If it has too little
        memory, workers with as little or less are excluded too."""
        is_new = unusable.worker not in self.excluded
        self.excluded.add(unusable.worker)
        if unusable.share is not None:
            self.excluded |= {worker for worker, share in self.shares().items() if share <= unusable.share}
        self.update_workers()
        if not self.usable:
            raise ClusterError(unusable.complaint)
        if is_new:
            self.line.say(f"{unusable}; continuing without it")
