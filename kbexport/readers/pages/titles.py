"""The title of a page without what its site adds."""

from __future__ import annotations

import re

from kbexport.content.dom import Element
from kbexport.readers.pages.found import Found
from kbexport.readers.pages.picks import Scope
from kbexport.text.clean import one_line

_SIGNS = " -|–—·«»•_"


def read_title(found: Found, scope: Scope) -> str | None:
    """Where the site prints it, else a heading, else `<title>` without what the site adds."""
    whole = found.page.select_one("head title") or found.page.select_one("title")
    title = one_line(whole.text) if whole else ""
    stated = [name for name in (found.about.og_title, found.about.title, title) if name]
    return (
        scope.line(found.site.title)
        or _heading(found, stated)
        or _cut(found, title)
        or next(iter(stated), None)
    )


def _heading(found: Found, stated: list[str]) -> str | None:
    """The heading that the page has for a title too; else the only one of the article."""
    headings = [*_lines(found.page, "h1"), *_lines(found.page, "h2")]
    for title in stated:
        if words := next((words for words in headings if _begins(title, words)), None):
            return words
    sections = () if found.framed else _lines(found.body, "h1")
    alone = [words for words in _lines(found.page, "article h1, main h1") if words not in sections]
    if not alone and not stated:
        alone = _lines(found.page, "h1")
    return alone[0] if len(alone) == 1 else None


def _lines(element: Element, css: str) -> list[str]:
    lines = (one_line(heading.text) for heading in element.select(css))
    return [line for line in lines if line]


def _begins(title: str, words: str) -> bool:
    """Whether the title is these words, and perhaps the name of the site."""
    rest = title.removeprefix(words)
    return not rest or (rest != title and rest.lstrip()[0] in _SIGNS)


def _cut(found: Found, title: str) -> str | None:
    """`<title>` without the site's name, as far as that is known."""
    if found.site.suffix:
        return re.sub(found.site.suffix, "", title).strip() or None
    for stated in (found.about.title, found.about.og_title):
        if stated and _begins(title, stated):
            return stated
    site = found.about.site or ""
    return title.removesuffix(site).rstrip(_SIGNS) or None if site else title or None
