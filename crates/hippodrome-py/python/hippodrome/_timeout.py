"""Calls with a timeout that stay interruptible."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from typing import TypeVar

Answer = TypeVar("Answer")
Name = TypeVar("Name")


class NoReply(Exception):
    """A call did not return in time."""


def all_within(seconds: float, calls: Mapping[Name, Callable[[], Answer]]) -> dict[Name, Future[Answer]]:
    """Makes calls in parallel. Returns the results of the calls that end in time."""
    answers: dict[Name, Future[Answer]] = {name: Future() for name in calls}

    def call(name: Name) -> None:
        try:
            answers[name].set_result(calls[name]())
        except BaseException as error:
            answers[name].set_exception(error)

    # Daemon threads: a call that hangs does not keep the process alive.
    threads = [threading.Thread(target=call, args=(name,), daemon=True) for name in calls]
    for thread in threads:
        thread.start()
    until = time.monotonic() + seconds
    for thread in threads:
        thread.join(max(until - time.monotonic(), 0))
    return {name: answer for name, answer in answers.items() if answer.done()}


def within(seconds: float, call: Callable[[], Answer]) -> Answer:
    """Makes one call. Raises NoReply if it does not return in time."""
    for answer in all_within(seconds, {"": call}).values():
        return answer.result()
    raise NoReply
