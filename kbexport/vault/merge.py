"""Three notes into one: what the source changed, around what the user wrote.

Base, user's note and new rendering give the new note; front matter key by key, the body line by
line. Rules: `reexport.md`, sections 2, 3 and 5.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from kbexport.flavors.pointer import FENCED, front_matter_of
from kbexport.vault.lines import MergedText, merge_text
from kbexport.vault.plain import read_plain
from kbexport.vault.properties import (
    Block,
    Item,
    Property,
    Splice,
    Value,
    read_block,
    spliced,
    with_items,
    with_value,
)

POINTER = "kbexport"
_RULE = re.compile(r"\s*(?:\*\*\*|---)\s*")
_LINK_OR_TAG = re.compile(r"\[[^\[\]]*\]\(\[\[.*?\]\]\)|\[\[.*?\]\]|(?<!\S)#[^\s#]\S*")
_LABEL = re.compile(r"(?:^\s*(?:[-*]\s+)?|· )[^\W\d_][\w ]{0,20}[:：]")
_TITLE = re.compile(r"- # ")
"""Before it the bullets of Logseq's own flavor have no empty line."""
_UNASKED = frozenset(["reads"])
"""Here the user's value stays without a question: it would be asked every day."""


@dataclass(frozen=True, slots=True)
class MergedNote:
    """What became of a note that its owner edited and its source changed."""

    text: str
    conflicts: tuple[str, ...] = ()
    """Where the user's words stay against the source's: a property, or a line, of the result."""
    infos: tuple[str, ...] = ()
    """Where they stay and nobody needs to look."""


def merge_note(base: str, mine: str, theirs: str) -> MergedNote:
    """Merge the change from ``base`` to ``theirs`` into the user's note ``mine``.

    All three begin with front matter; ``base`` and ``theirs`` are renderings.
    """
    (old, old_body), (own, own_body), (new, new_body) = map(_taken_apart, (base, mine, theirs))
    block, conflicts, infos = _merge_blocks(old, own, new)
    navigation, outline = navigation_of(old_body), not own.fenced
    body = merge_text(old_body, own_body, new_body, navigation, outline=outline)
    # A block that is not understood keeps its pointer, so the same news comes with each run.
    stays = block != own.block or own.read() is not None
    again = merge_text(old_body, body.text, new_body, outline=outline) if not stays else body
    if again.text != body.text:
        body = MergedText(own_body)
    text = own.opening + block + own.closing + body.text
    first = text.count("\n", 0, len(text) - len(body.text))
    return MergedNote(
        text,
        (*conflicts, *(f"line {first + line}" for line in body.conflicts)),
        (*infos, *(f"line {first + line}" for line in body.kept)),
    )


@dataclass(frozen=True, slots=True)
class _Head:
    """Front matter, taken apart so that its pieces join to the same bytes."""

    opening: str
    block: str
    closing: str
    fenced: bool = True
    """Whether the block is YAML between fences; else it is Logseq's, without any."""

    def read(self) -> Block | None:
        """The block with its properties; None where it is not understood."""
        return read_block(self.block) if self.fenced else read_plain(self.block)


def _taken_apart(text: str) -> tuple[_Head, str]:
    found = front_matter_of(text)
    if found is None:
        return _Head("", "", ""), text
    start, end = found.span(1)
    head = _Head(text[:start], text[start:end], text[end : found.end()], found.re is FENCED)
    return head, text[found.end() :]


def navigation_of(body: str) -> frozenset[int]:
    """The places of the lines, from 0, that a rendering has for its links to the neighbours.

    They stand in the first paragraph, and behind the last rule, and hold nothing but links.
    """
    lines = body.split("\n")
    first = next((i for i, line in enumerate(lines) if line.strip()), len(lines))
    ends = (i for i in range(first, len(lines)) if not lines[i].strip() or _TITLE.match(lines[i]))
    top = range(first, next(ends, first))
    rule = max((i for i, line in enumerate(lines) if _RULE.fullmatch(line)), default=len(lines))
    end = range(rule, len(lines))
    return frozenset(
        place
        for part in (top, end)
        if any("[[" in lines[i] for i in part)
        if all(_only_links(lines[i]) or i == rule for i in part if lines[i].strip())
        for place in part
    )


def _only_links(line: str) -> bool:
    """Whether a line has links and tags, perhaps behind a label, and no words of its own."""
    rest = _LINK_OR_TAG.sub("", line)
    return rest != line and not re.search(r"[^\W\d_]", _LABEL.sub("", rest))


@dataclass(slots=True)
class _Edit:
    """The changes of one block while it is merged."""

    mine: Block
    theirs: Block
    splices: list[Splice] = field(default_factory=list)
    conflicts: list[str] = field(default_factory=list)
    infos: list[str] = field(default_factory=list)


