"""Line breaks and neighbours: what stands between words."""

from __future__ import annotations

from collections.abc import Iterable

from turbohtml import Document, Element, Node, Text

from kbexport.content.conversion import CELL_BREAK, LINE_BREAK, PARAGRAPH, Conversion
from kbexport.content.emphasis import EDGES, INLINE, MARKED, outside
from kbexport.content.escape import ZERO_WIDTH

_HEADINGS = {"h1", "h2", "h3", "h4", "h5", "h6"}


def part_paragraphs(document: Document, _: Conversion) -> None:
    """Two line breaks and more end a paragraph.

    In a cell they are one, in a heading and in a link a space.
    """
    for first in document.select("br"):
        if first.parent is None:
            continue
        run = _breaks_behind(first)
        tags = {box.tag for box in first.ancestors if isinstance(box, Element)}
        if tags & {"td", "th"}:
            kept: Node = Text(CELL_BREAK)
        elif tags & _HEADINGS or "a" in tags:
            kept = Text(" ")
        else:
            kept = Text(PARAGRAPH)
            if len(run) == 1:
                kept = Text(LINE_BREAK) if tags & MARKED else Element("br")
        if not _is_edge(first, run[-1]):
            first.insert_before(kept)
        for node in run:
            node.extract()


def _breaks_behind(first: Element) -> list[Node]:
    """The break and all further ones that only white space parts from it."""
    run: list[Node] = [first]
    pending: list[Node] = []
    node = first.next_sibling
    while node is not None:
        if isinstance(node, Element) and node.tag == "br":
            run += [*pending, node]
            pending = []
        elif isinstance(node, Text) and not node.data.strip():
            pending.append(node)
        else:
            break
        node = node.next_sibling
    return run


def _is_edge(first: Node, last: Node) -> bool:
    """Whether breaks stand at the end of a block, or between blocks: there they part nothing."""
    parent = first.parent
    if isinstance(parent, Element) and parent.tag in INLINE:
        return False
    return _is_block(first.previous_siblings) or _is_block(last.next_siblings)


def _is_block(side: Iterable[Node]) -> bool:
    for node in side:
        if isinstance(node, Element):
            return node.tag not in INLINE and node.tag not in ("img", "code", "ruby", "wbr")
        if isinstance(node, Text) and node.data.strip():
            return False
    return True


_KINDS = {
    "strong": "strong",
    "b": "strong",
    "em": "em",
    "i": "em",
    "strike": "del",
    "s": "del",
    "del": "del",
}
"""Elements of one kind of emphasis."""


def part_inline(document: Document, _: Conversion) -> None:
    """Neighbours of one kind become one; different ones get an invisible sign in between."""
    for element in document.select(", ".join([*MARKED, "code"])):
        before = element.previous_sibling
        empty = not element.text.strip(EDGES) and not element.select_one("img")
        if empty or (element.tag in _KINDS and _within_same(element)):
            element.unwrap()
        elif element.tag not in _KINDS and element.tag != "code":
            continue
        elif isinstance(before, Element) and before.tag == element.tag and element.tag in _KINDS:
            before.extend([child.extract() for child in list(element.children)])
            element.decompose()
        elif outside(element, -1) in ("*", "~", "`"):
            element.insert_before(Text(ZERO_WIDTH))


def _within_same(element: Element) -> bool:
    """Whether bold stands in bold, which would end it."""
    kind = _KINDS.get(element.tag, element.tag)
    return any(
        isinstance(box, Element) and _KINDS.get(box.tag, box.tag) == kind
        for box in element.ancestors
    )
