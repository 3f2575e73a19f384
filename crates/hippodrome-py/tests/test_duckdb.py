"""DuckDB reads the tours of a job folder with docs/read_tours.py."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT


@pytest.mark.parametrize(
    "job",
    [
        "5x5 --all",
        "6x6 --solver mace --attempts 60k",
        "8x8 --solver warnsdorff --param ties=random --attempts 5k",
    ],
)
def test_duckdb_reads_the_tours_of_a_folder(job: str, hippo: Any, tmp_path: Path) -> None:
    folder = tmp_path / "job"
    assert hippo("enumerate", *job.split(), "--quiet", "--out", folder).returncode == 0
    command = [sys.executable, ROOT / "docs/read_tours.py", folder / "tours.parquet"]
    theirs = subprocess.run([str(w) for w in command], capture_output=True, text=True, check=True).stdout
    ours = hippo("export", folder, "--format", "digits").stdout
    assert len(ours) > 1000 and theirs == ours
