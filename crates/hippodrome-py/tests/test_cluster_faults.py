"""What goes wrong with a cluster is said in a sentence, and nothing is lost."""

from __future__ import annotations

import asyncio
import json
import os
import pty
import re
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import termios
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
from hippodrome._tasks import Stranger, in_turn, run_unit
from hippodrome.dask import submit
from loopback import PATIENCE, Cluster, begin, done, until


def test_a_worker_with_another_version_is_named(cluster: Cluster, tmp_path: Path) -> None:
    folder = tmp_path / "job"
    hippodrome.plan(folder, "5x5", all=True)
    # The package once more, but for its version, where only this worker finds it.
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
    # A name under which each process sees its own folder, as machines do.
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
        # A copy of it is not the folder either.
        shutil.copytree(tmp_path / "job", cluster.folder / "job")
        with pytest.raises(ClusterError) as raised:
            submit(folder, client)
        assert str(raised.value) == expected
    assert done(folder) == 0 and not list(folder.glob(".submitted-*"))


def test_a_worker_that_comes_late_and_cannot_take_part_is_left_aside(
    cluster: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    folder = Path("/proc/self/cwd/job")
    monkeypatch.chdir(tmp_path)
    job = hippodrome.plan(folder, "6x6", solver="mace", attempts=8_000_000)
    refused: list[str] = []
    avoid = hippodrome._cluster.Cluster.avoid

    def counted(self: hippodrome._cluster.Cluster, stranger: Stranger) -> None:
        refused.append(stranger.worker)
        avoid(self, stranger)

    monkeypatch.setattr(hippodrome._cluster.Cluster, "avoid", counted)
    cluster.work("w1", at=tmp_path)
    with Client(cluster.address, set_as_default=False) as client:
        client.wait_for_workers(1)
        going = begin(folder, client, progress=True)
        until(lambda: done(folder) >= 1)
        cluster.signal(signal.SIGSTOP, "w1")
        cluster.work("late")
        until(lambda: refused)
        late = cluster.names(client)["late"]
        # Another one can take part, and goes on alone with what only the first was given to do.
        cluster.work("w2", at=tmp_path)
        until(lambda: "w2" in cluster.names(client))
        cluster.kill("w1")
        result = going.result(timeout=PATIENCE)
        (facts,) = [facts for _, facts in client.get_events("hippodrome")][-1:]
    assert result["units_done"] == result["units"] == job.units
    # It is offered a unit once at the most, and does not count as one who works.
    assert set(refused) == {late} and len(refused) <= job.units and facts["workers"] == 1
    told = capfd.readouterr().err.splitlines()
    assert told.count(
        f"worker {late} cannot see {folder}; put the job folder on storage that all workers share under the same "
        "name; the others go on"
    ) == 1


def test_a_worker_that_does_not_answer_holds_nobody_up(
    cluster: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(hippodrome._cluster, "GREETING", 4.0)
    hippodrome.plan(tmp_path / "job", "5x5", all=True)
    cluster.work("w1", "frozen")
    with Client(cluster.address, set_as_default=False) as client:
        client.wait_for_workers(2)
        frozen = cluster.names(client)["frozen"]
        cluster.signal(signal.SIGSTOP, "frozen")
        assert submit(tmp_path / "job", client)["distinct"] == 1728
        assert capfd.readouterr().err == f"worker {frozen} does not answer; the others go on\n"
        cluster.kill("w1")
        with pytest.raises(ClusterError, match=f"worker {frozen} does not answer, and there is no other; end it"):
            submit(tmp_path / "job", client)


def test_a_scheduler_that_comes_back_is_gone_on_with(cluster: Cluster, tmp_path: Path) -> None:
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
        assert going.result(timeout=PATIENCE)["units_done"] == job.units


def test_what_is_told_of_a_count_is_what_the_command_tells(cluster: Cluster, hippo: Any, tmp_path: Path) -> None:
    hippodrome.plan_count(tmp_path / "five", "5x5")
    cluster.work("w1")
    to = ["--scheduler", cluster.address, "--python", sys.executable]
    told = json.loads(hippo("job", "submit", tmp_path / "five", *to, "--json").stdout)
    merged = json.loads(hippo("job", "merge", tmp_path / "five", "--json").stdout)
    # How long it took, and what it took, differ; where it is, and of how many units, is told besides.
    for name in ("seconds", "peak_bytes"):
        assert type(told.pop(name)) is type(merged.pop(name))
    assert (told.pop("out"), told.pop("units_done")) == (str(tmp_path / "five"), told.pop("units"))
    assert told == merged and told["directed"] == "1728" and told["kind"] == "open"


def test_who_does_not_read_the_result_ends_nothing(cluster: Cluster, hippo_path: Path, tmp_path: Path) -> None:
    hippodrome.plan(tmp_path / "job", "5x5", all=True)
    cluster.work("w1")
    with Client(cluster.address, set_as_default=False) as client:
        client.wait_for_workers(1)
    to = ["--scheduler", cluster.address, "--python", sys.executable]
    command = [str(hippo_path), "job", "submit", str(tmp_path / "job"), *to]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as going:
        assert going.stdout is not None and going.stderr is not None
        going.stdout.close()
        assert going.wait(timeout=PATIENCE) == 0
        assert going.stderr.read() == b""
    assert (tmp_path / "job/tours.parquet").exists()


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
        bare = cluster.names(client)["bare"]
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
    with pytest.raises(hippodrome.UsageError, match="retries=-1 is not possible"):
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
        assert going.stderr.readline() == f"no worker is at {cluster.address}; waiting for one\n"
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


def test_a_count_that_needs_larger_workers_says_so(cluster: Cluster, tmp_path: Path) -> None:
    hippodrome.plan_count(tmp_path / "eight", "8x8")
    cluster.work("w1", limit="2GB")
    with Client(cluster.address, set_as_default=False) as client, pytest.raises(ClusterError) as raised:
        client.wait_for_workers(1)
        submit(tmp_path / "eight", client)
    assert "counting 8x8 needs more than the 1.4 GiB of memory allowed" in str(raised.value)
    assert str(raised.value).endswith("so start workers with more: dask worker --memory-limit")


def test_a_worker_with_too_little_memory_is_left_aside(
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
        with pytest.raises(Stranger, match=f"worker {small} has too little memory for a thread: counting 8x8 needs") as raised:
            client.submit(run_unit, *arguments, workers=[small]).result()
        small_share = raised.value.share
        assert small_share == 400_000_000 * 3 // 4

        def fits(_: str, __: str, ___: str, ____: int | None, value: int) -> int:
            worker = get_worker()
            if worker.name in ("small", "less"):
                raise Stranger("too small", worker.address, small_share)
            return value

        line = Line(job, client, "0123456789ab", shown=None)
        there = hippodrome._cluster.Cluster(client, str(folder), "0123456789ab", 30.0, line)
        run = hippodrome.dask._Submission(job, there, 2, None)
        with pytest.raises(ClusterError, match="too small"):
            list(run.each("unit", fits, [1, 2]))
        cluster.work("large")
        until(lambda: "large" in cluster.names(client))
        there.strangers.clear()
        assert sorted(run.each("unit", fits, range(20))) == list(range(20))
        assert there.strangers == {small, less} and list(there.able) == [cluster.names(client)["large"]]
    assert capfd.readouterr().err.count("too small; the others go on\n") == 1


def test_a_task_whose_submission_is_over_waits_for_nobody(tmp_path: Path) -> None:
    def held() -> None:
        raise hippodrome.InUse("held")

    begun = time.monotonic()
    with pytest.raises(hippodrome.InUse):
        in_turn(tmp_path / "none", held)
    assert time.monotonic() - begun < 5


def test_a_scheduler_that_does_not_answer_is_given_up(cluster: Cluster, hippo_path: Path, tmp_path: Path) -> None:
    folder = tmp_path / "job"
    hippodrome.plan(folder, "6x6", solver="mace", attempts=8_000_000)
    cluster.work("w1")
    to = ["--scheduler", cluster.address, "--python", sys.executable]
    command = [str(hippo_path), "job", "submit", str(folder), *to]
    pipes: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    # It is told of in time, and interrupts end the command as always.
    for seconds, number, code in (("4", None, 1), ("300", signal.SIGINT, 130)):
        before = done(folder)
        with subprocess.Popen([*command, "--timeout", seconds], **pipes) as going:
            until(lambda: done(folder) > before)
            cluster.scheduler.send_signal(signal.SIGSTOP)
            begun = time.monotonic()
            if number:
                time.sleep(3)
                going.send_signal(number)
            _, errors = going.communicate(timeout=PATIENCE)
            took = time.monotonic() - begun
            cluster.scheduler.send_signal(signal.SIGCONT)
        assert going.returncode == code and took < 40, (took, errors)
        assert errors.count("\n") == 1, errors
        if number:
            assert errors.startswith("interrupted; nothing is lost; go on with: "), errors
        else:
            assert re.fullmatch(
                rf"hippo: the scheduler {cluster.address} does not answer; what is done is kept, so start another one "
                r"with workers and submit \S+ again\n",
                errors,
            ), errors
    assert not list(folder.glob(".submitted-*"))


def test_the_line_fits_into_the_terminal(cluster: Cluster, hippo_path: Path, tmp_path: Path) -> None:
    hippodrome.plan(tmp_path / "job", "6x6", solver="mace", attempts=2_000_000)
    cluster.work("w1")
    ours, theirs = pty.openpty()
    termios.tcsetwinsize(theirs, (24, 40))
    to = ["--scheduler", cluster.address, "--python", sys.executable]
    command = [str(hippo_path), "job", "submit", str(tmp_path / "job"), *to]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=theirs) as going:
        assert going.wait(timeout=PATIENCE) == 0
    shown = os.read(ours, 1 << 16).decode()
    os.close(ours)
    os.close(theirs)
    lines = [line for line in shown.replace("\033[K", "").split("\r") if line]
    assert lines and all(len(line) < 40 for line in lines), lines
    assert any(" units, " in line and line.endswith("…") for line in lines), lines


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
        there = hippodrome._cluster.Cluster(client, str(folder), "0123456789ab", 5.0, line)
        run = hippodrome.dask._Submission(job, there, 2, None)
        for kind, tried in (("store", 3), ("count", 1), ("else", 3)):
            with pytest.raises(hippodrome.HippodromeError, match=kind):
                list(run.each("unit", fails, [kind]))
            assert (tmp_path / kind).read_text() == "x" * tried


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


def test_neither_the_place_nor_the_name_of_a_folder_confuses_the_driver(hippo: Any, tmp_path: Path) -> None:
    hippodrome.plan(tmp_path / "-j", "5x5", all=True)
    (tmp_path / "dask.py").write_text("raise SystemExit('this is not Dask')\n")
    to = ["--scheduler", "tcp://127.0.0.1:9", "--python", sys.executable, "--timeout", "1"]
    said = hippo("job", "submit", *to, "--", "-j", cwd=tmp_path)
    assert said.returncode == 1 and said.stderr.startswith("hippo: there is no scheduler at"), said.stderr


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
