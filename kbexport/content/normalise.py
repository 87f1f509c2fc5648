"""The tree of a post before it is converted: only what Markdown can say, in plain shapes.

One function is one rule; `RULES` is their order. Rules that know how highlighters write code are
in `highlight.py`. The shapes are those of `dependencies.md`, section 4.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from urllib.parse import urljoin

from turbohtml import Document, Element, Node, Text

from kbexport.assets import asset_of
from kbexport.content.addresses import allowed
from kbexport.content.escape import ZERO_WIDTH
from kbexport.content.highlight import plain_code
from kbexport.content.tables import plain_tables

MAX_DEPTH = 200
"""Elements deeper than this are unwrapped: converters recurse, and nobody nests like this."""

PARAGRAPH = "\ue001"
"""Stands for the end of a paragraph that the page makes with line breaks."""
CELL_BREAK = "\ue004"
"""Stands for a line break in the cell of a table."""
_OPEN, _CLOSE = "\ue002", "\ue003"

_DROPPED = (
    "script, style, object, embed, applet, meta, link, base, template, svg, canvas, head, frameset,"
    " button, select, textarea, input, datalist, map, dialog"
)
_LAZY = (
    "data-src",
    "data-original",
    "data-lazy-src",
    "data-actualsrc",
    "data-original-src",
    "data-lazyload",
    "data-url",
    "_src",
    "data-echo",
    "file",
)
_BLOCKS = "p, div, h1, h2, h3, h4, h5, h6, ul, ol, pre, table, blockquote, section, article, figure"
_INLINE = ("strong", "b", "em", "i", "del", "s", "code")
_TEX_TEXT = re.compile(
    r"\$\$(?P<display>[^$\n]+?)\$\$|\\\[(?P<square>(?:(?!\\[\[\]]).)+)\\\]|\\\((?P<round>(?:(?!\\[()]).)+)\\\)"
    r"|(?<![\\$\w])\$(?![\s$])(?P<inline>[^$\n`]{1,500}?)(?<![\s\\])\$(?![0-9A-Za-z$])",
    re.DOTALL,
)


@dataclass
class Formulas:
    """Formulas on their way past the converter, which would escape them."""

    tex: list[str] = field(default_factory=list)

    def hold(self, tex: str, *, display: bool) -> str:
        """A formula -> the text that stands for it meanwhile."""
        mark = "$$" if display else "$"
        self.tex.append(f"{mark}{' '.join(tex.split())}{mark}")
        return f"{_OPEN}{len(self.tex) - 1}{_CLOSE}"

    def restored(self, markdown: str) -> str:
        """Markdown with the formulas back in their places."""
        return re.sub(f"{_OPEN}([0-9]+){_CLOSE}", lambda found: self.tex[int(found[1])], markdown)


def normalise(document: Document, base_url: str) -> Formulas:
    """Change the tree so that the converter gets everything right; give back its formulas."""
    formulas = Formulas()
    bound_depth(document)
    hold_tex(document, formulas)
    for rule in RULES:
        rule(document, base_url)
    hold_tex_text(document, formulas)
    return formulas


def bound_depth(document: Document) -> None:
    """Unwrap what lies deeper than `MAX_DEPTH`; its text stays."""
    depth: dict[Node | None, int] = {None: 0}
    deep: list[Element] = []
    for element in document.select("*"):
        depth[element] = depth.get(element.parent, 0) + 1
        if depth[element] > MAX_DEPTH:
            deep.append(element)
    for element in reversed(deep):
        element.unwrap()


def hold_tex(document: Document, formulas: Formulas) -> None:
    """TeX of MathJax scripts and of KaTeX's annotation, instead of what was drawn from it."""
    for script in document.select('script[type^="math/tex"]'):
        display = "display" in (script.attr("type") or "")
        script.replace_with(Text(formulas.hold(script.text, display=display)))
    for drawn in document.select(".MathJax_Preview, .MathJax, .MathJax_Display"):
        drawn.decompose()
    for span in document.select(".katex-display, .katex"):
        source = span.select_one('annotation[encoding="application/x-tex"]')
        if source:
            display = span.has_class("katex-display")
            span.replace_with(Text(formulas.hold(source.text, display=display)))


def hold_tex_text(document: Document, formulas: Formulas) -> None:
    """TeX that stands in the text between its usual signs, but not in code."""
    for node in list(document.descendants):
        if not isinstance(node, Text) or not re.search(r"\$|\\[(\[]", node.data):
            continue
        if not _within(node, ("pre", "code", "kbd")):
            node.data = _TEX_TEXT.sub(lambda found: _hold(found, formulas), node.data)


def _hold(found: re.Match[str], formulas: Formulas) -> str:
    display = found["display"] or found["square"]
    return formulas.hold(display or found["round"] or found["inline"], display=bool(display))


def _within(node: Node, tags: tuple[str, ...]) -> bool:
    return any(isinstance(parent, Element) and parent.tag in tags for parent in node.ancestors)


