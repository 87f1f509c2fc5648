"""What the steps of detection hand on: entries that are free, and groups that were formed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from kbexport.models import CollatedPost
from kbexport.series.extras import Extra, extras
from kbexport.series.lookalikes import is_problem_set
from kbexport.series.names import READ_LENGTH
from kbexport.series.rules import Strength
from kbexport.series.statements import read_statement
from kbexport.series.titles import Candidate, candidates
from kbexport.text.columns import split_column


@dataclass(frozen=True, slots=True)
class Entry:
    """A post as detection sees it."""

    post: CollatedPost
    column: str | None
    title: str
    """The title without its column."""
    seconds: float | None
    """When it was published, on the author's clock; None where unknown."""
    readings: tuple[Candidate, ...]
    """The title as a numbered part, clearest first."""
    previous: str | None = None
    """The id of the post that a text names as the part before this one."""
    total: int | None = None
    """How many parts the text says that there are."""

    @property
    def uid(self) -> str:
        """The tool's id of the post."""
        return self.post.uid

    @property
    def extras(self) -> tuple[Extra, ...]:
        """The title as a part without a number; read only of posts that no number placed."""
        return extras(self.title)

    @property
    def day(self) -> float | None:
        """The date as a number of days."""
        return None if self.seconds is None else self.seconds / 86400

    @property
    def labels(self) -> frozenset[str]:
        """Tags and categories without case."""
        return frozenset(label.casefold() for label in (*self.post.tags, *self.post.categories))


@dataclass(frozen=True, slots=True)
class Member:
    """An entry in a group, and why it is there."""

    entry: Entry
    name: str
    """The series' name as this title spells it; empty where it does not."""
    ordinal: int | None
    part: str
    evidence: str
    half: bool = False
    """Whether the ordinal stands for 上, 中 or 下."""


@dataclass(frozen=True, slots=True)
class Group:
    """Posts that belong together."""

    members: tuple[Member, ...]
    name: str
    ranks: tuple[tuple[str, int], ...] = ()
    """The user's reading order: ids of parts, each with its place; empty where there is none."""
    elsewhere: frozenset[int] = frozenset()
    """Numbers of parts that the user moved between series: nothing is missing there."""

    @property
    def ordinals(self) -> tuple[int, ...]:
        """The ordinals of its members, sorted."""
        return tuple(sorted(m.ordinal for m in self.members if m.ordinal is not None))

    @property
    def days(self) -> tuple[float, ...]:
        """The known dates of its members, sorted."""
        return tuple(sorted(m.entry.day for m in self.members if m.entry.day is not None))

    def joined_by(self, members: Iterable[Member]) -> Group:
        """The group with more members."""
        return replace(self, members=(*self.members, *members))


@dataclass(frozen=True, slots=True)
class Draft:
    """The state between two steps: each entry is free or in exactly one group."""

    groups: tuple[Group, ...]
    free: tuple[Entry, ...]

    @property
    def entries(self) -> tuple[Entry, ...]:
        """All posts of the blog."""
        return (*(m.entry for g in self.groups for m in g.members), *self.free)

    def settle(self, groups: Sequence[Group]) -> Draft:
        """A draft with these groups; whoever is in none of them stays free."""
        taken = {member.entry.uid for group in groups for member in group.members}
        return Draft(tuple(groups), tuple(entry for entry in self.free if entry.uid not in taken))


def read_entry(post: CollatedPost, previous: str | None = None) -> Entry:
    """Read a post's title, date and text once, for all steps."""
    plain = " ".join((post.title or "")[: 2 * READ_LENGTH].split())
    column, title = split_column(plain)
    statement = read_statement(post)
    readings = _readings(post, column, title)
    if statement.place is not None and not (readings and readings[0].strength is Strength.STATED):
        readings = (*readings, statement.place)
    return Entry(
        post=post,
        column=column,
        title=title,
        seconds=_seconds(post.published),
        readings=readings,
        previous=previous,
        total=statement.total,
    )


def _seconds(published: str | None) -> float | None:
    if published is None:
        return None
    try:
        moment = datetime.fromisoformat(published).replace(tzinfo=None)
    except ValueError:
        return None
    return (moment - datetime(1970, 1, 1)).total_seconds()  # noqa: DTZ001 - the author's clock has no zone


def _readings(post: CollatedPost, column: str | None, title: str) -> tuple[Candidate, ...]:
    read = candidates(title)
    if post.series and post.series.strip():
        return (_stated(post, title, read),)
    # `[Growing Tomatoes] Part 3: Watering`: the column is the name if nothing else is.
    if column is not None and not is_problem_set(column):
        named = tuple(
            replace(c, name=column) for c in read if not c.key and c.strength >= Strength.SIGN
        )
        # `[Growing Tomatoes 3] Watering`: the number is in the column.
        inside = tuple(replace(c, part=title) for c in candidates(column) if c.key)
        read = (*(c for c in read if c.key), *named, *inside)
    if post.ordinal is not None:
        read = tuple(replace(c, ordinal=post.ordinal, half=False) for c in read)
    return read


def _stated(post: CollatedPost, title: str, read: tuple[Candidate, ...]) -> Candidate:
    clear = next((c for c in read if c.strength >= Strength.SIGN), None)
    ordinal = post.ordinal if post.ordinal is not None else clear.ordinal if clear else None
    return Candidate(
        rule="stated by the source",
        strength=Strength.STATED,
        name=" ".join((post.series or "").split())[:READ_LENGTH],
        ordinal=ordinal,
        part=clear.part if clear else title,
        sign="",
        half=bool(clear and clear.half and post.ordinal is None),
    )
