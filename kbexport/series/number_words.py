"""Numbers that titles spell in words: halves, ordinals and counts in several languages."""

from __future__ import annotations

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


_SPELLED = {
    1: "first primera primeira prima première erster erste eerste första pierwsza первая первый",
    2: "second segunda seconda deuxième seconde zweiter zweite tweede andra druga вторая второй",
    3: "third tercera terceira terza troisième dritter dritte derde tredje trzecia третья третий",
    4: "fourth cuarta quarta quatrième vierter vierte vierde fjärde czwarta четвёртая четвертая",
    5: "fifth quinta cinquième fünfter fünfte vijfde femte piąta пятая",
    6: "sixth sexta sesta sixième sechster sechste zesde szósta шестая",
}
ORDINAL_WORDS = {word: value for value, words in _SPELLED.items() for word in words.split()}
"""Ordinals in words, which stand before a word for part, or behind it: `часть первая`."""
_COUNTED = {
    1: "uno uma eins un één",
    2: "dos dois due zwei deux twee två dwa два",
    3: "tres três tre trois drei drie trzy три",
    4: "cuatro quatro quattro quatre vier cztery четыре",
    5: "cinco cinque cinq fünf vijf pięć пять",
}
NUMBER_WORDS = {word: value for value, words in _COUNTED.items() for word in words.split()}
"""Numbers in words, which stand behind a word for part: `Teil zwei`."""
KOREAN_ORDINALS = {
    **{word: n for n, word in enumerate("첫 두 세 네 다섯 여섯 일곱 여덟".split(), 1)},
    **{word: n for n, word in enumerate("둘 셋 넷".split(), 2)},
}
JAPANESE_FIRSTS = {"初日": 1, "初回": 1}
WORDS = {**ORDINAL_WORDS, **NUMBER_WORDS, **KOREAN_ORDINALS, **JAPANESE_FIRSTS}
"""Every number in words that a rule may find."""
