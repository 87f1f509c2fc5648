"""Source posts of a run, and the posts that a vault remembers -> one post per identity."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from kbexport.collate.fields import (
    Ranks,
    Value,
    contradictions,
    merge_memory,
    merge_run,
    says_the_same,
    split_by_origin,
)
from kbexport.collate.identity import (
    Group,
    group_posts,
    match_known,
    merged,
    new_uid,
)
from kbexport.collate.imports import import_stamps
from kbexport.models import CollatedPost, Contradiction, Problem, SourcePost
from kbexport.text.keys import sorted_keys


@dataclass(frozen=True)
class Collation:
    """One post per identity, and how it came about."""

    posts: tuple[CollatedPost, ...]
    """All posts, of this run and remembered: by date, undated ones last, then by title."""
    from_sources: frozenset[str]
    """Ids of the posts that a source of this run holds."""
    contradictions: tuple[Contradiction, ...]
    """Where the sources of this run disagree."""
    problems: tuple[Problem, ...]
    """Posts without a title, and ids of a source that several posts have."""
    uids: Mapping[tuple[str, str, str], str]
    """Which post each source post became, in input order: (reader, source, place) -> id."""

    @property
    def in_input_order(self) -> tuple[str, ...]:
        """Ids of the posts of this run's sources, in the order in which they first occur."""
        return tuple(dict.fromkeys(self.uids.values()))


def collate(
    found: Sequence[SourcePost],
    *,
    ranks: Ranks,
    remembered: Sequence[CollatedPost] = (),
    keys: Mapping[str, Sequence[str]] | None = None,
) -> Collation:
    """Join source posts with one another and with what the vault remembers.

    ``ranks`` tells how rich each reader's kind of source is. ``keys`` are the identity keys of
    all notes ever written, also of those whose post is no longer remembered. The result does not
    depend on the order of ``found``.
    """
    memory = {post.uid: post for post in remembered}
    known = {uid: frozenset(own) for uid, own in (keys or {}).items()}
    for uid, post in memory.items():
        known[uid] = known.get(uid, frozenset()) | frozenset(post.keys)
    groups = _with_uids(group_posts(found), memory, known)

    imported = _imported(groups, remembered)
    posts = {post.uid: post for post in remembered}
    disputes: list[Contradiction] = []
    for uid, group in groups.items():
        old = memory.get(uid)
        if old is not None and says_the_same(group.posts, old):
            own = sorted_keys(group.keys | known[uid])
            posts[uid] = old if own == old.keys else old.model_copy(update={"keys": own})
            continue
        run, disputed = merge_run(group.posts, ranks, imported)
        values = merge_memory(run, old, ranks, imported) if old else run
        posts[uid] = _post(uid, values, group.keys | known.get(uid, frozenset()))
        disputes += contradictions(uid, posts[uid].title or "", values, disputed)
    of_source = {key(member): uid for uid, group in groups.items() for member in group.posts}
    return Collation(
        posts=tuple(sorted(posts.values(), key=reading_place)),
        from_sources=frozenset(groups),
        contradictions=tuple(disputes),
        problems=(*_untitled(found, of_source, posts), *_shared_ids(groups)),
        uids={key(post): of_source[key(post)] for post in found},
    )


def _imported(groups: Mapping[str, Group], remembered: Iterable[CollatedPost]) -> frozenset[str]:
    """Dates that an import gave to many posts at once."""
    of_run = ((uid, one.post.published) for uid, group in groups.items() for one in group.posts)
    return import_stamps([*of_run, *((post.uid, post.published) for post in remembered)])


def _untitled(
    found: Sequence[SourcePost],
    uids: Mapping[tuple[str, str, str], str],
    posts: Mapping[str, CollatedPost],
) -> Iterator[Problem]:
    """A line for each post that has no title in any source."""
    for one in found:
        if posts[uids[key(one)]].title is None:
            reason = "a post without a title; it is named after what it says"
            yield Problem(source=one.source, place=one.place, reason=reason, lost=False)


def _shared_ids(groups: Mapping[str, Group]) -> Iterator[Problem]:
    """A line for each id of a source that more than one post has: it then tells nothing."""
    holders: defaultdict[str, list[SourcePost]] = defaultdict(list)
    for group in groups.values():
        own = {f"{one.reader} {one.post.id}": one for one in group.posts if one.post.id}
        for name, one in own.items():
            holders[name].append(one)
    for _, posts in sorted(holders.items()):
        if len(posts) > 1:
            first, other = sorted(posts, key=key)[:2]
            yield Problem(
                source=other.source,
                place=other.place,
                reason=f"has the id {other.post.id} of {first.source}, {first.place}: two posts",
                lost=False,
            )


def key(found: SourcePost) -> tuple[str, str, str]:
    """Where a source post was read."""
    return found.reader, found.source, found.place


def with_recalled(
    posts: Sequence[CollatedPost], recalled: Mapping[str, CollatedPost]
) -> tuple[CollatedPost, ...]:
    """The posts, and in their places those of which only their notes still tell."""
    known = {post.uid for post in posts}
    more = (post for uid, post in recalled.items() if uid not in known)
    return tuple(sorted((*posts, *more), key=reading_place))


def reading_place(post: CollatedPost) -> tuple[str, str, str]:
    """Where a post stands among all: by date; without one last, by title."""
    return post.published or "9999", post.title or "", post.uid


def _with_uids(
    groups: Sequence[Group],
    memory: Mapping[str, CollatedPost],
    known: Mapping[str, frozenset[str]],
) -> dict[str, Group]:
    """Each group by its id: that of the note it is, else a new one."""
    notes = {
        uid: Group(split_by_origin(memory[uid]) if uid in memory else (), keys)
        for uid, keys in known.items()
    }
    match = match_known(groups, notes)
    taken = frozenset[str]().union(*known.values())
    holders = Counter(key for group in groups for key in group.keys)
    holders.update(group.moment for group in groups if group.moment)
    members: defaultdict[str, list[Group]] = defaultdict(list)
    for index, group in enumerate(groups):
        uid = match.get(index) or new_uid(group, lambda key: key in taken or holders[key] > 1)
        members[uid].append(group)
    # Posts without a key of their own that say the same are the same.
    by_uid = {uid: merged(same) for uid, same in members.items()}
    return dict(sorted(by_uid.items(), key=lambda item: (sorted_keys(item[1].keys), item[0])))


def _post(uid: str, values: Mapping[tuple[str, ...], Value], keys: frozenset[str]) -> CollatedPost:
    fields = {
        name: content
        for field, value in values.items()
        for name, content in zip(field, value.content, strict=True)
    }
    origins = {field[0]: value.reader for field, value in values.items()}
    return CollatedPost(**fields, uid=uid, keys=sorted_keys(keys), origins=origins)
