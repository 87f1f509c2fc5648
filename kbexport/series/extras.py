"""Titles that name a series without a number: overviews, sequels, and parts behind a separator."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice

from kbexport.series.names import READ_LENGTH, fold, key_of, tidy

_KIND_OF_PART = (
    "入门|入門|进阶|進階|基础|基礎|初级|初級|中级|中級|高级|高級|上級|实战|實戰|実戦|理论|理論|实践|實踐|実践"
    "|准备|準備|原理|应用|應用|応用|环境|環境|环境搭建|環境構築|安装|安裝|导入|導入|配置|部署|源码|使用|设计|設計"
    "|实现|実装|运用|運用|发展|発展|开发|開発|概念|概述|概要|番外|总结|完结|完結|解決|解决|調査|初探"
)
_KIND_OF_PART_EN = (
    r"basics?|beginners?|intermediate|advanced|fundamentals|(?:in\s+)?theory|(?:in\s+)?practice"
    r"|\w+\s+edition"
)
SEPARATOR = re.compile(
    rf"""\s[-|~/]+\s            # X - part, X | part
      | -{{2,}} | [-~](?=\s) | (?<=\s)~(?=\S) | (?<=\s)-(?=\S)
      | [:|]                   # X: part
      | [(\[【<]                # X (part)
      | 之(?![一二三四五六七八九十间間所]                       # X 之 part, but not 之间
            |[前后後外内中下上类類](?:$|[的地,:、!?()\s]))    # and not 之前, but 之前端
      | [?!]\s*(?=\S)          # X? part
      | (?:\s|(?<=[A-Za-z0-9]))(?=[^\s:]{{1,10}}[編篇编](?:$|:))   # X 入门篇
      | (?<=\S)(?=(?:{_KIND_OF_PART})[編篇编]\s*(?:$|[:(]))   # 番茄入门篇
      | \s(?=(?:{_KIND_OF_PART_EN})\s*(?:$|[:(]))             # Tomatoes in Practice: X
    """,
    re.VERBOSE | re.IGNORECASE,
)
"""What may stand between the name of a series and the title of a part."""

_MARKED = re.compile(
    rf"^\S{{1,12}}[編篇编](?:$|[\s:：)])|\bedition\b|^(?:{_KIND_OF_PART_EN})(?:$|\s*[:(])",
    re.IGNORECASE,
)
_MAX_SPLITS = 8
"""The name of a series stands before one of the first separators."""
_COMMA = re.compile(r"[,，、]\s*(?=\S)")
_HAN_SPACE = re.compile(r"(?<=[぀-ヿ㐀-鿿])\s+(?=\S)")
"""Chinese and Japanese need no spaces, so one of them may be a separator."""
_CONTINUED = re.compile(
    r"""[\s,(-]*\b(?:(?:,|-)?\s*(?:continued|cont'd|cont\.|redux|revisited|follow-?\s?up|a\s+follow-?\s?up
        |a\s+sequel|one\s+more\s+time|postscript|addendum|update|clarification))\)?\s*$
      | [\s:,(\[-]*\b(?:fortsetzung|nachtrag|(?:la\s+)?suite|continuaci[oó]n|continuazione
        |continuação|vervolg|fortsättning|ciąg\s+dalszy|продолжение|дополнение)\)?\s*$
      | [\s,(\[【-]*(?:续篇?|續篇?|后续|後續|补充|補充|再续|続編?|続き|속편)[)\]】]?\s*$""",
    re.VERBOSE | re.IGNORECASE,
)
_SEQUEL = re.compile(
    r"^(?:续|續|続|속)\s*[:・·]?\s*(?=\S{2})(?!集|航|费|費|命|约|約|写|寫|报|報|杯|行)"
    r"|^(?:follow-?\s?up|addendum|sequel|postscript)\s*[:-]\s*(?=\S{2})",
    re.IGNORECASE,
)
"""`续・X` and `Follow-up: X` continue X."""
_OVERVIEW = re.compile(
    r"""[\s:,(\[【-]*(?:(?:系列|シリーズ|시리즈)?\s*(?:总结|總結|汇总|彙總|总览|目录|目錄|索引|开篇|開篇|序章?|序言|前言|导读|導讀|导言
        |引子|终篇|終篇|完结篇?|完結篇?|最终篇|结语|后记|後記|尾声|番外篇?|完|终|总|總|まとめ|はじめに|おわりに|目次|総集編|정리|마무리)
      | \b(?:index|overview|introduction|intro|prologue|preface|summary|wrap-?\s?up|recap
        |conclusion|epilogue|finale|table\s+of\s+contents|series))[)\]】]?\s*$""",
    re.VERBOSE | re.IGNORECASE,
)

_FRAME = re.compile(
    r"^(?:开篇|開篇|序章?|序言|前言|目录|目錄|索引|引子|终篇|終篇|完结篇?|完結篇?|尾声|番外篇?"
    r"|目次|総集編|prologue|preface|epilogue|index|table\s+of\s+contents)\b",
    re.IGNORECASE,
)

_OPENING = re.compile(
    r"\W*(?:开篇|開篇|序|前言|目录|目錄|索引|引子|导读|導讀|导言|总览|目次|はじめに"
    r"|(?:introduction|intro|prologue|preface|overview|index|table\s+of\s+contents)\b)",
    re.IGNORECASE,
)
_CLOSING = re.compile(
    r"\W*(?:终篇|終篇|完|最终篇|结语|后记|後記|尾声|番外|补充|补遗|補遺|总结|總結|おわりに|まとめ|마무리"
    r"|(?:epilogue|finale|conclusion|wrap-?\s?up|recap|summary|addendum|postscript)\b)",
    re.IGNORECASE,
)


def opens(part: str) -> bool:
    """Whether a part calls itself the beginning of its series: 序, 前言, `Prologue`."""
    return _OPENING.match(part) is not None


def closes(part: str) -> bool:
    """Whether a part calls itself the end of its series, or an extra to it: 终篇, 番外, 补充."""
    return _CLOSING.match(part) is not None


@dataclass(frozen=True, slots=True)
class Extra:
    """One way to read a title as a part without a number."""

    rule: str
    name: str
    part: str
    separated: bool = False
    """Whether only a separator tells the name from the rest."""
    comma: bool = False
    """Whether the separator is a comma or a space, which may as well be in a sentence."""
    tail: bool = False
    """Whether the name stands at the end."""
    linked: bool = False
    """Whether 之 ties name and part together, which says "of" where a colon may say "about"."""
    continued: bool = False
    """Whether the title says that it continues another post."""

    @property
    def marked(self) -> bool:
        """Whether the part calls itself one of several: 入门篇, 理論編, `Basic Edition`."""
        return bool(_MARKED.search(self.part))

    @property
    def frames(self) -> bool:
        """Whether the part opens or closes a series and so says that there is one: 开篇, 目录."""
        return bool(_FRAME.search(self.part))


@lru_cache(maxsize=65536)
def extras(title: str) -> tuple[Extra, ...]:
    """Every reading of ``title`` as a part without a number, clearest first."""
    title = title[:READ_LENGTH]
    plain = fold(title)
    found = []
    for rule, pattern in (("a sequel", _CONTINUED), ("an overview or an extra", _OVERVIEW)):
        match = pattern.search(plain)
        if match is not None and match.start() > 0:
            part = tidy(title[match.start() :])
            found.append(
                Extra(rule, tidy(title[: match.start()]), part, continued=pattern is _CONTINUED)
            )
    sequel = _SEQUEL.match(plain)
    if sequel is not None:
        name = tidy(title[sequel.end() :])
        found.append(Extra("a sequel", name, tidy(sequel.group()), continued=True))
    overview = _overview_and_title(title, plain)
    if overview is not None:
        found.append(overview)
    signs = islice(SEPARATOR.finditer(plain), _MAX_SPLITS)
    splits = [match for match in signs if _is_outside(plain[: match.start()])]
    for match in splits:
        head, rest = tidy(title[: match.start()]), tidy(title[match.end() :])
        linked = match.group() == "之"
        found.append(Extra("its name and a separator", head, rest, separated=True, linked=linked))
    for rule, pattern in (("its name and a comma", _COMMA), ("its name and a space", _HAN_SPACE)):
        for match in islice(pattern.finditer(plain), _MAX_SPLITS):
            head, rest = tidy(title[: match.start()]), tidy(title[match.end() :])
            found.append(Extra(rule, head, rest, comma=True))
    for match in splits:
        head, rest = tidy(title[: match.start()]), tidy(title[match.end() :])
        found.append(Extra("its name behind a separator", rest, head, separated=True, tail=True))
    return tuple(extra for extra in found if key_of(extra.name))


def _overview_and_title(title: str, plain: str) -> Extra | None:
    """Read `X 番外：the cat` as an extra of X."""
    first = SEPARATOR.search(plain)
    match = _OVERVIEW.search(plain[: first.start()]) if first is not None else None
    if match is None or match.start() == 0:
        return None
    name, part = tidy(title[: match.start()]), tidy(title[match.start() :])
    return Extra("an overview or an extra", name, part)


def _is_outside(head: str) -> bool:
    """Whether no bracket is open at the end of ``head``."""
    return all(
        head.count(opening) <= head.count(closing)
        for opening, closing in ("()", "[]", "【】", "「」")
    )
