"""Tables in HTML -> tables that a Markdown table can be made of: one line a cell, no spans."""

from __future__ import annotations

from turbohtml import Document, Element, Node, Text

_TOO_MUCH = "table, pre, h1, h2, h3, h4, h5, h6, blockquote, hr, figure"
_MAX_SPAN = 50


def plain_tables(document: Document, _: str) -> None:
    """Every table becomes a grid; one that only lays out the page is taken apart."""
    for table in reversed(document.select("table")):
        rows = _rows(table)
        width = max((len(_cells(row)) for row in rows), default=0)
        if not rows or table.select_one("table") or (width == 1 and table.select_one(_TOO_MUCH)):
            _take_apart(table)
            continue
        for cell in table.select("td, th"):
            _on_one_line(cell)
        _fill_spans(rows)


def _rows(table: Element) -> list[Element]:
    return [row for row in table.select("tr") if row.closest("table") == table]


def _cells(row: Element) -> list[Element]:
    children: list[Node] = list(row.children)
    return [cell for cell in children if isinstance(cell, Element) and cell.tag in ("td", "th")]


def _take_apart(table: Element) -> None:
    for part in table.select("td, th, caption"):
        if part.closest("table") == table:
            part.tag = "div"
    for part in table.select("thead, tbody, tfoot, tr, colgroup"):
        if part.closest("table") == table:
            part.unwrap()
    table.unwrap()


def _on_one_line(cell: Element) -> None:
    """Blocks inside a cell are parted by line breaks; code keeps its lines."""
    for pre in cell.select("pre"):
        lines = pre.text.rstrip("\n").split("\n")
        for number, line in enumerate(lines):
            code = Element("code")
            code.append(Text(line))
            pre.insert_before(code, *([Element("br")] if number < len(lines) - 1 else []))
        pre.decompose()
    for block in cell.select("p, div, h1, h2, h3, h4, h5, h6"):
        if block.next_sibling is not None and any(
            node.text.strip() for node in block.next_siblings
        ):
            block.insert_after(Element("br"))
        block.unwrap()


def _fill_spans(rows: list[Element]) -> None:
    """A spanned cell stands once, the rest of its area is empty; all rows get the same length."""
    taken: dict[tuple[int, int], bool] = {}
    for number, row in enumerate(rows):
        column = 0
        for cell in _cells(row):
            while taken.get((number, column)):
                cell.insert_before(Element(cell.tag))
                column += 1
            wide, high = _span(cell, "colspan"), min(_span(cell, "rowspan"), len(rows) - number)
            for down in range(1, high):
                taken.update({(number + down, column + right): True for right in range(wide)})
            for _ in range(wide - 1):
                cell.insert_after(Element(cell.tag))
            column += wide
        while taken.get((number, column)):
            row.append(Element("td"))
            column += 1
    width = max(len(_cells(row)) for row in rows)
    for row in rows:
        for _ in range(width - len(_cells(row))):
            row.append(Element("td"))


def _span(cell: Element, name: str) -> int:
    value = cell.attr(name) or "1"
    cell.attrs.pop(name, None)
    return min(max(int(value), 1), _MAX_SPAN) if value.isascii() and value.isdigit() else 1
