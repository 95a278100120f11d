"""Empty boards, square and hexagonal: cell names, neighbours, coordinates for drawing, and sets of cells as bits.

A set of cells is an int, one bit a cell ("bitboard"). The bits lie in the order of the notation (lower letter first,
then the lower number), so the lowest bit of a set is its first cell. Spare bits around the cells keep a shift from
running from one edge into another. Knows no game.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from math import sqrt
from types import MappingProxyType
from typing import Final, NamedTuple

ROW_HEIGHT: Final = sqrt(3) / 2
"""The distance of two rows of a hexagonal board, in distances of neighbouring cells."""


def each_bit(bits: int) -> Iterator[int]:
    """The single bits of *bits*, first cell first."""
    while bits:
        bit = bits & -bits
        yield bit
        bits ^= bit


class Place(NamedTuple):
    """One place of a board that is being made; *x* and *y* as by `Board.xy`."""

    name: str
    bit: int
    x: float
    y: float
    is_hole: bool = False


class Board:
    """One empty board: made by `square` or `hexagon`, shared, never changed.

    Cells are given by name ("b9") or as bits.
    """

    __slots__ = ("_bits", "_names", "_xy", "cells", "full", "holes", "rows", "size", "stride")

    size: Final[int]
    """Points a side (square) or cells of an edge (hexagon)."""
    stride: Final[int]
    """How many bits lie between a cell and its neighbour with the next letter."""
    full: Final[int]
    """All cells."""
    cells: Final[tuple[str, ...]]
    """The names of all cells, in the order of the notation."""
    rows: Final[tuple[tuple[str | None, ...], ...]]
    """The names as drawn, the top row first; None stands for a hole."""
    holes: Final[Mapping[str, int]]
    """Places that have a name and a bit of their own but are no cells: the corners and the centre of a hexagon."""

    def __init__(self, size: int, stride: int, places: Sequence[Place]) -> None:
        self.size = size
        self.stride = stride
        cells = sorted((place for place in places if not place.is_hole), key=lambda place: place.bit)
        self.cells = tuple(place.name for place in cells)
        self._bits: Mapping[str, int] = MappingProxyType({place.name: place.bit for place in cells})
        self._names: Mapping[int, str] = MappingProxyType({place.bit: place.name for place in cells})
        self._xy: Mapping[str, tuple[float, float]] = MappingProxyType(
            {place.name: (place.x, place.y) for place in cells}
        )
        self.full = sum(self._bits.values())
        self.holes = MappingProxyType({place.name: place.bit for place in places if place.is_hole})
        rows: dict[float, list[Place]] = {}
        for place in places:
            rows.setdefault(place.y, []).append(place)
        self.rows = tuple(
            tuple(None if place.is_hole else place.name for place in sorted(rows[y], key=lambda place: place.x))
            for y in sorted(rows)
        )

    def __contains__(self, name: str) -> bool:
        """True if the board has a cell called *name*."""
        return name in self._bits

    def bit(self, name: str) -> int:
        """The cell *name* as a bit.

        :raises KeyError: if the board has no such cell.
        """
        return self._bits[name]

    def bits(self, names: Iterable[str]) -> int:
        """The set of the cells *names*.

        :raises KeyError: if the board has no such cell.
        """
        total = 0
        for name in names:
            total |= self._bits[name]
        return total

    def name(self, bit: int) -> str:
        """The name of the one cell *bit*.

        :raises KeyError: if it is no cell of the board.
        """
        return self._names[bit]

    def names(self, bits: int) -> tuple[str, ...]:
        """The names of the cells in *bits*, in the order of the notation."""
        names = self._names
        return tuple(names[bit] for bit in each_bit(bits))

    def xy(self, name: str) -> tuple[float, float]:
        """Where the cell lies, from the board's centre: x to the right, y down, 1 = the distance of two neighbours.

        :raises KeyError: if the board has no such cell.
        """
        return self._xy[name]

    def neighbours(self, name: str) -> tuple[str, ...]:
        """The names of the cells adjacent to *name*.

        :raises KeyError: if the board has no such cell.
        """
        return self.names(self.border(self._bits[name]))

    def spread(self, bits: int) -> int:
        """*bits* and all cells adjacent to them."""
        raise NotImplementedError

    def border(self, bits: int) -> int:
        """The cells adjacent to *bits*, without *bits*."""
        return self.spread(bits) & ~bits

    def flood(self, seed: int, within: int) -> int:
        """All cells of *within* that are connected, inside it, with the cells of *seed* that lie in it."""
        reached = seed & within
        while True:
            wider = self.spread(reached) & within
            if wider == reached:
                return reached
            reached = wider

    def components(self, bits: int) -> tuple[int, ...]:
        """The maximal connected parts of *bits*, by their first cell."""
        parts = []
        while bits:
            part = self.flood(bits & -bits, bits)
            parts.append(part)
            bits ^= part
        return tuple(parts)

    def diagram(self, first: int, second: int) -> str:
        """The rows from the top joined by ``/``: 1, 2 for the two sets, ``.`` for an empty cell, ``#`` for no space."""
        signs: dict[str | None, str] = dict.fromkeys(self.cells, ".")
        signs[None] = "#"
        signs.update(dict.fromkeys(self.names(first), "1"))
        signs.update(dict.fromkeys(self.names(second), "2"))
        return "/".join("".join(signs[name] for name in row) for row in self.rows)


class _Square(Board):
    """Points with up to four neighbours each."""

    __slots__ = ()

    def spread(self, bits: int) -> int:
        stride = self.stride
        return (bits | bits << 1 | bits >> 1 | bits << stride | bits >> stride) & self.full


class _Hexagon(Board):
    """Cells with up to six neighbours each."""

    __slots__ = ()

    def spread(self, bits: int) -> int:
        east = bits | bits << 1
        west = bits | bits >> 1
        return (east | west | east << self.stride | west >> self.stride) & self.full


@lru_cache(maxsize=32)
def square(size: int) -> Board:
    """The square board of *size* x *size* points: letters are columns from the left, numbers rows from the bottom."""
    # A spare bit under each column and a spare column before the first: no shift by 1 or by the stride wraps, and the
    # eight points around any point have bits.
    stride = size + 1
    middle = (size - 1) / 2
    places = [
        Place(f"{_letter(column)}{row + 1}", 1 << (column + 1) * stride + row + 1, column - middle, middle - row)
        for column in range(size)
        for row in range(size)
    ]
    return _Square(size, stride, places)


@lru_cache(maxsize=32)
def hexagon(edge: int) -> Board:
    """The hexagonal board with *edge* cells an edge, without its six corners and its centre.

    Letters are rows from the bottom, numbers run from 1 at the left end of each row; corners and centre keep their
    number.
    """
    # Row i, column q (counted along the slanted north-west axis) has bit (i + 1) * stride + q: east is +1, north-west
    # + stride, north-east + stride + 1. One spare column at the right, one spare row below.
    stride = 2 * edge
    middle = edge - 1
    places = []
    for row in range(2 * edge - 1):
        start = max(0, row - middle)
        width = edge + row - 2 * start
        for index in range(width):
            is_corner = row in (0, middle, 2 * middle) and index in (0, width - 1)
            is_centre = row == index == middle
            bit = 1 << (row + 1) * stride + start + index
            x, y = index - (width - 1) / 2, (middle - row) * ROW_HEIGHT
            places.append(Place(f"{_letter(row)}{index + 1}", bit, x, y, is_hole=is_corner or is_centre))
    return _Hexagon(edge, stride, places)


def _letter(index: int) -> str:
    return chr(ord("a") + index)
