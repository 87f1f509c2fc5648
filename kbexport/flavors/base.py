"""What a flavor is, and the properties of a note before any flavor writes them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from kbexport.models import Kind, Model, Moment


class Properties(Model):
    """The properties of a note, in the order in which every flavor writes them.

    An absent value has no line. Links are targets, without brackets. Rule: `design.md`.
    """

    title: str | None = None
    date: Moment | None = None
    reads: int | None = None
    tags: tuple[str, ...] = ()
    series: str | None = None
    ordinal: int | None = None
    prev: str | None = None
    next: str | None = None
    related: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    author: str | None = None
    column: str | None = None
    kind: Kind | None = None
    pinned: bool | None = None
    url: str | None = None
    kbexport: str
    """The note's id and the hash of its base."""


LINKS = ("series", "prev", "next", "related")
"""The properties that hold links."""

PropertyValue = str | int | bool | tuple[str, ...]


def front_matter(properties: Properties, written: Callable[[str, PropertyValue], str]) -> str:
    """The known properties between their fences, each as ``written`` puts it."""
    lines = [
        written(key, value)
        for key in Properties.model_fields
        if (value := getattr(properties, key)) is not None and value != ()
    ]
    return "---\n" + "\n".join(lines) + "\n---\n"


@dataclass(frozen=True)
class Flavor:
    """The dialect of a vault."""

    name: str
    """As `--flavor` takes it; also the folder of its templates."""
    logseq: bool
    """Whether Logseq reads the vault: then its escapes and its configuration are needed."""
    front_matter: Callable[[Properties], str]
    """The properties as the top of a note, up to and with the line end of its last fence."""
    wiki_link: Callable[[str, str | None], str]
    """A link to a note by its target, with a label where the flavor has labels.

    A label is free of the signs that a file name is free of.
    """
    text_link: Callable[[str, str], str]
    """A link of a body to another post's note: its target, and the inert text it stood under."""
    app_files: Callable[[bool], Mapping[str, str]]
    """Files of the apps to ship, by path; told whether the blog's dates have times."""
    folder: str | None = None
    """The one folder of all notes; None where the folders are those of `design.md`."""
    outline: bool = False
    """Whether each block of a body is a bullet of an outline."""


HARMLESS = re.compile(r"[\w\s,.;:!?'’“”()（），。；：！？、《》/+-]+")
"""A label that may stand inside a link: it has no sign that means something there."""


def text_and_link(target: str, label: str) -> str:
    """A label and the link behind it, for where a link can have none: `上一篇（[[Note]]）`."""
    wide = any(char >= "\u2e80" for char in label)
    opened, closed = ("（", "）") if wide else (" (", ")")
    return f"{label}{opened}[[{target}]]{closed}" if label.strip() else f"[[{target}]]"
