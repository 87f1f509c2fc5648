"""What readers of exports share: values under the names of `Post`, and what is left out by rule."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from kbexport.models import Post, Problem, SourcePost
from kbexport.readers.fields import (
    Rule,
    as_body,
    as_count,
    as_flag,
    as_kind,
    as_line,
    as_moment,
    as_names,
    as_ordinal,
    as_slug,
    as_text,
    as_url,
    read_fields,
)

FIELDS: dict[str, Rule] = {
    "id": as_line,
    "title": as_line,
    "url": as_url,
    "published": as_moment,
    "updated": as_moment,
    "author": as_line,
    "reads": as_count,
    "tags": as_names,
    "categories": as_names,
    "column": as_line,
    "kind": as_kind,
    "pinned": as_flag,
    "excerpt": as_text,
    "body_markdown": as_body,
    "body_html": as_body,
    "series": as_line,
    "ordinal": as_ordinal,
    "slug": as_slug,
    "attachments": as_names,
}
"""How each field is read, whatever the format calls it."""

_MOST_NAMED = 10


@dataclass(frozen=True)
class Where:
    """Where a post was read."""

    reader: str
    source: str
    place: str
    cut: bool = False
    """Whether the file ends within the post."""


def post_of(values: Mapping[str, object], where: Where) -> Iterator[SourcePost | Problem]:
    """Yield the post that the raw values make, and a problem for each that cannot be read."""
    read, refused = read_fields(values, FIELDS)
    title = read.get("title")
    of_post = f" (of “{str(title)[:60]}”)" if title else ""
    source, place = where.source, where.place
    for reason in refused:
        hint = "the post is there without it; correct it in the file"
        yield Problem(source=source, place=place, reason=reason + of_post, hint=hint)
    if read:
        post = Post.model_validate(read)
        yield SourcePost(post=post, reader=where.reader, source=source, place=place, cut=where.cut)
    elif not refused:
        yield Problem(source=source, place=place, reason="nothing in this entry", lost=False)


class LeftOut:
    """What an export holds beside its posts: counted and named, one line for each kind."""

    def __init__(self, source: str) -> None:
        self._source = source
        self._titles: dict[tuple[str, str], list[str]] = {}

    def add(self, kind: str, title: object = "", hint: str = "") -> None:
        """Count one more of a kind, such as `a draft`; ``hint`` says how to have it after all."""
        self._titles.setdefault((kind, hint), []).append(as_line(title) or "")

    def problems(self) -> Iterator[Problem]:
        """Yield a line for each kind, with the first titles."""
        for (kind, hint), titles in self._titles.items():
            named = [f"“{title[:60]}”" for title in titles if title][:_MOST_NAMED]
            more = len(titles) - len(named) if named else 0
            names = f": {', '.join(named)}" + (f" and {more} more" if more else "")
            reason = f"left out: {kind} ({len(titles)})" + (names if named else "")
            yield Problem(source=self._source, reason=reason, hint=hint, lost=False)
