"""The lines of an extracted listing page, freed of what a clipper wrote around their words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from kbexport.readers.cto51 import meta as meta_line
from kbexport.readers.cto51 import noise
from kbexport.text.clean import one_line
from kbexport.text.markup import links_alone, unescaped
from kbexport.text.urls import web_address

_HEADING = re.compile(r"#{1,6}\s+")


@dataclass(frozen=True)
class Line:
    """A line that is not blank."""

    number: int
    """As an editor counts."""
    text: str
    """The line with single spaces; of a link its words."""
    url: str | None = None
    """Where it leads, if a clipper kept the link."""


def split_lines(text: str) -> list[Line]:
    """The lines that are not blank; a label and its number on two lines are one.

    Clippers keep headings and links of the page as Markdown: `### [title](address)`, and tags as
    one link behind the other.
    """
    raw = [Line(number, one_line(line)) for number, line in enumerate(text.split("\n"), 1)]
    clipped = any(_HEADING.match(line.text) and _links(line) for line in raw)
    lines: list[Line] = []
    for line in (piece for whole in raw for piece in _pieces(whole, clipped=clipped)):
        if not line.text or noise.is_cover_mark(line.text):
            continue
        if lines and lines[-1].text in meta_line.LABELS and meta_line.is_number(line.text):
            lines[-1] = Line(lines[-1].number, f"{lines[-1].text} {line.text}")
        else:
            lines.append(line)
    return lines


def _pieces(line: Line, *, clipped: bool) -> Iterator[Line]:
    if links := _links(line):
        yield from links
    elif clipped:
        yield Line(line.number, unescaped(_HEADING.sub("", line.text, count=1)))
    else:
        yield line


def _links(line: Line) -> list[Line]:
    """The links of a line that consists of them; empty if one of them leads nowhere."""
    if "](" not in line.text:
        return []
    heading = _HEADING.match(line.text)
    found = links_alone(line.text[heading.end() if heading else 0 :])
    links = [Line(line.number, one_line(link.text), web_address(link.address)) for link in found]
    return links if all(link.url for link in links) else []
