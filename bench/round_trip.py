"""Measure what is left of an article when its HTML becomes Markdown and is read again.

usage: python bench/round_trip.py [--rounds 5] [--show NAME]

Invented articles in the markup of thirty sites (`tests/article_pages.py`) are converted, the
Markdown is read by markdown-it-py, and per cent kept is printed by kind; `no noise` is the share
of words that the author wrote. Speed is the least CPU time of all rounds. kbexport runs twice: as
far as the other converters go, and with the step that makes a note inert.

Others are measured beside it where they are installed: pip install html-to-markdown markdownify
"""

# ruff: noqa: INP001, T201 - a script, which prints

from __future__ import annotations

import argparse
import importlib
import sys
import time
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from article_pages import Page, pages
from reading import KINDS, kept, read

from kbexport.content.html import html_to_markdown
from kbexport.content.inert import inert_markdown

BASE = "https://blog.example/p/1"
WANTED = 99.0
Converter = Callable[[str], str]


def kbexport(html: str) -> str:
    """The Markdown of a note before it is made inert."""
    return html_to_markdown(html, base_url=BASE)


def kbexport_inert(html: str) -> str:
    """The Markdown of a note."""
    return inert_markdown(kbexport(html), logseq=False).text


def converters() -> dict[str, Converter]:
    """All converters that are installed, ours first."""
    found: dict[str, Converter] = {"kbexport": kbexport, "kbexport, inert": kbexport_inert}
    for name, module, function in [
        ("html-to-markdown", "html_to_markdown", "convert"),
        ("markdownify", "markdownify", "markdownify"),
    ]:
        try:
            convert = getattr(importlib.import_module(module), function)
        except ImportError:
            print(f"{name} is not installed, so it is not measured", file=sys.stderr)
        else:
            found[name] = partial(converted_by, convert)
    return found


def converted_by(convert: Callable[[str], object], html: str) -> str:
    """The Markdown that another converter gives back: a text, or an object that holds it."""
    result = convert(html)
    return result if isinstance(result, str) else str(getattr(result, "content", result))


def scores(convert: Converter, articles: list[Page]) -> dict[str, float]:
    """Per cent kept, by kind."""
    there: Counter[str] = Counter()
    wanted: Counter[str] = Counter()
    for page in articles:
        for kind, (found, of) in kept(page.facts, read(convert(page.html))).items():
            there[kind] += found
            wanted[kind] += of
    return {kind: 100 * there[kind] / wanted[kind] for kind in wanted}


def seconds(convert: Converter, articles: list[Page]) -> float:
    """CPU time for all pages."""
    start = time.process_time()
    for page in articles:
        convert(page.html)
    return time.process_time() - start


def main() -> None:
    """Convert, read, compare, print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--show", help="print the Markdown of one page, such as csdn-1")
    options = parser.parse_args()
    articles = pages()
    if options.show:
        print(*(kbexport_inert(page.html) for page in articles if page.name == options.show))
        return
    found = converters()
    size = sum(len(page.html.encode()) for page in articles)
    print(f"{len(articles)} pages, {size / 1000:.0f} KB\n")
    table = {name: scores(convert, articles) for name, convert in found.items()}
    times: dict[str, float] = dict.fromkeys(found, float("inf"))
    for _ in range(options.rounds):
        for name, convert in found.items():
            times[name] = min(times[name], seconds(convert, articles))
    print(f"{'per cent kept':16}" + "".join(f"{name:>18}" for name in found))
    for kind in (*KINDS, "no noise"):
        print(f"{kind:16}" + "".join(f"{row[kind]:18.1f}" for row in table.values()))
    print(
        f"{'ms a page':16}" + "".join(f"{1000 * t / len(articles):18.2f}" for t in times.values())
    )
    print(f"{'MB a second':16}" + "".join(f"{size / t / 1e6:18.2f}" for t in times.values()))
    worst = min(table["kbexport, inert"].values())
    print(f"\nworst kind of kbexport: {worst:.1f} (wanted {WANTED})")
    sys.exit(worst < WANTED)


if __name__ == "__main__":
    main()
