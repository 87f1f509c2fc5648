"""Series without numbers: titles that share a specific subject in front of a separator."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from rapidfuzz import fuzz

from kbexport.series.draft import Draft, Entry, Group, Member
from kbexport.series.extras import extras
from kbexport.series.lookalikes import is_format
from kbexport.series.names import fold, key_of, tidy, tokens_of, weight
from kbexport.series.numbered import COUNTED_NOUN, usual_name

_MAX_PARTS = 15
_MAX_LINKED = 60
"""More posts than this under one head are a column."""
_PAIR_DAYS = 60.0
_UNTAGGED_PAIR_DAYS = 30.0
"""Two titles that share no tag must follow one another sooner."""
_SPECIFIC = 6.0
_LONG = 9.0
_LONG_PAIR_DAYS = 200.0
"""Two parts of a long name may lie further apart."""
_MEDIAN_DAYS = 120.0
_PAIR_WEIGHT = 4.0
_WEIGHT = 2.5
"""Three parts confirm a shorter name than two."""
_MARKED_WEIGHT = 2.0
"""入门篇 and 实战篇 confirm one another whatever the name."""
_TAIL_WEIGHT = 4.0
"""`Watering | Growing Tomatoes`: the name of a blog stands there as well."""
_FAMILY = 3
_NEVER = float("inf")
_PAIR = 2
_ALIKE = 85.0


@dataclass(frozen=True, slots=True)
class Head:
    """A title split at a separator."""

    entry: Entry
    name: str
    part: str
    marked: bool = False
    linked: bool = False
    """Whether 之 stands between name and part."""
    tail: bool = False
    """Whether the name stands at the end of the title."""


def find_unnumbered(draft: Draft) -> Draft:
    """Group free entries whose titles share a specific head within a short time."""
    by_key: dict[str, list[Head]] = defaultdict(list)
    for entry in draft.free:
        for key, head in heads_of(entry).items():
            by_key[key].append(head)
    framed = {key_of(x.name) for e in draft.free for x in e.extras if x.frames}
    seen = Counter(token for entry in draft.entries for token in tokens_of(entry.title))
    taken: set[str] = set()
    found: list[Group] = []
    # The head that most titles share first; among equals the longest, which says most.
    for key, heads in sorted(
        by_key.items(), key=lambda item: (-len(item[1]), -len(item[0]), item[0])
    ):
        left = [head for head in heads if head.entry.uid not in taken]
        if left and left[0].tail and 2 * len(left) > len(draft.entries):
            continue  # what stands behind every title is the blog's name
        if left and not objection(left, seen, framed=key in framed):
            taken.update(head.entry.uid for head in left)
            found.append(_group(left))
    return _join_variants(draft.settle([*draft.groups, *found]))


def join_halves(draft: Draft) -> Draft:
    """Let the halves of one part, `X 之 Y（上）` and `（下）`, join the other parts of X."""
    families = {
        key_of(group.name): place
        for place, group in enumerate(draft.groups)
        if not group.ordinals and len(group.members) >= _FAMILY
    }
    groups: list[Group | None] = list(draft.groups)
    for place, group in enumerate(draft.groups):
        home = next((families[key] for key in _heads_of(group) if key in families), None)
        family = None if home is None else groups[home]
        if home is not None and family is not None:
            members = [replace(m, ordinal=None, part=m.entry.title) for m in group.members]
            groups[home], groups[place] = family.joined_by(members), None
    return draft.settle([group for group in groups if group is not None])


def _heads_of(group: Group) -> list[str]:
    """What stands before a separator in the name of a group of halves, or before 之."""
    heads = [x for x in extras(group.name) if x.separated and not x.tail]
    if group.ordinals in ((1, 2), (1, 2, 3)) and all(m.half for m in group.members):
        return [key_of(head.name) for head in heads]
    return [key_of(head.name) for head in heads if head.linked]


def heads_of(entry: Entry) -> dict[str, Head]:
    """The names that a title may have before or behind a separator, by their keys."""
    found: dict[str, Head] = {}
    for extra in entry.extras:
        if extra.separated and not extra.tail and extra.part:
            head = Head(entry, extra.name, extra.part, extra.marked, extra.linked)
            found.setdefault(key_of(extra.name), head)
    for extra in entry.extras:
        if extra.tail and extra.part and _stands_apart(entry.title, extra.name):
            head = Head(entry, extra.name, extra.part, tail=True)
            found.setdefault(f"…{key_of(extra.name)}", head)
    return found


def _stands_apart(title: str, name: str) -> bool:
    """Whether a dash or a bar stands before the name at the end; a bracket holds a remark."""
    return title.endswith(name) and fold(title[: -len(name)]).rstrip()[-1:] in ("-", "|", "~")


def objection(heads: Sequence[Head], seen: Counter[str], *, framed: bool) -> str:
    """What speaks against the titles that share a head as one series; empty where nothing does.

    ``seen`` counts the words of all titles; ``framed`` says that an overview of the head exists.
    """
    if len(heads) < 2 or len({key_of(head.part) for head in heads}) < 2:
        return "no other title has it"
    return _objection_to_name(heads) or _objection_to_dates(heads, seen, framed=framed)


def _objection_to_name(heads: Sequence[Head]) -> str:
    name, size = heads[0].name, len(heads)
    if is_format(name):
        return "it names an occasion or a kind of post"
    if size > (_MAX_LINKED if all(head.linked for head in heads) else _MAX_PARTS):
        return f"{size} titles have it, as those of a column do"
    if not tokens_of(name) or weight(name) < _needed(heads):
        return f"it says too little for {size} titles without numbers"
    return ""


def _objection_to_dates(heads: Sequence[Head], seen: Counter[str], *, framed: bool) -> str:
    name = heads[0].name
    # A table of contents says as much as the dates could, and as rare words.
    if framed and weight(name) >= _PAIR_WEIGHT:
        return ""
    # Specific: long, or at least one of its words hardly occurs in titles outside of it.
    if weight(name) < _LONG and min(seen[token] for token in tokens_of(name)) > 2 * len(heads) + 1:
        return "its words are common in this blog"
    return "" if _soon_enough(heads, name) else "the dates lie too far apart"


def _needed(heads: Sequence[Head]) -> float:
    """How much a head has to say to be the name of a series."""
    size = len(heads)
    if heads[0].tail:
        return _TAIL_WEIGHT if size > _PAIR else _NEVER
    if all(head.marked for head in heads) or (size > _PAIR and all(h.linked for h in heads)):
        return _MARKED_WEIGHT
    if COUNTED_NOUN.search(heads[0].name):
        return _MARKED_WEIGHT
    return _PAIR_WEIGHT if size == _PAIR else _WEIGHT


def _soon_enough(heads: Sequence[Head], name: str) -> bool:
    """Tell a series, written in one go, from a column, which runs on for years."""
    days = sorted(head.entry.day for head in heads if head.entry.day is not None)
    if len(days) < 2:
        return True
    steps = sorted(b - a for a, b in pairwise(days))
    if len(days) == 2:
        if weight(name) >= _LONG:
            return steps[0] <= _LONG_PAIR_DAYS
        one, other = (head.entry.labels for head in heads if head.entry.day is not None)
        return steps[0] <= (_PAIR_DAYS if one & other else _UNTAGGED_PAIR_DAYS)
    usual = steps[(len(steps) - 1) // 2] if weight(name) >= _SPECIFIC else steps[len(steps) // 2]
    rest = _LONG_PAIR_DAYS if weight(name) >= _SPECIFIC else _PAIR_DAYS
    return usual <= _MEDIAN_DAYS and days[-1] - days[0] <= rest * len(days)


def _group(heads: Sequence[Head]) -> Group:
    name = usual_name([head.name for head in heads])
    does = "end" if heads[0].tail else "begin"
    why = f"{len(heads)} titles {does} with “{name}” and a separator"
    members = tuple(Member(head.entry, head.name, None, head.part, why) for head in heads)
    return Group(members, name)


def _join_variants(draft: Draft) -> Draft:
    """Take in titles that begin nearly like an unnumbered series: a word of its name is missing."""
    groups = list(draft.groups)
    by_last_word: dict[str, list[int]] = defaultdict(list)
    for place, group in enumerate(groups):
        words = _words(group.name)
        if not group.ordinals and words and weight(group.name) >= _PAIR_WEIGHT:
            by_last_word[words[-1].group().casefold()].append(place)
    for entry in draft.free:
        fit = next(_nearly_called(entry, groups, by_last_word), None)
        if fit is not None:
            groups[fit[0]] = groups[fit[0]].joined_by([fit[1]])
    return draft.settle(groups)


_WORD = re.compile(r"[A-Za-z0-9.+#]*[A-Za-z0-9+#]|[぀-ヿ㐀-鿿가-힣]+")
_MAX_WORDS = 12


def _words(title: str) -> list[re.Match[str]]:
    return list(_WORD.finditer(fold(title)))


def _nearly_called(
    entry: Entry, groups: Sequence[Group], by_last_word: dict[str, list[int]]
) -> Iterator[tuple[int, Member]]:
    for word in _words(entry.title)[1:_MAX_WORDS]:
        head, rest = entry.title[: word.end()], entry.title[word.end() :]
        for place in by_last_word.get(word.group().casefold(), ()):
            name = groups[place].name
            if rest.strip() and fuzz.ratio(key_of(head), key_of(name)) >= _ALIKE:
                why = f"the title begins nearly like “{name}”"
                yield place, Member(entry, "", None, tidy(rest), why)
