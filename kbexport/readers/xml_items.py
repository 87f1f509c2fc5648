"""Large exports in XML, one entry at a time, in memory that does not grow with their number.

The settings of lxml, and why, are in `dependencies.md`, section 3.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple, Protocol

from kbexport.models import Problem
from kbexport.readers.base import Document
from kbexport.readers.xml_damaged import damaged_entries
from kbexport.readers.xml_mending import Mending, as_utf8, declares_entities, refused

if TYPE_CHECKING:
    from lxml.etree import XMLPullParser, XMLSyntaxError, _Element


_ENTRIES = ("item", "entry")


class XmlElement(Protocol):
    """An element as readers see it."""

    tag: str

    def __iter__(self) -> Iterator[XmlElement]:
        """Its children."""
        ...

    def get(self, name: str) -> str | None:
        """The value of an attribute."""
        ...

    def itertext(self) -> Iterator[str]:
        """All text in it and below it."""
        ...


class Entry(NamedTuple):
    """One element of those asked for."""

    element: XmlElement
    cut: bool
    """Whether the file ends within it."""


class DamagedError(Exception):
    """The parser cannot go on; ``huge`` says that only a limit of size is in the way."""

    def __init__(self, error: XMLSyntaxError) -> None:
        words = (str(error).splitlines() or [""])[0].split(", line ")[0][:100].strip()
        super().__init__(f"line {error.lineno or 1}, {words}")
        self.huge = "huge" in str(error).lower()


class _RefusedError(Exception):
    """The document declares entities."""


def entries(document: Document, depth: int) -> Iterator[Entry | Problem]:
    """Yield each element that lies ``depth`` levels below the root, and at the end what was wrong.

    An element is emptied once the next one is asked for. A file that is not well-formed is read as
    far as it can be read, and reported.
    """
    if declares_entities(document.head):
        yield refused(document.name)
        return
    seen, read, huge = 0, 0, False
    while True:
        mending = Mending()
        try:
            for number, entry in enumerate(_walk(document, mending, depth, huge=huge), 1):
                if number > seen:
                    seen, read = number, read + (local_name(entry.element) in _ENTRIES)
                    yield entry
        except _RefusedError:
            yield refused(document.name)
            return
        except DamagedError as error:
            if error.huge and not huge and "<!DOCTYPE" not in document.head:
                huge = True
                continue
            yield from _damaged(document, read, error)
        break
    yield from mending.problems(document.name)


def _damaged(document: Document, read: int, error: DamagedError) -> Iterator[Entry | Problem]:
    """Yield the entries behind the first fault."""
    source, name = document.name, "entry" if document.root == "feed" else "item"
    pieces = damaged_entries(Mending().mended(document.pieces()), name, read)
    hint = "export or download it again if posts are missing"
    for number, piece in enumerate(pieces, read + 1):
        if piece.element is not None:
            yield Entry(piece.element, cut=piece.cut)
        if not piece.whole:
            reason = f"the file {'ends within' if piece.cut else 'is damaged in'} this entry"
            yield Problem(source=source, place=f"{name} {number}", reason=reason, hint=hint)
    reason = f"the file is damaged, what can be read of it is taken: {error}"
    yield Problem(source=source, reason=reason, hint=hint)


def _walk(document: Document, mending: Mending, depth: int, *, huge: bool) -> Iterator[Entry]:
    from lxml import etree  # noqa: PLC0415 - 33 ms that only exports in XML need

    parser = etree.XMLPullParser(
        events=("start", "end"),
        encoding="utf-8",
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        huge_tree=huge,
        recover=False,
        remove_comments=True,
        remove_pis=True,
    )
    level = 0
    for event, element in _events(document, mending, parser):
        if event == "start":
            if level == 0 and _declares(element):
                raise _RefusedError
            level += 1
        else:
            level -= 1
            if level == depth:
                yield Entry(element, cut=False)
                _forget(element)


def _events(
    document: Document, mending: Mending, parser: XMLPullParser
) -> Iterator[tuple[str, _Element]]:
    """The events of the parser; those before a fault come before its error."""
    from lxml import etree  # noqa: PLC0415 - as above

    first = True
    for piece in mending.mended(document.pieces()):
        if not piece:
            continue
        data = as_utf8(piece) if first else piece.encode("utf-8", "replace")
        first = False
        try:
            parser.feed(data)
        except etree.XMLSyntaxError as error:
            yield from parser.read_events()
            raise DamagedError(error) from None
        yield from parser.read_events()
    try:
        parser.close()
    except etree.XMLSyntaxError as error:
        yield from parser.read_events()
        raise DamagedError(error) from None
    yield from parser.read_events()


def _declares(root: _Element) -> bool:
    dtd = root.getroottree().docinfo.internalDTD
    return dtd is not None and any(True for _ in dtd.iterentities())


def _forget(element: _Element) -> None:
    element.clear()
    parent = element.getparent()
    while parent is not None and element.getprevious() is not None:
        del parent[0]


def local_name(element: XmlElement) -> str:
    """The name without its namespace, whose address carries a version.

    A prefix that the file does not declare is part of the name for the parser.
    """
    return element.tag.rpartition("}")[2].rpartition(":")[2]


def namespace(element: XmlElement) -> str:
    """The address of the namespace, or the prefix where the file does not declare it."""
    return element.tag.rpartition("}")[0].removeprefix("{") or element.tag.rpartition(":")[0]


def full_text(element: XmlElement | None) -> str:
    """All text below the element: an unresolved entity must not cut it."""
    return "" if element is None else "".join(element.itertext())
