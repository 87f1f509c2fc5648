"""Lists, terms and boxes: shapes that Markdown has no word for, in shapes that it has."""

from __future__ import annotations

from turbohtml import Document, Element, Node, Text

from kbexport.content.conversion import PARAGRAPH, Conversion
from kbexport.content.emphasis import INLINE

_BOXES = (
    "center, fieldset, legend, nav, hgroup, summary, header, footer, main, aside, address, form"
)
_INLINE = "strong, b, em, i, del, s, strike, sub, sup, kbd, u, mark"
_MEANT = {*_INLINE.split(", "), "a"}
_EMPTY = " \t\n\xa0\u3000\u200b"
_SHOWN = "img, hr, br, pre, table"
_LEAVES = "p, div, section, article, li, td, th, dd, dt, blockquote"
_HEAVY = "pre, table, ul, ol, dl, blockquote, hr, h1, h2, h3, h4, h5, h6"
"""What no heading can hold."""
_BLOCKS = (
    f"{_LEAVES}, ul, ol, dl, pre, table, figure, figcaption, details, h1, h2, h3, h4, h5, h6, hr"
)


def show_checkboxes(document: Document, _: Conversion) -> None:
    """A check box is shown as a sign: a list of tasks must not become tasks."""
    for box in document.select('input[type="checkbox"]'):
        after = box.next_sibling
        space = "" if isinstance(after, Text) and after.data[:1].isspace() else " "
        box.replace_with(Text(("☑" if "checked" in box.attrs else "☐") + space))


def plain_boxes(document: Document, _: Conversion) -> None:
    """Old and rare elements become those that Markdown knows."""
    for summary in document.select("summary"):
        _embolden(summary)
    for box in document.select(_BOXES):
        box.tag = "div"
    for reading in document.select("rt"):
        ruby = reading.closest("ruby")
        if ruby and not ruby.select_one("rp"):
            reading.insert_before(Text("("))
            reading.insert_after(Text(")"))
    for sign in document.select("rp"):
        sign.tag = "span"
    for quotation in document.select("q"):
        quotation.insert_before(Text('"'))
        quotation.insert_after(Text('"'))
        quotation.unwrap()
    for paragraph in document.select("p, div"):
        # An empty line that an editor made; white space alone is nothing in Markdown.
        if not paragraph.text.strip(_EMPTY) and not paragraph.select_one(_SHOWN):
            paragraph.decompose()


def plain_lists(document: Document, _: Conversion) -> None:
    """Lists hold items, and items stand in lists."""
    for old in document.select("menu, dir"):
        old.tag = "ul"
    for item in document.select("li"):
        _gather(item)
    for terms in document.select("dl"):
        _as_list(terms)
    for box in document.select("ul, ol"):
        _into_items(box)
    for part in document.select("ul, ol, ul > li"):
        if not part.text.strip(_EMPTY) and not part.select_one("img, hr, pre, table"):
            part.decompose()
    for item in document.select("li:has(> table), li:has(> blockquote)"):
        _wrap_runs(item, "p")
        for words in item.select(":scope > p:has(+ table), :scope > p:has(+ blockquote)"):
            words.append(Text(PARAGRAPH))  # right below words, not every reader sees a table


def _embolden(element: Element) -> None:
    if element.text.strip() and not element.select_one(_BLOCKS) and not element.select_one("b"):
        element.wrap_children(Element("strong"))


def _gather(item: Element) -> None:
    """Items outside a list make one, with those right behind them."""
    if not isinstance(item.parent, Element) or item.parent.tag in ("ul", "ol"):
        return
    box = Element("ul")
    item.insert_before(box)
    node: Node | None = item
    while node is not None and (
        (isinstance(node, Element) and node.tag == "li")
        or (isinstance(node, Text) and not node.data.strip())
    ):
        following = node.next_sibling
        box.append(node.extract())
        node = following


def _into_items(box: Element) -> None:
    """What stands in a list beside its items goes into the item before it, or into its own."""
    item: Element | None = None
    for child in list(box.children):
        if isinstance(child, Element) and child.tag == "li":
            item = child
        elif child.text.strip() or isinstance(child, Element):
            if item is None:
                item = Element("li")
                child.insert_before(item)
            item.append(child.extract())
        else:
            child.extract()


def _as_list(terms: Element) -> None:
    """A list of terms: each an item with the term in bold, what it means below."""
    for box in terms.select("div"):
        if box.parent == terms:
            box.unwrap()
    item: Element | None = None
    for child in list(terms.children):
        if not isinstance(child, Element):
            continue
        if child.tag == "dt" or item is None:
            item = Element("li")
            child.insert_before(item)
        term = child.tag == "dt"
        if child.tag in ("dt", "dd"):
            child.tag = "p" if term or not child.select_one(_BLOCKS) else "div"
        if term:
            _embolden(child)
        item.append(child.extract())
    terms.tag = "ul"


def emphasis_inside(document: Document, _: Conversion) -> None:
    """Emphasis round blocks goes into each of them: Markdown has it only within a paragraph."""
    for heading in document.select("h1, h2, h3, h4, h5, h6"):
        if heading.select_one(_HEAVY):
            _wrap_runs(heading, heading.tag, _HEAVY)
            heading.tag = "div"
    for element in document.select(_INLINE):
        if not element.select_one(_BLOCKS):
            continue
        for leaf in element.select(_LEAVES):
            if leaf.text.strip() and not leaf.select_one(_BLOCKS):
                leaf.wrap_children(Element(element.tag))
        _wrap_runs(element, element.tag)
        element.tag = "div"
    _open_inline(document)


def _open_inline(document: Document) -> None:
    """Inline elements that hold blocks are boxes: `<span><pre>`."""
    for block in document.select(_BLOCKS):
        box = block.parent
        while isinstance(box, Element) and box.tag in INLINE and box.tag not in _MEANT:
            box.tag = "div"
            box = box.parent


def _wrap_runs(parent: Element, tag: str, blocks: str = _BLOCKS) -> None:
    """Put what stands between the blocks of an element into elements of their own."""
    run: Element | None = None
    for child in list(parent.children):
        if isinstance(child, Element) and (child.matches(blocks) or child.select_one(blocks)):
            run = None
        elif run is not None:
            run.append(child.extract())
        elif child.text.strip():
            run = Element(tag)
            child.insert_before(run)
            run.append(child.extract())
