"""Listing pages of cnblogs and CSDN, and of 51CTO as they were until 2020."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from urllib.parse import urljoin

from kbexport.content.dom import Element, parse_page
from kbexport.models import Post, Problem, SourcePost
from kbexport.readers.base import Document, Reader, Richness
from kbexport.readers.cto51.capture import lacks_capture, undated
from kbexport.readers.pages.listings import LISTINGS, Listing, listing_of
from kbexport.readers.pages.picks import Scope
from kbexport.text.dates import is_relative
from kbexport.text.urls import web_address

NAME = "listing"
_PINNED = re.compile(r"^\s*[\[【]\s*置顶\s*[\]】]\s*")
_END_OF_PAGE = re.compile(r"</(?:body|html)\s*>", re.IGNORECASE)


def parse(html: str, source: str, captured: date | None = None) -> Iterator[SourcePost | Problem]:
    """Yield the posts of the page in its order, and what could not be read."""
    page = parse_page(html)
    whole = Scope((page,), captured=captured)
    listing = listing_of(html) or LISTINGS[0]
    entries = list(_entries(page, listing))
    without_date: list[str] = []
    for number, elements in enumerate(entries, 1):
        place = f"entry {number}"
        entry = Scope(elements, captured=captured)
        words = entry.line(listing.published) or ""
        post = _read_entry(entry, whole, listing)
        if post.title or post.url:
            yield SourcePost(post=post, reader=NAME, source=source, place=place)
        if lacks_capture(words, captured):
            without_date.append(words)
        for reason, hint in _faults(post, words):
            yield Problem(source=source, place=place, reason=reason, hint=hint)
    if without_date:
        yield undated(without_date, source, captured)
    if entries and "<html" in html[:2000] and captured is None and not _END_OF_PAGE.search(html):
        reason, hint = "the page has no end, entries may be missing", "save the page again"
        yield Problem(source=source, reason=reason, hint=hint)
    if not entries:
        hint = "open it in a browser, let it load, and save it again"
        yield Problem(source=source, reason="the page holds no entries", hint=hint)


def _entries(page: Element, listing: Listing) -> Iterator[tuple[Element, ...]]:
    """The elements of each entry: what begins it, and its further parts up to the next one."""
    entry: list[Element] = []
    both = f"{listing.entry}, {listing.more}" if listing.more else listing.entry
    for element in page.select(both):
        if element.matches(listing.entry):
            if entry:
                yield tuple(entry)
            entry = [element]
        elif entry:
            entry.append(element)
    if entry:
        yield tuple(entry)


def _read_entry(entry: Scope, whole: Scope, listing: Listing) -> Post:
    kind = entry.kind(listing.kinds)
    pinned = bool(listing.pinned) and entry.has(listing.pinned)
    for sign in list(entry.select(listing.drop)) if listing.drop else ():
        sign.remove()
    title = entry.line(listing.title) or ""
    link = next(entry.select(listing.link), None)
    return Post(
        title=_PINNED.sub("", title) or None,
        url=_address(link, listing) if link else None,
        published=entry.moment(listing.published),
        author=entry.line(listing.author) or whole.line(listing.author),
        reads=entry.count(listing.reads),
        kind=kind,
        pinned=True if pinned or _PINNED.match(title) else None,
        excerpt=entry.line(listing.excerpt),
    )


def _address(link: Element, listing: Listing) -> str | None:
    try:
        return web_address(urljoin(listing.site, link.attr("href") or ""))
    except ValueError:  # such as `http://[`
        return None


def _faults(post: Post, words: str) -> Iterator[tuple[str, str]]:
    if not post.title:
        yield "an entry without a title", "save the page again"
    if words and not post.published and not is_relative(words):
        yield f"no date that can be read: {words[:60]}", "correct the date in the file"


def sniff(document: Document) -> bool:
    """Whether it is a page with the entries of one of the sites."""
    return document.is_page and listing_of(document.text) is not None


def read(document: Document) -> Iterator[SourcePost | Problem]:
    """Yield the posts of the document."""
    return parse(document.text, document.name, document.captured)


READER = Reader(NAME, Richness.LISTING_PAGE, sniff, read)
