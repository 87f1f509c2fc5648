"""Bare line ends as the paragraphs that WordPress makes of them when it shows a post.

The rules are those of its `wpautop`: an empty line parts paragraphs, a line end is a break, and
neither counts beside an element that is a block of its own, or inside code.
"""

from __future__ import annotations

import re

_BLOCK_NAMES = """
    table thead tfoot caption col colgroup tbody tr td th div dl dd dt ul ol li pre form map area
    blockquote address style p h[1-6] hr fieldset legend section article aside hgroup header footer
    nav figure figcaption details menu summary
"""
_BLOCKS = f"(?:{'|'.join(_BLOCK_NAMES.split())})"
_HELD = re.compile(
    r"<(?P<tag>pre|script|style|textarea|figure)\b[^<>]*>.*?</(?P=tag)\s*>",
    re.DOTALL | re.IGNORECASE,
)
_PARTED_TAG = re.compile(r"<[/a-zA-Z!][^<>\n]*\n[^<>]*>")
_HOLDER = re.compile("\ue002([0-9]+)\ue003")
_OPENS = re.compile(rf"(<{_BLOCKS}(?:[\s/][^<>]*)?>)", re.IGNORECASE)
_CLOSES = re.compile(rf"(</{_BLOCKS}\s*>|<hr\b[^<>]*>|\ue002[0-9]+\ue003)", re.IGNORECASE)
_ANY = rf"</?{_BLOCKS}(?:[\s/][^<>]*)?>"
_ENDS_IN_BLOCK = re.compile(rf"{_ANY}\s*\Z", re.IGNORECASE)
_BEGINS_WITH_BLOCK = re.compile(_ANY, re.IGNORECASE)
_BREAK = "<br />"

_HELD_TAGS = re.compile(r"<(?P<close>/)?(?:pre|script|style|textarea|figure)\b", re.IGNORECASE)
MOST_WORK = 20_000_000
"""So many signs at most are searched for ends that are not there; no real post comes near."""


def unclosed(marks: re.Pattern[str], text: str) -> int:
    """How many of these marks have no end behind them: for each, all the rest is searched."""
    opened = 0
    for found in marks.finditer(text):
        opened += 1 if not found["close"] else -(opened > 0)
    return opened


def paragraphs(text: str) -> str:
    """The text with a `<p>` for each paragraph and a `<br />` for each other line end."""
    held: list[str] = []

    def hold(found: re.Match[str]) -> str:
        held.append(found[0])
        return f"\ue002{len(held) - 1}\ue003"

    text = re.sub("[\ue002\ue003]", "", text)
    if unclosed(_HELD_TAGS, text) * len(text) < MOST_WORK:
        text = _HELD.sub(hold, text)
    text = _PARTED_TAG.sub(lambda found: found[0].replace("\n", " "), text)
    text = re.sub(r"<br\s*/?>\s*<br\s*/?>", "\n\n", text)
    text = _OPENS.sub(r"\n\n\1", re.sub(r"(\ue002)", r"\n\n\1", text))
    text = _CLOSES.sub(r"\1\n\n", text)
    parts = (part.strip("\n") for part in re.split(r"\n\s*\n", text))
    text = "\n".join(f"<p>{part}</p>" for part in parts if part.strip())
    text = _broken(_without_empty(text))
    return _HOLDER.sub(lambda found: held[int(found[1])], text)


def _without_empty(text: str) -> str:
    """Paragraphs only where words stand, never round a block."""
    text = re.sub(r"<p>\s*(\ue002[0-9]+\ue003)\s*</p>", r"\1", text)
    text = re.sub(rf"<p>\s*({_ANY})\s*</p>", r"\1", text, flags=re.IGNORECASE)
    text = re.sub(r"<p>([^<]+)</(div|address|form)>", r"<p>\1</p></\2>", text)
    text = re.sub(r"<p><blockquote([^<>]*)>", r"<blockquote\1><p>", text, flags=re.IGNORECASE)
    text = text.replace("</blockquote></p>", "</p></blockquote>")
    text = re.sub(rf"<p>\s*({_ANY})", r"\1", text, flags=re.IGNORECASE)
    return re.sub(rf"({_ANY})\s*</p>", r"\1", text, flags=re.IGNORECASE)


def _broken(text: str) -> str:
    """Line ends inside paragraphs as breaks."""
    text = re.sub(r"<br\s*/?>", _BREAK, text)
    lines = text.split("\n")
    for place, line in enumerate(lines[:-1]):
        after = lines[place + 1].lstrip()
        if line.endswith((_BREAK, "\ue003")) or after.startswith("\ue002"):
            continue
        if line.rstrip().endswith(">") and _ENDS_IN_BLOCK.search(line):
            continue
        if after.startswith("<") and _BEGINS_WITH_BLOCK.match(after):
            continue
        lines[place] = line.rstrip() + _BREAK
    return "\n".join(lines)
