"""The driver that ``hippo job submit`` starts: its arguments, signals and exit codes."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import logging
import os
import shlex
import signal
import sys
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from distributed import Client, Security
from distributed.comm.core import connect
from distributed.comm.registry import get_backend

from hippodrome import ClusterError, HippodromeError, Job, OutOfMemory, UsageError
from hippodrome._cluster import one_line
from hippodrome.dask import MARKS, submit

#: Signals within this many seconds count as one: the terminal and the parent process may both send it.
SIGNAL_WINDOW = 1.0


def connected(address: str, timeout: float) -> Client:
    wrong = UsageError(f"invalid scheduler address '{address}': expected one such as tcp://127.0.0.1:8786")
    try:
        parts = urlsplit(address if "://" in address else f"tcp://{address}")
        complete = parts.hostname and parts.port and parts.scheme != "inproc"
        get_backend(parts.scheme)
    except (ValueError, ImportError):
        raise wrong from None
    if not complete:
        raise wrong
    address = f"{parts.scheme}://{parts.netloc}"
    try:
        # A client would wait forever for a server that accepts the connection and does not reply.
        identity = asyncio.run(asyncio.wait_for(identity_at(address, timeout), timeout))
        if identity.get("type") in ("Worker", "Nanny"):
            raise UsageError(f"{address} is a worker; pass the address of the scheduler")
        return Client(address, timeout=timeout, set_as_default=False)
    except HippodromeError:
        raise
    except Exception as error:
        if isinstance(error, (TypeError, RuntimeError)) and parts.scheme in ("tls", "wss"):
            raise UsageError(
                f"{address} needs certificates; set them in Dask's configuration, under distributed.comm.tls, "
                "or connect in Python and call hippodrome.dask.submit"
            ) from None
        raise ClusterError(
            f"there is no scheduler at {address}; start one with 'dask scheduler', or check the address"
        ) from None


async def identity_at(address: str, timeout: float) -> dict[str, Any]:
    """Queries the identity of the server at an address."""
    comm = await connect(address, timeout=timeout, **Security().get_connection_args("client"))
    try:
        await comm.write({"op": "identity", "reply": True})
        reply = await comm.read()
        return reply if isinstance(reply, dict) else {}
    finally:
        comm.abort()


class Signals:
    """Ctrl-C and SIGTERM: the first signal ends the submission cleanly, a later one immediately."""

    def __init__(self) -> None:
        self.code = 0
        self.first = 0.0
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self.received)

    def received(self, number: int, _: object) -> None:
        if not self.code:
            self.code, self.first = 128 + number, time.monotonic()
            raise KeyboardInterrupt
        if time.monotonic() - self.first > SIGNAL_WINDOW:
            for mark in list(MARKS):
                with contextlib.suppress(OSError):
                    mark.unlink(missing_ok=True)
            os._exit(self.code)


def forward_signals() -> None:
    """Reads signals of the parent process from standard input, one byte each. End of file means SIGTERM."""

    def listen() -> None:
        main = threading.main_thread().ident
        while main is not None:
            byte = os.read(0, 1)
            signal.pthread_kill(main, byte[0] if byte else signal.SIGTERM)
            if not byte:
                return

    threading.Thread(target=listen, daemon=True).start()


def resume_command(given: argparse.Namespace) -> str:
    """Returns the command that resumes the job."""
    folder = f"./{given.folder}" if given.folder.startswith("-") else given.folder
    words = ["hippo", "job", "submit", folder, "--scheduler", given.scheduler]
    seconds = int(given.timeout) if given.timeout == int(given.timeout) else given.timeout
    options: list[tuple[str, Any, Any]] = [("--retries", given.retries, 3), ("--memory", given.memory, None)]
    options += [("--timeout", seconds, 30), ("--python", given.python, "python3")]
    for name, value, default in options:
        if value != default:
            words += [name, str(value)]
    words += [name for name, is_set in (("--json", given.json), ("--quiet", given.quiet)) if is_set]
    return shlex.join(words)


def summary(result: dict[str, Any]) -> str:
    if "directed" in result:
        return f"{result['directed']:,} open tours, {result['undirected']:,} undirected; see {result['out']}/record.json"
    return (
        f"{result['distinct']:,} distinct tours of {result['tours']:,} in "
        f"{result['out']}/tours.parquet, {result['bytes']:,} bytes"
    )


def say(text: str) -> None:
    """Prints to standard output; a closed pipe is not an error."""
    try:
        print(text, flush=True)
    except BrokenPipeError:
        # Discard all further output.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def main(arguments: Sequence[str] | None = None, *, attended: bool = False) -> int:
    """Runs ``hippo job submit``. If ``attended``, signals also arrive on standard input."""
    parser = argparse.ArgumentParser(prog="hippo job submit")
    parser.add_argument("folder", metavar="DIR")
    parser.add_argument("--scheduler", required=True, metavar="ADDRESS")
    parser.add_argument("--retries", type=int, default=3, metavar="N")
    parser.add_argument("--memory", type=int, metavar="BYTES")
    parser.add_argument("--timeout", type=float, default=30.0, metavar="SECONDS")
    # Used only in the resume command, because hippo has already chosen the interpreter.
    parser.add_argument("--python", default="python3", help=argparse.SUPPRESS)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--quiet", action="store_true")
    given = parser.parse_args(arguments)
    # Errors of the cluster are reported once, below.
    logging.disable(logging.CRITICAL)
    signals = Signals()
    try:
        if attended:
            forward_signals()
        # Check the folder before waiting for a scheduler.
        Job(Path(given.folder).absolute())
        with connected(given.scheduler, given.timeout) as client:
            result = submit(
                given.folder,
                client,
                retries=given.retries,
                memory=given.memory,
                reconnect=given.timeout,
                progress=False if given.quiet else None,
            )
    except UsageError as error:
        print(f"hippo: {error}", file=sys.stderr)
        return 2
    except OutOfMemory as error:
        # The exception names a Python keyword; replace it by the flag of the command.
        print(f"hippo: {str(error).split('; ')[0]}; raise --memory", file=sys.stderr)
        return 1
    except HippodromeError as error:
        print(f"hippo: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print(f"interrupted; finished units are kept; resume with: {resume_command(given)}", file=sys.stderr)
        return signals.code or 130
    except Exception as error:
        print(f"hippo: the job failed: {type(error).__name__}: {one_line(error)}", file=sys.stderr)
        return 1
    if given.json:
        # Counts may exceed 2^53.
        printed = {k: str(v) if k in ("directed", "undirected") else v for k, v in result.items()}
        say(json.dumps({"schema": 1, **printed}))
    else:
        say(summary(result))
    return 0
