"""`series.canvas`: a map of the series. JSON Canvas 1.0; `formats.md`, section 2.

It names notes by their paths, and groups by what is left of a name in a file's: there is no text
node, so no word of a source is read as Markdown.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import ceil, sqrt
from typing import Any

from kbexport.catalog import Catalog, CatalogSeries
from kbexport.naming import Names, portable_name
from kbexport.render.layout import arrange
from kbexport.render.linking import Linker

PARTS_THAT_FIT = 150
"""So many parts can be looked at on one map; of a bigger blog it shows the series alone."""
NEAREST = 3
"""So many of the nearest series each one is tied to; on the map of a bigger blog to one alone.

A hundred series with three lines each are a tangle; their notes name all of them.
"""

CARD = (320, 80)
"""Width and height of a part: its name can be read, and its text looks in."""
PITCH = (CARD[0] + 60, CARD[1] + 60)
"""From one part to the next: Obsidian writes the name of a note above its card."""
EDGE = 40
"""Between a group and what is in it."""
COVER = (380, 220)
"""Width and height of the note of a series, where it stands for its parts."""
WIDE = 1.5
"""The width of a group by its height, about."""
RELATED_COLOR = "5"

Item = dict[str, Any]


@dataclass(frozen=True)
class _Box:
    """A series on the map: its size, and its nodes from (0, 0) on."""

    width: int
    height: int
    nodes: tuple[Item, ...]


def canvas_text(catalog: Catalog, linker: Linker, names: Names, folder: str) -> str | None:
    """The map; None where there is no series. ``folder`` is that of the vault in the app's."""
    prefix = f"{folder}/" if folder else ""
    paths = {uid: prefix + path for uid, path in names.paths.items() if path}
    entries = {entry.uid: entry for entry in catalog.series}
    whole = sum(len(entry.series.parts) for entry in entries.values()) <= PARTS_THAT_FIT
    boxes = {uid: _box(entry, paths, whole=whole) for uid, entry in entries.items()}
    related = _related(entries.values(), linker, NEAREST if whole else 1)
    places = arrange({uid: (box.width, box.height) for uid, box in boxes.items()}, _ties(related))
    nodes = [
        {**node, "x": node["x"] + places[uid][0], "y": node["y"] + places[uid][1]}
        for uid in sorted(boxes)
        for node in boxes[uid].nodes
    ]
    edges = [edge for uid in sorted(entries) for edge in _steps(entries[uid], paths) if whole]
    edges += [_relation(pair, places, boxes) for pair in related]
    return _document(nodes, edges) if nodes else None


def _box(entry: CatalogSeries, paths: Mapping[str, str], *, whole: bool) -> _Box:
    """A series as the group of its parts, or as its note."""
    name = portable_name(entry.series.name)
    if not whole:
        return _Box(*COVER, (_node(entry.uid, (0, 0), COVER, paths.get(entry.uid), name),))
    parts = [part.uid for part in entry.series.parts if part.uid in paths]
    rows, columns = _grid(len(parts))
    width = 2 * EDGE + columns * PITCH[0] - (PITCH[0] - CARD[0])
    inside = []
    top = EDGE
    if entry.uid in paths:
        cover = (width - 2 * EDGE, CARD[1])
        inside.append(_node(f"{entry.uid}-note", (EDGE, top), cover, paths[entry.uid], name))
        top += PITCH[1]
    for at, uid in enumerate(parts):
        corner = (EDGE + at // rows * PITCH[0], top + at % rows * PITCH[1])
        inside.append(_node(uid, corner, CARD, paths[uid], ""))
    height = top + rows * PITCH[1] - (PITCH[1] - CARD[1]) + EDGE
    return _Box(width, height, (_node(entry.uid, (0, 0), (width, height), None, name), *inside))


def _grid(count: int) -> tuple[int, int]:
    """Rows and columns of so many parts, read from the top down."""
    columns = max(1, round(sqrt(count * PITCH[1] / PITCH[0] * WIDE)))
    rows = ceil(count / columns)
    return rows, ceil(count / rows) if rows else 1


def _node(
    uid: str, corner: tuple[int, int], size: tuple[int, int], path: str | None, name: str
) -> Item:
    """A note; where it has none, as its owner deleted it, a group of its name."""
    shown = {"type": "file", "file": path} if path else {"type": "group", "label": name}
    x, y = corner
    return {"id": uid, "x": x, "y": y, "width": size[0], "height": size[1], **shown}


def _steps(entry: CatalogSeries, paths: Mapping[str, str]) -> list[Item]:
    """An arrow from each part to the next one."""
    parts = [part.uid for part in entry.series.parts if part.uid in paths]
    rows, _ = _grid(len(parts))
    return [
        {
            "id": f"{one}-{other}",
            "fromNode": one,
            "fromSide": "bottom" if at % rows else "right",
            "toNode": other,
            "toSide": "top" if at % rows else "left",
        }
        for at, (one, other) in enumerate(pairwise(parts), start=1)
    ]


def _related(entries: Iterable[CatalogSeries], linker: Linker, most: int) -> list[tuple[str, str]]:
    """Each pair of series that is related, once."""
    pairs = {
        (min(entry.uid, other), max(entry.uid, other))
        for entry in entries
        for other in linker.related(entry)[:most]
    }
    return sorted(pairs)


def _ties(pairs: Sequence[tuple[str, str]]) -> dict[str, list[str]]:
    ties: dict[str, list[str]] = {}
    for one, other in pairs:
        ties.setdefault(one, []).append(other)
        ties.setdefault(other, []).append(one)
    return ties


def _relation(
    pair: tuple[str, str], places: Mapping[str, tuple[int, int]], boxes: Mapping[str, _Box]
) -> Item:
    """A line without arrows, between the sides that face each other."""
    (x, y), (other_x, other_y) = (places[uid] for uid in pair)
    one, other = (boxes[uid] for uid in pair)
    aside = max(other_x - x - one.width, x - other_x - other.width)
    below = max(other_y - y - one.height, y - other_y - other.height)
    if aside >= below:
        sides = ("right", "left") if x < other_x else ("left", "right")
    else:
        sides = ("bottom", "top") if y < other_y else ("top", "bottom")
    return {
        "id": "-".join(pair),
        "fromNode": pair[0],
        "fromSide": sides[0],
        "toNode": pair[1],
        "toSide": sides[1],
        "toEnd": "none",
        "color": RELATED_COLOR,
    }


def _document(nodes: Sequence[Item], edges: Sequence[Item]) -> str:
    """The file in the form in which Obsidian itself writes it: one line a node or edge."""
    written = {"nodes": nodes, "edges": edges}
    lists = []
    for kind, items in written.items():
        lines = ",\n".join(f"\t\t{_json(item)}" for item in items)
        lists.append(f'\t"{kind}":[\n{lines}\n\t]' if items else f'\t"{kind}":[]')
    return "{\n" + ",\n".join(lists) + "\n}\n"


def _json(item: Item) -> str:
    return json.dumps(item, ensure_ascii=False, separators=(",", ":"))
