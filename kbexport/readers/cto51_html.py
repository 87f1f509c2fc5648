"""Listing pages of a 51CTO blog as HTML, as the site has them since 2021."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from urllib.parse import urljoin

from kbexport.content.dom import Element, parse_page
from kbexport.models import Kind, Post, Problem, SourcePost
from kbexport.readers.base import XML_ROOTS, Document, Reader, Richness
from kbexport.readers.cto51 import noise
from kbexport.readers.cto51.capture import lacks_capture, undated
from kbexport.readers.cto51.meta import KINDS, PINNED, READS
from kbexport.text.clean import clean_text, one_line
from kbexport.text.counts import parse_count
from kbexport.text.dates import is_relative, parse_moment
from kbexport.text.urls import web_address

NAME = "51cto-html"
_SITE = "https://blog.51cto.com/"
_ENTRY = "common-article-list"
_MARKUP = re.compile(rf"class=[\"']?{_ENTRY}\b(?!box)")
_NICKNAME = re.compile(r"\bnickname\s*=\s*['\"]([^'\"\n]{1,60})['\"]")
_CLASS_KINDS: dict[str, Kind] = {
    "original": "original",
    "reprint": "repost",
    "translation": "translation",
}
_END_OF_ENTRY = re.compile(r"class=[\"']?actions\b[^>]{0,200}>[^<]{0,200}</span")
# Half a tag or entity at the end would be taken for text.
_HALF_MARKUP = re.compile(r"(?:<[^<>]{0,2000}|&#?\w{0,10})\Z")
_END_OF_PAGE = re.compile(r"</(?:body|html)\s*>", re.IGNORECASE)


def parse(html: str, source: str, captured: date | None = None) -> Iterator[SourcePost | Problem]:
    """Yield the posts of the page in its order, and what could not be read."""
    rest = _cut_rest(html)
    page = parse_page(html if rest is None else _HALF_MARKUP.sub("", html))
    author = _author(page, html)
    entries = page.select(f"div.{_ENTRY}")
    without_date: list[str] = []
    for number, entry in enumerate(entries, 1):
        place = f"entry {number}"
        cut = rest if number == len(entries) else None
        words = "" if cut is not None else _date_words(entry)
        post = _read_entry(entry, author, parse_moment(words, captured), cut)
        if post.title or post.url:
            yield SourcePost(
                post=post, reader=NAME, source=source, place=place, cut=cut is not None
            )
        if lacks_capture(words, captured):
            without_date.append(words)
        for reason, hint in _faults(entry, post, words, cut):
            yield Problem(source=source, place=place, reason=reason, hint=hint)
    if without_date:
        yield undated(without_date, source, captured)
    if entries and rest is None and _lacks_end(html, captured):
        reason, hint = "the page has no end, entries may be missing", "save the page again"
        yield Problem(source=source, reason=reason, hint=hint)
    if not entries:
        hint = "open it in a browser, let it load, and save it again"
        yield Problem(source=source, reason="the page holds no entries", hint=hint)


def _faults(entry: Element, post: Post, words: str, cut: str | None) -> Iterator[tuple[str, str]]:
    title = (post.title or "without a title")[:60]
    if cut is not None:
        yield f"the page ends within this entry: {title}", "save the page again"
    elif not post.title:
        yield "an entry without a title", "save the page again"
    if words and not post.published and not is_relative(words):
        yield f"no date that can be read: {words[:60]}", "correct the date in the file"
    if cut is None and post.reads is None and (count := _reads(entry)):
        yield f"no count that can be read: {count[:60]}", "correct the count in the file"


def _read_entry(entry: Element, author: str | None, published: str | None, cut: str | None) -> Post:
    """The post; ``cut`` is what a cut-off page has of its last entry."""
    link = entry.select_one("h3.title a")
    excerpt = entry.select_one("p.dec")
    badges = entry.select(".messages span.tag")
    return Post(
        title=(one_line(link.text) or None) if link else None,
        url=web_address(urljoin(_SITE, link.attr("href") or "")) if link else None,
        published=published,
        author=author,
        reads=None if cut is not None else parse_count(_reads(entry)),
        tags=_tags(entry, cut),
        kind=next((kind for kind in map(_kind, badges) if kind), None),
        pinned=True if any(_is_pin(badge) for badge in badges) else None,
        excerpt=(clean_text(excerpt.text).strip() or None) if excerpt else None,
    )


def _date_words(entry: Element) -> str:
    """The date; the button that pins a post looks alike."""
    for action in entry.select(".messages span.actions"):
        if "placeTop" not in (action.attr("class") or ""):
            return one_line(action.text)
    return ""


def _reads(entry: Element) -> str:
    """The label and the count of reads in the words of the page."""
    counts = [one_line(count.text) for count in entry.select(".messages span.nums")]
    return next((count for count in counts if count.startswith(READS)), "")


def _tags(entry: Element, cut: str | None) -> tuple[str, ...]:
    tags = [one_line(tag.text) for tag in entry.select(".tag-box .tag-item a")]
    if cut is not None and "messages" not in cut and not cut.rstrip().endswith(">"):
        tags = tags[:-1]  # the page ends within the last one
    return tuple(dict.fromkeys(tag for tag in tags if tag))


def _kind(badge: Element) -> Kind | None:
    names = (badge.attr("class") or "").split()
    by_class = next((_CLASS_KINDS[name] for name in names if name in _CLASS_KINDS), None)
    return by_class or KINDS.get(one_line(badge.text))


def _is_pin(badge: Element) -> bool:
    return "up" in (badge.attr("class") or "").split() or one_line(badge.text) == PINNED


def _author(page: Element, html: str) -> str | None:
    """The name of the blog's owner; the banner may show another one."""
    user = page.select_one("h3.blog-user[title]")
    if user and (name := one_line(user.attr("title") or "")):
        return name
    if found := _NICKNAME.search(html):
        return one_line(found[1]) or None
    title = page.select_one("title")
    return noise.header_author(one_line(title.text)) if title else None


def _cut_rest(html: str) -> str | None:
    """What the page has of its last entry if it ends before the entry does."""
    starts = [found.start() for found in _MARKUP.finditer(html)]
    if not starts:
        return None
    rest = html[starts[-1] :]
    return None if _END_OF_ENTRY.search(rest) or _END_OF_PAGE.search(rest) else rest


def _lacks_end(html: str, captured: date | None) -> bool:
    """Whether the page was cut off somewhere; SingleFile leaves out tags that need not be."""
    return captured is None and "<html" in html[:2000] and not _END_OF_PAGE.search(html)


def sniff(document: Document) -> bool:
    """Whether it is a page with the site's entries."""
    if document.root in XML_ROOTS:
        return False  # perhaps a large export, which is not read whole to be told from a page
    if not document.is_page:
        return False
    text = document.text
    return "51cto" in text.lower() and bool(_MARKUP.search(text))


def read(document: Document) -> Iterator[SourcePost | Problem]:
    """Yield the posts of the document."""
    return parse(document.text, document.name, document.captured)


READER = Reader(NAME, Richness.LISTING_PAGE, sniff, read)
