"""Tables in HTML -> tables that a Markdown table can be made of: one line a cell, no spans."""

from __future__ import annotations

import re

from turbohtml import Document, Element, Node, Text

from kbexport.content.conversion import ALIGNED, CELL_BREAK, Conversion

_TOO_MUCH = "table, pre, h1, h2, h3, h4, h5, h6, blockquote, hr, figure, ul, ol"
_BLOCKS = (
    "p, div, h1, h2, h3, h4, h5, h6, section, article, blockquote, figure, figcaption, li, ul, ol"
)
_MAX_SPAN = 50
_MAX_GROWTH = 20
"""A grid has at most so many times the cells that the page gives it, beside one large span."""
_ALIGN = re.compile(r"text-align:\s*(left|center|right)", re.IGNORECASE)


def plain_tables(document: Document, conversion: Conversion) -> None:
    """Every table becomes a grid; one that only lays out the page is taken apart."""
    for table in reversed(document.select("table")):
        rows = _rows(table)
        if not table.text.strip() and not table.select_one("img"):
            table.decompose()
        elif not rows or _is_layout(table, rows):
            _take_apart(table)
        elif any("\n" in pre.text.strip("\n") for pre in table.select("pre")):
            conversion.problem("a table holds code of several lines: its cells stand below another")
            for head in table.select("th"):
                _embolden(head)
            _take_apart(table)
        else:
            _make_grid(table, rows)


def _is_layout(table: Element, rows: list[Element]) -> bool:
    width = max((len(_cells(row)) for row in rows), default=0)
    return bool(table.select_one("table")) or (width == 1 and bool(table.select_one(_TOO_MUCH)))


def _make_grid(table: Element, rows: list[Element]) -> None:
    _bound_spans(rows)
    aligned = _alignments(rows)
    for head in table.select("th"):
        if head.parent != rows[0]:
            _embolden(head)
    for cell in table.select("td, th"):
        _on_one_line(cell)
    _fill_spans(rows)
    for cell, name in zip(_cells(rows[0]), aligned, strict=False):
        if name:
            cell.append(Text(ALIGNED[name]))
    for foot in table.select("tfoot"):
        table.append(foot.extract())


def _embolden(cell: Element) -> None:
    if cell.text.strip() and not cell.select_one("strong, b, table, pre, p, div"):
        cell.wrap_children(Element("strong"))


def _rows(table: Element) -> list[Element]:
    return [row for row in table.select("tr") if row.closest("table") == table and _cells(row)]


def _cells(row: Element) -> list[Element]:
    children: list[Node] = list(row.children)
    return [cell for cell in children if isinstance(cell, Element) and cell.tag in ("td", "th")]


def _alignments(rows: list[Element]) -> list[str]:
    """How each column is aligned: as its head says, or all cells below."""
    head, *others = [_row_alignments(row) for row in rows]
    columns = []
    for number, own in enumerate(head):
        below = {row[number] for row in others if number < len(row)}
        columns.append(own or (below.pop() if len(below) == 1 else ""))
    return columns


def _row_alignments(row: Element) -> list[str]:
    found: list[str] = []
    for cell in _cells(row):
        style = _ALIGN.search(cell.attr("style") or "")
        name = (style[1] if style else cell.attr("align") or "").lower()
        found += [name if name in ALIGNED else ""] * _span(cell, "colspan")
    return found


def _take_apart(table: Element) -> None:
    for part in table.select("td, th, caption"):
        if part.closest("table") == table:
            part.tag = "div"
    for part in table.select("thead, tbody, tfoot, tr, colgroup"):
        if part.closest("table") == table:
            part.unwrap()
    table.unwrap()


def _on_one_line(cell: Element) -> None:
    """Blocks inside a cell are parted by line breaks; items of lists show their marks."""
    for pre in cell.select("pre"):
        code = Element("code")
        code.append(Text(pre.text.strip("\n")))
        pre.replace_with(code)
    for items in cell.select("ul, ol"):
        _show_marks(items)
    for rule in cell.select("hr"):
        rule.replace_with(Element("br"))
    for block in cell.select(_BLOCKS):
        if block.text.strip() and _has_words(block, before=True):
            block.insert_before(Element("br"))
        if block.text.strip() and _has_words(block, before=False):
            block.insert_after(Element("br"))
        block.unwrap()


def _show_marks(items: Element) -> None:
    children: list[Node] = list(items.children)
    found = [node for node in children if isinstance(node, Element) and node.tag == "li"]
    for number, item in enumerate(found, 1):
        item.insert(0, Text("• " if items.tag == "ul" else f"{number}. "))


def _has_words(block: Element, *, before: bool) -> bool:
    """Whether something stands on one side of a block, without a line break in between."""
    for node in block.previous_siblings if before else block.next_siblings:
        if isinstance(node, Element) and node.tag == "br":
            return False
        if node.text.strip() or (isinstance(node, Element) and node.tag == "img"):
            return CELL_BREAK not in node.text
    return False


def _bound_spans(rows: list[Element]) -> None:
    """Drop the spans of a table that would grow far beyond what is in it."""
    cells = [cell for row in rows for cell in _cells(row)]
    area = sum(_span(cell, "colspan") * _span(cell, "rowspan") for cell in cells)
    if area > _MAX_GROWTH * len(cells) + _MAX_SPAN**2:
        for cell in cells:
            cell.attrs.pop("colspan", None)
            cell.attrs.pop("rowspan", None)


def _fill_spans(rows: list[Element]) -> None:
    """A spanned cell stands once, the rest of its area is empty; all rows get the same length."""
    taken: set[tuple[int, int]] = set()
    for number, row in enumerate(rows):
        column = 0
        for cell in _cells(row):
            while (number, column) in taken:
                cell.insert_before(Element(cell.tag))
                column += 1
            wide, high = _span(cell, "colspan"), min(_span(cell, "rowspan"), len(rows) - number)
            for down in range(1, high):
                taken.update((number + down, column + right) for right in range(wide))
            for _ in range(wide - 1):
                cell.insert_after(Element(cell.tag))
            column += wide
            cell.attrs.pop("colspan", None)
            cell.attrs.pop("rowspan", None)
    width = max(len(_cells(row)) for row in rows)
    for row in rows:
        for _ in range(width - len(_cells(row))):
            row.append(Element("td"))


def _span(cell: Element, name: str) -> int:
    value = cell.attr(name) or "1"
    return min(max(int(value), 1), _MAX_SPAN) if value.isascii() and value.isdigit() else 1
