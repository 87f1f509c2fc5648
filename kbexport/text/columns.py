"""The column of a title: the name in brackets that some blogs put in front."""

from __future__ import annotations

import re

from kbexport.text.numerals import parse_numeral

_MAX_LENGTH = 30
"""Longer brackets are part of the sentence, not the name of a column."""

# Only square kinds of brackets: 「…」, 《…》 and （…） quote a word or name a book.
_PREFIX = re.compile(
    r"""\s*(?:
        \[(?P<ascii>[^\[\]【】\n]+)\]      # [Notes] Title
      | ［(?P<wide>[^［］\n]+)］
      | 【(?P<lens>[^【】\n]+)】
      | 〖(?P<hollow>[^〖〗\n]+)〗
      | 〔(?P<shell>[^〔〕\n]+)〕
    )\s*""",
    re.VERBOSE,
)
# [C] is a language, although C is also a hundred.
_LATIN_LETTER = re.compile(r"[A-Za-z]")
_NUMBERED = re.compile(
    r"""(?:part|pt\.?|vol\.?|no\.?|ep\.?|day|week|month|chapter|lesson|step|issue|teil|parte|partie
        |连载|連載|其|之|その|第|\#)\s*(?P<number>[^\s篇章节節回讲講弹弾天期话話课課集部周週季日]+)\s*
        (?:[篇章节節回讲講弹弾天期话話课課集部周週季日].*)?""",
    re.VERBOSE | re.IGNORECASE,
)


def split_column(title: str) -> tuple[str | None, str]:
    """Split ``title`` into its column and the rest: ``[Notes] X`` is ``("Notes", "X")``.

    A number in brackets (``[1]``, ``[Part 2]``), a wiki-link, and a title that is nothing but a
    bracket have no column; then the rest is the title without outer white space.
    """
    whole = title.strip() or title
    match = _PREFIX.match(title)
    if match is None:
        return None, whole
    column = next(group for group in match.groups() if group is not None).strip()
    rest = title[match.end() :].strip()
    # `[text](address)` is a Markdown link, `[0]` and `[Part 2]` are numbers.
    is_link = title[match.end() - 1] == "]" and rest.startswith("(")
    if not column or not rest or len(column) > _MAX_LENGTH or is_link or _is_number(column):
        return None, whole
    return column, rest


def _is_number(text: str) -> bool:
    if not any(sign.isalpha() for sign in text):
        return True
    if parse_numeral(text) is not None and not _LATIN_LETTER.fullmatch(text):
        return True
    numbered = _NUMBERED.fullmatch(text)
    return numbered is not None and parse_numeral(numbered["number"]) is not None
