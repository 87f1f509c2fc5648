"""Numbered series whose titles hold no common name: tags, shared words and dates tell them apart.

``Day 1 - …`` and ``第1回 …`` have a number only; ``How to … (1)`` and ``Why to … (2)`` have names
that differ.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

from kbexport.series.draft import Draft, Entry, Group, Member
from kbexport.series.names import tokens_of
from kbexport.series.numbered import Pick
from kbexport.series.rules import Strength
from kbexport.series.titles import Candidate

_MAX_DAYS = 120.0
"""A next part that comes later than this begins a new count."""
_MAX_DAYS_NAMED = 45.0
_VERY_SOON_DAYS = 10.0
_MAX_OPEN = 50
"""So many counts of one form are watched at a time; this keeps the work linear."""


@dataclass(slots=True)
class _Run:
    """A count that is still going on."""

    picks: list[Pick] = field(default_factory=list)

    def fit(self, entry: Entry, candidate: Candidate) -> float:
        """How well the part fits as the next one; 0 where it does not."""
        before, previous = self.picks[-1]
        step = (candidate.ordinal or 0) - (previous.ordinal or 0)
        if not 1 <= step <= 2 or (entry.day is None) != (before.day is None):
            return 0.0
        gap = abs((entry.day or 0.0) - (before.day or 0.0))
        labels = entry.labels & before.labels
        if candidate.key and (
            step > 1 or gap > _MAX_DAYS_NAMED or not _share_words(entry, before, labels)
        ):
            return 0.0
        if gap > _MAX_DAYS:
            return 0.0
        shared = len(labels) / max(1, len(entry.labels | before.labels))
        return 1.0 + shared - gap / (10 * _MAX_DAYS) - 0.2 * (step - 1)


def _share_words(entry: Entry, before: Entry, labels: frozenset[str]) -> bool:
    """Whether two titles of different names speak of one thing all the same."""
    tagged = bool(entry.labels and before.labels)
    words = len(tokens_of(entry.title) & tokens_of(before.title))
    soon = abs((entry.day or 0.0) - (before.day or 0.0)) <= _VERY_SOON_DAYS
    return words >= (1 if soon else 2) and (bool(labels) or not tagged)


def find_nameless(draft: Draft) -> Draft:
    """Group numbered posts without a common name that count on from one another soon after."""
    found = [_group(picks) for picks in counts_of(draft.free) if not objection(picks)]
    return draft.settle([*draft.groups, *found])


def counts_of(entries: Sequence[Entry]) -> list[list[Pick]]:
    """Put numbered posts into counts that go on; a post that nothing fits is a count of its own."""
    runs: dict[str, list[_Run]] = defaultdict(list)
    picks = [(entry, c) for entry in entries if (c := _reading(entry)) is not None]
    picks.sort(key=lambda p: (p[0].seconds or 0.0, p[1].ordinal or 0, p[0].title, p[0].uid))
    for entry, candidate in picks:
        known = runs[_form(candidate)]
        rated = [(run.fit(entry, candidate), i, run) for i, run in enumerate(known[-_MAX_OPEN:])]
        best = max(rated, default=None, key=lambda item: item[:2])
        if best is not None and best[0] > 0:
            best[2].picks.append((entry, candidate))
        else:
            known.append(_Run([(entry, candidate)]))
    return [run.picks for _, each in sorted(runs.items()) for run in each]


def _reading(entry: Entry) -> Candidate | None:
    readings = [c for c in entry.readings if c.ordinal is not None and not c.half]
    nameless = next((c for c in readings if not c.key and c.strength >= Strength.SIGN), None)
    return nameless or next((c for c in readings if c.key and c.strength is Strength.PART), None)


def _form(candidate: Candidate) -> str:
    """Describe the shape of the number: `Day 1` and `Day 2` are of one form, `Week 2` is not."""
    sign = re.sub(r"\d+", "0", candidate.sign.casefold()) if "word" in candidate.rule else ""
    return f"{candidate.rule}/{sign}/{'named' if candidate.key else ''}"


def objection(picks: Sequence[Pick]) -> str:
    """What speaks against a count as a series; empty where nothing does."""
    first = picks[0][1]
    if len(picks) < 2:
        return "no post counts on from it soon enough"
    if (first.ordinal or 0) > 1:
        return "" if len(picks) >= 4 else "a count without a name that does not begin at 1"
    if first.key or len(picks) >= 3:
        return ""
    shared = frozenset.intersection(*(entry.labels for entry, _ in picks))
    return "" if shared else "two posts without a common name share no tag"


def _group(picks: Sequence[Pick]) -> Group:
    members = []
    for entry, candidate in picks:
        why = f"the title has the number {candidate.sign}; tags and dates tie it to its neighbours"
        members.append(Member(entry, "", candidate.ordinal, candidate.part, why))
    return Group(tuple(members), _name(picks))


def _name(picks: Sequence[Pick]) -> str:
    """Choose a tag that all parts share, else the title of the first part."""
    spelled = {
        label.casefold(): label
        for entry, _ in picks
        for label in (*entry.post.tags, *entry.post.categories)
    }
    counted = Counter(label for entry, _ in picks for label in entry.labels)
    everywhere = sorted(label for label, count in counted.items() if count == len(picks))
    if everywhere:
        return spelled[everywhere[0]]
    return picks[0][1].part or picks[0][0].title
