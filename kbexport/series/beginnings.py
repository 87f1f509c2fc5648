"""Series without numbers and without a separator: three titles and more with one long beginning."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise, takewhile

from kbexport.series.draft import Draft, Entry, Group, Member
from kbexport.series.extras import SEPARATOR
from kbexport.series.names import fold, key_of, tidy, weight

_LEAST = 3
_WEIGHT = 9.0
"""As much as four telling Latin words, or nine Chinese characters."""
_MUCH = 0.4
"""So much of each title must be the beginning."""
_DAYS = 100.0
"""From each part to the next."""
_LETTER = re.compile(r"[A-Za-z0-9À-ɏЀ-ӿ]")
_LAST_WORD = re.compile(r"[A-Za-z0-9À-ɏЀ-ӿ.]+$")


def find_beginnings(draft: Draft) -> Draft:
    """Group free entries such as `The Whole Old Art of Growing Young Pears` and `… Plums`."""
    groups = [_group(run) for run in runs_of(draft.free) if not objection(run)]
    return draft.settle([*draft.groups, *groups])


def runs_of(entries: Sequence[Entry]) -> Iterator[list[Entry]]:
    """Split titles in alphabetical order where neighbours no longer begin alike."""
    ordered = sorted(entries, key=lambda entry: (fold(entry.title), entry.uid))
    run = list(ordered[:1])
    for before, entry in pairwise(ordered):
        if not _begin_alike([before, entry]):
            yield run
            run = []
        run.append(entry)
    yield run


def _begin_alike(entries: Sequence[Entry]) -> bool:
    shared = shared_beginning(entries)
    longest = max(len(key_of(entry.title)) for entry in entries)
    return weight(shared) >= _WEIGHT and len(key_of(shared)) >= _MUCH * longest


def shared_beginning(entries: Sequence[Entry]) -> str:
    """Return what the titles begin with, up to the end of a word."""
    plain = [fold(entry.title) for entry in entries]
    columns = takewhile(lambda signs: len(set(signs)) == 1, zip(*plain, strict=False))
    shared = "".join(signs[0] for signs in columns)
    # Chinese may be cut anywhere, a Latin word may not.
    inside = any(_LETTER.match(title, len(shared)) for title in plain)
    return _LAST_WORD.sub("", shared) if inside else shared


def objection(run: Sequence[Entry]) -> str:
    """What speaks against titles that begin alike as a series; empty where nothing does."""
    if len({fold(entry.title) for entry in run}) < _LEAST or not _begin_alike(run):
        return "fewer than three titles begin with it at length"
    beginning = shared_beginning(run)
    length = len(beginning)
    if SEPARATOR.search(beginning):
        return "what stands before its separator is the name"
    # `Notes on Trowel 2.1` counts versions, `Report of 2020` years.
    if any(fold(entry.title)[length:].lstrip()[:1].isdecimal() for entry in run):
        return "a number follows, such as a version or a year"
    days = sorted(entry.day for entry in run if entry.day is not None)
    soon = all(b - a <= _DAYS for a, b in pairwise(days))
    return "" if soon else "the dates lie too far apart"


def _group(run: Sequence[Entry]) -> Group:
    length = len(shared_beginning(run))
    name = tidy(run[0].title[:length])
    why = f"{len(run)} titles begin with “{name}”"
    members = (Member(e, name, None, tidy(e.title[length:]), why) for e in run)
    return Group(tuple(members), name)
