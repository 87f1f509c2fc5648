"""The tree of a post before it is converted: only what Markdown can say, in plain shapes.

One function is one rule; `RULES` is their order, and each module beside this one has the rules of
one kind of construct. The shapes are those of `dependencies.md`, section 4, and of `inputs`.
"""

from __future__ import annotations

from collections.abc import Callable

from turbohtml import Document

from kbexport.content.breaks import part_inline, part_paragraphs
from kbexport.content.conversion import Conversion
from kbexport.content.depth import bound_depth
from kbexport.content.embeds import link_embeds
from kbexport.content.footnotes import hold_footnotes
from kbexport.content.highlight import plain_code
from kbexport.content.links import drop_contents, mend_links, resolve_addresses
from kbexport.content.lists import emphasis_inside, plain_boxes, plain_lists, show_checkboxes
from kbexport.content.pictures import find_pictures
from kbexport.content.tables import plain_tables
from kbexport.content.tex import hold_tex, hold_tex_text

_DROPPED = (
    "script, style, applet, meta, link, base, template, svg, canvas, head, frameset, noframes,"
    " title, button, select, textarea, input, datalist, map, dialog, param, source, track"
)


def normalise(document: Document, conversion: Conversion) -> None:
    """Change the tree so that the converter gets everything right."""
    for rule in RULES:
        rule(document, conversion)


def drop_active(document: Document, conversion: Conversion) -> None:
    """What runs, styles or is a control has no place in a note."""
    for drawing in document.select("svg:has(text)"):
        if any(label.text.strip() for label in drawing.select("text")):
            conversion.problem("a drawing that is part of the page itself (svg) was left out")
    for element in document.select(_DROPPED):
        element.decompose()


RULES: tuple[Callable[[Document, Conversion], None], ...] = (
    bound_depth,
    hold_tex,
    show_checkboxes,
    plain_code,
    find_pictures,
    link_embeds,
    drop_active,
    resolve_addresses,
    drop_contents,
    hold_footnotes,
    mend_links,
    plain_boxes,
    plain_lists,
    emphasis_inside,
    hold_tex_text,
    plain_tables,
    part_paragraphs,
    part_inline,
)
"""In this order: what hides text is taken away first, what is written between words last."""
