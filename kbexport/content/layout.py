"""The lines that the converter wrote, put as the apps need them (`formats.md`, section 6)."""

from __future__ import annotations

import re

from kbexport.content.conversion import (
    ALIGNED,
    CELL_BREAK,
    LINE_BREAK,
    NOTE_CLOSE,
    NOTE_OPEN,
    PARAGRAPH,
)
from kbexport.content.lines import split_cells

_BREAK = re.compile(f"([{PARAGRAPH}{LINE_BREAK}])")
_INDENT = re.compile(r"[ \t>]*(?:(?:[-*+]|\d+[.)])[ \t]+)*")
_ITEM = re.compile(r" {0,3}((?:[-*+]|\d{1,9}[.)])(?: |$))")
_QUOTE = re.compile(r"> ?")
_FENCE = re.compile(r"(`{3,}|~{3,})[^`]*$")
_NOTE = re.compile(rf"^([ >]*)[-*+] {NOTE_OPEN}(\w+){NOTE_CLOSE}[ \n]*", re.MULTILINE)
_SIGNS = {sign: name for name, sign in ALIGNED.items()}
_ROWS = {"left": ":---", "center": ":---:", "right": "---:"}


def laid_out(markdown: str) -> str:
    """The converter's Markdown with paragraphs, lists, tables and footnotes in their final form."""
    text = _indented(_parted(markdown))
    if NOTE_OPEN in text:
        text = _NOTE.sub(r"\n\1[^\2]: ", text)
        text = re.sub(rf"{NOTE_OPEN}\w+{NOTE_CLOSE}", "", text)
        text = re.sub(r"\n{3,}(?=[ >]*\[\^\w+\]: )", "\n\n", text)
    return _aligned(text)


def _parted(markdown: str) -> str:
    """Markdown whose double line breaks are ends of paragraphs."""
    lines: list[str] = []
    for line in markdown.split("\n"):
        first, *rest = _BREAK.split(line)
        lines.append(first)
        marks = _INDENT.match(first) if rest else None
        indent = re.sub(r"[^>\s]", " ", marks[0]) if marks else ""
        for sign, part in zip(rest[::2], rest[1::2], strict=True):
            lines[-1] = lines[-1].rstrip(" ") + ("  " if sign == LINE_BREAK else "")
            lines += [indent.rstrip()] * (sign == PARAGRAPH)
            lines += [indent + part.lstrip(" ")] if part.strip(" ") else []
    return "\n".join(lines).replace(CELL_BREAK, "<br>")


def _indented(markdown: str) -> str:
    """Markdown in which what belongs to an item of a list stands four spaces in.

    The converter indents it as far as the mark is wide.
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


def _aligned(markdown: str) -> str:
    """Tables whose head says how the columns are aligned."""
    if not any(sign in markdown for sign in _SIGNS):
        return markdown
    lines: list[str] = []
    columns: list[str] = []
    for line in markdown.split("\n"):
        if columns:
            before = line[: line.index("|")] if "|" in line else ""
            lines.append(f"{before}| {' | '.join(columns)} |")
            columns = []
        elif any(sign in line for sign in _SIGNS):
            columns = [_column(cell) for cell in split_cells(line)[1:-1]]
            lines.append(re.sub(f"[{''.join(_SIGNS)}]", "", line))
        else:
            lines.append(line)
    return "\n".join(lines)


def _column(cell: str) -> str:
    return next((_ROWS[name] for sign, name in _SIGNS.items() if sign in cell), "---")
