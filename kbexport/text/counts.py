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
_LABEL = (
    r"(?:阅读|浏览|点击|访问|查看|点赞|赞|评论|收藏|转发|热度|page\s*views?|views?|reads?|hits?|clicks?)"
    r"(?:次数|人数|量|数)?"
)
_COUNT = re.compile(
    rf"(?:{_LABEL}\s*:?)?\s*(?P<open>\()?\s*"
    r"(?P<number>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d{1,3}(?: \d{3})+|\d+(?:\.\d+)?)"
    r"\s*(?P<unit>[千万萬亿億kwm])?\s*\+?\s*"
    rf"(?:[人次个篇]\s*)?(?:{_LABEL})?\s*(?(open)\))",
    re.IGNORECASE,
)
# Where a dot parts thousands, this is a thousand; elsewhere it is one.
_AMBIGUOUS = re.compile(r"\d{1,3}\.\d{3}")


def parse_count(text: str) -> int | None:
    """The count; ``None`` where there is none, or where anything unknown stands beside it.

    A number is never cut: of `1_000`, `1. 2万` or `-5` nobody knows what was meant.
    """
    found = _COUNT.fullmatch(unicodedata.normalize("NFKC", text[: _LONGEST + 1]).strip())
    if not found or (_AMBIGUOUS.fullmatch(found["number"]) and not found["unit"]):
        return None
    number = re.sub("[, ]", "", found["number"])
    if len(number) > _MOST_DIGITS:
        return None
    unit = _UNITS.get((found["unit"] or "").lower(), 1)
    return int((Decimal(number) * unit).quantize(Decimal(1), ROUND_HALF_UP))
