"""What the user says of series in `kbexport.toml`, applied to what detection found."""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from kbexport.config import SeriesRules
from kbexport.models import CollatedPost, Problem
from kbexport.series.draft import Entry, Group, Member
from kbexport.series.names import key_of
from kbexport.series.rules import Strength
from kbexport.text.columns import split_column


class Selector:
    """Words that name posts or series; `*` stands for what differs.

    Case, width and spaces do not count.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.plain = _plain(text)
        parts = re.split(r"\*+", self.plain)
        self._pattern = re.compile(".*".join(map(re.escape, parts))) if len(parts) > 1 else None

    def is_exact(self, names: Iterable[str | None]) -> bool:
        """Whether one of the names is this text."""
        return any(name is not None and _plain(name) == self.plain for name in names)

    def fits(self, names: Iterable[str | None]) -> bool:
        """Whether one of the names is this text, or fits it as a pattern."""
        return any(name is not None and self.fits_plain(_plain(name)) for name in names)

    def fits_plain(self, name: str) -> bool:
        """The same for a name whose case, width and spaces are plain already."""
        if self._pattern is None:
            return name == self.plain
        return self._pattern.fullmatch(name) is not None


def _plain(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def _names(post: CollatedPost) -> tuple[str | None, ...]:
    """Everything that a selector may call a post."""
    _, title = split_column(post.title or "")
    return post.title, title, post.uid, post.id, post.url


class PostNames:
    """What the posts of a blog may be called, read once for all selectors."""

    def __init__(self, posts: Iterable[CollatedPost]) -> None:
        self._all = [
            (post.uid, {_plain(name) for name in _names(post) if name is not None})
            for post in posts
        ]
        self._exact: dict[str, list[str]] = defaultdict(list)
        for uid, names in self._all:
            for name in names:
                self._exact[name].append(uid)

    def uids(self, selector: Selector) -> list[str]:
        """The ids of the posts that a selector names: exactly, else as a pattern."""
        exact = self._exact.get(selector.plain, [])
        if exact or "*" not in selector.text:
            return exact
        return [uid for uid, names in self._all if any(map(selector.fits_plain, names))]


def without_forbidden(entries: Sequence[Entry], rules: SeriesRules) -> list[Entry]:
    """The posts that detection may look at."""
    if not rules.forbid:
        return list(entries)
    names = PostNames(entry.post for entry in entries)
    forbidden = {uid for text in rules.forbid for uid in names.uids(Selector(text))}
    return [entry for entry in entries if entry.uid not in forbidden]


@dataclass(slots=True)
class _Table:
    """The series while the rules are applied to them, one after the other."""

    groups: list[Group]
    entries: Sequence[Entry]
    names: PostNames
    problems: list[Problem] = field(default_factory=list)

    def complain(self, key: str, reason: str, hint: str) -> None:
        self.problems.append(
            Problem(
                source="[series]",
                place=f"[series] {key}",
                reason=reason,
                hint=hint,
                lost=False,
                mistaken=True,
            )
        )

    def named(self, key: str, texts: Sequence[str]) -> list[Member]:
        """The posts that the selectors name, as members of their series or as lone ones."""
        homes = {m.entry.uid: m for group in self.groups for m in group.members}
        by_uid = {entry.uid: entry for entry in self.entries}
        found: dict[str, Member] = {}
        for text in texts:
            selector = Selector(text)
            series = [g for g in self.groups if selector.fits([g.name])]
            uids = [m.entry.uid for group in series for m in group.members]
            uids += self.names.uids(selector)
            if not uids:
                self.complain(key, f"`{text}` names no post and no series", "see `kbexport series`")
            found |= {uid: homes.get(uid) or _lone(by_uid[uid]) for uid in uids}
        return list(found.values())

    def take(self, members: Iterable[Member]) -> None:
        """Take posts out of their series; a series of one part is none."""
        taken = {member.entry.uid for member in members}
        left = [
            replace(g, members=tuple(m for m in g.members if m.entry.uid not in taken))
            for g in self.groups
        ]
        self.groups = [group for group in left if len(group.members) > 1]

    def move(self, members: Sequence[Member], target: Group) -> None:
        """Take posts out of their series into ``target``; what one has is no gap of the other."""
        moved = {member.entry.uid for member in members}
        homes = [g for g in self.groups if any(m.entry.uid in moved for m in g.members)]
        numbers = {number for group in homes for number in (*group.ordinals, *group.elsewhere)}
        self.groups = [
            replace(g, elsewhere=g.elsewhere | numbers) if g in homes else g for g in self.groups
        ]
        self.take(members)
        self.groups.append(replace(target, elsewhere=frozenset(numbers)))

    def places(self, text: str) -> list[int]:
        """The series that a selector names: by their name, else by one of their parts."""
        selector = Selector(text)
        exact = [i for i, g in enumerate(self.groups) if selector.is_exact([g.name])]
        by_name = [i for i, g in enumerate(self.groups) if selector.fits([g.name])]
        by_part = [
            i
            for i, g in enumerate(self.groups)
            if any(selector.fits(_names(member.entry.post)) for member in g.members)
        ]
        return exact or by_name or by_part

    def only(self, key: str, text: str) -> int | None:
        """The one series that a selector names; anything else is a mistake."""
        places = self.places(text)
        if len(places) == 1:
            return places[0]
        reason = f"`{text}` names {len(places)} series" if places else f"`{text}` names no series"
        self.complain(key, reason, "see `kbexport series`")
        return None


def apply_rules(
    groups: Sequence[Group], entries: Sequence[Entry], rules: SeriesRules
) -> tuple[list[Group], list[Problem]]:
    """Put right what detection found; what a rule cannot do is told as a problem.

    ``groups`` have the names that the user sees; ``entries`` are all posts, forbidden ones too.
    """
    if rules == SeriesRules():
        return list(groups), []
    table = _Table(list(groups), entries, PostNames(entry.post for entry in entries))
    table.take(table.named("forbid", rules.forbid))
    # What is forbidden stays so, whatever the other rules name.
    table.entries = without_forbidden(entries, rules)
    table.names = PostNames(entry.post for entry in table.entries)
    for name, texts in rules.split.items():
        _split(table, name, texts)
    for name, texts in rules.join.items():
        _join(table, name, texts)
    for text, name in rules.name.items():
        _name(table, text, name)
    for text, texts in rules.order.items():
        _order(table, text, texts)
    return table.groups, table.problems


def _lone(entry: Entry) -> Member:
    clear = next((c for c in entry.readings if c.strength >= Strength.SIGN), None)
    ordinal = None if clear is None else clear.ordinal
    return Member(entry, "", ordinal, clear.part if clear else entry.title, "")


def _said(members: Iterable[Member], key: str, name: str) -> tuple[Member, ...]:
    return tuple(replace(m, evidence=f"kbexport.toml: {key} “{name}”") for m in members)


def _split(table: _Table, name: str, texts: Sequence[str]) -> None:
    if any(_plain(group.name) == _plain(name) for group in table.groups):
        table.complain("split", f"there is a series `{name}` already", "use join, or another name")
        return
    members = table.named("split", texts)
    if len(members) > 1:
        table.move(members, Group(_said(members, "split", name), name))
    elif members:
        table.complain("split", f"`{name}` would have one part only", "name one more post")


def _join(table: _Table, name: str, texts: Sequence[str]) -> None:
    home = next((group for group in table.groups if _same(group.name, name)), None)
    kept = () if home is None else home.members
    known = {member.entry.uid for member in kept}
    joining = [m for m in table.named("join", texts) if m.entry.uid not in known]
    members = (*kept, *_said(joining, "join", name))
    if joining and len(members) > 1:
        table.move(members, Group(members, name))
    elif joining:
        hint = "see `kbexport series` for the names of series"
        table.complain("join", f"`{name}` is no series, and would have one part only", hint)


def _same(one: str, other: str) -> bool:
    return _plain(one) == _plain(other) or (key_of(one) == key_of(other) != "")


def _name(table: _Table, text: str, name: str) -> None:
    place = table.only("name", text)
    if place is None:
        return
    if any(_plain(g.name) == _plain(name) for i, g in enumerate(table.groups) if i != place):
        table.complain("name", f"there is a series `{name}` already", "use join to make them one")
        return
    table.groups[place] = replace(table.groups[place], name=name)


def _order(table: _Table, text: str, texts: Sequence[str]) -> None:
    place = table.only("order", text)
    if place is None:
        return
    group = table.groups[place]
    ranks: dict[str, int] = {}
    # An exact title says more than a pattern, and a longer pattern more than a shorter one.
    for selector in sorted(map(Selector, texts), key=lambda s: ("*" in s.text, -len(s.text))):
        fitting = [m.entry.uid for m in group.members if selector.fits(_names(m.entry.post))]
        if not fitting:
            hint = "see `kbexport series` for the titles of its parts"
            table.complain("order", f"`{selector.text}` names no part of “{group.name}”", hint)
        for uid in fitting:
            ranks.setdefault(uid, texts.index(selector.text))
    table.groups[place] = replace(group, ranks=tuple(sorted(ranks.items())))
