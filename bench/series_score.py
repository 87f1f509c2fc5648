"""Run the detection of series over a labelled corpus and print the scorer's figures.

usage: python bench/series_score.py CORPUS SCORE.py [--blogs] [--errors tuned|held|BLOG]

The corpus (JSON lines, or the text of `tests/series/invented-*.txt`) and its scorer need not be
part of the project. `kbexport series --jsonl -` sees the posts of one blog at a time, and of each
only id, title, published, tags and categories. Figures are printed for all blogs and for two
halves: rules may be made from the errors of the tuned half, those of the other half are not to be
looked at.
"""

# ruff: noqa: INP001, T201, S603 - a script, which prints, and runs the scorer that it is given

from __future__ import annotations

import argparse
import json
import runpy
import subprocess
import sys
import tempfile
import time
import zlib
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

Row = dict[str, Any]
CORPORA = Path(__file__).parent.parent / "tests" / "series" / "corpora.py"
read_corpus = runpy.run_path(str(CORPORA))["read_corpus"]
WANTED = {
    "pair_macro_F1": 0.96,
    "bcubed_F1": 0.993,
    "ordinal_acc": 0.99,
    "order_adjacent": 0.935,
    "false_series_rate": 0.0015,
}
"""What the labelled blogs of the development half have to reach; the last one is a limit."""
GIVEN = {
    "id": "id",
    "title": "title",
    "published": "date",
    "tags": "tags",
    "categories": "categories",
}
"""What detection is given: the field of the interchange format, and that of the corpus."""
FIGURES = (
    ("macro F1", "pair_macro_F1"),
    ("micro F1", "pair_micro_F1"),
    ("B-cubed", "bcubed_F1"),
    ("ordinals", "ordinal_acc"),
    ("order", "order_adjacent"),
    ("false %", "false_series_rate"),
    ("false", "false_series_standalone"),
)


def predict(rows: Sequence[Row]) -> Iterator[Row]:
    """Predict the rows of one blog, by `kbexport series --jsonl` as a user would run it."""
    lines = [json.dumps({key: row[name] for key, name in GIVEN.items()}) for row in rows]
    run = subprocess.run(
        [sys.executable, "-m", "kbexport", "series", "--jsonl", "--format", "jsonl", "-"],
        input="\n".join(lines).encode(),
        check=True,
        stdout=subprocess.PIPE,
    )
    found = {row["id"]: row for row in map(json.loads, run.stdout.splitlines())}
    for row in rows:
        mine = found[row["id"]]
        yield {
            "id": row["id"],
            "blog": row["blog"],
            "title": row["title"],
            "date": row["date"],
            "series": mine["series"],
            "ordinal": mine["ordinal"],
            "position": _position(mine, found),
        }


def _position(row: Row, found: dict[str, Row]) -> int | None:
    """The place in its series, counted back over the neighbours that the output names."""
    if row["series"] is None:
        return None
    place = 1
    while row["prev"] is not None:
        row, place = found[row["prev"]], place + 1
    return place


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


def is_held_out(blog: str) -> bool:
    """Whether the blog is in the half whose errors nobody looks at."""
    return zlib.crc32(blog.encode()) % 2 == 0


def errors(gold: Sequence[Row], predicted: dict[str, Row]) -> Iterator[str]:
    """Series of the gold that came apart or lost a number, and posts that were grouped wrongly."""
    blogs: dict[tuple[str, str], list[Row]] = defaultdict(list)
    sizes = Counter((row["blog"], row["series"]) for row in gold if row["series"])
    wrong: dict[tuple[str, str], list[Row]] = defaultdict(list)
    for row in gold:
        mine = predicted[row["id"]]
        if sizes[row["blog"], row["series"]] > 1:
            blogs[row["blog"], row["series"]].append(row)
        elif mine["series"] and not row.get("ambiguous"):
            wrong[row["blog"], mine["series"]].append(row)
    for (blog, name), rows in sorted(blogs.items()):
        found = Counter(predicted[row["id"]]["series"] for row in rows)
        whole = len(found) == 1 and None not in found
        right = all(row["ordinal"] in (None, predicted[row["id"]]["ordinal"]) for row in rows)
        if (whole and right) or not any(row["recoverable"] for row in rows):
            continue
        yield f"--- {blog}: {name} ({rows[0]['kind']})"
        yield from (_line(row, predicted[row["id"]]) for row in rows)
    for (blog, name), rows in sorted(wrong.items()):
        yield f"+++ {blog}: {name}"
        yield from (_line(row, predicted[row["id"]]) for row in rows)


def _line(row: Row, mine: Row) -> str:
    unfair = "" if row["recoverable"] else " (not recoverable)"
    tags = ", ".join([*row["tags"], *row["categories"]])
    read = f"{mine['series']}/{mine['ordinal']}"
    return f"  {row['ordinal']!s:>4} {row['date']} {row['title']} {{{tags}}} -> {read}{unfair}"


def main() -> None:
    """Read the arguments, predict, score, print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("scorer", type=Path)
    parser.add_argument("--blogs", action="store_true", help="the figures of each blog, too")
    parser.add_argument("--errors", help="what was read wrongly in `tuned`, `held` or one blog")
    parser.add_argument("--check", action="store_true", help="fail where a figure is too low")
    parser.add_argument("--out", type=Path, help="keep the predictions in this file")
    arguments = parser.parse_args()

    gold = read_corpus(arguments.corpus)
    blogs: dict[str, list[Row]] = defaultdict(list)
    for row in gold:
        blogs[row["blog"]].append(row)
    began = time.perf_counter()
    predicted = {row["id"]: row for rows in blogs.values() for row in predict(rows)}
    took = time.perf_counter() - began
    print(f"{len(gold)} posts of {len(blogs)} blogs in {took:.1f} s")
    if arguments.out:
        lines = (json.dumps(row, ensure_ascii=False) + "\n" for row in predicted.values())
        arguments.out.write_text("".join(lines), "utf-8")

    held = {blog for blog in blogs if is_held_out(blog)}
    halves = {"all": set(blogs), "tuned": set(blogs) - held, "held": held}
    if arguments.errors:
        chosen = halves.get(arguments.errors, {arguments.errors})
        print("\n".join(errors([row for row in gold if row["blog"] in chosen], predicted)))
        return
    columns = {**halves, **({b: {b} for b in sorted(blogs)} if arguments.blogs else {})}
    figures = {
        name: score(arguments.scorer, [predicted[row["id"]] for row in rows], rows)["multipart"]
        for name, half in columns.items()
        if (rows := [row for row in gold if row["blog"] in half])
    }
    print(f"{'view multipart':32}" + "".join(f"{title:>10}" for title, _ in FIGURES))
    for name, view in figures.items():
        cells = "".join(f"{view[figure] or 0:>10.4f}" for _, figure in FIGURES)
        print(f"{name:32}{cells}")
    missed = [figure for figure in WANTED if not _is_reached(figure, figures["all"][figure])]
    if arguments.check and missed:
        sys.exit(f"not reached: {', '.join(f'{figure} {WANTED[figure]}' for figure in missed)}")


def _is_reached(figure: str, value: float) -> bool:
    limit = WANTED[figure]
    return value <= limit if figure == "false_series_rate" else value >= limit


if __name__ == "__main__":
    main()
