"""What texts add to the series that titles give: links between parts, numbers, their total."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace

from kbexport.series.beginnings import shared_beginning
from kbexport.series.draft import Draft, Entry, Group, Member
from kbexport.series.names import key_of, loose_key, tidy
from kbexport.series.statements import IN_TEXT

_MOST_TO_COME = 10
"""A text that says of more parts than this that they are to come speaks of something else."""


def join_linked(draft: Draft) -> Draft:
    """Take in free posts that a text ties to a part, and group those tied to one another."""
    free = {entry.uid: entry for entry in draft.free}
    home = {m.entry.uid: place for place, g in enumerate(draft.groups) for m in g.members}
    tied: dict[str, list[str]] = defaultdict(list)
    for entry in draft.entries:
        if entry.previous is not None:
            tied[entry.uid].append(entry.previous)
            tied[entry.previous].append(entry.uid)
    joining: dict[int, list[Member]] = defaultdict(list)
    found: list[Group] = []
    seen: set[str] = set()
    for entry in draft.free:
        if entry.uid in seen or entry.uid not in tied:
            continue
        chain, homes = _chain(entry.uid, tied, free, home)
        seen.update(chain)
        entries = [free[uid] for uid in chain]
        if homes:
            name = draft.groups[homes[0]].name
            joining[homes[0]].extend(_member(e, f"its text and “{name}” link") for e in entries)
        elif len(entries) > 1:
            found.append(_group(entries))
    groups = [group.joined_by(joining[place]) for place, group in enumerate(draft.groups)]
    return draft.settle([*groups, *found])


def _chain(
    uid: str, tied: Mapping[str, Sequence[str]], free: Mapping[str, Entry], home: Mapping[str, int]
) -> tuple[list[str], list[int]]:
    """All free posts that links tie to this one, and the series at their ends.

    The series whose part comes before them is first: what follows it continues it.
    """
    chain = {uid: None}
    ahead: dict[int, None] = {}
    homes: dict[int, None] = {}
    waiting = [uid]
    while waiting:
        here = waiting.pop()
        for other in tied[here]:
            if other in free and other not in chain:
                chain[other] = None
                waiting.append(other)
            elif other in home:
                side = ahead if other == free[here].previous else homes
                side[home[other]] = None
    return list(chain), [*ahead, *homes]


def _member(entry: Entry, why: str) -> Member:
    return Member(entry, "", None, entry.title, f"{why} as the parts before and behind one another")


def _group(entries: Sequence[Entry]) -> Group:
    name = tidy(shared_beginning(entries)) or entries[0].title
    return Group(tuple(_member(entry, "the texts link these posts") for entry in entries), name)


def number_by_text(draft: Draft) -> Draft:
    """Give parts the number that their own text states, where the title has none."""
    return draft.settle([_numbered(group) for group in draft.groups])


def _numbered(group: Group) -> Group:
    taken = set(group.ordinals)
    members = []
    for member in group.members:
        said = next((c for c in member.entry.readings if c.rule == IN_TEXT), None)
        named = said is not None and _same_name(said.name, group.name)
        if said is None or not named or member.ordinal is not None or said.ordinal in taken:
            members.append(member)
            continue
        taken.add(said.ordinal or 0)
        why = f"{member.evidence}; its text says “{said.sign}”"
        members.append(replace(member, ordinal=said.ordinal, evidence=why))
    return replace(group, members=tuple(members))


def _same_name(said: str, name: str) -> bool:
    return key_of(said) == key_of(name) or (loose_key(said) == loose_key(name) != "")


def stated_total(group: Group) -> int | None:
    """How many parts there are, where texts of the series say so and none says otherwise."""
    totals = {m.entry.total for m in group.members if m.entry.total is not None}
    last = max(group.ordinals, default=0)
    if len(totals) != 1 or not group.ordinals:
        return None
    (total,) = totals
    return total if len(group.members) <= total <= last + _MOST_TO_COME else None
