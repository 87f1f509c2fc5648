"""The reading order of a series: numbers first, then dates; a burst of dates is an import."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, pairwise

from kbexport.series.draft import Group, Member
from kbexport.series.extras import closes, opens

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
    order = tuple(_merged(numbered, others)) if numbered else tuple(others)
    order = _linked(order)
    if group.ranks:
        ranks = dict(group.ranks)
        return tuple(sorted(order, key=lambda m: ranks.get(m.entry.uid, _LATE))), False
    inferred = not numbered and any(b.entry.previous != a.entry.uid for a, b in pairwise(order))
    return order, inferred


def _linked(order: Sequence[Member]) -> tuple[Member, ...]:
    """Put each part without a number right behind the part that a text names as the one before."""
    known = {member.entry.uid for member in order}
    behind: dict[str, list[Member]] = defaultdict(list)
    heads: list[Member] = []
    for member in order:
        before = member.entry.previous
        follows = member.ordinal is None and before in known
        (behind[before or ""] if follows else heads).append(member)
    found: dict[str, Member] = {}
    # Where texts lead in a circle, nobody is its head; so whoever is left begins anew.
    for head in (*heads, *order):
        waiting = [head]
        while waiting:
            member = waiting.pop()
            if member.entry.uid not in found:
                found[member.entry.uid] = member
                waiting.extend(behind[member.entry.uid][::-1])
    return tuple(found.values())


def _merged(numbered: Sequence[Member], others: Sequence[Member]) -> Iterator[Member]:
    """Put each part without a number before the first number of a later date."""
    latest = list(accumulate(map(_when, numbered), max))
    undated = latest[-1:] == [_LATE] and latest[0] == _LATE
    waiting: dict[int, list[Member]] = defaultdict(list)
    for member in others:
        waiting[bisect_right(latest, _moment(member, undated=undated))].append(member)
    for place, member in enumerate(numbered):
        yield from waiting[place]
        yield member
    yield from waiting[len(numbered)]


def _moment(member: Member, *, undated: bool) -> float:
    """When a part without a number belongs: at its date, as far as that tells.

    Within one burst, and where there is no date, a preface stands in front and a finale at the
    end; where the series has no dates at all, so does any other part in front, as overviews do.
    """
    when = _when(member)
    if opens(member.part):
        return when - BURST_SECONDS if when < _LATE else -_LATE
    if closes(member.part):
        return when + BURST_SECONDS
    return -_LATE if undated and when == _LATE else when


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


def gaps_of(
    ordinals: Sequence[int], total: int | None = None, elsewhere: Iterable[int] = ()
) -> tuple[tuple[int, int], ...]:
    """List the runs of numbers between 1 and the last one that no part has, as (first, last).

    The last one is ``total`` where the source states how many parts there are. Numbers that are
    ``elsewhere`` are not missing. Numbers that count something else, such as years, have no gaps
    worth naming.
    """
    last = max(ordinals, default=0)
    present = sorted({0, *ordinals, *(number for number in elsewhere if number < last)})
    ends = (*present, total + 1) if total is not None and total > last else present
    runs = [(a + 1, b - 1) for a, b in pairwise(ends) if b - a > 1]
    missing = sum(last - first + 1 for first, last in runs)
    return () if missing > _ABSURD * len(present) else tuple(runs)
