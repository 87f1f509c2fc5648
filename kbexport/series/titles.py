"""The grammar of a title: column, series name, ordinal, part title.

``[Notes] Growing Tomatoes (3) - Watering`` is Notes / Growing Tomatoes / 3 / Watering. A title can
be read in several ways; each reading is a candidate, and which one holds is decided by the other
posts of the blog, never here.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import IntEnum
from functools import lru_cache

from kbexport.series.names import fold, key_of, tidy
from kbexport.text.numerals import CHINESE_SIGNS, parse_numeral

HALVES = {
    "上": 1,
    "前": 1,
    "中": 2,
    "下": 3,
    "后": 3,
    "後": 3,
    "상": 1,
    "중": 2,
    "하": 3,
    "전": 1,
    "후": 3,
}
"""The halves of a topic. 下 is 2 where the blog has no 中; the group of posts tells."""


class Strength(IntEnum):
    """How clearly a sign says "part of a series"; the weaker, the more the other posts must say."""

    BARE = 1
    """A number and nothing else: `X 2`."""
    SIGN = 2
    """A number set apart: `X II`, `X -02-`, `Week 3`."""
    PART = 3
    """A number that can hardly mean anything else: `X (2)`, `Part 2`, `第2篇`."""
    STATED = 4
    """The source itself says so."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """One way to read a title."""

    rule: str
    """Name of the rule that read it."""
    strength: Strength
    name: str
    """Name of the series as spelled; empty where the title only has a number."""
    ordinal: int | None
    part: str
    """What the title says beyond series and number."""
    sign: str
    """The number as printed, with its marker."""
    half: bool = False
    """Whether the ordinal stands for 上, 中 or 下."""

    @property
    def key(self) -> str:
        """What all spellings of the series' name have in common."""
        return key_of(self.name)


@dataclass(frozen=True, slots=True)
class Rule:
    """A form of number: its name, how clear it is, its pattern with a group `n`, an example."""

    name: str
    strength: Strength
    pattern: re.Pattern[str]
    example: str


_DIGITS = r"\d{1,4}"
_HAN = rf"[{CHINESE_SIGNS}]{{1,6}}"
_ROMAN = r"[IVXⅠⅡⅢⅣⅤⅥⅦⅧⅨⅩⅪⅫ]{1,6}"
_WORD = r"(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)"
_N = rf"(?P<n>{_DIGITS}|{_HAN})"
_ANY = rf"(?P<n>{_DIGITS}|{_HAN}|{_ROMAN}(?![a-z])|{_WORD}\b)"
_OPEN = r"[(\[【〔〖「『<《〈]"
_CLOSE = r"[)\]】〕〗」』>》〉]"
_END = r"(?=\s*(?:$|[-:,、~|/([【「『.!?。！？]|<))"
_OF = rf"(?:\s*(?:/|of|out\s+of|von|de|sur)\s*(?:{_DIGITS}|{_WORD}))?"
_NO_LETTER = r"(?<![A-Za-z0-9_à-ÿ])"
_QUANTITY = (
    r"(?:[年月日岁歲个個種种分秒周天倍次条條款大张張人点點小时時가지%]|x\b|years?|ways|things|tips)"
)
_UNITS_HAN = "[篇章节節回讲講弹弾彈天期话話课課集部卷辑輯站关關夜步週]"
_PART_WORDS = (
    r"part|pt\.?|parte|partie|teil|часть|deel|del|część|cz\.|osa|take|installment|instalment"
    r"|chapter|chap\.?|ch\.|capítulo|capitulo|kapitel|chapitre|volume|vol\.?|tome"
    r"|episode|ep\.?|épisode|episodio|folge|lesson|lecture|lección|leçon|number|no\.|nr\.|n°|№"
)
_COUNT_WORDS = (
    r"day|week|month|season|jour|tag|día|dia|giorno|woche|semana|semaine"
    r"|topic|stage|step|round|session|unit|module|section|phase|level|sprint|milestone|edition"
    r"|issue|entry|update|devlog|tutorial|lab|exercise|tip|trick"
)


def _rule(name: str, strength: Strength, pattern: str, example: str) -> Rule:
    return Rule(name, strength, re.compile(pattern, re.IGNORECASE), example)


