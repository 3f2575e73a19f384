"""Job folders made by Python and by the command are identical, byte for byte."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import hippodrome
import numpy as np
import pytest
from conftest import digest
from hippodrome import Job
from hippodrome.errors import NotReady


def test_units_run_in_any_order_and_twice_give_the_commands_table(hippo: Any, tmp_path: Path) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    job = hippodrome.plan(here, "6x6", solver="mace", attempts=300_000, seed=11)
    assert job.kind == "enumeration" and job.identity["solver"] == "mace"
    for unit in reversed(job.missing()):
        assert job.run_unit(unit) and job.run_unit(unit)
    assert job.missing() == []
    for part in range(0, job.parts, 3):
        assert job.merge_part(part) and not job.merge_part(part)
    with pytest.raises(NotReady, match=r"part 1 of \S+ is not merged"):
        job.encode_part(0)
    for part in range(job.parts):
        assert job.merge_part(part) == bool(part % 3)
    for part in range(job.parts):
        assert job.encode_part(part) and not job.encode_part(part)
    merged = job.merge()
    assert not (here / "parts").exists()
    options = ["--solver", "mace", "--attempts", 300_000, "--seed", 11]
    assert hippo("enumerate", "6x6", *options, "--out", there).returncode == 0
    assert digest(here) == digest(there)
    kept = hippodrome.read_tours(here)
    assert len(kept) == merged["distinct"] and hippodrome.read_tours(job) == kept
    in_memory = hippodrome.enumerate_tours("6x6", solver="mace", attempts=300_000, seed=11)
    assert {row.tobytes() for row in kept.squares} == {row.tobytes() for row in in_memory.squares}
    assert np.array_equal(hippodrome.read_tours(here / "tours.parquet", 5, 8).squares, kept.squares[5:8])


def test_the_command_resumes_a_job_started_in_python(hippo: Any, tmp_path: Path) -> None:
    job = hippodrome.plan(tmp_path / "job", "5x5", solver="exact", all=True)
    job.run_unit(3)
    status = job.status()
    assert (status["done"], status["next"], status["merged"]) == (1, 0, False)
    done = hippo("enumerate", "--resume", tmp_path / "job", "--quiet")
    assert done.returncode == 0, done.stderr
    assert Job(tmp_path / "job").missing() == [] and len(hippodrome.read_tours(tmp_path / "job")) == 1728


def test_progress_sums_the_results_of_units(tmp_path: Path) -> None:
    job = hippodrome.plan(tmp_path / "job", "6x6", solver="mace", attempts=100_000)
    progress = hippodrome.Progress(tmp_path / "job")
    assert not progress.add(0) and progress.done == 0
    for unit in job.missing():
        job.run_unit(unit)
        assert progress.add(unit)
    merged = job.merge()
    assert (progress.done, progress.attempts) == (job.units, 100_000)
    assert progress.tours == merged["tours"]
    assert abs(progress.distinct - merged["distinct"]) < 0.1 * merged["distinct"]


def test_a_relative_folder_stays_where_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    job = hippodrome.plan("job", "5x5", all=True)
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir("elsewhere")
    assert job.path == tmp_path / "job" and job.run_unit(0)


def test_concurrent_units_of_a_count_have_separate_memory_limits(tmp_path: Path) -> None:
    # A limit that suffices for one unit suffices for each of several concurrent units.
    assert refused(tmp_path, 2_000_000, 1)
    for memory in (2_818_048, 3_300_000):
        assert not refused(tmp_path, memory, 1)
        assert not refused(tmp_path, memory, 8)


def refused(place: Path, memory: int, threads: int) -> bool:
    """Whether a unit of a count needs more memory than this, with several units at a time."""
    job = hippodrome.plan_count(place / f"six-{memory}-{threads}", "6x6")
    with ThreadPoolExecutor(threads) as pool:
        try:
            return not all(pool.map(lambda unit: job.run_unit(unit, memory=memory), job.missing()))
        except hippodrome.HippodromeError:
            return True


def test_an_impossible_job_is_not_planned(tmp_path: Path) -> None:
    with pytest.raises(hippodrome.Impossible, match="Schwenk 1991"):
        hippodrome.plan(tmp_path / "job", "5x5", closed=True, solver="mace", attempts=1000)
    assert not (tmp_path / "job").exists()


def test_errors_of_folders_are_one_sentence(tmp_path: Path) -> None:
    job = hippodrome.plan(tmp_path / "job", "5x5", solver="exact", all=True)
    with pytest.raises(hippodrome.FolderExists, match="already contains a job; run its missing units with Job"):
        hippodrome.plan(tmp_path / "job", "5x5", all=True)
    with pytest.raises(hippodrome.FolderExists, match="choose another folder"):
        hippodrome.plan(tmp_path / "job", "5x5", all=True)
    with pytest.raises(hippodrome.FolderNotFound, match=r"it has no job\.json; create one with plan\(\) or plan_count\(\)"):
        hippodrome.Job(tmp_path)
    with pytest.raises(hippodrome.UsageError, match="there is no unit 99999"):
        job.run_unit(99_999)
    untyped: Any = job
    progress: Any = hippodrome.Progress(job.path)
    for wrong in (-1, None, 1.5, 2**64):
        with pytest.raises(hippodrome.UsageError, match=r"invalid value .* for unit: expected a whole number"):
            untyped.run_unit(wrong)
        with pytest.raises(hippodrome.UsageError, match=r"invalid value .* for unit: expected a whole number"):
            progress.add(wrong)
    for threads in (-1, 0, 10**6):
        with pytest.raises(hippodrome.UsageError, match=f"invalid value {threads} for threads: expected a whole number"):
            job.run_unit(0, threads=threads)
    with pytest.raises(hippodrome.UsageError, match="there is no unit 99999"):
        progress.add(99_999)
    with pytest.raises(hippodrome.UsageError, match="there is no part 64"):
        job.merge_part(64)
    with pytest.raises(hippodrome.UsageError, match="there is no part 64"):
        job.encode_part(64)
    for early in (job.merge, lambda: job.merge_part(0), lambda: job.encode_part(0)):
        with pytest.raises(NotReady, match=r"are not done \(the first is 0\)"):
            early()
    with pytest.raises(hippodrome.StoreError, match="has no tours.parquet yet"):
        hippodrome.read_tours(tmp_path / "job")
    damaged = tmp_path / "job/units/00000000.unit"
    job.run_unit(0)
    damaged.write_bytes(damaged.read_bytes()[:-9])
    assert 0 in job.missing() and job.run_unit(0) and 0 not in job.missing()


def test_a_damaged_table_is_not_read(tmp_path: Path) -> None:
    job = hippodrome.plan(tmp_path / "job", "5x5", solver="exact", all=True)
    for unit in job.missing():
        job.run_unit(unit)
    job.merge()
    table = tmp_path / "job/tours.parquet"
    whole = table.read_bytes()
    table.write_bytes(whole[:100] + bytes([whole[100] ^ 1]) + whole[101:])
    with pytest.raises(hippodrome.StoreError, match="the checksum of row group 0 is wrong"):
        hippodrome.read_tours(table)
    table.write_bytes(b"a,b,c")
    with pytest.raises(hippodrome.StoreError, match="is not a Parquet file of tours"):
        hippodrome.read_tours(table)
    job.merge()
    assert table.read_bytes() == whole


LEAK = """
import resource, sys
from hippodrome import Job

def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

for _ in range(2_000):
    Job(sys.argv[1])
before = peak()
for _ in range(60_000):
    Job(sys.argv[1])
print(peak() - before)
"""


def test_jobs_do_not_leak_memory(tmp_path: Path) -> None:
    path = hippodrome.plan(tmp_path / "five", "5x5", all=True).path
    ran = subprocess.run([sys.executable, "-c", LEAK, path], capture_output=True, text=True, check=True)
    kibibytes = int(ran.stdout) / (1024 if sys.platform == "darwin" else 1)
    # When each job leaked one control, the growth was 7,200.
    assert kibibytes < 1_200


def test_a_planned_count_respects_its_memory_limit(tmp_path: Path, hippo: Any) -> None:
    place = tmp_path / "eight"
    with pytest.raises(hippodrome.OutOfMemory, match=r"of memory, but only 64\.0 MiB is allowed"):
        hippodrome.plan_count(place, "8x8", memory=64 << 20)
    assert not place.exists()
    refused = hippo("job", "plan-count", "8x8", "--memory", "64M", "--out", place)
    assert refused.returncode == 1 and "counting 8x8 needs at least" in refused.stderr
    assert hippodrome.plan_count(place, "5x5", memory=64 << 20).units > 0
