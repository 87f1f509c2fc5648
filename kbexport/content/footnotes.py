"""Footnotes of a page -> `[^1]`, whatever markup they have.

A reference is a short link to a note further down that leads back to it, or that lies in a box of
notes. So kramdown, pandoc, markdown-it, GitHub, WordPress, MediaWiki, Substack and zhihu are read
by one rule, and no table of contents is taken for notes.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from turbohtml import Document, Element, Node, Text

from kbexport.content.conversion import NOTE_CLOSE, NOTE_OPEN, Conversion
from kbexport.content.links import fragment_of

_BOXES = ".footnotes, .footnote, .references, .ReferenceList, .wp-block-footnotes, [data-footnotes]"
_NOTE_TAGS = "li, p, div, dd, aside, section"
_LABEL = re.compile(r"\W{0,2}\w{0,6}(?:[:.]\d{1,3})?\W{0,2}")
_RULES = (
    "hr.footnotes-sep, .footnotes > hr, .footnotes > .sr-only, .footnotes > .screen-reader-text"
)


@dataclass
class _Notes:
    """The notes of a page that were found so far."""

    names: dict[Element, str] = field(default_factory=dict)
    """Name of each note, in the order of the references."""
    back: dict[Element, set[str]] = field(default_factory=dict)
    """For each note the ids that its links back may name."""

    taken: set[str] = field(default_factory=set)
    last: int = 0
    """The last name that was given because no number was shown."""

    def name(self, note: Element, label: str) -> str:
        """The name of a note: the number that the page shows, if it is free."""
        if note not in self.names:
            shown = re.sub(r"\D", "", label.partition(":")[0]).lstrip("0")
            while not shown or shown in self.taken:
                self.last += 1
                shown = str(self.last)
            self.names[note] = shown
            self.taken.add(shown)
        return self.names[note]


def hold_footnotes(document: Document, conversion: Conversion) -> None:
    """References become `[^1]`, notes become items that `layout.py` writes as definitions."""
    links = [
        link
        for link in document.select('a[href*="#"]')
        if fragment_of(link, conversion.base_url) and _LABEL.fullmatch(link.text.strip())
    ]
    if not links:
        return
    targets = {element.attr("id") or "": element for element in document.select("[id]")}
    order = {element: number for number, element in enumerate(document.select("a, [id]"))}
    notes = _Notes()
    for link in links:
        target = targets.get(fragment_of(link, conversion.base_url))
        if target is None or order.get(target, 0) < order[link] or _within(link, notes):
            continue
        note = target if target.matches(_NOTE_TAGS) else target.closest(_NOTE_TAGS)
        if note is not None and _refers(link, note, conversion):
            notes.back.setdefault(note, set()).update(_ids(link))
            _put_reference(link, notes.name(note, link.text.strip()), conversion)
    for rule in document.select(_RULES) if notes.names else ():
        rule.decompose()
    for note, name in notes.names.items():
        _put_note(note, name, notes.back[note], conversion)


def _within(link: Element, notes: _Notes) -> bool:
    return any(isinstance(box, Element) and box in notes.names for box in link.ancestors)


def _ids(link: Element) -> set[str]:
    """The ids by which a note may lead back to a reference."""
    parent = link.parent
    near = [link, *link.select("[id]"), *([parent] if isinstance(parent, Element) else [])]
    return {found for element in near if (found := element.attr("id"))}


def _refers(link: Element, note: Element, conversion: Conversion) -> bool:
    """Whether a link is the reference to a note: the note leads back, or lies among notes."""
    if note in set(link.ancestors) or note.select_one("h1, h2, h3, h4, h5, h6"):
        return False
    ids = _ids(link)
    back = any(fragment_of(other, conversion.base_url) in ids for other in note.select("a[href]"))
    return back or (note.closest(_BOXES) is not None and link.closest(_BOXES) is None)


def _put_reference(link: Element, name: str, conversion: Conversion) -> None:
    box = link
    parent = box.parent
    while isinstance(parent, Element) and parent.tag in ("sup", "span", "small"):
        if parent.text.strip() != link.text.strip():
            break
        box, parent = parent, parent.parent
    box.replace_with(Text(conversion.hold(f"[^{name}]")))


def _put_note(note: Element, name: str, back: set[str], conversion: Conversion) -> None:
    """Put a note into a list of its own, without its links back."""
    for link in note.select("a[href]"):
        if fragment_of(link, conversion.base_url) in back:
            _drop_back(link, note)
    item = Element("li")
    item.extend([child.extract() for child in list(note.children)])
    mark = Text(f"{NOTE_OPEN}{name}{NOTE_CLOSE}")
    first = item.select_one("p")
    holder = first if first is not None and _leads(first, item) else item
    holder.insert(0, mark)
    box = Element("ul")
    box.append(item)
    place = note.parent if note.tag == "li" and isinstance(note.parent, Element) else note
    place.insert_before(box)
    note.decompose()
    if place is not note and not place.text.strip() and not place.select_one("img"):
        place.decompose()


def _drop_back(link: Element, note: Element) -> None:
    parent = link.parent
    link.decompose()
    while isinstance(parent, Element) and parent != note and not parent.text.strip():
        above = parent.parent
        parent.decompose()
        parent = above


def _leads(first: Element, item: Element) -> bool:
    """Whether nothing but boxes stands before the first paragraph of an item."""
    node: Node | None = first
    while isinstance(node, Element) and node != item:
        if any(sibling.text.strip() for sibling in node.previous_siblings):
            return False
        node = node.parent
    return True
