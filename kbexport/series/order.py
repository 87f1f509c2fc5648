"""The reading order of a series: numbers first, then dates; a burst of dates is an import."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

from kbexport.series.draft import Group, Member

BURST_SECONDS = 60.0
"""Posts that follow one another within a minute were imported, not written."""

_IMPORT_SECONDS = 120.0
"""Two numbered parts this close tell the direction of the import."""
_LATE = float("inf")
DateKey = tuple[float, str, int, str, str]
_ABSURD = 20
"""So many missing numbers for each known one mean that the numbers count something else."""


def imports_run_backwards(groups: Iterable[Group]) -> bool:
    """Learn from numbered parts published within one burst which way this blog was imported."""
    forwards = backwards = 0
    for group in groups:
        known = [m for m in group.members if m.ordinal is not None and m.entry.seconds is not None]
        known.sort(key=lambda m: (m.entry.seconds, m.ordinal, m.entry.uid))
        for a, b in pairwise(known):
            if 0 < _gap(a, b) <= _IMPORT_SECONDS:
                forwards += _number(a) < _number(b)
                backwards += _number(a) > _number(b)
    return backwards > forwards


def reading_order(group: Group, *, backwards: bool) -> tuple[tuple[Member, ...], bool]:
    """The members in reading order, and whether dates alone gave it."""
    numbered = sorted((m for m in group.members if m.ordinal is not None), key=_by_number)
    others = _by_date([m for m in group.members if m.ordinal is None], backwards=backwards)
    if not numbered:
        return tuple(others), True
    order = numbered
    for member in others:
        order.insert(_place(member, order), member)
    return tuple(order), False


def _place(member: Member, order: Sequence[Member]) -> int:
    """Find the place before the first part of a later date; the front if there are no dates."""
    when = _when(member)
    if all(_when(m) == _LATE for m in (member, *order)):
        return next(i for i, m in enumerate(order) if m.ordinal is not None)
    return next((i for i, m in enumerate(order) if _when(m) > when), len(order))


def _when(member: Member) -> float:
    return _LATE if member.entry.seconds is None else member.entry.seconds


def _by_number(member: Member) -> tuple[float, DateKey]:
    return _number(member), _date_key(member)


def _number(member: Member) -> float:
    return _LATE if member.ordinal is None else member.ordinal


def _date_key(member: Member) -> DateKey:
    # Within one moment the source's own ids mostly count up.
    return (_when(member), *_natural(member.entry.post.id), member.entry.uid)


def _natural(text: str | None) -> tuple[str, int, str]:
    """Split a trailing number off, so that `post-10` follows `post-9`."""
    plain = text or ""
    head = plain.rstrip("0123456789")
    digits = plain[len(head) :]
    return head, int(digits[-18:] or 0), digits


def _gap(a: Member, b: Member) -> float:
    return (b.entry.seconds or 0.0) - (a.entry.seconds or 0.0)


def _by_date(members: Sequence[Member], *, backwards: bool) -> list[Member]:
    """By date; bursts are turned round where imports run backwards."""
    order: list[Member] = []
    burst: list[Member] = []
    for member in sorted(members, key=_date_key):
        if burst and not _same_burst(burst[-1], member):
            order.extend(_turned(burst, backwards=backwards))
            burst = []
        burst.append(member)
    order.extend(_turned(burst, backwards=backwards))
    return order


def _same_burst(a: Member, b: Member) -> bool:
    # A bare day has no minute, so two posts of one day are no burst.
    timed = all("T" in (m.entry.post.published or "") for m in (a, b))
    return timed and _gap(a, b) <= BURST_SECONDS


def _turned(burst: list[Member], *, backwards: bool) -> list[Member]:
    return burst[::-1] if backwards and len(burst) > 1 else burst


def gaps_of(ordinals: Iterable[int]) -> tuple[tuple[int, int], ...]:
    """List the runs of numbers between 1 and the last one that no part has, as (first, last).

    Numbers that count something else, such as years, have no gaps worth naming.
    """
    present = sorted({0, *ordinals})
    runs = [(a + 1, b - 1) for a, b in pairwise(present) if b - a > 1]
    missing = sum(last - first + 1 for first, last in runs)
    return () if missing > _ABSURD * len(present) else tuple(runs)
