"""The lines of an extracted listing page, divided into entries.

Blank lines carry no information, so the meta lines are the anchors: an entry is what stands between
the meta line before and its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kbexport.readers.cto51 import meta as meta_line
from kbexport.readers.cto51 import noise
from kbexport.readers.cto51.lines import Line, split_lines
from kbexport.readers.cto51.meta import Meta
from kbexport.readers.cto51.summary import looks_like_excerpt
from kbexport.readers.cto51.tail import read_tail

# Title, excerpt, five tags, and one to spare.
MOST_LINES = 8


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


@dataclass(frozen=True)
class Listing:
    """A page taken apart."""

    entries: tuple[Entry, ...]
    """In the order of the page."""
    author: str | None
    """Name of the blogger, from the header or the footer."""
    unknown: tuple[Line, ...]
    """Lines behind the entries that are neither footer nor entry."""


def split_entries(text: str) -> Listing:
    """Divide the text of a listing page into entries."""
    lines = split_lines(text)
    ends_in_line = not text.endswith("\n")
    blocks, dates = find_blocks(lines)
    start = 1 if lines and _is_header(lines, blocks) else 0
    rest = lines[blocks[-1].end if blocks else start :]
    tail = read_tail(rest, ends_in_line=ends_in_line)
    author = noise.header_author(lines[0].text) if start else tail.nickname
    entries: list[Entry] = []
    for block in blocks:
        group = lines[start : block.first]
        own = _strip_frame(group, first=start == 0, author=author)
        entries.append(_entry(own, block, lines[block.first].number, dates))
        start = block.end
    if blocks and not rest:
        entries[-1] = _checked_end(entries, in_line=ends_in_line)
    if entries and _ends_in_meta(entries[-1], rest):
        entries[-1] = _cut_short(entries[-1])
    elif tail.cut:
        entries.append(_cut_entry(tail.cut, dates, ends_in_line=ends_in_line))
    return Listing(tuple(entries), author, tuple(tail.unknown))


def _entry(own: list[Line], block: Block, number: int, dates: dict[int, Meta]) -> Entry:
    """Join an entry's lines with its meta line and with the date above its title."""
    above = [dates[line.number] for line in own if line.number in dates]
    meta = (meta_line.join(block.meta, above[-1]) if above else None) or block.meta
    lines = tuple(line for line in own if line.number not in dates)
    return Entry(lines, meta, number, block.rest)


