"""Which of several values a field takes: within a run the richer one, against memory the newer.

Rule: `reexport.md`, section 12.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from kbexport.models import CollatedPost, Contradiction, Post, SourcePost
from kbexport.text.urls import canonical_url

FIELDS: tuple[tuple[str, ...], ...] = (
    *((name,) for name in Post.model_fields if name not in ("body_markdown", "body_html")),
    ("body_markdown", "body_html"),
)
"""The fields of a post; the two forms of a body are one field and never come from two sources."""

COMPARED = ("title", "url", "published", "author", "reads", "kind", "series", "ordinal")
"""Fields whose values can contradict one another; elsewhere more is simply more."""

Ranks = Mapping[str, int]
"""How rich each reader's kind of source is; an unknown reader counts as the richest."""

RICHEST = 99

_MARKUP = re.compile(r"<[^<>]*>|\]\([^()\s]*\)|&#?\w{1,8};")

POOREST = 0
"""Of a post in which the capture ends: it may say less than the post does."""


@dataclass(frozen=True)
class Value:
    """What one source says of one field."""

    content: tuple[Any, ...]
    reader: str
    rank: int
    where: str

    @property
    def text(self) -> str:
        """The value in a form that sorts, and that a report can show."""
        plain = [item for item in self.content if item is not None]
        return plain[0] if isinstance(plain[0], str) else json.dumps(plain[0])

    @property
    def size(self) -> int:
        """How much it says: members of a list, characters of a text."""
        return sum(len(item) for item in self.content if isinstance(item, str | tuple))

    @property
    def letters(self) -> int:
        """How much a body says, whatever its markup."""
        texts = (_MARKUP.sub(" ", item) for item in self.content if isinstance(item, str))
        return max((len(re.sub(r"\W+", "", text)) for text in texts), default=0)


def values_of(found: SourcePost, field: tuple[str, ...], ranks: Ranks) -> list[Value]:
    """The value of a field in one source post, or nothing where it is unknown."""
    content = tuple(getattr(found.post, name) for name in field)
    if not any(item is not None and item != () for item in content):
        return []
    where = f"{found.source}, {found.place}" if found.place else found.source
    rank = POOREST if found.cut else ranks.get(found.reader, RICHEST)
    return [Value(content, found.reader, rank, where)]


def _by_source(value: Value) -> tuple[Any, ...]:
    return value.rank, value.size, value.text


RICHER: Mapping[str, Callable[[Value], tuple[Any, ...]]] = {
    "reads": lambda value: (value.content[0],),
    "pinned": lambda value: (value.content[0], *_by_source(value)),
    "body_markdown": lambda value: (value.rank, value.letters, *_by_source(value)),
    "excerpt": lambda value: (value.rank > POOREST, value.size, value.rank, value.text),
}
"""What makes a value the richer one, where it is not simply the richer source."""


def choose(
    field: tuple[str, ...], values: Sequence[Value], imported: Collection[str] = ()
) -> Value:
    """The richest of several values of one run; ``imported`` are dates that an import gave."""
    if field == ("published",):
        values = _written(values, imported)
    if len(values) == 1:
        return values[0]
    best = max(values, key=RICHER.get(field[0], _by_source))
    if field != ("published",):
        return best
    day = best.content[0][:10]
    return max(
        (value for value in values if value.content[0][:10] == day),
        key=lambda value: (*_precision(value), value.text),
    )


def _precision(value: Value) -> tuple[bool, int, int]:
    """How well a source knows the time of a day; a feed may give it by the clock of Greenwich."""
    return "T" in value.text, value.rank, len(value.text[:19])


def _written(values: Sequence[Value], imported: Collection[str]) -> Sequence[Value]:
    """The dates without those of an import, where an earlier one is known."""
    stamps = [value.text[:10] for value in values if value.text in imported]
    if not stamps:
        return values
    own = [value for value in values if value.text not in imported]
    return [value for value in own if value.text[:10] < min(stamps)] or values


def merge_run(
    posts: Sequence[SourcePost], ranks: Ranks, imported: Collection[str] = ()
) -> tuple[dict[tuple[str, ...], Value], dict[str, list[Value]]]:
    """The value of each field over all sources of a run, and the fields they disagree on."""
    chosen, disputed = {}, {}
    for field in FIELDS:
        values = [value for found in posts for value in values_of(found, field, ranks)]
        if len(values) > 1:
            values.sort(key=lambda value: (value.reader, repr(value.content)))  # settles a tie
        if values:
            chosen[field] = choose(field, values, imported)
            if field[0] in COMPARED and len({_comparable(field, value) for value in values}) > 1:
                disputed[field[0]] = values
    return chosen, disputed


