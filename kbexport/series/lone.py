"""Posts that look like parts and are in no series: what a reader may want to join by hand."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

from kbexport.models import LonePart
from kbexport.series.draft import Entry, Group
from kbexport.series.names import key_of, tokens_of, weight
from kbexport.series.rules import Strength
from kbexport.series.statements import IN_TEXT
from kbexport.series.titles import Candidate

_NEAR = 3
"""So many series are named at most."""
_COMMON = 40
_ALIKE = 0.5
_WEIGHT = 2.0


def find_lone(groups: Sequence[Group], entries: Sequence[Entry]) -> tuple[LonePart, ...]:
    """List the posts whose title has the number or the name of a part, by date."""
    placed = {member.entry.uid for group in groups for member in group.members}
    by_key: dict[str, str] = {}
    by_token: dict[str, list[Group]] = defaultdict(list)
    for group in groups:
        by_key.setdefault(key_of(group.name), group.name)
        for token in tokens_of(group.name):
            by_token[token].append(group)
    found = []
    for entry in entries:
        if entry.uid not in placed:
            part = _numbered(entry, by_token) or _named(entry, by_key)
            found.extend([part] if part else [])
    return tuple(found)


def _numbered(entry: Entry, by_token: Mapping[str, Sequence[Group]]) -> LonePart | None:
    """A title with a number that can hardly mean anything else than a part."""
    clear = next((c for c in entry.readings if c.key and c.strength >= Strength.PART), None)
    if clear is None or clear.behind:
        return None
    told = "its text says" if clear.rule == IN_TEXT else "the title has the number"
    return LonePart(
        uid=entry.uid,
        name=clear.name,
        ordinal=clear.ordinal,
        near=_near(clear, by_token),
        evidence=f"{told} {clear.sign}, and no other part of “{clear.name}” was found",
    )


def _near(candidate: Candidate, by_token: Mapping[str, Sequence[Group]]) -> tuple[str, ...]:
    """The series whose names share the most with that of the part."""
    mine = tokens_of(candidate.name)
    near = {
        group.name: tokens_of(group.name)
        for token in mine
        for group in by_token.get(token, ())
        if len(by_token[token]) <= _COMMON
    }
    rated = [(-len(mine & theirs) / len(mine | theirs), name) for name, theirs in near.items()]
    return tuple(name for likeness, name in sorted(rated)[:_NEAR] if -likeness >= _ALIKE)


def _named(entry: Entry, by_key: Mapping[str, str]) -> LonePart | None:
    """A title that begins or ends with the name of a series."""
    for extra in entry.extras:
        name = by_key.get(key_of(extra.name))
        if name is not None and weight(name) >= _WEIGHT:
            return LonePart(
                uid=entry.uid,
                name=name,
                near=(name,),
                evidence=f"the title has the name of “{name}”, and says too little for a part",
            )
    return None
