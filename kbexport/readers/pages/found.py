"""Which page of which site it is, and where its text stands."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from kbexport.content.dom import Element, parse_page
from kbexport.readers.pages.about import About, read_about
from kbexport.readers.pages.listings import is_listing
from kbexport.readers.pages.sites import ANY, FRAME, SITES, WECHAT, Site
from kbexport.readers.pages.stubs import Stub, find_stub
from kbexport.readers.pages.wechat import script_text

_HEAD = 20_000
_PAGE = re.compile(r"<(?:!doctype\s+html|html|head|body)\b", re.IGNORECASE)
_FEED = re.compile(r"<(?:rss|feed|rdf:rdf|opml|urlset)\b", re.IGNORECASE)
_SCRIPT = re.compile(r"\s*<script\b", re.IGNORECASE)
# Pages of an export have a reader of their own.
_EXPORTS = "section[data-field='body'].e-content, body > section.h-card"
_MOST = 200
"""Elements of which one may be the text; a page of more is a list."""
# Headings that lead elsewhere are those of a list; an article has links to its own sections.
_LINKED = "h2 > a[href]:not([href*='#']), h3 > a[href]:not([href*='#'])"
_MOST_LINKED = 2
_TIMES = "article time[datetime], main time[datetime]"


@dataclass(frozen=True)
class Found:
    """An article page: the site it is of, what it says of itself, and its text."""

    page: Element
    site: Site
    about: About
    body: Element
    framed: bool = False
    """Whether the text is a whole `article` or `main`, with what stands around it."""

    @property
    def drop(self) -> str:
        """Selector of what stands in the text and is none."""
        return ", ".join(filter(None, (self.site.drop, FRAME if self.framed else "")))


def is_page(text: str) -> bool:
    """Whether it is a web page and no feed, whatever a feed has for a document type."""
    head = text[:_HEAD].lstrip()
    if not head.startswith("<") or _FEED.search(head[:4000]):
        return False
    return bool(_PAGE.search(head) or _SCRIPT.match(head))


def is_list(page: Element) -> bool:
    """Whether it is a page of many articles, none of which is the one of the page."""
    texts = (page.select(css) for css in (*ANY.body, "article"))
    return any(found and main_of(found) is None for found in texts)


def is_linked(text: Element) -> bool:
    """Whether the headings lead elsewhere, as those of a list do."""
    return len(text.select(_LINKED)) > _MOST_LINKED


def is_export(page: Element) -> bool:
    """Whether it is a page of some export, such as Medium's."""
    return page.select_one(_EXPORTS) is not None


def find_article(html: str, page_url: str | None = None) -> Found | Stub | None:
    """The article of a page, the stub in its place, or nothing where it is another page."""
    if not is_page(html) or is_listing(html):
        return None
    page = parse_page(html)
    about = read_about(page, page_url)
    if body := script_text(page, html):
        return Found(page, WECHAT, about, body)
    for site in SITES:
        if body := _one(page, site.body):
            return Found(page, site, about, body)
    return None if is_export(page) else _any_article(page, about, html)


def _any_article(page: Element, about: About, html: str) -> Found | Stub | None:
    """The article of a page of any other site."""
    for css in ANY.body:
        if found := page.select(css):
            text = main_of(found)
            return Found(page, ANY, about, text) if text else None
    body = framed_text(page)
    stub = None if body and about.is_article else find_stub(page, html)
    if body and not stub and (about.is_article or _is_read(page, body)):
        return Found(page, ANY, about, body, framed=True)
    return stub


def framed_text(page: Element) -> Element | None:
    """The one `article` of the page, else its one `main`; a page of many articles is a list."""
    if articles := page.select("article"):
        return main_of(articles)
    return main_of(page.select("main, [role='main']"))


def _one(page: Element, selectors: Sequence[str]) -> Element | None:
    """The text by the first selector that finds something."""
    for css in selectors:
        if found := page.select(css):
            return main_of(found)
    return None


def main_of(found: Sequence[Element]) -> Element | None:
    """The one element, or the one that holds far more words than any other; else none."""
    if len(found) == 1:
        return found[0]
    if len(found) > _MOST:
        return None
    sized = sorted(((len(one.text), -place) for place, one in enumerate(found)), reverse=True)
    if not sized or sized[0][0] < 3 * sized[1][0]:
        return None
    return found[-sized[0][1]]


def _is_read(page: Element, body: Element) -> bool:
    """Whether the page has what an article has: a heading, and a date or more than links."""
    if not page.select_one("h1, h2"):
        return False
    if is_linked(body):
        return False
    if page.select_one(_TIMES):
        return True
    linked = sum(len(link.text) for link in body.select("a"))
    return len(body.text) > 2 * linked
