"""What a reader is, and what it is given."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date, datetime
from enum import IntEnum
from functools import cached_property
from pathlib import PurePosixPath

from kbexport.models import Problem, SourcePost
from kbexport.text.dates import parse_moment
from kbexport.text.encodings import decode
from kbexport.text.urls import web_address

_SAVED = re.compile(
    r"<!--\s+(?:Page saved with|Archive processed by) SingleFile\s(?P<about>[^>]{0,4000})"
)
_SAVED_DATE = re.compile(r"^\s*saved date: (.{1,90})$", re.MULTILINE)
_SAVED_URL = re.compile(r"^\s*url: (\S{1,4000})\s*$", re.MULTILINE)
_SAVED_FROM = re.compile(r"<!--\s*saved from url=\(\d{4,5}\)(\S{1,4000})\s*-->")


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
    folder: str = ""
    """The real name of the folder it lies in, also where the user named it as `.`."""
    url: str | None = None
    """Where it was, as the container it came in says."""
    captured_at: datetime | None = None
    """When it was taken, as the container says."""
    charset: str = ""
    """The encoding that the server or the container states; the content may know better."""
    crawled: bool = False
    """Whether it came with a crawl, which holds pages of all kinds."""

    @cached_property
    def text(self) -> str:
        """The content as text, whatever its encoding: no byte order mark, LF line ends, no NUL."""
        return decode(self.data, self.charset)

    @cached_property
    def page_url(self) -> str | None:
        """Where the page was when it was saved, as the browser or the container notes it."""
        head = self.text[:8000]
        saved = _SAVED.search(head)
        found = (_SAVED_URL.search(saved["about"]) if saved else None) or _SAVED_FROM.search(head)
        return self.url or (web_address(found[1]) if found else None)

    @cached_property
    def captured(self) -> date | None:
        """When the page was saved, as the document itself says; relative dates count from there.

        Never the time of the file: the same input gives the same vault on every machine.
        """
        if self.captured_at:
            return self.captured_at
        saved = _SAVED.search(self.text[:8000])
        line = _SAVED_DATE.search(saved["about"]) if saved else None
        moment = parse_moment(line[1]) if line else None
        return datetime.fromisoformat(moment) if moment else None

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
    endings: frozenset[str] = frozenset()
    """Endings of names under which it takes what the sniffing of no reader claims."""
