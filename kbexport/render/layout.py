"""Where the boxes of a map lie: related ones near each other, none over another one.

The same boxes and ties give the same map, whatever their order.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import sqrt

Cell = tuple[int, int]
"""Column and row."""
Size = tuple[int, int]
Ties = Mapping[str, Sequence[str]]
"""For each box those that it belongs beside; mutual."""

GAP = 120
"""Between two boxes, so that lines between them can be followed."""
SHAPE = 1.6
"""The width of the map by its height, about that of a screen."""


@dataclass(frozen=True)
class _Block:
    """Boxes that are tied together, placed from (0, 0) on."""

    places: Mapping[str, Cell]
    width: int
    height: int


def arrange(sizes: Mapping[str, Size], ties: Ties) -> dict[str, Cell]:
    """The upper left corner of each box."""
    blocks = [_block(_cells(part, ties, sizes), sizes) for part in _components(sizes, ties)]
    area = sum((block.width + GAP) * (block.height + GAP) for block in blocks)
    limit = max([int(sqrt(area * SHAPE)), *(block.width for block in blocks)], default=0)
    places: dict[str, Cell] = {}
    left = top = tallest = 0
    # Tall ones first, so that those of one row are about as tall as each other.
    for block in sorted(blocks, key=lambda one: (-one.height, -one.width, min(one.places))):
        if left and left + block.width > limit:
            left, top, tallest = 0, top + tallest + GAP, 0
        places |= {uid: (left + x, top + y) for uid, (x, y) in block.places.items()}
        left += block.width + GAP
        tallest = max(tallest, block.height)
    return places


def _components(uids: Iterable[str], ties: Ties) -> list[list[str]]:
    """The boxes that are tied together, directly or through others."""
    left = set(uids)
    found = []
    for uid in sorted(left):
        if uid not in left:
            continue
        left.remove(uid)
        inside = [uid]
        for one in inside:
            near = sorted(left.intersection(ties.get(one, ())))
            inside += near
            left.difference_update(near)
        found.append(inside)
    return found


def _cells(uids: Sequence[str], ties: Ties, sizes: Mapping[str, Size]) -> dict[str, Cell]:
    """A cell of a grid for each box: the one with most ties first, each next one beside its own."""
    wide = sum(sizes[uid][0] + GAP for uid in uids)
    high = sum(sizes[uid][1] + GAP for uid in uids)
    stretch = wide / high / SHAPE  # how much farther a step to the side is than one down
    cells: dict[str, Cell] = {}
    waiting = set(uids)
    while waiting:
        uid = min(waiting, key=lambda one: (*_claim(one, ties, cells), one))
        waiting.remove(uid)
        near = [cells[other] for other in ties.get(uid, ()) if other in cells]
        cells[uid] = min(_free(cells), key=lambda cell: (_distance(cell, near, stretch), cell))
    return cells


def _claim(uid: str, ties: Ties, cells: Mapping[str, Cell]) -> tuple[int, int]:
    tied = ties.get(uid, ())
    return -sum(other in cells for other in tied), -len(tied)


def _free(cells: Mapping[str, Cell]) -> set[Cell]:
    """The cells around those that are taken."""
    taken = set(cells.values())
    steps = tuple(product((-1, 0, 1), repeat=2))
    around = {(column + x, row + y) for column, row in taken for x, y in steps}
    return around - taken or {(0, 0)}


def _distance(cell: Cell, near: Iterable[Cell], stretch: float) -> float:
    """How far a cell is from those that its box is tied to, and a little from the middle."""
    return 0.05 * _between(cell, (0, 0), stretch) + sum(
        # A line along a row or a column would run over the boxes in between.
        _between(cell, other, stretch)
        + 2 * (0 in _steps(cell, other) and max(_steps(cell, other)) > 1)
        for other in near
    )


def _steps(one: Cell, other: Cell) -> Cell:
    return abs(one[0] - other[0]), abs(one[1] - other[1])


def _between(one: Cell, other: Cell, stretch: float) -> float:
    aside, down = _steps(one, other)
    return sqrt((stretch * aside) ** 2 + down**2)


def _block(cells: Mapping[str, Cell], sizes: Mapping[str, Size]) -> _Block:
    """Each box in the middle of its cell, which is as big as the biggest of its row and column."""
    starts: list[dict[int, int]] = []
    ends: list[int] = []
    extents: list[dict[int, int]] = []
    for axis in (0, 1):
        extent: dict[int, int] = {}
        for uid, cell in cells.items():
            extent[cell[axis]] = max(extent.get(cell[axis], 0), sizes[uid][axis])
        start: dict[int, int] = {}
        at = 0
        for index in sorted(extent):
            start[index] = at
            at += extent[index] + GAP
        starts.append(start)
        extents.append(extent)
        ends.append(at - GAP)
    places = {
        uid: (
            starts[0][column] + (extents[0][column] - sizes[uid][0]) // 2,
            starts[1][row] + (extents[1][row] - sizes[uid][1]) // 2,
        )
        for uid, (column, row) in cells.items()
    }
    return _Block(places, *ends)
