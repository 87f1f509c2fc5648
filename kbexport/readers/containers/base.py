"""What a container is: it opens a stream and gives documents, or files to look into."""

from __future__ import annotations

import io
import lzma
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import IO, Any

from kbexport.models import Problem
from kbexport.readers.base import Beside, Document

UNREADABLE = (
    OSError,
    EOFError,
    ValueError,
    LookupError,
    NotImplementedError,
    struct.error,
    zlib.error,
    lzma.LZMAError,
    zipfile.BadZipFile,
)
"""What a damaged file, one of an unknown kind, or one that cannot be opened makes Python raise."""


class TooLargeError(ValueError):
    """What is read grows beyond all that a source needs."""


class Limited(io.RawIOBase):
    """A stream that gives so many bytes and no more, whatever its head says."""

    def __init__(self, stream: IO[bytes], limit: int) -> None:
        super().__init__()
        self._stream = stream
        self._left = self._limit = limit

    def readable(self) -> bool:
        """It can be read, and not more."""
        return True

    def tell(self) -> int:
        """How much was read."""
        return self._limit - self._left

    def readinto(self, buffer: Any, /) -> int:  # noqa: ANN401 - as in io
        """Read what fits into the buffer."""
        data = self._stream.read(len(buffer))
        self._left -= len(data)
        if self._left < 0:
            raise TooLargeError("unpacks to more than is sane: an archive bomb, or no source")
        buffer[: len(data)] = data
        return len(data)

    def close(self) -> None:
        """Close what it reads from, too."""
        self._stream.close()
        super().close()


@dataclass(frozen=True)
class Member:
    """A file in a container; it may be a container itself."""

    name: str
    """With the container's name before it."""
    folder: str
    """The folder it lies in there."""
    open: Callable[[], io.BufferedReader]
    beside: Beside
    """Gives the other files of that folder."""


@dataclass(frozen=True)
class Container:
    """Knows one kind of file that holds documents."""

    name: str
    """Its name, for people."""
    sniff: Callable[[bytes], bool]
    """Whether the first bytes are those of such a file."""
    open: Callable[[io.BufferedReader, str], Iterator[Document | Problem | Member]]
    """The documents in the stream, which has that name; what raises ends them."""
