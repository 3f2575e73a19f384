"""Cluster faults are reported in one sentence, and finished units are kept."""

from __future__ import annotations

import asyncio
import re
import shutil
import signal
import time
from pathlib import Path
from typing import Any

import hippodrome
import hippodrome._cluster
import hippodrome.dask
import pytest
from conftest import digest
from distributed import Client, get_worker
from hippodrome import ClusterError
from hippodrome._progress import Line
from hippodrome._tasks import UnusableWorker, retry_while_busy, run_unit
from hippodrome.dask import submit
from loopback import TIMEOUT, Cluster, begin, done, until


def test_a_worker_with_another_version_is_named(cluster: Cluster, tmp_path: Path) -> None:
    folder = tmp_path / "job"
    hippodrome.plan(folder, "5x5", all=True)
    # A copy of the package with another version, visible only to this worker.
    other = tmp_path / "other/hippodrome"
    shutil.copytree(Path(hippodrome.__file__).parent, other)
    with (other / "__init__.py").open("a") as file:
        file.write('\n__version__ = "9.9.9"\n')
    cluster.work("w1")
    cluster.work("newer", PYTHONPATH=str(other.parent))
    with Client(cluster.address, set_as_default=False) as client:
        client.wait_for_workers(2)
        with pytest.raises(ClusterError) as raised:
            submit(folder, client)
        newer = cluster.names(client)["newer"]
    assert str(raised.value) == (
        f"worker {newer} has hippodrome 9.9.9 and the job was submitted with {hippodrome.__version__}; "
        "install the same version everywhere"
    )
    assert done(folder) == 0 and not list(folder.glob(".submitted-*"))


