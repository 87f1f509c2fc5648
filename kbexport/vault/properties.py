"""Front matter as its owner wrote it: read with its places, changed only where it has to be.

The rules are those of `reexport.md`, section 2: values are compared as texts, the block is edited
by putting new characters in the place of old ones, and a block that is not understood stays as it
is, byte for byte.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import yaml

LOADER: type[yaml.BaseLoader] = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
"""Every value as the text that stands there; nothing else can come of it."""

Value = str | tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Item:
    """One item of a list, or a scalar value: its text, and where it stands."""

    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Property:
    """One key of the block with its value, and the places of both."""

    key: str
    start: int
    """Where the line of the key begins."""
    end: int
    """Behind the last line of the value, its line end included."""
    value: Value | None
    """None for what is neither a text nor a list of texts."""
    span: tuple[int, int]
    """The characters of the value."""
    items: tuple[Item, ...] = ()
    """The items of a list."""
    flow: bool = False
    """Whether a list stands in brackets, on one line."""


@dataclass(frozen=True, slots=True)
class Block:
    """The lines between the fences, or Logseq's without any."""

    text: str
    properties: tuple[Property, ...]
    plain: bool = False
    """Whether its lines are `key:: value`."""

    def get(self, key: str) -> Property | None:
        """The property of that name."""
        return next((one for one in self.properties if one.key == key), None)

    def raw(self, item: Item) -> str:
        """An item as it is spelled, quotes included."""
        return self.text[item.start : item.end]

    def raw_value(self, one: Property) -> str:
        """A value as it is spelled."""
        return self.text[one.span[0] : one.span[1]].rstrip("\r\n")


def read_block(text: str) -> Block | None:
    """Read a block; None where it is not understood.

    Understood is a mapping whose keys are texts, each at the beginning of a line and none twice,
    without anchors.
    """
    try:
        node = yaml.compose(text, Loader=LOADER)
    except yaml.YAMLError:
        return None
    if node is None:
        return Block(text, ())
    if not isinstance(node, yaml.MappingNode) or node.flow_style:
        return None
    found = []
    seen: set[int] = set()
    for key, value in node.value:
        start = key.start_mark.index
        if not isinstance(key, yaml.ScalarNode) or (start and text[start - 1] not in "\r\n"):
            return None
        if any(id(each) in seen for each in _nodes(value)):
            return None  # an alias: what it stands for is written elsewhere
        seen.update(map(id, _nodes(value)))
        found.append(_property(text, key.value, start, value))
    keys = [one.key for one in found]
    return Block(text, tuple(found)) if len(set(keys)) == len(keys) else None


def _nodes(node: yaml.Node) -> list[yaml.Node]:
    inner = [node]
    if isinstance(node, yaml.SequenceNode):
        inner += [deeper for each in node.value for deeper in _nodes(each)]
    if isinstance(node, yaml.MappingNode):
        inner += [deeper for pair in node.value for each in pair for deeper in _nodes(each)]
    return inner


def _property(text: str, key: str, start: int, node: yaml.Node) -> Property:
    span = (node.start_mark.index, node.end_mark.index)
    items: tuple[Item, ...] = ()
    value: Value | None = None
    last = span[1]
    if isinstance(node, yaml.ScalarNode):
        value = node.value
    elif isinstance(node, yaml.SequenceNode):
        if all(isinstance(each, yaml.ScalarNode) for each in node.value):
            items = tuple(
                Item(each.value, each.start_mark.index, each.end_mark.index) for each in node.value
            )
            value = tuple(item.text for item in items)
        if not node.flow_style:
            # A list of lines ends where the next key begins; comments between are not its own.
            last = max((each.end_mark.index for each in node.value), default=span[0])
    elif isinstance(node, yaml.MappingNode) and not node.flow_style:
        last = max((each.end_mark.index for pair in node.value for each in pair), default=span[0])
    last = start + len(text[start:last].rstrip()) if text[start:last].strip() else last
    line_end = text.find("\n", last)
    flow = isinstance(node, yaml.SequenceNode) and bool(node.flow_style)
    end = len(text) if line_end < 0 else line_end + 1
    return Property(key, start, end, value, span, items, flow)


@dataclass(frozen=True, slots=True)
class Splice:
    """New characters in the place of old ones."""

    start: int
    end: int
    text: str


def spliced(text: str, splices: Iterable[Splice]) -> str:
    """The text with its splices carried out; they do not overlap."""
    for splice in sorted(splices, key=lambda one: (one.start, one.end), reverse=True):
        text = text[: splice.start] + splice.text + text[splice.end :]
    return text


def with_value(one: Property, raw: str, block: Block) -> Splice:
    """Put a new scalar in the place of a value; key, spacing and a comment behind it stay."""
    start, end = one.span
    old = block.text[start:end]
    if not old.strip():
        # `key:` without a value: what stands behind the colon may be a comment.
        colon = start if block.plain else block.text.index(":", one.start + len(one.key)) + 1
        return Splice(colon, colon, f" {raw}")
    return Splice(start, start + len(old.rstrip("\r\n")), raw)


def with_items(
    one: Property, kept: Sequence[Item], added: Sequence[str], block: Block
) -> list[Splice]:
    """Change a list in its owner's style; the lines of items that stay are not touched."""
    raws = [*(block.raw(item) for item in kept), *added]
    if block.plain:
        first = [
            block.text[a.end : b.start] for a, b in zip(one.items, one.items[1:2], strict=False)
        ]
        return [with_value(one, (first or [", "])[0].join(raws), block)]
    if one.flow or not one.items or not raws:
        return [with_value(one, f"[{', '.join(raws)}]", block)]
    gone = [_line_of(item, block.text) for item in one.items if item not in kept]
    splices = [Splice(start, end, "") for start, end in gone]
    start, end = _line_of(one.items[-1], block.text)
    line = block.text[start:end]
    before = block.text[start : one.items[-1].start]
    break_ = "\r\n" if line.endswith("\r\n") else "\n"
    lead = "" if line.endswith("\n") else break_
    new = "".join(f"{before}{raw}{break_}" for raw in added)
    return [*splices, Splice(end, end, lead + new)] if added else splices


def _line_of(item: Item, text: str) -> tuple[int, int]:
    start = text.rfind("\n", 0, item.start) + 1
    end = text.find("\n", item.end)
    return start, len(text) if end < 0 else end + 1
