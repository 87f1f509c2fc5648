"""Ghost exports in JSON, old and new, and posts as Ghost's Content API gives them.

The text is in `html`; where that is empty, in the form of the editor: `lexical`, `mobiledoc`, or
`markdown` (`inputs/README.md`, section 10).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime

from kbexport.models import Problem, SourcePost
from kbexport.readers.base import Document, Reader, Richness
from kbexport.readers.ghost_cards import TextError
from kbexport.readers.ghost_lexical import lexical_body
from kbexport.readers.ghost_mobiledoc import mobiledoc_body
from kbexport.readers.record import LeftOut, Where, post_of
from kbexport.text.clean import one_line

NAME = "ghost"
_EXPORT = re.compile(r"\"(?:meta)\"\s*:\s*\{[^{}]*\"exported_on\"\s*:")
_ANSWER = re.compile(
    r"\A\s*\{\s*\"posts\"\s*:\s*\[\s*\{.*?\"(?:lexical|mobiledoc|comment_id|uuid)\"\s*:", re.DOTALL
)
_PUBLISHED = ("published", "sent", "")
_PUBLISH = "publish it and export again to have it in the vault"
# Stands for the address of the site in a text; the export does not tell the address.
_SITE = "__GHOST_URL__"


@dataclass
class _Tables:
    """What the posts of an export refer to by id."""

    tags: dict[str, list[str]] = field(default_factory=dict)
    """Names of the tags of a post, in its order."""
    authors: dict[str, list[str]] = field(default_factory=dict)
    users: dict[str, str] = field(default_factory=dict)


def parse(text: str, source: str) -> Iterator[SourcePost | Problem]:
    """Yield the posts of the export, what could not be read, and what was left out by rule."""
    try:
        data = _data(json.loads(text))
    except (ValueError, RecursionError) as error:
        reason = f"no valid JSON: {error}"
        yield Problem(source=source, reason=reason, hint="export it again")
        return
    posts, left_out = _rows(data, "posts"), LeftOut(source)
    if not posts:
        yield Problem(source=source, reason="the export holds no posts", hint="export it again")
    tables = _tables(data)
    for number, post in enumerate(posts, 1):
        if rule := _no_post(post):
            left_out.add(rule[0], post.get("title"), rule[1])
            continue
        place = f"post {number}"
        values = _values(post, tables)
        try:
            values |= _body(post)
        except TextError as error:
            hint = "the post is there without it; export it again"
            reason = f"its text cannot be read: {error} (of “{values['title']}”)"
            yield Problem(source=source, place=place, reason=reason, hint=hint)
        yield from post_of(values, Where(NAME, source, place))
    yield from left_out.problems()


def _data(export: object) -> dict[str, object]:
    """The tables: of an export in `db` or at its top, of an answer of the API the answer itself."""
    if isinstance(export, dict) and isinstance(export.get("db"), list):
        export = next(iter(export["db"]), None)
    if isinstance(export, dict):
        inner = export.get("data", export)
        return inner if isinstance(inner, dict) else {}
    return {}


def _rows(data: dict[str, object], table: str) -> list[dict[str, object]]:
    rows = data.get(table)
    return [row for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []


def _tables(data: dict[str, object]) -> _Tables:
    tables = _Tables(users={str(row.get("id")): _name(row) for row in _rows(data, "users")})
    names = {str(row.get("id")): _name(row) for row in _rows(data, "tags")}
    for table, key, known, found in (
        ("posts_tags", "tag_id", names, tables.tags),
        ("posts_authors", "author_id", tables.users, tables.authors),
    ):
        for row in sorted(_rows(data, table), key=_place):
            if name := known.get(str(row.get(key))):
                found.setdefault(str(row.get("post_id")), []).append(name)
    return tables


def _place(row: dict[str, object]) -> int:
    order = row.get("sort_order")
    return order if isinstance(order, int) else 0


def _name(row: dict[str, object]) -> str:
    return one_line(str(row.get("name") or ""))


def _no_post(post: dict[str, object]) -> tuple[str, str] | None:
    if post.get("type") == "page" or post.get("page") in (True, 1):
        return "pages", "save them as Markdown or JSONL to have them in the vault"
    status = str(post.get("status") or "")
    if status == "scheduled":
        return "scheduled posts", _PUBLISH
    return None if status in _PUBLISHED else ("drafts", _PUBLISH)


def _values(post: dict[str, object], tables: _Tables) -> dict[str, object]:
    key = str(post.get("id"))
    tags = [_name(row) for row in _rows(post, "tags")] or tables.tags.get(key, [])
    authors = [_name(row) for row in _rows(post, "authors")] or tables.authors.get(key, [])
    writer = tables.users.get(str(post.get("author_id")), "")
    picture = post.get("feature_image")
    return {
        "id": str(post.get("uuid") or post.get("id") or ""),
        "title": post.get("title"),
        "url": post.get("url") or post.get("canonical_url"),
        "published": _moment(post.get("published_at")),
        "updated": _moment(post.get("updated_at")),
        "author": ", ".join(authors) or writer,
        "tags": [tag for tag in tags if not tag.startswith("#")],  # the others are for the theme
        "pinned": True if post.get("featured") in (True, 1) else None,
        "excerpt": post.get("custom_excerpt"),
        "slug": post.get("slug"),
        "attachments": [_placed(picture)] if isinstance(picture, str) and picture else [],
    }


def _moment(value: object) -> object:
    """A date; old exports count milliseconds."""
    if isinstance(value, int) and not isinstance(value, bool):
        try:
            return datetime.fromtimestamp(value / 1000, UTC).isoformat(timespec="seconds")
        except (ValueError, OverflowError, OSError):
            return str(value)
    return value


def _body(post: dict[str, object]) -> dict[str, object]:
    """The text in the best form that the post has."""
    html = post.get("html")
    if isinstance(html, str) and html.strip():
        return {"body_html": _placed(html)}
    for name, read in (("lexical", lexical_body), ("mobiledoc", mobiledoc_body)):
        written = post.get(name)
        if isinstance(written, str) and written.strip():
            body = read(written)
            return {body.field: _placed(body.text)}
    markdown = post.get("markdown") or post.get("plaintext")
    return {"body_markdown": _placed(markdown)} if isinstance(markdown, str) else {}


def _placed(text: str) -> str:
    return text.replace(f"{_SITE}/", "/").replace(_SITE, "/")


def sniff(document: Document) -> bool:
    """Whether it is one of these."""
    head = document.head
    if not head[:1000].lstrip().startswith("{"):
        return False
    return bool(_EXPORT.search(head) or _ANSWER.search(head))


def read(document: Document) -> Iterator[SourcePost | Problem]:
    """Yield the posts of the document."""
    return parse(document.text, document.name)


READER = Reader(NAME, Richness.FULL, sniff, read)
