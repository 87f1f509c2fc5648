"""Flavor `logseq`: Logseq alone, a graph of outlines. Rules: `formats.md`, sections 3 and 6."""

from __future__ import annotations

import json
import re
from itertools import accumulate

from kbexport.flavors.apps import GIT_IGNORE, LOGSEQ_CONFIG
from kbexport.flavors.base import HARMLESS, LINKS, Flavor, Properties, PropertyValue, text_and_link
from kbexport.text.clean import one_line

BARE = frozenset(["date", "tags", "kbexport"])
"""Properties whose texts need no quotes: nothing in them is a link, a tag or a number to Logseq."""

ADDRESS = re.compile(r"https?://[\w.:/?=&%+~@;,!-]+", re.ASCII)
"""An address in which Logseq finds neither a tag nor a link."""


def _front_matter(properties: Properties) -> str:
    """The known properties, each on a line, from the first byte of the page.

    A `title` would rename the page, so that the title is its alias: quoted, which makes no page.
    """
    values = {key: getattr(properties, key) for key in Properties.model_fields}
    values["aliases"] = values.pop("title")
    lines = [
        f"{key}:: {_value(key, values[key])}\n"
        for key in Properties.model_fields
        if values.get(key) is not None and values[key] != ()
    ]
    return "".join(lines)


def _value(key: str, value: PropertyValue) -> str:
    if key in LINKS:
        targets = value if isinstance(value, tuple) else (value,)
        return ", ".join(f"[[{one_line(str(target))}]]" for target in targets)
    if isinstance(value, tuple):
        return ", ".join(map(one_line, value))
    if not isinstance(value, str):
        return json.dumps(value)
    text = one_line(value)
    if key == "kbexport":
        return value  # the place of its hash is behind a space
    bare = key in BARE or (key == "url" and ADDRESS.fullmatch(text))
    return text if bare else f'"{text}"'


def _wiki_link(target: str, label: str | None) -> str:
    if label and label != target and _takes_label(target, label):
        return f"[{label}]([[{target}]])"
    return f"[[{target}]]"


def _takes_label(target: str, label: str) -> bool:
    """Whether Logseq reads such a link with its label as one: it pairs the target's brackets."""
    depths = list(accumulate((char == "(") - (char == ")") for char in target))
    paired = not depths or (min(depths) >= 0 and depths[-1] == 0)
    harmless = HARMLESS.fullmatch(label) and "((" not in label and "//" not in label
    return paired and "((" not in target and bool(harmless)


def _text_link(target: str, label: str) -> str:
    """The label goes into the link, unless it has signs that mean something there."""
    words = " ".join(label.split())
    if _takes_label(target, words):
        return _wiki_link(target, words)
    return text_and_link(target, label)


LOGSEQ = Flavor(
    name="logseq",
    logseq=True,
    front_matter=_front_matter,
    wiki_link=_wiki_link,
    text_link=_text_link,
    app_files=lambda _: {"logseq/config.edn": LOGSEQ_CONFIG, ".gitignore": GIT_IGNORE},
    folder="pages",
    outline=True,
)
