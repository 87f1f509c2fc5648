"""Code as highlighters write it -> `<pre><code class="language-x">` with the exact text."""

from __future__ import annotations

from itertools import islice

from turbohtml import Document, Element, Text

from kbexport.content.code_lines import NOISE, code_text
from kbexport.content.conversion import Conversion
from kbexport.content.languages import language_of

_OLD = "xmp, listing, plaintext, textarea[name=code], div.mermaid"
"""What is code without being `pre`."""

_BOXES = (
    ("figure.highlight", "td.code pre, td.code, pre"),
    (".syntaxhighlighter", "td.code, div.lines, pre"),
    (".dp-highlighter", "ol"),
    ("table.lntable", "td.lntd:last-child pre"),
    ("table.highlighttable", "td.code pre"),
    ("table.rouge-table", "td.rouge-code pre"),
    (".wp_syntax", "td.code pre, pre"),
    (".crayon-syntax", "textarea.crayon-plain, .crayon-pre"),
    ("table.js-file-line-container", "tbody"),
    (".enlighter-default", ".enlighter-raw, .enlighter"),
    (".code-snippet__fix", "pre"),
)
"""Boxes that hold one block of code, and where in them its text is: the first that is there."""

_CAPTION = "figcaption, caption, .crayon-title"
_AROUND = (
    ".cnblogs_code_toolbar, .code_img_closed, .code_img_opened, .line-numbers-wrapper,"
    ' [class*="language-"] > .lang, .zeroclipboard-container'
)
"""Bars, buttons and numbers beside a block."""
_DONE = "data-plain"


def plain_code(document: Document, _: Conversion) -> None:
    """Every block of code becomes one plain `pre` with its language and its exact text."""
    for noise in document.select(_AROUND):
        noise.decompose()
    for label in document.select(".cnblogs_code_collapse"):
        if label.text.strip() in ("", "View Code"):  # else the author's own words
            label.decompose()
    _find_old(document)
    for selector, places in _BOXES:
        for box in document.select(selector):
            _unbox(box, places.split(", "))
    for pre in document.select("pre"):
        if pre.attr(_DONE) is None and pre.closest("pre pre") is None:
            _replace(pre, language_of(pre), pre)
    for code in document.select("code"):
        _plain_inline(code)


def code_texts(document: Document) -> list[str]:
    """The texts of all blocks of code in a normalised tree."""
    return [pre.text for pre in document.select(f"pre[{_DONE}]")]


def _find_old(document: Document) -> None:
    for element in document.select(_OLD):
        if element.tag == "div":
            if element.select_one("svg"):
                continue
            element.attrs["class"] = "language-mermaid"
        element.tag = "pre"
    for code in document.select("tt, samp"):
        code.tag = "code"
    for code in document.select("code:has(br)"):
        box = code.parent
        if (
            isinstance(box, Element)
            and box.tag in ("p", "div")
            and box.text.strip() == code.text.strip()
            and not box.select_one("img, pre")
        ):
            box.tag = "pre"


def _unbox(box: Element, places: list[str]) -> None:
    """Put the code of a box in its place, below the words of its caption."""
    twin = _neighbour(box, "EnlighterJSRAW")
    if twin:  # drawn from the block beside it
        box.decompose()
        return
    code = next((found for place in places if (found := box.select_one(place))), None)
    if code is None:
        return
    caption = box.select_one(_CAPTION)
    if caption and caption.text.strip():
        words = Element("p")
        words.extend([child.extract() for child in list(caption.children)])
        box.insert_before(words)
    _replace(box, language_of(code), code)


def _neighbour(box: Element, word: str) -> Element | None:
    """The element before or behind a box, if it is of a class."""
    for side in (box.previous_siblings, box.next_siblings):
        first = next((node for node in islice(side, 3) if isinstance(node, Element)), None)
        if first and first.has_class(word):
            return first
    return None


def _replace(block: Element, language: str, source: Element) -> None:
    """Put a plain `pre` in the place of a block; pictures in it stand behind, empty ones go."""
    for noise in source.select(NOISE):
        noise.decompose()
    pictures = source.select("img")
    text = code_text(source)
    if text.strip():
        code = Element("code", {"class": f"language-{language}"} if language else {})
        code.append(Text(text))
        pre = Element("pre", {_DONE: ""})
        pre.append(code)
        block.insert_before(pre)
    if pictures:
        paragraph = Element("p")
        paragraph.extend([picture.extract() for picture in pictures])
        block.insert_before(paragraph)
    block.decompose()


def _plain_inline(code: Element) -> None:
    """Inline code holds nothing but its text, on one line."""
    parent = code.parent
    if isinstance(parent, Element) and parent.attr(_DONE) is not None:
        return
    if code.select_one("*") and not code.select_one("img"):
        for line_break in code.select("br"):
            line_break.replace_with(Text(" "))
        words = code.text
        code.clear()
        code.append(Text(words))
