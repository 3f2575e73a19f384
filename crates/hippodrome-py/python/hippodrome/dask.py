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

import contextlib
import functools
import os
import queue
import time
import uuid
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NoReturn

from distributed import Client, KilledWorker, get_worker

import hippodrome
from hippodrome import ClusterError, HippodromeError, Job, StoreError
from hippodrome._dashboard import add_page
from hippodrome._progress import Line

__all__ = ["submit"]

#: More tours than this are merged and encoded part by part on the cluster before they are put together,
QUICKLY_MERGED = 10_000_000
#: if so many threads can do it: all in all it is twice the work.
MERGING_APART = 4
#: Seconds that the last step waits for units that were given up as lost and are still running.
STRAGGLERS = 600.0
#: Seconds after which a submission that has left its mark in a folder is surely over.
FORGOTTEN = 30 * 24 * 3600.0
#: Marks of submissions of this process.
MARKS: set[Path] = set()


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

    ``memory`` is for each task, in bytes. A task that fails is tried ``retries`` times again, unless it
    would fail anywhere; one whose worker dies is done elsewhere. A scheduler that is lost may come back
    within ``reconnect`` seconds. ``progress`` is shown on standard error; by default only on a terminal.
    """
    _check(client)
    path = Path(job_folder).absolute()
    job = Job(path)
    begun = time.monotonic()
    with _token(path) as token, Line(job, client, token, progress) as line:
        run = _Submission(job, client, token, retries, memory, reconnect, line)
        run.lasting(run.greet)
        missing = job.missing()
        if missing:
            run.lasting(run.foresee)
        run.units(missing)
        line.result = run.merged(begun)
        return line.result


def _check(client: Any) -> None:
    """That this is a client which can be used."""
    if not isinstance(client, Client):
        raise TypeError(f'{client!r} is not a client; give a distributed.Client, as in Client("tcp://127.0.0.1:8786")')
    if client.asynchronous:
        raise TypeError("this client is asynchronous; give one that was made without asynchronous=True")
    if client.status in ("closing", "closed"):
        raise ClusterError("this client is closed; connect another one to the scheduler")


def said(error: BaseException) -> str:
    """What an error says, in a line."""
    return " ".join(str(error).split()) or type(error).__name__


def _without(who: str, error: BaseException) -> str | None:
    """That somebody has not the package, if it is that. Errors come as they were, or as texts."""
    said = f"{type(error).__name__} {error}"
    if any(kind in said for kind in ("ImportError", "ModuleNotFoundError", "AttributeError", "deserialization")):
        return f"{who} has no package hippodrome {hippodrome.__version__}; install it there as here"
    return None


@contextlib.contextmanager
def _token(path: Path) -> Iterator[str]:
    """A file that a worker sees exactly if the folder is shared."""
    token = uuid.uuid4().hex[:12]
    file = path / f".submitted-{token}"
    try:
        file.touch(exist_ok=False)
    except OSError as error:
        raise StoreError(f"cannot write {path}: {(error.strerror or 'it failed').lower()}") from None
    MARKS.add(file)
    # Those who were killed have left theirs; others may be leaving just now.
    with contextlib.suppress(OSError):
        for other in path.glob(".submitted-*"):
            if file.stat().st_mtime - other.stat().st_mtime > FORGOTTEN:
                other.unlink(missing_ok=True)
    try:
        yield token
    finally:
        file.unlink(missing_ok=True)
        MARKS.discard(file)


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
    return _share_of(limit, worker.state.nthreads) if limit else None


def _share_of(limit: int, threads: int) -> int:
    """The memory of one task of a worker with such a limit."""
    # The rest is for the interpreter, and keeps the worker below the mark where it pauses.
    return limit * 3 // 4 // threads


def _part(path: str, token: str, version: str, memory: int | None, part: int) -> int:
    _job(path, token, version).merge_part(part, memory=memory)
    return part


def _rows(path: str, token: str, version: str, memory: int | None, part: int) -> int:
    _job(path, token, version).encode_part(part, memory=memory)
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


def _may_pass(error: BaseException) -> bool:
    """Whether a task that failed may do better next time. Disks do, and other workers; a count that needs
    more memory than it may have does not, and a task on which workers died was tried enough."""
    if isinstance(error, HippodromeError):
        return isinstance(error, (StoreError, ClusterError))
    return not isinstance(error, KilledWorker)


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
        line: Line,
    ) -> None:
        self.job = job
        self.client = client
        self.token = token
        self.retries = retries
        self.memory = memory
        self.reconnect = reconnect
        self.line = line
        self.path = str(job.path)
        self.address = str(client.scheduler.address) if client.scheduler else ""
        self.rounds = 0

    def greet(self) -> None:
        """Asks the scheduler, and every worker that is there, whether they can take part."""
        self.asked(self.has_package)
        arguments = (self.path, self.token, hippodrome.__version__)
        answers = self.asked(lambda: self.client.run(_greeting, *arguments, on_error="return"))
        if any(isinstance(answer, OSError) for answer in answers.values()):
            # A worker that has just gone is soon forgotten.
            time.sleep(1.0)
            answers = self.asked(lambda: self.client.run(_greeting, *arguments, on_error="return"))
        for worker, answer in sorted(answers.items()):
            if isinstance(answer, str):
                raise ClusterError(answer)
            if answer is not None:
                raise ClusterError(
                    _without(f"worker {worker}", answer)
                    or f"worker {worker} cannot take part: {said(answer)}; end it, or look at its log"
                )
        self.line.workers = len(answers)
        if not answers:
            self.line.wait(self.address)

    def has_package(self) -> None:
        """Tasks are unpickled by the scheduler, too. Whether they can be is seen as its dashboard gets a page."""
        try:
            self.client.run_on_scheduler(add_page)
        except OSError:
            raise
        except Exception as error:
            complaint = _without(f"the scheduler {self.address}", error)
            # Others do not let functions be run on them.
            if complaint:
                raise ClusterError(complaint) from None

    def asked(self, question: Callable[[], Any]) -> Any:
        """An answer of the scheduler, if it is there."""
        try:
            if self.client.status != "running":
                raise _SchedulerLost
            return question()
        except (HippodromeError, _SchedulerLost):
            raise
        except Exception as error:
            # The client hears of it as well.
            time.sleep(1.0)
            if self.client.status != "running":
                raise _SchedulerLost from None
            raise ClusterError(f"the scheduler {self.address} does not answer: {said(error)}") from error

    def workers(self) -> list[dict[str, Any]]:
        """What the scheduler knows of the workers."""
        return list(self.asked(lambda: self.client.scheduler_info(n_workers=-1)["workers"]).values())

    def threads(self) -> int:
        """How many tasks can run at a time."""
        return sum(worker["nthreads"] for worker in self.workers())

    def foresee(self) -> None:
        """That what a worker has for a thread is enough for a class of ends, as far as can be told."""
        if self.job.kind != "count":
            return
        memory = self.memory
        if memory is None:
            shares = [_share_of(w["memory_limit"], w["nthreads"]) for w in self.workers() if w["memory_limit"]]
            if not shares:
                return
            memory = min(shares)
        self.job._foresee(memory)

    def each(self, name: str, task: Callable[..., Any], values: Sequence[Any]) -> Iterator[Any]:
        """Runs a task for each value and yields the value, or what a merge gave, when it is done."""
        self.rounds += 1
        arrived: queue.SimpleQueue[Any] = queue.SimpleQueue()
        fixed = (self.path, self.token, hippodrome.__version__, self.memory)
        pending: dict[str, tuple[Any, int, Any, int]] = {}

        def give(number: int, value: Any, failed: int) -> None:
            if self.client.status in ("closing", "closed"):
                raise _SchedulerLost
            key = f"{name}-{self.token}-{self.rounds}-{number}-{failed}"
            future = self.client.submit(task, *fixed, value, key=key, pure=False)
            pending[key] = (future, number, value, failed)
            future.add_done_callback(arrived.put)

        try:
            for number, value in enumerate(values):
                give(number, value, 0)
            while pending:
                try:
                    future = arrived.get(timeout=0.5)
                except queue.Empty:
                    self.line.show()
                    if self.client.status in ("closing", "closed"):
                        raise _SchedulerLost from None
                    continue
                # Results lie in the folder: nothing is fetched, and nothing is missed of a dead worker.
                _, number, value, failed = pending.pop(future.key)
                error = self.error(future)
                if error is None:
                    yield future.result() if name == "merge" else value
                elif failed < self.retries and _may_pass(error):
                    give(number, value, failed + 1)
                else:
                    self.complain(name, error)
        finally:
            if pending and self.client.status == "running":
                with contextlib.suppress(Exception):
                    self.client.cancel([future for future, *_ in pending.values()], force=True)

    def error(self, future: Any) -> BaseException | None:
        """What a task raised, if anything."""
        if future.status == "finished":
            return None
        if future.status != "error":
            raise _SchedulerLost
        error: BaseException = future.exception()
        return error

    def complain(self, name: str, error: BaseException) -> NoReturn:
        """What a task raised, in a sentence."""
        if isinstance(error, HippodromeError):
            raise error
        if isinstance(error, KilledWorker):
            raise ClusterError(
                f"a {name} of {self.path} was on worker after worker when they died, last on "
                f"{error.last_worker.address}; look at their logs, give them more memory, and submit "
                "the folder again"
            ) from None
        complaint = _without("a worker or the scheduler", error)
        raise ClusterError(complaint or f"a {name} of {self.path} failed: {said(error)}") from error

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
                self.line.unit(unit)

        self.lasting(step)

    def merged(self, begun: float) -> dict[str, Any]:
        """Merges; a result that turns out to be damaged is made again, once."""
        for again in (True, False):
            try:
                return dict(self.lasting(lambda: self.merge_once(begun)))
            except StoreError as error:
                if "is damaged" not in str(error) or not again:
                    raise
                # Units look at every byte of what is there, and do again what is not as written.
                self.units(list(range(self.job.units)))
        raise AssertionError("the second try returns or raises")

    def merge_once(self, begun: float) -> Any:
        if self.job.status().get("keys", 0) > QUICKLY_MERGED and self.threads() >= MERGING_APART:
            for phase, name, task in (("merging parts", "part", _part), ("encoding parts", "rows", _rows)):
                self.line.phase = phase
                for _ in self.each(name, task, range(self.job.parts)):
                    self.line.show()
        self.line.phase = "merging"
        (result,) = self.each("merge", _merge, [time.monotonic() - begun])
        return result
