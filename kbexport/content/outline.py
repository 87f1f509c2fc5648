"""A body as an outline: each of its blocks a bullet, as Logseq keeps its pages.

Rules: `formats.md`, section 6, `logseq`: paragraphs are bullets below their heading, depth by tabs;
further lines of a block are indented by the tabs and two spaces.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import groupby

from kbexport.content.blocks import Block, parse_blocks
from kbexport.content.escape import ZERO_WIDTH
from kbexport.content.lines import continuation
from kbexport.content.marks import Container

BELOW_TITLE = 1
"""The depth of what stands before the first heading: below the title."""


def outline(markdown: str) -> str:
    """An inert body -> the same blocks as bullets, of which none is empty."""
    writer = _Writer()
    for _, blocks in groupby(parse_blocks(markdown), key=_unit):
        writer.add(list(blocks))
    return "\n".join(writer.lines)


def _unit(block: Block) -> object:
    """What is one bullet: a quote with all in it, else each block by itself."""
    return _quote_around(block) or id(block)


def _quote_around(block: Block) -> Container | None:
    return next((one for one in block.within if one.kind == "quote"), None)


@dataclass
class _Writer:
    lines: list[str] = field(default_factory=list)
    headings: list[int] = field(default_factory=list)
    """The levels of the headings that the next block is below."""
    seen: set[Container] = field(default_factory=set)
    """The list items that have a bullet."""

    def add(self, blocks: list[Block]) -> None:
        """Append a block, or the blocks of one quote."""
        first, quote = blocks[0], _quote_around(blocks[0])
        items = first.within[: first.within.index(quote)] if quote else first.within
        width = sum(item.width for item in items)
        lines = [line for block in blocks for line in _written(block, width if quote else None)]
        while lines and lines[-1].strip(" >") in ("", ZERO_WIDTH):
            lines.pop()
        if not lines:
            return
        if first.kind == "heading" and not first.within:
            level = len(first.info)
            self.headings = [one for one in self.headings if one < level]
            self._bullet(len(self.headings), lines)
            self.headings.append(level)
            return
        mark = self._mark(items)
        if mark and first.kind == "text" and not quote:
            lines[0] = f"{mark} {lines[0]}"
        elif mark:
            # What is more than text would not be read behind a number.
            self._bullet(self._depth(items), [mark])
            self.seen.add(items[-1])
        self._bullet(self._depth(items), lines)
        self.seen.update(items[-1:])

    def _mark(self, items: tuple[Container, ...]) -> str:
        """The number of a list item as text, since bullets have none; before its first block."""
        mark = items[-1].mark if items and items[-1] not in self.seen else ""
        return mark[:-1] + r"\." if mark.endswith(".") else mark

    def _depth(self, items: tuple[Container, ...]) -> int:
        below = len(self.headings) or BELOW_TITLE
        return below + sum(item in self.seen for item in items)

    def _bullet(self, depth: int, lines: list[str]) -> None:
        tabs = "\t" * depth
        self.lines.append(
            f"{tabs}- {lines[0]}".rstrip() if len(lines) == 1 else f"{tabs}- {lines[0]}"
        )
        self.lines += [f"{tabs}  {line}" if line else "" for line in lines[1:]]


def _written(block: Block, width: int | None) -> Iterator[str]:
    """The lines of a block; one in a quote keeps its marks behind those of the items around it."""
    prefix = "" if width is None else block.prefixes[0][width:] if block.prefixes else ""
    rest = continuation(prefix)
    lines = _content(block)
    if block.kind == "blank" and width is None:
        return
    for number, line in enumerate(lines):
        before = rest if number else prefix
        yield before + line if line else before.rstrip()


def _content(block: Block) -> list[str]:
    match block.kind:
        case "code":
            mark = block.sign * block.length
            return [mark + block.info, *block.lines, mark]
        case "heading":
            return [f"{block.info} {block.lines[0]}".rstrip()]
        case "rule":
            return ["***"]
        case "table":
            return [row if row.startswith("|") else f"| {row}" for row in block.lines]
    return block.lines
