"""Article pages: of the sites in `pages/sites.py`, and any other by its article element."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from urllib.parse import unquote

from kbexport.content.dom import Element
from kbexport.models import Post, Problem, SourcePost
from kbexport.readers.base import Document, Reader, Richness
from kbexport.readers.pages.found import Found, find_article
from kbexport.readers.pages.guess import can_guess, guess_article
from kbexport.readers.pages.picks import Pick, Scope, at_offset
from kbexport.readers.pages.stubs import Stub
from kbexport.readers.pages.titles import read_title
from kbexport.text.clean import clean_text
from kbexport.text.urls import web_address

NAME = "article"
_NEIGHBOUR = re.compile(
    r"[\s«»‹›←→<>]*(?:上一篇|下一篇|上篇|下篇|previous(?: post)?|next(?: post)?)\s*[:：]",
    re.IGNORECASE,
)
_LOOSE_DATES = (
    Pick("article time[datetime], main time[datetime]", attr="datetime"),
    Pick("time[datetime]", attr="datetime"),
    Pick("article time, .post-meta time, .entry-date, .post-date, .article-date"),
)
_SAVED_FILES = re.compile(r"(?:\./)?([^/?#:]+(?:_files|\.files)/[^?#]+)")
# No deeper: the text of what is nested would be read again at each level.
_OUTER = ":scope > *, :scope > div > *, :scope > ul > li"
_UNSEEN = "style, link, script:not([type^='math/tex'])"
_SEEN = "img, video, audio, iframe, svg, object, embed, picture, canvas"


def parse(
    html: str, source: str, page_url: str | None = None, captured: date | None = None
) -> Iterator[SourcePost | Problem]:
    """Yield the post of the page, or why it holds none; the page was found at ``page_url``."""
    found = find_article(html, page_url) or guess_article(html, page_url)
    if found is None:
        more = "if it is one, install `kbexport[pages]`, which finds more of them"
        hint = "name the pages of single articles, and listings" if can_guess() else more
        yield Problem(source=source, reason="no article was found on this page", hint=hint)
    elif isinstance(found, Stub):
        yield Problem(source=source, reason=found.reason, hint=found.hint)
    else:
        post = _read(found, Scope((found.page,), html, captured))
        if post.body_html is None:
            hint = "open it in a browser, let it load, and save it again"
            yield Problem(source=source, reason="the article has no text", hint=hint)
        yield SourcePost(post=post, reader=NAME, source=source, place="page")


def _read(found: Found, scope: Scope) -> Post:
    site, about = found.site, found.about
    published = scope.moment(site.published) or about.published
    if not published and not site.name:
        published = scope.moment(_LOOSE_DATES)
    updated = scope.moment(site.updated) or (None if site.name else about.updated)
    columns = scope.names(site.column)
    title = read_title(found, scope)
    fields = Post(
        title=title,
        url=web_address(scope.line(site.url) or "") or about.url,
        published=at_offset(published, site.offset),
        updated=at_offset(updated, site.offset),
        author=scope.line(site.author) or about.author,
        reads=scope.count(site.reads),
        tags=scope.names(site.tags) or about.tags,
        categories=scope.names(site.categories) or (() if site.name else about.categories),
        column=columns[0] if columns else None,
        kind=scope.kind(site.kinds),
    )
    body = _body(found, title)  # last: it takes away what the values above stand in
    return fields.model_copy(update={"body_html": body, "attachments": _attachments(found.body)})


def _body(found: Found, title: str | None) -> str | None:
    """The HTML of the text without what stands around it; none if it shows nothing."""
    body = found.body
    for element in body.select(", ".join(filter(None, (_UNSEEN, found.drop)))):
        element.remove()
    if found.framed:
        for heading in body.select("h1, h2")[:1]:
            if heading.text == title:
                heading.remove()
        for element in body.select(_OUTER):
            if len(words := element.text) < 200 and _NEIGHBOUR.match(words):
                element.remove()
    if not body.text and not body.select_one(_SEEN):
        return None
    return clean_text(body.inner_html).strip() or None


def _attachments(body: Element) -> tuple[str, ...]:
    """The pictures that a browser saved beside the page, as paths relative to it."""
    addresses = (picture.attr("src") or "" for picture in body.select("img[src]"))
    found = (_SAVED_FILES.fullmatch(address.strip()) for address in addresses)
    paths = (unquote(one[1]) for one in found if one)
    return tuple(dict.fromkeys(path for path in paths if ".." not in path.split("/")))


def sniff(document: Document) -> bool:
    """Whether it is an article page, or a page in the place of one."""
    return document.is_page and find_article(document.text) is not None


def read(document: Document) -> Iterator[SourcePost | Problem]:
    """Yield the post of the document."""
    return parse(document.text, document.name, document.page_url, document.captured)


_ENDINGS = frozenset((".html", ".htm", ".xhtml", ".mhtml", ".mht"))
READER = Reader(NAME, Richness.FULL, sniff, read, _ENDINGS)
