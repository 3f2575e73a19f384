"""Runs job folders on a Dask cluster.

The folder must be on storage that all workers share. Dask schedules the units and retries them; large
results are merged in parallel. The resulting ``tours.parquet`` is identical, byte for byte, to that of a run on one
machine. Units can be started twice or killed at any time. The cluster keeps no state: after a failure, submit the
folder again to run the missing units.

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
import os
import queue
import time
import uuid
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn

from distributed import Client, KilledWorker

import hippodrome
from hippodrome import ClusterError, HippodromeError, Job, StoreError, UsageError
from hippodrome._cluster import Cluster, SchedulerLost, missing_package, one_line
from hippodrome._timeout import within
from hippodrome._progress import Line
from hippodrome._tasks import UnusableWorker, encode_part, merge, merge_part, run_unit
from hippodrome.errors import Damaged, InUse, NotReady

__all__ = ["submit"]

#: With more tours than this, parts are merged and encoded in parallel on the cluster.
PARALLEL_MERGE_TOURS = 10_000_000
#: Minimum number of threads for merging in parts, which doubles the work.
PARALLEL_MERGE_THREADS = 4
#: Seconds before the first retry of a failed task; the delay doubles with each further retry.
RETRY_DELAY = 0.5
#: Maximum delay before a retry, in seconds.
MAX_RETRY_DELAY = 30.0
#: Tasks submitted per thread if some workers are excluded.
TASKS_PER_THREAD = 2
#: Seconds after which the mark of a submission is stale.
STALE_MARK_AGE = 30 * 24 * 3600.0
#: Marks of the submissions of this process.
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
    """Runs the missing units of a job folder on a cluster, merges the results, and returns the summary.

    ``memory`` is the limit per task in bytes. A failed task is retried up to ``retries`` times, unless it
    would fail on every worker; if its worker dies, it runs on another one. If the connection to the scheduler is
    lost, the submission waits for ``reconnect`` seconds, or the client's ``timeout`` if that is shorter.
    ``progress`` is printed to standard error or below a notebook cell; by default only on a terminal and in
    notebooks.
    """
    _check(client)
    if retries < 0:
        raise UsageError(f"invalid value {retries} for retries: expected a whole number, 0 or more")
    path = Path(job_folder).absolute()
    job = Job(path)
    begun = time.monotonic()
    with _token(path) as token, Line(job, client, token, progress) as line:
        run = _Submission(job, Cluster(client, str(path), token, reconnect, line), retries, memory)
        run.with_reconnect(run.cluster.check_workers)
        missing = job.missing()
        if missing:
            run.with_reconnect(run.foresee)
        run.units(missing)
        line.result = run.merged(begun)
        return line.result


def _check(client: Any) -> None:
    """Raises unless the client is usable."""
    if not isinstance(client, Client):
        raise TypeError(f'{client!r} is not a client; pass a distributed.Client, as in Client("tcp://127.0.0.1:8786")')
    if client.asynchronous:
        raise TypeError("this client is asynchronous; pass one that was created without asynchronous=True")
    if client.status in ("closing", "closed"):
        raise ClusterError("this client is closed; connect another one to the scheduler")


@contextlib.contextmanager
def _token(path: Path) -> Iterator[str]:
    """Creates a file that a worker sees if and only if the folder is shared."""
    token = uuid.uuid4().hex[:12]
    file = path / f".submitted-{token}"
    try:
        file.touch(exist_ok=False)
    except OSError as error:
        raise StoreError(f"cannot write {path}: {(error.strerror or 'it failed').lower()}") from None
    MARKS.add(file)
    # Remove the marks of killed submissions; other processes may be removing them too.
    with contextlib.suppress(OSError):
        for other in path.glob(".submitted-*"):
            if file.stat().st_mtime - other.stat().st_mtime > STALE_MARK_AGE:
                other.unlink(missing_ok=True)
    try:
        yield token
    finally:
        file.unlink(missing_ok=True)
        MARKS.discard(file)


def _is_transient(error: BaseException) -> bool:
    """Whether a retry may succeed. It may after a disk error, but not after a lack of memory, for a task that has
    waited too long, or for a task that killed its workers."""
    if isinstance(error, HippodromeError):
        return isinstance(error, StoreError) and not isinstance(error, (Damaged, InUse, NotReady))
    return not isinstance(error, KilledWorker)


@dataclass
class _Try:
    """A value for which a task is run, and the number of attempts so far."""

    number: int
    value: Any
    given: int = 0
    failed: int = 0
    #: When to submit it again.
    due: float = 0.0
    #: Workers that may run it; empty for any.
    workers: list[str] = field(default_factory=list)


class _Submission:
    """One job on one cluster."""

    def __init__(self, job: Job, cluster: Cluster, retries: int, memory: int | None) -> None:
        self.job = job
        self.cluster = cluster
        self.client = cluster.client
        self.line = cluster.line
        self.path = cluster.path
        self.retries = retries
        self.memory = memory
        self.rounds = 0

    def foresee(self) -> None:
        """Raises if the memory per thread of a worker is predicted to be too small for a unit of a count."""
        if self.job.kind != "count":
            return
        memory = self.memory
        if memory is None:
            shares = self.cluster.shares()
            if not shares:
                return
            memory = min(shares.values())
        try:
            self.job._foresee(memory)
        except HippodromeError as error:
            if self.memory is not None:
                raise
            raise ClusterError(
                f"{one_line(error)}; this is the memory per thread of a worker; start workers with more: dask worker --memory-limit"
            ) from None

    def each(self, name: str, task: Callable[..., Any], values: Sequence[Any]) -> Iterator[Any]:
        """Runs a task for each value. Yields each value when its task is done; for a merge, yields its result."""
        self.rounds += 1
        arrived: queue.SimpleQueue[Any] = queue.SimpleQueue()
        fixed = (self.path, self.cluster.token, hippodrome.__version__, self.memory)
        waiting = [_Try(number, value) for number, value in enumerate(values)]
        pending: dict[str, tuple[Any, _Try]] = {}

        def start(one: _Try) -> None:
            self.cluster.expect_open()
            key = f"{name}-{self.cluster.token}-{self.rounds}-{one.number}-{one.given}"
            one.given += 1
            one.workers = list(self.cluster.usable) if self.cluster.excluded else []
            future = self.client.submit(task, *fixed, one.value, key=key, pure=False, workers=one.workers or None)
            pending[key] = (future, one)
            future.add_done_callback(arrived.put)

        def orphaned() -> list[_Try]:
            """Removes and returns the tasks that wait for lost workers."""
            usable = self.cluster.usable
            gone = [key for key, (_, one) in pending.items() if one.workers and usable.keys().isdisjoint(one.workers)]
            return [one for _, one in map(pending.pop, gone)]

        try:
            while pending or waiting:
                if self.line.page_due():
                    self.cluster.update_workers()
                    waiting += orphaned()
                self.line.show()
                now = time.monotonic()
                due = [one for one in waiting if one.due <= now][: self.capacity(len(pending))]
                given = {one.number for one in due}
                waiting = [one for one in waiting if one.number not in given]
                for one in due:
                    start(one)
                try:
                    future = arrived.get(timeout=0.5)
                except queue.Empty:
                    self.cluster.expect_open()
                    continue
                if future.key not in pending:
                    continue
                # Results are stored in the folder, not fetched from workers, so they survive the death of a worker.
                _, one = pending.pop(future.key)
                error = self.error(future)
                if error is None:
                    yield future.result() if name == "merge" else one.value
                    continue
                if isinstance(error, UnusableWorker):
                    self.cluster.exclude(error)
                elif one.failed < self.retries and _is_transient(error):
                    one.due = time.monotonic() + min(RETRY_DELAY * 2**one.failed, MAX_RETRY_DELAY)
                    one.failed += 1
                else:
                    self.fail(name, error)
                waiting.append(one)
        finally:
            if pending and self.client.status == "running":
                futures = [future for future, _ in pending.values()]
                with contextlib.suppress(Exception):
                    within(2.0, lambda: self.client.cancel(futures, force=True))

    def capacity(self, pending: int) -> int | None:
        """Returns how many more tasks to submit; None for no limit. There is a limit only if workers are excluded,
        because a task submitted to the others cannot run on workers that join later."""
        if not self.cluster.excluded:
            return None
        return max(TASKS_PER_THREAD * sum(self.cluster.usable.values()) - pending, 0)

    def error(self, future: Any) -> BaseException | None:
        """Returns the exception of a task, if any."""
        if future.status == "finished":
            return None
        if future.status != "error":
            raise SchedulerLost
        error: BaseException = future.exception()
        return error

    def fail(self, name: str, error: BaseException) -> NoReturn:
        """Raises the exception of a task with a readable message."""
        if isinstance(error, HippodromeError):
            raise error
        if isinstance(error, KilledWorker):
            raise ClusterError(
                f"a {name} of {self.path} killed several workers, last {error.last_worker.address}; "
                "check their logs, give them more memory, and submit the folder again"
            ) from None
        complaint = missing_package("a worker or the scheduler", error)
        raise ClusterError(complaint or f"a {name} of {self.path} failed: {one_line(error)}") from error

    def with_reconnect(self, step: Callable[[], Any]) -> Any:
        """Runs a step, and repeats it if the scheduler was lost and comes back in time."""
        while True:
            try:
                return step()
            except SchedulerLost:
                if not self.cluster.wait_for_reconnect():
                    raise ClusterError(
                        f"the scheduler {self.cluster.address} is lost; finished units are kept: start a scheduler "
                        f"and workers and submit {self.path} again"
                    ) from None

    def units(self, units: list[int]) -> None:
        """Runs units until none is missing."""

        given: list[list[int]] = [units]

        def step() -> None:
            # After a reconnect, read the missing units from the folder.
            left = given.pop() if given else self.job.missing()
            self.line.begin(left)
            for unit in self.each("unit", run_unit, left):
                self.line.unit(unit)

        self.with_reconnect(step)

    def merged(self, begun: float) -> dict[str, Any]:
        """Merges the results of all units. Damaged or missing results are rebuilt once."""
        try:
            return dict(self.with_reconnect(lambda: self.merge_once(begun)))
        except Damaged:
            # Units verify their results and rebuild damaged ones.
            self.units(list(range(self.job.units)))
        except NotReady:
            self.units(self.job.missing())
        return dict(self.with_reconnect(lambda: self.merge_once(begun)))

    def merge_once(self, begun: float) -> Any:
        self.cluster.update_workers()
        threads = sum(self.cluster.usable.values())
        if self.job.status().get("keys", 0) > PARALLEL_MERGE_TOURS and threads >= PARALLEL_MERGE_THREADS:
            for phase, name, task in (("merging parts", "part", merge_part), ("encoding parts", "rows", encode_part)):
                self.line.phase = phase
                for _ in self.each(name, task, range(self.job.parts)):
                    pass
        self.line.phase = "merging"
        (result,) = self.each("merge", merge, [(time.monotonic() - begun, self.cluster.hosts())])
        return result
