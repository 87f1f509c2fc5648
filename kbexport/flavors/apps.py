"""The small files of the apps that a new vault ships. Contents: `formats.md`, sections 2 and 3."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

LOGSEQ_CONFIG = """\
{:meta/version 1
 :preferred-format :markdown
 :file/name-format :triple-lowbar
 :hidden []
 :feature/enable-journals? false
 :feature/enable-whiteboards? false
 :default-home {:page "Home"}
 :property-pages/enabled? false
 :block-hidden-properties #{:kbexport}
 :block/content-max-length 1000000
 :favorites ["Home"]}
"""

GIT_IGNORE = """\
.obsidian/workspace*.json
.trash/
logseq/bak/
logseq/.recycle/
logseq/version-files/
.DS_Store
"""

TYPES = {
    "title": "text",
    "date": "datetime",
    "reads": "number",
    "tags": "tags",
    "series": "text",
    "ordinal": "number",
    "prev": "text",
    "next": "text",
    "related": "multitext",
    "aliases": "aliases",
    "author": "text",
    "column": "text",
    "kind": "text",
    "pinned": "checkbox",
    "url": "text",
    "kbexport": "text",
}
"""The type of each property in Obsidian."""

APP = {"newLinkFormat": "shortest", "alwaysUpdateLinks": True, "attachmentFolderPath": "assets"}

GRAPH = {
    "colorGroups": [{"query": 'path:"columns/"', "color": {"a": 1, "rgb": 14724096}}],
    "showTags": False,
    "hideUnresolved": True,
}


def obsidian_files(
    *, link_type: str, has_times: bool, settings: Mapping[str, Any]
) -> dict[str, str]:
    """Obsidian's files: ``link_type`` is the type of single links, ``settings`` go to the app."""
    types = {
        **TYPES,
        **dict.fromkeys(("series", "prev", "next"), link_type),
        "date": "datetime" if has_times else "date",
    }
    return {
        ".obsidian/app.json": _json({**APP, **settings}),
        ".obsidian/types.json": _json({"types": types}),
        ".obsidian/graph.json": _json(GRAPH),
        ".gitignore": GIT_IGNORE,
    }


def _json(content: Mapping[str, Any]) -> str:
    return json.dumps(content, ensure_ascii=False, indent=2) + "\n"
