"""JSON Feed, versions 1 and 1.1 (jsonfeed.org)."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from kbexport.models import Problem, SourcePost
from kbexport.readers.base import Document, Reader, Richness
from kbexport.readers.record import Where, post_of

NAME = "json-feed"
_VERSION = re.compile(r"\"version\"\s*:\s*\"https?:\\?/\\?/(?:www\.)?jsonfeed\.org\\?/version\\?/")


def parse(text: str, source: str) -> Iterator[SourcePost | Problem]:
    """Yield the posts of the feed in its order, and what could not be read."""
    try:
        feed = json.loads(text)
    except (ValueError, RecursionError) as error:
        reason = f"no valid JSON: {error}"
        yield Problem(source=source, reason=reason, hint="fetch the feed again")
        return
    items = feed.get("items") if isinstance(feed, dict) else None
    if not isinstance(items, list) or not items:
        yield Problem(source=source, reason="the feed holds no posts", hint="fetch it again")
        return
    authors = _authors(feed)
    for number, item in enumerate(items, 1):
        place = f"item {number}"
        if isinstance(item, dict):
            yield from post_of(_values(item, authors), Where(NAME, source, place))
        else:
            yield Problem(source=source, place=place, reason="an item that is no object")


def _values(item: dict[str, Any], authors: str | None) -> dict[str, object]:
    html, text = item.get("content_html"), item.get("content_text")
    return {
        "id": _number_or_text(item.get("id")),
        "title": item.get("title"),
        "url": item.get("url") or item.get("external_url"),
        "published": item.get("date_published"),
        "updated": item.get("date_modified"),
        "author": _authors(item) or authors,
        "tags": item.get("tags"),
        "excerpt": item.get("summary"),
        "body_html": html,
        "body_markdown": None if html else text,
        "attachments": [
            file.get("url")
            for file in item.get("attachments") or ()
            if isinstance(file, dict) and file.get("url")
        ],
    }


def _number_or_text(value: object) -> object:
    """An id; version 1 lets programs write numbers."""
    return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else value


def _authors(holder: dict[str, Any]) -> str | None:
    """The names of the authors: version 1 has one, 1.1 has several."""
    several = holder.get("authors")
    given = several if isinstance(several, list) and several else [holder.get("author")]
    names = [author.get("name") for author in given if isinstance(author, dict)]
    return ", ".join(name for name in names if isinstance(name, str) and name) or None


def sniff(document: Document) -> bool:
    """Whether it is JSON that says so itself."""
    head = document.head
    return head[:1000].lstrip().startswith("{") and bool(_VERSION.search(head))


def read(document: Document) -> Iterator[SourcePost | Problem]:
    """Yield the posts of the document."""
    return parse(document.text, document.name)


READER = Reader(NAME, Richness.FEED, sniff, read)
