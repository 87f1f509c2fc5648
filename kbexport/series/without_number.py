"""Posts without a number that belong to a series: first parts, sequels, overviews and extras."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from kbexport.series.draft import Draft, Entry, Group, Member
from kbexport.series.names import key_of, tokens_of, weight
from kbexport.series.numbered import as_member, usual_name
from kbexport.series.rules import Strength
from kbexport.series.titles import Candidate

_VERY_SOON_DAYS = 120.0
_SECOND = 2
_FIRST_WEIGHT = 4.0
_LAST_WEIGHT = 2.0


def join_unnumbered(draft: Draft) -> Draft:
    """Take in posts without a number that are called like a series, such as overviews."""
    named: dict[str, int] = {}
    for place, group in enumerate(draft.groups):
        for name in (group.name, *(member.name for member in group.members)):
            if key_of(name):
                named.setdefault(key_of(name), place)
    counts = [_count_of(group) for group in draft.groups]
    joining: dict[int, list[Member]] = defaultdict(list)
    for entry in draft.free:
        fit = _called_like(entry, named, counts)
        if fit is not None:
            joining[fit[0]].append(fit[1])
    return draft.settle([group.joined_by(joining[i]) for i, group in enumerate(draft.groups)])


@dataclass(frozen=True, slots=True)
class _Count:
    """A group as an entry sees it that may belong to it."""

    name: str
    first: int
    """The lowest ordinal; 0 where there is none."""
    began: float | None
    """The day of the earliest part."""

    def opened_by(self, entry: Entry) -> bool:
        """Whether the numbers begin at 2 and the post came not long before."""
        if self.first != _SECOND or self.began is None or entry.day is None:
            return False
        return 0 <= self.began - entry.day <= _VERY_SOON_DAYS


def _count_of(group: Group) -> _Count:
    return _Count(group.name, min(group.ordinals, default=0), min(group.days, default=None))


def _called_like(
    entry: Entry, named: Mapping[str, int], counts: Sequence[_Count]
) -> tuple[int, Member] | None:
    place = named.get(key_of(entry.title))
    if place is not None:
        why = f"the title is the name of “{counts[place].name}”"
        return place, Member(entry, "", None, "", why)
    for extra in entry.extras:
        place = named.get(key_of(extra.name))
        needed = 4 if extra.comma else 3 if extra.separated else 2
        if place is not None and counts[place].opened_by(entry):
            needed = min(needed, 2)
        if place is None or weight(extra.name) < needed:
            continue
        # `Long Title: Name` may only be the part that the numbers leave open.
        if not extra.tail or counts[place].first > 1:
            why = f"the title names “{counts[place].name}” without a number: {extra.rule}"
            return place, Member(entry, "", None, extra.part, why)
    return None


def join_first(draft: Draft) -> Draft:
    """Find the first part of a count that begins at 2: `Introducing X`, then `X, part 2`."""
    groups = list(draft.groups)
    wanted = [
        place
        for place, group in enumerate(groups)
        if group.ordinals[:1] == (_SECOND,)
        and all(member.ordinal is not None for member in group.members)
        and weight(group.name) >= _LAST_WEIGHT
    ]
    by_token: dict[str, list[Entry]] = defaultdict(list)
    for entry in draft.free:
        for token in tokens_of(entry.title):
            by_token[token].append(entry)
    taken: set[str] = set()
    for place in wanted:
        group, count = groups[place], _count_of(groups[place])
        rarest = min(
            (by_token.get(token, []) for token in sorted(tokens_of(group.name))),
            key=len,
            default=[],
        )
        fits = [
            entry
            for entry in rarest
            if entry.uid not in taken and _names(entry, group.name) and count.opened_by(entry)
        ]
        if fits:
            first = max(fits, key=lambda entry: (entry.day or 0.0, entry.uid))
            taken.add(first.uid)
            why = f"part 1 of “{group.name}” is missing, and the title names it shortly before"
            groups[place] = group.joined_by([Member(first, "", None, first.title, why)])
    return draft.settle(groups)


def _names(entry: Entry, name: str) -> bool:
    """Whether the title holds the whole name; one that says little must stand at the end."""
    title, key = key_of(entry.title), key_of(name)
    return title.endswith(key) or (weight(name) >= _FIRST_WEIGHT and key in title)


def find_second(draft: Draft) -> Draft:
    """Two posts, `X` and `X (2)`, make a series."""
    return _continue(draft, {e.uid: [*filter(_is_second, e.readings)] for e in draft.free})


def find_continued(draft: Draft) -> Draft:
    """Two posts, `X` and `X, continued`, make a series."""
    return _continue(draft, {e.uid: [*filter(_is_second, _sequels(e))] for e in draft.free})


def _continue(draft: Draft, candidates: Mapping[str, Sequence[Candidate]]) -> Draft:
    whole: dict[str, list[Entry]] = defaultdict(list)
    for entry in draft.free:
        for key in {key_of(entry.title), *(key_of(x.name) for x in entry.extras if x.tail)}:
            if key:
                whole[key].append(entry)
    # `X: part` may come before `X, part 2`; the last one before it does.
    latest: dict[str, Entry] = {}
    groups: dict[str, dict[str, Member]] = defaultdict(dict)
    home: dict[str, str] = {}
    for entry in draft.free:
        for candidate in candidates[entry.uid]:
            firsts = [
                e
                for e in whole.get(candidate.key, ())
                if e.uid != entry.uid and _soon(entry, e, candidate)
            ]
            if not firsts and candidate.ordinal == _SECOND and candidate.key in latest:
                firsts = [e for e in [latest[candidate.key]] if _is_soon(entry, e)]
            if not firsts or {home.get(e.uid, candidate.key) for e in (entry, *firsts)} != {
                candidate.key
            }:
                continue
            why = f"“{candidate.name}” is continued by another title ({candidate.sign})"
            for first in firsts:
                groups[candidate.key].setdefault(
                    first.uid, Member(first, candidate.name, None, "", why)
                )
            groups[candidate.key][entry.uid] = as_member(entry, candidate)
            home.update(dict.fromkeys((entry.uid, *(e.uid for e in firsts)), candidate.key))
            break
        latest.update(dict.fromkeys(_heads(entry), entry))
    found = [
        Group(tuple(members.values()), usual_name([m.name for m in members.values()]))
        for _, members in sorted(groups.items())
    ]
    return draft.settle([*draft.groups, *found])


def _heads(entry: Entry) -> list[str]:
    """The names in front of a separator that say enough."""
    heads = (x.name for x in entry.extras if x.separated and not x.tail)
    return [key_of(name) for name in heads if weight(name) >= _FIRST_WEIGHT]


def _soon(entry: Entry, first: Entry, candidate: Candidate) -> bool:
    """Tell whether a sequel follows soon; one with a number may take its time."""
    return candidate.ordinal is not None or _is_soon(entry, first)


def _is_soon(entry: Entry, first: Entry) -> bool:
    if entry.day is None or first.day is None:
        return True
    return abs(entry.day - first.day) <= _VERY_SOON_DAYS


def _sequels(entry: Entry) -> list[Candidate]:
    return [
        Candidate(x.rule, Strength.SIGN, x.name, None, x.part, x.part)
        for x in entry.extras
        if x.continued
    ]


def _is_second(candidate: Candidate) -> bool:
    if candidate.ordinal is not None and not 2 <= candidate.ordinal <= 9:
        return False
    if candidate.strength >= Strength.SIGN:
        return weight(candidate.name) >= 2
    return candidate.ordinal == 2 and weight(candidate.name) >= 6
