"""Numbers as people write them in titles: 12, １２, 十二, 廿一, XII, twelve."""

from __future__ import annotations

import re
import unicodedata

MAX_VALUE = 9999
"""A larger number is no ordinal of anything; it also keeps hostile input cheap."""

_MAX_LENGTH = 24

_CHINESE_DIGITS = {
    **dict(zip("零一二三四五六七八九", range(10), strict=True)),
    **dict(zip("〇壹贰叁肆伍陆柒捌玖", range(10), strict=True)),
    "两": 2,
    "兩": 2,
    "貳": 2,
    "壱": 1,
    "弐": 2,
    "参": 3,
    "參": 3,
    "陸": 6,
}
_CHINESE_UNITS = {"十": 10, "拾": 10, "百": 100, "佰": 100, "千": 1000, "仟": 1000}
_CHINESE_TENS = {"廿": 20, "卄": 20, "卅": 30, "卌": 40}
CHINESE_SIGNS = "".join((*_CHINESE_DIGITS, *_CHINESE_UNITS, *_CHINESE_TENS))
"""Every character a Chinese numeral may hold, for use in a character class."""

_ROMAN = re.compile(r"(?=[IVXLCDM])(M{0,3})(CM|CD|D?C{0,3})(XC|XL|L?X{0,3})(IX|IV|V?I{0,3})")
_ROMAN_VALUES = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100, "D": 500, "M": 1000}

_SMALL_WORDS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
    "fifteen sixteen seventeen eighteen nineteen"
).split()
_TEN_WORDS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_ENGLISH = {
    **{word: value for value, word in enumerate(_SMALL_WORDS)},
    **{word: 20 + 10 * n for n, word in enumerate(_TEN_WORDS)},
}


def parse_numeral(text: str) -> int | None:
    """The number that ``text`` as a whole writes, or None.

    Arabic digits of any width or script, Chinese, Roman (``IV``, ``iv``, ``Ⅳ``) and English words.
    A value beyond ``MAX_VALUE`` is None.
    """
    if len(text) > _MAX_LENGTH:
        return None
    plain = unicodedata.normalize("NFKC", text).strip()
    if len(text.strip()) == 1:  # ㈠ and ⑴ bring their brackets
        plain = plain.strip("()")
    if not plain or len(plain) > _MAX_LENGTH:
        return None
    for read in (_arabic, _chinese, _roman, _english):
        value = read(plain)
        if value is not None:
            return value if value <= MAX_VALUE else None
    return None


def _arabic(text: str) -> int | None:
    return int(text) if text.isdecimal() else None


def _chinese(text: str) -> int | None:
    if any(sign not in CHINESE_SIGNS for sign in text):
        return None
    if all(sign in _CHINESE_DIGITS for sign in text):
        # 二〇二一 and 一二 name their digits; 二 is simply one digit.
        return int("".join(str(_CHINESE_DIGITS[sign]) for sign in text))
    total = 0
    digit: int | None = None
    last_unit = MAX_VALUE + 1
    for sign in text:
        if sign in _CHINESE_DIGITS:
            if digit:  # 二三十 is no number
                return None
            digit = _CHINESE_DIGITS[sign]
            continue
        unit = _CHINESE_UNITS.get(sign, 10)
        if unit >= last_unit or (sign in _CHINESE_TENS and digit):
            return None
        total += _CHINESE_TENS.get(sign, unit * (1 if digit is None else digit))
        digit, last_unit = None, unit
    return total + (digit or 0)


def _roman(text: str) -> int | None:
    if text not in (text.upper(), text.lower()) or not _ROMAN.fullmatch(text.upper()):
        return None
    total = 0
    previous = 0
    for value in (_ROMAN_VALUES[sign] for sign in reversed(text.upper())):
        total += value if value >= previous else -value
        previous = max(previous, value)
    return total


def _english(text: str) -> int | None:
    words = re.split(r"[\s-]+", text.casefold())
    values = [_ENGLISH.get(word) for word in words]
    match values:
        case [int(value)]:
            return value
        case [int(tens), int(ones)] if tens >= 20 and 1 <= ones <= 9:
            return tens + ones
        case _:
            return None
