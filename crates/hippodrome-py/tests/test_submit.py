"""``hippo job submit``: messages, signals and exit codes."""

from __future__ import annotations

import json
import os
import pty
import re
import shlex
import signal
import socket
import subprocess
import sys
import termios
import time
from pathlib import Path
from typing import Any

import hippodrome
import pytest
from loopback import TIMEOUT, Cluster, done, until


def test_the_summary_of_a_count_equals_that_of_job_merge(cluster: Cluster, hippo: Any, tmp_path: Path) -> None:
    hippodrome.plan_count(tmp_path / "five", "5x5")
    cluster.work("w1")
    to = ["--scheduler", cluster.address, "--python", sys.executable]
    summary = json.loads(hippo("job", "submit", tmp_path / "five", *to, "--json").stdout)
    merged = json.loads(hippo("job", "merge", tmp_path / "five", "--json").stdout)
    # Time and memory differ; the summary of submit also has the folder and the units.
    for name in ("seconds", "peak_bytes"):
        assert type(summary.pop(name)) is type(merged.pop(name))
    assert (summary.pop("out"), summary.pop("units_done")) == (str(tmp_path / "five"), summary.pop("units"))
    assert summary == merged and summary["directed"] == "1728" and summary["kind"] == "open"


def test_a_closed_pipe_does_not_stop_the_job(cluster: Cluster, hippo_path: Path, tmp_path: Path) -> None:
    hippodrome.plan(tmp_path / "job", "5x5", all=True)
    cluster.work("w1")
    cluster.wait(1)
    to = ["--scheduler", cluster.address, "--python", sys.executable]
    command = [str(hippo_path), "job", "submit", str(tmp_path / "job"), *to]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as going:
        assert going.stdout is not None and going.stderr is not None
        going.stdout.close()
        assert going.wait(timeout=TIMEOUT) == 0
        assert going.stderr.read() == b""
    assert (tmp_path / "job/tours.parquet").exists()


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
        # The lack of workers is reported once.
        assert going.stderr is not None
        assert going.stderr.readline() == f"no workers at {cluster.address}; waiting\n"
        assert len(list(folder.glob(".submitted-*"))) == 1
        going.send_signal(number)
        assert going.wait(timeout=TIMEOUT) == code
        until(lambda: not list(folder.glob(".submitted-*")))
        errors = going.stderr.read()
    message = re.fullmatch(r"interrupted; finished units are kept; resume with: (.*)\n", errors)
    assert message, errors
    again = shlex.split(message[1])
    assert again[:6] == ["hippo", "job", "submit", str(folder), "--scheduler", cluster.address]
    assert dict(zip(again[6::2], again[7::2], strict=True)) == {
        "--python": sys.executable,
        "--memory": str(700 << 20),
        "--timeout": "20",
        "--retries": "1",
    }


