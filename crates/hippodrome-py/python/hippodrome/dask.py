"""Job folders on a Dask cluster: Dask schedules and retries, the units do the work.

The folder lies on storage that the workers share. Its units are run wherever Dask puts them, its parts
are merged side by side if there is much to merge, and the end is the same ``tours.parquet`` that one
machine makes, to the byte. Units may be started twice and killed at any time. Nothing is kept in the
cluster: after any accident, submit the folder again, and what is missing is done.

>>> import hippodrome, tempfile
>>> from distributed import Client, LocalCluster
>>> from hippodrome.dask import submit
>>> folder = tempfile.mkdtemp()
>>> job = hippodrome.plan(folder, "5x5", solver="exact", all=True)
>>> with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
...     with Client(cluster) as client:
...         submit(folder, client)["distinct"]
1728
"""

from __future__ import annotations

import argparse
import contextlib
import functools
import json
import logging
import os
import queue
import sys
import time
import uuid
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from distributed import Client, KilledWorker, get_worker
from distributed.comm.addressing import parse_address
from distributed.comm.registry import get_backend

import hippodrome
from hippodrome import ClusterError, HippodromeError, Job, Progress, StoreError, UsageError

__all__ = ["submit"]

#: More tours than this are merged part by part on the cluster before they are put together.
QUICKLY_MERGED = 1_000_000
#: Seconds that the last step waits for units that were given up as lost and are still running.
STRAGGLERS = 600.0
#: Seconds after which a submission that has left its mark in a folder is surely over.
FORGOTTEN = 30 * 24 * 3600.0


def submit(
    job_folder: str | os.PathLike[str],
    client: Client,
    *,
    retries: int = 3,
    memory: int | None = None,
    reconnect: float = 30.0,
    progress: bool | None = None,
) -> dict[str, Any]:
    """Runs what is missing of a job folder on a cluster, merges it, and tells what came of it.

    ``memory`` is for each task, in bytes. A task that fails is tried ``retries`` times again; one whose
    worker dies is done elsewhere. A scheduler that is lost may come back within ``reconnect`` seconds.
    ``progress`` is shown on standard error; by default only on a terminal.
    """
    path = Path(job_folder).resolve()
    job = Job(path)
    shown = sys.stderr.isatty() if progress is None else progress
    begun = time.monotonic()
    with _token(path) as token:
        run = _Submission(job, client, token, retries, memory, reconnect, _Line(job, shown))
        run.greet()
        run.units(job.missing())
        return run.merged(begun)


@contextlib.contextmanager
def _token(path: Path) -> Iterator[str]:
    """A file that a worker sees exactly if the folder is shared."""
    token = uuid.uuid4().hex[:12]
    file = path / f".submitted-{token}"
    try:
        file.touch(exist_ok=False)
    except OSError as error:
        raise StoreError(f"cannot write {path}: {(error.strerror or 'it failed').lower()}") from None
    # Those who were killed have left theirs; others may be leaving just now.
    with contextlib.suppress(OSError):
        for other in path.glob(".submitted-*"):
            if file.stat().st_mtime - other.stat().st_mtime > FORGOTTEN:
                other.unlink(missing_ok=True)
    try:
        yield token
    finally:
        file.unlink(missing_ok=True)


def _complaint(path: str, token: str, version: str, worker: str) -> str | None:
    """What keeps this worker from taking part in a job, if anything does."""
    if version != hippodrome.__version__:
        return (
            f"worker {worker} has hippodrome {hippodrome.__version__} and the job was submitted with "
            f"{version}; install the same version everywhere"
        )
    if not Path(path, f".submitted-{token}").exists():
        return (
            f"worker {worker} cannot see {path}; put the job folder on storage that all workers "
            "share under the same name"
        )
    return None


def _greeting(path: str, token: str, version: str, dask_worker: Any = None) -> str | None:
    """Run once on every worker that is there when a job is submitted."""
    return _complaint(path, token, version, dask_worker.address)


@functools.lru_cache(maxsize=4)
def _job(path: str, token: str, version: str) -> Job:
    """The job, looked at once by each process of a worker."""
    complaint = _complaint(path, token, version, get_worker().address)
    if complaint:
        raise ClusterError(complaint)
    return Job(path)


def _unit(path: str, token: str, version: str, memory: int | None, unit: int) -> int:
    job = _job(path, token, version)
    if job.kind == "count" and memory is None:
        memory = _share()
    if not job.run_unit(unit, memory=memory):
        raise StoreError(f"unit {unit} of {path} was stopped before its end")
    return unit