RULES: tuple[Rule, ...] = (
    _rule("第…篇", Strength.PART, rf"第\s*{_N}\s*{_UNITS_HAN}目?", "种番茄 第3篇 浇水"),
    _rule(
        "part word",
        Strength.PART,
        rf"{_NO_LETTER}{_OPEN}?(?:{_PART_WORDS})\s*[#.:]?\s*{_ANY}(?:[a-d]\b)?(?![\w.]\d){_OF}",
        "Growing Tomatoes, Part 3: Watering",
    ),
    _rule(
        "number in brackets",
        Strength.PART,
        # Right behind a word, `[0]` is an index unless the title ends or pauses after it.
        rf"(?<![\w\]])\[\s*{_ANY}{_OF}\s*\]"
        rf"|(?<=\w)\[\s*{_ANY.replace('<n>', '<n2>')}\s*\]{_END}"
        r"|[(【〔〖「『<]\s*(?:之|其|第|no\.?|#)?\s*"
        rf"{_ANY.replace('<n>', '<n3>')}{_OF}\s*[)】〕〗」』>]",
        "种番茄（三）浇水",
    ),
    _rule(
        "hash",
        Strength.PART,
        rf"(?<![\w#&/])#\s?(?P<n>{_DIGITS})(?![\w-])",
        "Garden Letter #4 - Slugs",
    ),
    _rule("之", Strength.PART, rf"(?<=\S)之\s*(?P<n>{_HAN}|{_DIGITS}){_END}", "种番茄之二 - 搭架"),
    _rule(
        "その",
        Strength.PART,
        rf"(?:その|其の|其)\s*{_N}(?!\w*[個个つ])",
        "トマトを育てる その２ 水やり",
    ),
    _rule(
        "half in brackets",
        Strength.PART,
        rf"{_OPEN}\s*(?P<half>[上中下前後后상중하])\s*[篇编編集部卷]?\s*{_CLOSE}",
        "番茄的病害（上）",
    ),
    _rule(
        "half",
        Strength.PART,
        r"(?P<half>[上中下前後后])[篇编編集卷](?!集)|(?P<half2>[전중후상하])편",
        "トマトの病気 前編",
    ),
    _rule(
        "Korean counter",
        Strength.PART,
        rf"(?<![\d.])(?P<n>{_DIGITS})\s*(?:편|탄|부|장|강|화|회차?|주차|일차)(?![가-힣])",
        "토마토 키우기 3편 물주기",
    ),
    _rule(
        "series number",
        Strength.PART,
        rf"(?:系列|连载|連載|シリーズ|시리즈)\s*[:：-]?\s*(?P<n>{_HAN}|{_DIGITS}){_END}",
        "种番茄系列一：选种",
    ),
    _rule(
        "n of m",
        Strength.PART,
        r"(?<![\w/])(?P<n>\d{1,2})\s*(?:/|of)\s*\d{1,2}(?![\w/])",
        "Growing Tomatoes 2/3",
    ),
    _rule(
        "count word",
        Strength.SIGN,
        rf"{_NO_LETTER}(?:{_COUNT_WORDS})\s*[#.:]?\s*{_ANY}(?:[a-d]\b)?(?![\w.]\d){_OF}",
        "Allotment Week 3: Slugs",
    ),
    _rule(
        "Roman at the end",
        Strength.SIGN,
        rf"(?<=\s)(?P<n>(?-i:{_ROMAN})){_END}",
        "Growing Tomatoes II: Watering",
    ),
    _rule(
        "between dashes",
        Strength.SIGN,
        r"(?<=[-_])\s*(?P<n>\d{1,3})\s*(?=[-_:]|\.(?!\d))|(?<=_)(?P<n2>\d{1,3})\s*$",
        "种番茄-05-浇水",
    ),
    _rule(
        "behind a colon",
        Strength.SIGN,
        r"(?<=[:|])\s*(?P<n>\d{1,3})\s*[.、:)-]\s*(?=[^\d\s])",
        "Growing Tomatoes: 3. Watering",
    ),
    _rule(
        "Japanese counter",
        Strength.PART,
        rf"(?<![\d.])(?P<n>{_DIGITS})\s*(?:日目|回目|週目|話目|章|話|巻)",
        "トマトを育てる 4日目",
    ),
    _rule("Roman sign", Strength.SIGN, r"(?<=\S)(?P<n>[ⅠⅡⅢⅣⅤⅥⅦⅧⅨⅩⅪⅫ]{1,4})(?![A-Za-z])", "种番茄Ⅱ"),
    _rule(
        "Chinese numeral",
        Strength.SIGN,
        rf"(?<=[぀-ヿ㐀-鿿가-힣\s])(?P<n>{_HAN})\s*(?=$|[:、]|-|\s)",
        "种番茄笔记三：浇水",
    ),
    _rule("front number", Strength.SIGN, rf"^\s*{_N}\s*(?:[.、:)]|-|_)\s*(?=\D)", "03. Watering"),
    _rule(
        "bare number",
        Strength.BARE,
        rf"(?<![\d.,$€£A-Za-z_/#%-])(?P<n>\d{{1,3}})(?![\d%A-Za-z_]|[.,]\d|\s*{_QUANTITY})"
        r"(?=\s*(?:$|[-:~|,(\[【「]|[.、](?!\d))|\s)",
        "种番茄笔记 3 浇水",
    ),
)
"""Every form of number; the order does not matter, strength and place in the title do."""