def test_a_scheduler_that_does_not_reply_is_an_error(cluster: Cluster, hippo_path: Path, tmp_path: Path) -> None:
    folder = tmp_path / "job"
    hippodrome.plan(folder, "6x6", solver="mace", attempts=8_000_000)
    cluster.work("w1")
    cluster.wait(1)
    to = ["--scheduler", cluster.address, "--python", sys.executable]
    command = [str(hippo_path), "job", "submit", str(folder), *to]
    pipes: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    # The missing reply is reported in time, and interrupts still end the command.
    for seconds, number, code in (("4", None, 1), ("300", signal.SIGINT, 130)):
        before = done(folder)
        with subprocess.Popen([*command, "--timeout", seconds], **pipes) as going:
            until(lambda: done(folder) > before)
            cluster.scheduler.send_signal(signal.SIGSTOP)
            begun = time.monotonic()
            if number:
                time.sleep(3)
                going.send_signal(number)
            _, errors = going.communicate(timeout=TIMEOUT)
            took = time.monotonic() - begun
            cluster.scheduler.send_signal(signal.SIGCONT)
        assert going.returncode == code and took < 40, (took, errors)
        assert errors.count("\n") == 1, errors
        if number:
            assert errors.startswith("interrupted; finished units are kept; resume with: "), errors
        else:
            assert re.fullmatch(
                rf"hippo: the scheduler {cluster.address} does not answer; finished units are kept: start another one "
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
        assert going.wait(timeout=TIMEOUT) == 0
    shown = os.read(ours, 1 << 16).decode()
    os.close(ours)
    os.close(theirs)
    lines = [line for line in shown.replace("\033[K", "").split("\r") if line]
    assert lines and all(len(line) < 40 for line in lines), lines
    assert any(" units, " in line and line.endswith("…") for line in lines), lines


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (
            ["DIR", "--scheduler", "tcp://127.0.0.1:9"],
            1,
            "hippo: there is no scheduler at tcp://127.0.0.1:9; start one with 'dask scheduler', or check the address\n",
        ),
        (
            ["DIR", "--scheduler", "nonsense://x"],
            2,
            "hippo: invalid scheduler address 'nonsense://x': expected one such as tcp://127.0.0.1:8786\n",
        ),
        *(
            (
                ["DIR", "--scheduler", wrong],
                2,
                f"hippo: invalid scheduler address '{wrong}': expected one such as tcp://127.0.0.1:8786\n",
            )
            for wrong in ["localhost", "", "tcp://127.0.0.1:abc", "tcp://[::1:8786", "inproc://x", "tcp://:8786"]
        ),
        (["DIR", "--scheduler", "tls://127.0.0.1:9"], 2, "hippo: tls://127.0.0.1:9 needs certificates"),
        (["/nowhere/at/all", "--scheduler", "tcp://127.0.0.1:9"], 2, "hippo: /nowhere/at/all is not a job folder: it has no job.json; make one with --out or 'hippo job plan'"),
    ],
)
def test_a_wrong_address_or_folder_is_one_sentence(
    hippo: Any, tmp_path: Path, words: list[str], code: int, message: str
) -> None:
    hippodrome.plan(tmp_path / "job", "5x5", all=True)
    words = [str(tmp_path / "job") if word == "DIR" else word for word in words]
    done = hippo("job", "submit", *words, "--python", sys.executable, "--timeout", "1")
    assert done.returncode == code, done.stderr
    assert done.stderr.startswith(message) and done.stderr.count("\n") == 1, done.stderr


def test_a_port_that_does_not_reply_is_not_a_scheduler(hippo: Any, tmp_path: Path) -> None:
    hippodrome.plan(tmp_path / "job", "5x5", all=True)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"tcp://127.0.0.1:{silent.getsockname()[1]}"
        begun = time.monotonic()
        words = ["job", "submit", tmp_path / "job", "--python", sys.executable]
        done = hippo(*words, "--scheduler", address, "--timeout", "2")
        assert done.returncode == 1 and f"there is no scheduler at {address}" in done.stderr, done.stderr
        assert done.stderr.count("\n") == 1 and time.monotonic() - begun < 20


def test_the_driver_accepts_any_name_and_location_of_a_folder(hippo: Any, tmp_path: Path) -> None:
    hippodrome.plan(tmp_path / "-j", "5x5", all=True)
    (tmp_path / "dask.py").write_text("raise SystemExit('this is not Dask')\n")
    to = ["--scheduler", "tcp://127.0.0.1:9", "--python", sys.executable, "--timeout", "1"]
    ran = hippo("job", "submit", *to, "--", "-j", cwd=tmp_path)
    assert ran.returncode == 1 and ran.stderr.startswith("hippo: there is no scheduler at"), ran.stderr


def test_a_missing_package_is_one_sentence(hippo: Any, tmp_path: Path) -> None:
    hippodrome.plan(tmp_path / "job", "5x5", all=True)
    to = ["job", "submit", tmp_path / "job", "--scheduler", "tcp://127.0.0.1:9"]
    alone = tmp_path / "python"
    alone.write_text(f'#!/bin/sh\nexec {sys.executable} -I -S "$@"\n')
    alone.chmod(0o755)
    done = hippo(*to, "--python", alone)
    assert done.returncode == 1
    assert "has no package hippodrome with Dask; install it with" in done.stderr
    done = hippo(*to, "--python", tmp_path / "none")
    assert done.returncode == 1 and "cannot run" in done.stderr and done.stderr.count("\n") == 1
