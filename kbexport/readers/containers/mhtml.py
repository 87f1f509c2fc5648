"""A page and its pictures in one file, as browsers save it: MHTML (RFC 2557)."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from datetime import datetime
from email import errors, message_from_binary_file
from email.message import Message
from email.utils import parsedate_to_datetime
from urllib.parse import urljoin

from kbexport.models import Problem
from kbexport.readers.base import Beside, Document
from kbexport.readers.containers.base import Container
from kbexport.text.urls import web_address

_HEADER = re.compile(rb"\s*[A-Za-z][A-Za-z-]{1,40}:")
_VERSION = re.compile(rb"^MIME-Version:", re.IGNORECASE | re.MULTILINE)
_RELATED = re.compile(rb"^Content-Type:\s*multipart/related", re.IGNORECASE | re.MULTILINE)
_ALONE = re.compile(rb"^(?:Snapshot-)?Content-Location:", re.IGNORECASE | re.MULTILINE)
_CUT = (errors.CloseBoundaryNotFoundDefect, errors.StartBoundaryNotFoundDefect)


def _sniff(head: bytes) -> bool:
    head = head.replace(b"\r\n", b"\n").removeprefix(b"\xef\xbb\xbf").lstrip()
    header = head.partition(b"\n\n")[0]
    if not _HEADER.match(header) or not _VERSION.search(header):
        return False
    return bool(_RELATED.search(header) or _ALONE.search(header))


def _open(stream: io.BufferedReader, name: str) -> Iterator[Document | Problem]:
    message = message_from_binary_file(stream)
    pages = [part for part in message.walk() if part.get_content_type() == "text/html"]
    if any(isinstance(defect, _CUT) for part in message.walk() for defect in part.defects):
        hint = "save the page again if something is missing"
        yield Problem(source=name, reason="the file ends early", hint=hint)
    if not pages:
        hint = "save the page again, as a whole"
        yield Problem(source=name, reason="a saved page without a page in it", hint=hint)
        return
    stated = _address(message, "Snapshot-Content-Location")
    page = next((one for one in pages if stated and _address(one) == stated), pages[0])
    data = page.get_payload(decode=True)
    yield Document(
        name,
        data if isinstance(data, bytes) else b"",
        url=_address(page) or stated or _address(message),
        captured_at=_date(message),
        charset=page.get_content_charset() or "",
        beside=_files(message, _address(page) or stated or ""),
        holds_files=True,
    )


def _files(message: Message, base_url: str) -> Beside:
    """The pictures of the page, by the addresses that its HTML may use."""
    parts = {name: part for part in message.walk() for name in _names(part)}

    def read(name: str) -> bytes | None:
        try:
            whole = urljoin(base_url, name)
            part = parts.get(name) or parts.get(whole) or parts.get(whole.partition("#")[0])
        except ValueError:  # an address such as `http://[`
            return None
        data = part.get_payload(decode=True) if part else None
        return data if isinstance(data, bytes) else None

    return read


def _names(part: Message) -> Iterator[str]:
    if part.get_content_maintype() in ("image", "audio", "video"):
        yield re.sub(r"\s", "", str(part["Content-Location"] or ""))
        yield "cid:" + str(part["Content-ID"] or "").strip().strip("<>")


def _address(part: Message, header: str = "Content-Location") -> str | None:
    return web_address(re.sub(r"\s", "", str(part[header] or "")))


def _date(message: Message) -> datetime | None:
    try:
        return parsedate_to_datetime(str(message["Date"]))
    except ValueError:
        return None


MHTML = Container("MHTML", _sniff, _open)
