"""The exact text of a block of code: its lines, without numbers, buttons and bars."""

from __future__ import annotations

import re

from turbohtml import Comment, Element, Node, Text

NOISE = (
    ".hljs-button, .hljs-ln-numbers, .pre-numbering, ul.line-numbers, .btn-code-notes,"
    " .hide-preCode-box, .lnt, .ln, .gutter, .line-numbers-rows, .line-numbers-wrapper, .lineno,"
    " .linenos, .linenodiv, .rouge-gutter, td.number, td.line_numbers, .blob-num, .crayon-nums,"
    " .code-snippet__line-index, .code-block-extension-header, .copy-btn, .copy-code-btn,"
    " .code-copy-btn, .copy_btn, .toolbar, .widget-codetool, clipboard-copy, button, style, script"
)
"""What sites put round and between the lines. All of it is made by them, none by the author."""

_LINES = (
    "td.hljs-ln-code",
    "td.content",
    "td.blob-code",
    "div.line",
    "div.crayon-line",
    "li",
    "tr",
)
"""Elements that hold one line each."""

_NUMBERED = re.compile(r" *(\d+)(?: |$)")
_DOTTED = re.compile(r"(?:\d+\.)+")
_GLUED = re.compile(r"\d+")
_TEAL = re.compile(r"color:\s*(?:#008080|rgb\(0, ?128, ?128\))", re.IGNORECASE)


def code_text(code: Element) -> str:
    """The text of a block as lines; no-break spaces are plain ones, edges have no empty line."""
    for noise in code.select(NOISE):
        noise.decompose()
    for node in list(code.descendants):
        if isinstance(node, Comment):  # `{<!-- -->` is what CSDN writes for `{`
            node.extract()
    for line_break in code.select("br"):
        line_break.replace_with(Text("\n"))
    lines = "\n".join(_lines(code)).replace("\xa0", " ").split("\n")
    if _is_numbered(code, lines):
        lines = [_NUMBERED.sub("", line, count=1) for line in lines]
    lines = _without_copied_numbers(lines)
    if code.closest(".dp-highlighter"):
        lines = [line.rstrip(" ") for line in lines]  # it adds two spaces to each line
    while lines and not lines[-1].strip():
        lines.pop()
    first = next((n for n, line in enumerate(lines) if line.strip()), 0)
    return "\n".join(lines[first:])


def _lines(code: Element) -> list[str]:
    """The lines, where each is an element of its own; else the whole text."""
    whole = _length(code)
    for selector in _LINES:
        rows = code.select(selector)
        if rows and sum(map(_length, rows)) == whole:
            if selector == "tr":
                return [
                    "\t".join(cell.text.strip() for cell in row.select("td, th")) for row in rows
                ]
            return [_line(row) for row in rows]
    for tag in ("div", "p", "code"):
        rows = _children(code, tag) or _children(code.select_one("code") or code, tag)
        if rows and sum(map(_length, rows)) == whole and not (tag == "code" and len(rows) == 1):
            return [_line(row) for row in rows]
    _part_cells(code)
    return [code.text]


def _line(row: Element) -> str:
    text = row.text.removesuffix("\n")
    return "" if text in (" ", "\xa0") else text  # an empty line that would else have no height


def _length(element: Element) -> int:
    return len("".join(element.text.split()))


def _children(code: Element, tag: str) -> list[Element]:
    nodes: list[Node] = list(code.children)
    return [node for node in nodes if isinstance(node, Element) and node.tag == tag]


def _part_cells(code: Element) -> None:
    """A table within the text of code: cells apart by tabs, rows by lines."""
    for cell in code.select("td + td, th + td, th + th, td + th"):
        cell.insert_before(Text("\t"))
    for row in code.select("tr"):
        row.insert_before(Text("\n"))


def _is_numbered(code: Element, lines: list[str]) -> bool:
    """Whether cnblogs wrote numbers into the text: teal ones, from 1, one a line."""
    if not code.closest(".cnblogs_code"):
        return False
    teal = [
        span
        for span in code.select("span[style]")
        if _TEAL.search(span.attr("style") or "") and span.text.strip().isdigit()
    ]
    found = [_NUMBERED.match(line) for line in lines]
    return len(teal) >= len(lines) and all(
        match and int(match[1]) == number for number, match in enumerate(found, 1)
    )


def _without_copied_numbers(lines: list[str]) -> list[str]:
    """Code without the line numbers that copying from a page puts behind it, as `1.2.3.`.

    They go only where they count exactly the lines above them (`inputs`, 51CTO and CSDN).
    """
    *above, last = lines
    while above and not above[-1].strip():
        above.pop()
    count = len(above)
    numbers = range(1, count + 1)
    dotted = count > 2 and _DOTTED.fullmatch(last) and last == "".join(f"{n}." for n in numbers)
    glued = count > 3 and _GLUED.fullmatch(last) and last == "".join(map(str, numbers))
    if dotted or glued:
        return above
    half = len(lines) // 2
    if half > 3 and lines[half:] == [str(n) for n in range(1, half + 1)]:
        return lines[:half]
    return lines
