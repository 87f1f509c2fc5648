"""Numbers that look like those of parts and count something else."""

from __future__ import annotations

import re

_BEFORE_VERSION = re.compile(
    r"""\b(?:alpha|beta|rc|ctp|preview|build|version|ver\.?|v|release|release\s+candidate
        |service\s+pack|sp|patch|milestone|gen|generation|api|level|sdk|update
        |bug|pr|ticket|pull\s+request|gh|cve|rfc|pep)\s*[-#.]?$
      | (?:版本|バージョン|버전)\s*$""",
    re.VERBOSE | re.IGNORECASE,
)
_BEHIND_VERSION = re.compile(
    r"""^\s*(?:
        (?:alpha|beta|rc\d*|ctp|preview|release[ds]?|released|announced?|launch(?:ed|es)?
          |(?:is|are)\s+(?:out|here|released|available|coming)|now\s+available|available\s+now
          |out\s+now|has\s+arrived|goes\s+(?:live|gold)|vs\.?|support|upgrade|migration
          |veröffentlicht|erschienen|disponible|publi(?:é|cad[oa])|lanzad[oa]|lançad[oa]|est\s+sorti
          |rilasciat[oa]|вышла?|релиз|выпущен|uitgebracht|wydan[ya])\b
      | (?:正式)?(?:发布|發布|發佈|正式版|测试版|測試版|新特性|新功能|升级|升級
          |リリース|の新機能|출시|릴리스|릴리즈))""",
    re.VERBOSE | re.IGNORECASE,
)


def is_release(before: str, after: str) -> bool:
    """Whether the words around a number say that it counts versions."""
    return bool(_BEFORE_VERSION.search(before) or _BEHIND_VERSION.match(after))


_PROBLEM_SET = re.compile(
    r"(?:leetcode|lintcode|力扣|hackerrank|codewars|kata|project\s*euler|codeforces|cf|atcoder|abc|arc|agc"
    r"|topcoder|kattis|spoj|uva|poj|hdu|zoj|hoj|aoj|usaco|pat|acwing|luogu|洛谷|牛客|剑指\s*offer|蓝桥杯"
    r"|백준|boj|baekjoon|프로그래머스|programmers|swea)(?:\s*(?:题解|題解|刷题|problems?|p))?",
    re.IGNORECASE,
)


def is_problem_set(name: str) -> bool:
    """Whether a name is that of a collection of problems, whose numbers are its own."""
    return _PROBLEM_SET.fullmatch(name.strip()) is not None


_EVENT = re.compile(
    r"conf(?:erence)?\b|\b(?:summit|expo|congress|meetup|hackathon)\b|大会|峰会|展会"
    r"|カンファレンス|컨퍼런스",
    re.IGNORECASE,
)


def is_event(name: str) -> bool:
    """Whether a name is that of a conference, whose days are no parts of a text."""
    return _EVENT.search(name) is not None


_YEAR_LAST = re.compile(r"\b(?:19|20)\d\d年?\s*$")
_FORMAT = re.compile(
    r"\b(?:podcasts?|interviews?|entrevistas?|entretiens?|interviste?|off-?topic|colunas?|columnas?"
    r"|kolumne|keynotes?|screencasts?|webinars?)\b|インタビュー|专访|訪談|访谈|인터뷰|интервью",
    re.IGNORECASE,
)


def is_format(name: str) -> bool:
    """Whether a head without numbers names an occasion or a kind of post, not a subject."""
    return any(p.search(name) is not None for p in (_EVENT, _YEAR_LAST, _FORMAT))
