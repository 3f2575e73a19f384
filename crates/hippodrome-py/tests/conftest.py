"""Fixtures: the command that the package is compared with, and a cluster."""

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
    """The path of the command: $HIPPO, or the command that cargo has built."""
    named = os.environ.get("HIPPO")
    target = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    found = [Path(named)] if named else [target / "debug/hippo", target / "release/hippo"]
    for path in found:
        if path.exists():
            return path
    raise RuntimeError("hippo is not built; run 'cargo build'")


@pytest.fixture(scope="session")
def hippo(hippo_path: Path) -> Hippo:
    """Runs the command."""

    def run(*arguments: object, **options: Any) -> subprocess.CompletedProcess[str]:
        words = [str(hippo_path), *map(str, arguments)]
        return subprocess.run(words, capture_output=True, text=True, check=False, **options)

    return run


@pytest.fixture(scope="session")
def hippo_json(hippo: Hippo) -> Callable[..., Any]:
    """Runs the command, and returns its JSON."""

    def run(*arguments: object) -> Any:
        return json.loads(hippo(*arguments, "--json", "--quiet").stdout)

    return run


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    """A scheduler without workers."""
    cluster = Cluster(tmp_path / "cluster")
    yield cluster
    cluster.close()


def digest(folder: Path) -> str:
    """Returns the hash of a table of tours."""
    return hashlib.sha256((folder / "tours.parquet").read_bytes()).hexdigest()
