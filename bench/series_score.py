"""Run the detection of series over a labelled corpus and print the scorer's figures.

usage: python bench/series_score.py CORPUS.jsonl SCORE.py [--held BLOG]... [--time]

The corpus and its scorer are not part of the project. Detection sees the posts of one blog at a
time, and of each only id, title, published, tags and categories. With ``--held`` the figures are
printed for the blogs named, for the others, and for all.
"""

# ruff: noqa: INP001, T201, S603 - a script, which prints, and runs the scorer that it is given

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from kbexport.models import CollatedPost
from kbexport.series.detect import detect_series

Row = dict[str, Any]
FIGURES = (
    "pair_macro_F1",
    "pair_micro_F1",
    "bcubed_F1",
    "ordinal_acc",
    "order_adjacent",
    "false_series_rate",
    "false_series_standalone",
)


def predict(rows: Sequence[Row]) -> Iterator[Row]:
    """Predict the rows of one blog, as `kbexport series --jsonl` would print them."""
    posts = [
        CollatedPost(
            uid=row["id"],
            keys=(row["id"],),
            origins={},
            id=row["id"],
            title=row["title"],
            published=row["date"],
            tags=tuple(row["tags"]),
            categories=tuple(row["categories"]),
        )
        for row in rows
    ]
    places = {
        part.uid: (series.name, part.ordinal, position)
        for series in detect_series(posts)
        for position, part in enumerate(series.parts, 1)
    }
    for row in rows:
        name, ordinal, position = places.get(row["id"], (None, None, None))
        yield {
            "id": row["id"],
            "blog": row["blog"],
            "title": row["title"],
            "date": row["date"],
            "series": name,
            "ordinal": ordinal,
            "position": position,
        }


def score(scorer: Path, predicted: Sequence[Row], gold: Sequence[Row]) -> dict[str, Row]:
    """The figures of the scorer, view by view."""
    with tempfile.TemporaryDirectory() as folder:
        files = [Path(folder, name) for name in ("predicted.jsonl", "gold.jsonl")]
        for file, rows in zip(files, (predicted, gold), strict=True):
            file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        run = subprocess.run(
            [sys.executable, scorer, *files, "--json"], check=True, capture_output=True, text=True
        )
    views: dict[str, Row] = json.loads(run.stdout)
    return views


def main() -> None:
    """Read the arguments, predict, score, print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("scorer", type=Path)
    parser.add_argument("--held", action="append", default=[], help="a blog that was not looked at")
    parser.add_argument("--out", type=Path, help="keep the predictions in this file")
    arguments = parser.parse_args()

    gold = [json.loads(line) for line in arguments.corpus.read_text("utf-8").splitlines() if line]
    blogs: dict[str, list[Row]] = defaultdict(list)
    for row in gold:
        blogs[row["blog"]].append(row)
    began = time.perf_counter()
    predicted = {row["id"]: row for rows in blogs.values() for row in predict(rows)}
    took = time.perf_counter() - began
    print(f"{len(gold)} posts of {len(blogs)} blogs in {took:.1f} s")
    if arguments.out:
        arguments.out.write_text(
            "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in predicted.values()),
            "utf-8",
        )

    held = set(arguments.held)
    halves = [("all", set(blogs))] + (
        [("tuned", set(blogs) - held), ("held out", held)] if held else []
    )
    print(f"{'view multipart':24}" + "".join(f"{name:>12}" for name, _ in halves))
    views = [
        score(arguments.scorer, [predicted[r["id"]] for r in rows], rows)["multipart"]
        for rows in ([r for r in gold if r["blog"] in half] for _, half in halves)
    ]
    for figure in FIGURES:
        cells = "".join(f"{view[figure] or 0:>12.4f}" for view in views)
        print(f"{figure:24}{cells}")


if __name__ == "__main__":
    main()
