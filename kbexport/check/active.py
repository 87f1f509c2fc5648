"""What runs, loads or queries something when a note is shown, outside code.

The constructs are those of `formats.md`, section 5. What can do harm is wrong in every note; a
query, a macro or a frame is wrong in a note that kbexport wrote, for nothing of a source may run,
and in a note of the user's own it is their tool, and only told.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from kbexport.check.findings import Finding, Severity
from kbexport.check.page import Page
from kbexport.check.prose import Prose
from kbexport.check.vault import Checked
from kbexport.content.addresses import scheme_of
from kbexport.content.code import language
from kbexport.content.formulas import ACTIVE_TEX

_TAG = re.compile(r"<(?P<name>/?[A-Za-z][\w-]*)(?P<rest>[^<>]{0,4000})")
_HARMFUL_TAGS = frozenset("script object embed applet base meta".split())
_FRAMES = frozenset("iframe frame video audio link style form svg".split())
_HANDLER = re.compile(r"[\s\"'/]on[a-z]{3,}\s*=", re.IGNORECASE)
_ATTRIBUTE = re.compile(r"=\s*[\"']?\s*([^\s\"'>]+)")
_HARMFUL = frozenset(["javascript", "vbscript", "data"])
_FOREIGN = frozenset(["file", "obsidian", "logseq"])
_PICTURE = re.compile(r"\s*data:image/(?!svg)", re.IGNORECASE)
_ADDRESS = re.compile(
    r"\][ \t]*\([ \t]*(?:<(?P<angle>[^<>\n]*)>|(?P<link>[^\s()<>]+))"
    r"|^[ \t]{0,3}\[[^\[\]\n]+\]:[ \t]*<?(?P<def>\S+)"
    r"|<(?P<auto>[A-Za-z][A-Za-z0-9+.-]*:[^\s<>]*)>",
    re.MULTILINE,
)
_LINK = re.compile(r"\[\[[^\[\]\n]+\]\]")
_TOOLS = (
    ("<%", re.compile(r"<%"), "a Templater command"),
    ("@@", re.compile(r"@@[a-z]+:", re.IGNORECASE), "an export snippet of Logseq"),
)
_LOGSEQ_TOOLS = (
    ("{{", re.compile(r"\{\{[A-Za-z]"), "a macro of Logseq"),
    (
        "#+",
        re.compile(r"^[ \t]*(?:[-*+][ \t]+)?#\+[A-Za-z_]+(?=[:\s])", re.MULTILINE),
        "a directive",
    ),
    ("[:", re.compile(r"(?:^|[ \t])\[:[a-z]", re.MULTILINE), "HTML in Logseq's Hiccup"),
)
"""Each with signs that a text must hold before the pattern is worth a try, and its name."""


def check_active(page: Page, vault: Checked) -> Iterator[Finding]:
    """What in a note is more than text."""
    tool = Severity.WARNING if page.pointer else Severity.NOTE
    for place, what, harmful in _found(page, logseq=vault.logseq):
        severity = Severity.ERROR if harmful else tool
        rule = "active-code" if harmful else "active-tool"
        hint = "put a backslash before its first sign, or take it out" if harmful else ""
        yield Finding(page.path, page.line(place), rule, f"{what} is live", hint, severity)


def _found(page: Page, *, logseq: bool) -> Iterator[tuple[int, str, bool]]:
    """Each live construct: its place, what it is, and whether it can do harm by itself."""
    prose = page.prose.text
    yield from _tags(prose) if "<" in prose else ()
    yield from _addresses(page) if ":" in prose else ()
    # In the name of a note that a link holds, nothing else is read.
    words = _LINK.sub(lambda link: " " * len(link[0]), prose) if "[[" in prose else prose
    for signs, pattern, what in (*_TOOLS, *(_LOGSEQ_TOOLS if logseq else ())):
        for found in pattern.finditer(words) if signs in words else ():
            yield found.start(), what, False
    front = page.text.find("<%", 0, page.body)
    if front >= 0:
        yield front, "a Templater command", False
    yield from _code(page.prose)


def _addresses(page: Page) -> Iterator[tuple[int, str, bool]]:
    for found in _ADDRESS.finditer(page.prose.text):
        name = found.lastgroup or "link"
        address = page.text[found.start(name) : found.end(name)]
        scheme = scheme_of(address)
        if scheme in _HARMFUL or scheme in _FOREIGN:
            harmful = scheme in _HARMFUL and not _PICTURE.match(address)
            yield found.start(), f"a link of the kind `{scheme}:`", harmful


def _code(prose: Prose) -> Iterator[tuple[int, str, bool]]:
    """Code that a plugin runs, and formulas that do more than show."""
    for fence in prose.fences:
        if fence.info and language(fence.info) == "text" and not fence.info.startswith("text"):
            yield fence.start, f"the code block `{fence.info[:40]}`, which a plugin runs", False
    for span in prose.spans:
        if span.text.strip("`").lstrip().startswith(("=", "$=")):
            yield span.start, f"inline code that Dataview runs, {span.text[:40]}", False
    for formula in prose.formulas:
        if ACTIVE_TEX.search(formula.text):
            yield formula.start, "a formula that links or loads something", False


def _tags(text: str) -> Iterator[tuple[int, str, bool]]:
    for found in _TAG.finditer(text):
        name, rest = found["name"].lower(), found["rest"]
        schemes = (scheme_of(each) for each in _ATTRIBUTE.findall(rest))
        if name in _HARMFUL_TAGS or _HANDLER.search(rest) or not _HARMFUL.isdisjoint(schemes):
            yield found.start(), f"the tag `<{found['name']}`", True
        elif name in _FRAMES:
            yield found.start(), f"the tag `<{found['name']}`", False
