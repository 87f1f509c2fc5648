"""Markdown read again: what of an article is still there, kind by kind."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator

from markdown_it import MarkdownIt
from markdown_it.token import Token

KINDS = ("text", "headings", "items", "code", "cells", "links", "images", "formulas", "notes")
"""What is compared; `noise` is the share of words that nobody wrote."""

READER = MarkdownIt("commonmark").enable(["table", "strikethrough"])
FORMULA = re.compile(r"(?<!\\)(\$\$?)((?:[^$\\`]|\\.)+?)\1")
REFERENCE = re.compile(r"\[\^(\w+)\](?!:)")
DEFINITION = re.compile(r"^[ >]*\[\^(\w+)\]: ?", re.MULTILINE)
WORD = re.compile(r"[A-Za-z0-9]+|[^\sA-Za-z0-9]")
Facts = dict[str, list[str]]


def words(text: str) -> list[str]:
    """Words of Latin letters, and each other sign by itself; stars do not count."""
    return WORD.findall(re.sub("[\u200b\ufeff•*_`]", " ", text))


def on_one_line(text: str) -> str:
    """Text by which two places are compared: white space and invisible signs do not count."""
    return "".join(re.sub("[\u200b\ufeff]", "", text).split())


def shown(tokens: Iterable[Token]) -> str:
    """The words that inline tokens show."""
    parts = []
    for token in tokens:
        if token.type in ("softbreak", "hardbreak", "html_inline"):
            parts.append(" " if "br" in token.type + token.content else "")
        elif token.type != "image":
            parts.append(token.content)
    return "".join(parts)


def read(markdown: str) -> Facts:
    """What a CommonMark reader with tables finds in a text, by kind."""
    facts: Facts = {kind: [] for kind in (*KINDS, "shown")}
    facts["notes"] = REFERENCE.findall(markdown) + DEFINITION.findall(markdown)
    held: list[str] = []

    def hold(found: re.Match[str]) -> str:
        held.append(found[2])
        return f"\ue000{len(held) - 1}\ue001"

    fences = re.split(
        r"^((?:[ >]*)(`{3,}|~{3,})[^\n]*\n(?s:.*?)\n[ >]*\2 *$)", markdown, flags=re.MULTILINE
    )
    prose = [FORMULA.sub(hold, part) for part in fences[::3]]
    facts["formulas"] = ["".join(tex.split()) for tex in held]
    text = "".join(a + b for a, b in zip(prose, [*fences[1::3], ""], strict=False))
    text = DEFINITION.sub(lambda found: found[0].replace(f"[^{found[1]}]: ", ""), text)
    text = REFERENCE.sub("", text)
    _walk(READER.parse(text), facts)
    return facts


def _walk(tokens: list[Token], facts: Facts) -> None:
    open_kinds: list[str] = []
    for token in tokens:
        if token.type in ("fence", "code_block"):
            facts["code"].append(token.content.removesuffix("\n"))
        elif token.type.endswith("_open"):
            open_kinds.append(token.type)
            if token.type == "list_item_open":
                facts["items"].append("")
        elif token.type.endswith("_close"):
            open_kinds.pop()
        elif token.type == "inline":
            _inline(token, open_kinds, facts)
        elif token.type == "html_block":
            facts["text"] += words(re.sub(r"<[^>]*>", " ", token.content))


def _inline(token: Token, open_kinds: list[str], facts: Facts) -> None:
    children = token.children or []
    text = re.sub("\ue000\\d+\ue001", "", shown(children))
    facts["text"] += words(text)
    facts["shown"].append(text)
    if open_kinds[-1] == "heading_open":
        facts["headings"].append(f"{on_one_line(text)}")
    elif open_kinds[-1] in ("th_open", "td_open"):
        facts["cells"].append(on_one_line(text))
    elif "list_item_open" in open_kinds:
        facts["items"][-1] += on_one_line(text)
    facts["images"] += [str(child.attrGet("src")) for child in children if child.type == "image"]
    facts["links"] += list(_links(children))


def _links(children: list[Token]) -> Iterator[str]:
    for place, child in enumerate(children):
        if child.type == "link_open":
            end = next(n for n in range(place, len(children)) if children[n].type == "link_close")
            text = on_one_line(shown(children[place:end]))
            if text:  # else it is round a picture
                yield f"{child.attrGet('href')} {text}"


def kept(wanted: Facts, found: Facts) -> dict[str, tuple[int, int]]:
    """For each kind how many of the facts are there, and how many there should be."""
    score = {}
    for kind in KINDS:
        there = Counter(found[kind])
        there &= Counter(wanted[kind])
        score[kind] = (there.total(), len(wanted[kind]))
    extra = Counter(found["text"]) - Counter(wanted["text"])
    total = len(found["text"])
    score["no noise"] = (total - extra.total(), total)
    return score
