"""How long a text takes to read, in whole minutes: too coarse to change with each small edit."""

from __future__ import annotations

import re

TAG = re.compile(r"<[^<>]*>")
WIDE = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]+")
"""Runs of scripts that are written without spaces, read by the sign and not by the word."""

SIGNS = 400
"""Signs of such a script that are read in a minute."""
WORDS = 220
"""Words that are read in a minute; code counts as words."""


def reading_time(markdown: str | None, html: str | None) -> float:
    """Minutes that a body takes; 0 where there is none."""
    text = markdown or TAG.sub(" ", html or "")
    signs = sum(len(run) for run in WIDE.findall(text))
    words = len(WIDE.sub(" ", text).split())
    return signs / SIGNS + words / WORDS
