"""Counts as sites print them: `1.2万`, `1,855`, `10万+`, `阅读 298`."""

from __future__ import annotations

import re
import unicodedata
from decimal import ROUND_HALF_UP, Decimal

_LONGEST = 100
_MOST_DIGITS = 18
_UNITS = {
    "千": 1_000,
    "k": 1_000,
    "万": 10_000,
    "萬": 10_000,
    "w": 10_000,
    "m": 1_000_000,
    "亿": 100_000_000,
    "億": 100_000_000,
}
_COUNT = re.compile(
    r"(?P<minus>[-−–]\s*)?"
    r"(?P<number>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)"
    # What goes on like this is a date, an address or a number of some other kind.
    r"(?![\d]|[.,:/年月-]\d|e[+\d-])"
    r"(?:\s*(?P<unit>[千万萬亿億]|[kwm](?![a-z])))?",
    re.IGNORECASE,
)


def parse_count(text: str) -> int | None:
    """Return the first count in the text; ``None`` where there is none or it is negative."""
    text = unicodedata.normalize("NFKC", text[:_LONGEST])
    first, found = re.search(r"\d", text), _COUNT.search(text)
    if not first or not found or found["minus"]:
        return None
    if first.start() != found.start("number"):
        return None  # the first number in the text is no count, and who knows what the next one is
    number = found["number"].replace(",", "")
    if len(number) > _MOST_DIGITS:
        return None
    unit = _UNITS.get((found["unit"] or "").lower(), 1)
    return int((Decimal(number) * unit).quantize(Decimal(1), ROUND_HALF_UP))
