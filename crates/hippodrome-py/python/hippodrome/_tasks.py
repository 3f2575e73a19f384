"""Tasks of a submitted job: a unit, a part of the merge, the final merge."""

from __future__ import annotations

import functools
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from distributed import get_worker
from distributed.comm.addressing import get_address_host

import hippodrome
from hippodrome import ClusterError, Job, StoreError
from hippodrome.errors import InUse, NotReady, OutOfMemory

#: Seconds that a task waits for a folder in use by another merge, or by units of a lost worker.
IN_USE_TIMEOUT = 600.0
#: Seconds that a task waits until shared storage shows the files of other workers.
NOT_READY_TIMEOUT = 60.0

Result = TypeVar("Result")


def complaint_of(path: str, token: str, version: str, worker: str) -> str | None:
    """Returns the reason why this worker cannot run the job, if there is one."""
    if version != hippodrome.__version__:
        return (
            f"worker {worker} has hippodrome {hippodrome.__version__} and the job was submitted with "
            f"{version}; install the same version everywhere"
        )
    if not mark_of(path, token).exists():
        return (
            f"worker {worker} cannot see {path}; put the job folder on storage that all workers "
            "share under the same name"
        )
    return None


def check_worker(path: str, token: str, version: str, dask_worker: Any = None) -> str | None:
    """Checks a connected worker when a job is submitted; runs on the worker."""
    return complaint_of(path, token, version, dask_worker.address)


class UnusableWorker(ClusterError):
    """A worker cannot run the job. If its memory per thread is too small, ``share`` is that memory."""

    def __init__(self, complaint: str, worker: str, share: int | None = None) -> None:
        super().__init__(complaint, worker, share)
        self.complaint = complaint
        self.worker = worker
        self.share = share

    def __str__(self) -> str:
        return self.complaint


@functools.lru_cache(maxsize=4)
def job_at(path: str, token: str, version: str) -> Job:
    """Opens the job, once per worker process."""
    worker = get_worker().address
    complaint = complaint_of(path, token, version, worker)
    if complaint:
        raise UnusableWorker(complaint, worker)
    return Job(path)


def mark_of(path: str, token: str) -> Path:
    """Returns the file that exists while a submission runs."""
    return Path(path, f".submitted-{token}")


def retry_while_busy(mark: Path, work: Callable[[], Result]) -> Result:
    """Repeats work while the folder is in use or incomplete, until a timeout or the end of the submission."""
    begun = time.monotonic()
    while True:
        try:
            return work()
        except (InUse, NotReady) as error:
            longest = IN_USE_TIMEOUT if isinstance(error, InUse) else NOT_READY_TIMEOUT
            if time.monotonic() - begun > longest or not mark.exists():
                raise
            time.sleep(0.2)


def run_unit(path: str, token: str, version: str, memory: int | None, unit: int) -> int:
    job = job_at(path, token, version)
    own = share() if job.kind == "count" and memory is None else None
    try:
        done = retry_while_busy(mark_of(path, token), lambda: job.run_unit(unit, memory=memory or own))
    except OutOfMemory as error:
        if own is None:
            raise
        worker = get_worker().address
        complaint = f"worker {worker} has too little memory per thread: {error}; see dask worker --memory-limit"
        raise UnusableWorker(complaint, worker, own) from None
    if not done:
        raise StoreError(f"unit {unit} of {path} was interrupted")
    return unit


def share() -> int | None:
    """Returns the bytes per task on this worker, if it has a limit."""
    worker = get_worker()
    limit = worker.memory_manager.memory_limit
    return share_of(limit, worker.state.nthreads) if limit else None


def share_of(limit: int, threads: int) -> int:
    """Returns the bytes per task of a worker with this limit."""
    # The rest is for the interpreter, and keeps the worker below its pause threshold.
    return limit * 3 // 4 // threads


def shares_there(dask_scheduler: Any = None) -> dict[str, int]:
    """Returns the bytes per task of each worker that has a limit; runs on the scheduler."""
    workers = [worker for worker in dask_scheduler.workers.values() if worker.memory_limit]
    return {worker.address: share_of(worker.memory_limit, worker.nthreads) for worker in workers}


def merge_part(path: str, token: str, version: str, memory: int | None, part: int) -> int:
    job = job_at(path, token, version)
    retry_while_busy(mark_of(path, token), lambda: job.merge_part(part, memory=memory))
    return part


def encode_part(path: str, token: str, version: str, memory: int | None, part: int) -> int:
    job = job_at(path, token, version)
    retry_while_busy(mark_of(path, token), lambda: job.encode_part(part, memory=memory))
    return part


def merge(
    path: str, token: str, version: str, memory: int | None, value: tuple[float, dict[str, int]]
) -> dict[str, Any]:
    """Runs the final merge, with the threads of all workers on its machine, which are idle by then."""
    job = job_at(path, token, version)
    begun = time.monotonic()
    seconds, hosts = value
    worker = get_worker()
    threads = hosts.get(get_address_host(worker.address), worker.state.nthreads)

    def work() -> dict[str, Any]:
        waited = time.monotonic() - begun
        return job.merge(threads=threads, memory=memory, seconds=seconds + waited)

    return retry_while_busy(mark_of(path, token), work)