@lru_cache(maxsize=65536)
def candidates(title: str) -> tuple[Candidate, ...]:
    """Every reading of ``title`` (without its column) as a numbered part, clearest first.

    Among equally clear readings the outer number, that is the first one, comes first:
    in `X (5) - engine (1)` the part is 5.
    """
    plain = fold(title)
    matches = [(rule, match) for rule in RULES for match in rule.pattern.finditer(plain)]
    clear = [match.span() for rule, match in matches if rule.strength > Strength.BARE]
    found: list[tuple[tuple[int, int, int], Candidate]] = []
    for rule, match in matches:
        start, end = match.span()
        # The 2 of `Part 2` is not a bare number too.
        if rule.strength is Strength.BARE and any(a < end and start < b for a, b in clear):
            continue
        for rank, candidate in enumerate(_read(rule, match, title)):
            found.append(((-candidate.strength, rank, start), candidate))
    found.sort(key=lambda item: item[0])
    unique: dict[tuple[str, int | None], Candidate] = {}
    for _, candidate in found:
        unique.setdefault((candidate.key, candidate.ordinal), candidate)
    return tuple(unique.values())


def _read(rule: Rule, match: re.Match[str], title: str) -> list[Candidate]:
    groups = {name: value for name, value in match.groupdict().items() if value}
    half = next((groups[name] for name in ("half", "half2") if name in groups), None)
    numeral = next((groups[name] for name in ("n", "n2", "n3") if name in groups), "")
    ordinal = HALVES[half] if half else parse_numeral(numeral)
    if ordinal is None or _is_year(ordinal, rule):
        return []
    before, after = title[: match.start()], title[match.end() :]
    sign = title[match.start() : match.end()].strip()

    def reading(name: str, part: str) -> Candidate:
        return Candidate(
            rule.name, rule.strength, tidy(name), ordinal, tidy(part), sign, half is not None
        )

    return [reading(name, part) for name, part in _names(before, after)]


def _is_year(ordinal: int, rule: Rule) -> bool:
    return 1900 <= ordinal <= 2100 and rule.name not in ("第…篇", "hash")


_OF_NAME = re.compile(r"^\s*(?:of|in|von|de|della?|du)\s+(?=\w)", re.IGNORECASE)
_SEPARATOR = re.compile(r"\s[-–—|~]+\s|[-–—]{2,}|[:：|｜]|[(（\[【]")


def _names(before: str, after: str) -> list[tuple[str, str]]:
    """Where the name may stand: before the number; behind it; between a separator and it."""
    if not tidy(before):
        after = _OF_NAME.sub("", after)
        rest = tidy(after)
        split = _SEPARATOR.search(after.lstrip(" -–—:：.、)）"))
        heads = [("", rest)]
        if split and tidy(after):
            head = after.lstrip(" -–—:：.、)）")
            heads.append((head[: split.start()], head[split.end() :]))
        elif rest:
            heads.append((rest, ""))
        return heads
    readings = [(before, after)]
    splits = list(_SEPARATOR.finditer(before))
    if splits and tidy(before[splits[-1].end() :]):
        # `Watering (Growing Tomatoes, part 3)`: the name stands right before the number.
        last = splits[-1]
        readings.append((before[last.end() :], before[: last.start()] + after))
    return readings
