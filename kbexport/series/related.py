"""Series of one blog that a reader of the one would look for next."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile
from math import log

from kbexport.models import RelatedSeries
from kbexport.series.draft import Group
from kbexport.series.names import key_of, shared_words, tokens_of

MOST = 5
"""So many related series are named at most."""
_CROWD = 30
"""What more series share than this ties nobody together."""
_LINK_WORTH = 2.5
_NAME_WORTH = 3.0
_TAG_WORTH = 1.25
_NEAR = 2.5
"""What is shared must be worth as much as one word that few names have."""


@dataclass(frozen=True, slots=True)
class _Profile:
    """What a series can share with another one."""

    name: str
    tokens: frozenset[str]
    tags: frozenset[str]
    columns: frozenset[str]
    linked: frozenset[str]
    """Names of the series that its parts link to, or that link to it."""


def relate(
    groups: Sequence[Group], links: Mapping[str, frozenset[str]]
) -> list[tuple[RelatedSeries, ...]]:
    """List for each group its nearest ones, by names and tags, weighted by how rare they are.

    ``links`` are the posts that each post's body links to; one link makes two series related.
    """
    linked = _linked(groups, links)
    profiles = [_profile(group, linked) for group in groups]
    places = {profile.name: place for place, profile in enumerate(profiles)}
    scores: list[dict[int, float]] = [defaultdict(float) for _ in groups]
    for profile, own in zip(profiles, scores, strict=True):
        for name in sorted(profile.linked):
            own[places[name]] += _LINK_WORTH
    _count([profile.tokens for profile in profiles], _NAME_WORTH, scores)
    _count([profile.tags for profile in profiles], _TAG_WORTH, scores)
    return [_nearest(i, profiles, scores[i]) for i in range(len(groups))]


def _linked(
    groups: Sequence[Group], links: Mapping[str, frozenset[str]]
) -> dict[str, frozenset[str]]:
    """For each series the names of those that it links to, or that link to it."""
    home = {member.entry.uid: group.name for group in groups for member in group.members}
    found: dict[str, set[str]] = defaultdict(set)
    for uid, others in links.items():
        for other in others:
            pair = home.get(uid), home.get(other)
            if pair[0] is not None and pair[1] is not None and pair[0] != pair[1]:
                found[pair[0]].add(pair[1])
                found[pair[1]].add(pair[0])
    # A series that links to all others, such as a weekly, is related to none.
    return {name: frozenset(near) for name, near in found.items() if len(near) <= _CROWD}


def _profile(group: Group, linked: Mapping[str, frozenset[str]]) -> _Profile:
    tags = Counter(tag.casefold() for m in group.members for tag in set(m.entry.post.tags))
    return _Profile(
        name=group.name,
        tokens=tokens_of(group.name),
        # A tag of a few parts says little about the whole.
        tags=frozenset(tag for tag, count in tags.items() if 2 * count >= len(group.members)),
        columns=frozenset(m.entry.column for m in group.members if m.entry.column),
        linked=linked.get(group.name, frozenset()),
    )


def _count(
    features: Sequence[frozenset[str]], worth: float, scores: Sequence[dict[int, float]]
) -> None:
    owners: dict[str, list[int]] = defaultdict(list)
    for i, own in enumerate(features):
        for feature in own:
            owners[feature].append(i)
    for _, sharing in sorted(owners.items()):
        # Bounded, so a big column never makes all its series each other's neighbours.
        if 2 <= len(sharing) <= _CROWD:
            # What every series has, such as the blog's own subject, is worth next to nothing.
            rarity = worth * log((1 + len(features)) / len(sharing))
            for i in sharing:
                for j in sharing:
                    if i != j:
                        scores[i][j] += rarity


def _nearest(
    i: int, profiles: Sequence[_Profile], scores: dict[int, float]
) -> tuple[RelatedSeries, ...]:
    mine = profiles[i]
    ranked = []
    for j, score in scores.items():
        other = profiles[j]
        # The same column strengthens a tie and never makes one.
        score *= 1.25 if mine.columns & other.columns else 1.0  # noqa: PLW2901 - one reading of it
        if score >= _NEAR or _begins_alike(mine.name, other.name):
            ranked.append((-score, other.name, other))
    ranked.sort(key=lambda item: item[:2])
    return tuple(_related(mine, other) for _, _, other in ranked[:MOST])


def _begins_alike(one: str, other: str) -> bool:
    """Whether at least half of the shorter name is the beginning of both."""
    keys = key_of(one), key_of(other)
    shared = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(*keys, strict=False)))
    return shared >= 2 and 2 * shared >= min(map(len, keys))


def _related(mine: _Profile, other: _Profile) -> RelatedSeries:
    return RelatedSeries(
        name=other.name,
        names=tuple(shared_words(mine.name, mine.tokens & other.tokens)),
        tags=tuple(sorted(mine.tags & other.tags)),
        columns=tuple(sorted(mine.columns & other.columns)),
        linked=other.name in mine.linked,
    )
