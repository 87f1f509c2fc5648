"""When two source posts are the same post, and which known post they are.

Rules: `reexport.md`, section 5. Nothing here depends on the order of the input.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import combinations

from kbexport.models import Post, SourcePost
from kbexport.text.keys import hashed_id, kind_of, post_keys, sorted_keys

MATCHING = ("url", "id", "dated", "title")
"""Kinds of keys by which a post finds its record again, the most telling first."""

MANY_BODIES = 30
"""So many different bodies under one title are not one post; also keeps the comparison short."""


def keys_of(post: Post, reader: str) -> frozenset[str]:
    """Every key under which this one source post can be found again, such as `title:…`."""
    day = post.published[:10] if post.published else None
    return _keys(post.title, post.url, day, post.id, reader)


@lru_cache(maxsize=65536)
def _keys(
    title: str | None, url: str | None, day: str | None, own: str | None, reader: str
) -> frozenset[str]:
    keys = post_keys(title=title, url=url, day=day)
    if own:
        keys.add(f"id:{reader}:{own}")
    return frozenset(keys)


@dataclass(frozen=True)
class Group:
    """Source posts that are one post."""

    posts: tuple[SourcePost, ...]
    known_keys: frozenset[str] = frozenset()
    """Keys that its note has gathered, where it is a known post; its posts may be forgotten."""

    @cached_property
    def keys(self) -> frozenset[str]:
        """The keys of all its posts, and those that are known."""
        return self.known_keys.union(*(keys_of(found.post, found.reader) for found in self.posts))

    @cached_property
    def titles(self) -> frozenset[str]:
        """Normal forms of its titles; an empty title is no key."""
        return frozenset(key.removeprefix("title:") for key in self.keys if kind_of(key) == "title")

    @cached_property
    def marks(self) -> Mapping[str, frozenset[str]]:
        """What two posts of one title may not both have and differ in: hosts, ids, days."""
        marks: defaultdict[str, set[str]] = defaultdict(set)
        for key in self.keys:
            kind, _, value = key.partition(":")
            if kind == "url":
                marks["host " + re.split("[/?#]", value, maxsplit=1)[0]].add(value)
            if kind == "id":
                reader, _, own = value.partition(":")
                marks["id " + reader].add(own)
        for found in self.posts:
            if found.post.published:
                marks["day " + found.reader].add(found.post.published[:10])
        return {kind: frozenset(values) for kind, values in marks.items()}

    @cached_property
    def day(self) -> str | None:
        """The day that all its sources agree on."""
        days = {found.post.published[:10] for found in self.posts if found.post.published}
        return days.pop() if len(days) == 1 else None

    @cached_property
    def moment(self) -> str | None:
        """Its title with the one time at which it was published: a key for want of a better one.

        It is never written down: with the time, a source that mends it would make a new post.
        """
        times = {found.post.published for found in self.posts if _has_time(found.post)}
        return (
            f"moment:{min(self.titles)}@{times.pop()}" if len(times) == 1 and self.titles else None
        )

    @cached_property
    def words(self) -> frozenset[str]:
        """The words of its bodies; Han text counts by pairs of characters."""
        return frozenset().union(*(body_words(found.post) for found in self.posts))


def _has_time(post: Post) -> bool:
    return "T" in (post.published or "")


def body_words(post: Post) -> frozenset[str]:
    """The words of a post's body, without its markup; each two Han characters are one."""
    text = (post.body_markdown or re.sub(r"<[^<>]*>", " ", post.body_html or "")).casefold()
    pairs = re.findall(r"(?=([\u3400-\u9fff]{2}))", text)
    return frozenset(re.findall(r"[^\W\u3400-\u9fff]+", text)).union(pairs)


def any_barred(groups: Sequence[Group]) -> bool:
    """Whether some pair of these posts of one title cannot be the same post.

    Two addresses on one host, two ids of one reader, one reader with two days, or bodies that
    share less than half of their words.
    """
    shared: dict[str, frozenset[str]] = {}
    for group in groups:
        for kind, values in group.marks.items():
            shared[kind] = shared.get(kind, values) & values
            if not shared[kind]:
                return True
    bodies = {group.words for group in groups if group.words}
    if len(bodies) > MANY_BODIES:
        return True
    return any(2 * len(a & b) < min(len(a), len(b)) for a, b in combinations(bodies, 2))


