"""What the tests share: the command beside which the package is tested, and a cluster."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from loopback import Cluster

ROOT = Path(__file__).resolve().parents[3]

Hippo = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture(scope="session")
def hippo_path() -> Path:
    """The command, as HIPPO names it or as cargo leaves it."""
    named = os.environ.get("HIPPO")
    target = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    found = [Path(named)] if named else [target / "debug/hippo", target / "release/hippo"]
    for path in found:
        if path.exists():
            return path
    raise RuntimeError("there is no hippo to compare with; run 'cargo build' first")


@pytest.fixture(scope="session")
def hippo(hippo_path: Path) -> Hippo:
    """Runs the command."""

    def run(*arguments: object, **options: Any) -> subprocess.CompletedProcess[str]:
        words = [str(hippo_path), *map(str, arguments)]
        return subprocess.run(words, capture_output=True, text=True, check=False, **options)

    return run


@pytest.fixture(scope="session")
def told(hippo: Hippo) -> Callable[..., Any]:
    """What the command tells as JSON."""

    def run(*arguments: object) -> Any:
        return json.loads(hippo(*arguments, "--json", "--quiet").stdout)

    return run


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    """A scheduler that has no workers yet."""
    cluster = Cluster(tmp_path / "cluster")
    yield cluster
    cluster.close()


def digest(folder: Path) -> str:
    """What tells two tables of tours apart."""
    return hashlib.sha256((folder / "tours.parquet").read_bytes()).hexdigest()
