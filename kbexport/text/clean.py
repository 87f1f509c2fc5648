"""Text made fit for one line, for a note, and for UTF-8."""

from __future__ import annotations

import re

_SURROGATE = re.compile(r"[\ud800-\udfff]")
_LINE_END = re.compile(r"\r\n|[\r\x85\u2028\u2029]")
# Controls but tab and line feed, and signs that say nothing to a reader: byte order mark,
# zero-width space, word joiner, overrides of the writing direction, non-characters.
_UNSEEN = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b\u202a-\u202e\u2060\u2066-\u2069\ufeff\ufffe\uffff]"
)
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ufeff\ufffe\uffff]")
_SPACE = re.compile(r"\s+")


def one_line(text: str) -> str:
    """The text on one line, with single spaces and without what no reader sees."""
    text = _LINE_END.sub(" ", whole_characters(text))
    return _SPACE.sub(" ", _UNSEEN.sub("", text)).strip()


def clean_text(text: str) -> str:
    """A text of several lines with LF line ends and without control characters."""
    return _CONTROL.sub("", _LINE_END.sub("\n", whole_characters(text)))


def whole_characters(text: str) -> str:
    """Join the halves of surrogate pairs, and put U+FFFD where a half stands alone."""
    if not _SURROGATE.search(text):
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