def _at_two_times(groups: Sequence[Group]) -> bool:
    """Whether one reader has these posts at two times of a day: then they are two."""
    times: defaultdict[str, set[str]] = defaultdict(set)
    for group in groups:
        for found in group.posts:
            if found.post.published and _has_time(found.post):
                times[found.reader].add(found.post.published[:16])
    return any(len(of_reader) > 1 for of_reader in times.values())


def group_posts(found: Iterable[SourcePost]) -> list[Group]:
    """The source posts of one run, joined where they are the same post."""
    by_url = _joined([Group((post,)) for post in found], _urls)
    return [
        joined
        for same_title in _classes(by_url, lambda group: group.titles)
        for joined in _join_one_title(same_title)
    ]


def _urls(group: Group) -> frozenset[str]:
    return frozenset(key for key in group.keys if kind_of(key) == "url")


def _join_one_title(groups: list[Group]) -> list[Group]:
    if len(groups) == 1:
        return groups
    if not any_barred(groups) and not _at_two_times(groups):
        return [merged(groups)]
    by_day: defaultdict[str | None, list[Group]] = defaultdict(list)
    for group in groups:
        by_day[group.day].append(group)
    joined: list[Group] = by_day.pop(None, [])
    for of_day in by_day.values():
        for same_day in _classes(of_day, lambda group: group.titles):
            apart = any_barred(same_day) or _at_two_times(same_day)
            joined += same_day if apart else [merged(same_day)]
    return joined


def _joined(groups: list[Group], keys: Callable[[Group], Iterable[str]]) -> list[Group]:
    return [merged(members) for members in _classes(groups, keys)]


def merged(groups: Iterable[Group]) -> Group:
    """Several groups of source posts as one post."""
    return Group(tuple(post for group in groups for post in group.posts))


def _classes(groups: list[Group], keys: Callable[[Group], Iterable[str]]) -> list[list[Group]]:
    """Groups that are connected by shared keys, whatever the order they come in (union-find)."""
    parent = list(range(len(groups)))

    def root(index: int) -> int:
        while parent[index] != index:
            parent[index] = parent[parent[index]]
            index = parent[index]
        return index

    first: dict[str, int] = {}
    for index, group in enumerate(groups):
        for key in keys(group):
            parent[root(index)] = root(first.setdefault(key, index))
    classes: defaultdict[int, list[Group]] = defaultdict(list)
    for index, group in enumerate(groups):
        classes[root(index)].append(group)
    return list(classes.values())


def match_known(groups: Sequence[Group], known: Mapping[str, Group]) -> dict[int, str]:
    """Which known post each group is: index of the group -> uid.

    ``known`` has every note ever written. A key decides only where one free group and one free
    note have it.
    """
    match: dict[int, str] = {}
    for kind in MATCHING:
        holders: defaultdict[str, list[int]] = defaultdict(list)
        for index, group in enumerate(groups):
            for key in group.keys if index not in match else ():
                if kind_of(key) == kind:
                    holders[key].append(index)
        notes: defaultdict[str, list[str]] = defaultdict(list)
        taken = set(match.values())
        for uid, note in known.items():
            for key in note.keys if uid not in taken else ():
                if key in holders:
                    notes[key].append(uid)
        for key in sorted(notes):
            free = [index for index in holders[key] if index not in match]
            uids = [uid for uid in notes[key] if uid not in taken]
            if len(free) == len(uids) == 1 and _may_match(kind, groups[free[0]], known[uids[0]]):
                match[free[0]] = uids[0]
                taken.add(uids[0])
    return match


def _may_match(kind: str, group: Group, note: Group) -> bool:
    return kind not in ("dated", "title") or not any_barred([group, note])


def new_uid(group: Group, used: Callable[[str], bool]) -> str:
    """A new id from the strongest key that no other post has; the input's order plays no part."""
    keys = [*sorted_keys(group.keys), *([group.moment] if group.moment else [])]
    own = next((key for key in keys if not used(key)), None)
    if own is None:
        own = "\n".join(sorted({_lasting(found.post) for found in group.posts}))
    return hashed_id("p", own)


def _lasting(post: Post) -> str:
    """What a post says, without what differs from one visit to its site to the next."""
    return post.model_dump_json(exclude={"reads", "pinned"})
