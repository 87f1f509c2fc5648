"""Series without a common name: three posts and more in a row on what no other post speaks of."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from kbexport.series.draft import Draft, Entry, Group, Member
from kbexport.series.names import key_of

_LEAST = 3
_MOST = 12
_SHORTEST = 3
"""A tag of two letters is part of too many words."""
_DAYS = 30.0
_DENSE = 0.75
"""So many of the posts from the first part to the last are parts."""
_ALIKE = 0.6
"""So many of their other tags two parts must share."""


def find_subjects(draft: Draft) -> Draft:
    """Group posts that follow one another, where every title names a tag that no other post has."""
    tagged: dict[str, list[Entry]] = defaultdict(list)
    order = {entry.uid: place for place, entry in enumerate(_by_date(draft.entries))}
    for entry in _by_date(draft.entries):
        for label in entry.labels:
            tagged[label].append(entry)
    free = {entry.uid for entry in draft.free}
    taken: set[str] = set()
    found = []
    for label, entries in sorted(tagged.items(), key=lambda item: (-len(item[1]), item[0])):
        uids = {entry.uid for entry in entries}
        if uids <= free - taken and not objection(label, entries, order):
            taken |= uids
            found.append(_group(label, entries))
    return draft.settle([*draft.groups, *found])


def _by_date(entries: Sequence[Entry]) -> list[Entry]:
    return sorted(entries, key=lambda entry: (entry.post.published or "9999", entry.uid))


def objection(label: str, entries: Sequence[Entry], order: Mapping[str, int]) -> str:
    """What speaks against the posts of one tag as a series; empty where nothing does.

    ``order`` is the place of each post of the blog by date.
    """
    key = key_of(label)
    if not _LEAST <= len(entries) <= _MOST or len(key) < _SHORTEST:
        return f"{len(entries)} posts have it"
    if len({key_of(entry.title) for entry in entries}) < len(entries):
        return "two of its posts have one title"
    if not all(key in key_of(entry.title) for entry in entries):
        return "not every title of its posts names it"
    if not _in_a_row(entries, order):
        return "its posts are not in a row"
    return "" if all(share >= _ALIKE for share in _shares(entries)) else "other tags differ"


def _in_a_row(entries: Sequence[Entry], order: Mapping[str, int]) -> bool:
    days = [entry.day for entry in entries if entry.day is not None]
    if not days:
        return True
    span = order[entries[-1].uid] - order[entries[0].uid] + 1
    soon = all(b - a <= _DAYS for a, b in pairwise(sorted(days)))
    return len(days) == len(entries) and soon and len(entries) >= _DENSE * span


def _shares(entries: Sequence[Entry]) -> Iterator[float]:
    """Yield for each neighbour how many of their tags the two have in common."""
    for before, entry in pairwise(entries):
        yield len(before.labels & entry.labels) / len(before.labels | entry.labels)


def _group(label: str, entries: Sequence[Entry]) -> Group:
    spelled = Counter(
        name
        for entry in entries
        for name in (*entry.post.tags, *entry.post.categories)
        if name.casefold() == label
    )
    name = min(spelled, key=lambda spelling: (-spelled[spelling], spelling))
    why = f"{len(entries)} posts in a row, and no others, have the tag “{name}” and name it"
    return Group(tuple(Member(entry, "", None, entry.title, why) for entry in entries), name)
