"""The frozen types that data flows through: source -> Post -> Series -> Note."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field


class Model(BaseModel):
    """Base of all models: frozen, strict, and closed to keys that it does not know."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", strict=True, use_attribute_docstrings=True
    )


Moment = Annotated[str, Field(pattern=r"^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d)?(Z|[+-]\d\d:\d\d)?)?$")]
"""A date as far as it is known, in ISO 8601: a day, or a local time with or without an offset.

Text and not ``datetime``, so that a day never gains a midnight and no zone is ever invented.
"""

Kind = Literal["original", "repost", "translation"]


OnStep = Callable[[str, int, int], None]
"""Told how far a stage is: its name, how much is done, and of how much (0 where unknown)."""


class Post(Model):
    """One blog post as its source has it: the interchange format, one JSON object a line.

    Every field may be missing; an unknown value is absent, never 0, never today.
    """

    id: str | None = None
    """The source's own id of the post, such as a database key or a feed's guid."""
    title: str | None = None
    """The title as published, on one line, with its bracket prefix and its number."""
    url: str | None = None
    """Address of the post, http or https."""
    published: Moment | None = None
    """When the author published it, on the author's clock."""
    updated: Moment | None = None
    """When the author last changed it."""
    author: str | None = None
    """Name of the author."""
    reads: Annotated[int, Field(ge=0)] | None = None
    """How often the post was read, the highest count seen."""
    tags: tuple[str, ...] = ()
    """Tags as the source spells them, in its order."""
    categories: tuple[str, ...] = ()
    """Categories that the author filed the post under."""
    column: str | None = None
    """The site's column; the bracket prefix of a title is found later."""
    kind: Kind | None = None
    """Whether the author wrote it, reposted it or translated it."""
    pinned: bool | None = None
    """True where the source shows the post as pinned; a listing without the sign says nothing."""
    excerpt: str | None = None
    """The summary as plain text, perhaps cut off by the site."""
    body_markdown: str | None = None
    """The text in Markdown; it is made safe when a note is rendered."""
    body_html: str | None = None
    """The text in HTML."""
    series: str | None = None
    """Name of the series, where the source itself states one."""
    ordinal: int | None = None
    """Number of the part, where the source itself states one."""
    slug: str | None = None
    """The short name of the post in its address."""
    attachments: tuple[str, ...] = ()
    """Paths or addresses of files that belong to the post; `assets/…` is one that came with it."""


class SourcePost(Model):
    """A post and where it was read: what a reader yields."""

    post: Post
    """What this one source says; other sources may say more."""
    reader: str
    """Name of the reader."""
    source: str
    """The file, as the user named it."""
    place: str
    """Where in the file, such as `line 12`."""
    cut: bool = False
    """True where the capture ends inside the post, so that it may say less than the post does;
    then it counts as the poorest source."""


class Problem(Model):
    """Something in a source that could not be read as it stands."""

    source: str
    """The file, as the user named it."""
    place: str = ""
    """Where in the file, such as `line 12`; empty for the whole file."""
    reason: str
    """What is wrong."""
    hint: str = ""
    """What the user can do."""
    lost: bool = True
    """Whether something of the source is missing in the result; then the exit code is 3."""
    mistaken: bool = False
    """Whether the user asked for something that cannot be done, so that it is no mere note."""

    @property
    def where(self) -> str:
        """The file and the place in it, for people."""
        return f"{self.source}, {self.place}" if self.place else self.source


@dataclass(frozen=True)
class Asset:
    """A picture or another file that came with the sources, or was fetched for them."""

    path: str
    """Where it lies in the vault: `assets/<readable>-<hash>.<ending>`, as bodies name it."""
    load: Callable[[], bytes]
    """Reads its content, so that never more than one is held in memory. May raise OSError."""


class CollatedPost(Post):
    """A post after all its sources, and what the vault remembers, were made one."""

    uid: str
    """The tool's own id, such as `p-1a2b3c4d5e6f`; once given, for ever."""
    keys: tuple[str, ...]
    """Every key under which the post can be found again, strongest first, such as `url:…`."""
    origins: dict[str, str]
    """For each field the name of the reader it came from."""


class Contradiction(Model):
    """A field on which the sources of one run do not agree."""

    id: str
    """The tool's id of the post."""
    title: str
    """The title of the post, for people."""
    field: str
    """Name of the field."""
    kept: str
    """The value that was taken."""
    values: dict[str, str]
    """What each source says, by the source's name and place."""


class Part(Model):
    """A post in its role as member of a series."""

    uid: str
    """The tool's id of the post."""
    ordinal: int | None = None
    """The number that the title or the source gives; may be missing, zero or given twice."""
    name: str = ""
    """What the title says beyond series and number, such as `引擎(上)`."""
    evidence: str
    """Why this post is in the series, in one line."""


class LonePart(Model):
    """A post that looks like a part and is in no series."""

    uid: str
    """The tool's id of the post."""
    name: str
    """Name of the series that its title speaks of."""
    ordinal: int | None = None
    """The number that its title gives."""
    near: tuple[str, ...] = ()
    """Names of the series that it may belong to."""
    evidence: str
    """What speaks for it, in one line."""


class RelatedSeries(Model):
    """A pointer from one series to another one of the same blog."""

    name: str
    """Name of the other series."""
    names: tuple[str, ...] = ()
    """Words that both names have."""
    tags: tuple[str, ...] = ()
    """Tags that half of the parts of each have."""
    columns: tuple[str, ...] = ()
    """Columns that both have parts in."""
    linked: bool = False
    """Whether parts of one link to parts of the other."""

    @property
    def reason(self) -> str:
        """Why the two are related, in one line."""
        shared = (
            ("the names share", self.names),
            ("the tags share", self.tags),
            ("both in column", self.columns),
        )
        reasons = [f"{what} {', '.join(values)}" for what, values in shared if values]
        links = ["parts link to one another"] if self.linked else []
        return "; ".join([*reasons, *links])


class Series(Model):
    """Posts that belong together, in reading order."""

    name: str
    """The name as most of its titles spell it; no two series of a blog share one."""
    parts: tuple[Part, ...]
    """At least two, in reading order."""
    inferred_order: bool = False
    """True where dates, not numbers, gave the order."""
    gaps: tuple[tuple[int, int], ...] = ()
    """Ordinals between 1 and the last one that no part has, as (first, last) of each run."""
    related: tuple[RelatedSeries, ...] = ()
    """At most five, nearest first."""

    @property
    def doubles(self) -> tuple[int, ...]:
        """Ordinals that more than one part has."""
        counted = Counter(part.ordinal for part in self.parts if part.ordinal is not None)
        return tuple(sorted(ordinal for ordinal, count in counted.items() if count > 1))


class Note(Model):
    """What kbexport writes for a post, a series, a column or as Home."""

    uid: str
    """The tool's id of it."""
    path: str
    """Where it lies in the vault, with `/`."""
    text: str
    """The whole note, front matter and body."""
    base: str
    """The hash of the text, as its pointer names it."""
