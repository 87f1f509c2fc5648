"""Weeklies and the like without issue numbers: one name, and a date or the week's subjects."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from itertools import pairwise

from kbexport.series.draft import Draft, Entry, Group, Member
from kbexport.series.names import fold, key_of, tidy
from kbexport.series.numbered import usual_name

_LEAST = 3
_DIFFERENT = 0.8
"""So many dates must differ; one may be mistyped."""
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
        member = issue_of(entry)
        if member is not None:
            issues[key_of(member.name)].append(member)
    found = [
        Group(tuple(members), usual_name([m.name for m in members]))
        for _, members in sorted(issues.items())
        if not objection(members)
    ]
    return draft.settle([*draft.groups, *found])


def issue_of(entry: Entry) -> Member | None:
    """The title as an issue of a periodical, if it can be read so."""
    title, plain = entry.title, fold(entry.title)
    dated = _DATED.match(plain)
    if dated is not None:
        start, end = dated.span("name") if dated["name"] else dated.span("behind")
        name, date = tidy(title[start:end]), tidy(title[:start] + title[end:])
        return Member(entry, name, None, date, f"the title is “{name}” and a date")
    head = _HEAD.search(plain)
    if head is not None and _PERIOD.search(plain[: head.start()]):
        name, part = tidy(title[: head.start()]), tidy(title[head.end() :])
        return Member(entry, name, None, part, f"the title names the periodical “{name}”")
    return None


def objection(members: Sequence[Member]) -> str:
    """What speaks against posts of one name as a periodical; empty where nothing does."""
    issues = len({key_of(m.part) for m in members})
    if issues < max(_LEAST, _DIFFERENT * len(members)):
        return "fewer than three posts have this name and a date of their own"
    days = sorted(m.entry.day for m in members if m.entry.day is not None)
    steps = sorted(b - a for a, b in pairwise(days))
    often = not steps or steps[len(steps) // 2] <= _DAYS
    return "" if often else "its issues lie too far apart"
