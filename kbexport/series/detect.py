"""From posts to series: read each title, let the posts confirm one another, order, relate."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterator, Sequence

from kbexport.models import CollatedPost, Part, RelatedSeries, Series
from kbexport.series.beginnings import find_beginnings
from kbexport.series.draft import Draft, Group, Member, read_entry
from kbexport.series.joining import join_continuing, join_generic
from kbexport.series.nameless import find_nameless
from kbexport.series.numbered import find_numbered, split_by_column
from kbexport.series.order import gaps_of, imports_run_backwards, reading_order
from kbexport.series.related import relate
from kbexport.series.subjects import find_subjects
from kbexport.series.unnumbered import find_unnumbered, join_halves
from kbexport.series.without_number import find_continued, find_second, join_first, join_unnumbered

Step = Callable[[Draft], Draft]

STEPS: tuple[tuple[str, Step], ...] = (
    ("titles that share a name and a number", find_numbered),
    ("one name in two columns", split_by_column),
    ("names that differ in generic words", join_generic),
    ("names that are alike and numbers that count on", join_continuing),
    ("a first part or an extra without a number", join_unnumbered),
    ("a first part under a longer title", join_first),
    ("a title and its second part", find_second),
    ("a part without a number of what was found", join_unnumbered),
    ("a title and its sequel", find_continued),
    ("numbers without a name", find_nameless),
    ("one long beginning", find_beginnings),
    ("a shared specific subject", find_unnumbered),
    ("halves of one of its parts", join_halves),
    ("one rare tag that all titles name", find_subjects),
    ("an overview of parts without numbers", join_unnumbered),
)
"""Surest first; a post that one step placed is not seen by the next."""


def detect_series(posts: Sequence[CollatedPost]) -> tuple[Series, ...]:
    """Find the series among ``posts``, each in reading order, sorted by name.

    The order of ``posts`` does not matter; each post is in at most one series.
    """
    entries = [read_entry(post) for post in posts]
    entries.sort(key=lambda entry: (entry.post.published or "9999", entry.uid))
    draft = Draft((), tuple(entries))
    for _, step in STEPS:
        draft = step(draft)
    groups = name_apart(draft.groups)
    backwards = imports_run_backwards(groups)
    related = relate(groups)
    made = [_series(g, r, backwards=backwards) for g, r in zip(groups, related, strict=True)]
    return tuple(sorted(made, key=lambda series: series.name))


def _series(group: Group, related: tuple[RelatedSeries, ...], *, backwards: bool) -> Series:
    members, inferred = reading_order(group, backwards=backwards)
    return Series(
        name=group.name,
        parts=tuple(_part(member) for member in members),
        inferred_order=inferred,
        gaps=gaps_of(group.ordinals),
        related=related,
    )


def _part(member: Member) -> Part:
    return Part(
        uid=member.entry.uid, ordinal=member.ordinal, name=member.part, evidence=member.evidence
    )


def name_apart(groups: Sequence[Group]) -> list[Group]:
    """Give each group a name of its own; a second one gets its column or a number behind it."""
    taken: set[str] = set()
    named = []
    for group in sorted(groups, key=lambda g: (-len(g.members), g.name, g.members[0].entry.uid)):
        name = next(n for n in _names(group) if _fold(n) not in taken)
        taken.add(_fold(name))
        named.append(Group(group.members, name))
    return named


def _names(group: Group) -> Iterator[str]:
    plain = group.name or group.members[0].entry.title or "Series"
    yield plain
    columns = sorted({m.entry.column for m in group.members if m.entry.column})
    if len(columns) == 1:
        yield f"{plain} ({columns[0]})"
    number = 2
    while True:
        yield f"{plain} ({number})"
        number += 1


def _fold(name: str) -> str:
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())


def short_name(series_name: str, ordinal: int | None) -> str | None:
    """Shorten a part's title to the form ``Growing Tomatoes(3)``; None without a number."""
    return None if ordinal is None else f"{series_name}({ordinal})"
