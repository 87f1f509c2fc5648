"""Exports in XML that are damaged, one entry at a time, so that one bad post costs no other.

A parser that recovers gives up, or mixes up, everything behind the first fault; so the text is cut
into entries before it is parsed, and what is no element of such a file is taken for text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from lxml.etree import _Element

_NAMES = """
    item entry title link guid description category comments enclosure source author pubDate
    content summary id published updated name uri email rights contributor
"""
_FOREIGN = re.compile(
    rf"<!\[CDATA\[.*?\]\]>|<!--.*?-->|<(?!/?(?:[\w-]+:[\w-]+|{'|'.join(_NAMES.split())})[\s/>])",
    re.DOTALL,
)
_MOST_SECTIONS = 2000
"""Of more, each may be without an end, and all the rest be searched for it."""
_ROOT = re.compile(r"<(?P<name>(?:\w+:)?(?:rss|feed|RDF))\b[^<>]*>", re.IGNORECASE)


class Piece(NamedTuple):
    """One entry of a damaged file, as far as it can be read."""

    element: _Element | None
    whole: bool
    """Whether nothing of it was lost."""
    cut: bool
    """Whether the file ends within it."""


def damaged_entries(texts: Iterable[str], name: str, read: int) -> Iterator[Piece]:
    """Yield the entries called ``name`` of a text that comes in pieces, without its head.

    The first ``read`` ones are whole, and left out.
    """
    head, begins = "", re.compile(rf"<{name}(?=[\s>])")
    boundary = re.compile(rf"(?<=</{name}>)\s*(?=<(?:{name}[\s>]|/(?:channel|feed|rss)\b))")
    rest = ""
    for text in texts:
        rest += text
        if not head:
            found = begins.search(rest)
            if not found:
                continue
            root = _ROOT.search(rest)
            head = root[0] if root else "<rss>"
            rest = rest[found.start() :]
        if read:
            rest, read = _behind(rest, name, read)
        if read:
            continue
        *entries, rest = boundary.split(rest.lstrip())
        for entry in entries:
            if begins.match(entry):
                yield _parsed(entry, name, head)
    if head and begins.match(rest):
        yield _parsed(rest, name, head)


def _behind(text: str, name: str, entries: int) -> tuple[str, int]:
    """The text behind so many whole entries, and how many of them are still to come.

    A post may speak of such files, so what stands in CDATA is no end of an entry.
    """
    end, place = f"</{name}>", 0
    marks = re.compile(rf"<!\[CDATA\[|{end}")
    while entries and (found := marks.search(text, place)):
        if found[0] == end:
            place, entries = found.end(), entries - 1
            continue
        closed = text.find("]]>", found.end())
        if closed < 0:
            break
        place = closed + 3
    return text[place:], entries


def _parsed(entry: str, entry_name: str, head: str) -> Piece:
    from lxml import etree  # noqa: PLC0415 - 33 ms that only exports in XML need

    name = re.split(r"[\s>]", head[1:], maxsplit=1)[0]
    cut = not entry.rstrip().endswith(f"</{entry_name}>")
    if entry.count("<![CDATA[") < _MOST_SECTIONS:
        entry = _FOREIGN.sub(lambda found: found[0] if len(found[0]) > 1 else "&lt;", entry)
    if entry.rfind("<![CDATA[") > entry.rfind("]]>"):
        entry += "]]>"
    data = f"{head}{entry}</{name}>".encode("utf-8", "replace")
    for recover in (False, True):
        parser = etree.XMLParser(
            encoding="utf-8",
            resolve_entities=False,
            no_network=True,
            load_dtd=False,
            recover=recover,
            huge_tree=True,
            remove_comments=True,
            remove_pis=True,
        )
        try:
            root = etree.fromstring(data, parser)
        except etree.XMLSyntaxError:
            continue
        if root is not None and len(root):
            return Piece(root[0], whole=not recover, cut=cut)
    return Piece(None, whole=False, cut=cut)
