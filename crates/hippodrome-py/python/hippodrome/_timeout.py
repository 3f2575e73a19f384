"""Questions that may find no answer: who asks waits for some time only, and can be interrupted meanwhile."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from typing import TypeVar

Answer = TypeVar("Answer")
Name = TypeVar("Name")


class NoAnswer(Exception):
    """There was no answer in time."""


def all_within(seconds: float, questions: Mapping[Name, Callable[[], Answer]]) -> dict[Name, Future[Answer]]:
    """The answers to questions, asked side by side, that come in time."""
    answers: dict[Name, Future[Answer]] = {name: Future() for name in questions}

    def ask(name: Name) -> None:
        try:
            answers[name].set_result(questions[name]())
        except BaseException as error:
            answers[name].set_exception(error)

    # Those that wait for ever keep nobody from ending.
    asking = [threading.Thread(target=ask, args=(name,), daemon=True) for name in questions]
    for thread in asking:
        thread.start()
    until = time.monotonic() + seconds
    for thread in asking:
        thread.join(max(until - time.monotonic(), 0))
    return {name: answer for name, answer in answers.items() if answer.done()}


def within(seconds: float, question: Callable[[], Answer]) -> Answer:
    """The answer to a question, if it comes in time."""
    for answer in all_within(seconds, {"": question}).values():
        return answer.result()
    raise NoAnswer
