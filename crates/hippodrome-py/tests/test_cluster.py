"""A real cluster on loopback: workers die and join, the scheduler is lost, and the result is still identical."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

import hippodrome
import hippodrome.dask
import numpy as np
import pytest
from conftest import digest
from distributed import Client
from hippodrome import Job
from hippodrome._progress import Line
from hippodrome.dask import submit
from loopback import TIMEOUT, Cluster, begin, done, until

#: A job of some seconds.
ATTEMPTS = 16_000_000


@pytest.fixture(scope="module")
def expected(hippo: Any, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The hash of the result on one machine."""
    folder = tmp_path_factory.mktemp("alone") / "job"
    options = ["--solver", "mace", "--attempts", ATTEMPTS, "--seed", 5]
    assert hippo("enumerate", "6x6", *options, "--quiet", "--out", folder).returncode == 0
    return digest(folder)


def plan(folder: Path) -> Job:
    return hippodrome.plan(folder, "6x6", solver="mace", attempts=ATTEMPTS, seed=5)


def test_workers_die_and_join_and_the_scheduler_is_lost(
    cluster: Cluster, hippo_path: Path, expected: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Of four workers, one is killed, one joins, and another is killed in the middle of a unit. The others are stopped
    # while the new one starts, so that the job lasts long enough. Parts are merged and encoded in parallel, as for
    # many tours.
    monkeypatch.setattr(hippodrome.dask, "PARALLEL_MERGE_TOURS", 1000)
    monkeypatch.setattr(hippodrome.dask, "PARALLEL_MERGE_THREADS", 3)
    first = tmp_path / "first"
    units = plan(first).units
    assert units >= 16
    cluster.work("w1", "w2", "w3", "w4")
    with Client(cluster.address, set_as_default=False) as client:
        client.wait_for_workers(4)
        going = begin(first, client)
        until(lambda: done(first) >= 2)
        cluster.kill("w1")
        cluster.signal(signal.SIGSTOP, "w2", "w3", "w4")
        assert done(first) < units, "the job was over before workers were killed"
        cluster.work("late")
        until(lambda: "late" in cluster.names(client))
        cluster.kill("w2")
        cluster.signal(signal.SIGCONT, "w3", "w4")
        assert going.result(timeout=TIMEOUT)["units_done"] == units
        assert cluster.names(client).keys() == {"w3", "w4", "late"}
        done_of_each = client.run_on_scheduler(
            lambda dask_scheduler: {name: prefix.state_counts for name, prefix in dask_scheduler.task_prefixes.items()}
        )
        assert done_of_each["part"]["memory"] >= 64 and done_of_each["rows"]["memory"] >= 64
    assert digest(first) == expected
    assert not list(first.glob(".submitted-*"))

    # Kill the scheduler during the run: the command reports it, and finished units are kept.
    second = tmp_path / "second"
    plan(second)
    command = [str(hippo_path), "job", "submit", str(second), "--python", sys.executable, "--timeout", "15"]
    driver = subprocess.Popen(
        [*command, "--scheduler", cluster.address], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    until(lambda: done(second) >= 2)
    cluster.scheduler.kill()
    before = done(second)
    output, errors = driver.communicate(timeout=TIMEOUT)
    assert driver.returncode == 1 and output == "", errors
    assert re.fullmatch(
        r"hippo: the scheduler tcp://[\d.:]+ is lost; finished units are kept: start a scheduler and workers "
        r"and submit \S+ again\n",
        errors,
    ), errors
    cluster.close()

    # Another scheduler and two workers resume the job.
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
            timeout=TIMEOUT,
        )
    finally:
        again.close()
    assert finished.returncode == 0, finished.stderr
    assert '"distinct"' in finished.stdout
    assert digest(second) == expected
    assert all((second / "units" / name).stat().st_mtime_ns == at for name, at in kept.items())


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


def test_a_damaged_result_is_rebuilt(cluster: Cluster, tmp_path: Path) -> None:
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


def test_progress_shows_units_attempts_tours_and_the_time_left(cluster: Cluster, tmp_path: Path) -> None:
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
        counts = rf"2 of {job.units} units, {counted['attempts']:,} attempts, {counted['tours']:,} tours, "
        assert re.fullmatch(counts + r"about [\d,]+ distinct, waiting for workers", line.text()), line.text()
        line.count_workers(1)
        assert re.fullmatch(counts + r"about [\d,]+ distinct, 1 worker, [\d:]+ left", line.text()), line.text()
        distinct = int(re.sub(r".*about ([\d,]+) .*", r"\1", line.text()).replace(",", ""))
        assert 0 < distinct <= counted["tours"]
        # The dashboard gets the same numbers.
        line.show()
        ((_, facts),) = client.get_events("hippodrome")
        assert (facts["done"], facts["attempts"], facts["tours"]) == (2, counted["attempts"], counted["tours"])
        assert facts["distinct"] > 0 and facts["seconds_left"] > 0


def test_a_notebook_shows_the_progress_of_a_job(cluster: Cluster, tmp_path: Path) -> None:
    import nbformat
    from nbclient import NotebookClient

    hippodrome.plan(tmp_path / "job", "6x6", solver="mace", attempts=2_000_000)
    cluster.work("w1")
    cluster.wait(1)
    code = (
        "from distributed import Client\nfrom hippodrome.dask import submit\n"
        f"submit({str(tmp_path / 'job')!r}, Client({cluster.address!r}))['distinct']"
    )
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(code)])
    NotebookClient(notebook, timeout=TIMEOUT).execute()
    line, result = notebook.cells[0].outputs
    units, distinct = re.fullmatch(
        r"(\d+ of \d+) units, 2,000,000 attempts, [\d,]+ tours, ([\d,]+) distinct, 1 worker, done", line["data"]["text/plain"]
    ).groups()  # type: ignore[union-attr]
    assert len(set(units.split(" of "))) == 1 and distinct.replace(",", "") == result["data"]["text/plain"]


