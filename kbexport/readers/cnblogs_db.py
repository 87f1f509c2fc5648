"""The backup of a cnblogs blog as it is now: a SQLite data base with the table `blog_Content`.

Columns and types of posts are those that the site's own client reads (`inputs/README.md`,
section 4); the data base is opened from memory, and nothing of it is written anywhere.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing

from kbexport.models import Problem, SourcePost
from kbexport.readers.base import Document, Reader, Richness
from kbexport.readers.record import LeftOut, Where, post_of

NAME = "cnblogs-db"
_MAGIC = b"SQLite format 3\0"
_TABLE = "blog_Content"
_POST = "blogpost"
_TYPES = {"article": "articles that stand apart from the blog", "message": "messages"}
# Who may read it: everybody, and readers who are logged in; all other values are the author alone.
_OPEN = frozenset(("", "0", "8"))
_DAMAGED = "make the backup again, or download it again"
_STEPS = 50_000_000
"""So many steps of SQLite's machine are enough for any backup; a made-up one could run for ever."""


def read(document: Document) -> Iterator[SourcePost | Problem]:
    """Yield the posts of the document, what could not be read, and what was left out by rule."""
    left_out, number = LeftOut(document.name), 0
    try:
        with closing(_opened(document.data)) as base:
            for row in _rows(base):
                number += 1
                if rule := _no_post(row):
                    left_out.add(*rule)
                    continue
                place = f"post {row.get('id') or number}"
                yield from post_of(_values(row), Where(NAME, document.name, place))
    except sqlite3.Error as error:
        reason = f"the data base is damaged, what can be read of it is taken: {error}"
        yield Problem(source=document.name, reason=reason, hint=_DAMAGED)
    if _is_cut(document.data):
        reason = "the data base is cut off, what can be read of it is taken"
        yield Problem(source=document.name, reason=reason, hint=_DAMAGED)
    yield from left_out.problems()


def _opened(data: bytes) -> sqlite3.Connection:
    base = sqlite3.connect(":memory:")
    # A data base with a log beside it cannot be opened from memory; a backup has none.
    base.deserialize(data[:18] + b"\x01\x01" + data[20:] if data[18:20] == b"\x02\x02" else data)
    base.text_factory = lambda text: text.decode("utf-8", "replace")
    base.execute("PRAGMA trusted_schema = OFF")
    base.execute("PRAGMA query_only = ON")
    base.set_progress_handler(lambda: 1, _STEPS)
    kind = base.execute("SELECT type FROM sqlite_master WHERE name = ?", (_TABLE,)).fetchone()
    if kind != ("table",):
        raise sqlite3.DatabaseError(f"it has no table {_TABLE}")
    return base


def _rows(base: sqlite3.Connection) -> Iterator[dict[str, str]]:
    """The rows as text by the names of their columns, one at a time."""
    cursor = base.execute(f"SELECT * FROM {_TABLE}")  # noqa: S608 - a name of our own
    names = [column[0].lower() for column in cursor.description]
    for row in cursor:
        yield {
            name: value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)
            for name, value in zip(names, row, strict=True)
            if value is not None
        }


def _is_cut(data: bytes) -> bool:
    """Whether the file is shorter than its head says; SQLite would find no rows and say nothing."""
    size = int.from_bytes(data[16:18]) or 1
    pages = int.from_bytes(data[28:32]) if data[24:28] == data[92:96] else 0
    return len(data) < (65536 if size == 1 else size) * pages


def _no_post(row: dict[str, str]) -> tuple[str, str, str] | None:
    """What kind of entry it is if it is no post that others may read."""
    kind, title = row.get("posttype", _POST), row.get("title", "")
    if kind.lower() != _POST:
        what = _TYPES.get(kind.lower(), f"entries of the type `{kind[:40]}`")
        return what, title, "save them as Markdown or JSONL to have them in the vault"
    if row.get("accesspermission", "") not in _OPEN:
        return (
            "private posts",
            title,
            "publish it and make the backup again to have it in the vault",
        )
    return None


def _values(row: dict[str, str]) -> dict[str, object]:
    """The values of a post; its address is in no column, and there are several forms of it."""
    is_markdown = row.get("ismarkdown", "0").lower() in ("1", "true")
    return {
        "id": row.get("id"),
        "title": row.get("title"),
        "published": row.get("dateadded"),
        "updated": row.get("dateupdated"),
        "slug": row.get("entryname"),
        "body_markdown" if is_markdown else "body_html": row.get("body"),
    }


def sniff(document: Document) -> bool:
    """Whether it is a SQLite data base with the table of posts."""
    return document.data.startswith(_MAGIC) and _TABLE.encode() in document.data


READER = Reader(NAME, Richness.FULL, sniff, read)
