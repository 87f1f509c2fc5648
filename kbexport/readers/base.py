"""What a reader is, and what it is given."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property
from pathlib import PurePosixPath

from kbexport.models import Problem, SourcePost
from kbexport.text.encodings import decode


class Richness(IntEnum):
    """How much a kind of source knows of a post; a poorer one never thins out a richer one.

    Rule: `reexport.md`, section 12.
    """

    LISTING_TEXT = 1
    LISTING_PAGE = 2
    FEED = 3
    FULL = 4
    """Article pages, exports, JSONL, Markdown."""


@dataclass(frozen=True)
class Document:
    """One file of a source, not yet understood."""

    name: str
    """The file as the user named it, with `/`; `-` is standard input."""
    data: bytes
    """Its content."""

    @cached_property
    def text(self) -> str:
        """The content as text, whatever its encoding: no byte order mark, LF line ends, no NUL."""
        return decode(self.data).text

    @property
    def suffix(self) -> str:
        """The ending of the name in lower case, such as `.md`."""
        return PurePosixPath(self.name).suffix.lower()


@dataclass(frozen=True)
class Reader:
    """Knows one format: says whether a document is in it, and turns it into posts."""

    name: str
    """Name of the format, as `--format` takes it."""
    richness: Richness
    """How much such a source knows of a post."""
    sniff: Callable[[Document], bool]
    """Whether the document is in this format; of all readers exactly one may say yes."""
    read: Callable[[Document], Iterator[SourcePost | Problem]]
    """The posts of the document and what could not be read, in the order of the document."""