def _share() -> int | None:
    """The memory of one task of this worker, where it has a limit."""
    worker = get_worker()
    limit = worker.memory_manager.memory_limit
    # The rest is for the interpreter, and keeps the worker below the mark where it pauses.
    return limit * 3 // 4 // worker.state.nthreads if limit else None


def _part(path: str, token: str, version: str, memory: int | None, part: int) -> int:
    _job(path, token, version).merge_part(part, memory=memory)
    return part


def _merge(path: str, token: str, version: str, memory: int | None, seconds: float) -> dict[str, Any]:
    job = _job(path, token, version)
    begun = time.monotonic()
    while True:
        try:
            waited = time.monotonic() - begun
            threads = get_worker().state.nthreads
            return job.merge(threads=threads, memory=memory, seconds=seconds + waited)
        except StoreError as error:
            if "in use by another process" not in str(error) or waited > STRAGGLERS:
                raise
            time.sleep(0.2)


class _SchedulerLost(Exception):
    """The connection to the scheduler broke while tasks were under way."""


class _Submission:
    """One job on one cluster."""

    def __init__(
        self,
        job: Job,
        client: Client,
        token: str,
        retries: int,
        memory: int | None,
        reconnect: float,
        line: _Line,
    ) -> None:
        self.job = job
        self.client = client
        self.token = token
        self.retries = retries
        self.memory = memory
        self.reconnect = reconnect
        self.line = line
        self.path = str(job.path)
        self.address = client.scheduler.address if client.scheduler else ""
        self.rounds = 0

    def greet(self) -> None:
        """Asks every worker that is there whether it can take part."""
        arguments = (self.path, self.token, hippodrome.__version__)
        answers = self.client.run(_greeting, *arguments, on_error="return")
        for worker, answer in sorted(answers.items()):
            if isinstance(answer, (ImportError, AttributeError)):
                raise ClusterError(
                    f"worker {worker} has no package hippodrome {hippodrome.__version__}; install it "
                    "there as here"
                )
            if isinstance(answer, str):
                raise ClusterError(answer)
        self.line.workers = len(answers)

    def each(self, name: str, task: Callable[..., Any], values: Sequence[Any]) -> Iterator[Any]:
        """Runs a task for each value and yields the value, or what a merge gave, when it is done."""
        self.rounds += 1
        arrived: queue.SimpleQueue[Any] = queue.SimpleQueue()
        fixed = (self.path, self.token, hippodrome.__version__, self.memory)
        pending: dict[str, tuple[Any, Any]] = {}
        for number, value in enumerate(values):
            key = f"{name}-{self.token}-{self.rounds}-{number}"
            options = {"key": key, "retries": self.retries, "pure": False}
            pending[key] = (self.client.submit(task, *fixed, value, **options), value)
        for future, _ in pending.values():
            future.add_done_callback(arrived.put)
        try:
            while pending:
                try:
                    future = arrived.get(timeout=0.5)
                except queue.Empty:
                    self.line.show(self.client)
                    if self.client.status in ("closing", "closed"):
                        raise _SchedulerLost from None
                    continue
                # Results lie in the folder: nothing is fetched, and nothing is missed of a dead worker.
                _, value = pending.pop(future.key)
                self.check(name, future)
                yield future.result() if name == "merge" else value
        finally:
            if pending and self.client.status == "running":
                with contextlib.suppress(Exception):
                    self.client.cancel([future for future, _ in pending.values()], force=True)

    def check(self, name: str, future: Any) -> None:
        """What a task raised, if anything, in a sentence."""
        if future.status == "finished":
            return
        if future.status != "error":
            raise _SchedulerLost
        error = future.exception()
        if isinstance(error, HippodromeError):
            raise error
        if isinstance(error, KilledWorker):
            raise ClusterError(
                f"a {name} of {self.path} was on worker after worker when they died, last on "
                f"{error.last_worker.address}; look at their logs, give them more memory, and submit "
                "the folder again"
            ) from None
        if isinstance(error, (ImportError, AttributeError)):
            raise ClusterError(
                f"a worker has no package hippodrome {hippodrome.__version__}; install it there as here"
            ) from error
        raise ClusterError(f"a {name} of {self.path} failed: {error}") from error

    def lasting(self, step: Callable[[], Any]) -> Any:
        """Does a step, again if the scheduler was lost and comes back in time."""
        while True:
            try:
                return step()
            except _SchedulerLost:
                if not self.back_again():
                    raise ClusterError(
                        f"the scheduler {self.address} is lost; what is done is kept, so start a scheduler "
                        f"and workers and submit {self.path} again"
                    ) from None

    def back_again(self) -> bool:
        """Waits for the client to find its scheduler again."""
        until = time.monotonic() + self.reconnect
        while time.monotonic() < until and self.client.status not in ("closing", "closed"):
            if self.client.status == "running":
                return True
            time.sleep(0.1)
        return False

    def units(self, units: list[int]) -> None:
        """Runs units until none is missing."""

        given: list[list[int]] = [units]

        def step() -> None:
            # A scheduler that was lost leaves what is missing then.
            left = given.pop() if given else self.job.missing()
            self.line.begin(left)
            for unit in self.each("unit", _unit, left):
                self.line.unit(unit, self.client)

        self.lasting(step)

    def merged(self, begun: float) -> dict[str, Any]:
        """Merges; a result that turns out to be damaged is made again, once."""
        for again in (True, False):
            try:
                result = dict(self.lasting(lambda: self.merge_once(begun)))
                self.line.end()
                return result
            except StoreError as error:
                if "is damaged" not in str(error) or not again:
                    raise
                # Units look at every byte of what is there, and do again what is not as written.
                self.units(list(range(self.job.units)))
        raise AssertionError("the second try returns or raises")

    def merge_once(self, begun: float) -> Any:
        if self.job.status().get("keys", 0) > QUICKLY_MERGED:
            self.line.phase = "merging parts"
            for _ in self.each("part", _part, range(self.job.parts)):
                self.line.show(self.client)
        self.line.phase = "merging"
        (result,) = self.each("merge", _merge, [time.monotonic() - begun])
        return result


