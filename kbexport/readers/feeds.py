"""Feeds: RSS 0.91, 1.0 and 2.0, and Atom; malformed ones too.

feedparser reads them; its traps, and what is done about them, are in `dependencies.md`, section 3.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import urljoin

from kbexport.content.html import absolute_addresses, html_to_text
from kbexport.models import Problem, SourcePost
from kbexport.readers.base import XML_ROOTS, Document, Reader, Richness
from kbexport.readers.record import Where, post_of
from kbexport.readers.xml_exports import is_export
from kbexport.readers.xml_mending import Mending, as_utf8, declares_entities, refused
from kbexport.text.markup import title_of_html
from kbexport.text.urls import web_address

NAME = "feed"
_MARKUP = re.compile(r"<[a-zA-Z][^<>]*>")
_RELATIVE = re.compile(
    r"\b(?:src|href)\s*=\s*[\"']?(?!https?:|//|#|mailto:|data:|javascript:)[^\s\"'>]", re.IGNORECASE
)
_MAILED = re.compile(r"\S+@\S+\s*\((?P<name>[^()]+)\)")
_END = re.compile(
    r"</(?:\w+:)?(?:rss|feed|rdf)\s*>\s*(?:<!--.*?-->\s*)*\Z", re.IGNORECASE | re.DOTALL
)


def parse(text: str, source: str) -> Iterator[SourcePost | Problem]:
    """Yield the posts of the feed in its order, and what could not be read."""
    if declares_entities(text):
        yield refused(source)
        return
    mending = Mending()
    mended = "".join(mending.mended([text]))
    feed = _parsed(mended)
    whole = bool(_END.search(mended))
    items = [dict(item) for item in feed["entries"]]
    for number, item in enumerate(items, 1):
        cut = not whole and number == len(items)
        yield from post_of(_values(item, feed), Where(NAME, source, f"item {number}", cut=cut))
    yield from mending.problems(source)
    if feed.get("bozo"):
        why = re.sub(r"^<unknown>:", "at line ", str(feed.get("bozo_exception") or ""))
        reason = "the feed is damaged, what can be read of it is taken" + (
            f": {why}" if why else ""
        )
        hint = "it may be cut off: fetch it again if posts are missing"
        yield Problem(source=source, reason=reason, hint=hint)
    if not items:
        yield Problem(source=source, reason="the feed holds no posts", hint="fetch it again")


def _parsed(text: str) -> Mapping[str, Any]:
    import feedparser  # noqa: PLC0415 - 111 ms that only feeds need

    # Text of a feed in GB 2312 comes out garbled, so it gets bytes that we decoded ourselves; as a
    # stream, for it takes anything else for the name of a file first.
    parsed: Mapping[str, Any] = feedparser.parse(
        io.BytesIO(as_utf8(text)), sanitize_html=False, resolve_relative_uris=False
    )
    return parsed


def _values(item: dict[str, Any], feed: Mapping[str, Any]) -> dict[str, object]:
    atom = str(feed.get("version") or "").startswith("atom")
    url = _address(item, feed)
    # In RSS `dc:date` is the day of the post, but feedparser calls it that of a change.
    published = item.get("published") or (None if atom else item.get("updated"))
    body, base, excerpt = _texts(item)
    return {
        "id": item.get("id"),
        "title": _title(item, atom=atom),
        "url": url,
        "published": published,
        "updated": item.get("updated") if atom or item.get("published") else None,
        "author": _author(item) or (_author(feed["feed"]) if atom else None),
        "tags": [tag.get("label") or tag.get("term") or "" for tag in item.get("tags") or ()],
        "excerpt": excerpt,
        "body_html": _based(body, base, url) if body else None,
        "attachments": _links(item, "enclosure"),
    }


def _address(item: Mapping[str, Any], feed: Mapping[str, Any]) -> str | None:
    """The address of the post; some feeds give only the one of the entry itself."""
    base = (item.get("title_detail") or {}).get("base") or feed["feed"].get("link") or ""
    base = web_address(str(base)) or ""
    # An id that is no address stands in `link` where an Atom entry has no other one.
    links = [str(item.get("link") or ""), *_links(item, "self")]
    found = (web_address(urljoin(base, link)) for link in links if link)
    return next((address for address in found if address), None)


def _links(item: Mapping[str, Any], kind: str) -> list[str]:
    """Where the links of one kind lead."""
    links = item.get("links") or ()
    return [link["href"] for link in links if link.get("rel") == kind and link.get("href")]


def _title(item: Mapping[str, Any], *, atom: bool) -> str | None:
    """The title as text: Atom says whether it is one; titles in RSS are HTML as a rule."""
    title = item.get("title")
    if not title:
        return None
    kind = (item.get("title_detail") or {}).get("type") or ""
    if not atom:
        return title_of_html(title)
    return title if kind == "text/plain" else html_to_text(title)


def _author(item: Mapping[str, Any]) -> str | None:
    """The names of the authors: RSS writes `address (name)`."""
    written = str(item.get("author") or "")
    if found := _MAILED.fullmatch(written):
        return found["name"]
    names = dict.fromkeys(author.get("name") or "" for author in item.get("authors") or ())
    return ", ".join(name for name in names if name) or written or None


def _texts(item: Mapping[str, Any]) -> tuple[str, str, str | None]:
    """The body, the address that it is relative to, and the excerpt.

    `content` is the text and `summary` what stands for it; where there is only the latter, it is
    the text if it has markup, as most feeds of whole posts have it.
    """
    summary = str(item.get("summary") or "")
    contents = [content for content in item.get("content") or () if content.get("value")]
    if contents:
        best = max(contents, key=lambda content: ("html" in content["type"], len(content["value"])))
        body = best["value"]
        if "html" not in best["type"] and not _MARKUP.search(body):
            return _paragraphs(body), "", _excerpt(summary, body)
        return body, best.get("base") or "", _excerpt(summary, body)
    if _MARKUP.search(summary):
        return summary, (item.get("summary_detail") or {}).get("base") or "", None
    return "", "", html_to_text(summary) or None


def _excerpt(summary: str, body: str) -> str | None:
    return None if summary == body else html_to_text(summary) or None


def _paragraphs(text: str) -> str:
    """Plain text as HTML."""
    escaped = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return "".join(f"<p>{part}</p>" for part in re.split(r"\n\s*\n", escaped) if part.strip())


def _based(body: str, base: str, url: str | None) -> str:
    """The body with addresses that hold without the feed; others are relative to the post."""
    if web_address(base) and base != url and _RELATIVE.search(body):
        return absolute_addresses(body, base)
    return body


def sniff(document: Document) -> bool:
    """Whether it is RSS or Atom, and no export in such a form."""
    return document.root in XML_ROOTS and not is_export(document)


def read(document: Document) -> Iterator[SourcePost | Problem]:
    """Yield the posts of the document."""
    return parse(document.text, document.name)


READER = Reader(NAME, Richness.FEED, sniff, read)
