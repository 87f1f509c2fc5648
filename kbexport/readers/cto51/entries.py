"""The lines of an extracted listing page, divided into entries.

Blank lines carry no information, so the meta lines are the anchors: an entry is what stands between
the meta line before and its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from kbexport.readers.cto51 import meta as meta_line
from kbexport.readers.cto51 import noise
from kbexport.readers.cto51.meta import Meta
from kbexport.readers.cto51.summary import looks_like_excerpt
from kbexport.text.clean import one_line

# Title, excerpt, five tags, and one to spare.
MOST_LINES = 8


@dataclass(frozen=True)
class Line:
    """A line that is not blank."""

    number: int
    """As an editor counts."""
    text: str
    """The line with single spaces."""


@dataclass(frozen=True)
class Block:
    """One meta line, perhaps printed on several lines."""

    first: int
    """Index of the first of its lines."""
    end: int
    """Index behind the last of its lines."""
    meta: Meta
    """What it says."""
    rest: str = ""
    """What in it could not be understood."""


@dataclass(frozen=True)
class Entry:
    """One post of the listing."""

    lines: tuple[Line, ...]
    """Title and what stands under it."""
    meta: Meta
    """What the meta line says."""
    meta_number: int
    """Number of the line on which the meta line begins, or of the last line."""
    rest: str = ""
    """What in the meta line could not be understood."""
    cut: bool = False
    """Whether the text ends before the entry does."""
    cut_in_line: bool = False
    """Whether it even ends within the last of the lines."""


@dataclass
class Listing:
    """A page taken apart."""

    entries: list[Entry] = field(default_factory=list)
    """In the order of the page."""
    author: str | None = None
    """Name of the blogger, from the header or the footer."""
    unknown: list[Line] = field(default_factory=list)
    """Lines behind the entries that are neither footer nor entry."""


def split_lines(text: str) -> list[Line]:
    """Return the lines that are not blank; a label and its number on two lines are one."""
    lines: list[Line] = []
    for number, raw in enumerate(text.split("\n"), 1):
        line = one_line(raw)
        if not line or noise.is_cover_mark(line):
            continue
        if lines and lines[-1].text in meta_line.LABELS and meta_line.is_number(line):
            lines[-1] = Line(lines[-1].number, f"{lines[-1].text} {line}")
        else:
            lines.append(Line(number, line))
    return lines


def split_entries(text: str) -> Listing:
    """Divide the text of a listing page into entries."""
    lines = split_lines(text)
    blocks, dates = find_blocks(lines)
    listing = Listing()
    start = 0
    if lines and (author := noise.header_author(lines[0].text)):
        listing.author = author
        start = 1 if _is_header(lines, blocks) else 0
    tail_start = blocks[-1].end if blocks else start
    nickname = _read_tail(lines[tail_start:], listing, ends_in_line=not text.endswith("\n"))
    if start == 0:
        listing.author = nickname
    cut_entries, listing.entries = listing.entries, []
    for index, block in enumerate(blocks):
        group = lines[start : block.first]
        own = _strip_frame(group, first=index == 0 and start == 0, author=listing.author)
        own = [line for line in own if line.number not in dates]
        meta = block.meta
        if date := next((dates[line.number] for line in group if line.number in dates), None):
            meta = meta_line.join(meta, date) or meta
        number = lines[block.first].number
        listing.entries.append(Entry(tuple(own), meta, number, block.rest))
        start = block.end
    _mark_cut_meta(listing, text, lines, blocks)
    listing.entries += cut_entries
    return listing


def find_blocks(lines: Sequence[Line]) -> tuple[list[Block], dict[int, Meta]]:
    """Return the meta lines, and by line number the dates that stand above titles."""
    parts = [meta_line.read_meta(line.text) for line in lines]
    leading = _dates_lead(parts)
    dates: dict[int, Meta] = {}
    blocks: list[Block] = []
    current: Block | None = None
    for index, part in enumerate(parts):
        if part is None:
            _close(current, blocks)
            current = _damaged(lines[index], index)
        elif leading and part.is_date_only:
            _close(current, blocks)
            current = None
            dates[lines[index].number] = part
        else:
            joined = _joined(current, part)
            if joined is None or current is None:
                _close(current, blocks)
                current = Block(index, index + 1, part)
            else:
                current = Block(current.first, index + 1, joined)
    _close(current, blocks)
    return blocks, dates


def _joined(current: Block | None, part: Meta) -> Meta | None:
    if current is None or current.rest or current.meta.is_full:
        return None
    # Above a meta line that stands on one line, 推荐 or 翻译 is a tag.
    if part.is_whole and part.kind and current.meta.facets != {meta_line.PINNED}:
        return None
    return meta_line.join(current.meta, part)


def _close(block: Block | None, blocks: list[Block]) -> None:
    if block and block.meta.is_whole:
        blocks.append(block)


def _damaged(line: Line, index: int) -> Block | None:
    found = meta_line.read_damaged_meta(line.text)
    return Block(index, index + 1, *found) if found else None


def _dates_lead(parts: Sequence[Meta | None]) -> bool:
    """Whether the date stands above the title: the first one comes before any other part does.

    A date without `发布于` could be some line of the sidebar, so it must be missing in the last
    meta line as well.
    """
    dates = [index for index, part in enumerate(parts) if part and part.is_date_only]
    others = [index for index, part in enumerate(parts) if part and not part.is_date_only]
    if not dates or not others or dates[0] > others[0] or dates[0] + 1 == others[0]:
        return False
    first = parts[dates[0]]
    return bool(first and first.date_is_labelled) or dates[-1] < others[-1]


def _is_header(lines: Sequence[Line], blocks: Sequence[Block]) -> bool:
    """Whether the first line, which can be a page's title, is not the title of the first post."""
    if noise.is_sure_header(lines[0].text):
        return True
    if any(line.text == noise.header_author(lines[0].text) for line in lines[-2:]):
        return True
    first_meta = blocks[0].first if blocks else len(lines)
    return first_meta > 2 and not looks_like_excerpt(lines[1].text)


