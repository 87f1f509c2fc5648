"""What a line of Markdown may begin with, as CommonMark, GFM and the apps read it."""

from __future__ import annotations

import re
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
HTML = re.compile(r" {0,3}<(pre|table)[\s>]", re.IGNORECASE)


@dataclass(frozen=True, eq=False)
class Container:
    """A quote or an item of a list; each is another one, however alike they are."""

    kind: Literal["quote", "item"]
    width: int = 0
    """Columns that a line of the list item must be indented."""
    mark: str = ""
    """What stands before the item: its number, or the name of a footnote; empty for a bullet."""
