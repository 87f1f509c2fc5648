"""Series whose titles carry the name and a number."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

from kbexport.series.draft import Draft, Entry, Group, Member
from kbexport.series.names import key_of, weight
from kbexport.series.rules import Strength
from kbexport.series.statements import IN_TEXT
from kbexport.series.titles import Candidate

Pick = tuple[Entry, Candidate]

_BARE_WEIGHT = 3
_BEHIND_WEIGHT = 4
COUNTED_NOUN = re.compile(
    r"(?:\b(?:newsletter|diary|journal|logbook|devlog|notes|tutorial|lesson|digest|roundup)"
    r"|笔记|筆記|手记|手記|日记|日記|周刊|週刊|周报|週報|月刊|月报|教程|入门|入門|讲义|系列|연재|일기|일지|시리즈)$",
    re.IGNORECASE,
)
"""A name that ends so is of something that is numbered, wherever the count begins."""
_LONG_COUNT = 4
_MOSTLY = 0.7
_QUICK_DAYS = 45.0
"""Half of the parts that a reader comes upon in the middle of a count follow this soon."""
_MAX_BARE = 60
"""A bare number beyond this is a quantity or a version."""


def find_numbered(draft: Draft) -> Draft:
    """Group free entries whose titles share a name, where their numbers confirm each other."""
    titles = frozenset(key_of(entry.title) for entry in draft.free)
    picks = {entry.uid: [c for c in entry.readings if c.key] for entry in draft.free}
    allowed = {candidate.key for readings in picks.values() for candidate in readings}
    # A candidate may hold only until its neighbours choose another reading, so settle in rounds;
    # each round can only take keys away.
    while True:
        groups = _choose(draft.free, picks, allowed, titles)
        lost = {key for key, members in groups.items() if not confirmed(members, titles)}
        if not lost:
            break
        allowed -= lost
    found = [make_group(members) for _, members in sorted(groups.items())]
    return draft.settle([*draft.groups, *found])


def _choose(
    entries: Iterable[Entry],
    picks: Mapping[str, list[Candidate]],
    allowed: set[str],
    titles: frozenset[str],
) -> dict[str, list[Pick]]:
    every: dict[str, list[Pick]] = defaultdict(list)
    numbers: dict[str, set[int | None]] = defaultdict(set)
    for entry in entries:
        seen: set[str] = set()
        for candidate in picks[entry.uid]:
            if candidate.key in allowed:
                every[candidate.key].append((entry, candidate))
                # Of two readings with one name the clearer one, which is the first, will count.
                if candidate.key not in seen:
                    numbers[candidate.key].add(candidate.ordinal)
                seen.add(candidate.key)
    likely = {key for key, members in every.items() if confirmed(members, titles)}
    chosen: dict[str, list[Pick]] = defaultdict(list)
    for entry in entries:
        fits = [c for c in picks[entry.uid] if c.key in likely and c.key in allowed]
        # A number that all of them have says less than one that runs.
        fits = [c for c in fits if len(numbers[c.key]) > 1] or fits
        if fits:
            best = _outer(fits, every)
            chosen[best.key].append((entry, best))
    return chosen


def _outer(fits: Sequence[Candidate], every: Mapping[str, Sequence[Pick]]) -> Candidate:
    """Choose the clearest reading, or the number before it that counts more posts.

    In `Growing Tomatoes - 30 - slugs part 2` the slugs are a series within the series.
    """
    best = fits[0]
    for other in fits[1:]:
        more = len(every[other.key]) > max(2, len(every[best.key]))
        if other.strength >= Strength.SIGN and other.start < best.start and more:
            best = other
    return best


def confirmed(members: Sequence[Pick], titles: frozenset[str]) -> bool:
    """Whether the numbers of these posts confirm one another as parts of one series."""
    return not objection(members, titles)


def objection(members: Sequence[Pick], titles: frozenset[str]) -> str:
    """What speaks against these posts as parts of one series; empty where nothing does.

    ``titles`` holds the keys of all titles, among which an unnumbered first part may be.
    """
    if len({entry.uid for entry, _ in members}) < 2:
        return "no other post has this name and a number"
    ordinals = sorted({c.ordinal for _, c in members if c.ordinal is not None})
    running = any(b - a == 1 for a, b in pairwise(ordinals))
    match max(candidate.strength for _, candidate in members):
        case Strength.STATED:
            against = ""
        case Strength.PART:
            against = "" if len(ordinals) > 1 or _tell_apart(members) else "all have one number"
        case Strength.SIGN if _is_title_of_part(members):
            against = "what stands behind the number says too little for a name"
        case Strength.SIGN:
            right = running or len(ordinals) > 2
            against = "" if right else "the numbers do not follow one another"
        case _ if not running:
            against = "bare numbers, and none follows another"
        case _:
            against = _objection_to_bare(members, ordinals, titles)
    return against


def _tell_apart(members: Sequence[Pick]) -> bool:
    """Whether parts of one number are several: Topic 1a and 1b, or three posts on a chapter."""
    signs = {c.sign.casefold() for _, c in members}
    parts = {key_of(c.part) for _, c in members} - {""}
    return len(signs) > 1 or len(parts) > 2


def _is_title_of_part(members: Sequence[Pick]) -> bool:
    """Whether what follows the number says too little for a name: `Sprint 14 demo`."""
    return all(c.behind and weight(c.name) < _BEHIND_WEIGHT for _, c in members)


def _objection_to_bare(
    members: Sequence[Pick], ordinals: Sequence[int], titles: frozenset[str]
) -> str:
    first = members[0][1]
    rests = {candidate.part for _, candidate in members}
    # `Trowel 1 released` and `Trowel 2 released` are versions.
    if len(rests) == 1 and rests != {""}:
        return "the titles differ in the number alone, as those of versions do"
    if COUNTED_NOUN.search(first.name):
        return ""
    if ordinals[0] > (2 if first.key in titles else 1) and not _counts_on(members):
        return "bare numbers that do not begin at 1"
    if ordinals[-1] > _MAX_BARE:
        return "bare numbers too large for parts"
    return "" if weight(first.name) >= _BARE_WEIGHT else "the name says too little"


def _counts_on(members: Sequence[Pick]) -> bool:
    """Whether the numbers follow one another, soon, as the dates do: no versions are that quick."""
    dated = sorted(
        (entry.day, c.ordinal)
        for entry, c in members
        if entry.day is not None and c.ordinal is not None
    )
    days = [day for day, _ in dated]
    next_ones = sum(b[1] - a[1] == 1 for a, b in pairwise(dated))
    gaps = sorted(b - a for a, b in pairwise(days))
    return (
        len(dated) == len(members) >= _LONG_COUNT
        and next_ones >= _MOSTLY * len(gaps)
        and gaps[len(gaps) // 2] <= _QUICK_DAYS
    )


def split_by_column(draft: Draft) -> Draft:
    """Keep series of one name apart where the numbers collide between columns and never within."""
    return draft.settle([part for group in draft.groups for part in _columns_of(group)])


def _columns_of(group: Group) -> list[Group]:
    by_column: dict[str, list[Member]] = defaultdict(list)
    for member in group.members:
        by_column[member.entry.column or ""].append(member)
    numbers = [[m.ordinal for m in members] for members in by_column.values()]
    collide = len(set(group.ordinals)) < len(group.ordinals)
    clean = all(len(set(each)) == len(each) > 1 for each in numbers)
    if len(by_column) < 2 or not collide or not clean:
        return [group]
    return [Group(tuple(members), group.name) for _, members in sorted(by_column.items())]


def make_group(picks: Sequence[Pick]) -> Group:
    """Form the group of these posts, each read in the way that was picked for it."""
    # 下 is the second half unless there is a 中.
    has_middle = any(candidate.half and candidate.ordinal == 2 for _, candidate in picks)
    members = tuple(
        as_member(entry, candidate, three_halves=has_middle) for entry, candidate in picks
    )
    name = usual_name([candidate.name for _, candidate in picks])
    return Group(members, name)


def as_member(entry: Entry, candidate: Candidate, *, three_halves: bool = False) -> Member:
    """Make the post a member of a series, as the candidate reads its title."""
    last_half = candidate.half and candidate.ordinal == 3 and not three_halves
    return Member(
        entry=entry,
        name=candidate.name,
        ordinal=2 if last_half else candidate.ordinal,
        part=candidate.part,
        evidence=evidence(candidate),
        half=candidate.half,
    )


def evidence(candidate: Candidate) -> str:
    """One line that says what in the title, or in the source, speaks for the series."""
    if candidate.strength is Strength.STATED:
        return f"the source states the series “{candidate.name}”"
    if candidate.ordinal is None:
        return f"the title continues “{candidate.name}” ({candidate.part})"
    if candidate.rule == IN_TEXT:
        return f"its text says “{candidate.sign}”"
    return f"the title names “{candidate.name}” and the number {candidate.sign} ({candidate.rule})"


def usual_name(names: Sequence[str]) -> str:
    """Choose the spelling that most titles use; among equals the first in code point order."""
    counted = Counter(name for name in names if name)
    return min(counted, key=lambda name: (-counted[name], name)) if counted else ""