class _Line:
    """How far a job is, on standard error: over and over on a terminal, else a line at a time."""

    def __init__(self, job: Job, shown: bool) -> None:
        self.job = job
        self.shown = shown
        self.terminal = sys.stderr.isatty()
        self.phase = "units"
        self.workers = 0
        self.known: Progress | None = None
        self.begun = time.monotonic()
        self.at_first = 0
        self.last = 0.0

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


def _connected(address: str, timeout: float) -> Client:
    try:
        get_backend(parse_address(address)[0])
    except ValueError:
        raise UsageError(
            f"'{address}' is not the address of a scheduler; write it as in tcp://127.0.0.1:8786"
        ) from None
    try:
        return Client(address, timeout=timeout, set_as_default=False)
    except (OSError, TimeoutError):
        raise ClusterError(
            f"there is no scheduler at {address}; start one with 'dask scheduler', or check the address"
        ) from None


def _summary(result: dict[str, Any]) -> str:
    if result["kind"] == "count":
        return f"{result['directed']:,} open tours, {result['undirected']:,} undirected; see {result['out']}/record.json"
    return (
        f"{result['distinct']:,} distinct tours of {result['tours']:,} in "
        f"{result['out']}/tours.parquet, {result['bytes']:,} bytes"
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """The command ``hippo job submit``: what ``python -m hippodrome.dask`` runs."""
    parser = argparse.ArgumentParser(prog="hippo job submit")
    parser.add_argument("folder", metavar="DIR")
    parser.add_argument("--scheduler", required=True, metavar="ADDRESS")
    parser.add_argument("--retries", type=int, default=3, metavar="N")
    parser.add_argument("--memory", type=int, metavar="BYTES")
    parser.add_argument("--timeout", type=float, default=30.0, metavar="SECONDS")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--quiet", action="store_true")
    given = parser.parse_args(arguments)
    # What the cluster's own machinery complains of is said once, in a sentence, below.
    logging.disable(logging.CRITICAL)
    try:
        # A folder that is none is told of before anybody waits for a scheduler.
        Job(Path(given.folder).resolve())
        with _connected(given.scheduler, given.timeout) as client:
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
    except HippodromeError as error:
        print(f"hippo: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        again = f"hippo job submit {given.folder} --scheduler {given.scheduler}"
        print(f"interrupted; nothing is lost; go on with: {again}", file=sys.stderr)
        return 130
    if given.json:
        # Counts may pass 2^53.
        told = {k: str(v) if k in ("directed", "undirected") else v for k, v in result.items()}
        print(json.dumps({"schema": 1, **told}))
    else:
        print(_summary(result))
    return 0


if __name__ == "__main__":
    sys.exit(main())
