"""One conversion on its way: what passes by the converter untouched, and what could not be kept."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from kbexport.content.escape import ZERO_WIDTH

PARAGRAPH = "\ue001"
"""Stands for the end of a paragraph that the page makes with line breaks."""
LINE_BREAK = "\ue00a"
"""Stands for a line break within emphasis, of which the converter would make a tag."""
_OPEN, _CLOSE = "\ue002", "\ue003"
CELL_BREAK = "\ue004"
"""Stands for a line break in the cell of a table."""
ALIGNED = {"left": "\ue005", "center": "\ue006", "right": "\ue007"}
"""At the end of a head cell: how its column is aligned, which the converter drops."""
NOTE_OPEN, NOTE_CLOSE = "\ue008", "\ue009"
"""Round the name of a footnote, at the beginning of the item that defines it."""

HELD_SIGNS = _OPEN + _CLOSE
_PRIVATE = re.compile("[\ue000-\ue00f]")
_HELD = re.compile(f"{_OPEN}([0-9]+){_CLOSE}(?=([0-9A-Za-z{_OPEN}])?)")
_COMMENT = re.compile(r"(?<!\\)%.*")


def without_private_signs(text: str) -> str:
    """Text of a page without the signs that mean something here."""
    return _PRIVATE.sub("", text)


@dataclass
class Conversion:
    """What the rules of the normaliser share while they change one tree."""

    base_url: str = ""
    """The page's own address, to which others are relative; empty where it is not known."""
    problems: list[str] = field(default_factory=list)
    """What could not be kept, in words for the report."""
    _held: list[str] = field(default_factory=list)

    def hold(self, markdown: str) -> str:
        """Finished Markdown -> the text that stands for it meanwhile."""
        self._held.append(markdown)
        return f"{_OPEN}{len(self._held) - 1}{_CLOSE}"

    def formula(self, tex: str, *, display: bool, cell: bool = False) -> str:
        """A formula in TeX -> the text that stands for it; one in a ``cell`` holds no bar."""
        line = " ".join(" ".join(_COMMENT.sub("", row) for row in tex.split("\n")).split())
        if cell:
            # GFM splits a row at its bars before anything else is looked at.
            line = re.sub(r"\\\||(?<!\\)\|", _bar, line)
        mark = "$$" if display else "$"
        return self.hold(f"{mark}{line}{mark}") if line else ""

    def problem(self, words: str) -> None:
        """Report, once, what could not be kept."""
        if words not in self.problems:
            self.problems.append(words)

    def restored(self, markdown: str) -> str:
        """Markdown in which all that was held is back in its place."""
        return _HELD.sub(self._restore, markdown)

    def _restore(self, found: re.Match[str]) -> str:
        held = self._held[int(found[1])]
        # Right before a letter, a digit or another one, a dollar sign closes no formula.
        return held + ZERO_WIDTH if found[2] and held.endswith("$") and held != r"\$" else held


def _bar(found: re.Match[str]) -> str:
    word = r"\Vert" if found[0] == r"\|" else r"\vert"
    return word + (" " if found.string[found.end() : found.end() + 1].isalnum() else "")
