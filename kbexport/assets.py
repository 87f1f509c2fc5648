"""Files in `assets/`: their names, what they are by their content, which of two is the one.

A name tells the content by its hash, so that one picture is stored once, and an address in a body
is known for one of ours without asking anybody.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator
from html import unescape
from urllib.parse import unquote

from slugify import slugify

from kbexport.models import Asset

FOLDER = "assets"

_NAME = re.compile(
    r"assets/[\w-]{1,64}-(?P<hash>[0-9a-f]{10})\.(?P<ending>[a-z0-9]{2,5}(?:\.bin)?)"
)

PICTURES = frozenset(["png", "jpg", "gif", "webp", "avif", "bmp", "ico", "svg"])
"""Endings of what both apps show as a picture."""

ACTIVE_SVG = "svg.bin"
"""The ending of an SVG that carries scripts: no program opens it by itself."""

UNKNOWN = "bin"

_HARMLESS = """
    csv json zip gz bz2 xz 7z rar tar epub odt ods odp docx xlsx pptx doc xls ppt
    mp3 m4a aac wav ogg opus flac mp4 mov mkv avi heic tif tiff
"""
_BY_NAME = frozenset(_HARMLESS.split())
"""Endings that a file keeps whose content does not tell: none that runs, none that is a note."""

_MAGIC: tuple[tuple[bytes, str], ...] = (
    (rb"\x89PNG\r\n\x1a\n", "png"),
    (rb"\xff\xd8\xff", "jpg"),
    (rb"GIF8[79]a", "gif"),
    (rb"RIFF....WEBP", "webp"),
    (rb"RIFF....WAVE", "wav"),
    (rb"....ftypavi[fs]", "avif"),
    (rb"....ftyphe[ivcxms]{2}|....ftypmif1", "heic"),
    (rb"....ftypM4[AB] ", "m4a"),
    (rb"....ftypqt  ", "mov"),
    (rb"....ftyp", "mp4"),
    (rb"BM.{4}\0{4}.{4}[\x0c\x28\x34\x38\x40\x6c\x7c]\0{3}", "bmp"),
    (rb"\0\0\x01\0[\x01-\x40]\0", "ico"),
    (rb"%PDF-", "pdf"),
    (rb"\x1a\x45\xdf\xa3.{0,60}\x42\x82.{1,4}webm", "webm"),
    (rb"\x1a\x45\xdf\xa3", "mkv"),
    (rb"ID3|\xff[\xfb\xf3\xf2]", "mp3"),
    (rb"OggS", "ogg"),
    (rb"fLaC", "flac"),
)
_KINDS = tuple((re.compile(magic, re.DOTALL), ending) for magic, ending in _MAGIC)

_SVG = re.compile(
    r"\ufeff?(?>\s+|<\?.*?\?>|<!--.*?-->|<!DOCTYPE[^>\[]*(?:\[.*?\]\s*)?>)*+<(?:\w+:)?svg[\s/>]",
    re.DOTALL | re.IGNORECASE,
)
_ACTIVE = re.compile(
    r"<(?:[\w.-]+:)?(?:script|foreignObject|iframe|object|embed|handler|audio|video|html)\b"
    r"|[\s\"'/]on\w+\s*=|(?:java|vb)script:|data:(?:text|application)/|<!ENTITY|<\?xml-stylesheet",
    re.IGNORECASE,
)


def make_asset(name: str, load: Callable[[], bytes]) -> Asset:
    """A file of a source as an asset. ``name`` is what its source calls it, with or without a path.

    Reads the content once, for its hash and its kind; may raise OSError.
    """
    content = load()
    stem, dot, _ = re.split(r"[/\\]", name)[-1].rpartition(".")
    slug = slugify(
        stem if dot else name,
        allow_unicode=True,
        entities=False,
        decimal=False,
        hexadecimal=False,
        max_length=48,
    )
    ending = ending_of(content, name)
    return Asset(f"{FOLDER}/{slug or 'file'}-{content_hash(content)}.{ending}", load)


def content_hash(content: bytes) -> str:
    """What tells one content from another in a name."""
    return hashlib.sha256(content).hexdigest()[:10]


def ending_of(content: bytes, name: str = "") -> str:
    """The ending for a content: by its first bytes, else by a name whose ending does no harm."""
    for magic, ending in _KINDS:
        if magic.match(content):
            return ending
    if _SVG.match(content[:65536].decode(errors="replace")):
        return ACTIVE_SVG if is_active(content) else "svg"
    ending = name.rpartition(".")[2].lower()
    return ending if ending in _BY_NAME else UNKNOWN


def is_active(svg: bytes) -> bool:
    """Whether an SVG carries what may run; one that is not UTF-8 may hide it, so it counts too."""
    try:
        text = svg.decode()
    except UnicodeDecodeError:
        return True
    return _ACTIVE.search(text) is not None or _ACTIVE.search(unescape(text)) is not None


def asset_of(address: str) -> str | None:
    """The path of the asset that an address in a body names; None for any other address."""
    path = unquote(address)
    return path if _NAME.fullmatch(path) else None


def hash_of(path: str) -> str:
    """What identifies an asset: the part of its path that does not depend on its name."""
    found = _NAME.fullmatch(path)
    return found["hash"] if found else path


def is_shown(path: str) -> bool:
    """Whether an asset is a picture that a note may show; any other file is linked."""
    found = _NAME.fullmatch(path)
    return found is not None and found["ending"] in PICTURES


def mentioned(*texts: str | None) -> Iterator[str]:
    """The paths of the assets that bodies and attachments name."""
    for text in texts:
        if text and f"{FOLDER}/" in text:
            yield from (found[0] for found in _NAME.finditer(text))


def paths_by_hash(*known: Iterable[str]) -> dict[str, str]:
    """The one path of each content. What stands in an earlier group wins, then the smallest name.

    So the order of the sources plays no part, and a name that is there already stays.
    """
    chosen: dict[str, str] = {}
    for paths in known:
        for path in sorted(paths):
            if found := _NAME.fullmatch(path):
                chosen.setdefault(found["hash"], path)
    return chosen
