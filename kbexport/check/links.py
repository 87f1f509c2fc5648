"""Links that lead nowhere, or to more than one place; embeds and pictures that are missing.

Obsidian finds a note by its base name over the whole vault, ignoring case, or by a path; aliases
do not resolve (`formats.md`, section 2, Links).
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from urllib.parse import unquote

from kbexport.check.findings import Finding, Severity
from kbexport.check.front import Value
from kbexport.check.page import Page, heading_key
from kbexport.check.vault import Checked
from kbexport.naming import fold

_WIKI = re.compile(r"(!?)\[\[([^\[\]\n]+)\]\]")
_MARKDOWN = re.compile(
    r"(!?)\[[^\[\]\n]*\]\([ \t]*(?:<([^<>\n]*)>|([^\s()<>]+(?:\([^\s()]*\)[^\s()]*)*))"
    r"(?:[ \t]+(?:\"[^\"\n]*\"|'[^'\n]*'))?[ \t]*\)"
)
_PROPERTY = re.compile(r"\[\[([^\[\]]+)\]\]")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:|//")
_FILE = re.compile(
    r"\.(?:md|canvas|base|pdf|png|jpe?g|gif|webp|svg|bmp|avif|mp3|mp4|wav|ogg|webm|zip)$",
    re.IGNORECASE,
)
_TITLES = frozenset(["title", "aliases", "alias"])
"""Properties that are words, also where they look like a link."""


@dataclass(frozen=True)
class Resolver:
    """Finds what a link means."""

    vault: Checked

    @cached_property
    def _known(self) -> dict[str, tuple[str, ...]]:
        return {}

    def files(self, target: str) -> tuple[str, ...]:
        """The files that a wiki-link may mean, for its path without heading and block."""
        key = fold(target.strip()).strip("/")
        if key not in self._known:
            self._known[key] = tuple(self._found(key))
        return self._known[key]

    def _found(self, key: str) -> Iterator[str]:
        for whole in (key, f"{key}.md"):
            if "/" in key and whole in self.vault.places:
                yield self.vault.places[whole]
                return
        tail = f"/{key}"
        for path in self.vault.by_name.get(key.rpartition("/")[2], ()):
            place = f"/{self.vault.place_of(path)}"
            if place.endswith((tail, f"{tail}.md")):
                yield path

    def from_note(self, page: Page, address: str) -> tuple[str, ...]:
        """The files that a path may mean, seen from a note: beside it, else as a link."""
        folder = posixpath.dirname(self.vault.place_of(page.path))
        path = posixpath.normpath(posixpath.join(folder, fold(address))).lstrip("/")
        for whole in (path, f"{path}.md"):
            if whole in self.vault.places:
                return (self.vault.places[whole],)
        bare = re.sub(r"^(?:\.{1,2}/)+", "", address)
        return self.files(bare) if bare == address else ()


def check_links(page: Page, resolver: Resolver) -> Iterator[Finding]:
    """Every link, embed and picture of a note that does not lead to exactly one thing."""
    prose = page.prose.text
    for found in _WIKI.finditer(prose) if "[[" in prose else ():
        target = page.text[found.start(2) : found.end(2)].partition("|")[0].removesuffix("\\")
        line = page.line(found.start())
        yield from _wiki(page, target, line, resolver, embed=bool(found[1]))
    for found in _MARKDOWN.finditer(prose) if "](" in prose else ():
        group = 2 if found[2] is not None else 3
        address = re.sub(r"\\(?=\W)", "", page.text[found.start(group) : found.end(group)])
        yield from _address(page, address, page.line(found.start()), resolver, shown=bool(found[1]))
    for entry in page.front.entries if page.front else ():
        if entry.key not in _TITLES:
            for text in _texts(entry.value):
                if link := _PROPERTY.fullmatch(text):
                    target = link[1].partition("|")[0]
                    yield from _wiki(page, target, entry.line, resolver, embed=False)


def _texts(value: Value) -> list[str]:
    if isinstance(value, list):
        return [each for each in value if isinstance(each, str)]
    return [value] if isinstance(value, str) else []


def _wiki(
    page: Page, target: str, line: int, resolver: Resolver, *, embed: bool
) -> Iterator[Finding]:
    path, sharp, place = target.partition("#")
    shown = f"{'!' if embed else ''}[[{target}]]"
    if not path.strip():
        files: tuple[str, ...] = (page.path,)
    elif path.startswith(("./", "../")):
        files = resolver.from_note(page, path)
    else:
        files = resolver.files(path)
    if not files:
        what = "missing-embed" if embed else "broken-link"
        # To Logseq a link is a page already, and writing it is how pages are made.
        severity = Severity.WARNING if resolver.vault.obsidian or embed else Severity.NOTE
        hint = "write that note, or link to one that is there; aliases do not count"
        message = f"{shown} leads to no {'file' if embed else 'note'}"
        yield Finding(page.path, line, what, message, hint, severity)
    elif len(files) > 1:
        hint = "write the folder before the name, or rename one of them"
        message = f"{shown} may mean {' or '.join(files)}"
        yield Finding(page.path, line, "ambiguous-link", message, hint)
    elif sharp and (other := resolver.vault.pages.get(files[0])) and not _has(other, place):
        message = f"{shown}: the note has no such {'block' if place[:1] == '^' else 'heading'}"
        yield Finding(page.path, line, "broken-place", message)


def _has(page: Page, place: str) -> bool:
    """Whether a note has a heading, `Heading#Below`, or a block, `^id`."""
    if place.startswith("^"):
        return place[1:].strip().lower() in page.block_ids
    return all(heading_key(each) in page.headings for each in place.split("#") if each.strip())


def _address(
    page: Page, address: str, line: int, resolver: Resolver, *, shown: bool
) -> Iterator[Finding]:
    path = unquote(re.split(r"[?#]", address, maxsplit=1)[0])
    if not path or _SCHEME.match(address) or (not shown and not _FILE.search(path)):
        return
    files = resolver.from_note(page, path)
    if not files:
        what = "missing-picture" if shown else "broken-link"
        kind = "picture" if shown else "link"
        yield Finding(page.path, line, what, f"the {kind} `{address}` leads to no file")
