"""What the text of a post says about its series: its number, and how many there are.

``本文是 X 系列的第七篇``, ``本系列分为三篇``, ``This is part 2 of my series on X``. A text can
err, so what it says is a candidate like any other.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from kbexport.models import CollatedPost
from kbexport.series.names import tidy, weight
from kbexport.series.rules import Strength
from kbexport.series.titles import Candidate
from kbexport.text.numerals import CHINESE_SIGNS, parse_numeral

IN_TEXT = "the text says so"
"""Name of the rule that reads a number from the text and not from the title."""
_READ = 1500
"""So many characters of a text are read for statements: authors make them at the beginning."""

_N = rf"(?P<n>\d{{1,3}}|[{CHINESE_SIGNS}]{{1,5}})"
_EN = (
    r"(?P<n>\d{1,3}|one|two|three|four|five|six|seven|eight|nine|ten"
    r"|first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth)(?:st|nd|rd|th)?"
)
_ORDINALS = {
    word: number
    for number, word in enumerate(
        "first second third fourth fifth sixth seventh eighth ninth tenth".split(), 1
    )
}
# Which post is meant has to be said: "start with the first part of my series" is another one.
_THIS = r"(?:^|\bthis(?: (?:post|article|part))? is |\bwelcome(?: back)? to )(?:the )?"
_ON = (
    r" (?:of|in) (?:an?|my|our|the|this) (?:[\w-]+ ){0,3}?series ?(?:on|about|of|:|called|,) ?"
    r"(?:posts (?:on|about) )?(?P<name>[^.,;:!?\n]{3,60})"
)
_PLACE = (
    # 本文是 X 系列的第七篇
    re.compile(
        r"(?:本文|本篇|这篇文章|這篇文章|这是|這是)(?:文章)? ?(?:是|为|為|属于|屬於)? ?[《“「『【]?"
        r"(?P<name>[^，。；！？,;!?\s][^，。；！？,;!?\n]{1,39}?)[》”」』】]? ?(?:这个|這個)?"
        r"(?:系列(?:文章|教程|博客|博文)?|专栏|專欄|连载|連載)? ?中?的? ?"
        rf"第 ?{_N} ?[篇部章节節回讲講弹]"
    ),
    # This is part 2 of my series on X
    re.compile(
        rf"{_THIS}(?:part|post|article|instal?lment|episode) {_EN}{_ON}",
        re.IGNORECASE | re.MULTILINE,
    ),
    # Welcome to the third post in a series about X
    re.compile(
        rf"{_THIS}{_EN} (?:part|post|article|instal?lment|episode|entry){_ON}",
        re.IGNORECASE | re.MULTILINE,
    ),
    # この記事は X シリーズの第3回です
    re.compile(
        r"(?:この記事|本記事|本稿|今回)[はも]、?[「『]?(?P<name>[^、。\s][^、。\n]{1,39}?)[」』]? ?"
        rf"(?:シリーズ|連載)の(?:第 ?)?{_N} ?(?:回|弾|話|番目|本目)"
    ),
)
_NOBODY = re.compile(
    r"是?(?:我|你|他|她|本|该|該|此|全|今年|去年|今天|上面|前面)|(?:the|my|our|it)\b", re.IGNORECASE
)
"""`本系列` and `我今年写的` name no series."""
_WEIGHT = 2.0
_COUNT = r"(?P<n>\d{1,2}|two|three|four|five|six|seven|eight|nine|ten)"
_OF_THIS = r"\bthis\b[^.!?\n]{0,60}?\b"
_TOTAL = (
    # Not 本文分为三部分, which speaks of sections, and not any series: this one.
    re.compile(
        r"(?:本|这个|這個|该|該)系列[^。\n]{0,24}?(?:分为|分為|分成|共|一共|共有|共分)"
        rf" ?{_N} ?篇"
    ),
    re.compile(rf"{_OF_THIS}{_COUNT}[ -]part series\b", re.IGNORECASE),
    re.compile(rf"{_OF_THIS}series (?:in|of) {_COUNT} (?:parts|posts|articles)\b", re.IGNORECASE),
    re.compile(rf"全 ?{_N} ?回の? ?(?:連載|シリーズ)"),
)
_HINTS = ("第", "系列", "series", "シリーズ", "連載")
"""What every statement holds; most texts hold none of it."""
_QUOTE = re.compile(r"<blockquote\b.*?</blockquote>", re.DOTALL | re.IGNORECASE)
_BLOCK = re.compile(
    r"</?(?:p|div|li|ul|ol|h[1-6]|br|td|tr|section|article)\b[^<>]{0,500}>", re.IGNORECASE
)
_TAG = re.compile(r"<[^<>]{0,500}>")


@dataclass(frozen=True, slots=True)
class Statement:
    """What one post says about its series."""

    place: Candidate | None = None
    """Its name and number as a reading, beside those of the title."""
    total: int | None = None
    """How many parts there are."""


def read_statement(post: CollatedPost) -> Statement:
    """Read the excerpt and the beginning of the body for what they say about the series."""
    values = (post.excerpt, post.body_markdown or post.body_html)
    heads = [value[: 2 * _READ] for value in values if value]
    if not any(hint in head.lower() for head in heads for hint in _HINTS):
        return Statement()
    text = "\n".join(_words(head)[:_READ] for head in heads)
    found = next((match for pattern in _PLACE if (match := pattern.search(text))), None)
    total = next((match for pattern in _TOTAL if (match := pattern.search(text))), None)
    return Statement(
        place=None if found is None else _candidate(found),
        total=None if total is None else _number(total["n"]),
    )


def _words(text: str) -> str:
    """The text without tags and quotations."""
    lines = single_spaced(_TAG.sub("", _BLOCK.sub("\n", _QUOTE.sub("\n", text)))).split("\n")
    return "\n".join(line for line in lines if not line.startswith(">"))


def single_spaced(text: str) -> str:
    """The text with runs of white space as one space or line end, so that no pattern meets many."""
    return re.sub(r" ?\n[ \n]*", "\n", re.sub(r"[^\S\n]+", " ", text))


def _candidate(found: re.Match[str]) -> Candidate | None:
    ordinal, name = _number(found["n"]), tidy(found["name"])
    if ordinal is None or _NOBODY.match(name) or weight(name) < _WEIGHT:
        return None
    sign = " ".join(found.group().split())
    return Candidate(IN_TEXT, Strength.PART, name, ordinal, "", sign)


def _number(text: str) -> int | None:
    return _ORDINALS.get(text.casefold(), parse_numeral(text))
