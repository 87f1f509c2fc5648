"""Flavor `both`: one folder that Obsidian and Logseq read alike. Rules: `formats.md`, section 6."""

from __future__ import annotations

import re
from functools import partial

from kbexport.flavors.apps import LOGSEQ_CONFIG, obsidian_files
from kbexport.flavors.base import LINKS, Flavor, PropertyValue, front_matter, text_and_link
from kbexport.flavors.yaml import quoted, scalar

LITERAL_KEYS = frozenset(["title", "tags", "aliases"])
"""Written in single quotes, so that Logseq makes no page and no tag of them."""


def _line(key: str, value: PropertyValue) -> str:
    if key in LINKS:
        targets = value if isinstance(value, tuple) else (value,)
        return f"{key}: [{', '.join(without_fence(quoted(f'[[{name}]]')) for name in targets)}]"
    if key == "date":
        return f"{key}: {value}"
    if isinstance(value, tuple):
        return f"'{key}': [{', '.join(literal(item) for item in value)}]"
    if key in LITERAL_KEYS:
        return f"'{key}': {literal(str(value))}"
    return f"{key}: {without_fence(scalar(value))}"


def literal(text: str) -> str:
    """A quoted text in which Logseq finds neither a tag nor a link."""
    return without_fence(quoted(text)).replace("#", "\\x23").replace("[[", "\\x5b\\x5b")


def without_fence(text: str) -> str:
    """A value without `---`, at which Logseq ends the front matter wherever it stands."""
    return re.sub("-{3,}", lambda run: "\\x2d" * len(run.group()), text)


def _wiki_link(target: str, label: str | None) -> str:  # noqa: ARG001 - Logseq has no labels
    return f"[[{target}]]"


def _app_files(has_times: bool) -> dict[str, str]:
    settings = {"userIgnoreFilters": ["logseq/"], "showInlineTitle": False}
    files = obsidian_files(link_type="multitext", has_times=has_times, settings=settings)
    return {**files, "logseq/config.edn": LOGSEQ_CONFIG}


BOTH = Flavor(
    name="both",
    logseq=True,
    front_matter=partial(front_matter, written=_line),
    wiki_link=_wiki_link,
    text_link=text_and_link,
    app_files=_app_files,
)
