"""What the text of a post says about its series: its number, how many there are, its neighbours.

``本文是 X 系列的第七篇``, ``分为三篇``, ``This is part 2 of a three-part series on X``, and links
such as ``上一篇：…``. A text can err or quote, so what it says is a candidate like any other.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from urllib.parse import urljoin

from kbexport.models import CollatedPost
from kbexport.series.names import tidy, weight
from kbexport.series.rules import Strength
from kbexport.series.titles import Candidate
from kbexport.text.keys import normal_title
from kbexport.text.numerals import CHINESE_SIGNS, parse_numeral
from kbexport.text.urls import canonical_url

IN_TEXT = "the text says so"
"""Name of the rule that reads a number from the text and not from the title."""
_READ = 1500
"""So many characters of a text are read for statements: authors make them at the beginning."""
_MOST_LINKS = 400

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
_PLACE = (
    # 本文是 X 系列的第七篇
    re.compile(
        r"(?:本文|本篇|这篇文章|這篇文章|这是|這是)(?:文章)?\s*(?:是|为|為|属于|屬於)?\s*[《“「『【]?"
        r"(?P<name>[^，。；！？,;!?\n]{2,40}?)[》”」』】]?\s*(?:这个|這個)?"
        r"(?:系列(?:文章|教程|博客|博文)?|专栏|專欄|连载|連載)?\s*(?:中)?的?\s*"
        rf"第\s*{_N}\s*[篇部章节節回讲講弹]"
    ),
    # This is part 2 of my series on X; the third post in a series about X
    re.compile(
        rf"\b(?:part|post|article|instal?lment|episode)\s+{_EN}\s+(?:of|in)\s+"
        r"(?:a|an|my|our|the|this)\s+(?:[\w-]+\s+){0,3}?series\s*(?:on|about|of|:|called|,)\s*"
        r"(?:posts\s+(?:on|about)\s+)?(?P<name>[^.,;:!?\n]{3,60})",
        re.IGNORECASE,
    ),
    re.compile(
        rf"\b{_EN}\s+(?:part|post|article|instal?lment|episode|entry)\s+(?:of|in)\s+"
        r"(?:a|an|my|our|the|this)\s+(?:[\w-]+\s+){0,3}?series\s*(?:on|about|of|:|called|,)\s*"
        r"(?:posts\s+(?:on|about)\s+)?(?P<name>[^.,;:!?\n]{3,60})",
        re.IGNORECASE,
    ),
    # この記事は X シリーズの第3回です
    re.compile(
        r"(?:この記事|本記事|本稿|今回)(?:は|も)、?[「『]?(?P<name>[^、。\n]{2,40}?)[」』]?\s*"
        rf"(?:シリーズ|連載)の(?:第\s*)?{_N}\s*(?:回|弾|話|番目|本目)"
    ),
)
_NOBODY = re.compile(
    r"是?(?:我|你|他|她|本|该|該|此|全|今年|去年|今天|上面|前面)|(?:the|my|our|it)\b", re.IGNORECASE
)
"""`本系列` and `我今年写的` name no series."""
_WEIGHT = 2.0
_COUNT = r"(?P<n>\d{1,2}|two|three|four|five|six|seven|eight|nine|ten)"
_TOTAL = (
    # Not 本文分为三部分, which speaks of sections.
    re.compile(rf"系列[^。\n]{{0,24}}?(?:分为|分為|分成|共|一共|共有|共分)\s*{_N}\s*篇"),
    re.compile(rf"\b{_COUNT}[\s-]+part\s+series\b", re.IGNORECASE),
    re.compile(
        rf"\bseries\s+(?:in|of)\s+{_COUNT}\s+(?:parts|posts|articles)\b",
        re.IGNORECASE,
    ),
    re.compile(rf"全\s*{_N}\s*回"),
)
_BEFORE = (
    r"上一?篇|前一?篇|上一?节|上一?章|上回|前回|前の記事|이전\s*글"
    r"|previous(?:ly)?|prev|part\s+before"
)
_AFTER = (
    r"下一?篇|后一?篇|後一?篇|下一?节|下一?章|next(?:\s+(?:part|post|up))?|次回|次の記事|다음\s*글"
)
_LABEL = (
    rf"(?P<side>(?P<before>{_BEFORE})|(?P<after>{_AFTER}))(?:\s*(?:文章|一篇|part|post|article))?"
)
_LINK = re.compile(
    rf"{_LABEL}\s*(?:</?\w+>)?\s*(?:[:：》»]|\s-|[←→])?\s*(?:</?\w+>\s*)*"
    r"(?:\[(?P<text>[^\[\]\n]{0,200})\]\(\s*<?(?P<url>[^\s()<>]{1,500})"
    r"|<a\s[^<>]{0,400}?href=[\"']?(?P<href>[^\s\"'<>]{1,500})[^<>]{0,400}>(?P<shown>[^<>]{0,200})<"
    r"|《(?P<title>[^《》\n]{2,150})》)",
    re.IGNORECASE,
)
_LABELLED = re.compile(
    rf"\[\s*[«←]?\s*{_LABEL}(?:\s*[:：]\s*(?P<text>[^\[\]\n]{{0,200}}))?\s*[»→]?\s*\]"
    r"\(\s*<?(?P<url>[^\s()<>]{1,500})",
    re.IGNORECASE,
)
_SIDE = re.compile(rf"{_BEFORE}|{_AFTER}", re.IGNORECASE)
_TAG = re.compile(r"<[^<>]{0,500}>")
_ANY_LINK = re.compile(r"\]\(\s*<?([^\s()<>]{1,500})|\shref=[\"']?([^\s\"'<>]{1,500})")


_HINT = re.compile(r"第|系列|series|シリーズ|連載|全.{1,5}回", re.IGNORECASE)
"""What every statement holds; most texts hold none of it."""


@dataclass(frozen=True, slots=True)
class Statement:
    """What one post says about its series."""

    place: Candidate | None = None
    """Its name and number as a reading, beside those of the title."""
    total: int | None = None
    """How many parts there are."""


def read_statement(post: CollatedPost) -> Statement:
    """Read the excerpt and the beginning of the body for what they say about the series."""
    texts = [post.excerpt, post.body_markdown, post.body_html]
    text = "\n".join(_TAG.sub("", value[: 2 * _READ])[:_READ] for value in texts if value)
    if not _HINT.search(text):
        return Statement()
    found = next((match for pattern in _PLACE if (match := pattern.search(text))), None)
    total = next((match for pattern in _TOTAL if (match := pattern.search(text))), None)
    return Statement(
        place=None if found is None else _candidate(found),
        total=None if total is None else _number(total["n"]),
    )


def _candidate(found: re.Match[str]) -> Candidate | None:
    ordinal, name = _number(found["n"]), tidy(found["name"])
    if ordinal is None or _NOBODY.match(name) or weight(name) < _WEIGHT:
        return None
    sign = " ".join(found.group().split())
    return Candidate(IN_TEXT, Strength.PART, name, ordinal, "", sign)


def _number(text: str) -> int | None:
    return _ORDINALS.get(text.casefold(), parse_numeral(text))


def stated_neighbours(posts: Sequence[CollatedPost]) -> dict[str, str]:
    """For each post that a text ties to one before it, the id of that one.

    Links that lead from nearly every post to the one of the next date are the site's own
    navigation and say nothing about series.
    """
    index = _Index.of(posts)
    before: dict[str, str] = {}
    for post in posts:
        for side, address, title in _stated_links(post):
            other = index.find(address, title, post)
            if other is not None and side == "before":
                before[post.uid] = other
            elif other is not None:
                before.setdefault(other, post.uid)
    return {} if _is_navigation(before, posts) else before


def linked_posts(posts: Sequence[CollatedPost]) -> dict[str, frozenset[str]]:
    """The ids of the posts of the blog that each body links to."""
    index = _Index.of(posts)
    found: dict[str, frozenset[str]] = {}
    for post in posts:
        body = post.body_markdown or post.body_html or ""
        addresses = (a or b for a, b in _ANY_LINK.findall(body)[:_MOST_LINKS])
        others = {index.find(address, "", post) for address in addresses}
        found[post.uid] = frozenset(uid for uid in others if uid is not None)
    return found


@dataclass(frozen=True, slots=True)
class _Index:
    """Posts by address and by title; a title that two posts have means neither."""

    addresses: Mapping[str, str]
    titles: Mapping[str, str]

    @classmethod
    def of(cls, posts: Sequence[CollatedPost]) -> _Index:
        titles: dict[str, list[str]] = defaultdict(list)
        for post in posts:
            titles[normal_title(post.title)].append(post.uid)
        return cls(
            {canonical_url(post.url): post.uid for post in posts if post.url},
            {title: uids[0] for title, uids in titles.items() if title and len(uids) == 1},
        )

    def find(self, address: str, title: str, post: CollatedPost) -> str | None:
        """The other post that is meant."""
        whole = canonical_url(urljoin(post.url or "", address)) if address else ""
        uid = self.addresses.get(whole) or self.titles.get(normal_title(title))
        return None if uid == post.uid else uid


def _stated_links(post: CollatedPost) -> Iterator[tuple[str, str, str]]:
    for body in (post.excerpt, post.body_markdown, post.body_html):
        sides = body is not None and _SIDE.search(body) is not None
        for pattern in (_LINK, _LABELLED) if sides else ():
            for match in pattern.finditer(body or ""):
                groups = match.groupdict()
                side = "before" if groups["before"] else "after"
                address = groups.get("url") or groups.get("href") or ""
                title = groups.get("text") or groups.get("shown") or groups.get("title") or ""
                yield side, address, title


_NAVIGATED = 0.5
_IN_A_ROW = 0.8


def _is_navigation(before: Mapping[str, str], posts: Sequence[CollatedPost]) -> bool:
    """Whether most posts have a neighbour and nearly all neighbours are those by date."""
    ordered = sorted(posts, key=lambda post: (post.published or "", post.uid))
    by_date = {frozenset((a.uid, b.uid)) for a, b in pairwise(ordered)}
    with_text = sum(1 for p in posts if p.body_markdown or p.body_html or p.excerpt)
    in_a_row = sum(frozenset(pair) in by_date for pair in before.items())
    return len(before) >= _NAVIGATED * with_text and in_a_row >= _IN_A_ROW * len(before) > 0
