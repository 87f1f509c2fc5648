"""What the user says of series in `kbexport.toml`, applied to what detection found."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from kbexport.config import SeriesRules
from kbexport.models import Problem
from kbexport.series.draft import Entry, Group, Member
from kbexport.series.names import key_of
from kbexport.series.rules import Strength


@dataclass(frozen=True, slots=True)
class Selector:
    """Words that name posts or series; `*` stands for what differs."""

    text: str

    def is_exact(self, names: Iterable[str | None]) -> bool:
        """Whether one of the names is this text, whatever its case, width and spaces."""
        return any(name is not None and _plain(name) == _plain(self.text) for name in names)

    def fits(self, names: Iterable[str | None]) -> bool:
        """Whether one of the names is this text, or fits it as a pattern."""
        if "*" not in self.text:
            return self.is_exact(names)
        pattern = ".*".join(map(re.escape, re.split(r"\*+", _plain(self.text))))
        return any(name is not None and re.fullmatch(pattern, _plain(name)) for name in names)


def _plain(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def _names(entry: Entry) -> tuple[str | None, ...]:
    """Everything that a selector may call a post."""
    post = entry.post
    return post.title, entry.title, post.uid, post.id, post.url


def names_post(text: str, entry: Entry) -> bool:
    """Whether the text, a selector, names the post."""
    return Selector(text).fits(_names(entry))


def without_forbidden(entries: Sequence[Entry], rules: SeriesRules) -> list[Entry]:
    """The posts that detection may look at."""
    selectors = [Selector(text) for text in rules.forbid]
    return [e for e in entries if not any(s.fits(_names(e)) for s in selectors)]


@dataclass(slots=True)
class _Table:
    """The series while the rules are applied to them, one after the other."""

    groups: list[Group]
    entries: Sequence[Entry]
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

    def take(self, key: str, texts: Sequence[str]) -> list[Member]:
        """Take the posts out of their series that the selectors name."""
        taken: dict[str, Member] = {}
        for text in texts:
            selector = Selector(text)
            found = [
                member
                for group in self.groups
                if selector.fits([group.name])
                for member in group.members
            ]
            found += [_lone(e) for e in self.entries if selector.fits(_names(e))]
            if not found:
                self.complain(key, f"`{text}` names no post and no series", "see `kbexport series`")
            for member in found:
                taken.setdefault(member.entry.uid, member)
        for place, group in enumerate(self.groups):
            for member in group.members:
                if member.entry.uid in taken:
                    taken[member.entry.uid] = member
            left = tuple(m for m in group.members if m.entry.uid not in taken)
            if len(left) < len(group.members):
                self.groups[place] = replace(group, members=left)
        return list(taken.values())

    def drop_single(self) -> None:
        """A series of one part is none."""
        self.groups = [group for group in self.groups if len(group.members) > 1]

    def places(self, text: str) -> list[int]:
        """The series that a selector names: by their name, else by one of their parts."""
        selector = Selector(text)
        exact = [i for i, g in enumerate(self.groups) if selector.is_exact([g.name])]
        by_name = [i for i, g in enumerate(self.groups) if selector.fits([g.name])]
        by_part = [
            i
            for i, g in enumerate(self.groups)
            if any(selector.fits(_names(member.entry)) for member in g.members)
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
    table = _Table(list(groups), entries)
    table.take("forbid", rules.forbid)
    table.drop_single()
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
    members = table.take("split", texts)
    if len(members) > 1:
        table.groups.append(Group(_said(members, "split", name), name))
    elif members:
        table.complain("split", f"`{name}` would have one part only", "name one more post")
    table.drop_single()


def _join(table: _Table, name: str, texts: Sequence[str]) -> None:
    places = [i for i, group in enumerate(table.groups) if _same(group.name, name)]
    home = None if not places else table.groups.pop(places[0])
    kept = () if home is None else home.members
    known = {member.entry.uid for member in kept}
    taken = [m for m in table.take("join", texts) if m.entry.uid not in known]
    members = (*kept, *_said(taken, "join", name))
    if len(members) > 1:
        table.groups.append(Group(members, name))
    elif members:
        hint = "see `kbexport series` for the names of series"
        table.complain("join", f"`{name}` is no series, and would have one part only", hint)
    table.drop_single()


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
        fitting = [m.entry.uid for m in group.members if selector.fits(_names(m.entry))]
        if not fitting:
            hint = "see `kbexport series` for the titles of its parts"
            table.complain("order", f"`{selector.text}` names no part of “{group.name}”", hint)
        for uid in fitting:
            ranks.setdefault(uid, texts.index(selector.text))
    table.groups[place] = replace(group, ranks=tuple(sorted(ranks.items())))