def test_the_dashboard_has_a_page_of_jobs(cluster: Cluster, tmp_path: Path) -> None:
    folder = tmp_path / "<b>job"
    units = plan(folder).units
    with Client(cluster.address, set_as_default=False) as client:
        port = client.scheduler_info()["services"]["dashboard"]

        def page(prefix: str = "") -> str:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}{prefix}/hippodrome", timeout=10) as answer:
                return str(answer.read(), "utf-8")

        with pytest.raises(urllib.error.HTTPError, match="404"):
            page()
        cluster.work("w1", "w2")
        client.wait_for_workers(2)
        job = begin(folder, client)
        until(lambda: client.get_events("hippodrome"))
        until(lambda: "<dt>time left</dt>" in page() or job.done())
        going = page("/some/prefix")
        assert not job.done(), "the job was over before its page was looked at"
        assert "&lt;b&gt;job</h2>" in going and "<b>" not in going
        counts = rf'max="{units}" value="\d+".*<dt>units</dt><dd>\d+ of {units}</dd>.*<dt>attempts</dt><dd>[\d,]+</dd>'
        assert re.search(counts + r".*<dd>about [\d,]+</dd>.*<dt>workers</dt><dd>2</dd>.*<dd>[\d:]+</dd>", going), going
        result = job.result(timeout=TIMEOUT)
        assert f"<dd>done</dd></div><div><dt>units</dt><dd>{units} of {units}</dd>" in page()
        assert f"<dt>distinct</dt><dd>{result['distinct']:,}</dd>" in page()
        # A failed job is shown as stopped, above earlier jobs.
        with pytest.raises(hippodrome.HippodromeError):
            hippodrome.plan_count(tmp_path / "eight", "8x8")
            submit(tmp_path / "eight", client, memory=50 << 20)
        assert re.search(r"/eight</h2>.*<dd>stopped</dd>.*&lt;b&gt;job</h2>", page(), re.DOTALL)
        # A job that is submitted again is shown once.
        submit(folder, client)
        assert page().count("&lt;b&gt;job</h2>") == 1
