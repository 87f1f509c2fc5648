"""Formulas of a page -> TeX that passes by the converter (`Conversion.formula`)."""

from __future__ import annotations

import re
from functools import partial
from html import unescape
from urllib.parse import unquote

import turbohtml
from turbohtml import Document, Element, Node, Text

from kbexport.content.conversion import Conversion
from kbexport.content.depth import bound_depth
from kbexport.content.mathml import tex_of

_SCRIPT = 'script[type^="math/tex"]'
_DRAWN = (
    ".MathJax_Preview, .MathJax_Display, .MathJax_SVG_Display, .MathJax, .MathJax_SVG,"
    " .MathJax_CHTML, .mjx-chtml"
)
"""What MathJax 2 draws from a script."""
_TEX = 'annotation[encoding="application/x-tex"]'
_KEPT = (
    (".katex-display, .katex", _TEX, ""),
    ("img.mathcode", "", "alt"),
    ("img[eeimg]", "", "src"),
    ('img[src*="/equation?tex="], img[src*="latex.codecogs.com"]', "", "src"),
    ('img[src*="latex.csdn.net/eq"], img[src*="math.jianshu.com/math"]', "", "src"),
    ("img.latex, img.tex", "", "alt"),
    (".ztext-math[data-tex]", "", "data-tex"),
    ("[data-formula]", "", "data-formula"),
    (".mwe-math-element", _TEX, ""),
)
"""Where sites keep the TeX: box, the element in it whose text it is, or the attribute."""
_ADDRESS = re.compile(r"(?:[?&](?:tex|formula)=|/eq\?|\.(?:latex|image)\?)([^#]+)")
_DISPLAY = "section, div, p, [eeimg='2']"
_DISPLAY_BOX = ".katex-display, .katex--display, .math-display"

_NAMES = r"(?:equation|align|gather|multline|eqnarray)\*?"
_ENVIRONMENT = (
    rf"\\begin\{{(?P<name>{_NAMES})\}}(?:(?!\\begin\{{{_NAMES}\}}).)+?\\end\{{(?P=name)\}}"
)
_DISPLAYED = (
    r"\$\$(?P<display>(?:[^$\\]|\\.)+?)\$\$|\\\[(?P<square>(?:(?!\\[\[\]]).)+?)\\\]"
    rf"|(?P<whole>{_ENVIRONMENT})"
)
_BLOCK = re.compile(rf"\s*(?:{_DISPLAYED})\s*", re.DOTALL)
_TEXT = re.compile(
    rf"{_DISPLAYED}|\\\((?P<round>(?:(?!\\[()]).)+?)\\\)"
    r"|(?<![\\$A-Za-z0-9_])\$(?![\s$])(?P<inline>(?:[^$\\`\n]|\n(?!\s*\n)|\\.){1,500}?)(?<!\s)"
    r"\$(?![0-9A-Za-z$])|(?P<dollar>\$)",
    re.DOTALL,
)
_HAN = re.compile(r"[\u3000-\u303f\u4e00-\u9fff\uff00-\uffef]")


def hold_tex(document: Document, conversion: Conversion) -> None:
    """TeX that the page keeps, instead of what was drawn from it."""
    scripts = document.select(_SCRIPT)
    for script in scripts:
        display = "display" in (script.attr("type") or "")
        _put(script, script.text, conversion, display=display)
    for drawn in document.select(_DRAWN):
        if scripts or drawn.has_class("MathJax_Preview"):
            drawn.decompose()
        else:
            _put_drawn(drawn, conversion)
    for selector, place, attribute in _KEPT:
        for box in document.select(selector):
            _put_kept(box, place, attribute, conversion)
    for container in document.select("mjx-container"):
        _put_drawn(container, conversion)
    for math in document.select("math"):
        _put_math(math, math, conversion)


def _put(node: Element, tex: str, conversion: Conversion, *, display: bool) -> None:
    held = Text(conversion.formula(tex, display=display, cell=node.closest("td, th") is not None))
    if node.tag in ("section", "div", "p"):
        node.clear()
        node.append(held)
    else:
        node.replace_with(held)


def _put_kept(box: Element, place: str, attribute: str, conversion: Conversion) -> None:
    if place:
        source = box.select_one(place)
        tex = source.text if source else ""
    elif attribute == "src":
        found = _ADDRESS.search(box.attr("src") or "")
        tex = unescape(unquote(found[1])) if found else box.attr("alt") or ""
    else:
        tex = box.attr(attribute) or ""
    if tex.strip():
        _put(box, tex, conversion, display=box.matches(_DISPLAY) or bool(box.closest(_DISPLAY_BOX)))


def _put_drawn(drawn: Element, conversion: Conversion) -> None:
    """A formula that MathJax drew, from the MathML that lies with it."""
    math = drawn.select_one("math")
    source = drawn.attr("data-mathml")
    if source:
        inner = turbohtml.parse(source)
        bound_depth(inner, conversion)
        math = inner.select_one("math") or math
    if math is not None:
        _put_math(math, drawn, conversion)
    elif drawn.tag == "mjx-container" or not drawn.select_one(".MathJax, .MathJax_SVG"):
        conversion.problem("a formula that MathJax drew has lost its source: only its text is kept")


def _put_math(math: Element, box: Element, conversion: Conversion) -> None:
    annotation = math.select_one(_TEX)
    tex = annotation.text if annotation else math.attr("alttext") or tex_of(math)
    display = (
        math.attr("display") == "block"
        or box.attr("display") == "true"
        or box.closest(".MathJax_Display, .MathJax_SVG_Display") is not None
    )
    _put(box, tex, conversion, display=display)


def hold_tex_text(document: Document, conversion: Conversion) -> None:
    """TeX that stands in the text between its usual signs, but not in code."""
    for node in list(document.descendants):
        if not isinstance(node, Text) or not re.search(r"\$|\\[(\[]|\\begin\{", node.data):
            continue
        tags = {parent.tag for parent in node.ancestors if isinstance(parent, Element)}
        if tags & {"pre", "code", "kbd", "script", "style"}:
            continue
        if _hold_block(node, conversion):
            continue
        hold = partial(_hold, conversion=conversion, cell=bool(tags & {"td", "th"}))
        node.data = _TEXT.sub(hold, node.data)


def _hold_block(node: Text, conversion: Conversion) -> bool:
    """Whether a paragraph is one display formula, which the page may have torn with breaks."""
    block = node.parent
    if not isinstance(block, Element) or block.tag not in ("p", "div", "section"):
        return False
    children: list[Node] = list(block.children)
    if not all(isinstance(child, Text) or _is_break(child) for child in children):
        return False
    text = "".join("\n" if _is_break(child) else child.text for child in children)
    found = _BLOCK.fullmatch(text)
    if not found:
        return False
    tex = found["display"] or found["square"] or found["whole"]
    block.clear()
    block.append(Text(conversion.formula(tex, display=True)))
    return True


def _is_break(node: Node) -> bool:
    return isinstance(node, Element) and node.tag == "br"


def _hold(found: re.Match[str], conversion: Conversion, *, cell: bool) -> str:
    inline = found["round"] or found["inline"]
    # Chinese words between two dollar signs are no formula, unless TeX stands there too.
    if found["dollar"] or (
        found["inline"] and _HAN.search(inline) and not re.search(r"[\\_^=]", inline)
    ):
        return found[0].replace("$", conversion.hold(r"\$"))
    display = found["display"] or found["square"] or found["whole"]
    return conversion.formula(display or inline, display=bool(display), cell=cell)
