"""Where everything lies, in whole pixels: square and hexagonal boards below a header with two cards.

A *tile* is the rectangle of pixels that belongs to one cell. The middle of a tile is exact: square tiles have an odd
side (the middle is a pixel), hexagonal ones even sides (the middle lies between pixels), so what is drawn on one cell
looks the same on every other.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final, TypeAlias

from rules.board import ROW_HEIGHT, Board

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
    def models(self) -> Mapping[int, str]:
        """For each kind the cell that stands for all: the first of those with the most neighbours."""
        found: dict[int, str] = {}
        for cell in sorted(self.tiles, key=lambda cell: self.neighbours[cell].count(None)):
            found.setdefault(self.kinds[cell], cell)
        return found

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


def square(board: Board, width: int, *, flipped: bool = False) -> Geometry:
    """The points of a square grid, its coordinates at the left, at the right and below."""
    px, size, turn = _scale(width), board.size, -1 if flipped else 1
    margin, header = px(56), _even(px(136))
    inner = width - 2 * margin
    top = header + px(8)
    height = _even(top + inner + margin)
    pitch = _odd(int(inner / (size + 0.28)))
    half_board, half_tile = (size - 1) / 2, pitch // 2
    middle_x, middle_y = width // 2, top + inner // 2
    tiles, kinds = {}, {}
    for name in board.cells:
        x, y = (turn * round(value) for value in board.xy(name))
        tiles[name] = middle_x + x * pitch - half_tile, middle_y + y * pitch - half_tile
        kinds[name] = (x == -half_board) + 2 * (x == half_board) + 4 * (y == -half_board) + 8 * (y == half_board)
        if x == y == 0:
            kinds[name] = 16
    coordinates = []
    for row in board.rows:
        name = str(row[0])
        y_middle = tiles[name][1] + pitch / 2
        coordinates += [Coordinate(name[1:], (x, y_middle)) for x in (margin / 2, width - margin / 2)]
    for name in map(str, board.rows[-1]):
        coordinates.append(Coordinate(name[0], (tiles[name][0] + pitch / 2, (top + inner + height) / 2 - px(1))))
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


def hexagon(board: Board, width: int, *, flipped: bool = False) -> Geometry:
    """A hexagonal board with one corner of each cell at the top, its rows' letters at the left."""
    px, edge, turn = _scale(width), board.size, -1 if flipped else 1
    pitch = 2 * int((width - 2 * px(40)) / len(board.rows) / 2)
    step, row_pitch, radius = pitch // 2, round(pitch * ROW_HEIGHT), math.ceil(pitch / math.sqrt(3))
    header = _even(px(136))
    middle_x, middle_y = width // 2, header + px(24) + radius + row_pitch * (edge - 1)
    tile = pitch, 2 * radius + 2
    tiles = {}
    for name in board.cells:
        x, y = board.xy(name)
        tiles[name] = (
            middle_x + turn * round(2 * x) * step - step,
            middle_y + turn * round(y / ROW_HEIGHT) * row_pitch - tile[1] // 2,
        )
    coordinates = []
    for i, row in enumerate(board.rows):
        # Where a corner is missing the letter takes its place.
        distance = (len(row) + (-0.85 if row[0] is None else 1.0)) * step
        letter = next(name[0] for name in row if name)
        coordinates.append(Coordinate(letter, (middle_x - distance, middle_y + turn * (i - edge + 1) * row_pitch)))
    bottom = middle_y + row_pitch * (edge - 1) + radius
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
        coordinate_size=min(px(34), round(0.47 * pitch)),
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