def test_a_worker_that_does_not_share_the_folder_is_named(
    cluster: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A path that resolves to a different folder in each process, as on separate machines.
    folder = Path("/proc/self/cwd/job")
    monkeypatch.chdir(tmp_path)
    hippodrome.plan(folder, "5x5", all=True)
    cluster.work("w1")
    with Client(cluster.address, set_as_default=False) as client:
        client.wait_for_workers(1)
        expected = (
            f"worker {cluster.names(client)['w1']} cannot see {folder}; put the job folder on storage that all "
            "workers share under the same name"
        )
        with pytest.raises(ClusterError) as raised:
            submit(folder, client)
        assert str(raised.value) == expected
        # A copy of the folder is not accepted.
        shutil.copytree(tmp_path / "job", cluster.folder / "job")
        with pytest.raises(ClusterError) as raised:
            submit(folder, client)
        assert str(raised.value) == expected
    assert done(folder) == 0 and not list(folder.glob(".submitted-*"))


def test_a_late_worker_that_cannot_run_the_job_is_excluded(
    cluster: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    folder = Path("/proc/self/cwd/job")
    monkeypatch.chdir(tmp_path)
    job = hippodrome.plan(folder, "6x6", solver="mace", attempts=8_000_000)
    refused: list[str] = []
    exclude = hippodrome._cluster.Cluster.exclude

    def counted(self: hippodrome._cluster.Cluster, unusable: UnusableWorker) -> None:
        refused.append(unusable.worker)
        exclude(self, unusable)

    monkeypatch.setattr(hippodrome._cluster.Cluster, "exclude", counted)
    cluster.work("w1", at=tmp_path)
    with Client(cluster.address, set_as_default=False) as client:
        client.wait_for_workers(1)
        going = begin(folder, client, progress=True)
        until(lambda: done(folder) >= 1)
        cluster.signal(signal.SIGSTOP, "w1")
        cluster.work("late")
        until(lambda: refused)
        late = cluster.names(client)["late"]
        # Another worker can run the job, and takes over the tasks of the first.
        cluster.work("w2", at=tmp_path)
        until(lambda: "w2" in cluster.names(client))
        cluster.kill("w1")
        result = going.result(timeout=TIMEOUT)
        (facts,) = [facts for _, facts in client.get_events("hippodrome")][-1:]
    assert result["units_done"] == result["units"] == job.units
    # The unusable worker gets each unit at most once, and is not counted as a worker.
    assert set(refused) == {late} and len(refused) <= job.units and facts["workers"] == 1
    lines = capfd.readouterr().err.splitlines()
    assert lines.count(
        f"worker {late} cannot see {folder}; put the job folder on storage that all workers share under the same "
        "name; continuing without it"
    ) == 1


def test_a_worker_that_does_not_reply_is_excluded(
    cluster: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(hippodrome._cluster, "GREETING_TIMEOUT", 2.0)
    hippodrome.plan(tmp_path / "job", "5x5", all=True)
    cluster.work("w1", "frozen")
    with Client(cluster.address, set_as_default=False) as client:
        client.wait_for_workers(2)
        frozen = cluster.names(client)["frozen"]
        cluster.signal(signal.SIGSTOP, "frozen")
        assert submit(tmp_path / "job", client)["distinct"] == 1728
        assert capfd.readouterr().err == f"worker {frozen} does not answer; continuing without it\n"
        cluster.kill("w1")
        with pytest.raises(ClusterError, match=f"worker {frozen} does not answer, and there is no other; stop it"):
            submit(tmp_path / "job", client)


def test_a_submission_continues_when_its_scheduler_returns(cluster: Cluster, tmp_path: Path) -> None:
    folder = tmp_path / "job"
    job = hippodrome.plan(folder, "6x6", solver="mace", attempts=8_000_000)
    cluster.work("w1", "w2")
    with Client(cluster.address, set_as_default=False) as client:
        client.wait_for_workers(2)
        going = begin(folder, client)
        until(lambda: done(folder) >= 2)
        assert done(folder) < job.units
        cluster.scheduler.kill()
        cluster.scheduler.wait()
        cluster.scheduler = cluster.schedule(int(cluster.address.rsplit(":", 1)[1]))
        cluster.work("w3")
        assert going.result(timeout=TIMEOUT)["units_done"] == job.units


def test_a_job_that_is_done_is_merged_again_to_the_same_bytes(cluster: Cluster, tmp_path: Path) -> None:
    folder = tmp_path / "job"
    job = hippodrome.plan(folder, "5x5", all=True)
    cluster.work("w1")
    with Client(cluster.address, set_as_default=False) as client:
        assert submit(folder, client)["distinct"] == 1728
        before = digest(folder)
        kept = {file: file.stat().st_mtime_ns for file in (folder / "units").iterdir()}
        assert len(kept) == job.units
        assert submit(folder, client)["distinct"] == 1728 and digest(folder) == before
    assert all(file.stat().st_mtime_ns == at for file, at in kept.items())


@pytest.fixture
def blocked(tmp_path: Path) -> str:
    """A folder that makes Python fail to import the package."""
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


def test_a_process_without_the_package_is_named(cluster: Cluster, tmp_path: Path, blocked: str) -> None:
    folder = tmp_path / "job"
    hippodrome.plan(folder, "5x5", all=True)
    cluster.work("w1")
    cluster.work("bare", PYTHONPATH=blocked)
    with Client(cluster.address, set_as_default=False) as client:
        client.wait_for_workers(2)
        with pytest.raises(ClusterError) as raised:
            submit(folder, client)
        bare = cluster.names(client)["bare"]
    version = re.escape(hippodrome.__version__)
    assert re.fullmatch(
        rf"worker {re.escape(bare)} does not have hippodrome {version}; install the same version there", str(raised.value)
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
        rf"the scheduler tcp://[\d.:]+ does not have hippodrome {version}; install the same version there",
        str(raised.value),
    )
    assert not list(folder.glob(".submitted-*"))


def test_a_client_that_cannot_be_used_is_refused(cluster: Cluster, tmp_path: Path) -> None:
    folder = tmp_path / "job"
    hippodrome.plan(folder, "5x5", all=True)
    untyped: Any = submit
    with pytest.raises(TypeError, match="'tcp://127.0.0.1:8786' is not a client; pass a distributed.Client"):
        untyped(folder, "tcp://127.0.0.1:8786")
    closed = Client(cluster.address, set_as_default=False)
    closed.close()
    with pytest.raises(hippodrome.UsageError, match="invalid value -1 for retries"):
        submit(folder, Client(cluster.address, set_as_default=False), retries=-1)
    with pytest.raises(ClusterError, match="this client is closed"):
        submit(folder, closed)

    async def asynchronously() -> None:
        async with Client(cluster.address, asynchronous=True, set_as_default=False) as client:
            submit(folder, client)

    with pytest.raises(TypeError, match="this client is asynchronous"):
        asyncio.run(asynchronously())
    with Client(cluster.address, set_as_default=False, timeout=3) as lost:
        cluster.scheduler.kill()
        cluster.scheduler.wait()
        with pytest.raises(ClusterError, match=r"the scheduler tcp://[\d.:]+ is lost; finished units are kept"):
            submit(folder, lost, reconnect=1.0)
    assert not list(folder.glob(".submitted-*"))


def test_a_count_that_needs_more_memory_is_refused_at_once(cluster: Cluster, tmp_path: Path) -> None:
    folder = tmp_path / "eight"
    hippodrome.plan_count(folder, "8x8")
    cluster.work("w1")
    begun = time.monotonic()
    with Client(cluster.address, set_as_default=False) as client, pytest.raises(hippodrome.HippodromeError) as raised:
        client.wait_for_workers(1)
        submit(folder, client, memory=50 << 20)
    assert not isinstance(raised.value, hippodrome.StoreError)
    assert "of memory, but only 50.0 MiB is allowed" in str(raised.value)
    assert time.monotonic() - begun < 60 and done(folder) == 0


def test_a_count_that_needs_larger_workers_is_refused(cluster: Cluster, tmp_path: Path) -> None:
    hippodrome.plan_count(tmp_path / "eight", "8x8")
    cluster.work("w1", limit="2GB")
    with Client(cluster.address, set_as_default=False) as client, pytest.raises(ClusterError) as raised:
        client.wait_for_workers(1)
        submit(tmp_path / "eight", client)
    assert "of memory, but only 1.4 GiB is allowed" in str(raised.value)
    assert str(raised.value).endswith("; start workers with more: dask worker --memory-limit")


def test_a_worker_with_too_little_memory_is_excluded(
    cluster: Cluster, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "eight"
    job = hippodrome.plan_count(folder, "8x8")
    (folder / ".submitted-0123456789ab").touch()
    cluster.work("small", limit="400MB")
    cluster.work("less", limit="300MB")
    with Client(cluster.address, set_as_default=False) as client:
        client.wait_for_workers(2)
        small, less = (cluster.names(client)[name] for name in ("small", "less"))
        arguments = (str(folder), "0123456789ab", hippodrome.__version__, None, 0)
        with pytest.raises(UnusableWorker, match=f"worker {small} has too little memory per thread: counting 8x8 needs") as raised:
            client.submit(run_unit, *arguments, workers=[small]).result()
        small_share = raised.value.share
        assert small_share == 400_000_000 * 3 // 4

        def fits(_: str, __: str, ___: str, ____: int | None, value: int) -> int:
            worker = get_worker()
            if worker.name in ("small", "less"):
                raise UnusableWorker("too small", worker.address, small_share)
            return value

        line = Line(job, client, "0123456789ab", shown=None)
        there = hippodrome._cluster.Cluster(client, str(folder), "0123456789ab", 30.0, line)
        run = hippodrome.dask._Submission(job, there, 2, None)
        with pytest.raises(ClusterError, match="too small"):
            list(run.each("unit", fits, [1, 2]))
        cluster.work("large")
        until(lambda: "large" in cluster.names(client))
        there.excluded.clear()
        assert sorted(run.each("unit", fits, range(20))) == list(range(20))
        assert there.excluded == {small, less} and list(there.usable) == [cluster.names(client)["large"]]
    assert capfd.readouterr().err.count("too small; continuing without it\n") == 1


def test_a_task_does_not_wait_after_its_submission_ended(tmp_path: Path) -> None:
    def held() -> None:
        raise hippodrome.InUse("held")

    begun = time.monotonic()
    with pytest.raises(hippodrome.InUse):
        retry_while_busy(tmp_path / "none", held)
    assert time.monotonic() - begun < 5


def test_only_transient_errors_are_retried(cluster: Cluster, tmp_path: Path) -> None:
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
        there = hippodrome._cluster.Cluster(client, str(folder), "0123456789ab", 5.0, line)
        run = hippodrome.dask._Submission(job, there, 2, None)
        for kind, tried in (("store", 3), ("count", 1), ("else", 3)):
            with pytest.raises(hippodrome.HippodromeError, match=kind):
                list(run.each("unit", fails, [kind]))
            assert (tmp_path / kind).read_text() == "x" * tried
