"""The keys of front matter as Hexo, Hugo and Jekyll write them, under the names of `Post`."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from kbexport.readers.fields import (
    Rule,
    as_count,
    as_flag,
    as_kind,
    as_line,
    as_moment,
    as_names,
    as_ordinal,
    as_slug,
    as_text,
    as_url,
)
from kbexport.text.clean import one_line

# The field, its keys in other programs, in lower case and strongest first, and how it is read.
_FIELDS: tuple[tuple[str, tuple[str, ...], Rule], ...] = (
    ("id", ("id", "guid"), as_line),
    ("title", ("title",), as_line),
    ("url", ("url", "permalink", "link", "canonical", "canonical_url"), as_url),
    ("published", ("date", "published", "pubdate", "publishdate"), as_moment),
    ("updated", ("updated", "lastmod", "modified"), as_moment),
    ("author", ("author", "authors"), as_line),
    ("reads", ("reads", "views"), as_count),
    ("tags", ("tags", "tag"), as_names),
    ("categories", ("categories", "category"), as_names),
    ("column", ("column",), as_line),
    ("kind", ("kind",), as_kind),
    ("pinned", ("pinned", "pin", "top", "sticky"), as_flag),
    ("series", ("series",), as_line),
    ("ordinal", ("ordinal", "series_order", "part"), as_ordinal),
    ("slug", ("slug", "basename"), as_slug),
    ("excerpt", ("excerpt", "summary", "description"), as_text),
    ("attachments", ("attachments",), as_names),
)
RULES: dict[str, Rule] = {name: rule for name, _, rule in _FIELDS}
_READ = frozenset(key for _, keys, _ in _FIELDS for key in keys) | {"draft"}
# How a page looks on its site is nothing that a note could keep.
_LAYOUT_KEYS = """
    layout type comments comment toc mathjax katex math mermaid cover image images img thumbnail
    banner header header-img top_img photos background sidebar nav share copyright license hidden
    weight keywords lang language css js aliases redirect_from search index
"""
_LAYOUT = frozenset(_LAYOUT_KEYS.split())
_NOTHING = frozenset(["", "~", "null"])
TRUE = frozenset(["true", "yes", "on", "1"])
_SCHEME = re.compile(r"\s*[A-Za-z][\w+.-]*:")
_MOST_NAMED = 10


@dataclass(frozen=True)
class Named:
    """What front matter says, under the names of `Post`."""

    values: dict[str, object]
    """The values, not yet read."""
    written: dict[str, str]
    """For each of them the key as it stands there."""
    notes: tuple[str, ...]
    """What was left out."""


def word(value: object) -> str:
    """A text in lower case, to be compared; of anything else nothing."""
    return value.strip().lower() if isinstance(value, str) else ""


def name_values(given: Mapping[str, object], *, by_blanks: bool) -> Named:
    """The values under our own names, of several keys the first that says something.

    ``by_blanks`` says that tags in one text are divided by blanks, as Jekyll does.
    """
    written = {str(key).lower(): str(key) for key in given}
    lower = {str(key).lower(): value for key, value in given.items()}
    if word(lower.get("published")) in TRUE:
        del lower["published"]  # a mark, not a date
    values: dict[str, object] = {}
    used: dict[str, str] = {}
    for name, keys, _ in _FIELDS:
        for key in keys:
            value = _adapted(key, lower.get(key), by_blanks=by_blanks)
            if value is not None:
                values[name], used[name] = value, written[key]
                break
    return Named(values, used, tuple(_notes(lower, written)))


def _notes(lower: Mapping[str, object], written: Mapping[str, str]) -> list[str]:
    notes = []
    ignored = [one_line(written[key]) for key in lower if key not in _READ | _LAYOUT]
    if ignored:
        more = len(ignored) - _MOST_NAMED
        names = ", ".join(f"`{key[:60]}`" for key in ignored[:_MOST_NAMED])
        more_names = f" and {more} more" if more > 0 else ""
        notes.append(f"keys that are not known were left out: {names}{more_names}")
    series = lower.get("series")
    if isinstance(series, list) and len(series) > 1:
        notes.append(f"a post has one series, {len(series) - 1} further ones were left out")
    return notes


def _adapted(key: str, value: object, *, by_blanks: bool) -> object:
    """The value in the form that the rules take; ``None`` if it says nothing."""
    if isinstance(value, str) and value.strip().lower() in _NOTHING:
        return None
    if by_blanks and key in ("tags", "categories") and isinstance(value, str):
        return value if re.search("[,，]", value) else list(value.split())
    return _ADAPT[key](value) if key in _ADAPT else value


def _several(value: object) -> object:
    """Join Hexo's paths of categories."""
    if isinstance(value, list):
        nested = [item if isinstance(item, list) else [item] for item in value]
        return [item for group in nested for item in group]
    return value


def _first(value: object) -> object:
    """The one series of a list: a post has one."""
    return next(iter(value), None) if isinstance(value, list) else value


def _absolute(value: object) -> object:
    """Leave out a place within a site whose address is not known."""
    return None if isinstance(value, str) and not _SCHEME.match(value) else value


def _names_of(value: object) -> object:
    """The author, or the authors joined; Hugo has mappings with a name."""
    if isinstance(value, dict):
        return value.get("name")
    if isinstance(value, list):
        names = [_names_of(item) for item in value]
        return ", ".join(name for name in names if isinstance(name, str)) or None
    return value


def _raised(value: object) -> object:
    """Read how far up a theme puts the post: Hexo sorts by the number."""
    rank = word(value)
    return "true" if rank in TRUE or (rank.isdecimal() and int(rank[:9]) > 0) else None


# Where other programs write a value in a form of their own.
_ADAPT: dict[str, Callable[[object], object]] = {
    "tags": _several,
    "categories": _several,
    "series": _first,
    "author": _names_of,
    "authors": _names_of,
    "url": _absolute,
    "permalink": _absolute,
    "link": _absolute,
    "canonical": _absolute,
    "canonical_url": _absolute,
    "top": _raised,
    "sticky": _raised,
}
