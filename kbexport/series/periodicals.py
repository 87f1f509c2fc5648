"""Weeklies and the like without issue numbers: one name, and a date or the week's subjects."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import pairwise

from kbexport.series.draft import Draft, Entry, Group, Member
from kbexport.series.names import fold, key_of, tidy
from kbexport.series.numbered import usual_name

_LEAST = 3
_DAYS = 100.0
"""From each issue to the next; what comes once a year is a review."""
_DATE = (
    r"(?:(?:19|20)\d\d\s*[-./年]\s*\d{1,2}(?:\s*[-./月]\s*\d{1,2})?\s*[日月]?"
    r"|(?:19|20)\d{6}|\d{1,2}\s*月\s*\d{1,2}\s*日)"
)
_DATED = re.compile(
    rf"^(?P<name>.*?\w.*?)[\s(\[:,-]*(?<![\d.]){_DATE}[\s)\]]*$"
    rf"|^[\s(\[]*{_DATE}[\s)\]:,-]+(?P<behind>\S.*)$"
)
_PERIOD = re.compile(
    r"\b(?:weekly|biweekly|fortnightly|monthly|newsletter|digest|changelog|week\s+notes|weeknotes"
    r"|(?:week|month)\s+in\s+review|this\s+(?:week|month)\s+in)\b"
    r"|周刊|週刊|周报|週報|月刊|月报|月報|双周|雙週|주간|월간",
    re.IGNORECASE,
)
_HEAD = re.compile(r"\s*(?::|\s[-|]\s)\s*(?=\S)")


def find_periodicals(draft: Draft) -> Draft:
    """Group free entries such as `Garden Memo 2011-07-17` and `Weekly Update: slugs`."""
    issues: dict[str, list[Member]] = defaultdict(list)
    for entry in draft.free:
        member = next(_issue(entry), None)
        if member is not None:
            issues[key_of(member.name)].append(member)
    found = [
        Group(tuple(members), usual_name([m.name for m in members]))
        for _, members in sorted(issues.items())
        if not objection(members)
    ]
    return draft.settle([*draft.groups, *found])


def _issue(entry: Entry) -> Iterator[Member]:
    title = entry.title
    dated = _DATED.match(fold(title))
    if dated is not None:
        span = dated.span("name") if dated["name"] else dated.span("behind")
        name = tidy(title[slice(*span)])
        date = tidy(title[: span[0]] + title[span[1] :])
        yield Member(entry, name, None, date, f"the title is “{name}” and a date")
    head = _HEAD.search(fold(title))
    if head is not None and _PERIOD.search(title[: head.start()]):
        name, part = tidy(title[: head.start()]), tidy(title[head.end() :])
        yield Member(entry, name, None, part, f"the title names the periodical “{name}”")


def objection(members: Sequence[Member]) -> str:
    """What speaks against posts of one name as a periodical; empty where nothing does."""
    if len(members) < _LEAST or len({key_of(m.part) for m in members}) < len(members):
        return "fewer than three posts have this name and a date, or two have one"
    days = sorted(m.entry.day for m in members if m.entry.day is not None)
    steps = sorted(b - a for a, b in pairwise(days))
    often = not steps or steps[len(steps) // 2] <= _DAYS
    return "" if often else "its issues lie too far apart"
