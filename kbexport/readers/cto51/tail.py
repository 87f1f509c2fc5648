"""What follows the last meta line of a listing page."""

from __future__ import annotations

from dataclasses import dataclass, field

from kbexport.readers.cto51 import noise
from kbexport.readers.cto51.lines import Line


@dataclass
class Tail:
    """What follows the last meta line."""

    cut: list[Line] = field(default_factory=list)
    """An entry that the end of the text cuts off."""
    unknown: list[Line] = field(default_factory=list)
    """Neither entry nor footer."""
    nickname: str | None = None
    """The last line of the footer."""


def read_tail(lines: list[Line], *, ends_in_line: bool) -> Tail:
    """Sort what follows the last meta line: a cut-off entry, the footer, the nickname."""
    tail = Tail()
    in_footer = in_sidebar = False
    for index, line in enumerate(lines):
        following = lines[index + 1].text if index + 1 < len(lines) else None
        cut = following is None and ends_in_line and not tail.cut
        if noise.is_sidebar_heading(line.text):
            in_sidebar = True
        elif noise.is_footer(line.text, cut=cut) and (
            in_footer or not tail.cut or _begins_footer(line.text, following)
        ):
            in_footer = True
        elif noise.is_pagination(line.text) or (in_footer and noise.is_page_noise(line.text)):
            continue
        elif (in_footer or in_sidebar) and noise.is_sure_header(line.text):
            in_footer = in_sidebar = False  # another page begins, and is cut off
        elif in_footer and following is None and len(line.text) <= 40:
            tail.nickname = line.text
        elif in_footer:
            tail.unknown.append(line)
        elif not in_sidebar:
            tail.cut.append(line)
    return tail


def _begins_footer(line: str, following: str | None) -> bool:
    """Whether a cell of the footer, below the lines of an entry, is no tag."""
    return noise.has_cells(line) or bool(following and noise.is_footer(following))
