"""Dates that count from the time of capture."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from kbexport.models import Problem
from kbexport.text.dates import is_relative, parse_moment


def lacks_capture(words: str | None, captured: date | None) -> bool:
    """Whether the date cannot be read for want of the day on which the page was taken."""
    return bool(words and is_relative(words) and not parse_moment(words, captured))


def undated(words: Sequence[str], source: str, captured: date | None) -> Problem:
    """The one report for all posts of a file that stay without a date, from their words."""
    if captured:
        reason = (
            f"no date for {len(words)} of the entries: one such as `{words[0]}`"
            " does not tell the day"
        )
        hint = "the articles themselves may have it"
    else:
        reason = (
            f"no date for {len(words)} of the entries: `{words[0]}`"
            " counts from a day that the file lacks"
        )
        hint = "save the page with SingleFile, which notes the day"
    return Problem(source=source, reason=reason, hint=hint, lost=False)
