"""HTML of a post -> Markdown, through turbohtml.

The tree is normalised first (`normalise.py`), the lines are laid out behind (`layout.py`); what
comes out is Markdown that still has to go through `inert_markdown`. Nothing else in kbexport
converts HTML.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import turbohtml
from turbohtml import Markdown

from kbexport.content.blocks import parse_blocks
from kbexport.content.conversion import Conversion, without_private_signs
from kbexport.content.emphasis import emphasis_converters
from kbexport.content.escape import clean
from kbexport.content.highlight import code_texts
from kbexport.content.layout import laid_out
from kbexport.content.links import resolve_addresses
from kbexport.content.normalise import normalise
from kbexport.content.tails import without_tail


@dataclass(frozen=True)
class Converted:
    """A body that was HTML."""

    markdown: str
    """Markdown without an empty line at either end, not yet inert."""
    problems: tuple[str, ...] = ()
    """What could not be kept, in words for the report."""


def convert_html(html: str, *, base_url: str | None = None) -> Converted:
    """A fragment or the body of a page -> Markdown, and what of it could not be kept.

    Relative addresses are resolved where ``base_url``, the page's own, is known.
    """
    document = turbohtml.parse(_prepared(html))
    conversion = Conversion(base_url or "")
    normalise(document, conversion)
    blocks = code_texts(document)
    markdown = laid_out(document.to_markdown(_OPTIONS))
    markdown = without_tail(conversion.restored(markdown).strip("\n"), conversion.base_url)
    for text in _missing(blocks, markdown):
        conversion.problem(f"a block of code is not kept as it was: {text.strip()[:40]!r}")
    return Converted(markdown, tuple(conversion.problems))


def html_to_markdown(html: str, *, base_url: str | None = None) -> str:
    """The Markdown of `convert_html` alone."""
    return convert_html(html, base_url=base_url).markdown


def html_to_text(html: str) -> str:
    """HTML of a title or an excerpt -> its plain text on one line."""
    document = turbohtml.parse(_prepared(html))
    for node in document.select("script, style, template, noscript"):
        node.decompose()
    for node in document.select("br, p, div, li, td, h1, h2, h3, h4, h5, h6"):
        node.insert_after(turbohtml.Text(" "))
    return " ".join(document.text.split())


def absolute_addresses(html: str, base_url: str) -> str:
    """HTML whose links and pictures no longer depend on the address that it came from."""
    document = turbohtml.parse(html)
    resolve_addresses(document, Conversion(base_url))
    body = document.select_one("body")
    return body.inner_html if body else html


def _prepared(html: str) -> str:
    """HTML to be parsed as a body: at its top, a script would else fall into the page's head."""
    return "<body>" + without_private_signs(clean(html))


def _missing(blocks: list[str], markdown: str) -> list[str]:
    """The blocks of code that a reader of the Markdown does not find in it, letter for letter."""
    if not blocks:
        return []
    found = Counter(
        "\n".join(block.lines) for block in parse_blocks(markdown) if block.kind == "code"
    )
    return list((Counter(blocks) - found).elements())


_OPTIONS = Markdown(
    lists=Markdown.Lists(bullets="*"),
    tables=Markdown.Tables(cell_blocks="text"),
    converters=emphasis_converters(),
)
