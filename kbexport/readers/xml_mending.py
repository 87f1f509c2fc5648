"""XML as programs really write it, made well-formed where that is possible without a loss.

Rule: `dependencies.md`, section 3: bare `&`, HTML entities and control characters are mended
outside CDATA in the text, before a strict parser sees it; a parser that recovers would drop them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from html.entities import html5

from kbexport.models import Problem

_CONTROLS = r"[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\ud800-\udfff]"
_CONTROL = re.compile(_CONTROLS)
_FAULT = re.compile(
    r"&(?!(?:amp|lt|gt|quot|apos);)"
    r"(?:#(?P<number>\d{1,7}|[xX][0-9a-fA-F]{1,6});|(?P<name>[A-Za-z][A-Za-z0-9]{1,31});)?"
    rf"|<(?![A-Za-z_:/!?])|{_CONTROLS}"
)
# Within these an `&` is no fault: what opens them, and what ends them.
_CLOSE = {"<![CDATA[": "]]>", "<!--": "-->"}
_OPEN = re.compile(r"<!\[CDATA\[|<!--")
# No entity and no mark is longer; so much of a piece waits for the next one.
_LONGEST = 40
_DECLARED = re.compile(r"(<\?xml\b[^>]{0,200}?)\s+encoding\s*=\s*(?:\"[^\"]*\"|'[^']*')")
_ABOVE = re.compile(r"\A(?:\s|<!--(?:[^-]|-(?!->))*-->)+(?=<\?xml\s)")


@dataclass
class Mending:
    """Makes the text of one file well-formed, and counts what it had to mend."""

    ampersands: int = 0
    brackets: int = 0
    entities: int = 0
    controls: int = 0

    def mended(self, pieces: Iterable[str]) -> Iterator[str]:
        """Yield the text, piece by piece, with nothing in it that no parser takes."""
        rest, close = "", ""
        for piece in pieces:
            done: list[str] = []
            rest, close = self._mend(rest + piece, done, close)
            yield "".join(done)
        yield self._without_faults(rest, close)

    def _mend(self, text: str, done: list[str], close: str) -> tuple[str, str]:
        """Mend up to where the text is surely whole; give back the rest, and what ends it."""
        place = 0
        while True:
            if close:
                start = text.find(close, place)
                end, following = start + len(close), ""
            else:
                found = _OPEN.search(text, place)
                start, end = found.span() if found else (-1, -1)
                following = _CLOSE[found[0]] if found else ""
            if start < 0:
                break
            done += [self._without_faults(text[place:start], close), text[start:end]]
            place, close = end, following
        held = _safe_end(text, place, close)
        done.append(self._without_faults(text[place:held], close))
        return text[held:], close

    def _without_faults(self, text: str, close: str) -> str:
        if close:
            text, count = _CONTROL.subn("", text)
            self.controls += count
            return text
        return _FAULT.sub(self._replaced, text)

    def _replaced(self, found: re.Match[str]) -> str:
        if found[0] == "<":
            self.brackets += 1
            return "&lt;"
        if found[0][0] != "&":
            self.controls += 1
            return ""
        if number := found["number"]:
            code = int(number[1:], 16) if number[0] in "xX" else int(number)
            if code < 0x110000 and (code in (9, 10, 13) or not _CONTROL.match(chr(code))):
                return found[0]
            self.controls += 1
            return ""
        if (name := found["name"]) and (char := html5.get(name + ";")):
            self.entities += 1
            return char
        self.ampersands += 1
        return "&amp;" + found[0][1:]

    def problems(self, source: str) -> Iterator[Problem]:
        """Yield what was mended, for the report; nothing is missing for it."""
        counted = {
            "control characters removed": self.controls,
            "bare & mended": self.ampersands,
            "bare < mended": self.brackets,
            "HTML entities replaced": self.entities,
        }
        named = [f"{count} {what}" for what, count in counted.items() if count]
        if named:
            reason = f"is no valid XML, and was mended: {', '.join(named)}"
            yield Problem(source=source, reason=reason, lost=False)


def _safe_end(text: str, place: int, close: str) -> int:
    """Where the text may be cut without parting an entity or a mark."""
    if close:
        return max(place, len(text) - len(close) + 1)
    start = max(place, len(text) - _LONGEST)
    begun = [found for found in (text.find("&", start), text.find("<", start)) if found >= 0]
    return min(begun, default=len(text))


def as_utf8(text: str) -> bytes:
    """The text for a parser of bytes, without a declaration that says otherwise.

    What stands above the declaration, where XML allows nothing, is dropped.
    """
    head, rest = _ABOVE.sub("", text[:10_000]), text[10_000:]
    return (_DECLARED.sub(r"\1", head, count=1) + rest).encode("utf-8", "replace")


def declares_entities(text: str) -> bool:
    """Whether the document brings entities of its own, which can be made to explode."""
    return bool(re.search(r"<!DOCTYPE[^>\[]*\[", text)) and "<!ENTITY" in text


def refused(source: str) -> Problem:
    """Why a document that declares entities is not read."""
    return Problem(
        source=source,
        reason="declares entities of its own, and is not read: they can be made to do harm",
        hint="no blog writes such a file; remove the lines `<!ENTITY …>` if you trust it",
    )
