"""The text of a page that has no article element, as trafilatura finds it.

Only its choice counts: the text is converted as that of any other page, so that code, tables and
formulas stay. Rule: `dependencies.md`, section 6.
"""

from __future__ import annotations

import importlib.util
import re

from kbexport.content.dom import Element, parse_page
from kbexport.readers.pages.about import read_about
from kbexport.readers.pages.found import Found, is_export, is_linked, is_list, is_page
from kbexport.readers.pages.listings import is_listing
from kbexport.readers.pages.sites import ANY

_LINE = 12
"""Shorter lines stand anywhere on a page."""
_ENOUGH = 0.9
_DEEPEST = 50


def can_guess() -> bool:
    """Whether the library is installed."""
    return importlib.util.find_spec("trafilatura") is not None


def guess_article(html: str, page_url: str | None = None) -> Found | None:
    """The article of a page where the library is installed and finds one."""
    if not is_page(html) or is_listing(html):
        return None
    try:
        import trafilatura  # noqa: PLC0415 - an extra, and 0.3 s that few pages need
    except ImportError:
        return None
    chosen = trafilatura.extract(html, include_comments=False, favor_precision=True)
    lines = {_squeezed(line) for line in (chosen or "").splitlines()}
    lines = {line for line in lines if len(line) >= _LINE}
    page = parse_page(html)
    body = page.select_one("body")
    if not lines or body is None or is_export(page) or is_list(page):
        return None
    text = _smallest(body, lines)
    about = read_about(page, page_url)
    return None if is_linked(text) else Found(page, ANY, about, text, framed=True)


def _smallest(body: Element, lines: set[str]) -> Element:
    """The smallest element that holds nearly all of the lines."""
    found, wanted = body, _ENOUGH * _held(body, lines)
    for _ in range(_DEEPEST):
        inner = [child for child in found.select(":scope > *") if _held(child, lines) >= wanted]
        if len(inner) != 1:
            break
        found = inner[0]
    return found


def _held(element: Element, lines: set[str]) -> int:
    text = _squeezed(element.text)
    return sum(line in text for line in lines)


def _squeezed(text: str) -> str:
    """The text without white space and list marks, in which two parsers need not agree."""
    return re.sub(r"^[-*•|]+|\s", "", text.strip())