def find_blocks(lines: Sequence[Line]) -> tuple[list[Block], dict[int, Meta]]:
    """The meta lines, and by line number the dates that stand above titles."""
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

    The meta line that follows must have no date itself. A date without `发布于` could be some line
    of the sidebar, so it must be missing in the last meta line as well.
    """
    dates = [index for index, part in enumerate(parts) if part and part.is_date_only]
    others = [index for index, part in enumerate(parts) if part and not part.is_date_only]
    first = parts[dates[0]] if dates else None
    if first is None or not others:
        return bool(first and first.date_is_labelled)
    if dates[0] > others[0] or dates[0] + 1 == others[0]:
        return False
    following = parts[dates[0] + 1 : dates[1] if len(dates) > 1 else None]
    if any(part and meta_line.DATE in part.facets for part in following):
        return False  # a title that is a date
    return first.date_is_labelled or dates[-1] < others[-1]


def _is_header(lines: Sequence[Line], blocks: Sequence[Block]) -> bool:
    """Whether the first line is the title of the page, and not that of the first post."""
    author = noise.header_author(lines[0].text)
    if author is None:
        return False
    if noise.is_sure_header(lines[0].text) or any(line.text == author for line in lines[-2:]):
        return True
    first_meta = blocks[0].first if blocks else len(lines)
    return first_meta > 2 and not looks_like_excerpt(lines[1].text)


def _strip_frame(group: list[Line], *, first: bool, author: str | None) -> list[Line]:
    """Drop what stands above the title: the frame of the page, or the end of the page before."""
    begin = _end_of_footer(group, author)
    if first:
        begin = max(begin, _end_of_noise(group))
    own = group[begin:]
    if first and len(own) > MOST_LINES:
        own = own[_title_upwards(own) :]
    return own


def _end_of_footer(group: list[Line], author: str | None) -> int:
    """The index behind the seam between two pages in one text; 0 if there is none.

    One cell of the footer alone may be a tag.
    """
    footers = [index for index, line in enumerate(group) if noise.is_footer(line.text)]
    sure = len(footers) > 1 or any(noise.has_cells(group[index].text) for index in footers)
    begin = footers[-1] + 1 if sure else 0
    while begin < len(group) - 1 and _ends_page(group[begin].text, author, sure=sure):
        begin += 1
    return begin


def _ends_page(line: str, author: str | None, *, sure: bool) -> bool:
    """Whether the line belongs to a seam; without a footer before it, it could be a title."""
    if noise.is_sure_header(line):
        return True
    return (noise.is_pagination(line) and (sure or noise.has_cells(line))) or (
        sure and line == author
    )


def _end_of_noise(group: list[Line]) -> int:
    """The index behind the last line that is surely part of the page's frame.

    One word alone on a line may be a tag: it counts next to a line of several, or as one of three.
    """
    end = run = 0
    sure = False
    for index, line in enumerate(group):
        if not noise.is_page_noise(line.text):
            run, sure = 0, False
            continue
        run += 1
        sure = sure or run >= 3 or noise.has_cells(line.text)
        if sure:
            end = index + 1
    return end if end < len(group) else 0


def _title_upwards(lines: list[Line]) -> int:
    """The index of the title, walking up from the meta line: tags, excerpt, title."""
    lowest = max(0, len(lines) - MOST_LINES)
    for index in range(len(lines) - 1, lowest, -1):
        if looks_like_excerpt(lines[index].text):
            is_sentence = any(sign in lines[index].text for sign in "。，；")
            return index - 1 if is_sentence else index
    return lowest


def _cut_entry(lines: list[Line], dates: dict[int, Meta], *, ends_in_line: bool) -> Entry:
    """Read the entry that the end of the text cuts off, as far as it goes."""
    read = {line.number: meta_line.read_meta(line.text) for line in lines}
    found = {number: part for number, part in read.items() if part and part.date_is_labelled}
    found |= {line.number: dates[line.number] for line in lines if line.number in dates}
    above, own = list(found.values()), [line for line in lines if line.number not in found]
    number = lines[-1].number
    if len(own) == 1 and meta_line.begins_date_label(own[0].text):
        own = []
    first, meta = _cut_meta(own)
    in_line = ends_in_line and first == len(own)
    if above:
        meta = meta_line.join(meta, above[-1]) or meta
    return Entry(tuple(own[:first]), meta, number, cut=True, cut_in_line=in_line)


def _cut_meta(lines: list[Line]) -> tuple[int, Meta]:
    """At which line the cut-off meta line begins, and what it surely says."""
    first, meta = len(lines) - 1, Meta()
    while first > 1 and (part := meta_line.read_meta(lines[first - 1].text)):
        joined = meta_line.join(part, meta)
        if joined is None:
            break
        first, meta = first - 1, joined
    cut = meta_line.read_cut_meta(lines[-1].text) if len(lines) > 1 else None
    if cut is not None:
        return first, meta_line.join(meta, cut) or meta
    if meta.facets and meta_line.begins_part(lines[-1].text):
        return first, meta
    return len(lines), Meta()


def _ends_in_meta(last: Entry, rest: list[Line]) -> bool:
    """Whether what follows the last meta line is no entry but the cut-off end of this line."""
    return len(rest) == 1 and not last.meta.is_full and meta_line.begins_part(rest[0].text)


def _checked_end(entries: list[Entry], *, in_line: bool) -> Entry:
    """The last entry, marked if its meta line ends with the text and too early."""
    *others, last = entries
    is_cut = meta_line.is_cut(last.meta, [entry.meta for entry in others], in_line=in_line)
    return _cut_short(last) if is_cut else last


def _cut_short(last: Entry) -> Entry:
    return Entry(last.lines, meta_line.what_is_certain(last.meta), last.meta_number, cut=True)
