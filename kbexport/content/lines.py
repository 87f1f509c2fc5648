"""Lines of Markdown: columns of white space, and the cells of a row."""

from __future__ import annotations

import re


def indent_of(line: str) -> int:
    """Columns of white space before the first sign; a tab goes to the next multiple of four."""
    column = 0
    for char in line:
        if char == " ":
            column += 1
        elif char == "\t":
            column += 4 - column % 4
        else:
            break
    return column


def cut_indent(line: str, width: int) -> str:
    """The line without up to ``width`` columns of white space; a tab cut in two leaves spaces."""
    column = 0
    for place, char in enumerate(line):
        if column >= width or char not in " \t":
            return " " * (column - width) + line[place:]
        column += 1 if char == " " else 4 - column % 4
    return " " * max(column - width, 0)


_NOTE_MARK = re.compile(r"\[\^[^\s\[\]^]{1,80}\]: ")


def continuation(prefix: str) -> str:
    """What stands before the further lines of a block: the same quotes, white space for lists."""
    return re.sub(r"[^>\s]", " ", _NOTE_MARK.sub("    ", prefix))


def split_cells(row: str) -> list[str]:
    """The row of a table, cut at every bar without a backslash; the bars at its ends give `''`."""
    cells, start = [], 0
    for found in re.finditer(r"\\.|\|", row):
        if found[0] == "|":
            cells.append(row[start : found.start()])
            start = found.end()
    return [*cells, row[start:]]


def columns(row: str) -> int:
    """How many cells the row of a table has."""
    cells = split_cells(row.strip(" \t"))
    return len(cells) - (cells[0] == "") - (len(cells) > 1 and cells[-1] == "")