def show_checkboxes(document: Document, _: str) -> None:
    """A check box is shown as a sign: a list of tasks must not become tasks."""
    for box in document.select('input[type="checkbox"]'):
        box.replace_with(Text("☑ " if "checked" in box.attrs else "☐ "))


def link_frames(document: Document, _: str) -> None:
    """A frame or a film becomes a link to its address."""
    for frame in document.select("iframe, frame, video, audio"):
        source = frame.select_one("source[src]")
        address = frame.attr("src") or (source.attr("src") if source else None) or ""
        if address.startswith("//"):
            address = "https:" + address
        if address and allowed(address):
            link = Element("a", {"href": address})
            link.append(Text(address))
            paragraph = Element("p")
            paragraph.append(link)
            frame.replace_with(paragraph)
        else:
            frame.decompose()


def find_pictures(document: Document, _: str) -> None:
    """Pictures that load late get their real address; placeholders and doubles go."""
    for twin in document.select("noscript"):
        before = twin.previous_sibling
        if isinstance(before, Element) and before.tag == "img" and _address(before):
            twin.decompose()
        else:
            twin.unwrap()
    for picture in document.select("img"):
        address = _address(picture)
        if address:
            picture.attrs["src"] = address
        else:
            picture.decompose()


def _address(picture: Element) -> str:
    lazy = (picture.attr(name) for name in _LAZY)
    found = next((value for value in lazy if value and not value.startswith("data:")), None)
    plain = picture.attr("src")
    if found or (plain and not plain.startswith(("data:", "about:", "blob:"))):
        return (found or plain or "").strip()
    sets = picture.attr("srcset") or picture.attr("data-srcset") or ""
    return sets.split(",")[-1].strip().split(" ")[0]


def drop_active(document: Document, _: str) -> None:
    """What runs, styles or is a control has no place in a note."""
    for element in document.select(_DROPPED):
        element.decompose()


def resolve_addresses(document: Document, base_url: str) -> None:
    """Addresses are absolute where the page's own address is known."""
    for element, name in [
        *((a, "href") for a in document.select("a[href]")),
        *((img, "src") for img in document.select("img[src]")),
    ]:
        address = re.sub(r"[\t\n\r]", "", (element.attr(name) or "").strip())
        if address.startswith("//") and not base_url:
            address = "https:" + address
        elif base_url and not address.startswith("#") and not asset_of(address):
            address = _joined(base_url, address)
        element.attrs[name] = address


def _joined(base_url: str, address: str) -> str:
    try:
        return urljoin(base_url, address)
    except ValueError:  # an address such as `http://[`
        return address


def mend_links(document: Document, _: str) -> None:
    """Links that mean nothing go; a link round blocks goes into the first that has words."""
    for link in document.select("a"):
        address = link.attr("href") or ""
        sign = link.text.strip() in ("", "¶", "#", "§", "\uf0c1")
        if sign and not link.select_one("img"):
            link.decompose()
        elif not address or address.startswith("#") or not allowed(address):
            link.unwrap()
        elif link.select_one(_BLOCKS):
            _link_inside(link, address)


def _link_inside(link: Element, address: str) -> None:
    heads = link.select("h1, h2, h3, h4, h5, h6") or link.select(_BLOCKS)
    head = next((block for block in heads if block.text.strip()), None) or heads[-1]
    if not head.select_one("pre, table, ul, ol, p, div, section"):
        head.wrap_children(Element("a", {"href": address}))
    link.unwrap()


def part_paragraphs(document: Document, _: str) -> None:
    """Two line breaks and more end a paragraph; in a cell they are one, in a heading a space."""
    for first in document.select("br"):
        if first.parent is None:
            continue
        run = _breaks_behind(first)
        if _within(first, ("td", "th")):
            kept: Node = Text(CELL_BREAK)
        elif _within(first, ("h1", "h2", "h3", "h4", "h5", "h6")):
            kept = Text(" ")
        else:
            kept = Text(PARAGRAPH) if len(run) > 1 else Element("br")
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


def part_inline(document: Document, _: str) -> None:
    """Neighbours of one kind become one; different ones get an invisible sign in between."""
    for element in document.select(", ".join(_INLINE)):
        before = element.previous_sibling
        if not element.text and not element.select_one("img"):
            element.unwrap()
        elif not isinstance(before, Element) or before.tag not in _INLINE:
            continue
        elif before.tag == element.tag and element.tag != "code":
            before.extend([child.extract() for child in list(element.children)])
            element.decompose()
        else:
            element.insert_before(Text(ZERO_WIDTH))


RULES: tuple[Callable[[Document, str], None], ...] = (
    show_checkboxes,
    link_frames,
    find_pictures,
    plain_code,
    drop_active,
    resolve_addresses,
    mend_links,
    plain_tables,
    part_paragraphs,
    part_inline,
)
"""In this order: what hides text is taken away first, what is written between words last."""
