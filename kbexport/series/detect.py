"""From posts to series: read each title, let the posts confirm one another, order, relate."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from kbexport.config import SeriesRules
from kbexport.models import CollatedPost, LonePart, Part, Problem, RelatedSeries, Series
from kbexport.series.beginnings import find_beginnings
from kbexport.series.draft import Draft, Entry, Group, Member, read_entry
from kbexport.series.joining import join_continuing, join_generic
from kbexport.series.linked import join_linked, number_by_text, stated_total
from kbexport.series.lone import find_lone
from kbexport.series.nameless import find_nameless
from kbexport.series.neighbours import linked_posts, stated_neighbours
from kbexport.series.numbered import find_numbered, split_by_column
from kbexport.series.order import gaps_of, imports_run_backwards, reading_order
from kbexport.series.overrides import apply_rules, without_forbidden
from kbexport.series.periodicals import find_periodicals
from kbexport.series.related import relate
from kbexport.series.statements import IN_TEXT
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
    ("one name and a date", find_periodicals),
    ("numbers without a name", find_nameless),
    ("one long beginning", find_beginnings),
    ("a shared specific subject", find_unnumbered),
    ("halves of one of its parts", join_halves),
    ("one rare tag that all titles name", find_subjects),
    ("an overview of parts without numbers", join_unnumbered),
    ("links between parts", join_linked),
    ("numbers that texts state", number_by_text),
)
"""Surest first; a post that one step placed is not seen by the next."""


@dataclass(frozen=True, slots=True)
class Detection:
    """The series of a blog, and what is left over."""

    series: tuple[Series, ...]
    """Sorted by name, each in reading order; a post is in at most one."""
    lone: tuple[LonePart, ...]
    """Posts that look like parts and are in no series, by date."""
    problems: tuple[Problem, ...]
    """Rules of the user that match nothing, or cannot be followed."""


def detect_series(posts: Sequence[CollatedPost], rules: SeriesRules | None = None) -> Detection:
    """Find the series among ``posts``, as ``rules`` of the user correct them.

    The order of ``posts`` does not matter.
    """
    rules = rules or SeriesRules()
    entries = read_entries(posts)
    *_, (_, draft) = drafts(without_forbidden(entries, rules))
    groups, problems = apply_rules(name_apart(draft.groups), entries, rules)
    groups = name_apart(groups)
    backwards = imports_run_backwards(groups)
    related = relate(groups, linked_posts(posts))
    made = [_series(g, r, backwards=backwards) for g, r in zip(groups, related, strict=True)]
    series = tuple(sorted(made, key=lambda series: series.name))
    return Detection(series, find_lone(groups, without_forbidden(entries, rules)), tuple(problems))


def read_entries(posts: Sequence[CollatedPost]) -> list[Entry]:
    """The posts as detection sees them, by date."""
    before = stated_neighbours(posts)
    entries = _told_apart([read_entry(post, before.get(post.uid)) for post in posts])
    return sorted(entries, key=lambda entry: (entry.post.published or "9999", entry.uid))


def _told_apart(entries: Sequence[Entry]) -> list[Entry]:
    """The entries without what two texts say alike: one of them speaks of another part."""
    said = Counter((c.key, c.ordinal) for e in entries for c in e.readings if c.rule == IN_TEXT)
    return [
        replace(
            entry,
            readings=tuple(
                c for c in entry.readings if c.rule != IN_TEXT or said[c.key, c.ordinal] == 1
            ),
        )
        for entry in entries
    ]


def drafts(entries: Sequence[Entry]) -> Iterator[tuple[str, Draft]]:
    """The state of detection after each step, and the step's name."""
    draft = Draft((), tuple(entries))
    for name, step in STEPS:
        draft = step(draft)
        yield name, draft


def _series(group: Group, related: tuple[RelatedSeries, ...], *, backwards: bool) -> Series:
    members, inferred = reading_order(group, backwards=backwards)
    return Series(
        name=group.name,
        parts=tuple(_part(member) for member in members),
        inferred_order=inferred,
        gaps=gaps_of(group.ordinals, stated_total(group), group.elsewhere),
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
        named.append(replace(group, name=name))
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
