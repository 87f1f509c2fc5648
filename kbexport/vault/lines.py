r"""Three texts into one, line by line: what the source changed, around what the user wrote.

The rules are those of `reexport.md`, section 5, `merge_text`. Lines are cut at ``\n`` only, so
that U+2028 and a form feed stay text, and compared by their form: a formatter that pads a table,
and an app that puts bullets before paragraphs, changed nothing that a merge should stumble over.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile

from rapidfuzz.distance import LCSseq

from kbexport.content.lines import indent_of

_MOST_CELLS = 1_000_000_000
"""The matcher needs a bit for each pair of lines; beyond this the middle counts as one piece."""
_BLANK = 0
"""The number of a line that is empty."""
_BULLET = re.compile(r"^\s*(?:[-*+]\s+)*")
_RULE = re.compile(r"\s*(?:[-*_]\s*){3,}")
_EMPHASIS = re.compile(r"(?<!\w)_+(?=\S)|(?<=\S)_+(?!\w)")
"""Signs of emphasis; inside a word, as in `a_b`, an underscore is a letter of it."""
_CELL = re.compile(r"\s*\|\s*")


@dataclass(frozen=True, slots=True)
class MergedText:
    """What became of three texts."""

    text: str
    conflicts: tuple[int, ...] = ()
    """Lines of the text, from 1, at which the user's words stand against the source's."""
    kept: tuple[int, ...] = ()
    """Lines at which the user had changed the navigation, which stays as they want it."""


class _Gap(str):
    """Stands before each bullet of an outline, as an empty line does between two paragraphs.

    Without it a bullet that the user changed beside one that the source changed would be one
    change of both.
    """

    __slots__ = ()


_GAP = _Gap()
_ITEM = re.compile(r"\s*-(?:\s|$)")


def merge_text(
    base: str,
    mine: str,
    theirs: str,
    navigation: frozenset[int] = frozenset(),
    *,
    outline: bool = False,
) -> MergedText:
    """Merge the source's change from ``base`` to ``theirs`` into the user's text ``mine``.

    ``navigation`` holds the places of those lines of ``base``, from 0, that are links to the
    neighbours; there the user is never asked. ``outline`` says that each block is a bullet.
    """
    if mine in (base, theirs):
        return MergedText(theirs)
    if theirs == base:
        return MergedText(mine)
    texts = [_cut(text, outline=outline) for text in (base, mine, theirs)]
    keys = _numbered([[form(line) for line in lines] for lines, _ in texts])
    (b, _), (o, ends), (t, _) = texts
    crlf = "\r" if 2 * mine.count("\r\n") > mine.count("\n") else ""
    news = [line if line is _GAP else line.removesuffix("\r") + crlf for line in t]
    rows = [i for i, line in enumerate(b) if line is not _GAP]
    never = {rows[place] for place in navigation if place < len(rows)}
    merged: list[str] = []
    conflicts: list[int] = []
    kept: list[int] = []
    for piece in _pieces(*keys):
        result = piece.merged(b, o, t, news, keys)
        if result is None:
            ours = {i for i in range(*piece.base.indices(len(b))) if b[i].strip()}
            (kept if ours and ours <= never else conflicts).append(len(merged) + 1)
            result = o[piece.mine]
        merged.extend(line for line in result if line is not _GAP)
    end = ends if ends != texts[0][1] else texts[2][1]
    return MergedText(
        "\n".join(merged) + ("\n" if end and merged else ""), *map(tuple, (conflicts, kept))
    )


def form(line: str) -> str:
    """What a line says, whatever bullets, padding, escapes and emphasis signs say it with."""
    plain = line.strip()
    if _RULE.fullmatch(plain):
        return "---"
    row = _BULLET.sub("", plain, count=1)
    if row.startswith("|"):
        cells = _CELL.sub("|", row)
        return re.sub(r"-+", "-", cells) if not re.search(r"[^\s|:-]", cells) else cells
    bare = re.sub(r"\\(?=[!-/:-@\[-`{-~])", "", _BULLET.sub("", plain, count=1))
    return _EMPHASIS.sub(lambda run: "*" * len(run[0]), bare) or plain


def _cut(text: str, *, outline: bool) -> tuple[list[str], bool]:
    """The lines without their ends, and whether the last one has an end."""
    lines = text.split("\n")
    ends = lines[-1] == ""
    lines = lines[:-1] if ends else lines
    if outline:
        lines = [part for line in lines for part in ([_GAP] if _ITEM.match(line) else []) + [line]]
    return lines, ends


def _numbered(texts: Sequence[Sequence[str]]) -> list[list[int]]:
    """Numbers for lines, equal for equal ones: the matcher compares hashes, and these are exact."""
    numbers: dict[str, int] = {"": _BLANK}
    return [[numbers.setdefault(line, len(numbers)) for line in lines] for lines in texts]


@dataclass(frozen=True, slots=True)
class _Piece:
    """Lines of the three texts between two anchors, or the lines of one anchor."""

    base: slice
    mine: slice
    theirs: slice

    def merged(
        self,
        b: Sequence[str],
        o: Sequence[str],
        t: Sequence[str],
        news: Sequence[str],
        keys: Sequence[Sequence[int]],
    ) -> Sequence[str] | None:
        """The lines of the result; None where both changed them.

        ``b``, ``o`` and ``t`` are the lines of base, user and source, ``news`` those of the source
        with the user's line ends, ``keys`` the numbers of all three.
        """
        kb, ko, kt = keys[0][self.base], keys[1][self.mine], keys[2][self.theirs]
        if ko == kb == kt:
            own = [line.removesuffix("\r") for line in o[self.mine]]
            silent = b[self.base] == t[self.theirs] or b[self.base] != own
            return o[self.mine] if silent else news[self.theirs]
        if ko == kb:
            return news[self.theirs]
        if kt in (kb, ko):
            return o[self.mine]
        return _around(o[self.mine], news[self.theirs], (kb, ko, kt))


def _around(
    own: Sequence[str],
    news: Sequence[str],
    keys: tuple[Sequence[int], Sequence[int], Sequence[int]],
) -> Sequence[str] | None:
    """The lines of user and source where both changed something; None where it is one thing."""
    kb, ko, _ = keys
    words = [[key for key in each if key != _BLANK] for each in keys]
    if words[0] == words[1] != []:
        # Only blank lines went, as Logseq has it, or came; then the news goes without them.
        bare = len(words[1]) == len(ko)
        return [line for line in news if line.strip() or not bare]
    if words[0] == words[2]:
        return own
    if not kb:
        below = _below(own, news)
        return [*own[:below], *news, *own[below:]]
    # The user only added before, behind or around what the source changed.
    places = range(len(ko) - len(kb) + 1)
    place = next((i for i in places if ko[i : i + len(kb)] == kb), None)
    return None if place is None else [*own[:place], *news, *own[place + len(kb) :]]


def _below(own: Sequence[str], news: Sequence[str]) -> int:
    """How many of the user's lines belong to the line above both: they are deeper than the news.

    In an outline they would otherwise hang from what the source has added.
    """
    depth = min((indent_of(line) for line in news if line.strip()), default=0)

    def is_deeper(line: str) -> bool:
        return line is _GAP or (bool(line.strip()) and indent_of(line) > depth)

    return sum(1 for _ in takewhile(is_deeper, own))


def _pieces(b: Sequence[int], o: Sequence[int], t: Sequence[int]) -> Iterator[_Piece]:
    """Cut the three texts at the lines of the base that both others still have."""
    mine, theirs = _matches(b, o), _matches(b, t)
    anchors = [(i, mine[i], theirs[i]) for i in sorted(mine.keys() & theirs.keys())]
    i = j = k = 0
    for anchor in (*anchors, (len(b), len(o), len(t))):
        if (i, j, k) != anchor:
            yield _Piece(*map(slice, (i, j, k), anchor))
        i, j, k = (place + 1 for place in anchor)
        if anchor[0] < len(b):
            yield _Piece(*(slice(place, place + 1) for place in anchor))


def _matches(a: Sequence[int], b: Sequence[int]) -> dict[int, int]:
    """A longest common subsequence: place in ``a`` -> place in ``b``."""
    head = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(a, b, strict=False)))
    ends = zip(reversed(a[head:]), reversed(b[head:]), strict=False)
    tail = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], ends))
    found = {i: i for i in range(head)}
    found |= {len(a) - i: len(b) - i for i in range(1, tail + 1)}
    middle = a[head : len(a) - tail], b[head : len(b) - tail]
    if len(middle[0]) * len(middle[1]) <= _MOST_CELLS:
        for step in LCSseq.opcodes(*middle):
            if step.tag == "equal":
                pairs = zip(
                    range(step.src_start, step.src_end),
                    range(step.dest_start, step.dest_end),
                    strict=True,
                )
                found |= {head + i: head + j for i, j in pairs}
    return found
