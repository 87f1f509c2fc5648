"""Read labelled corpora: the scorer's JSON lines, and the invented blogs beside this file."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

Row = dict[str, Any]
_POST = re.compile(r"(?P<date>\S+) (?P<ordinal>\d+|-) (?P<title>.*?)(?: \{(?P<tags>[^{}]*)\})?")


def read_corpus(path: Path) -> list[Row]:
    """Read the posts of a corpus with their right answers, as the scorer wants them."""
    lines = path.read_text("utf-8").splitlines()
    if path.suffix == ".txt":
        return _invented(lines)
    return [json.loads(line) for line in lines if line]


def _invented(lines: list[str]) -> list[Row]:
    rows: list[Row] = []
    blog = language = ""
    series: str | None = None
    for line in lines:
        if line.startswith("## "):
            blog, language = line[3:].split()
        elif line.startswith("= "):
            series = None if line[2:] == "-" else line[2:]
        elif line and not line.startswith("#"):
            rows.append(_row(line, blog, language, series, len(rows)))
    return rows


def _row(line: str, blog: str, language: str, series: str | None, number: int) -> Row:
    match = _POST.fullmatch(line)
    if match is None:
        raise ValueError(line)
    return {
        "blog": blog,
        "lang": language,
        "id": f"{blog}-{number:03}",
        "title": match["title"],
        "date": match["date"],
        "tags": match["tags"].split(", ") if match["tags"] else [],
        "categories": [],
        "series": series,
        "ordinal": None if match["ordinal"] == "-" else int(match["ordinal"]),
        "kind": "multipart" if series else None,
        "recoverable": True,
        "ambiguous": False,
    }