def _strip_frame(group: list[Line], *, first: bool, author: str | None) -> list[Line]:
    """Drop what stands above the title: the frame of the page, or the end of the page before."""
    begin = 0
    for index, line in enumerate(group):
        footer = noise.is_footer(line.text) and not noise.is_weak_noise(line.text)
        seam = begin == index and index > 0 and _ends_page(line.text, author)
        pages = index == 0 and noise.is_pagination(line.text) and len(group) > 1
        if footer or seam or pages:
            begin = index + 1
    if first:
        begin = max(begin, _end_of_noise(group))
    own = group[begin:]
    if first and len(own) > MOST_LINES:
        own = own[_title_upwards(own) :]
    return own


def _ends_page(line: str, author: str | None) -> bool:
    """Whether the line belongs to the seam between two pages in one text."""
    return line == author or noise.is_pagination(line) or noise.is_sure_header(line)


def _end_of_noise(group: list[Line]) -> int:
    """Return the index behind the last line that is surely part of the page's frame."""
    end, run = 0, 0
    for index, line in enumerate(group):
        run = run + 1 if noise.is_page_noise(line.text) else 0
        if run >= 3 or (run and not noise.is_weak_noise(line.text)):
            end = index + 1
    return end if end < len(group) else 0


def _title_upwards(lines: list[Line]) -> int:
    """Return the index of the title, walking up from the meta line: tags, excerpt, title."""
    lowest = max(0, len(lines) - MOST_LINES)
    for index in range(len(lines) - 1, lowest, -1):
        if looks_like_excerpt(lines[index].text):
            is_sentence = any(sign in lines[index].text for sign in "。，；")
            return index - 1 if is_sentence else index
    return lowest


def _read_tail(tail: list[Line], listing: Listing, *, ends_in_line: bool) -> str | None:
    """Sort what follows the last meta line: a cut-off entry, the footer, the nickname."""
    end = len(tail)
    in_footer = in_sidebar = False
    own: list[Line] = []
    nickname: str | None = None
    for index, line in enumerate(tail):
        last = index == end - 1
        if noise.is_sidebar_heading(line.text):
            in_sidebar = True
        elif _is_footer(line, in_footer, cut=last and ends_in_line and not own):
            in_footer = True
        elif noise.is_pagination(line.text) or (in_footer and noise.is_page_noise(line.text)):
            continue
        elif (in_footer or in_sidebar) and noise.is_sure_header(line.text):
            in_footer = in_sidebar = False  # another page begins, and is cut off
        elif in_footer and last and len(line.text) <= 40:
            nickname = line.text
        elif in_footer:
            listing.unknown.append(line)
        elif not in_sidebar:
            own.append(line)
    if own:
        listing.entries.append(_cut_entry(own, ends_in_line=ends_in_line))
    return nickname


def _is_footer(line: Line, in_footer: bool, *, cut: bool) -> bool:
    """Whether the line is part of the footer; what may be a tag does not begin it."""
    if noise.is_weak_noise(line.text) and not in_footer:
        return False
    return noise.is_footer(line.text, cut=cut)


def _cut_entry(lines: list[Line], *, ends_in_line: bool) -> Entry:
    """Read the entry that the end of the text cuts off, as far as it goes."""
    meta = meta_line.read_cut_meta(lines[-1].text) if len(lines) > 1 else None
    number = lines[-1].number
    if meta is not None:
        lines = lines[:-1]
    in_line = ends_in_line and meta is None
    return Entry(tuple(lines), meta or Meta(), number, cut=True, cut_in_line=in_line)


def _mark_cut_meta(
    listing: Listing, text: str, lines: Sequence[Line], blocks: Sequence[Block]
) -> None:
    """Mark the last entry as cut off if its meta line ends with the text and too early."""
    if not blocks or blocks[-1].end != len(lines) or text.endswith("\n"):
        return
    *others, last = listing.entries
    if meta_line.is_cut(last.meta, [entry.meta for entry in others]):
        meta = meta_line.what_is_certain(last.meta)
        listing.entries[-1] = Entry(last.lines, meta, last.meta_number, cut=True)
