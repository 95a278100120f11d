"""Where everything lies, in whole pixels: square and hexagonal boards below a header with two cards.

A *tile* is the rectangle of pixels that belongs to one cell. The middle of a tile is exact: square tiles have an odd
side (the middle is a pixel), hexagonal ones even sides (the middle lies between pixels), so what is drawn on one cell
looks the same on every other.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final, TypeAlias

Point: TypeAlias = tuple[float, float]
Box: TypeAlias = tuple[int, int, int, int]  # left, top, right, bottom; right and bottom not included

POSTED_WIDTH: Final = 1000
MIN_WIDTH: Final = 200
MAX_SIDE: Final = 1280

SQUARE_DIRECTIONS: Final = ((1.0, 0.0), (0.0, -1.0), (-1.0, 0.0), (0.0, 1.0))  # E N W S on the screen
HEX_DIRECTIONS: Final = tuple((math.cos(math.radians(a)), -math.sin(math.radians(a))) for a in range(0, 360, 60))


@dataclass(frozen=True, slots=True)
class Coordinate:
    """A row's or column's name beside the board, by its middle."""

    text: str
    middle: Point


@dataclass(frozen=True)
class Geometry:
    """One board at one width.

    *tiles* gives each cell's left upper pixel, *kinds* what distinguishes the bare ground there (cells of one kind look
    the same but for their names), *neighbours* the cells next to it, in the order of `SQUARE_DIRECTIONS` or
    `HEX_DIRECTIONS` (None beyond the edge).
    """

    width: int
    height: int
    header: int
    pitch: int
    tile: tuple[int, int]
    tiles: Mapping[str, tuple[int, int]]
    kinds: Mapping[str, int]
    neighbours: Mapping[str, tuple[str | None, ...]]
    frame: Box
    coordinates: tuple[Coordinate, ...]
    coordinate_size: int
    hexagonal: bool = False

    def middle(self, cell: str) -> Point:
        """The exact middle of *cell* (pixel edges, not pixel middles, have whole numbers).

        :raises KeyError: if the board has no such cell.
        """
        left, top = self.tiles[cell]
        return left + self.tile[0] / 2, top + self.tile[1] / 2

    def length(self, thousandths: float) -> int:
        """*thousandths* of the width, in whole pixels."""
        return round(self.width * thousandths / POSTED_WIDTH)

    @cached_property
    def radius(self) -> float:
        """The distance from a hexagon's middle to its corners, in pixels."""
        return self.tile[0] / math.sqrt(3)


def check_width(width: int) -> None:
    """Accept an even number of pixels within the limits.

    :raises ValueError: if *width* is anything else.
    """
    if width % 2 or not MIN_WIDTH <= width <= MAX_SIDE:
        raise ValueError(f"width {width} is not an even number from {MIN_WIDTH} to {MAX_SIDE}")


def square(size: int, width: int, *, flipped: bool = False) -> Geometry:
    """The points of a *size* x *size* grid; columns a, b, … from the left, rows 1, 2, … from the bottom."""
    px = _scale(width)
    margin, header = px(56), _even(px(136))
    inner = width - 2 * margin
    top = header + px(8)
    height = _even(top + inner + margin)
    pitch = _odd(int(inner / (size + 0.28)))
    left0, top0 = margin + (inner - pitch * size) // 2, top + (inner - pitch * size) // 2
    names = {(x, y): f"{chr(97 + x)}{y + 1}" for y in range(size) for x in range(size)}
    tiles, kinds = {}, {}
    for (x, y), name in names.items():
        column, row = (size - 1 - x, y) if flipped else (x, size - 1 - y)
        tiles[name] = left0 + column * pitch, top0 + row * pitch
        kinds[name] = (column == 0) + 2 * (column == size - 1) + 4 * (row == 0) + 8 * (row == size - 1)
        if column == row == size // 2:
            kinds[name] = 16
    coordinates = []
    half = pitch / 2
    for i in range(size):
        y_middle = tiles[names[0, i]][1] + half
        coordinates += [Coordinate(str(i + 1), (x, y_middle)) for x in (margin / 2, width - margin / 2)]
        coordinates.append(Coordinate(chr(97 + i), (tiles[names[i, 0]][0] + half, (top + inner + height) / 2 - px(1))))
    return Geometry(
        width=width,
        height=height,
        header=header,
        pitch=pitch,
        tile=(pitch, pitch),
        tiles=tiles,
        kinds=kinds,
        neighbours=_neighbours(tiles, [(pitch, 0), (0, -pitch), (-pitch, 0), (0, pitch)]),
        frame=(margin, top, width - margin, top + inner),
        coordinates=tuple(coordinates),
        coordinate_size=px(34 if size <= 13 else 31),
    )


def hexagon(edge: int, width: int, holes: Iterable[str] = (), *, flipped: bool = False) -> Geometry:
    """A hexagonal board of *edge* without *holes*; rows a, b, … from the bottom, cells 1, 2, … from the left."""
    px = _scale(width)
    rows = 2 * edge - 1
    pitch = 2 * int((width - 2 * px(40)) / rows / 2)
    row_pitch = round(pitch * math.sqrt(3) / 2)
    radius = pitch / math.sqrt(3)
    header = _even(px(136))
    middle_x, middle_y = width // 2, header + px(24) + math.ceil(radius) + row_pitch * (edge - 1)
    tile = pitch, 2 * math.ceil(radius) + 2
    missing, step = set(holes), pitch // 2
    tiles, coordinates = {}, []
    for row in range(rows):
        count = rows - abs(edge - 1 - row)
        for i in range(count):
            x, y = (2 * i - count + 1) * step, (edge - 1 - row) * row_pitch
            if flipped:
                x, y = -x, -y
            if (name := f"{chr(97 + row)}{i + 1}") not in missing:
                tiles[name] = middle_x + x - step, middle_y + y - tile[1] // 2
        corner = row in (0, edge - 1, rows - 1)
        distance = (count + (1.0 if not corner else 0.16)) * step
        y_middle = middle_y + (row - edge + 1 if flipped else edge - 1 - row) * row_pitch
        coordinates.append(Coordinate(chr(97 + row), (middle_x - distance, float(y_middle))))
    bottom = middle_y + row_pitch * (edge - 1) + math.ceil(radius)
    steps = [(pitch, 0), (step, -row_pitch), (-step, -row_pitch), (-pitch, 0), (-step, row_pitch), (step, row_pitch)]
    return Geometry(
        width=width,
        height=_even(bottom + px(28)),
        header=header,
        pitch=pitch,
        tile=tile,
        tiles=tiles,
        kinds=dict.fromkeys(tiles, 0),
        neighbours=_neighbours(tiles, steps),
        frame=(0, header, width, bottom),
        coordinates=tuple(coordinates),
        coordinate_size=px(34),
        hexagonal=True,
    )


class _Scale:
    """Thousandths of a width as whole pixels."""

    def __init__(self, width: int) -> None:
        self._width = width

    def __call__(self, thousandths: float) -> int:
        return round(self._width * thousandths / POSTED_WIDTH)


def _scale(width: int) -> _Scale:
    check_width(width)
    return _Scale(width)


def _even(value: int) -> int:
    return value + value % 2


def _odd(value: int) -> int:
    return value - 1 + value % 2


def _neighbours(
    tiles: Mapping[str, tuple[int, int]], steps: list[tuple[int, int]]
) -> Mapping[str, tuple[str | None, ...]]:
    at = {place: name for name, place in tiles.items()}
    return {name: tuple(at.get((x + dx, y + dy)) for dx, dy in steps) for name, (x, y) in tiles.items()}
