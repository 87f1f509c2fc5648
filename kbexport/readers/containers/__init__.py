"""Files that hold documents: zip files, web archives, pages saved as MHTML."""

from __future__ import annotations

import io
from collections.abc import Iterator

from kbexport.models import Problem
from kbexport.readers.base import Beside, Document, no_file
from kbexport.readers.containers.base import UNREADABLE, Container, Limited, Member
from kbexport.readers.containers.mhtml import MHTML
from kbexport.readers.containers.warc import WARC
from kbexport.readers.containers.zips import ZIP

__all__ = ["CONTAINERS", "documents", "stream_of"]

CONTAINERS: tuple[Container, ...] = (ZIP, WARC, MHTML)
"""At most one of them claims a file, by its first bytes."""

_HEAD = 8192
_DEEPEST = 3
"""An export may be a zip file in a zip file, and hold web archives."""


def stream_of(data: bytes) -> io.BufferedReader:
    """What was read already, as a stream."""
    return io.BufferedReader(Limited(io.BytesIO(data), len(data)), _HEAD)


def documents(
    stream: io.BufferedReader,
    name: str,
    folder: str = "",
    beside: Beside = no_file,
    *,
    depth: int = 0,
) -> Iterator[Document | Problem]:
    """The document that a file is, or those that it holds; what cannot be read stops no other."""
    try:
        head = stream.peek(_HEAD)[:_HEAD]
        container = next((one for one in CONTAINERS if one.sniff(head)), None)
        if container is None:
            yield Document(name, stream.read(), folder, beside=beside, files_last=not depth)
        elif depth == _DEEPEST:
            hint = "unpack it, and name its files"
            yield Problem(source=name, reason="lies in too many archives", hint=hint)
        else:
            for item in container.open(stream, name):
                if isinstance(item, Member):
                    yield from _inside(item, depth + 1)
                else:
                    yield item
    except UNREADABLE as error:
        yield _unreadable(name, error)


def _inside(member: Member, depth: int) -> Iterator[Document | Problem]:
    try:
        stream = member.open()
    except UNREADABLE as error:
        yield _unreadable(member.name, error)
        return
    with stream:
        yield from documents(stream, member.name, member.folder, member.beside, depth=depth)


def _unreadable(name: str, error: Exception) -> Problem:
    why = (error.strerror if isinstance(error, OSError) else None) or str(error)
    return Problem(
        source=name,
        reason=f"cannot be read: {(why or type(error).__name__).splitlines()[0]}",
        hint="check its permissions, or export or save it again; the others were read",
    )
