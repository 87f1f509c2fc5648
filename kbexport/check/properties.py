"""Front matter that an app cannot read, properties of the wrong type, tags that are none.

Rules: `formats.md`, sections 2 (Properties, Tags), 3 (Front matter, as mldoc reads it) and 6.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from kbexport.check.findings import Finding, Severity
from kbexport.check.front import Entry, Front, Value
from kbexport.check.page import Page
from kbexport.check.vault import Checked
from kbexport.flavors.base import LINKS
from kbexport.flavors.both import LITERAL_KEYS

FIX = "`kbexport check --fix` mends what it can of this"
"""The hint of every finding that it may mend."""

_OPENS = re.compile(r"[\ufeff\s]*---[ \t]*\r?\n[ \t]*[\w'\"-]+[ \t]*:")
_LINK = re.compile(r"\[\[[^\[\]|]+(?:\|[^\[\]|]+)?\]\]")
_DATE = re.compile(r"\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])(?:T\d\d:\d\d(?::\d\d)?)?")
_NOT_IN_TAG = "\\u2000-\\u206f\\u2e00-\\u2e7f'!\"#$%&()*+,.:;<=>?@^`{|}~\\[\\]\\\\\\s"
_TAG = re.compile(f"[^{_NOT_IN_TAG}]+")
_OLD = {"tag": "tags", "alias": "aliases", "cssclass": "cssclasses"}
"""Keys that Obsidian read before 1.9."""


def check_properties(page: Page, vault: Checked) -> Iterator[Finding]:
    """The front matter of a note, as the apps of its vault read it."""
    front = page.front
    if front is None:
        if _OPENS.match(page.text):
            message = "the front matter is not closed, or does not begin at the first character"
            yield Finding(page.path, 1, "front-matter", message, "", Severity.ERROR)
        return
    if vault.obsidian and front.problem:
        message = f"Obsidian cannot read the front matter: {front.problem}"
        hint = "put the value in double quotes" if "twice" not in front.problem else "take one out"
        yield Finding(page.path, front.problem_line, "yaml", message, hint, Severity.ERROR)
    if vault.logseq:
        yield from _to_logseq(page, front)
    for entry in front.entries:
        yield from _entry(page, entry, vault)
    yield from _pointer(page, front)


def _pointer(page: Page, front: Front) -> Iterator[Finding]:
    for entry in front.entries:
        if entry.key == "kbexport" and page.pointer is None:
            message = "the property `kbexport` is damaged: the note is no longer found by it"
            hint = "restore the line from git, or take it out to keep the note as your own"
            yield Finding(page.path, entry.line, "pointer", message, hint)


def _to_logseq(page: Page, front: Front) -> Iterator[Finding]:
    """What Logseq, which knows no YAML and reads line by line, makes of the block."""
    path, error = page.path, Severity.ERROR
    if page.text.startswith("\ufeff"):
        message = "Logseq sees no properties behind a byte order mark"
        yield Finding(path, 1, "byte-order-mark", message, FIX, error)
    for number, line in enumerate(front.text.split("\n")[:-1], start=front.first):
        bare = line.strip()
        if ":" not in bare:
            what = f"the line `{bare[:40]}`" if bare else "the empty line"
            message = f"Logseq reads no properties at all: {what} has no `:`"
            hint = FIX if not bare.startswith("#") else "take the comment out"
            yield Finding(path, number, "logseq-block", message, hint, error)
        elif "---" in bare:
            message = "Logseq ends the front matter at the `---` in this line"
            yield Finding(path, number, "logseq-fence", message, FIX, error)
    for entry in front.entries:
        if entry.key in LITERAL_KEYS and entry.quoted != "'":
            message = (
                f"Logseq takes the YAML of `{entry.key}` as it stands, quotes and brackets too"
            )
            yield Finding(path, entry.line, "logseq-key", message, FIX)
        elif entry.key in LITERAL_KEYS and re.search(r"#|\[\[", entry.raw):
            message = f"Logseq finds a tag or a link in `{entry.key}`"
            hint = "write `#` as `\\x23` and `[[` as `\\x5b\\x5b`, in double quotes"
            yield Finding(path, entry.line, "logseq-ref", message, hint)


def _entry(page: Page, entry: Entry, vault: Checked) -> Iterator[Finding]:
    path, line, key, value = page.path, entry.line, entry.key, entry.value
    if value is None and entry.raw.startswith("#"):
        message = f"the value of `{key}` is lost: what begins with `#` is a comment"
        yield Finding(path, line, "yaml-loss", message, "put it in double quotes")
        return
    if isinstance(value, list) and any(isinstance(each, list) for each in value):
        message = f"`{key}` is a list in a list, as an unquoted [[link]] is"
        yield Finding(path, line, "property-type", message, 'write "[[link]]"')
        return
    if key in _OLD and vault.obsidian:
        message = f"Obsidian no longer reads `{key}`"
        yield Finding(path, line, "old-key", message, f"call it `{_OLD[key]}`", Severity.NOTE)
    types = _OURS if page.pointer else _APPS
    holds, wanted = types.get(key, (_is_anything, ""))
    if vault.logseq and page.pointer and key in LINKS:
        holds, wanted = _is_links, 'a list of links, ["[[Note]]"]'
    if not holds(value) and (value is not None or page.pointer):
        yield Finding(path, line, "property-type", f"`{key}` should be {wanted}")
    if key == "tags" and isinstance(value, list | str):
        for tag in [value] if isinstance(value, str) else value:
            if isinstance(tag, str) and not is_tag(tag):
                message = f"`{tag}` is no tag in Obsidian"
                hint = "a tag has letters, digits, `_`, `-` and `/`, and not digits alone"
                yield Finding(path, line, "tag", message, hint)


def is_tag(tag: str) -> bool:
    """Whether Obsidian takes a text for a tag; a `#` before it is Obsidian's own habit."""
    name = tag.removeprefix("#")
    ends = name.startswith("/") or name.endswith("/") or "//" in name
    return _TAG.fullmatch(name) is not None and not name.isdecimal() and not ends


def _is_anything(_: Value) -> bool:
    return True


def _is_text(value: Value) -> bool:
    return isinstance(value, str)


def _is_texts(value: Value) -> bool:
    return isinstance(value, list) and all(isinstance(each, str) for each in value)


def _is_count(value: Value) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _is_link(value: Value) -> bool:
    return isinstance(value, str) and _LINK.fullmatch(value) is not None


def _is_links(value: Value) -> bool:
    return isinstance(value, list) and bool(value) and all(map(_is_link, value))


def _is_link_or_links(value: Value) -> bool:
    return _is_link(value) or _is_links(value)


def _is_date(value: Value) -> bool:
    return isinstance(value, str) and _DATE.fullmatch(value) is not None


Rule = tuple[Callable[[Value], bool], str]

_APPS: dict[str, Rule] = dict.fromkeys(
    ("tags", "aliases", "cssclasses"), (_is_texts, "a list of texts")
)
"""What Obsidian wants of its own properties, in every note."""

_OURS: dict[str, Rule] = {
    **_APPS,
    **dict.fromkeys(("title", "author", "column", "kind", "url", "kbexport"), (_is_text, "a text")),
    **dict.fromkeys(("reads", "ordinal"), (_is_count, "a whole number")),
    **dict.fromkeys(LINKS, (_is_link_or_links, 'a link, "[[Note]]", or a list of links')),
    "date": (_is_date, "a day or a time, 2021-12-23 or 2021-12-23T10:49:04"),
    "pinned": (lambda value: isinstance(value, bool), "true or false"),
}
"""What kbexport writes (`design.md`, Properties of a note)."""
