"""Web archives: the pages of a crawl as WARC or ARC, plain or gzipped, in one piece or many."""

from __future__ import annotations

import gzip
import io
import re
import zlib
from collections import Counter
from collections.abc import Iterator
from contextlib import redirect_stderr
from datetime import datetime
from typing import Any

from kbexport.models import Problem
from kbexport.readers.base import Document
from kbexport.readers.containers.base import Container
from kbexport.text.urls import web_address

LARGEST_PAGE = 64 << 20
_GZIP = b"\x1f\x8b"
_STARTS = (b"WARC/", b"filedesc://")
_HTML = frozenset(("text/html", "application/xhtml+xml"))
_CHARSET = re.compile(r"charset\s*=\s*[\"']?([\w.:-]{1,40})", re.IGNORECASE)
_SERVICE = "service"
"""Requests and what the crawler notes of itself: no content, so not worth a word."""
_KNOWN_ENCODINGS = frozenset(("", "identity", "gzip", "x-gzip", "deflate"))
_HINT = "capture the site again if pages are missing"


class _Unpacked:
    """Gzipped data, however many members; what stands before damage in it is read."""

    def __init__(self, stream: io.BufferedReader) -> None:
        self._file = gzip.GzipFile(fileobj=stream)

    def read(self, size: int) -> bytes:
        """Some of the next bytes: whoever waits for all of them loses them to the damage."""
        return self._file.read1(size)

    def tell(self) -> int:
        """How much was read."""
        return self._file.tell()


def _sniff(head: bytes) -> bool:
    if head.startswith(_GZIP):
        try:
            head = zlib.decompressobj(31).decompress(head, 64)
        except zlib.error:
            return False
    return head.startswith(_STARTS)


def _open(stream: io.BufferedReader, name: str) -> Iterator[Document | Problem]:
    try:
        from warcio.archiveiterator import ArchiveIterator  # noqa: PLC0415 - an extra
    except ImportError:
        hint = "install it: pip install 'kbexport[warc]'"
        yield Problem(source=name, reason="a web archive, which takes warcio to read", hint=hint)
        return
    plain: Any = _Unpacked(stream) if stream.peek(2).startswith(_GZIP) else stream
    left: Counter[str] = Counter()
    pages = number = 0
    try:
        records = ArchiveIterator(plain, arc2warc=True)
        while items := _next(records, name, number + 1, left):
            number += 1
            pages += sum(isinstance(item, Document) for item in items)
            yield from filter(None, items)
        if records.err_count:
            reason = f"{records.err_count} of its records have a wrong length"
            yield Problem(source=name, reason=reason, hint=_HINT)
    except Exception as error:  # noqa: BLE001 - of damage the library raises whatever it stumbles on
        why = (str(error).strip() or type(error).__name__).splitlines()[0][:200]
        reason = f"damaged behind record {number}: {why}"
        yield Problem(source=name, reason=reason, hint=f"what stands before is kept; {_HINT}")
    if left or not pages:
        yield _rest(name, pages, left)


def _next(
    records: Any,  # noqa: ANN401 - warcio has no types
    name: str,
    number: int,
    left: Counter[str],
) -> list[Document | Problem | None]:
    """What the next record holds; empty behind the last one."""
    with redirect_stderr(io.StringIO()):  # the library writes there what it finds odd
        record = next(records, None)
        return [] if record is None else [*_read(record, name, number, left), None]


def _rest(name: str, pages: int, left: Counter[str]) -> Problem:
    """What the archive holds beside its pages."""
    counts = ", ".join(f"{count} {what}" for what, count in sorted(left.items()))
    if pages:
        return Problem(source=name, reason=f"left out beside {pages} pages: {counts}", lost=False)
    reason = "holds no web page" + (f", only {counts}" if counts else "")
    return Problem(source=name, reason=reason, hint=_HINT)


def _read(
    record: Any,  # noqa: ANN401 - warcio has no types
    name: str,
    number: int,
    left: Counter[str],
) -> Iterator[Document | Problem]:
    """The page in a record, and what is wrong with it."""
    http = record.http_headers if record.rec_type == "response" else None
    content_type = (http or record.rec_headers).get_header("Content-Type") or ""
    if beside := _beside(record, http, content_type):
        if beside != _SERVICE:
            left[beside] += 1
        return
    address = (record.rec_headers.get_header("WARC-Target-URI") or "").strip("<> ")
    shown = f"{name}/{address}" if address else name
    place = f"record {number}"
    encoding = (http.get_header("Content-Encoding") or "") if http else ""
    if encoding.strip().lower() not in _KNOWN_ENCODINGS:
        reason = f"is packed in a way that cannot be read: {encoding[:40]}"
        yield Problem(source=shown, place=place, reason=reason, hint=_HINT)
        return
    data = record.content_stream().read(LARGEST_PAGE + 1)
    if len(data) > LARGEST_PAGE:
        yield Problem(source=shown, place=place, reason="is too large for a page")
        return
    charset = _CHARSET.search(content_type)
    yield Document(
        shown,
        data,
        url=web_address(address.replace(" ", "%20")),
        captured_at=_date(record.rec_headers.get_header("WARC-Date")),
        charset=charset[1] if charset else "",
        crawled=True,
    )
    while record.raw_stream.read(1 << 16):
        pass
    stated = (http.get_header("Content-Length") or "") if http and not encoding else ""
    whole = stated.isdigit() and len(data) >= int(stated)
    if getattr(record.raw_stream, "limit", 0) > 0 and not whole:
        reason = "the archive ends within this page"
        yield Problem(source=shown, place=place, reason=reason, hint=_HINT)


def _beside(record: Any, http: Any, content_type: str) -> str:  # noqa: ANN401 - warcio has no types
    """What a record is that holds no page; empty for one that does."""
    if record.rec_type in ("revisit", "conversion"):
        return f"of type {record.rec_type}"
    if record.rec_type not in ("response", "resource"):
        return _SERVICE
    status = http.get_statuscode() if http else "200"
    if status != "200":
        return f"with status {status}" if status and status.isdigit() else "without a status"
    is_html = content_type.partition(";")[0].strip().lower() in _HTML
    return "" if is_html else "that are no page"


def _date(text: str | None) -> datetime | None:
    try:
        return datetime.fromisoformat(re.sub(r"(\.\d{6})\d+", r"\1", text or ""))
    except ValueError:
        return None


WARC = Container("WARC", _sniff, _open)
