"""The contract of the conversion: what becomes of each construct that blogs are written in.

`constructs/*.txt` holds them: a name, the HTML in the markup of its site, and the Markdown that has
to come out behind the whole chain. Another converter may take turbohtml's place if it passes here.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from markdown_it import MarkdownIt

from kbexport.content.html import html_to_markdown
from kbexport.content.inert import inert_markdown

READER = MarkdownIt("commonmark").enable("table")
BASE = "https://b.example/p/1"
CONSTRUCT = re.compile(r"^=== (.+)\n((?s:.*?))\n---->\n((?s:.*?))(?=\n=== |\Z)", re.MULTILINE)


def constructs() -> list[tuple[str, str, str]]:
    """Name, HTML and Markdown of every construct; names say where a case stands."""
    return [
        (f"{file.stem}: {name}", html, markdown.rstrip("\n"))
        for file in sorted((Path(__file__).parent / "constructs").glob("*.txt"))
        for name, html, markdown in CONSTRUCT.findall(file.read_text(encoding="utf-8"))
    ]


CONSTRUCTS = constructs()
each_construct = pytest.mark.parametrize(
    ("name", "html", "markdown"), CONSTRUCTS, ids=[name for name, _, _ in CONSTRUCTS]
)


def test_names_of_constructs_are_unique() -> None:
    names = [name for name, _, _ in CONSTRUCTS]

    assert len(names) > 100
    assert sorted(set(names)) == sorted(names)


@each_construct
def test_construct_arrives_as_it_was(name: str, html: str, markdown: str) -> None:
    body = inert_markdown(html_to_markdown(html, base_url=BASE), logseq=False).text

    assert body == markdown, name


def facts(markdown: str) -> list[tuple[str, str]]:
    """Code, headings, cells, links and pictures, as a CommonMark reader with tables sees them."""
    found = []
    for token in READER.parse(markdown):
        if token.type == "fence":
            found.append((token.info, token.content))
        found += [
            (child.type, str(child.attrGet("src") or child.attrGet("href")))
            for child in token.children or ()
            if child.type in ("image", "link_open")
        ]
        if token.type.endswith("_open"):
            found.append((token.tag, ""))
    return found


@each_construct
def test_construct_is_the_same_for_both_apps(name: str, html: str, markdown: str) -> None:
    source = html_to_markdown(html, base_url=BASE)
    both = inert_markdown(source, logseq=True).text

    assert [fact for fact in facts(both) if fact != ("p", "")] == [
        fact for fact in facts(markdown) if fact != ("p", "")
    ], name
    assert inert_markdown(both, logseq=True).text == both
