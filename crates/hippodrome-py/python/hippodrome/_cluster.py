"""What a submission asks its cluster: who is there, who can take part, and whether the scheduler still is."""

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

#: Seconds that workers have to answer when a job is submitted,
GREETING = 20.0
#: and each of them to answer once more, if one has not.
ONCE_MORE = 5.0
#: Seconds that a scheduler has for any answer, however short a time one would wait for it to come back.
LEAST = 10.0
#: Seconds after which a client has heard that its scheduler is gone.
HEARD = 5.0

Answer = TypeVar("Answer")


class SchedulerLost(Exception):
    """The connection to the scheduler broke while tasks were under way."""


def said(error: BaseException) -> str:
    """What an error says, in a line."""
    return " ".join(str(error).split()) or type(error).__name__


def without(who: str, error: BaseException) -> str | None:
    """That somebody has not the package, if it is that. Errors come as they were, or as texts."""
    text = f"{type(error).__name__} {error}"
    kinds = ("ImportError", "ModuleNotFoundError", "AttributeError")
    if "hippodrome" in text and any(kind in text for kind in kinds):
        return f"{who} has no package hippodrome {hippodrome.__version__}; install it there as here"
    if "deserialization" in text:
        return (
            f"{who} cannot read the tasks; install the same versions of Python, Dask and hippodrome "
            f"{hippodrome.__version__} there as here"
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
        #: Workers that cannot take part.
        self.strangers: set[str] = set()
        #: The others, when they were last asked for, with their threads.
        self.able: dict[str, int] = {}

    def asked(self, question: Callable[[], Answer], seconds: float | None = None) -> Answer:
        """An answer of the scheduler, if it is there. That it says nothing is the end, unless it was asked
        for so many seconds only."""
        self.expect_running()
        try:
            return within(max(self.reconnect, LEAST) if seconds is None else seconds, question)
        except HippodromeError:
            raise
        except NoAnswer:
            if seconds is not None:
                raise
            raise ClusterError(
                f"the scheduler {self.address} does not answer; what is done is kept, so start another one with "
                f"workers and submit {self.path} again"
            ) from None
        except Exception as error:
            # The client hears of it as well, if the scheduler is gone.
            until = time.monotonic() + HEARD
            while time.monotonic() < until:
                self.expect_running()
                time.sleep(0.1)
            raise ClusterError(f"the scheduler {self.address} cannot answer: {said(error)}") from error

    def expect_running(self) -> None:
        if self.client.status != "running":
            raise SchedulerLost

    def expect_open(self) -> None:
        """A client that has given its scheduler up is closed."""
        if self.client.status in ("closing", "closed"):
            raise SchedulerLost

    def back_again(self) -> bool:
        """Waits for the client to find its scheduler again."""
        until = time.monotonic() + self.reconnect
        while time.monotonic() < until and self.client.status not in ("closing", "closed"):
            if self.client.status == "running":
                return True
            time.sleep(0.1)
        return False

    def look(self) -> None:
        """Looks who is there, and can take part."""
        # What the client keeps of the scheduler may tell of none, for a moment.
        there: dict[str, int] = self.asked(self.client.nthreads)
        self.able = {worker: threads for worker, threads in there.items() if worker not in self.strangers}
        self.line.count_workers(len(self.able))

    def hosts(self) -> dict[str, int]:
        """How many threads each machine has of those who can take part."""
        hosts: dict[str, int] = {}
        for worker, threads in self.able.items():
            host = get_address_host(worker)
            hosts[host] = hosts.get(host, 0) + threads
        return hosts

    def greet(self) -> None:
        """Asks the scheduler, and every worker that is there, whether they can take part."""
        self.asked(self.has_package)
        answers = self.answers()
        if any(isinstance(answer, OSError) for answer in answers.values()):
            # A worker that has just gone is soon forgotten.
            time.sleep(1.0)
            answers = self.answers()
        for worker, answer in sorted(answers.items()):
            if isinstance(answer, str):
                raise ClusterError(answer)
            if answer is not None:
                raise ClusterError(
                    without(f"worker {worker}", answer)
                    or f"worker {worker} cannot take part: {said(answer)}; end it, or look at its log"
                )
        self.look()

    def answers(self) -> dict[str, Any]:
        """What the workers say who are there. Those who say nothing are left aside."""
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
                raise ClusterError(f"worker {worker} does not answer, and there is no other; end it, or look at its log")
            self.line.say(f"worker {worker} does not answer; the others go on")
        return {worker: answer for one in each.values() for worker, answer in self.asked(one.result).items()}

    def has_package(self) -> None:
        """Tasks are unpickled by the scheduler, too. Whether they can be is seen as its dashboard gets a page."""
        try:
            self.client.run_on_scheduler(add_page)
        except OSError:
            raise
        except Exception as error:
            complaint = without(f"the scheduler {self.address}", error)
            # Others do not let functions be run on them.
            if complaint:
                raise ClusterError(complaint) from None

    def shares(self) -> dict[str, int]:
        """What workers have for a thread, where they have a limit, in bytes."""
        return self.asked(lambda: dict(self.client.run_on_scheduler(shares_there)))

    def avoid(self, stranger: Stranger) -> None:
        """Leaves a worker aside that cannot take part, if there are others. Where it has too little memory,
        so have those that have no more."""
        news = stranger.worker not in self.strangers
        self.strangers.add(stranger.worker)
        if stranger.share is not None:
            self.strangers |= {worker for worker, share in self.shares().items() if share <= stranger.share}
        self.look()
        if not self.able:
            raise ClusterError(stranger.complaint)
        if news:
            self.line.say(f"{stranger}; the others go on")
