"""One note as the rules see it: its lines, its front matter and its prose. Pure."""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass
from functools import cached_property, lru_cache

from kbexport.check.front import Front, read_front
from kbexport.check.prose import Prose, read_prose
from kbexport.flavors.pointer import FENCED, Pointer, find_pointer, front_matter_of
from kbexport.naming import stem_of

_HEADING = re.compile(r"^[ \t]*(?:[-*+][ \t]+)?(#{1,6})[ \t]+([^\n]*)", re.MULTILINE)
_BLOCK_ID = re.compile(r"(?:^|[ \t])\^([A-Za-z0-9-]+)[ \t\r]*$", re.MULTILINE)


@dataclass(frozen=True)
class Page:
    """A note of the vault."""

    path: str
    text: str

    @property
    def stem(self) -> str:
        """What a link to it says."""
        return stem_of(self.path)

    @cached_property
    def pointer(self) -> Pointer | None:
        """Which note of kbexport it is; None for a note of the user's own."""
        return find_pointer(self.text)

    @cached_property
    def front(self) -> Front | None:
        """The front matter; None where there is none."""
        found = FENCED.match(self.text)
        return read_front(found[1], 2) if found else None

    @cached_property
    def body(self) -> int:
        """Where the body begins."""
        found = front_matter_of(self.text)
        return found.end() if found else 0

    @property
    def prose(self) -> Prose:
        """The body without code."""
        return read_prose(self.text, self.body)

    def line(self, place: int) -> int:
        """The line, from 1, of a place in the text."""
        return bisect_left(_ends(self.text), place) + 1

    @cached_property
    def headings(self) -> frozenset[str]:
        """Its headings, as links to them are compared."""
        found = _HEADING.finditer(self.prose.text)
        return frozenset(heading_key(self.text[one.start(2) : one.end(2)]) for one in found)

    @cached_property
    def block_ids(self) -> frozenset[str]:
        """The ids of its blocks, in lower case."""
        return frozenset(found[1].lower() for found in _BLOCK_ID.finditer(self.prose.text))


@lru_cache(maxsize=2)
def _ends(text: str) -> list[int]:
    return [found.start() for found in re.finditer("\n", text)]


def heading_key(heading: str) -> str:
    """A heading without case and signs, which Obsidian leaves out of links."""
    letters = "".join(char for char in heading.casefold() if char.isalnum())
    return letters or heading.strip()
