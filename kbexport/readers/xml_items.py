"""Large exports in XML, one entry at a time, in memory that does not grow with their number.

The settings of lxml, and why, are in `dependencies.md`, section 3.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Protocol

from kbexport.models import Problem
from kbexport.readers.base import Document
from kbexport.readers.xml_mending import Mending, as_utf8, refused

if TYPE_CHECKING:
    from lxml.etree import XMLPullParser, _Element


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


class DamagedError(Exception):
    """The parser cannot go on; ``huge`` says that only a limit of size is in the way."""

    def __init__(self, error: Exception) -> None:
        super().__init__(str(error))
        self.huge = "huge" in str(error).lower()


class _RefusedError(Exception):
    """The document declares entities."""


def entries(document: Document, depth: int) -> Iterator[XmlElement | Problem]:
    """Yield each element that lies ``depth`` levels below the root, and at the end what was wrong.

    An element is emptied once the next one is asked for. A file that is not well-formed is read as
    far as it can be read, and reported.
    """
    seen, fault, huge = 0, "", False
    while True:
        mending = Mending()
        walk = _walk(document, mending, depth, recover=bool(fault), huge=huge)
        try:
            for number, element in enumerate(walk, 1):
                if number > seen:
                    seen = number
                    yield element
        except _RefusedError:
            yield refused(document.name)
            return
        except DamagedError as error:
            if error.huge and not huge and "<!DOCTYPE" not in document.head:
                huge = True
                continue
            if not fault:
                fault = str(error)
                continue
        break
    yield from mending.problems(document.name)
    if fault:
        reason = f"the file is damaged, what can be read of it is taken: {fault}"
        hint = "export or download it again if posts are missing"
        yield Problem(source=document.name, reason=reason, hint=hint)


def _walk(
    document: Document, mending: Mending, depth: int, *, recover: bool, huge: bool
) -> Iterator[_Element]:
    from lxml import etree  # noqa: PLC0415 - 33 ms that only exports in XML need

    parser = etree.XMLPullParser(
        events=("start", "end"),
        encoding="utf-8",
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        huge_tree=huge,
        recover=recover,
        remove_comments=True,
        remove_pis=True,
    )
    level, inside = 0, None
    for event, element in _events(document, mending, parser):
        if event == "start":
            if level == 0 and _declares(element):
                raise _RefusedError
            if level == depth:
                inside = element
            level += 1
        else:
            level -= 1
            if level == depth:
                inside = None
                yield element
                _forget(element)
    if inside is not None:  # the file ends within it
        yield inside


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
    """The name without its namespace, whose address carries a version."""
    return element.tag.rpartition("}")[2]


def namespace(element: XmlElement) -> str:
    """The address of the namespace; empty where there is none."""
    return element.tag.rpartition("}")[0].removeprefix("{")


def full_text(element: XmlElement | None) -> str:
    """All text below the element: an unresolved entity must not cut it."""
    return "" if element is None else "".join(element.itertext())
