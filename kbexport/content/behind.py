"""Lines that begin with a tag or a formula: behind it Logseq begins a block (`formats.md`, 5)."""

from __future__ import annotations

import re

from kbexport.content.escape import PIECE, neutralise_start
from kbexport.content.labels import Piece


def quiet_behind_tags(lines: list[str], pieces: list[Piece]) -> list[str]:
    """Lines in which no block starts behind a tag or a formula."""
    result, seen = [], 0
    for line in lines:
        first, *parts = re.split(f"(?<={PIECE})", line)
        own = pieces[seen : seen + len(parts)]
        seen += len(parts)
        starts = first == PIECE and _is_tag(own[0])
        result.append(first + "".join(_quiet(parts, own) if starts else parts))
    return result


def _quiet(parts: list[str], pieces: list[Piece]) -> list[str]:
    """The text behind each piece; once words stand outside of all tags, nothing starts there."""
    result: list[str] = []
    depth, words = 0, False
    for part, piece in zip(parts, pieces, strict=True):
        if _is_tag(piece):
            depth += 0 if piece.startswith(("<br", "$$")) else -1 if piece.startswith("</") else 1
        result.append(part if words or not _is_tag(piece) else _quiet_start(part))
        words = words or (depth <= 0 and bool(part.strip(f" {PIECE}")))
    return result


def _is_tag(piece: Piece) -> bool:
    return type(piece) is Piece and piece.startswith(("<", "$$"))


def _quiet_start(part: str) -> str:
    words = part.lstrip()
    if not words.strip("*~"):
        return part  # the end of emphasis
    start = part[: len(part) - len(words)]
    return start + neutralise_start(words, logseq=True, first=False)
