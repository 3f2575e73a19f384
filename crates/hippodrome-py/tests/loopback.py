"""A Dask cluster on loopback: a scheduler and workers, each in its own process."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import Future
from pathlib import Path
from typing import Any

from distributed import Client
from hippodrome.dask import submit

#: Timeout in seconds of everything that a test waits for, on a slow and busy machine.
TIMEOUT = 300.0


def until(true: Any, seconds: float = TIMEOUT) -> None:
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "timed out"
        time.sleep(0.02)


class Cluster:
    """A scheduler and its workers, with a folder for their files."""

    def __init__(self, folder: Path, **environment: str) -> None:
        self.folder = folder
        self.environment = environment
        self.workers: dict[str, subprocess.Popen[bytes]] = {}
        folder.mkdir()
        self.log = (folder / "log").open("wb")
        self.scheduler = self.schedule(0)
        self.address = ""
        try:
            until(self.listens)
        except BaseException:
            self.close()
            raise

    def listens(self) -> bool:
        """Whether the scheduler has written its address."""
        file = self.folder / "scheduler.json"
        found = re.search(r'"(tcp://[\d.:]+)"', file.read_text()) if file.exists() else None
        self.address = found[1] if found else ""
        return found is not None

    def schedule(self, port: int) -> subprocess.Popen[bytes]:
        """Starts a scheduler; port 0 means any free port."""
        where = ["--host", "127.0.0.1", "--port", str(port), "--scheduler-file", "scheduler.json"]
        return self.start("scheduler", *where, "--no-dashboard")

    def start(self, *words: str, at: Path | None = None) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "dask", *words]
        environment = {**os.environ, **self.environment}
        return subprocess.Popen(command, cwd=at or self.folder, stdout=self.log, stderr=self.log, env=environment)

    def work(self, *names: str, at: Path | None = None, limit: str = "auto", **environment: str) -> None:
        """Starts workers, in the cluster's folder or another, with a memory limit."""
        self.environment = environment
        for name in names:
            options = ["--nthreads", "1", "--name", name, "--death-timeout", "10", "--memory-limit", limit]
            quiet = ["--no-nanny", "--no-dashboard", "--local-directory", str(self.folder / "scratch")]
            self.workers[name] = self.start("worker", self.address, *options, *quiet, at=at)

    def wait(self, workers: int) -> None:
        """Waits for a number of workers."""
        with Client(self.address, set_as_default=False) as client:
            client.wait_for_workers(workers)

    def signal(self, number: signal.Signals, *names: str) -> None:
        for name in names:
            self.workers[name].send_signal(number)

    def kill(self, name: str) -> None:
        self.signal(signal.SIGKILL, name)
        self.workers[name].wait()

    def names(self, client: Client) -> dict[str, str]:
        """Returns the address of each worker by name, as known to the scheduler."""
        named: dict[str, str] = client.run_on_scheduler(
            lambda dask_scheduler: {str(worker.name): worker.address for worker in dask_scheduler.workers.values()}
        )
        return named

    def close(self) -> None:
        for process in [*self.workers.values(), self.scheduler]:
            process.kill()
            process.wait()
        self.log.close()


def begin(folder: Path, client: Client, **options: Any) -> Future[dict[str, Any]]:
    """Submits a job in the background."""
    going: Future[dict[str, Any]] = Future()

    def work() -> None:
        try:
            going.set_result(submit(folder, client, **options))
        except BaseException as error:
            going.set_exception(error)

    threading.Thread(target=work, daemon=True).start()
    return going


def done(folder: Path) -> int:
    """Returns the number of finished units of a job."""
    return len(list((folder / "units").glob("*.unit")))
