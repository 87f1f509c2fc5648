"""Posts and groups that belong to a series although their titles spell it otherwise."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from itertools import pairwise

from rapidfuzz import fuzz

from kbexport.series.draft import Draft, Entry, Group
from kbexport.series.names import key_of, loose_key, tokens_of, weight
from kbexport.series.numbered import make_group, usual_name
from kbexport.series.rules import Strength
from kbexport.series.titles import Candidate

_SOON_DAYS = 400.0
"""A next part that comes later than this needs the same name."""
_VERY_SOON_DAYS = 120.0
_NEXT_DAYS = 45.0
_COMMON = 40
"""Names that share only a token as common as this are not compared."""
_ALIKE = 0.75
_ROUGHLY_ALIKE = 0.6
_NEARLY_SAME = 0.9
_TAIL = 5
_MAX_SPELLINGS = 5


def join_generic(draft: Draft) -> Draft:
    """Merge groups whose names differ in generic words only and whose numbers do not collide."""
    by_name: dict[str, list[Group]] = defaultdict(list)
    for group in draft.groups:
        telling = weight(group.name) >= 2 and loose_key(group.name)
        by_name[telling or f"={key_of(group.name)}"].append(group)
    merged: list[Group] = []
    for _, groups in sorted(by_name.items()):
        kept: list[Group] = []
        for group in sorted(groups, key=lambda g: (-len(g.members), g.name)):
            home = next(
                (i for i, g in enumerate(kept) if not set(g.ordinals) & set(group.ordinals)), None
            )
            if home is None:
                kept.append(group)
            else:
                kept[home] = merge(kept[home], group)
        merged.extend(kept)
    return draft.settle(merged)


def merge(a: Group, b: Group) -> Group:
    """Make one group of the members of both, named as most of them are."""
    members = (*a.members, *b.members)
    return Group(members, usual_name([member.name for member in members]))


@dataclass(slots=True)
class _Pool:
    """Groups that may still grow, found by the telling tokens of their names."""

    groups: list[Group] = field(default_factory=list)
    by_token: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))

    def add(self, group: Group) -> None:
        self.groups.append(group)
        self._index(len(self.groups) - 1, group)

    def put(self, place: int, group: Group) -> None:
        self.groups[place] = group
        self._index(place, group)

    def _index(self, place: int, group: Group) -> None:
        for token in _name_tokens(group):
            if place not in self.by_token[token][-1:]:
                self.by_token[token].append(place)

    def near(self, group: Group) -> list[int]:
        """Places of groups that share an uncommon token with this one."""
        places = {
            place
            for token in _name_tokens(group)
            if len(self.by_token.get(token, ())) <= _COMMON
            for place in self.by_token.get(token, ())
        }
        return sorted(places)


def _name_tokens(group: Group) -> set[str]:
    names = _spellings(group)
    # The last characters find names whose only telling word is misspelt.
    return {t for name in names for t in tokens_of(name)} | {
        f"-{key_of(n)[-_TAIL:]}" for n in names
    }


def _spellings(group: Group) -> list[str]:
    """The spellings of the name that most members use; a few, as all pairs are compared."""
    counted = Counter(member.name for member in group.members if member.name)
    return sorted(counted, key=lambda name: (-counted[name], name))[:_MAX_SPELLINGS] or [group.name]


def join_continuing(draft: Draft) -> Draft:
    """Merge groups and lone parts under slightly different names that count on from one another."""
    lone = [make_group([(entry, c)]) for entry in draft.free if (c := _clearest(entry)) is not None]
    pool = _Pool()
    # The largest first, then by date, so that small ones find a home and never take one over.
    for group in sorted([*draft.groups, *lone], key=_by_size):
        home = _home(group, pool)
        if home is None:
            pool.add(group)
        else:
            pool.put(home, merge(pool.groups[home], group))
    return draft.settle([group for group in pool.groups if len(group.members) > 1])


def _clearest(entry: Entry) -> Candidate | None:
    first = next((c for c in entry.readings if c.key and not c.half), None)
    if first is not None and first.behind:
        return None
    return first if first is not None and first.strength >= Strength.SIGN else None


def _by_size(group: Group) -> tuple[int, float, int, str]:
    first = group.ordinals[0] if group.ordinals else 0
    days = group.days
    return -len(group.members), days[0] if days else 0.0, first, group.members[0].entry.uid


def _home(group: Group, pool: _Pool) -> int | None:
    best: tuple[float, int] | None = None
    for place in pool.near(group):
        other = pool.groups[place]
        likeness = max(_likeness(a, b) for a in _spellings(group) for b in _spellings(other))
        if _is_next(group, other):
            likeness = max(likeness, _ALIKE)
        if likeness >= _ROUGHLY_ALIKE and _counts_on(group, other, likeness):
            best = max(best or (0.0, 0), (likeness, -place))
    return None if best is None else -best[1]


def _is_next(group: Group, other: Group) -> bool:
    """Whether a lone part has the next number, soon after the last, and speaks of the same."""
    (last, days), part = (other.ordinals[-1:], other.days[-1:]), group.members[0]
    if len(group.members) > 1 or len(other.members) < 3 or not last or not days:
        return False
    if part.ordinal != last[0] + 1 or part.entry.day is None:
        return False
    known = frozenset(label for member in other.members for label in member.entry.labels)
    tokens = {token for name in _spellings(other) for token in tokens_of(name)}
    labelled = bool(known & part.entry.labels) or not known
    soon = 0 <= part.entry.day - days[0] <= _NEXT_DAYS
    return soon and labelled and bool(tokens & tokens_of(part.name))


def _likeness(name: str, other: str) -> float:
    """Rate from 0 to 1 how alike two names are; one that adds words at its end is another one."""
    mine, theirs = tokens_of(name), tokens_of(other)
    longer, shorter = sorted((key_of(name), key_of(other)), key=len, reverse=True)
    ratio = fuzz.ratio(longer, shorter) / 100
    if longer.startswith(shorter) and (mine > theirs or theirs > mine):
        return 0.0
    if not mine & theirs:
        # A slip of the pen may have spoilt the only telling word.
        return ratio if ratio >= _NEARLY_SAME else 0.0
    jaccard = len(mine & theirs) / len(mine | theirs)
    likeness = max(ratio, jaccard)
    if mine <= theirs or theirs <= mine:
        # One name leaves a word out, and not at its end.
        return max(likeness, 0.8 if len(mine & theirs) > 1 else 0.65)
    # Names that branch, each with words of its own, must be alike all the more.
    return likeness if likeness >= _ALIKE else 0.0


def _counts_on(group: Group, other: Group, likeness: float) -> bool:
    """Whether the numbers of the two fill one another's places, and soon enough."""
    mine, theirs = set(group.ordinals), set(other.ordinals)
    if not mine or not theirs or mine & theirs:
        return False
    steps = [min(abs(number - known) for known in theirs) for number in mine]
    if min(steps) > 1 or max(steps) > max(2, len(mine) + 1):
        return False
    if not group.days or not other.days:
        return likeness >= 0.85
    apart = min(abs(a - b) for a in group.days for b in (other.days[0], other.days[-1]))
    inside = other.days[0] <= group.days[0] <= other.days[-1]
    gap = 0.0 if inside else apart
    if not _dates_agree(group, other):
        return False
    return gap <= (_SOON_DAYS if likeness >= _ALIKE else _VERY_SOON_DAYS)


def _dates_agree(group: Group, other: Group) -> bool:
    """Whether the neighbours by number are neighbours by date too."""
    both = sorted(
        (m.ordinal, m.entry.day)
        for m in (*group.members, *other.members)
        if m.ordinal is not None and m.entry.day is not None
    )
    wrong = sum(a[1] > b[1] + 1 for a, b in pairwise(both))
    return wrong <= len(both) // 6
