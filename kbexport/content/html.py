"""HTML of a post -> Markdown, through turbohtml.

The tree is normalised first (`normalise.py`); what comes out is Markdown that still has to go
through `inert_markdown`. Nothing else in kbexport converts HTML.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable

import turbohtml
from turbohtml import Markdown

from kbexport.content.escape import ZERO_WIDTH, clean
from kbexport.content.normalise import CELL_BREAK, PARAGRAPH, normalise, resolve_addresses

_MARKS = {"strong": "**", "b": "**", "em": "*", "i": "*", "del": "~~", "s": "~~", "strike": "~~"}
_KEPT = ("sub", "sup", "kbd", "u", "mark")
_INDENT = re.compile(r"[ \t>]*(?:(?:[-*+]|\d+[.)])[ \t]+)*")
_ITEM = re.compile(r" {0,3}((?:[-*+]|\d{1,9}[.)])(?: |$))")
_QUOTE = re.compile(r"> ?")
_FENCE = re.compile(r"(`{3,}|~{3,})[^`]*$")


def html_to_markdown(html: str, *, base_url: str | None = None) -> str:
    """A fragment or the body of a page -> Markdown; relative addresses are resolved."""
    document = turbohtml.parse(_prepared(html))
    formulas = normalise(document, base_url or "")
    markdown = document.to_markdown(_OPTIONS)
    return formulas.restored(_indented(_parted(markdown))).strip("\n")


def html_to_text(html: str) -> str:
    """HTML of a title or an excerpt -> its plain text on one line."""
    document = turbohtml.parse(_prepared(html))
    for node in document.select("script, style, template, noscript"):
        node.decompose()
    for node in document.select("br, p, div, li, td, h1, h2, h3, h4, h5, h6"):
        node.insert_after(turbohtml.Text(" "))
    return " ".join(document.text.split())


def absolute_addresses(html: str, base_url: str) -> str:
    """HTML whose links and pictures no longer depend on the address that it came from."""
    document = turbohtml.parse(html)
    resolve_addresses(document, base_url)
    body = document.select_one("body")
    return body.inner_html if body else html


def _prepared(html: str) -> str:
    """HTML without the private signs that stand for something on the way through the converter."""
    return re.sub("[\ue000-\ue00f]", "", clean(html))


def _parted(markdown: str) -> str:
    """Markdown whose double line breaks are ends of paragraphs."""
    lines: list[str] = []
    for line in markdown.split("\n"):
        first, *rest = line.split(PARAGRAPH)
        lines.append(first)
        marks = _INDENT.match(first)
        indent = re.sub(r"[^>\s]", " ", marks[0]) if marks else ""
        for part in rest:
            lines[-1] = lines[-1].rstrip(" ")
            lines += [indent.rstrip(), indent + part.lstrip(" ")]
    return "\n".join(lines).replace(CELL_BREAK, "<br>")


def _indented(markdown: str) -> str:
    """Markdown in which what belongs to an item of a list stands four spaces in.

    The converter indents it as far as the mark is wide (`formats.md`, section 6).
    """
    open_marks: list[str] = []
    fence, lines = "", []
    for line in markdown.split("\n"):
        prefix, rest, depth = _continued(line, open_marks)
        if depth < len(open_marks):
            del open_marks[depth:]
            fence = ""
        while not fence and (found := _ITEM.match(rest) or _QUOTE.match(rest)):
            mark = found[0] if found.re is _QUOTE else found[1].rstrip() + " "
            prefix, rest = prefix + mark, rest[found.end() :]
            open_marks.append(mark)
        if found := _FENCE.match(rest):
            fence = found[1] if not fence else "" if rest.rstrip() == fence else fence
        lines.append(prefix + rest if rest else prefix.rstrip(" "))
    return "\n".join(lines)


def _continued(line: str, marks: list[str]) -> tuple[str, str, int]:
    """What stands before the words of a line, the words, and how many of the marks go on in it."""
    prefix, rest = "", line
    for depth, mark in enumerate(marks):
        if mark[0] == ">":
            found = _QUOTE.match(rest)
            if not found:
                return prefix, rest, depth
            prefix, rest = prefix + found[0], rest[found.end() :]
        elif rest.startswith(" " * len(mark)) or not rest.strip():
            prefix, rest = prefix + " " * max(4, len(mark)), rest[len(mark) :]
        else:
            return prefix, rest, depth
    return prefix, rest, len(marks)


def _converter(mark: str) -> Callable[[turbohtml.Element, str], str]:
    """Emphasis that a CommonMark reader sees beside Chinese letters too.

    A mark between a letter and punctuation opens or closes nothing, so an invisible sign goes
    in between (`formats.md`, section 5).
    """

    def convert(element: turbohtml.Element, children: str) -> str:
        core = children.strip()
        if not core or "\n\n" in core:
            return children
        start = children[: len(children) - len(children.lstrip())]
        end = children[len(children.rstrip()) :]
        before = ZERO_WIDTH if not start and _joins(_last(element), core.lstrip("*~")[:1]) else ""
        after = ZERO_WIDTH if not end and _joins(_next(element), core.rstrip("*~")[-1:]) else ""
        return f"{start}{mark}{before}{core}{after}{mark}{end}"

    return convert


def _joins(outside: str, inside: str) -> bool:
    return bool(outside) and _is_letter(outside) and not _is_letter(inside)


def _is_letter(char: str) -> bool:
    return not char.isspace() and unicodedata.category(char)[0] not in "PS" if char else True


def _last(element: turbohtml.Element) -> str:
    before = element.previous_sibling
    return before.text[-1:] if before else ""


def _next(element: turbohtml.Element) -> str:
    after = element.next_sibling
    return after.text[:1] if after else ""


def _tag(name: str) -> Callable[[turbohtml.Element, str], str]:
    return lambda _, children: f"<{name}>{children}</{name}>" if children.strip() else children


_OPTIONS = Markdown(
    lists=Markdown.Lists(bullets="*"),
    tables=Markdown.Tables(cell_blocks="text"),
    converters={
        **{tag: _converter(mark) for tag, mark in _MARKS.items()},
        **{tag: _tag(tag) for tag in _KEPT},
    },
)
