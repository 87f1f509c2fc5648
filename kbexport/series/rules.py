"""The forms that a part's number takes in a title: a table, one rule a form, with its example."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import IntEnum

from kbexport.series.number_words import (
    JAPANESE_FIRSTS,
    KOREAN_ORDINALS,
    NUMBER_WORDS,
    ORDINAL_WORDS,
)
from kbexport.text.numerals import CHINESE_SIGNS


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
_END = r"(?=\s*(?:$|[-:,、~|/([【「『.!?。！？·•・]|<))"
_OF = rf"(?:\s*(?:/|of|out\s+of|von|de|sur|di|van|из)\s*(?:{_DIGITS}|{_WORD}))?"
_NO_LETTER = r"(?<![A-Za-z0-9_À-ɏЀ-ӿ])"
_QUANTITY = (
    r"(?:[年月日岁歲个個種种分秒周天倍次条條款大张張人点點小时時가지%]|x\b|years?|ways|things|tips)"
)
_UNITS_HAN = (
    "(?:部分|单元|單元|阶段|階段|[篇章节節回讲講弹弾彈天期話话課课集部卷巻辑輯站关關]"
    "|[夜步周週封场場幕招谈談战戰])"
)
_PART_WORDS = (
    r"part|pt\.?|parte|partie|teil|часть|deel|del|część|cz\.|osa|díl|rész|phần|bagian|bölüm|kısım"
    r"|chapter|chap\.?|ch\.?|capítulo|capitulo|kapitel|chapitre|глава|volume|vol\.?|tome|take"
    r"|episode|ep\.?|épisode|episodio|folge|puntata|entrega|odcinek|aflevering|avsnitt|выпуск|эпизод"
    r"|lesson|lecture|lección|leçon|lektion|урок|installment|instalment|volet|opus|band|number|numéro|número|numero|no\.|nr\.|n°|nº|№|ч\."
)
_PART_NOUNS = (
    "part|parte|partie|teil|часть|episode|épisode|deel|del|część|bölüm|kısım|osa|díl|rész"
    "|capítulo|chapitre|kapitel|chapter|глава|урок|lesson|leçon|lección|lektion|entrega|puntata"
)
_NTH = r"\.?[ao]|\.|re|ère|ème|de|e|st|nd|rd|th|-[йяе]|-ая"
_COUNT_NOUNS = (
    "day|week|stage|jour|semaine|étape|tag|woche|etappe|día|dia|semana|etapa|giorno|settimana|tappa"
    "|день|неделя|этап|dag"
)
_COUNT_WORDS = (
    r"day|week|month|season|jour|tag|día|dia|giorno|день|dag|woche|semana|semaine|неделя|mois|monat"
    r"|etapa|étape|etappe|schritt|paso|passo|шаг"
    r"|topic|stage|step|round|session|unit|module|section|phase|level|sprint|milestone|edition"
    r"|issue|item|entry|(?<!\d\s)update|devlog|project|assignment|homework|hw|challenge|tutorial|lab|exercise|tip|trick"
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
        "number before the part word",
        Strength.PART,
        rf"(?<![\w.])(?P<n>\d{{1,2}})(?:{_NTH})?\s+"
        rf"(?:{_PART_NOUNS})\b",
        "Tomaten ziehen - 2. Teil",
    ),
    _rule(
        "ordinal word",
        Strength.PART,
        rf"{_NO_LETTER}(?P<word>{'|'.join(ORDINAL_WORDS)})\s+(?:{_PART_NOUNS})\b",
        "Cultivar tomates: segunda parte",
    ),
    _rule(
        "ordinal word behind the part word",
        Strength.PART,
        rf"{_NO_LETTER}(?:{_PART_NOUNS})\s+(?:the\s+)?(?P<word>"
        rf"{'|'.join((*ORDINAL_WORDS, *NUMBER_WORDS))})\b",
        "Уход за розой. Часть вторая",
    ),
    _rule(
        "number in brackets",
        Strength.PART,
        # Right behind a word, `[0]` is an index unless the title ends or pauses after it.
        rf"(?<![\w\]])\[\s*{_ANY}{_OF}\s*\]"
        rf"|(?<=\w)\[\s*{_ANY.replace('<n>', '<n2>')}\s*\]{_END}"
        r"|[(【〔〖「『<]\s*(?:之|其|第|no\.?|#|(?:y|e|et|und|and)\s)?\s*"
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
        rf"{_OPEN}\s*(?P<half>[上中下前後后상중하])\s*[篇编編集部卷巻半]?\s*{_CLOSE}",
        "番茄的病害（上）",
    ),
    _rule(
        "half",
        Strength.PART,
        rf"(?P<half>[上中下前後后])[篇编編集卷巻](?!集)|(?P<half2>[전중후상하])편"
        rf"|(?<=\s)(?P<half3>[前後后])半{_END}|(?<=\s)(?P<half4>[上中下])\s*$",
        "トマトの病気 前編",
    ),
    _rule(
        "Korean counter",
        Strength.PART,
        rf"(?<![\d.])(?P<n>{_DIGITS})\s*(?:편|탄|부|장|강|화|회차?|주차|일차)(?![가-힣])",
        "토마토 키우기 3편 물주기",
    ),
    _rule(
        "제…장",
        Strength.PART,
        rf"제\s*(?P<n>{_DIGITS})\s*[장화회편부강권과]",
        "토마토 키우기 제3장 물주기",
    ),
    _rule(
        "번째",
        Strength.SIGN,
        rf"(?P<word>{'|'.join(KOREAN_ORDINALS)})(?:\s*번째|째)(?:\s*(?:이야기|글|날|주))?(?=\s*(?:$|[-:,.)]))",
        "토마토 키우기 두 번째 이야기",
    ),
    _rule(
        "circled number",
        Strength.PART,
        r"(?<=\S)\s*(?P<n>[⓪①-⑳⑴-⒇㈠-㈩])",
        "種番茄④ 澆水",
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
        "number before the count word",
        Strength.SIGN,
        rf"(?<![\w.])(?P<n>\d{{1,2}})(?:{_NTH})\s+(?:{_COUNT_NOUNS})\b",
        "La Loire en barque - 2e étape",
    ),
    _rule(
        "ordinal word behind the count word",
        Strength.SIGN,
        rf"{_NO_LETTER}(?:{_COUNT_NOUNS})\s+(?P<word>{'|'.join(ORDINAL_WORDS)})\b",
        "Байкал. День второй",
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
        r"(?<=[-_])(?<!\d{4}-)\s*(?P<n>\d{1,3})\s*(?=[-_:]|\.(?!\d))"
        r"|(?:(?<=_)|(?<=\s-)|(?<=--)|(?<=[぀-ヿ㐀-鿿가-힣]-))\s*(?P<n2>\d{1,3})\s*$"
        r"|(?<=[A-Za-z]-)(?P<n3>0\d{1,2})\s*$",
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
        rf"(?<![\d.第])(?P<n>{_DIGITS})\s*(?:日目|回目|週目|話目|章|話|巻)",
        "トマトを育てる 4日目",
    ),
    _rule(
        "behind a dot",
        Strength.SIGN,
        rf"(?<=[·•・])\s*{_N}{_END}",
        "种番茄·三：浇水",
    ),
    _rule(
        "D for day",
        Strength.SIGN,
        # `Trowel D3` is a model.
        r"(?<=\s)D(?P<n>\d{1,2})(?=\s*[:|])|(?<=[぀-ヿ㐀-鿿가-힣])D(?P<n2>\d{1,2})(?![\w.])",
        "番茄之旅 D3：浇水",
    ),
    _rule(
        "first day",
        Strength.SIGN,
        rf"(?<=\S)\s+(?P<word>{'|'.join(JAPANESE_FIRSTS)}){_END}",
        "トマト合宿 初日",
    ),
    _rule("Roman sign", Strength.SIGN, r"(?<=\S)(?P<n>[ⅠⅡⅢⅣⅤⅥⅦⅧⅨⅩⅪⅫ]{1,4})(?![A-Za-z])", "种番茄Ⅱ"),
    _rule(
        "Chinese numeral",
        Strength.SIGN,
        rf"(?<=[぀-ヿ㐀-鿿가-힣\s])(?P<n>{_HAN})\s*(?=$|[:、·|]|-|\s)",
        "种番茄笔记三：浇水",
    ),
    _rule("front number", Strength.SIGN, rf"^\s*{_N}\s*[-.、:)_·•・|]\s*(?=\D)", "03. Watering"),
    _rule(
        "bare number",
        Strength.BARE,
        rf"(?<![\d.,$€£A-Za-z_/#%-])(?P<n>\d{{1,3}})(?![\d%A-Za-z_]|[.,]\d|\s*{_QUANTITY})"
        r"(?=\s*(?:$|[-:~|,(\[【「]|[.、](?!\d))|\s)",
        "种番茄笔记 3 浇水",
    ),
)
"""Every form of number; the order does not matter, strength and place in the title do."""
