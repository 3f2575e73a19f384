"""Outputs for progress: a terminal, a notebook, or plain standard error."""

from __future__ import annotations

import contextlib
import os
import sys
from typing import Any


class Plain:
    """Standard error that is not a terminal: one line at a time."""

    #: Seconds between two lines.
    every = 5.0
    #: Whether a line replaces the previous one.
    over = False

    def show(self, text: str) -> None:
        self.say(text)

    def say(self, sentence: str) -> None:
        print(sentence, file=sys.stderr, flush=True)

    def end(self, text: str) -> None:
        """Shows the last line."""


class Terminal(Plain):
    """A line that is overwritten, and erased at the end."""

    every = 0.2
    over = True

    def show(self, text: str) -> None:
        print(self.fitted(text), end="\033[K\r", file=sys.stderr, flush=True)

    def say(self, sentence: str) -> None:
        print(sentence, end="\033[K\n", file=sys.stderr, flush=True)

    def end(self, text: str) -> None:
        print("\033[K", end="", file=sys.stderr, flush=True)

    def fitted(self, text: str) -> str:
        """Cuts the text to the width of the terminal."""
        with contextlib.suppress(OSError):
            width = os.get_terminal_size(sys.stderr.fileno()).columns
            return text if len(text) < width else f"{text[: max(width - 2, 0)]}…"
        return text


class Notebook(Plain):
    """An output of a notebook cell."""

    every = 1.0
    over = True

    def __init__(self) -> None:
        self.output: Any = None

    def show(self, text: str) -> None:
        from IPython.display import display

        shown = {"text/plain": text}
        if self.output is None:
            self.output = display(shown, raw=True, display_id=True)
        else:
            self.output.update(shown, raw=True)

    def end(self, text: str) -> None:
        self.show(text)


def here() -> Plain:
    """Returns the output of this process."""
    # In a notebook, IPython is loaded and its shell has a kernel.
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    if hasattr(shell, "kernel"):
        return Notebook()
    return Terminal() if sys.stderr.isatty() else Plain()
