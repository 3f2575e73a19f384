"""The documentation agrees with the package: examples run, stubs match, the notebook works."""

from __future__ import annotations

import ast
import doctest
import inspect
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import hippodrome
import hippodrome.dask
import hippodrome.errors
import pytest
from conftest import ROOT

PACKAGE = Path(__file__).resolve().parents[1]
STUB = PACKAGE / "python/hippodrome/_hippodrome.pyi"


def documented() -> Iterator[tuple[str, object]]:
    """All public objects that have documentation, by name."""
    yield "hippodrome", hippodrome
    yield "hippodrome.dask", hippodrome.dask
    for name in hippodrome.__all__:
        thing = getattr(hippodrome, name)
        yield name, thing
        if inspect.isclass(thing):
            for member, value in vars(thing).items():
                if not member.startswith("_"):
                    yield f"{name}.{member}", value


EXAMPLES = {name: doc for name, thing in documented() if ">>>" in (doc := inspect.getdoc(thing) or "")}


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_examples_run(name: str) -> None:
    parsed = doctest.DocTestParser().get_doctest(EXAMPLES[name], {}, name, None, None)
    flags = doctest.IGNORE_EXCEPTION_DETAIL if name.endswith("dask") else 0
    report: list[str] = []
    failed, _ = doctest.DocTestRunner(optionflags=flags).run(parsed, out=report.append)
    assert not failed, "".join(report)


def test_dask_is_loaded_on_first_use() -> None:
    code = "import sys, hippodrome; assert 'distributed' not in sys.modules; hippodrome.dask.submit; hippodrome.nothing"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stderr.endswith("AttributeError: module 'hippodrome' has no attribute 'nothing'\n"), done.stderr


def test_every_public_call_has_an_example() -> None:
    results = {"Count", "Parameter", "Puzzle", "Solver", "Standing", "Summary"}
    for name in set(hippodrome.__all__) - results - set(hippodrome.errors.__all__) - {"__version__"}:
        assert name in EXAMPLES, name


def test_the_stubs_match_the_module() -> None:
    tree = ast.parse(STUB.read_text())
    module = hippodrome._hippodrome
    for node in tree.body:
        if not isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            continue
        thing = getattr(module, node.name)
        assert inspect.getdoc(thing) == ast.get_docstring(node), node.name
        for member in node.body if isinstance(node, ast.ClassDef) else []:
            if not isinstance(member, ast.FunctionDef):
                continue
            doc = ast.get_docstring(member)
            if doc is not None:
                value = inspect.getattr_static(thing, member.name)
                value = value.__func__ if isinstance(value, staticmethod) else value
                assert inspect.getdoc(value) == doc, f"{node.name}.{member.name}"
    # Names, signatures and defaults.
    command = [sys.executable, "-m", "mypy.stubtest", "hippodrome._hippodrome", "--ignore-disjoint-bases"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT / "target")
    assert done.returncode == 0, done.stdout + done.stderr


BLOCK = re.compile(r"^```python\n(.*?)^```$(?:\n\n```text\n(.*?)^```$)?", re.DOTALL | re.MULTILINE)
PAGES = {page: BLOCK.findall(page.read_text()) for page in sorted(ROOT.glob("[!.]*.md"))}
for folder in ("docs", "docs/guide", "crates/hippodrome-py"):
    PAGES |= {page: BLOCK.findall(page.read_text()) for page in sorted((ROOT / folder).glob("*.md"))}
PAGES = {page: found for page, found in PAGES.items() if found}

# A marker that is printed between the outputs of two blocks.
MARK = "-- end of block --\n"


def test_the_guide_shows_python() -> None:
    assert {ROOT / "docs/guide/developers.md", ROOT / "docs/guide/large-jobs.md", PACKAGE / "README.md"} <= set(PAGES)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_python_in_the_documents_prints_what_they_show(page: Path, tmp_path: Path) -> None:
    code = "".join(f"{block}\nprint({MARK!r}, end='')\n" for block, _ in PAGES[page])
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    for (block, shown), printed in zip(PAGES[page], done.stdout.split(MARK), strict=False):
        # As in the shell examples, an ellipsis stands for any text.
        pattern = ".*".join(map(re.escape, shown.rstrip().split("…")))
        assert not shown or re.fullmatch(pattern, printed.rstrip(), re.DOTALL), f"{block}\nprints:\n{printed}"


def test_types_are_checked_strictly(tmp_path: Path) -> None:
    example = tmp_path / "guide_example.py"
    example.write_text("\n".join(block for block, _ in PAGES[ROOT / "docs/guide/developers.md"]))
    sources = [PACKAGE / "python/hippodrome", PACKAGE / "tests", PACKAGE / "benches", example]
    settings = ["--strict", "--config-file", PACKAGE / "pyproject.toml", "--cache-dir", ROOT / "target/mypy"]
    command = [sys.executable, "-m", "mypy", *settings, *sources]
    done = subprocess.run([str(w) for w in command], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_wrong_types_are_found(tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.py"
    wrong.write_text(
        "import hippodrome\n"
        "hippodrome.find('8x8', closed='yes')\n"
        "hippodrome.count('8x8', kind='opened')\n"
        "hippodrome.sample('6x6', 5).squares.nothing()\n"
    )
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(ROOT / "target/mypy"), str(wrong)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 1 and done.stdout.count("error:") >= 3, done.stdout


def test_the_notebook_runs(tmp_path: Path) -> None:
    import nbformat
    from nbclient import NotebookClient

    for path in sorted((PACKAGE / "notebooks").glob("*.ipynb")):
        notebook = nbformat.read(path, as_version=4)
        NotebookClient(notebook, timeout=120, resources={"metadata": {"path": str(tmp_path)}}).execute()
        shown = [kind for cell in notebook.cells for o in cell.get("outputs", []) for kind in o.get("data", {})]
        # A tour, two plots, a table, and printed distances.
        assert [shown.count(kind) for kind in ("image/svg+xml", "image/png", "text/html")] == [1, 2, 1]
        words = "".join(o.get("text", "") for cell in notebook.cells for o in cell.get("outputs", []))
        assert re.search(r"uniform sample: 0\.0\d+\nMACE: +0\.\d+\nuniform sample of the size", words), words
