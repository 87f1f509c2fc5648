"""Formulas in Markdown: what is one, and that it neither links nor tags in any reader."""

from __future__ import annotations

import re

_FORMULA = re.compile(
    r"\$\$(?P<display>(?:[^$\\\n`]|\\[^\n])+)\$\$"
    r"|\$(?![\s$])(?P<inline>(?:[^$\\\n`]|\\[^\n])+)(?<!\s)\$(?![0-9A-Za-z$])"
)
ACTIVE_TEX = re.compile(
    r"\\(?:href|url|html\w*|includegraphics|require|style|class|cssId)\b|<%|`\s*\$?="
)
"""TeX that links, loads or styles something, or that a reader of Markdown runs as inline code."""


def formula_at(text: str, at: int) -> str | None:
    """The formula that begins at a place of the text, with its dollar signs, if one does."""
    found = _FORMULA.match(text, at)
    tex = found["display"] or found["inline"] if found else ""
    if not found or ACTIVE_TEX.search(tex) or re.search(r"\\[\])]", tex):
        return None
    return found[0]


def quiet_tex(tex: str) -> str:
    """A formula in which no reader of Markdown finds a wiki-link or a tag; TeX skips the spaces."""
    tex = re.sub(r"\[(?=\[)|<(?=[A-Za-z/!?%])", r"\g<0> ", tex)
    return re.sub(r"(?<![\\\w])#", r"\#", tex)
