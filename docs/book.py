"""Preprocessor for mdBook that makes chapters of pages outside of docs/ and adapts their links.

mdBook writes a chapter to the path of its source, so `../METHODOLOGY.md` would land outside of the book. Chapters
of this kind get their path from the root of the repository instead, and links to them are adapted. A link to a file
outside of docs/ that is not a chapter becomes plain text.
"""

import json
import re
import sys
from posixpath import basename, dirname, join, normpath, relpath

# Matches a link, or code, in which links are ignored.
LINK = re.compile(r"^```.*?^```$|`[^`\n]+`|(?<!!)\[((?:`[^`]*`|[^\]`])*)\]\(([^):]+?)(#[^)]*)?\)", re.DOTALL | re.MULTILINE)


def chapters(items):
    """Yields the chapters of a book and those below them."""
    for item in items:
        if isinstance(item, dict) and "Chapter" in item:
            yield item["Chapter"]
            yield from chapters(item["Chapter"]["sub_items"])


def resolve(content, path, places):
    """Rewrites the links of a page. Paths are from docs/; `places` says where the book keeps each page."""

    def link(match):
        text, target, anchor = match.groups()
        if target is None:
            return match.group()
        target = relpath(normpath(join("docs", dirname(path), target)), "docs")
        if target not in places and target.startswith(".."):
            return text
        return f"[{text}]({relpath(places.get(target, target), dirname(places[path]) or '.')}{anchor or ''})"

    return LINK.sub(link, content)


if sys.argv[1:2] != ["supports"]:
    _, book = json.load(sys.stdin)
    found = [chapter for chapter in chapters(book["items"]) if chapter["path"]]
    places = {chapter["path"]: re.sub(r"^(\.\./)+", "", chapter["path"]) for chapter in found}
    # mdBook copies the first page to the root, with its links unchanged.
    first = found[0]["path"]
    places[first] = basename(first)
    for chapter in found:
        chapter["content"] = resolve(chapter["content"], chapter["path"], places)
        chapter["path"] = places[chapter["path"]]
    json.dump(book, sys.stdout)
