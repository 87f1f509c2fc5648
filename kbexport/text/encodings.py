"""Bytes of unknown encoding made into text."""

from __future__ import annotations

import codecs
import io
import re
from collections.abc import Iterator

_BOMS = (
    # The marks of UTF-32 come first: one of them begins like the mark of UTF-16.
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_HEAD = 4096
_DECLARED = re.compile(
    rb"(?:<meta[^>]{0,200}?charset|<\?xml[^>]{0,100}?encoding|@charset)\s*=?\s*[\"']?\s*([\w.:-]{1,40})",
    re.IGNORECASE,
)
# Codecs of Python that are no character sets must not be named by a page.
_CHARSET = re.compile(
    r"(?:gb|hz|big5|euc|shift|sjis|iso|latin|windows|cp\d|koi8|mac|utf-?8|us-ascii|ks_c|tis)",
    re.IGNORECASE,
)
_GB = re.compile(r"gb|cp936|euc-cn|windows-936|x-gbk|hz", re.IGNORECASE)
_CHINESE = re.compile(rb"<html[^>]{0,300}\blang=[\"']?zh", re.IGNORECASE)
_EAST_ASIAN = re.compile(r"gb|big5|euc|shift|iso-2022", re.IGNORECASE)
# ASCII, Chinese and full-width signs: what a page is made of, and bytes in the wrong order are not.
_LIKELY = re.compile(r"[\t\n\r -~\u2010-\u2026\u3000-\u303f\u4e00-\u9fff\uff00-\uffef]")
_SAMPLE = 40_000
_PIECE = 1 << 20
_BAD = "\ufffd"


def decode(data: bytes, charset: str = "") -> str:
    """The text, whatever its encoding; never raises.

    A byte order mark decides, then what is valid UTF-8 is UTF-8 whatever it declares, then what is
    declared, then a guess by the frequency of characters. ``charset`` is declared by what brought
    the data, such as a server, and wins over what the data declares itself, as in a browser.
    """
    return "".join(decoded_pieces(data, encoding_of(data, charset)))


def decoded_pieces(
    data: bytes, encoding: tuple[bytes, str], end: int | None = None
) -> Iterator[str]:
    """The text piece by piece, so that a large file is never in memory twice; up to byte ``end``.

    Without a byte order mark and without NULs, and with LF line ends.
    """
    # Not final: half a character at the end, where a file was cut off, leaves no mark.
    decoder = codecs.getincrementaldecoder(encoding[1])("replace")
    newlines = io.IncrementalNewlineDecoder(decoder=None, translate=True)
    begun = False
    for piece in _pieces(data, len(encoding[0]), end):
        text = newlines.decode(decoder.decode(piece, final=False).replace("\0", ""), final=False)
        yield text if begun else text.removeprefix("\ufeff")
        begun = begun or bool(text)
    yield newlines.decode("", final=True)


def _pieces(data: bytes, start: int = 0, end: int | None = None) -> Iterator[memoryview]:
    view = memoryview(data)[start:end]
    return (view[place : place + _PIECE] for place in range(0, len(view), _PIECE))


def stray_nuls(data: bytes) -> int:
    """How many NULs are part of no character: a text has none, a damaged one may."""
    if 0 not in data:
        return 0
    return 0 if encoding_of(data)[1].startswith(("utf-16", "utf-32")) else data.count(0)


def encoding_of(data: bytes, charset: str = "") -> tuple[bytes, str]:
    """The byte order mark, if there is one, and the encoding."""
    for mark, encoding in _BOMS:
        if data.startswith(mark):
            return mark, encoding
    for find in (_utf16_ascii, _utf8, _utf16, _damaged_utf8):
        if found := find(data):
            return b"", found
    found = _usable(data, charset) or _declared(data) or _guessed(data)
    if found:
        return b"", found
    return b"", "gb18030"


def _fits(data: bytes, encoding: str) -> bool:
    """Whether the data is valid; a last character that was cut off does not count."""
    try:
        decoder = codecs.getincrementaldecoder(encoding)("strict")
        for piece in _pieces(data):
            decoder.decode(piece, final=False)
    except (UnicodeError, LookupError):
        return False
    return True


def _nul_counts(data: bytes) -> tuple[int, int]:
    """Count the NULs at even and at odd places."""
    if 0 not in data:
        return 0, 0
    return data[::2].count(0), data[1::2].count(0)


def _utf16_ascii(data: bytes) -> str | None:
    """Find UTF-16 without a mark: of mostly ASCII text every second byte is NUL."""
    even, odd = _nul_counts(data)
    pairs = len(data) // 2
    if pairs and odd > 0.3 * pairs and even * 20 < odd:
        return "utf-16-le"
    if pairs and even > 0.3 * pairs and odd * 20 < even:
        return "utf-16-be"
    return None


def _utf8(data: bytes) -> str | None:
    return "utf-8" if _fits(data, "utf-8") else None


def _utf16(data: bytes) -> str | None:
    """Find UTF-16 of Chinese: line ends and digits hold a NUL, and in one order it makes sense."""
    if b"\0" not in data:
        return None
    for encoding in ("utf-16-le", "utf-16-be"):
        if _fits(data, encoding):
            sample = data[:_SAMPLE].decode(encoding, errors="ignore")
            if len(_LIKELY.findall(sample)) > 0.95 * len(sample):
                return encoding
    return None


def _damaged_utf8(data: bytes) -> str | None:
    """Find UTF-8 with a few broken places, which must not make garbage of all the rest."""
    return "utf-8" if _nearly_fits(data, "utf-8") else None


def _nearly_fits(data: bytes, encoding: str) -> bool:
    """Whether nearly all that is not ASCII is valid; ASCII is valid in any encoding."""
    text = data.decode(encoding, errors="replace")
    bad = text.count(_BAD)
    good = len(text) - bad - len(text.encode("ascii", errors="ignore"))
    return good >= 10 * bad


def _declared(data: bytes) -> str | None:
    found = _DECLARED.search(data[:_HEAD])
    return _usable(data, found[1].decode("ascii", errors="replace")) if found else None


def _usable(data: bytes, name: str) -> str | None:
    """The encoding of a declared name, if it is a character set and the data fits it."""
    if not _CHARSET.match(name):
        return None
    # Pages that say gb2312 hold letters that only its supersets have.
    encoding = "gb18030" if _GB.match(name) else name
    try:
        return encoding if _nearly_fits(data, encoding) else None
    except LookupError:  # an encoding that does not exist
        return None


def _guessed(data: bytes) -> str | None:
    from turbohtml.detect import detect  # noqa: PLC0415 - 74 ms that few files need

    name = detect(data[:1_000_000]).encoding or ""
    # Of a short text the frequencies say little, but hardly any other text is valid GB 2312, nor
    # is a page that calls itself Chinese likely to be Greek.
    stated = _CHINESE.search(data[:_HEAD]) is not None and _fits(data, "gb18030")
    chinese = not _EAST_ASIAN.match(name) and (stated or _fits(data, "gb2312"))
    encoding = "gb18030" if chinese or _GB.match(name) else name
    try:
        codecs.getincrementaldecoder(encoding)
    except LookupError:
        return None
    return encoding