def _merge_blocks(base: _Head, mine: _Head, theirs: _Head) -> tuple[str, list[str], list[str]]:
    if mine.block in (base.block, theirs.block):
        return theirs.block, [], []
    b, o, t = base.read(), mine.read(), theirs.read()
    if b is None or o is None or t is None:
        why = "is no YAML that can be understood" if mine.fenced else "has a key twice"
        return mine.block, [f"the front matter, which {why}"], []
    edit = _Edit(o, t)
    for key in dict.fromkeys(one.key for one in (*t.properties, *b.properties)):
        _merge_key(edit, b.get(key), o.get(key), t.get(key))
    return spliced(mine.block, edit.splices), edit.conflicts, edit.infos


def _merge_key(
    edit: _Edit, base: Property | None, mine: Property | None, theirs: Property | None
) -> None:
    b, o, t = (one.value if one else None for one in (base, mine, theirs))
    key = next(one.key for one in (theirs, base, mine) if one)
    if key == POINTER and mine and theirs:
        edit.splices.append(with_value(mine, edit.theirs.raw_value(theirs), edit.mine))
    elif t == b or _same(o, t):
        return  # the source is silent, or both say the same
    elif o == b and (mine is None or o is not None):  # a map is no text, but it is not absent
        _unless_a_comment_goes(edit, mine, theirs, lambda: _take(edit, mine, theirs))
    elif mine is None or theirs is None:
        edit.infos.append(key)  # removed by the user, or a stale key that they changed
    elif isinstance(t, tuple) and not isinstance(o, str | None):
        old = _items(b)
        _unless_a_comment_goes(edit, mine, theirs, lambda: _merge_items(edit, old, mine, theirs))
    elif key in _UNASKED:
        edit.infos.append(key)
    else:
        edit.conflicts.append(key)


def _unless_a_comment_goes(
    edit: _Edit, mine: Property | None, theirs: Property | None, change: Callable[[], None]
) -> None:
    """Make a change, unless it would take a comment of the user's along: then theirs stays."""
    done = len(edit.splices)
    change()
    if mine and any(_has_comment(splice, mine, edit.mine.text) for splice in edit.splices[done:]):
        del edit.splices[done:]
        (edit.conflicts if theirs else edit.infos).append(mine.key)


def _has_comment(splice: Splice, one: Property, text: str) -> bool:
    spans = [(item.start, item.end) for item in one.items] or [one.span]
    values = {place for span in spans for place in range(*span)}
    return any(text[i] == "#" for i in range(splice.start, splice.end) if i not in values)


def _same(one: Value | None, other: Value | None) -> bool:
    return one == other and one is not None


def _items(value: Value | None) -> tuple[str, ...]:
    return value if isinstance(value, tuple) else ()


def _take(edit: _Edit, mine: Property | None, theirs: Property | None) -> None:
    """The source's value, where the user has not touched its own."""
    if mine is None and theirs is not None:
        edit.splices.append(_added(edit, theirs))
    elif mine is not None and theirs is None:
        edit.splices.append(Splice(mine.start, mine.end, ""))
    elif mine is not None and theirs is not None:
        if isinstance(theirs.value, tuple) and isinstance(mine.value, tuple):
            _merge_items(edit, mine.value, mine, theirs)
        else:
            edit.splices.append(with_value(mine, edit.theirs.raw_value(theirs), edit.mine))


def _added(edit: _Edit, theirs: Property) -> Splice:
    """A new key goes behind the nearest key of the source before it."""
    place = 0
    for one in edit.theirs.properties:
        if one.key == theirs.key:
            break
        known = edit.mine.get(one.key)
        place = known.end if known else place
    line = edit.theirs.text[theirs.start : theirs.end]
    if "\r\n" in edit.mine.text:
        line = line.replace("\n", "\r\n")
    if place and not edit.mine.text[:place].endswith("\n"):
        line = "\n" + line.rstrip("\r\n")  # a note that ends with its last property
    return Splice(place, place, line)


def _merge_items(edit: _Edit, base: Sequence[str], mine: Property, theirs: Property) -> None:
    """A list as a set: the user's additions and removals stay, the source's arrive."""
    old, new = {_fold(mine.key, x) for x in base}, {_fold(mine.key, i.text) for i in theirs.items}
    own = {_fold(mine.key, item.text) for item in mine.items}
    kept = [i for i in mine.items if (f := _fold(mine.key, i.text)) in new or f not in old]
    added: dict[str, Item] = {}
    for item in theirs.items:
        folded = _fold(mine.key, item.text)
        if folded not in old and folded not in own:
            added.setdefault(folded, item)
    if len(kept) < len(mine.items) or added:
        raws = [edit.theirs.raw(item) for item in added.values()]
        edit.splices.extend(with_items(mine, kept, raws, edit.mine))


def _fold(key: str, text: str) -> str:
    return text.casefold() if key == "tags" else text
