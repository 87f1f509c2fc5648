"""Stamps of an import: many posts within moments, none of which tells when it was written."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta

_GAP = timedelta(seconds=60)
"""Posts that follow one another within a minute were imported, not written."""
_LEAST = 3
"""So many posts in a row make an import; two may have been written beforehand."""


def import_stamps(published: Iterable[tuple[str, str | None]]) -> frozenset[str]:
    """Which of these dates are stamps of an import; each stands with the id of its post."""
    moments = sorted(
        (datetime.fromisoformat(stamp).replace(tzinfo=None), uid, stamp)
        for uid, stamp in set(published)
        if stamp and "T" in stamp
    )
    return frozenset(
        stamp
        for burst in _bursts(moments)
        if len({uid for _, uid, _ in burst}) >= _LEAST
        for _, _, stamp in burst
    )


def _bursts(
    moments: Sequence[tuple[datetime, str, str]],
) -> Iterator[list[tuple[datetime, str, str]]]:
    burst: list[tuple[datetime, str, str]] = []
    for moment in moments:
        if burst and moment[0] - burst[-1][0] > _GAP:
            yield burst
            burst = []
        burst.append(moment)
    if burst:
        yield burst
