from __future__ import annotations

import runpy
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest

from kbexport.models import CollatedPost
from kbexport.series.detect import detect_series

HERE = Path(__file__).parent
Row = dict[str, Any]
READ_CORPUS = runpy.run_path(str(HERE / "series" / "corpora.py"))["read_corpus"]


def blogs() -> dict[str, list[Row]]:
    """Return whole invented blogs in ten languages, with look-alikes that are no series."""
    found: dict[str, list[Row]] = defaultdict(list)
    for corpus in sorted((HERE / "series").glob("invented-*.txt")):
        for row in READ_CORPUS(corpus):
            found[row["blog"]].append(row)
    return found


def listed(series: dict[str, list[tuple[str, int | None]]]) -> list[list[tuple[str, int | None]]]:
    return sorted(series.values(), key=str)


@pytest.mark.parametrize("blog", sorted(blogs()))
def test_the_parts_of_an_invented_blog_are_in_the_order_that_a_reader_would_give(blog: str) -> None:
    rows = blogs()[blog]
    titles = {row["id"]: row["title"] for row in rows}
    posts = [
        CollatedPost(
            uid=row["id"],
            keys=(),
            origins={},
            title=row["title"],
            published=row["date"],
            tags=tuple(row["tags"]),
        )
        for row in rows
    ]
    wanted: dict[str, list[tuple[str, int | None]]] = defaultdict(list)
    for row in rows:
        if row["series"]:
            wanted[row["series"]].append((row["title"], row["ordinal"]))

    series = detect_series(posts).series
    found = {s.name: [(titles[p.uid], p.ordinal) for p in s.parts] for s in series}

    assert listed(found) == listed(wanted)
