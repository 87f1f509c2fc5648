"""What a line of Markdown may begin with, as CommonMark, GFM and the apps read it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

QUOTE = re.compile(r" {0,3}>")
ITEM = re.compile(r"( {0,3})([-+*]|(\d{1,9})[.)])(?=[ \t]|$)( *)")
HEADING = re.compile(r" {0,3}(#{1,6})(?:[ \t]+|$)(.*)$")
FENCE = re.compile(r" {0,3}(`{3,}|~{3,})(.*)$")
RULE = re.compile(r" {0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$")
UNDERLINE = re.compile(r" {0,3}(=+|-+)[ \t]*$")
COLUMNS = re.compile(r" {0,3}\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$")
NOT_TEX = re.compile(r"[ \t]*(?:>|`{3}|~{3}|\#{1,6}[ \t])")
FOOTNOTE = re.compile(r" {0,3}(\[\^[^\s\[\]^]{1,80}\]:)[ \t]*")
HTML = re.compile(
    r" {0,3}(?:<(?:div|p|center|figure|section)(?:\s[^<>]{0,500})?>\s{0,9}){0,4}"
    r"<(pre|table|ul|ol|dl|blockquote|h[1-6])[\s>]",
    re.IGNORECASE,
)


_MOST_NESTED = 500
"""In HTML of more lines the first closing tag ends it: this keeps the work linear."""


def html_ends(lines: Sequence[str], end: str) -> bool:
    """Whether a closing tag such as `</ul>` ends what the first line opened, with all inside."""
    if end not in lines[-1].lower():
        return False
    if len(lines) > _MOST_NESTED:
        return True
    text = "\n".join(lines).lower()
    return text.count(end) >= len(re.findall(rf"<{end[2:-1]}[\s>]", text))


@dataclass(frozen=True, eq=False)
class Container:
    """A quote or an item of a list; each is another one, however alike they are."""

    kind: Literal["quote", "item"]
    width: int = 0
    """Columns that a line of the list item must be indented."""
    mark: str = ""
    """What stands before the item: its number, or the name of a footnote; empty for a bullet."""
