"""What the inline scanner must know of the document around a block."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

ReplaceLink = Callable[[str, str], str | None]
"""Address and inert label of a link -> the Markdown to stand in its place, or None to keep it."""

PlaceFile = Callable[[str, bool], tuple[str, bool]]
"""Address, and whether it is a picture's -> the address to write, and whether as a picture."""


def as_it_is(address: str, picture: bool) -> tuple[str, bool]:
    """Each file stays where it is."""
    return address, picture


@dataclass
class Seen:
    """What scanning one block found out, for the blocks that are written after it."""

    labels: set[str] = field(default_factory=set)
    """Labels of the definitions that were used."""
    bracket: bool = False
    """Whether a bracket was escaped: `\\]` in later code would close it in Logseq."""


@dataclass(frozen=True)
class Scope:
    """What the inline scanner must know of the document around it."""

    logseq: bool
    """Whether Logseq reads the note too."""
    definitions: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    """Reference definitions: address and title by folded label."""
    footnotes: frozenset[str] = frozenset()
    """Names of the footnotes that are defined."""
    link: ReplaceLink | None = None
    """What a link to another post becomes."""
    place: PlaceFile = as_it_is
    """Where the files lie that pictures and links name."""
    seen: Seen = field(default_factory=Seen)
    """Filled while scanning."""
