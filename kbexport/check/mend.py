"""What `--fix` puts right in a note: only where the properties stay what they are. Pure.

An app that saves front matter its own way makes it unreadable for the other one; here it gets
back the form that both read (`formats.md`, section 3 and section 6).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from kbexport.check.findings import Finding, Severity
from kbexport.check.front import Front, read_front
from kbexport.check.page import Page
from kbexport.check.properties import FIX, check_properties
from kbexport.check.vault import Checked
from kbexport.flavors.pointer import FENCED
from kbexport.vault.forms import in_form

_BLANK = re.compile(r"^[ \t]*\r?\n", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Mend:
    """A note before and after, and what was done."""

    path: str
    before: str
    after: str
    findings: tuple[Finding, ...]


def mends(vault: Checked) -> Iterator[Mend]:
    """What can be mended in the notes of a vault; nothing where Logseq does not open it."""
    if not vault.logseq:
        return
    for page in vault.pages.values():
        if all(one.hint != FIX for one in check_properties(page, vault)):
            continue
        text, done = page.text, []
        if page.front is not None and text.startswith("\ufeff"):
            text = text.removeprefix("\ufeff")
            done.append("the byte order mark is gone")
        if (plain := _mended(text)) != text:
            text = plain
            done.append("the front matter has its form back, so that Logseq reads it too")
        if done:
            yield Mend(page.path, page.text, text, tuple(_told(page, done)))


def _told(page: Page, done: list[str]) -> Iterator[Finding]:
    for message in done:
        yield Finding(page.path, 1, "front-matter", message, "", Severity.MENDED)


def _mended(text: str) -> str:
    """The note with its front matter in form; as it was where that would change a value."""
    for candidate in (_without_blank_lines(in_form(text)), in_form(text)):
        if _values(candidate) == _values(text):
            return candidate
    return text


def _without_blank_lines(text: str) -> str:
    found = FENCED.match(text)
    if found is None:
        return text
    return text[: found.start(1)] + _BLANK.sub("", found[1]) + text[found.end(1) :]


def _values(text: str) -> object:
    """What YAML reads in the front matter, and the text behind it."""
    found = FENCED.match(text)
    if found is None:
        return text
    front: Front = read_front(found[1], 1)
    if front.problem:
        return text
    return [(one.key, one.value) for one in front.entries], text[found.end() :]
