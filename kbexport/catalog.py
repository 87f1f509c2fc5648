"""What notes there will be: one a post, one a series, one a column, and Home; each with its id."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from kbexport.models import CollatedPost, Series
from kbexport.naming import KnownNames, Wanted, assign_folders, fold
from kbexport.text.columns import split_column
from kbexport.text.keys import hashed_id, normal_title

HOME = hashed_id("h", "home")
"""The id of the note that everything starts from."""


@dataclass(frozen=True)
class CatalogSeries:
    """A series and the id of its note."""

    uid: str
    series: Series

    @property
    def keys(self) -> tuple[str, ...]:
        """What finds the note again: its name and its parts."""
        return (
            "name:" + normal_title(self.series.name),
            *sorted(part.uid for part in self.series.parts),
        )


@dataclass(frozen=True)
class Column:
    """A heading under which posts and series are collected, and the id of its note."""

    uid: str
    name: str
    series: tuple[str, ...]
    """Ids of the series that have a part in it."""
    posts: tuple[str, ...]
    """Ids of its posts that are in no series."""
    members: tuple[str, ...]
    """Ids of all its posts, those in series included."""

    @property
    def size(self) -> int:
        """How many posts it has, those in series included."""
        return len(self.members)

    @property
    def keys(self) -> tuple[str, ...]:
        """What finds the note again: its name."""
        return ("name:" + normal_title(self.name),)


@dataclass(frozen=True)
class Catalog:
    """All notes of a run, before they have names or texts."""

    posts: Mapping[str, CollatedPost]
    """By id, in the order of collating."""
    series: tuple[CatalogSeries, ...]
    columns: tuple[Column, ...]

    @cached_property
    def series_of(self) -> Mapping[str, CatalogSeries]:
        """The series of each part, by the part's id."""
        return {part.uid: entry for entry in self.series for part in entry.series.parts}

    @cached_property
    def position(self) -> Mapping[str, int]:
        """The place of each part in its series, from 0, by the part's id."""
        return {
            part.uid: place
            for entry in self.series
            for place, part in enumerate(entry.series.parts)
        }

    @cached_property
    def by_uid(self) -> Mapping[str, CatalogSeries | Column]:
        """The subject of each index note."""
        series: dict[str, CatalogSeries | Column] = {entry.uid: entry for entry in self.series}
        return series | {column.uid: column for column in self.columns}

    @cached_property
    def keys(self) -> Mapping[str, tuple[str, ...]]:
        """The identity keys of every note, by its id."""
        return {
            HOME: (),
            **{uid: post.keys for uid, post in self.posts.items()},
            **{uid: entry.keys for uid, entry in self.by_uid.items()},
        }


def make_catalog(
    posts: Sequence[CollatedPost], series: Sequence[Series], known: Mapping[str, Sequence[str]]
) -> Catalog:
    """The notes of a run; ``known`` has the identity keys of all notes ever written."""
    entries = _identify_series(series, known)
    by_id = {post.uid: post for post in posts}
    return Catalog(by_id, entries, _columns(by_id, entries))


def column_of(post: CollatedPost) -> str | None:
    """The site's column, else the bracket prefix of the title."""
    return post.column or split_column(post.title or "")[0]


def _identify_series(
    series: Sequence[Series], known: Mapping[str, Sequence[str]]
) -> tuple[CatalogSeries, ...]:
    """Each series with the note that shares most parts with it, else the one of its name.

    Rule: `design.md`, "The vault".
    """
    notes_of: defaultdict[str, list[str]] = defaultdict(list)
    for uid, keys in known.items():
        for key in keys if uid.startswith("s-") else ():
            notes_of[key].append(uid)
    claims = []
    for index, one in enumerate(series):
        name, *parts = CatalogSeries("", one).keys
        shared = Counter(uid for part in parts for uid in notes_of[part])
        claims += [
            (-shared[uid], uid not in notes_of[name], uid, index)
            for uid in {*shared, *notes_of[name]}
        ]
    uids: dict[int, str] = {}
    taken = set[str]()
    for _, _, uid, index in sorted(claims):
        if index not in uids and uid not in taken:
            uids[index] = uid
            taken.add(uid)
    taken.update(known)
    for index, one in enumerate(series):
        if index not in uids:
            uids[index] = _new_series_uid(one, taken)
            taken.add(uids[index])
    return tuple(CatalogSeries(uids[index], one) for index, one in enumerate(series))


def _new_series_uid(series: Series, taken: Iterable[str]) -> str:
    name, *parts = CatalogSeries("", series).keys
    uid = hashed_id("s", "series " + name)
    return uid if uid not in taken else hashed_id("s", "\n".join([name, *parts]))


def _columns(
    posts: Mapping[str, CollatedPost], entries: Sequence[CatalogSeries]
) -> tuple[Column, ...]:
    series_of = {part.uid: entry.uid for entry in entries for part in entry.series.parts}
    members: defaultdict[str, list[CollatedPost]] = defaultdict(list)
    for post in posts.values():
        if column := column_of(post):
            members[normal_title(column)].append(post)
    columns = []
    for key, inside in sorted(members.items()):
        spellings = Counter(column_of(post) or "" for post in inside)
        columns.append(
            Column(
                uid=hashed_id("c", "column " + key),
                name=min(spellings, key=lambda name: (-spellings[name], name)),
                series=tuple(
                    dict.fromkeys(series_of[post.uid] for post in inside if post.uid in series_of)
                ),
                posts=tuple(post.uid for post in inside if post.uid not in series_of),
                members=tuple(post.uid for post in inside),
            )
        )
    return tuple(columns)


def wanted_names(
    catalog: Catalog, known: KnownNames, home: str, untitled: str, folder: str | None = None
) -> list[Wanted]:
    """What each note would like to be called, those with the better right to a name first.

    The vault's starting note is first, then the posts by date: a series note steps aside for a
    post, a column for both. ``folder`` is where all of them lie, where that is one.
    """
    wanted = _wanted_names(catalog, known, home, untitled)
    return [replace(one, folder=folder) for one in wanted] if folder is not None else wanted


def _wanted_names(catalog: Catalog, known: KnownNames, home: str, untitled: str) -> list[Wanted]:
    folders = _series_folders(catalog, known)
    wanted = [Wanted(HOME, home)]
    by_date = sorted(catalog.posts.values(), key=lambda post: (post.published or "9999", post.uid))
    for post in by_date:
        entry = catalog.series_of.get(post.uid)
        wanted.append(
            Wanted(
                post.uid,
                split_column(post.title or "")[1],
                folders[entry.uid] if entry else "posts",
                fallback=untitled,
            )
        )
    wanted += [
        Wanted(entry.uid, entry.series.name, folders[entry.uid], fallback=untitled)
        for entry in catalog.series
    ]
    wanted += [
        Wanted(column.uid, column.name, "columns", fallback=untitled) for column in catalog.columns
    ]
    return wanted


def _series_folders(catalog: Catalog, known: KnownNames) -> dict[str, str]:
    """Where the notes of each series lie: with most of its parts, else in a folder of its name."""
    folders = {}
    for entry in catalog.series:
        uids = [part.uid for part in entry.series.parts] + [entry.uid]
        lying = [path.rpartition("/")[0] for uid in uids if (path := known.paths.get(uid))]
        inside = Counter(folder for folder in lying if fold(folder) != "posts")
        if inside:
            folders[entry.uid] = min(inside, key=lambda folder: (-inside[folder], folder))
    new = {entry.uid: entry.series.name for entry in catalog.series if entry.uid not in folders}
    return {**folders, **assign_folders(new, known, folders.values())}
