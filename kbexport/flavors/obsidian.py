"""Flavor `obsidian`: Obsidian alone, its own idiom. Rules: `formats.md`, section 6."""

from __future__ import annotations

import re
from functools import partial

from kbexport.flavors.apps import obsidian_files
from kbexport.flavors.base import (
    HARMLESS,
    LINKS,
    Flavor,
    PropertyValue,
    front_matter,
    text_and_link,
)
from kbexport.flavors.yaml import quoted, scalar


def _lines(key: str, value: PropertyValue) -> str:
    if key == "date":
        return f"{key}: {value}"
    if isinstance(value, tuple):
        return "\n".join([f"{key}:", *(f"  - {_item(key, item)}" for item in value)])
    return f"{key}: {_item(key, value)}"


def _item(key: str, value: str | int | bool) -> str:
    if key in LINKS:
        return quoted(f"[[{value}]]")
    if key == "tags" and isinstance(value, str) and _is_plain(value):
        return value
    return scalar(value)


PLAIN = re.compile(r"[^\W\d_][\w/-]*")

SPECIAL = frozenset("true false yes no on off y n null nan inf".split())


def _is_plain(tag: str) -> bool:
    """Whether a tag is the same text without quotes, in YAML 1.1 and 1.2."""
    return PLAIN.fullmatch(tag) is not None and tag.casefold() not in SPECIAL


def _wiki_link(target: str, label: str | None) -> str:
    return f"[[{target}|{label}]]" if label and label != target else f"[[{target}]]"


def _text_link(target: str, label: str) -> str:
    """The label goes into the link, unless it has signs that mean something there."""
    if HARMLESS.fullmatch(label):
        return _wiki_link(target, " ".join(label.split()))
    return text_and_link(target, label)


OBSIDIAN = Flavor(
    name="obsidian",
    logseq=False,
    front_matter=partial(front_matter, written=_lines),
    wiki_link=_wiki_link,
    text_link=_text_link,
    app_files=lambda has_times: obsidian_files(link_type="text", has_times=has_times, settings={}),
)
