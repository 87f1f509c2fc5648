"""Bases and canvases that Obsidian cannot read, or that show files which are not there.

Rules: `formats.md`, section 2 (Bases, Canvas).
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from kbexport.check.findings import Finding, Severity
from kbexport.check.front import read_front
from kbexport.check.vault import Checked


def check_boards(vault: Checked) -> Iterator[Finding]:
    """Every `.base` and `.canvas` of a vault."""
    for path, text in vault.boards.items():
        if path.lower().endswith(".base"):
            front = read_front(text, 1)
            if front.problem:
                message = f"Obsidian cannot read it: {front.problem}"
                yield Finding(path, front.problem_line, "base", message, "", Severity.ERROR)
        else:
            yield from _canvas(path, text, vault)


def _canvas(path: str, text: str, vault: Checked) -> Iterator[Finding]:
    try:
        canvas = json.loads(text or "{}")
    except (ValueError, RecursionError) as error:
        line = getattr(error, "lineno", 0)
        message = "Obsidian cannot read it: it is not JSON"
        yield Finding(path, line, "canvas", message, "", Severity.ERROR)
        return
    nodes = canvas.get("nodes", []) if isinstance(canvas, dict) else None
    if not isinstance(nodes, list):
        message = "Obsidian cannot read it: it has no list of nodes"
        yield Finding(path, 0, "canvas", message, "", Severity.ERROR)
        return
    for node in nodes:
        file = node.get("file") if isinstance(node, dict) else None
        if isinstance(file, str) and not vault.has(file):
            message = f"shows {file}, which is not there"
            yield Finding(path, 0, "missing-embed", message)
