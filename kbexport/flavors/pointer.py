"""The property `kbexport`: a note's id and the hash of its base. Rules: `reexport.md`, section 2.

The pointer certifies itself: a note whose text hashes to the hash in it is untouched.
"""

from __future__ import annotations

import hashlib
import re
from typing import NamedTuple

FENCED = re.compile(r"\ufeff?---[ \t]*\r?\n(.*?)^---[ \t]*(?:\r?\n|\Z)", re.DOTALL | re.MULTILINE)
"""YAML between its fences."""

PLAIN = re.compile(r"\ufeff?((?:[ \t]*[^\s:\ufeff]+::(?:[ \t\r][^\n]*)?(?:\n|\Z))+)")
"""`key:: value` from the first byte up to the first line that is none: Logseq's own properties."""

_FENCED_LINE = re.compile(
    r"""^(?P<head>["']?kbexport["']?[ \t]*:[ \t]*["']?(?P<uid>[a-z0-9-]{1,40})[ ])"""
    r"""(?P<base>[0-9a-f]{16})?(?=["']?[ \t]*\r?$)""",
    re.MULTILINE,
)
_PLAIN_LINE = re.compile(
    r"""^(?P<head>[ \t]*(?i:kbexport)::[ \t]+["']?(?P<uid>[a-z0-9-]{1,40})[ ])"""
    r"""(?P<base>[0-9a-f]{16})?(?=["']?[ \t]*\r?$)""",
    re.MULTILINE,
)
"""Found anywhere in the block, quoted or not: Obsidian and linters reorder and unquote."""


class Pointer(NamedTuple):
    """Which note this is, and what was last written or merged into it."""

    uid: str
    base: str


def find_pointer(text: str) -> Pointer | None:
    """The pointer in a note's front matter; None where there is none that can be read."""
    match = pointer_line(text)
    return Pointer(match["uid"], match["base"]) if match and match["base"] else None


def without_hash(text: str) -> str:
    """The text as it is hashed: no byte order mark, LF, the pointer's hash left out."""
    plain = text.removeprefix("\ufeff").replace("\r\n", "\n")
    match = pointer_line(plain)
    return plain[: match.end("head")] + plain[match.end() :] if match else plain


def base_hash(text: str) -> str:
    """The hash of a rendering, 16 hex digits of SHA-256, whether its hash is filled in or not."""
    return hashlib.sha256(without_hash(text).encode("utf-8", "surrogatepass")).hexdigest()[:16]


def with_hash(text: str) -> str:
    """The rendering with its own hash filled in."""
    match = pointer_line(text)
    if match is None:
        raise ValueError("a rendering without a pointer")
    return text[: match.end("head")] + base_hash(text) + text[match.end() :]


def is_untouched(text: str) -> bool:
    """Whether nobody changed the note since it was written; byte order mark and CRLF aside."""
    pointer = find_pointer(text)
    return pointer is not None and pointer.base == base_hash(text)


def front_matter_of(text: str) -> re.Match[str] | None:
    """The top of a note that holds its properties, group 1 without fences; None without any."""
    return FENCED.match(text) or PLAIN.match(text)


def pointer_line(text: str) -> re.Match[str] | None:
    """The line of the pointer: `head` up to its hash, `uid`, and `base` where it is filled in."""
    block = front_matter_of(text)
    if block is None:
        return None
    line = _FENCED_LINE if block.re is FENCED else _PLAIN_LINE
    return line.search(text, block.start(1), block.end(1))
