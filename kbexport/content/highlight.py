"""Code as highlighters write it -> `<pre><code class="language-x">` with the exact text."""

from __future__ import annotations

import re

from turbohtml import Document, Element, Node, Text

_LANGUAGE_ATTRIBUTES = (
    "data-lang",
    "data-language",
    "data-enlighter-language",
    "data-code-language",
)
_LANGUAGE_CLASS = re.compile(r"(?:language|lang|highlight-source|highlight)-([\w+#.-]+)$")
_BRUSH = re.compile(r"\bbrush:\s*([\w+#-]+)")
_MARKER_CLASSES = {
    "hljs",
    "highlight",
    "prettyprint",
    "sourcecode",
    "syntaxhighlighter",
    "code",
    "prism",
    "shiki",
    "chroma",
    "codehilite",
    "dataview",
    "dataviewjs",
}
_BARE = set(
    "bash sh shell zsh powershell bat c cpp c++ csharp c# cs java kotlin scala groovy python py "
    "ruby rb perl php go golang rust swift objectivec javascript js typescript ts jsx tsx json "
    "yaml yml toml xml html css scss less sql lua r matlab julia haskell elixir erlang clojure "
    "lisp dart vue dockerfile makefile nginx ini diff markdown md text plaintext latex tex vim "
    "awk sed asm protobuf graphql http console dataview dataviewjs".split()
)
_NOISE = (
    ".hljs-button, .pre-numbering, .lnt, .gutter, .line-numbers-rows, .lineno, .linenos,"
    " .copy-btn, .copy-code-btn, .code-copy-btn, .toolbar, button, style, script"
)
_TABLES = (
    "figure.highlight, .syntaxhighlighter, table.lntable, table.highlighttable, table.rouge-table"
)


def plain_code(document: Document, _: str) -> None:
    """Every block of code becomes one plain `pre` with its language and its exact text."""
    for block in document.select(_TABLES):
        if block.parent is None:
            continue
        cell = block.select_one("td.code") or block.select_one("td.lntd:last-child, td:last-child")
        code = (cell.select_one("pre") or cell) if cell else block.select_one("pre")
        if code is not None:
            _replace(block, language_of(code), code_text(code))
    for toolbar in document.select(".cnblogs_code_toolbar"):
        toolbar.decompose()
    for pre in document.select("pre"):
        if pre.parent is not None and pre.closest("pre pre") is None:
            _replace(pre, language_of(pre), code_text(pre))


def _replace(block: Element, language: str, text: str) -> None:
    code = Element("code", {"class": f"language-{language}"} if language else {})
    code.append(Text(text))
    pre = Element("pre")
    pre.append(code)
    block.replace_with(pre)


def language_of(pre: Element) -> str:
    """The language of a code block: of its code, itself, or the boxes close around it."""
    inner = pre.select_one("code")
    boxes = [node for node in pre.ancestors if isinstance(node, Element)]
    for element in [*([inner] if inner else []), pre, *boxes[:6]]:
        if element.tag in ("body", "article", "main"):
            break
        if found := _own_language(element):
            return found
    return ""


def _own_language(element: Element) -> str:
    for name in _LANGUAGE_ATTRIBUTES:
        if value := element.attr(name):
            return value.strip().lower()
    words = (element.attr("class") or "").split()
    if brush := _BRUSH.search(" ".join(words)):
        return brush[1].lower()
    for word in words:
        if found := _LANGUAGE_CLASS.match(word):
            return found[1]
    if element.tag in ("pre", "code") or _MARKER_CLASSES & {word.lower() for word in words}:
        return next((word.lower() for word in words if word.lower() in _BARE), "")
    return ""


def code_text(code: Element) -> str:
    """The text of a code block without line numbers and buttons, with plain spaces."""
    for noise in code.select(_NOISE):
        noise.decompose()
    for line_break in code.select("br"):
        line_break.replace_with(Text("\n"))
    text = "\n".join(_lines(code)).replace("\xa0", " ")
    return text.strip("\n") if "\n" in text else text


def _lines(code: Element) -> list[str]:
    """The lines, where each is an element of its own; else the whole text."""
    rows: list[Element] = code.select("div.line, li") or _children(code, ("div", "p", "tr"))
    if rows and not _loose(code, rows):
        return [row.text.rstrip("\n") for row in rows]
    codes = _children(code, ("code",))
    if len(codes) > 1 and not any("\n" in part.text for part in codes):
        return [part.text for part in codes]
    return [code.text]


def _loose(code: Element, rows: list[Element]) -> bool:
    """Whether there is text outside the rows."""
    return len("".join(code.text.split())) != sum(len("".join(row.text.split())) for row in rows)


def _children(code: Element, tags: tuple[str, ...]) -> list[Element]:
    nodes: list[Node] = list(code.children)
    return [node for node in nodes if isinstance(node, Element) and node.tag in tags]
