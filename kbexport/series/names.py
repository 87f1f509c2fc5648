"""Names of series: which spellings are the same, and which say enough to mean something."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

READ_LENGTH = 300
"""Titles are read up to here; the rest of a longer one cannot name a series."""

_SERIES_WORD = re.compile(
    r"(?:系列(?:文章|教程)?|连载|連載|シリーズ|시리즈|\bseries)\s*$", re.IGNORECASE
)
_KIND_MARK = re.compile(
    r"^\s*[(（\[【](?:原创|原創|转载?|轉載?|译|譯|翻译|翻譯|repost)[)）\]】]\s*", re.IGNORECASE
)
_WORD = re.compile(r"[a-z0-9à-ɏЀ-ӿ]+(?:[+#]+|[.'’][a-z0-9]+)*|[぀-ヿ㐀-鿿가-힣]+", re.IGNORECASE)
_VERSION = re.compile(r"v?\d+(?:\.\d+)*")
_CJK = re.compile(r"[぀-ヿ㐀-鿿가-힣]")

STOP_WORDS = frozenset(
    """
    a an and are as at be by can do does for from how i in into is it its more my not of on or our
    out some than that the this to use using via was we what when why will with you your about
    de la le les el los las un une una der die das und et y en con pour mit von zu
    """.split()
)
"""Words that say nothing about a subject."""

GENERIC_WORDS = frozenset(
    """
    series notes note tutorial guide intro introduction learning learn getting started start
    starting basics beginner advanced practice study blog post part update news tips review reading
    book books announcing announcement release released new first next last day week month year
    interview podcast talk talks video videos faq tip trick tricks quick howto til today link links
    quote weekly monthly daily recap thoughts reflections musings misc random snippet cheatsheet
    question questions answer answers q&a qa short opinion rant announcement project projects demo
    tool tools event events meetup conference slides publication paper papers article articles
    buchtipp rezension tipp tipps kurz lecture lectures livre livres astuce astuces actu bilan
    reseña reseñas libro libros consejo consejos truco trucos noticias resumen книга книги обзор
    заметки заметка итоги новости recensie recensione libri
    系列 入门 入門 笔记 筆記 学习 學習 教程 指南 实战 實戰 基础 基礎 进阶 進階 总结 總結 连载 連載
    读书 讀書 阅读 閱讀 随笔 隨筆 日记 日記 周报 週報 月报 浅谈 淺談 详解 詳解 初探 分享 介绍 介紹
    使用 记录 紀錄 踩坑 问题 問題 解决 解決 技巧 心得 面试 面試 推荐 推薦 翻译 翻譯 工具 杂谈 雜談
    シリーズ 再入門 解説 紹介 시리즈 정리 입문 공부
    """.split()
)
"""Words that many blogs put into any name."""

_GENERIC_CJK = re.compile(
    "|".join(sorted((w for w in GENERIC_WORDS if _CJK.search(w)), key=len, reverse=True))
)


def fold(text: str) -> str:
    """Make width and brackets plain, one character for one, so that positions stay true."""
    return "".join(_fold_sign(sign) for sign in text[:READ_LENGTH])


_CIRCLED = frozenset("⓪①②③④⑤⑥⑦⑧⑨⑩⑪⑫⑬⑭⑮⑯⑰⑱⑲⑳")
"""Says more than a plain number."""


@lru_cache(maxsize=8192)
def _fold_sign(sign: str) -> str:
    plain = unicodedata.normalize("NFKC", sign)
    if len(plain) != 1 or sign in _CIRCLED:
        return sign
    return {"〜": "~", "〈": "<", "〉": ">", "—": "-", "–": "-", "―": "-", "─": "-", "‐": "-"}.get(
        plain, plain
    )


_FRAYED_START = re.compile(
    r"""^(?: [\s\-–—―─~～〜:：,，、|｜/·•・_=；;。!！)\]）】」』>》…]+
           | \.+(?![A-Za-z0-9])              # but .NET keeps its dot
        )""",
    re.VERBOSE,
)
_FRAYED_END = re.compile(
    r"""(?: [\s\-–—―─~～〜:：,，、|｜/·•・_=(\[【（「『<《＜〈〔]+
           | (?<=\s)\# | (?<=\w\w\w)\. | (?<=\S)[之の]+ )$""",
    re.VERBOSE,
)


@lru_cache(maxsize=65536)
def tidy(name: str) -> str:
    """Show a name without dangling separators, brackets that are left open, and kind marks."""
    name = _KIND_MARK.sub("", " ".join(name[:READ_LENGTH].split()))
    previous = None
    while name != previous:
        previous = name
        name = _close(_FRAYED_END.sub("", _FRAYED_START.sub("", name)))
    return name


def _close(name: str) -> str:
    """Drop a closing bracket that nothing opened."""
    for opening, closing in ("()", "（）", "[]", "【】"):
        if name.endswith(closing) and name.count(closing) > name.count(opening):
            return name[:-1]
    return name


@lru_cache(maxsize=65536)
def key_of(name: str) -> str:
    """Reduce a name to what its spellings share: no case, width, space, sign or 系列."""
    plain = unicodedata.normalize("NFKC", name).casefold()
    bare = _SERIES_WORD.sub("", plain.strip())
    return "".join(sign for sign in (bare or plain) if sign.isalnum() or sign in "+#")


@lru_cache(maxsize=65536)
def words_of(name: str) -> tuple[str, ...]:
    """Words of the name in lower case; a run of Han, kana or Hangul is one word."""
    plain = unicodedata.normalize("NFKC", name[:READ_LENGTH]).casefold()
    return tuple(_WORD.findall(plain))


@lru_cache(maxsize=65536)
def tokens_of(name: str) -> frozenset[str]:
    """Telling pieces of a name: Latin words, and pairs of neighbouring CJK characters."""
    found: set[str] = set()
    for word in words_of(name):
        if not _CJK.match(word):
            if word not in STOP_WORDS and word not in GENERIC_WORDS:
                found.add(_stem(word))
            continue
        for run in _GENERIC_CJK.split(word):
            found.update(run[i : i + 2] for i in range(len(run) - 1))
            if len(run) == 1:
                found.add(run)
    return frozenset(found)


def _stem(word: str) -> str:
    """`threads` and `thread`, `parsing` and `pars` meet; crude is enough here."""
    for ending in ("ing", "es", "s"):
        if word.endswith(ending) and len(word) - len(ending) >= 4:
            return word[: -len(ending)]
    return word


@lru_cache(maxsize=65536)
def loose_key(name: str) -> str:
    """Reduce a name to its telling tokens: 入门系列 and 系列, `and X` and `for X` meet here."""
    return " ".join(sorted(tokens_of(name)))


@lru_cache(maxsize=65536)
def weight(name: str) -> float:
    """How much a name says: a Latin word counts 2, a CJK character 1."""
    total = 0.0
    for word in words_of(name):
        if _CJK.match(word):
            total += len(_GENERIC_CJK.sub("", word)) + 0.25 * sum(
                map(len, _GENERIC_CJK.findall(word))
            )
        elif word not in STOP_WORDS and not _VERSION.fullmatch(word):
            total += 0.5 if word in GENERIC_WORDS else (2 if len(word) > 1 else 1)
    return total


def shared_words(name: str, shared: frozenset[str]) -> list[str]:
    """Spell out for people which words of ``name`` the ``shared`` tokens stand for."""
    spelled: list[str] = []
    for word in words_of(name):
        if not _CJK.match(word):
            spelled.extend([word] if _stem(word) in shared else [])
            continue
        run = ""
        for pair in (word[i : i + 2] for i in range(len(word))):
            if pair in shared:
                run = run + pair[1:] if run else pair
            elif run:
                spelled.append(run)
                run = ""
    return spelled
