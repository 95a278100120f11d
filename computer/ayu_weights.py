"""What the Ayu evaluation counts, as numbers fitted to games.

Fitted by logistic regression on 1.28 million positions: 1,200 games of the CodeCup 2015 contest and 14,500 games of the
computer against itself, all on 11x11. The scale is that of the logistic function: the probability to win is
``1 / (1 + exp(-value))``. `ANY` knows no board size; `ELEVEN` adds what a stone's place is worth on 11x11.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

Costs = tuple[tuple[float, float, float, float], ...]


@dataclass(frozen=True, slots=True)
class AyuWeights:
    """The value for the side to move is ``bias + cost(opponent) - cost(own)``.

    A side's cost is the sum over its forest's edges of ``edges[length][width]`` (width 3: three or more; beyond the
    table *longer* a step more), *zone* for each zone but one, *single* for each unit of one stone, *border* for each
    empty point beside its stones, and ``places[kind]`` for each stone.
    """

    bias: float
    zone: float
    single: float
    border: float
    edges: Costs
    longer: float
    places: tuple[float, ...] = ()
    """By the point's kind: the triangle of the square's eighth, from the centre: (0,0) (1,0) (1,1) (2,0) …"""


ANY: Final = AyuWeights(
    bias=0.203,
    zone=1.02,
    single=-0.047,
    border=-0.103,
    edges=(
        (0.0, 0.0, 0.0, 0.0),
        (0.0, 0.526, 0.331, 0.216),
        (0.0, 0.847, 0.710, 0.606),
        (0.0, 1.156, 1.027, 0.944),
        (0.0, 1.490, 1.361, 1.395),
        (0.0, 1.696, 1.599, 1.397),
        (0.0, 2.137, 2.155, 2.319),
    ),
    longer=0.33,
)

ELEVEN: Final = AyuWeights(
    bias=0.19,
    zone=0.936,
    single=-0.012,
    border=-0.054,
    edges=(
        (0.0, 0.0, 0.0, 0.0),
        (0.0, 0.404, 0.264, 0.203),
        (0.0, 0.685, 0.530, 0.423),
        (0.0, 1.008, 0.859, 0.751),
        (0.0, 1.345, 1.197, 1.191),
        (0.0, 1.558, 1.427, 1.196),
        (0.0, 2.010, 1.992, 2.032),
    ),
    longer=0.33,
    places=(
        *(-0.030, -0.012, -0.014, 0.013, 0.001, -0.030, -0.046, -0.036, -0.056, -0.039, 0.018),
        *(-0.026, -0.010, -0.013, 0.051, 0.100, 0.057, 0.072, 0.042, 0.053, 0.005),
    ),
)


def ayu_weights(size: int) -> AyuWeights:
    """The weights for the *size* x *size* board."""
    return ELEVEN if size == 11 else ANY


def place_kinds(size: int) -> dict[tuple[int, int], int]:
    """(column, row), counted from 0, -> the index of the point's kind in `AyuWeights.places`."""
    middle = size // 2
    kinds = {}
    for column in range(size):
        for row in range(size):
            nearer, farther = sorted((abs(column - middle), abs(row - middle)))
            kinds[column, row] = farther * (farther + 1) // 2 + nearer
    return kinds
