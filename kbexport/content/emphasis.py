"""Emphasis that every CommonMark reader sees, beside Chinese letters too.

A mark between a letter and punctuation opens or closes nothing, so an invisible sign goes in
between (`formats.md`, section 5).
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable

from turbohtml import Element, Node

from kbexport.content.conversion import CELL_BREAK, HELD_SIGNS, LINE_BREAK, PARAGRAPH
from kbexport.content.escape import ZERO_WIDTH

_MARKS = {"strong": "**", "b": "**", "em": "*", "i": "*", "del": "~~", "s": "~~", "strike": "~~"}
_KEPT = ("sub", "sup", "kbd", "u", "mark")
_SIGNS = {**dict.fromkeys(_KEPT, "<>"), "img": "!)", "code": "``", "a": "[)", "br": "  "}
EDGES = " \t\n" + PARAGRAPH + CELL_BREAK + LINE_BREAK
MARKED = {*_MARKS, *_KEPT}
"""Elements that this module writes."""
INLINE = {
    *_MARKS,
    *_KEPT,
    *"span font a small big cite q abbr time ins dfn var label bdi bdo".split(),
}
"""Elements that stand within a line."""

Converter = Callable[[Element, str], str]
"""An element and the Markdown of its children -> its own Markdown."""


def emphasis_converters() -> dict[str, Converter]:
    """How emphasis and the few tags that stay are written."""
    return {
        **{tag: _marked(mark) for tag, mark in _MARKS.items()},
        **{tag: _tag(tag) for tag in _KEPT},
    }


def _marked(mark: str) -> Converter:
    def convert(element: Element, children: str) -> str:
        if not children.strip() or "\n\n" in children:
            return children
        # A mark may not reach over the end of a paragraph; there, an outer one may set a sign.
        parts = children.split(PARAGRAPH)
        nested = any(isinstance(box, Element) and box.tag in _MARKS for box in element.ancestors)
        ends = [ZERO_WIDTH if nested else ""] * (len(parts) - 1)
        before, after = [_last(element), *ends], [*ends, _next(element)]
        return PARAGRAPH.join(
            _wrapped(part, mark, *sides) for part, *sides in zip(parts, before, after, strict=True)
        )

    return convert


def _wrapped(text: str, mark: str, outside_before: str, outside_after: str) -> str:
    core = text.strip(EDGES)
    if not core:
        return text
    start, _, end = text.partition(core)
    # Of marks that touch, `***a*b*c***`, no reader knows which belong together.
    bare = core.strip(mark[0])
    touches = mark[0] in bare.replace("\\" + mark[0], "")
    first, last = (core[0], core[-1]) if touches else (bare[:1], bare[-1:])
    before = after = ""
    # A break at the edge is moved out of all emphasis, behind a sign that may come to stand there.
    near, far = (ZERO_WIDTH if start else outside_before), (ZERO_WIDTH if end else outside_after)
    if (touches and first == mark[0]) or _joins(near, first):
        before = ZERO_WIDTH
    if (touches and last == mark[0]) or _joins(far, last):
        after = ZERO_WIDTH
    return f"{start}{mark}{before}{core}{after}{mark}{end}"


def _joins(outside: str, inside: str) -> bool:
    return bool(outside) and _is_letter(outside) and not _is_letter(inside)


def _is_letter(char: str) -> bool:
    if char and char in HELD_SIGNS:  # a formula, which ends in a dollar sign, or a footnote
        return False
    return not char.isspace() and unicodedata.category(char)[0] not in "PS" if char else True


def _last(element: Element) -> str:
    """The character before an element, as far as inline elements reach."""
    return outside(element, -1)


def _next(element: Element) -> str:
    """The character behind an element."""
    return outside(element, 0)


def outside(element: Element, place: int) -> str:
    """The sign of Markdown before (-1) or behind (0) an element; empty at the end of a block."""
    node: Node | None = element
    space = ""
    while node is not None:
        for sibling in node.previous_siblings if place else node.next_siblings:
            edge = _edge(sibling, place)
            if edge.strip(EDGES) or sibling.text.strip(EDGES):
                return space or edge
            space = space or edge
        node = node.parent
        if not isinstance(node, Element) or node.tag not in INLINE:
            return space
        if node.tag == "a":
            return "[" if place else "]"
        if node.tag in _MARKS:
            return ZERO_WIDTH  # which may come to stand there, where white space is moved out
    return ""


def _edge(node: Node, place: int) -> str:
    """The first or the last sign that a node is written with."""
    if isinstance(node, Element):
        if node.tag in _MARKS:
            return _MARKS[node.tag][0]
        if node.tag in _SIGNS:
            return _SIGNS[node.tag][place]
        children: list[Node] = list(node.children)
        edges = (_edge(child, place) for child in (children[::-1] if place else children))
        return next((edge for edge in edges if edge), "")
    text = node.text
    return text[place] if text else ""


def _tag(name: str) -> Converter:
    def convert(_: Element, children: str) -> str:
        core = children.strip(EDGES)
        if not core:
            return children
        start, end = children.split(core, 1)
        return f"{start}<{name}>{core}</{name}>{end}"

    return convert
