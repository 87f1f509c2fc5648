"""Front matter that an app wrote anew, put back into the form that Obsidian and Logseq both read.

Obsidian, when a property is edited there, writes lists as lines and keys without quotes; Logseq
then finds no properties at all, or a page title. Rules: `formats.md`, section 3 and section 6.
"""

from __future__ import annotations

import re

from kbexport.flavors.both import LITERAL_KEYS, literal, without_fence
from kbexport.flavors.pointer import FRONT_MATTER
from kbexport.flavors.yaml import quoted
from kbexport.vault.properties import Block, Item, Property, Splice, read_block, spliced

_ODD = re.compile(
    rf"^(?:[ \t]+\S|-[ \t]|(?:{'|'.join(sorted(LITERAL_KEYS))})[ \t]*:|.*---)", re.MULTILINE
)


def is_odd(text: str) -> bool:
    """Whether the front matter has a line that only one of the apps reads as it is meant."""
    block = FRONT_MATTER.match(text)
    return block is not None and _ODD.search(text, block.start(1), block.end(1)) is not None


def in_form(text: str) -> str:
    """The note with such lines mended; everything else, comments too, stays as it is."""
    found = FRONT_MATTER.match(text)
    block = read_block(found[1]) if found else None
    if found is None or block is None:
        return text
    splices = [splice for one in block.properties if (splice := _mended(one, block))]
    return text[: found.start(1)] + spliced(block.text, splices) + text[found.end(1) :]


def _mended(one: Property, block: Block) -> Splice | None:
    whole = block.text[one.start : one.end]
    line = whole.rstrip("\r\n")
    if one.value is None or "#" in _behind(one, block):
        return None  # a map, or a comment that would be lost
    if one.key in LITERAL_KEYS:
        value = (
            f"[{', '.join(map(literal, one.value))}]"
            if isinstance(one.value, tuple)
            else literal(one.value)
        )
        new = f"'{one.key}': {value}"
        same = line.startswith(f"'{one.key}':") and "\n" not in line and "---" not in line
    elif isinstance(one.value, tuple):
        new = f"{one.key}: [{', '.join(_in_flow(item, block) for item in one.items)}]"
        same = one.flow and "\n" not in line and "---" not in line
    else:
        new = f"{one.key}: {without_fence(quoted(one.value))}"
        same = "\n" not in line and "---" not in line
    return None if same else Splice(one.start, one.start + len(line), new)


def _in_flow(item: Item, block: Block) -> str:
    """An item of a list as it may stand in brackets, spelled as it was where that can be."""
    raw = block.raw(item)
    if raw.startswith('"') and "\n" not in raw:
        return without_fence(raw)
    # Without quotes some signs mean more in brackets than on a line, and no quotes but double ones
    # have an escape.
    plain = raw and not re.search(r"[,\[\]{}\n\r]|---|:$|^[?:-]", raw)
    return raw if plain else without_fence(quoted(item.text))


def _behind(one: Property, block: Block) -> str:
    """What stands between and behind the items of a value, where a comment may be."""
    text = block.text[one.start : one.end]
    spans = [(item.start, item.end) for item in one.items] or [one.span]
    for start, end in sorted(spans, reverse=True):
        text = text[: start - one.start] + text[end - one.start :]
    return text
