"""`posts.base`: a table of all posts for Obsidian. Rules: `formats.md`, section 2, Bases.

It holds no word of a source, since filters and formulas run, and no number, since the table reads
the notes: so it changes with the language of the blog and the vault's folder alone.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import yaml

from kbexport.render.labels import Labels

COLUMNS = ("ordinal", "date", "reads", "series", "column", "author")
"""Properties that have a heading in the language of the blog."""


def table_text(labels: Labels, folder: str) -> str:
    """The table; ``folder`` is where the vault lies in that of the app, if it is not the same."""
    # Series, columns and Home carry ids of other kinds.
    filters = ['file.ext == "md"', 'file.hasProperty("kbexport")', 'kbexport.startsWith("p-")']
    if folder:
        filters.append(f"file.inFolder({json.dumps(folder, ensure_ascii=False)})")
    content = {
        "filters": {"and": filters},
        "properties": {
            "file.name": {"displayName": labels.post},
            **{f"note.{name}": {"displayName": labels.properties[name]} for name in COLUMNS},
            "file.tags": {"displayName": labels.properties["tags"]},
        },
        "views": _views(labels),
    }
    return yaml.safe_dump(content, allow_unicode=True, sort_keys=False, width=1000)


def _views(labels: Labels) -> list[dict[str, Any]]:
    by_series, by_date, by_reads, by_column = labels.views
    rest = ("note.date", "note.reads", "file.tags")
    return [
        _view(by_series, "series", ("note.ordinal", *rest), ["+ordinal", "+date"], grouped=True),
        _view(by_date, "date", ("note.date", "note.series", "note.reads", "file.tags"), ["-date"]),
        _view(by_reads, "reads", ("note.reads", "note.date", "note.series"), ["-reads", "-date"]),
        _view(by_column, "column", ("note.series", *rest), ["-date"], grouped=True),
    ]


def _view(
    name: str, needed: str, shown: Sequence[str], sort: Sequence[str], *, grouped: bool = False
) -> dict[str, Any]:
    """A table of the posts that have a property, perhaps grouped by it."""
    # Of a list by date no post is left out.
    has = f'file.hasProperty("{needed}")'
    filters = {"filters": {"and": [has]}} if needed != "date" else {}
    group = {"groupBy": {"property": f"note.{needed}", "direction": "ASC"}} if grouped else {}
    return {
        "type": "table",
        "name": name,
        **filters,
        **group,
        "order": ["file.name", *shown],
        "sort": [
            {"property": f"note.{key[1:]}", "direction": "ASC" if key[0] == "+" else "DESC"}
            for key in sort
        ],
    }
