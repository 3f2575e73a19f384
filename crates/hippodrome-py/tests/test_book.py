"""The book that mdBook makes of the documents has no broken links."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from posixpath import dirname, join, normpath
from typing import Any

from conftest import ROOT

DOCS = ROOT / "docs"
LINK = re.compile(r"\]\(([^)]+)\)|<img src=\"([^\"]+)\"")


def chapter(name: str, path: str) -> dict[str, Any]:
    """A chapter as mdBook hands it to a preprocessor."""
    return {"Chapter": {"name": name, "path": path, "content": (DOCS / path).read_text(), "sub_items": []}}


def prose(text: str) -> str:
    """A page without its code."""
    return re.sub(r"`[^`\n]*`", "", re.sub(r"^```.*?^```$", "", text, flags=re.DOTALL | re.MULTILINE))


def test_links_of_the_book_resolve() -> None:
    listed = re.findall(r"\[(.*?)\]\((.*?)\)", (DOCS / "SUMMARY.md").read_text())
    book = {"items": [chapter(name, path) for name, path in listed] + ["Separator"]}
    command = [sys.executable, str(DOCS / "book.py")]
    done = subprocess.run(command, input=json.dumps([{}, book]), capture_output=True, text=True, check=True)
    chapters = [item["Chapter"] for item in json.loads(done.stdout)["items"] if item != "Separator"]
    pages = {chapter["path"] for chapter in chapters}
    assert {"guide/teachers.md", "METHODOLOGY.md"} <= pages and len(pages) == len(listed)
    links = 0
    for found in chapters:
        for match in LINK.finditer(prose(found["content"])):
            link = match.group(1) or match.group(2)
            target = normpath(join(dirname(found["path"]), link.split("#")[0] or found["path"]))
            if "://" in link or link.startswith("#"):
                continue
            links += 1
            assert target in pages if target.endswith(".md") else (DOCS / target).exists(), (found["path"], link)
    assert links > 30


def test_the_preprocessor_supports_every_renderer() -> None:
    command = [sys.executable, str(DOCS / "book.py"), "supports", "html"]
    assert subprocess.run(command, check=False).returncode == 0
