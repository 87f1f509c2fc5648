"""What a reader is, and what it is given."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import date, datetime
from enum import IntEnum
from functools import cached_property
from pathlib import PurePosixPath

from kbexport.models import Problem, SourcePost
from kbexport.text.dates import parse_moment
from kbexport.text.encodings import decoded_pieces, encoding_of
from kbexport.text.urls import web_address

_SAVED = re.compile(
    r"<!--\s+(?:Page saved with|Archive processed by) SingleFile\s(?P<about>[^>]{0,4000})"
)
XML_ROOTS = frozenset(("rss", "feed", "rdf"))
"""Names of the first element of feeds, and of exports in their form."""

_HEAD = 256 * 1024
_BINARY = (b"SQLite format 3\0", b"PK\x03\x04", b"\x1f\x8b")
# What may stand in front of the first element: comments, processing instructions, a doctype.
_ROOT = re.compile(
    r"(?:\s|<\?(?:[^?]|\?(?!>))*\?>|<!--(?:[^-]|-(?!->))*-->|<![Dd][Oo][Cc][^<>\[]*(?:\[[^\]]*\]\s*)?>)*+"
    r"<(?P<name>[A-Za-z][\w.:-]*)"
)
_SAVED_DATE = re.compile(r"^\s*saved date: (.{1,90})$", re.MULTILINE)
_SAVED_URL = re.compile(r"^\s*url: (\S{1,4000})\s*$", re.MULTILINE)
_SAVED_FROM = re.compile(r"<!--\s*saved from url=\(\d{4,5}\)(\S{1,4000})\s*-->")


Beside = Callable[[str], bytes | None]
"""Gives the content of a file by its name from some folder; None where there is none."""


def no_file(_: str) -> None:
    """A document that stands alone."""


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
    beside: Beside = field(default=no_file, compare=False)
    """Gives another file of the same export, named from the folder of this one; such a file is no
    source of its own then."""
    files_last: bool = False
    """Whether `beside` gives the files also after the reading: they lie on the disk."""
    holds_files: bool = False
    """Whether `beside` knows files by their addresses on the web: a page saved as one file."""

    @property
    def binary(self) -> bool:
        """Whether the content is no text: a data base or an archive, by its first bytes."""
        return self.data.startswith(_BINARY)

    @cached_property
    def encoding(self) -> tuple[bytes, str]:
        """The byte order mark and the encoding of the text."""
        return encoding_of(self.data, self.charset)

    @cached_property
    def text(self) -> str:
        """The content as text, whatever its encoding: no byte order mark, LF line ends, no NUL."""
        return "".join(self.pieces())

    @cached_property
    def head(self) -> str:
        """The beginning of the text: enough to tell the format, however large the file is."""
        return "".join(self.pieces(_HEAD))

    def pieces(self, end: int | None = None) -> Iterator[str]:
        """The text piece by piece, for readers of files that may be large."""
        return iter(()) if self.binary else decoded_pieces(self.data, self.encoding, end)

    @cached_property
    def root(self) -> str:
        """The name of the first element, such as `html` or `rss`; empty where there is none."""
        found = _ROOT.match(self.head)
        return found["name"].rpartition(":")[2].lower() if found else ""

    @property
    def is_page(self) -> bool:
        """Whether it may be a page of HTML; told by its head, however large the file is."""
        return self.head.lstrip()[:1] == "<" and self.root not in XML_ROOTS

    @cached_property
    def page_url(self) -> str | None:
        """Where the page was when it was saved, as the browser or the container notes it."""
        head = self.head[:8000]
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
        saved = _SAVED.search(self.head[:8000])
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
