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
MARKED = set(_MARKS)
"""Elements that are emphasis in Markdown."""
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
        # A mark may not reach over the end of a paragraph.
        parts = children.split(PARAGRAPH)
        before = [_last(element), *[""] * (len(parts) - 1)]
        after = [*[""] * (len(parts) - 1), _next(element)]
        return PARAGRAPH.join(
            _wrapped(part, mark, *sides) for part, *sides in zip(parts, before, after, strict=True)
        )

    return convert


def _wrapped(text: str, mark: str, outside_before: str, outside_after: str) -> str:
    core = text.strip().strip(CELL_BREAK + LINE_BREAK)
    if not core.strip():
        return text
    start, _, end = text.partition(core)
    before = ZERO_WIDTH if not start and _joins(outside_before, core.lstrip("*~")[:1]) else ""
    after = ZERO_WIDTH if not end and _joins(outside_after, core.rstrip("*~")[-1:]) else ""
    return f"{start}{mark}{before}{core}{after}{mark}{end}"


def _joins(outside: str, inside: str) -> bool:
    return bool(outside) and _is_letter(outside) and not _is_letter(inside)


def _is_letter(char: str) -> bool:
    if char and char in HELD_SIGNS:  # a formula, which ends in a dollar sign, or a footnote
        return False
    return not char.isspace() and unicodedata.category(char)[0] not in "PS" if char else True


def _last(element: Element) -> str:
    """The character before an element, as far as inline elements reach."""
    return _outside(element, -1, "[")


def _next(element: Element) -> str:
    """The character behind an element."""
    return _outside(element, 0, "]")


def _outside(element: Element, place: int, link: str) -> str:
    node: Node | None = element
    while node is not None:
        for sibling in node.previous_siblings if place else node.next_siblings:
            if edge := _edge(sibling, place):
                return edge
        node = node.parent
        if not isinstance(node, Element) or node.tag not in INLINE:
            return ""
        if node.tag == "a":
            return link
    return ""


def _edge(node: Node, place: int) -> str:
    if isinstance(node, Element) and node.tag in (*_MARKS, *_KEPT, "img", "code", "a"):
        return "*"  # these begin and end with signs
    text = node.text
    return text[place] if text else ""


def _tag(name: str) -> Converter:
    return lambda _, children: f"<{name}>{children}</{name}>" if children.strip() else children
