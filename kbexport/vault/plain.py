"""Logseq's own properties, `key:: value`, read with their places.

The rules are those of `reexport.md`, section 2, and `formats.md`, section 3: keys ignore case, and
`_` equals `-`; a value wholly in double quotes is literal; commas of both widths part a list.
"""

from __future__ import annotations

import re

from kbexport.vault.properties import Block, Item, Property, Value

LISTS = frozenset(["tags", "alias", "aliases", "series", "prev", "next", "related"])
"""What Logseq splits at commas, and what holds links."""

_LINE = re.compile(r"[ \t]*(?P<key>[^\s:]+)::(?P<value>[^\n]*)(?:\n|\Z)")
_ITEM = re.compile(r"(?:\[\[[^\n]*?\]\]|[^,\uff0c])+")
_NAME = re.compile(r"#?\[\[([^\[\]]*)\]\]")
_SPACE = " \t\r"


def read_plain(text: str) -> Block | None:
    """Read a block; None where a key stands in it twice: which of them counts is unclear."""
    found = [_property(line) for line in _LINE.finditer(text)]
    keys = [one.key for one in found]
    return Block(text, tuple(found), plain=True) if len(set(keys)) == len(keys) else None


def _property(line: re.Match[str]) -> Property:
    key = re.sub("[_ ]", "-", line["key"].lower())
    start, end = _stripped(line.string, *line.span("value"))
    span = (start, end)
    if key not in LISTS:
        return Property(key, line.start(), line.end(), _unquoted(line.string[start:end]), span)
    items = _items(line.string, start, end)
    value: Value = tuple(item.text for item in items)
    return Property(key, line.start(), line.end(), value, span, items)


def _items(text: str, start: int, end: int) -> tuple[Item, ...]:
    if start == end:
        return ()
    if _is_quoted(text[start:end]):
        return (Item(_unquoted(text[start:end]), start, end),)
    spans = (_stripped(text, *found.span()) for found in _ITEM.finditer(text, start, end))
    return tuple(Item(_name(text[a:b]), a, b) for a, b in spans if a < b)


def _name(raw: str) -> str:
    """The page that an item means, however it is written: `#a`, `[[a]]`, `"a"` or `a`."""
    page = _NAME.fullmatch(raw)
    return page[1] if page else _unquoted(raw.removeprefix("#"))


def _stripped(text: str, start: int, end: int) -> tuple[int, int]:
    """The span without white space at its ends; an empty one lies at its beginning."""
    inner = text[start:end].rstrip(_SPACE)
    first = start + len(inner) - len(inner.lstrip(_SPACE))
    return (first, start + len(inner)) if inner else (start, start)


def _is_quoted(raw: str) -> bool:
    return len(raw) > 1 and raw.startswith('"') and raw.endswith('"')


def _unquoted(raw: str) -> str:
    return raw[1:-1] if _is_quoted(raw) else raw
