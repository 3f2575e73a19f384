"""A real cluster on loopback: workers killed and late, the scheduler lost, and the same bytes."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import os
import re
import shlex
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import hippodrome
import hippodrome.dask
import numpy as np
import pytest
from distributed import Client
from hippodrome import ClusterError, Job
from hippodrome._progress import Line
from hippodrome.dask import submit

#: A job that lasts much longer than a worker takes to start.
ATTEMPTS = 16_000_000
#: Seconds after which something that should happen will not, on a slow and busy machine.
PATIENCE = 300.0


def digest(folder: Path) -> str:
    return hashlib.sha256((folder / "tours.parquet").read_bytes()).hexdigest()


def until(true: Any, seconds: float = PATIENCE) -> None:
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "it takes too long"
        time.sleep(0.02)


class Cluster:
    """A scheduler and workers, each a process of its own, as README starts them."""

    def __init__(self, folder: Path, **environment: str) -> None:
        self.folder = folder
        self.environment = environment
        self.workers: dict[str, subprocess.Popen[bytes]] = {}
        folder.mkdir()
        self.log = (folder / "log").open("wb")
        self.scheduler = self.start(
            "scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--scheduler-file", "scheduler.json"
        )
        self.address = ""
        try:
            until(self.listens)
        except BaseException:
            self.close()
            raise

    def listens(self) -> bool:
        """Whether the scheduler has written where it is."""
        file = self.folder / "scheduler.json"
        found = re.search(r'"(tcp://[\d.:]+)"', file.read_text()) if file.exists() else None
        self.address = found[1] if found else ""
        return found is not None

    def start(self, *words: str) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "dask", *words]
        environment = {**os.environ, **self.environment}
        return subprocess.Popen(command, cwd=self.folder, stdout=self.log, stderr=self.log, env=environment)

    def work(self, *names: str, **environment: str) -> None:
        self.environment = environment
        for name in names:
            options = ["--nthreads", "1", "--name", name, "--death-timeout", "10"]
            quiet = ["--no-nanny", "--no-dashboard", "--local-directory", str(self.folder / "scratch")]
            self.workers[name] = self.start("worker", self.address, *options, *quiet)

    def kill(self, name: str) -> None:
        self.workers[name].send_signal(signal.SIGKILL)
        self.workers[name].wait()

    def names(self, client: Client) -> set[str]:
        """Who is there, as the scheduler knows it."""
        return {str(worker["name"]) for worker in client.scheduler_info(n_workers=-1)["workers"].values()}

    def close(self) -> None:
        for process in [*self.workers.values(), self.scheduler]:
            process.kill()
            process.wait()
        self.log.close()


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    cluster = Cluster(tmp_path / "cluster")
    yield cluster
    cluster.close()


@pytest.fixture(scope="module")
def expected(hippo: Any, tmp_path_factory: pytest.TempPathFactory) -> str:
    """What one machine makes."""
    folder = tmp_path_factory.mktemp("alone") / "job"
    options = ["--solver", "mace", "--attempts", ATTEMPTS, "--seed", 5]
    assert hippo("enumerate", "6x6", *options, "--quiet", "--out", folder).returncode == 0
    return digest(folder)


def plan(folder: Path) -> Job:
    return hippodrome.plan(folder, "6x6", solver="mace", attempts=ATTEMPTS, seed=5)


def done(folder: Path) -> int:
    return len(list((folder / "units").glob("*.unit")))


def test_workers_die_and_join_and_the_scheduler_is_lost(
    cluster: Cluster, hippo_path: Path, expected: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Of four workers one is killed in the middle, one joins, another is killed. Parts are merged and encoded
    # apart, as if there were many tours.
    monkeypatch.setattr(hippodrome.dask, "QUICKLY_MERGED", 1000)
    monkeypatch.setattr(hippodrome.dask, "MERGING_APART", 3)
    first = tmp_path / "first"
    units = plan(first).units
    assert units >= 16
    cluster.work("w1", "w2", "w3", "w4")
    results: list[dict[str, Any]] = []
    with Client(cluster.address, set_as_default=False) as client:
        client.wait_for_workers(4)
        job = threading.Thread(target=lambda: results.append(submit(first, client)), daemon=True)
        job.start()
        until(lambda: done(first) >= 2)
        cluster.work("late")
        cluster.kill("w1")
        until(lambda: "late" in cluster.names(client))
        cluster.kill("w2")
        assert done(first) < units, "the job was over before workers were killed"
        job.join(timeout=PATIENCE)
        assert results, "the job did not end"
        assert cluster.names(client) == {"w3", "w4", "late"}
        done_of_each = client.run_on_scheduler(
            lambda dask_scheduler: {name: prefix.state_counts for name, prefix in dask_scheduler.task_prefixes.items()}
        )
        assert done_of_each["part"]["memory"] >= 64 and done_of_each["rows"]["memory"] >= 64
    assert digest(first) == expected
    assert results[0]["units_done"] == units
    assert not list(first.glob(".submitted-*"))

    # The scheduler is killed in the middle: the command says so, and nothing is lost.
    second = tmp_path / "second"
    plan(second)
    command = [str(hippo_path), "job", "submit", str(second), "--python", sys.executable, "--timeout", "15"]
    going = subprocess.Popen(
        [*command, "--scheduler", cluster.address], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    until(lambda: done(second) >= 2)
    cluster.scheduler.kill()
    before = done(second)
    output, errors = going.communicate(timeout=PATIENCE)
    assert going.returncode == 1 and output == "", errors
    assert re.fullmatch(
        r"hippo: the scheduler tcp://[\d.:]+ is lost; what is done is kept, so start a scheduler and workers "
        r"and submit \S+ again\n",
        errors,
    ), errors
    cluster.close()

    # Another scheduler and two workers go on where it was lost.
    kept = {file.name: file.stat().st_mtime_ns for file in (second / "units").glob("*.unit")}
    assert before <= len(kept)
    again = Cluster(tmp_path / "again")
    try:
        again.work("w5", "w6")
        finished = subprocess.run(
            [*command, "--scheduler", again.address, "--json"],
            capture_output=True,
            text=True,
            check=False,
            timeout=PATIENCE,
        )
    finally:
        again.close()
    assert finished.returncode == 0, finished.stderr
    assert '"distinct"' in finished.stdout
    assert digest(second) == expected
    assert all((second / "units" / name).stat().st_mtime_ns == at for name, at in kept.items())


@contextlib.contextmanager
def unmarked(_: Path) -> Iterator[str]:
    """A submission whose mark the workers do not see."""
    yield "0123456789ab"


def test_what_a_cluster_lacks_is_said_in_a_sentence(
    cluster: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "job"
    hippodrome.plan(folder, "5x5", all=True)
    cluster.work("w1")
    with Client(cluster.address, set_as_default=False) as client:
        client.wait_for_workers(1)
        with monkeypatch.context() as patch:
            patch.setattr(hippodrome, "__version__", "9.9.9")
            with pytest.raises(ClusterError) as raised:
                submit(folder, client)
            assert re.fullmatch(
                r"worker tcp://[\d.:]+ has hippodrome \d\.\d\.\d and the job was submitted with 9\.9\.9; "
                r"install the same version everywhere",
                str(raised.value),
            )
        # A worker that sees another folder under the same name sees no mark of this submission.
        with monkeypatch.context() as patch:
            patch.setattr(hippodrome.dask, "_token", unmarked)
            with pytest.raises(ClusterError) as raised:
                submit(folder, client)
            assert re.fullmatch(
                r"worker tcp://[\d.:]+ cannot see \S+/job; put the job folder on storage that all workers "
                r"share under the same name",
                str(raised.value),
            )
        assert submit(folder, client)["distinct"] == 1728
        # A job that is done is merged again to the same bytes, and nothing is run.
        before = digest(folder)
        assert submit(folder, client)["distinct"] == 1728 and digest(folder) == before


@pytest.fixture
def blocked(tmp_path: Path) -> str:
    """Where Python finds what keeps it from finding the package."""
    (tmp_path / "blocked").mkdir()
    (tmp_path / "blocked/sitecustomize.py").write_text(
        "import sys\n"
        "class Blocked:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name.split('.')[0] == 'hippodrome':\n"
        "            raise ModuleNotFoundError(f'No module named {name!r}', name=name)\n"
        "sys.meta_path.insert(0, Blocked())\n"
    )
    return str(tmp_path / "blocked")


def test_who_has_no_package_is_named(cluster: Cluster, tmp_path: Path, blocked: str) -> None:
    folder = tmp_path / "job"
    hippodrome.plan(folder, "5x5", all=True)
    cluster.work("w1")
    cluster.work("bare", PYTHONPATH=blocked)
    with Client(cluster.address, set_as_default=False) as client:
        client.wait_for_workers(2)
        with pytest.raises(ClusterError) as raised:
            submit(folder, client)
        (bare,) = (w for w, about in client.scheduler_info(n_workers=-1)["workers"].items() if about["name"] == "bare")
    version = re.escape(hippodrome.__version__)
    assert re.fullmatch(
        rf"worker {re.escape(bare)} has no package hippodrome {version}; install it there as here", str(raised.value)
    )
    alone = Cluster(tmp_path / "alone", PYTHONPATH=blocked)
    try:
        alone.work("w1")
        with Client(alone.address, set_as_default=False) as client, pytest.raises(ClusterError) as raised:
            client.wait_for_workers(1)
            submit(folder, client)
    finally:
        alone.close()
    assert re.fullmatch(
        rf"the scheduler tcp://[\d.:]+ has no package hippodrome {version}; install it there as here",
        str(raised.value),
    )
    assert not list(folder.glob(".submitted-*"))


def test_a_client_that_cannot_be_used_is_refused(cluster: Cluster, tmp_path: Path) -> None:
    folder = tmp_path / "job"
    hippodrome.plan(folder, "5x5", all=True)
    untyped: Any = submit
    with pytest.raises(TypeError, match="'tcp://127.0.0.1:8786' is not a client; give a distributed.Client"):
        untyped(folder, "tcp://127.0.0.1:8786")
    closed = Client(cluster.address, set_as_default=False)
    closed.close()
    with pytest.raises(ClusterError, match="this client is closed"):
        submit(folder, closed)

    async def asynchronously() -> None:
        async with Client(cluster.address, asynchronous=True, set_as_default=False) as client:
            submit(folder, client)

    with pytest.raises(TypeError, match="this client is asynchronous"):
        asyncio.run(asynchronously())
    with Client(cluster.address, set_as_default=False) as lost:
        cluster.scheduler.kill()
        cluster.scheduler.wait()
        with pytest.raises(ClusterError, match=r"the scheduler tcp://[\d.:]+ is lost; what is done is kept"):
            submit(folder, lost, reconnect=1.0)
    assert not list(folder.glob(".submitted-*"))


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGKILL, -9)])
def test_signals_to_the_command_alone_end_the_driver_in_order(
    cluster: Cluster, hippo_path: Path, tmp_path: Path, number: signal.Signals, code: int
) -> None:
    folder = tmp_path / "a job"
    hippodrome.plan(folder, "5x5", all=True)
    options = ["--python", sys.executable, "--memory", "700M", "--timeout", "20", "--retries", "1"]
    command = [str(hippo_path), "job", "submit", str(folder), "--scheduler", cluster.address, *options]
    pipes: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    with subprocess.Popen(command, start_new_session=True, **pipes) as going:
        # There is nobody to work, which is said once.
        assert going.stderr is not None
        assert going.stderr.readline() == f"no worker is at {cluster.address} yet; waiting for one\n"
        assert len(list(folder.glob(".submitted-*"))) == 1
        going.send_signal(number)
        assert going.wait(timeout=PATIENCE) == code
        until(lambda: not list(folder.glob(".submitted-*")))
        errors = going.stderr.read()
    told = re.fullmatch(r"interrupted; nothing is lost; go on with: (.*)\n", errors)
    assert told, errors
    again = shlex.split(told[1])
    assert again[:6] == ["hippo", "job", "submit", str(folder), "--scheduler", cluster.address]
    assert dict(zip(again[6::2], again[7::2], strict=True)) == {
        "--python": sys.executable,
        "--memory": str(700 << 20),
        "--timeout": "20",
        "--retries": "1",
    }


def test_a_count_that_needs_more_memory_is_refused_at_once(cluster: Cluster, tmp_path: Path) -> None:
    folder = tmp_path / "eight"
    hippodrome.plan_count(folder, "8x8")
    cluster.work("w1")
    begun = time.monotonic()
    with Client(cluster.address, set_as_default=False) as client, pytest.raises(hippodrome.HippodromeError) as raised:
        client.wait_for_workers(1)
        submit(folder, client, memory=50 << 20)
    assert not isinstance(raised.value, hippodrome.StoreError)
    assert "needs more than the 50.0 MiB of memory allowed" in str(raised.value)
    assert time.monotonic() - begun < 60 and done(folder) == 0


def test_only_what_may_pass_is_tried_again(cluster: Cluster, tmp_path: Path) -> None:
    folder = tmp_path / "job"
    job = hippodrome.plan(folder, "5x5", all=True)
    cluster.work("w1")

    def fails(_: str, __: str, ___: str, ____: int | None, kind: str) -> None:
        with Path(where, kind).open("a") as file:
            file.write("x")
        raise {"store": hippodrome.StoreError, "count": hippodrome.HippodromeError, "else": RuntimeError}[kind](kind)

    where = str(tmp_path)
    with Client(cluster.address, set_as_default=False) as client:
        line = Line(job, client, "0123456789ab", shown=False)
        run = hippodrome.dask._Submission(job, client, "0123456789ab", 2, None, 5.0, line)
        for kind, tried in (("store", 3), ("count", 1), ("else", 3)):
            with pytest.raises(hippodrome.HippodromeError, match=kind):
                list(run.each("unit", fails, [kind]))
            assert (tmp_path / kind).read_text() == "x" * tried


def test_results_come_back_from_workers(cluster: Cluster) -> None:
    cluster.work("w1")
    with Client(cluster.address, set_as_default=False) as client:
        drawn = client.submit(hippodrome.sample, "6x6", 50, seed=3).result()
        assert np.array_equal(drawn.squares, hippodrome.sample("6x6", 50, seed=3).squares)
        assert drawn.summary.tours == 50
        assert client.submit(hippodrome.count, "5x6").result().directed == 37568


def test_an_open_count_is_a_job(cluster: Cluster, tmp_path: Path) -> None:
    job = hippodrome.plan_count(tmp_path / "six", "6x6")
    assert (job.kind, job.parts) == ("count", 0)
    cluster.work("w1", "w2")
    with Client(cluster.address, set_as_default=False) as client:
        result = submit(tmp_path / "six", client)
    assert (result["directed"], result["undirected"]) == (6_637_920, 3_318_960)
    assert result["units_done"] == job.units and result["checks"]
    assert '"6637920"' in (tmp_path / "six/record.json").read_text()


def test_a_damaged_result_is_made_again(cluster: Cluster, tmp_path: Path) -> None:
    folder = tmp_path / "job"
    job = hippodrome.plan(folder, "5x5", all=True)
    for unit in job.missing():
        job.run_unit(unit)
    damaged = max((folder / "units").glob("*.unit"), key=lambda file: file.stat().st_size)
    whole = damaged.read_bytes()
    damaged.write_bytes(whole[:40] + bytes([whole[40] ^ 1]) + whole[41:])
    cluster.work("w1")
    with Client(cluster.address, set_as_default=False) as client:
        assert submit(folder, client)["distinct"] == 1728
    assert damaged.read_bytes() == whole


def test_progress_tells_units_attempts_tours_and_the_time_left(cluster: Cluster, tmp_path: Path) -> None:
    job = hippodrome.plan(tmp_path / "job", "6x6", solver="mace", attempts=3_000_000)
    left = job.missing()
    assert len(left) > 3
    job.run_unit(left[0])
    with Client(cluster.address, set_as_default=False) as client:
        line = Line(job, client, "0123456789ab", shown=True)
        line.begin(left[1:])
        assert f"1 of {job.units} units" in line.text() and "left" not in line.text()
        job.run_unit(left[1])
        line.unit(left[1])
        counted = job.status()
        told = rf"2 of {job.units} units, {counted['attempts']:,} attempts, {counted['tours']:,} tours, "
        assert re.fullmatch(told + r"about [\d,]+ distinct, 0 workers, [\d:]+ left", line.text()), line.text()
        # The dashboard is told the same.
        ((_, facts),) = client.get_events("hippodrome")
        assert (facts["done"], facts["attempts"], facts["tours"]) == (2, counted["attempts"], counted["tours"])
        assert facts["distinct"] > 0 and facts["seconds_left"] > 0


def test_the_dashboard_has_a_page_of_jobs(cluster: Cluster, tmp_path: Path) -> None:
    folder = tmp_path / "<b>job"
    units = plan(folder).units
    results: list[dict[str, Any]] = []
    with Client(cluster.address, set_as_default=False) as client:
        port = client.scheduler_info()["services"]["dashboard"]

        def page(prefix: str = "") -> str:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}{prefix}/hippodrome", timeout=10) as answer:
                return str(answer.read(), "utf-8")

        with pytest.raises(urllib.error.HTTPError, match="404"):
            page()
        cluster.work("w1", "w2")
        client.wait_for_workers(2)
        job = threading.Thread(target=lambda: results.append(submit(folder, client)), daemon=True)
        job.start()
        until(lambda: client.get_events("hippodrome"))
        until(lambda: "<dt>time left</dt>" in page() or results)
        going = page("/some/prefix")
        assert not results, "the job was over before its page was looked at"
        assert "&lt;b&gt;job</h2>" in going and "<b>" not in going
        told = rf'max="{units}" value="\d+".*<dt>units</dt><dd>\d+ of {units}</dd>.*<dt>attempts</dt><dd>[\d,]+</dd>'
        assert re.search(told + r".*<dd>about [\d,]+</dd>.*<dt>workers</dt><dd>2</dd>.*<dd>[\d:]+</dd>", going), going
        job.join(timeout=PATIENCE)
        (result,) = results
        assert f"<dd>done</dd></div><div><dt>units</dt><dd>{units} of {units}</dd>" in page()
        assert f"<dt>distinct</dt><dd>{result['distinct']:,}</dd>" in page()
        # What fails says so, above what came before.
        with pytest.raises(hippodrome.HippodromeError):
            hippodrome.plan_count(tmp_path / "eight", "8x8")
            submit(tmp_path / "eight", client, memory=50 << 20)
        assert re.search(r"/eight</h2>.*<dd>stopped</dd>.*&lt;b&gt;job</h2>", page(), re.DOTALL)


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (
            ["DIR", "--scheduler", "tcp://127.0.0.1:9"],
            1,
            "hippo: there is no scheduler at tcp://127.0.0.1:9; start one with 'dask scheduler', or check the address\n",
        ),
        (
            ["DIR", "--scheduler", "nonsense://x"],
            2,
            "hippo: 'nonsense://x' is not the address of a scheduler; write it as in tcp://127.0.0.1:8786\n",
        ),
        *(
            (
                ["DIR", "--scheduler", wrong],
                2,
                f"hippo: '{wrong}' is not the address of a scheduler; write it as in tcp://127.0.0.1:8786\n",
            )
            for wrong in ["localhost", "", "tcp://127.0.0.1:abc", "tcp://[::1:8786", "inproc://x", "tcp://:8786"]
        ),
        (["DIR", "--scheduler", "tls://127.0.0.1:9"], 2, "hippo: tls://127.0.0.1:9 needs certificates"),
        (["/nowhere/at/all", "--scheduler", "tcp://127.0.0.1:9"], 2, "hippo: /nowhere/at/all is not a job folder"),
    ],
)
def test_a_wrong_address_or_folder_is_said_in_a_sentence(
    hippo: Any, tmp_path: Path, words: list[str], code: int, said: str
) -> None:
    hippodrome.plan(tmp_path / "job", "5x5", all=True)
    words = [str(tmp_path / "job") if word == "DIR" else word for word in words]
    done = hippo("job", "submit", *words, "--python", sys.executable, "--timeout", "1")
    assert done.returncode == code, done.stderr
    assert done.stderr.startswith(said) and done.stderr.count("\n") == 1, done.stderr


def test_a_silent_port_is_no_scheduler(hippo: Any, tmp_path: Path) -> None:
    hippodrome.plan(tmp_path / "job", "5x5", all=True)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"tcp://127.0.0.1:{silent.getsockname()[1]}"
        begun = time.monotonic()
        words = ["job", "submit", tmp_path / "job", "--python", sys.executable]
        done = hippo(*words, "--scheduler", address, "--timeout", "2")
        assert done.returncode == 1 and f"there is no scheduler at {address}" in done.stderr, done.stderr
        assert done.stderr.count("\n") == 1 and time.monotonic() - begun < 20


def test_a_missing_package_is_said_in_a_sentence(hippo: Any, tmp_path: Path) -> None:
    hippodrome.plan(tmp_path / "job", "5x5", all=True)
    to = ["job", "submit", tmp_path / "job", "--scheduler", "tcp://127.0.0.1:9"]
    alone = tmp_path / "python"
    alone.write_text(f'#!/bin/sh\nexec {sys.executable} -I -S "$@"\n')
    alone.chmod(0o755)
    done = hippo(*to, "--python", alone)
    assert done.returncode == 1
    assert "has no package hippodrome with Dask; install it with" in done.stderr
    done = hippo(*to, "--python", tmp_path / "none")
    assert done.returncode == 1 and "cannot be run" in done.stderr and done.stderr.count("\n") == 1
