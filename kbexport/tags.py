"""Tags of the source as valid tags of both apps, in one spelling over the whole vault.

Rules: `formats.md`, section 2 (Tags).
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence

from kbexport.config import TagRules
from kbexport.models import CollatedPost

ALLOWED = "LMN"
"""First letters of the Unicode categories that a tag may hold: letters, marks, numbers."""

WIDE_SIGNS = str.maketrans("＋＃．", "+#.")
"""Full-width forms of the signs that have a meaning in tags."""

SPOKEN: tuple[tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]], ...] = (
    (re.compile(r"\+\+"), "pp"),
    (re.compile(r"(?<=\w)\+"), "plus"),
    (re.compile(r"(?<=[A-Z])#"), "Sharp"),
    (re.compile(r"(?<=[^\W_])#"), "sharp"),
    (re.compile(r"^\.(?=\w)|(?<=[\s/])\.(?=\w)"), "dot"),
)
"""Signs that tell one tag from another (`C`, `C++`, `C#`, `.NET`, `NET`) become words."""


def portable_tag(tag: str) -> str:
    """A tag that Obsidian and Logseq accept, or nothing where nothing is left of it.

    >>> portable_tag("C++"), portable_tag("#docker login"), portable_tag(".NET")
    ('Cpp', 'docker-login', 'dotNET')
    """
    portable = _worded(tag)
    return f"_{portable}" if portable.replace("/", "").isdigit() else portable


def _worded(tag: str) -> str:
    """The tag without its signs; it may still be nothing but digits."""
    text = unicodedata.normalize("NFC", tag).translate(WIDE_SIGNS).strip().lstrip("#").strip()
    for pattern, word in SPOKEN:
        text = pattern.sub(word, text)
    text = "".join(char if _is_allowed(char) else "-" for char in text)
    levels = [re.sub(r"-{2,}", "-", level).strip("-") for level in text.split("/")]
    return unicodedata.normalize("NFC", "/".join(level for level in levels if level))


def _is_allowed(char: str) -> bool:
    return (
        char in "_-/"
        or (unicodedata.category(char)[0] in ALLOWED and not "\u2e00" <= char <= "\u2e7f")
        or unicodedata.category(char) == "So"
        or "\U0001f3fb" <= char <= "\U0001f3ff"  # the skin tones of emoji
    )


def assign_tags(posts: Sequence[CollatedPost], rules: TagRules) -> dict[str, tuple[str, ...]]:
    """The tags of each post by its id, after the rules of the configuration.

    Tags that differ in letter case alone take the spelling that most posts use.
    """
    dropped = {tag.casefold() for tag in rules.drop}
    renamed = {tag.casefold(): name for tag, name in rules.rename.items()}
    portable: dict[str, str] = {}

    def written(tag: str) -> str:
        if tag not in portable:
            name = _worded(renamed.get(tag.casefold(), tag))
            portable[tag] = portable_tag(rules.prefix + name if name else "")
        return portable[tag]

    wanted = {
        post.uid: [
            name for tag in post.tags if tag.casefold() not in dropped and (name := written(tag))
        ]
        for post in posts
    }
    spelling = _spellings(wanted)
    return {
        uid: tuple(dict.fromkeys(spelling[name.casefold()] for name in names))
        for uid, names in wanted.items()
    }


def _spellings(wanted: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """For each tag without its case the spelling most often used; of several the first by code."""
    uses: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for names in wanted.values():
        for name in set(names):
            uses[name.casefold()][name] += 1
    return {
        folded: min(spellings, key=lambda name: (-spellings[name], name))
        for folded, spellings in uses.items()
    }
