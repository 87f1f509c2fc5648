"""The prose of a note: its text with code, formulas and escapes blanked, every place kept.

Rules look for their signs in it and never see code. Line by line would be too slow for a big
vault, so everything is found by few patterns over the whole text. What is code: `formats.md`,
section 3 and section 5.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

_FENCE = re.compile(
    r"^(?P<prefix>(?:[ \t]*(?:>|[-+*](?=[ \t])|\d{1,9}[.)](?=[ \t])))*+[ \t]*+)"
    r"(?P<mark>`{3,}|~{3,})(?P<info>[^\n]*)$",
    re.MULTILINE,
)
_OUT_OF_QUOTE = re.compile(r"\n(?![ \t]*>)")
_OUT_OF_ITEM = re.compile(r"\n(?!  |\t|[ \t\r]*(?:\n|\Z))")
_NEVER = re.compile(r"(?!)")
_INDENTED = re.compile(r"(?:\A|\n)[ \t\r]*\n(?P<code>(?:(?: {4}|\t)[^\n]*(?:\n|\Z))+)")
_ITEM = re.compile(r"(?:[-+*]|\d{1,9}[.)])[ \t]|\[\^")
_PARAGRAPH_END = re.compile(r"\n[ \t\r>]*(?=\n)")
_TICKS = re.compile(r"\\.|`+")
_FORMULA = re.compile(
    r"\$\$(?:[^$\\]|\\.)+\$\$|\$(?![\s$])(?:[^$\\\n]|\\.)+(?<!\s)\$(?![0-9A-Za-z$])", re.DOTALL
)
_ESCAPED = re.compile(r"\\[!-/:-@\[-`{-~]")
_MOST_LINES_BACK = 200
"""So far is looked back for the list that an indented line may belong to."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of code or a formula: where it begins in the note, and what it holds."""

    start: int
    text: str
    info: str = ""
    """The info string of a fence."""


@dataclass(frozen=True, slots=True)
class Prose:
    """A note without what is not prose; every place is that of the note."""

    text: str
    fences: tuple[Piece, ...]
    spans: tuple[Piece, ...]
    """Inline code."""
    formulas: tuple[Piece, ...]


Span = tuple[int, int]


@lru_cache(maxsize=2)  # the rules look at one note after the other, and a big vault at many
def read_prose(text: str, start: int) -> Prose:
    """The prose of a note whose body begins at ``start``; what stands before is blanked too."""
    fences = list(_fences(text, start)) if "```" in text or "~~~" in text else []
    blanked = _blank(
        text, [(0, start), *((one.start, one.start + len(one.text)) for one in fences)]
    )
    blanked = _blank(blanked, list(_indented(blanked)))
    spans = list(_spans(blanked)) if "`" in blanked else []
    blanked = _blank(blanked, [(one.start, one.start + len(one.text)) for one in spans])
    found = list(_FORMULA.finditer(blanked)) if "$" in blanked else []
    formulas = [Piece(one.start(), one[0]) for one in found if "\n\n" not in one[0]]
    blanked = _blank(blanked, [(one.start, one.start + len(one.text)) for one in formulas])
    if "\\" in blanked:
        blanked = _ESCAPED.sub(lambda pair: " |" if pair[0] == "\\|" else "  ", blanked)
    return Prose(blanked, tuple(fences), tuple(spans), tuple(formulas))


def _blank(text: str, spans: Iterable[Span]) -> str:
    """The text with spaces in the place of these spans, which come in order; lines stay lines."""
    parts, at = [], 0
    for start, end in spans:
        one = text[start:end]
        blanks = re.sub(r"[^\n]", " ", one) if "\n" in one else " " * len(one)
        parts += [text[at:start], blanks]
        at = end
    return "".join([*parts, text[at:]])


def _fences(text: str, start: int) -> Iterator[Piece]:
    """The fenced blocks, each with its opening and its closing line."""
    opened: re.Match[str] | None = None
    outside = _NEVER
    seen = start
    for found in _FENCE.finditer(text, start):
        end = outside.search(text, seen, found.end()) if opened else None
        if opened and end and end.start() < found.start():
            yield _piece(text, opened, end.start())
            opened = None
        if opened is None:
            if found["mark"][0] != "`" or "`" not in found["info"]:
                opened, outside = found, _outside(found["prefix"])
        elif _closes(found, opened):
            yield _piece(text, opened, found.end())
            opened = None
        seen = found.end()
    if opened:
        end = outside.search(text, seen)
        yield _piece(text, opened, end.start() if end else len(text))


def _piece(text: str, opened: re.Match[str], end: int) -> Piece:
    return Piece(opened.start(), text[opened.start() : end], opened["info"].strip())


def _closes(found: re.Match[str], opened: re.Match[str]) -> bool:
    return (
        found["mark"].startswith(opened["mark"])
        and not found["info"].strip()
        and not found["prefix"].strip(" \t>")
    )


def _outside(prefix: str) -> re.Pattern[str]:
    """What ends the quote or the list item in which a fence was opened."""
    if ">" in prefix:
        return _OUT_OF_QUOTE
    return _OUT_OF_ITEM if prefix.strip() else _NEVER


def _indented(text: str) -> Iterator[Span]:
    """Lines that are code because they are indented; in a list they belong to an item."""
    if "    " not in text and "\t" not in text:
        return
    for found in _INDENTED.finditer(text):
        if found["code"].strip() and not _in_list(text, found.start()):
            yield found.span("code")


def _in_list(text: str, end: int) -> bool:
    for _ in range(_MOST_LINES_BACK):
        if end <= 0:
            return False
        start = text.rfind("\n", 0, end) + 1
        line = text[start:end]
        if line.strip() and (line[0] not in " \t" or _ITEM.match(line.lstrip())):
            return _ITEM.match(line.lstrip()) is not None
        end = start - 1
    return True


def _spans(text: str) -> Iterator[Piece]:
    """Inline code: from a run of backticks to the next run as long, in one paragraph."""
    runs = [found for found in _TICKS.finditer(text) if found[0][0] == "`"]
    ends = [found.start() for found in _PARAGRAPH_END.finditer(text)]
    places: dict[int, list[int]] = {}
    for run in runs:
        places.setdefault(len(run[0]), []).append(run.start())
    at = 0
    for run in runs:
        if run.start() < at:
            continue
        same = places[len(run[0])]
        behind = bisect_right(same, run.start())
        number = bisect_left(ends, run.start())
        limit = ends[number] if number < len(ends) else len(text)
        if behind < len(same) and same[behind] < limit:
            at = same[behind] + len(run[0])
            yield Piece(run.start(), text[run.start() : at])
