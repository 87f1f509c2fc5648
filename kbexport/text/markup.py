"""Inline Markdown of one line as plain text: links, escapes, emphasis."""

from __future__ import annotations

import html
import re
from dataclasses import dataclass

_TARGET = (
    r"\(\s*(?:<(?P<angle>[^<>\n]{0,2000})>|(?P<bare>(?:[^\s()\\<]|\\.|\((?:[^\s()\\]|\\.)*\))*))"
    r"(?:\s+(?:\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'))?\s*\)"
)
# Brackets in the text of a link are escaped, or come in pairs.
_LINK = re.compile(
    r"!?\[(?P<text>(?:[^\[\]\\]|\\.|\[(?:[^\[\]\\]|\\.)*\])*)\]"
    + _TARGET  # [text](address "title")
)
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")
_HELD = re.compile(
    r"\\(?P<sign>[!-/:-@\[-`{-~])|(?<!`)(?P<ticks>`+)(?!`)(?P<code>.+?)(?<!`)(?P=ticks)(?!`)"
)
_AUTOLINK = re.compile(r"<((?:https?|ftp|mailto):[^\s<>]{1,2000})>", re.IGNORECASE)
# `List<String>` in a title is no tag.
_TAG = re.compile(
    r"</?(?:a|abbr|b|big|br|center|code|del|em|font|i|ins|kbd|mark|s|small|span|strong|sub|sup|u)"
    r"(?:\s[^<>]{0,300})?/?>",
    re.IGNORECASE,
)
_EMPHASIS = re.compile(
    r"(?P<stars>\*{1,3})(?=[^\s*])(?P<starred>.+?)(?<=[^\s*])(?P=stars)(?!\*)"
    r"|(?<!\w)(?P<bars>_{1,3})(?=[^\s_])(?P<barred>.+?)(?<=[^\s_])(?P=bars)(?!\w)"
    r"|~~(?=\S)(?P<struck>.+?)(?<=\S)~~"
)
_ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z]\w{1,31});")
_DEEPEST = 6
_LONGEST = 2000


@dataclass(frozen=True)
class Link:
    """A link in Markdown."""

    text: str
    """What is shown, without escapes."""
    address: str
    """Where it leads."""


def links_alone(line: str) -> list[Link]:
    """The links of a line that holds nothing else; empty if it holds more, or none."""
    links, place = [], 0
    while place < len(line):
        found = _LINK.match(line, place)
        if not found or found[0].startswith("!"):
            return []
        address = found["bare"] if found["angle"] is None else found["angle"]
        links.append(Link(unescaped(found["text"]).strip(), unescaped(address)))
        place = found.end() + len(line[found.end() :]) - len(line[found.end() :].lstrip(" \t,、"))
    return links


def unescaped(text: str) -> str:
    r"""The text with `\[` as `[`."""
    return _ESCAPE.sub(r"\1", text)


def title_of_html(title: str) -> str:
    """The words of a title in HTML: tags of inline markup gone, entities decoded, once."""
    return html.unescape(_TAG.sub("", title))


def plain_line(line: str) -> str:
    """The words of a line of Markdown; what is no markup stays as it is."""
    held: list[str] = []

    def hold(text: str) -> str:
        held.append(text)
        return f"\ue000{len(held) - 1}\ue001"

    def hold_found(found: re.Match[str]) -> str:
        return hold(found["sign"] or found["code"].strip())

    if len(line) > _LONGEST:
        return line
    text = _HELD.sub(hold_found, re.sub("[\ue000\ue001]", "", line))
    text = _TAG.sub("", _AUTOLINK.sub(lambda found: hold(found[1]), text))
    for _ in range(_DEEPEST):
        text = _LINK.sub(lambda found: found["text"], text)
        text = _EMPHASIS.sub(
            lambda found: found["starred"] or found["barred"] or found["struck"], text
        )
    text = _ENTITY.sub(lambda found: html.unescape(found[0]), text)
    return re.sub("\ue000([0-9]+)\ue001", lambda found: held[int(found[1])], text)
