"""What lies on each cell of a scene, as small hashable values; the same for every game."""

from __future__ import annotations

import enum
import math
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple

from renderers.geometry import Geometry
from renderers.scene import Scene

DOT: Final = -1


class Last(enum.IntEnum):
    """The last move's trace on a cell."""

    NONE = 0
    LEFT = 1
    REACHED = 2
    ADDED = 3
    REMOVED = 4


class CellLook(NamedTuple):
    """Everything that is to be seen on one cell.

    *bars* has the bit d set if the neighbour in direction d holds a piece of the same side. *owner* is the side whose
    piece left or was removed. *hint* is 0 for none, `DOT` for a dot, n for the number n. *barred* is True where nothing
    may be chosen. *badge* is a region's number where it is written.
    """

    side: int = 0
    bars: int = 0
    faded: bool = False
    outlined: bool = False
    last: Last = Last.NONE
    owner: int = 0
    selected: bool = False
    hint: int = 0
    region: int = 0
    badge: int = 0
    barred: bool = False


@dataclass(slots=True)
class _Marks:
    outlined: bool = False
    last: Last = Last.NONE
    owner: int = 0
    selected: bool = False
    hint: int = 0
    region: int = 0
    badge: int = 0
    barred: bool = False


def looks(scene: Scene, geometry: Geometry) -> dict[str, CellLook]:
    """The look of each cell on which there is anything to see.

    :raises KeyError: if the scene names a cell that the board does not have.
    """
    sides = dict.fromkeys(scene.first, 1) | dict.fromkeys(scene.second, 2)
    marks = _marks(scene, sides, geometry)
    bare = _Marks()
    result: dict[str, CellLook] = {}
    for cell in [*sides, *(cell for cell in marks if cell not in sides)]:
        neighbours = geometry.neighbours[cell]
        side = sides.get(cell, 0)
        faded = side != 0 and side == scene.beaten
        bars = 0
        if side and not faded:
            for d, other in enumerate(neighbours):
                if other is not None and sides.get(other) == side:
                    bars |= 1 << d
        m = marks.get(cell, bare)
        result[cell] = CellLook(
            side, bars, faded, m.outlined, m.last, m.owner, m.selected, m.hint, m.region, m.badge, m.barred
        )
    return result


def trails(scene: Scene, geometry: Geometry) -> list[tuple[str, str]]:
    """The ways to draw, from cell to cell: from each place that was left empty to the first goal on that way.

    Pieces that moved one behind the other share one trail, that of the foremost. A piece that moved alone has its trail
    even if another stands on its old place.
    """
    taken = {*scene.first, *scene.second}
    goals = [goal for _, goal in scene.moved]
    left = [cell for cell, _ in scene.moved if cell not in taken or len(scene.moved) == 1]
    found = []
    for start, goal in scene.moved:
        if start == goal or start not in left:
            continue
        way = _on_the_way(start, goal, {*goals, *left}, geometry)
        if way[0] not in left:
            found.append((start, way[0]))
    return found


def _on_the_way(start: str, goal: str, cells: Iterable[str], geometry: Geometry) -> list[str]:
    """Which of *cells* lie on the straight way from *start* to *goal*, the nearest first; the goal is the last."""
    (x0, y0), (x1, y1) = geometry.middle(start), geometry.middle(goal)
    length = math.hypot(x1 - x0, y1 - y0)
    distances = {}
    for cell in cells:
        x, y = geometry.middle(cell)
        along = ((x - x0) * (x1 - x0) + (y - y0) * (y1 - y0)) / length
        aside = ((x - x0) * (y1 - y0) - (y - y0) * (x1 - x0)) / length
        if abs(aside) < geometry.pitch / 4 and 0 < along < length:
            distances[cell] = along
    return [*sorted(distances, key=distances.__getitem__), goal]


def _marks(scene: Scene, sides: Mapping[str, int], geometry: Geometry) -> dict[str, _Marks]:
    marks: defaultdict[str, _Marks] = defaultdict(_Marks)
    for number, region in enumerate(scene.regions, start=1):
        for cell in region:
            marks[cell].region = number
        if region:
            marks[_badge_cell(region, sides, geometry)].badge = number
    for left, _ in scene.moved:
        if left not in sides:
            marks[left].last, marks[left].owner = Last.LEFT, scene.mover
    for cell in scene.removed:
        if cell not in sides:
            marks[cell].last, marks[cell].owner = Last.REMOVED, 3 - scene.mover if scene.mover else 0
    for cell in scene.added:
        marks[cell].last = Last.ADDED
    for _, reached in scene.moved:
        marks[reached].last = Last.REACHED
    for cell in scene.winners:
        marks[cell].outlined = True
    for cell in scene.selected:
        marks[cell].selected = True
    for cell in scene.barred:
        marks[cell].barred = True
    for cell in scene.dots:
        marks[cell].hint, marks[cell].barred = DOT, False
    for number, cell in enumerate(scene.numbered, start=1):
        marks[cell].hint, marks[cell].barred = number, False
    return marks


def _badge_cell(region: tuple[str, ...], sides: Mapping[str, int], geometry: Geometry) -> str:
    """The free cell of *region* nearest to its middle; a taken one if none is free."""
    middles = {cell: geometry.middle(cell) for cell in region}
    x = sum(m[0] for m in middles.values()) / len(middles)
    y = sum(m[1] for m in middles.values()) / len(middles)
    return min(
        region, key=lambda cell: (cell in sides, (middles[cell][0] - x) ** 2 + (middles[cell][1] - y) ** 2, cell)
    )
