"""Markdown taken apart into blocks, line by line, as CommonMark does it.

Only the structure is found here: which lines are code, which text, and what quote and list marks
stand before them. The words of a line are not looked at.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Literal

from kbexport.content import marks
from kbexport.content.lines import columns, cut_indent, indent_of
from kbexport.content.marks import Container

Kind = Literal["blank", "text", "heading", "rule", "code", "table", "math", "definition", "html"]

MAX_DEPTH = 60
"""More quotes and lists within each other than this are text: nobody writes them."""


@dataclass
class Block:
    """A leaf of the document: its lines, and what stands before each of them."""

    kind: Kind
    prefixes: list[str]
    """For each line the marks of its quotes and lists, as they are to be written."""
    lines: list[str]
    """The lines without these marks."""
    info: str = ""
    """Info string of a fence; the `#` signs of a heading; name of a definition."""
    sign: str = "`"
    """What the fence is made of."""
    length: int = 3
    """How many signs open the fence."""
    indent: int = 0
    """How far the fence is indented, which its lines may be as well."""
    within: tuple[Container, ...] = ()
    """The quotes and list items around it, the outer ones first."""


def parse_blocks(text: str) -> list[Block]:
    """The blocks of a Markdown text in the order of its lines."""
    scanner = _Scanner()
    for line in text.split("\n"):
        scanner.take(line)
    scanner.close()
    return scanner.blocks


@dataclass
class _Scanner:
    blocks: list[Block] = field(default_factory=list)
    stack: list[Container] = field(default_factory=list)
    leaf: Block | None = None
    """The block that the next line may belong to."""

    def take(self, line: str) -> None:
        matched, prefix, rest = self._match(line)
        inside = matched == len(self.stack)
        if inside and self.leaf and self._continue(self.leaf, prefix, rest):
            return
        if self.leaf and not inside and self._in_text() and self._is_lazy(rest):
            self._append(self._as_text(self.leaf), prefix, rest)
            return
        if not inside:
            self.close()
            del self.stack[matched:]
        prefix, rest = self._open_containers(prefix, rest)
        self._open_leaf(prefix, rest)

    def _match(self, line: str) -> tuple[int, str, str]:
        """How many of the open containers go on in this line, their marks, and what is left."""
        rest, prefix = line, ""
        for number, container in enumerate(self.stack):
            if container.kind == "item":
                if rest.strip(" \t") and indent_of(rest) < container.width:
                    return number, prefix, rest
                rest = cut_indent(rest, container.width)
                prefix += " " * container.width
            else:
                found = marks.QUOTE.match(rest)
                if not found:
                    return number, prefix, rest
                rest = cut_indent(rest[found.end() :], 1)
                prefix += found[0] + " "
        return len(self.stack), prefix, rest

    def _continue(self, leaf: Block, prefix: str, rest: str) -> bool:
        """Whether the line belongs to the open leaf; if so it is added."""
        match leaf.kind:
            case "code" if leaf.indent >= 0:
                return self._continue_fence(leaf, prefix, rest)
            case "code":
                if rest.strip(" \t") and indent_of(rest) < 4:
                    return False
                self._append(leaf, prefix, cut_indent(rest, 4))
                return True
            case "math" | "html":
                return self._continue_until(leaf, prefix, rest)
            case "table" if rest.strip(" \t") and not self._interrupts(rest):
                self._append(leaf, prefix, rest.strip(" \t"))
                return True
        return False

    def _append(self, leaf: Block, prefix: str, line: str) -> None:
        leaf.prefixes.append(prefix)
        leaf.lines.append(line if leaf.kind in ("code", "html") else line.lstrip(" \t"))

    def _continue_fence(self, leaf: Block, prefix: str, rest: str) -> bool:
        found = marks.FENCE.match(rest)
        closes = found and found[1][0] == leaf.sign and len(found[1]) >= leaf.length
        if found and closes and not found[2].strip(" \t"):
            self.leaf = None
        else:
            self._append(leaf, prefix, cut_indent(rest, leaf.indent))
        return True

    def _continue_until(self, leaf: Block, prefix: str, rest: str) -> bool:
        """A formula ends with `$$`, HTML with its closing tag; a formula has no blank line."""
        if leaf.kind == "math" and (not rest.strip(" \t") or marks.NOT_TEX.match(rest)):
            return False
        self._append(leaf, prefix, rest)
        if leaf.info in rest.lower() and (
            leaf.kind == "math" or marks.html_ends(leaf.lines, leaf.info)
        ):
            if leaf.kind == "math" and rest.rstrip(" \t").find("$$") != len(rest.rstrip(" \t")) - 2:
                self._as_text(leaf)
            self.leaf = None
        return True

    def _is_lazy(self, rest: str) -> bool:
        # Where the text's own list or quote has ended, any number may begin a new item.
        item = indent_of(rest) < 4 and marks.ITEM.match(rest)
        return bool(rest.strip(" \t")) and not item and not self._interrupts(rest)

    def _interrupts(self, rest: str) -> bool:
        """Whether a line begins a new block although text stands right before it."""
        if indent_of(rest) >= 4:
            return False
        if marks.QUOTE.match(rest) or marks.HEADING.match(rest) or marks.RULE.match(rest):
            return True
        if marks.FOOTNOTE.match(rest):
            return True
        fence = marks.FENCE.match(rest)
        if fence and not (fence[1][0] == "`" and "`" in fence[2]):
            return True
        item = marks.ITEM.match(rest)
        return bool(item and rest[item.end() :].strip(" \t") and item[3] in (None, "1"))

    def _open_containers(self, prefix: str, rest: str) -> tuple[str, str]:
        while len(self.stack) < MAX_DEPTH and indent_of(rest) < 4:
            rest = " " * indent_of(rest) + rest.lstrip(" \t")
            if found := marks.QUOTE.match(rest):
                self.close()
                self.stack.append(Container("quote"))
                prefix, rest = prefix + found[0] + " ", cut_indent(rest[found.end() :], 1)
                continue
            if found := marks.FOOTNOTE.match(rest):
                self.close()
                self.stack.append(Container("item", 4, found[1]))
                prefix, rest = prefix + found[1] + " ", rest[found.end() :]
                continue
            item = marks.ITEM.match(rest)
            if (
                not item
                or marks.RULE.match(rest)
                or (self._in_text() and not self._interrupts(rest))
            ):
                break
            prefix, rest = self._open_item(item, prefix, rest)
        return prefix, rest

    def _in_text(self) -> bool:
        return self.leaf is not None and self.leaf.kind in ("text", "math")

    def _open_item(self, item: re.Match[str], prefix: str, rest: str) -> tuple[str, str]:
        self.close()
        mark = item[3] + "." if item[3] else "*"
        behind = rest[item.end(2) :]
        spaces = indent_of(behind)
        if not behind.strip(" \t") or spaces > 4:
            spaces = 1
        lead = item[1] + mark + " " * spaces
        self.stack.append(Container("item", len(lead), mark.strip("*")))
        return prefix + lead, cut_indent(behind, spaces)

    def _open_leaf(self, prefix: str, rest: str) -> None:
        text = rest.strip(" \t")
        if not text:
            self._close_into("blank", prefix, "")
        elif indent_of(rest) >= 4:
            self._open_indented(prefix, rest)
        elif self._open_marked(prefix, rest):
            pass
        elif self._in_text() and self.leaf:
            self._append(self.leaf, prefix, rest)
        else:
            self.leaf = self._close_into("text", prefix, rest.lstrip(" \t"))

    def _open_indented(self, prefix: str, rest: str) -> None:
        if self._in_text() and self.leaf:
            self._append(self.leaf, prefix, rest)
            return
        self.close()
        self.leaf = self._add("code", prefix, cut_indent(rest, 4))
        self.leaf.indent = -1

    def _open_marked(self, prefix: str, rest: str) -> bool:
        """Open the block that a line's first signs announce, if they do."""
        if self._underline(rest) or self._table(prefix, rest):
            return True
        if marks.RULE.match(rest):
            self._close_into("rule", prefix, rest.strip(" \t"))
        elif found := marks.HEADING.match(rest):
            words = re.sub(r"(?:^|[ \t]+)#+[ \t]*$", "", found[2])
            self._close_into("heading", prefix, words.strip(" \t")).info = found[1]
        elif found := marks.FENCE.match(rest):
            if found[1][0] == "`" and "`" in found[2]:
                return False
            self._open_fence(prefix, found)
        elif rest.lstrip(" \t").startswith("$$") and "$$" not in rest.lstrip(" \t")[2:]:
            self.close()
            self.leaf = self._add("math", prefix, rest.strip(" \t"))
            self.leaf.info = "$$"
        elif found := marks.HTML.match(rest):
            self.leaf = self._close_into("html", prefix, rest)
            self.leaf.info = f"</{found[1].lower()}>"
            if marks.html_ends(self.leaf.lines, self.leaf.info):
                self.leaf = None
        else:
            return False
        return True

    def _open_fence(self, prefix: str, found: re.Match[str]) -> None:
        self.close()
        self.leaf = self._add("code", prefix, "")
        self.leaf.lines.clear()
        self.leaf.info = found[2].strip(" \t")
        self.leaf.sign, self.leaf.length = found[1][0], len(found[1])
        self.leaf.indent = found.start(1)

    def _underline(self, rest: str) -> bool:
        """A line of `=` or `-` below text makes a heading of it."""
        found = marks.UNDERLINE.match(rest)
        if not found or not self._in_text() or not self.leaf:
            return False
        if self.leaf.prefixes[0].endswith("]: "):  # a footnote is no heading
            return False
        self.leaf.kind = "heading"
        self.leaf.info = "#" if found[1][0] == "=" else "##"
        self.leaf.lines = [" ".join(line.strip(" \t") for line in self.leaf.lines)]
        del self.leaf.prefixes[1:]
        self.leaf = None
        return True

    def _table(self, prefix: str, rest: str) -> bool:
        """A row of dashes below a line with as many cells makes a table of both."""
        if "|" not in rest or not self._in_text() or not self.leaf or not marks.COLUMNS.match(rest):
            return False
        head, before = self.leaf.lines[-1], self.leaf.prefixes[-1]
        # A line that lacks the `>` of its quote goes on with a paragraph and heads no table.
        if columns(head) != columns(rest) or before.count(">") != prefix.count(">"):
            return False
        first = self.leaf.prefixes.pop()
        self.leaf.lines.pop()
        if not self.leaf.lines:
            self.blocks.pop()
        self.leaf = self._add("table", first, head.strip(" \t"))
        self._append(self.leaf, prefix, rest.strip(" \t"))
        return True

    def _add(self, kind: Kind, prefix: str, line: str) -> Block:
        block = Block(kind, [prefix], [line], within=tuple(self.stack))
        self.blocks.append(block)
        return block

    def _close_into(self, kind: Kind, prefix: str, line: str) -> Block:
        """End the open leaf and add a block of one line."""
        self.close()
        return self._add(kind, prefix, line)

    def close(self) -> None:
        """End the open leaf; a formula or HTML that never ended is text."""
        leaf, self.leaf = self.leaf, None
        if leaf and leaf.kind in ("math", "html"):
            self._as_text(leaf)
        if leaf and leaf.kind == "code" and leaf.indent < 0:
            self._give_back_blanks(leaf)

    def _as_text(self, leaf: Block) -> Block:
        """What turned out to be no formula is text of the paragraph above, if there is one."""
        if leaf.kind == "text":
            return leaf
        leaf.kind, leaf.lines = "text", [line.lstrip(" \t") for line in leaf.lines]
        above = self.blocks[-2] if len(self.blocks) > 1 else None
        if above is None or above.kind != "text" or leaf.prefixes[0].strip(" >"):
            return leaf
        if above.prefixes[0].count(">") != leaf.prefixes[0].count(">"):
            return leaf
        self.blocks.pop()
        above.lines += leaf.lines
        above.prefixes += leaf.prefixes
        if self.leaf is leaf:
            self.leaf = above
        return above

    def _give_back_blanks(self, leaf: Block) -> None:
        """Blank lines at the end of indented code stand behind it."""
        while leaf.lines and not leaf.lines[-1].strip(" \t"):
            leaf.lines.pop()
            self.blocks.append(Block("blank", [leaf.prefixes.pop()], [""]))
