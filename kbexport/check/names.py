"""Names that some system or app cannot hold, or that two files share.

Rules: `formats.md`, section 4 and, for Logseq's own names, section 3.
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterator

from kbexport.check.findings import Finding, Severity
from kbexport.check.vault import Checked
from kbexport.naming import DEVICES, JOURNAL, UNLINKABLE, fold, stem_of

_FORBIDDEN = re.compile(r'[\\:*?"<>|\x00-\x1f\x7f]')
_RENAME = "rename it; Obsidian then follows with its links"
_LONGEST = 255
"""Bytes of a name that common file systems hold."""


def check_names(vault: Checked) -> Iterator[Finding]:
    """Names of files and folders."""
    for path in sorted({*vault.files, *vault.folders}):
        name = path.rpartition("/")[2]
        if not name.startswith("."):
            yield from _portable(path, name)
    yield from _twins(vault)
    yield from _same_stem(vault)
    for path in vault.pages:
        yield from _as_note(path, vault)
    for path in sorted(vault.unread):
        message = "cannot be read, or is not UTF-8"
        yield Finding(path, 0, "unreadable", message, "save it as UTF-8", Severity.ERROR)


def _portable(path: str, name: str) -> Iterator[Finding]:
    if signs := "".join(sorted(set(_FORBIDDEN.findall(name)))):
        message = f"Windows and Android cannot store a name with {signs!r}"
        yield Finding(path, 0, "name-sign", message, _RENAME)
    if name != name.rstrip(" ."):
        message = "Windows cuts off the dot or the space at the end of the name"
        yield Finding(path, 0, "name-end", message, _RENAME)
    if name.partition(".")[0].strip().casefold() in DEVICES:
        message = "Windows takes the name for a device"
        yield Finding(path, 0, "name-device", message, _RENAME)
    if not unicodedata.is_normalized("NFC", name):
        message = "the name is not in the normal form NFC: macOS, git and links may miss it"
        yield Finding(path, 0, "name-form", message, _RENAME)
    if len(name.encode("utf-8", "surrogateescape")) > _LONGEST:
        yield Finding(path, 0, "name-length", "the name is too long for most systems", _RENAME)


def _twins(vault: Checked) -> Iterator[Finding]:
    """Paths that are one path on a system that does not tell case or normal forms apart."""
    same: defaultdict[str, list[str]] = defaultdict(list)
    for path in sorted({*vault.files, *vault.folders}):
        same[fold(path)].append(path)
    for first, *others in same.values():
        for path in others:
            # Of what lies in two folders of one name, the folders are told of.
            if (
                fold(path.rpartition("/")[0])
                and path.rpartition("/")[0] != first.rpartition("/")[0]
            ):
                continue
            message = f"the same name as {first} on Windows and macOS"
            yield Finding(path, 0, "name-twin", message, "rename one of them", Severity.ERROR)


def _same_stem(vault: Checked) -> Iterator[Finding]:
    """Notes of one base name: a link to it means both, and in Logseq they are one page."""
    known: dict[str, str] = {}
    for path in sorted(f"../{path}" for path in vault.around if path.lower().endswith(".md")):
        known.setdefault(fold(stem_of(path)), path)
    strict = vault.logseq or vault.state is not None
    severity = Severity.WARNING if strict else Severity.NOTE
    for path in vault.pages:
        first = known.setdefault(fold(stem_of(path)), path)
        if first != path and fold(first) != fold(path):
            message = f"called like {first}: a link to the name may mean either"
            if vault.logseq:
                message += ", and Logseq makes one page of both"
            yield Finding(path, 0, "name-double", message, "rename one of them", severity)


def _as_note(path: str, vault: Checked) -> Iterator[Finding]:
    stem = stem_of(path)
    if found := UNLINKABLE.search(stem):
        message = f"no link can hold the `{found[0]}` in the name"
        yield Finding(path, 0, "name-link", message, _RENAME)
    if not vault.logseq or path.startswith("journals/"):
        return
    if "___" in stem or re.search(r"%[0-9a-fA-F]{2}", stem):
        message = "Logseq reads `___` as `/` and decodes `%XX`: its page has another name"
        yield Finding(path, 0, "name-logseq", message, _RENAME, Severity.NOTE)
    if JOURNAL.fullmatch(stem):
        message = "to Logseq the name is the journal page of that day"
        yield Finding(path, 0, "name-journal", message, "", Severity.NOTE)
