"""The older backup of a cnblogs blog: RSS 2.0 that holds every post whole.

Its form (`inputs/README.md`, section 4): the text is HTML in `description`, and `guid` the address.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime, timedelta, timezone

from kbexport.models import Problem, SourcePost
from kbexport.readers.base import Document, Reader, Richness
from kbexport.readers.record import Where, post_of
from kbexport.readers.xml_exports import is_cnblogs
from kbexport.readers.xml_items import XmlElement, entries, full_text, local_name
from kbexport.text.clean import one_line
from kbexport.text.dates import parse_moment
from kbexport.text.markup import title_of_html

NAME = "cnblogs-rss"
_SITE = timezone(timedelta(hours=8))
_DAY = re.compile(r"/(\d{4})/(\d\d)/(\d\d)/")
_DEPTH = 2
_FIELDS = {
    "title": "title",
    "link": "url",
    "author": "author",
    "creator": "author",
    "pubDate": "published",
    "guid": "id",
    "description": "body_html",
}


def read(document: Document) -> Iterator[SourcePost | Problem]:
    """Yield the posts of the document, and what could not be read."""
    number = 0
    for entry in entries(document, _DEPTH):
        if isinstance(entry, Problem):
            yield entry
        elif local_name(entry.element) == "item":
            number += 1
            where = Where(NAME, document.name, f"item {number}", cut=entry.cut)
            yield from post_of(_values(entry.element), where)


def _values(item: XmlElement) -> dict[str, object]:
    values: dict[str, object] = {}
    for child in item:
        name = _FIELDS.get(local_name(child))
        if name and (text := full_text(child)).strip():
            values.setdefault(name, text)
        elif local_name(child) == "category" and (tag := one_line(full_text(child))):
            values["categories"] = [*_listed(values.get("categories")), tag]
    if "title" in values:
        values["title"] = title_of_html(str(values["title"]))
    values.setdefault("url", values.get("id"))
    if "published" in values:
        values["published"] = _local(str(values["published"]), str(values["url"] or ""))
    return values


def _local(published: str, url: str) -> str:
    """The time as the site shows it, in China; the backup has it in GMT.

    Older addresses name the day: where that of GMT is the one, the time is not moved.
    """
    moment = parse_moment(published)
    if moment is None or not moment.endswith(("Z", "+00:00")):
        return published
    local = datetime.fromisoformat(moment).astimezone(_SITE).isoformat()
    named = _DAY.search(url)
    day = "-".join(named.groups()) if named else ""
    return published if day == moment[:10] and day != local[:10] else local


def _listed(value: object) -> list[object]:
    return value if isinstance(value, list) else []


READER = Reader(NAME, Richness.FULL, is_cnblogs, read)
