"""Listing pages of a 51CTO blog as plain text: extracted by a program, or pasted from a browser."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from kbexport.models import Post, Problem, SourcePost
from kbexport.readers.base import Document, Reader, Richness
from kbexport.readers.cto51 import noise
from kbexport.readers.cto51.capture import lacks_capture, undated
from kbexport.readers.cto51.entries import (
    MOST_LINES,
    Entry,
    find_blocks,
    split_entries,
)
from kbexport.readers.cto51.lines import split_lines
from kbexport.readers.cto51.summary import learn_tags, looks_like_excerpt, summarize, summarize_cut
from kbexport.text.counts import parse_count
from kbexport.text.dates import is_relative, parse_moment

NAME = "51cto-text"
_ENOUGH = 60_000


def parse(text: str, source: str, captured: date | None = None) -> Iterator[SourcePost | Problem]:
    """Yield the posts of the page in its order, and what could not be read."""
    listing = split_entries(text)
    known_tags = learn_tags(
        (entry.lines[0].text, [line.text for line in entry.lines[1:]])
        for entry in listing.entries
        if entry.lines and not entry.cut
    )
    without_date: list[str] = []
    for entry in listing.entries:
        if entry.meta.date and lacks_capture(entry.meta.date, captured):
            without_date.append(entry.meta.date)
        yield from _read_entry(entry, source, listing.author, known_tags, captured)
    if without_date:
        yield undated(without_date, source, captured)
    for line in listing.unknown:
        yield Problem(
            source=source,
            place=f"line {line.number}",
            reason=f"a line of the footer is not known: {line.text[:60]}",
            hint="nothing is missing if this is no post",
            lost=False,
        )


def _read_entry(
    entry: Entry,
    source: str,
    author: str | None,
    known_tags: frozenset[str],
    captured: date | None,
) -> Iterator[SourcePost | Problem]:
    if not entry.lines:
        if entry.cut:
            reason, hint = "the text ends above the title of an entry", "copy or save it again"
        else:
            reason = "a meta line without a title above it"
            hint = "copy the page again, from above the first title"
        place = f"line {entry.meta_number}"
        yield Problem(source=source, place=place, reason=reason, hint=hint)
        return
    place = f"line {entry.lines[0].number}"
    lines = [line.text for line in entry.lines[1:]]
    if entry.cut_in_line:
        summary = summarize_cut(lines, known_tags)
    else:
        summary = summarize(lines, known_tags)
    published = parse_moment(entry.meta.date, captured) if entry.meta.date else None
    post = Post(
        title=entry.lines[0].text,
        url=entry.lines[0].url,
        published=published,
        author=author,
        reads=parse_count(entry.meta.reads) if entry.meta.reads else None,
        tags=summary.tags,
        kind=entry.meta.kind,
        pinned=True if entry.meta.pinned else None,
        excerpt=summary.excerpt,
    )
    yield SourcePost(post=post, reader=NAME, source=source, place=place, cut=entry.cut)
    for reason, hint, lost in _doubts(entry, post, doubtful=summary.doubtful):
        yield Problem(source=source, place=place, reason=reason, hint=hint, lost=lost)


def _doubts(entry: Entry, post: Post, *, doubtful: bool) -> Iterator[tuple[str, str, bool]]:
    """Yield what the user should know of the entry: reason, hint, whether something is missing."""
    title = (post.title or "")[:60]
    if entry.cut:
        yield f"the text ends within this entry: {title}", "copy or save the page again", True
    if entry.rest:
        yield f"part of the meta line is not understood: {entry.rest[:60]}", "", False
    if entry.meta.date and not post.published and not is_relative(entry.meta.date):
        yield f"no such date: {entry.meta.date}", "correct the date in the file", True
    if entry.meta.reads and post.reads is None:
        yield f"no such count: {entry.meta.reads.strip()}", "correct the count in the file", True
    if len(entry.lines) > MOST_LINES:
        yield (
            f"{len(entry.lines)} lines before one meta line, more than an entry has: {title}",
            "see whether a meta line is missing between them",
            True,
        )
    if entry.cut:
        return
    if doubtful and post.excerpt:
        yield f"taken as the excerpt, could be a tag: {post.excerpt[:60]}", "", False
    elif doubtful:
        yield f"taken as a tag, could be the excerpt: {post.tags[0][:60]}", "", False


def sniff(document: Document) -> bool:
    """Whether there are meta lines about as often as in a listing, or the header of one."""
    head = document.head[:_ENOUGH]
    if head.lstrip().startswith(("<", "{", "---\n", "+++\n")):
        return False
    lines = split_lines(head)
    blocks, _ = find_blocks(lines)
    if not blocks:
        return bool(lines) and noise.is_sure_header(lines[0].text)
    if not any(block.meta.kind for block in blocks):
        return False
    # A post may quote a meta line, but then there is more text than the frame of a page holds.
    between = blocks[-1].end - blocks[0].first
    sentences = sum(looks_like_excerpt(line.text) for line in lines)
    return between <= 12 * len(blocks) and sentences <= 3 * len(blocks) + 10


def read(document: Document) -> Iterator[SourcePost | Problem]:
    """Yield the posts of the document."""
    return parse(document.text, document.name, document.captured)


READER = Reader(NAME, Richness.LISTING_TEXT, sniff, read)