def _comparable(field: tuple[str, ...], value: Value) -> str:
    if field == ("url",):
        return canonical_url(value.text)
    return value.text[:10] if field == ("published",) else value.text


def merge_memory(
    run: Mapping[tuple[str, ...], Value],
    memory: CollatedPost,
    ranks: Ranks,
    imported: Collection[str] = (),
) -> dict[tuple[str, ...], Value]:
    """The values of a run over what the vault remembers.

    The run's value wins, unless it is absent or comes from a poorer kind of source than the
    remembered one; `reads` is the highest count ever seen, and of one day the time stays known.
    A date of an import never takes the place of an earlier one, nor a body that of a fuller one
    which another source as rich had.
    """
    merged = dict(run)
    for field, old in remembered_values(memory, ranks).items():
        new = run.get(field)
        if new is None:
            merged[field] = old
        elif field == ("published",) and old.text[:10] != new.text[:10]:
            merged[field] = _newer_day(old, new, imported)
        elif not _is_news(field, old, new):
            merged[field] = old
    return merged


def _newer_day(old: Value, new: Value, imported: Collection[str]) -> Value:
    """Of two days the one that the post was published on."""
    known = _written([old, new], imported)
    if len(known) == 1:
        return known[0]
    # As good a source that has the post only later than another one did shows a copy of it.
    copied = new.rank == old.rank and new.reader != old.reader and new.text > old.text
    return new if _is_news(("published",), old, new) and not copied else old


def _is_news(field: tuple[str, ...], old: Value, new: Value) -> bool:
    if field == ("reads",):
        return bool(new.content[0] > old.content[0])
    if field[0] == "body_markdown" and new.rank == old.rank and new.reader != old.reader:
        return new.letters > old.letters
    of_one_day = field == ("published",) and new.text[:10] == old.text[:10]
    if of_one_day and _precision(new) != _precision(old):
        return _precision(new) > _precision(old)
    return new.rank > old.rank or (new.rank == old.rank and new.content != old.content)


def remembered_values(memory: CollatedPost, ranks: Ranks) -> dict[tuple[str, ...], Value]:
    """The fields of a remembered post, each with the reader it came from."""
    post = as_post(memory)
    by_reader = {
        reader: SourcePost(post=post, reader=reader, source="", place="")
        for reader in {"", *memory.origins.values()}
    }
    found = [(field, by_reader[memory.origins.get(field[0], "")]) for field in FIELDS]
    return {field: value for field, source in found for value in values_of(source, field, ranks)}


def says_the_same(posts: Sequence[SourcePost], memory: CollatedPost) -> bool:
    """Whether the sources of a run say exactly what is remembered of a post.

    Then there is nothing to merge, which is most of a run without much news.
    """
    return (
        len(posts) == 1
        and set(memory.origins.values()) == {posts[0].reader}
        and as_post(memory) == posts[0].post
    )


def as_post(memory: CollatedPost) -> Post:
    """A collated post without what the tool knows about it."""
    return Post.model_construct(**{name: getattr(memory, name) for name in Post.model_fields})


def split_by_origin(memory: CollatedPost) -> tuple[SourcePost, ...]:
    """A remembered post as the partial posts of the readers that it came from."""
    if len(readers := set(memory.origins.values())) == 1:
        return (SourcePost(post=as_post(memory), reader=readers.pop(), source="", place=""),)
    parts: dict[str, dict[str, Any]] = {}
    for field in FIELDS:
        reader = memory.origins.get(field[0], "")
        parts.setdefault(reader, {}).update({name: getattr(memory, name) for name in field})
    return tuple(
        SourcePost(post=Post(**fields), reader=reader, source="", place="")
        for reader, fields in sorted(parts.items())
    )


def contradictions(
    uid: str,
    title: str,
    chosen: Mapping[tuple[str, ...], Value],
    disputed: Mapping[str, list[Value]],
) -> list[Contradiction]:
    """The disagreements of one post in the form of the report."""
    return [
        Contradiction(
            id=uid,
            title=title,
            field=field,
            kept=chosen[(field,)].text,
            values=dict(sorted((value.where, value.text) for value in values)),
        )
        for field, values in sorted(disputed.items())
    ]
