"""Where a site prints a value, as data: a selector, an attribute, a pattern."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta, timezone

from kbexport.content.dom import Element
from kbexport.models import Kind
from kbexport.text.clean import one_line
from kbexport.text.counts import parse_count
from kbexport.text.dates import parse_moment

_EPOCH = re.compile(r"1\d{9}(?:\d{3})?")
# Sites that print seconds instead of dates are Chinese ones.
_CHINA = timezone(timedelta(hours=8))


def at_offset(moment: str | None, hours: int) -> str | None:
    """A moment that is stated in UTC, on a clock that many hours ahead; any other as it is."""
    if not moment or not hours or not moment.endswith(("Z", "+00:00")):
        return moment
    return datetime.fromisoformat(moment).astimezone(timezone(timedelta(hours=hours))).isoformat()


@dataclass(frozen=True)
class Pick:
    """Where a value stands."""

    css: str = ""
    """Selector of the elements that have it; empty for the source of the page, scripts included."""
    pattern: str = ""
    """What of the words is the value: the first group, or all that is found."""
    attr: str = ""
    """The attribute that has it; empty for the text of the element."""


@dataclass(frozen=True)
class Scope:
    """Where to look: a page, or the elements that make up an entry of it."""

    elements: tuple[Element, ...]
    """Each one counts itself and all that is in it."""
    html: str = ""
    """The source of the page."""
    captured: date | None = None
    """When the page was taken."""

    def select(self, css: str) -> Iterator[Element]:
        """All elements that match, those of the scope itself included."""
        for element in self.elements:
            if element.matches(css):
                yield element
            yield from element.select(css)

    def has(self, css: str) -> bool:
        """Whether there is such an element."""
        return next(self.select(css), None) is not None

    def words(self, picks: Sequence[Pick]) -> Iterator[str]:
        """The values of the picks, one line each; a pick goes on where the one before has none."""
        for pick in picks:
            for text in self._texts(pick):
                found = re.search(pick.pattern, text) if pick.pattern else None
                value = found[found.re.groups and 1] if found else "" if pick.pattern else text
                if value := one_line(value):
                    yield value

    def _texts(self, pick: Pick) -> Iterator[str]:
        if not pick.css:
            yield self.html
            return
        for element in self.select(pick.css):
            yield (element.attr(pick.attr) or "") if pick.attr else element.text

    def line(self, picks: Sequence[Pick]) -> str | None:
        """The first value."""
        return next(self.words(picks), None)

    def moment(self, picks: Sequence[Pick]) -> str | None:
        """The first value that is a date."""
        return next(filter(None, map(self._moment, self.words(picks))), None)

    def _moment(self, words: str) -> str | None:
        if _EPOCH.fullmatch(words):
            return datetime.fromtimestamp(int(words[:10]), _CHINA).isoformat()
        return parse_moment(words, self.captured)

    def count(self, picks: Sequence[Pick]) -> int | None:
        """The first value that is a count."""
        counts = map(parse_count, self.words(picks))
        return next((count for count in counts if count is not None), None)

    def names(self, picks: Sequence[Pick]) -> tuple[str, ...]:
        """All values of the first pick that has any, each once, without the `#` before a tag."""
        for pick in picks:
            names = [name.lstrip("#＃ ").strip() for name in self.words([pick])]
            if names := [name for name in names if name]:
                return tuple(dict.fromkeys(names))
        return ()

    def kind(self, kinds: Sequence[tuple[str, Kind]]) -> Kind | None:
        """The kind whose selector finds something."""
        return next((kind for css, kind in kinds if self.has(css)), None)
