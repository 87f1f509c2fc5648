"""The language of a block of code: how highlighters and sites write it. All of it is data."""

from __future__ import annotations

import re

from turbohtml import Element

_ATTRIBUTES = (
    "data-lang",
    "data-language",
    "data-enlighter-language",
    "data-code-language",
)
_CLASS = re.compile(r"(?:language|lang|highlight-source|mw-highlight-lang)-([\w+#.-]+)$|lang:(\S+)")
_BOX_CLASS = re.compile(r"highlight-([\w+#.-]+)$")
"""Sphinx names the language so, and many a theme its boxes: only a known language counts."""
_BRUSH = re.compile(r"\bbrush:\s*([\w+#-]+)")
_DATA = re.compile(r'"language"\s*:\s*"([\w+#.-]+)"')
_TOOLS = re.compile(r"\[?([A-Za-z+#]+)(?:\]|代码)")
"""The head of an old SyntaxHighlighter: `[java]`, or `Java代码` as iteye has it."""

_MARKERS = set(
    "hljs highlight prettyprint sourcecode syntaxhighlighter code prism shiki chroma codehilite "
    "dataview dataviewjs".split()
)
"""Classes that say: the other classes may hold the bare name of a language."""

_BARE = set(
    "bash sh shell zsh powershell bat c cpp c++ csharp c# cs java kotlin scala groovy python py "
    "python3 ipython3 ruby rb perl php go golang rust swift objectivec javascript js typescript ts "
    "jsx tsx json yaml yml toml xml html css scss less sql lua r matlab julia haskell elixir "
    "erlang clojure lisp dart vue dockerfile makefile nginx ini diff markdown md text plain "
    "plaintext latex tex vim awk sed asm protobuf graphql http console mermaid dataview "
    "dataviewjs".split()
)
_MEANING = {
    **dict.fromkeys("none undefined null auto default nohighlight".split(), ""),
    **dict.fromkeys("plain plaintext".split(), "text"),
    "text-html-basic": "html",
}
"""Names that pages write, where another one is meant."""


def language_of(code: Element) -> str:
    """The language of a code block: of its code, itself, or the boxes close around it."""
    inner = code.select_one("code")
    boxes = [node for node in code.ancestors if isinstance(node, Element)]
    for element in [*([inner] if inner else []), code, *boxes[:6]]:
        if element.tag in ("body", "article", "main", "li", "blockquote"):
            break
        found = _own(element)
        if found is not None:
            return _MEANING.get(found.lower(), found.lower())
    return ""


def _own(element: Element) -> str | None:
    """What an element itself says of the language; an empty word where it says that it has none."""
    for name in _ATTRIBUTES:
        if value := element.attr(name):
            return value.strip()
    if (element.attr("lang") or "").lower() in _BARE:
        return element.attr("lang")
    data = f"{element.attr('data-attrs')} {element.attr('data-syntaxhighlighter-params')}"
    if found := _DATA.search(data) or _BRUSH.search(f"{data} {element.attr('class') or ''}"):
        return found[1]
    return _of_classes(element) or _of_tools(element)


def _of_classes(element: Element) -> str | None:
    words = (element.attr("class") or "").split()
    for word in words:
        if found := _CLASS.match(word):
            return found[1] or found[2]
        if (found := _BOX_CLASS.match(word)) and found[1].lower() in _BARE | set(_MEANING):
            return found[1]
    if element.tag in ("pre", "code", "textarea") or _MARKERS & {word.lower() for word in words}:
        return next((word for word in words if word.lower() in _BARE), None)
    return None


def _of_tools(element: Element) -> str | None:
    """The language as a highlighter shows it in the bar above the code."""
    if element.has_class("crayon-syntax"):
        shown = element.select_one(".crayon-language")
        return shown.text.strip() if shown else None
    if element.has_class("dp-highlighter"):
        tools = element.select_one(".tools")
        found = _TOOLS.match(tools.text.strip()) if tools else None
        return found[1] if found else None
    return None
