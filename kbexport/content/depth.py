"""How deep a tree may be: the converter and the rules of formulas recurse."""

from __future__ import annotations

from turbohtml import Document, Element, Node

from kbexport.content.conversion import Conversion

MAX_DEPTH = 200
"""Elements deeper than this are unwrapped: nobody nests like this."""


def bound_depth(document: Document, conversion: Conversion) -> None:
    """Unwrap what lies deeper than `MAX_DEPTH`; its text stays."""
    depth: dict[Node | None, int] = {None: 0}
    deep: list[Element] = []
    for element in document.select("*"):
        depth[element] = depth.get(element.parent, 0) + 1
        if depth[element] > MAX_DEPTH:
            deep.append(element)
    if deep:
        conversion.problem(f"elements nested deeper than {MAX_DEPTH} are kept as text")
    for element in reversed(deep):
        element.unwrap()
