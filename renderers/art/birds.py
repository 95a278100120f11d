"""Outlines of the two birds: polygons in a box from -0.5 to 0.5, y downwards, sampled from Bezier curves."""

from __future__ import annotations

import math
from dataclasses import dataclass

from renderers.geometry import Point

_STEPS = 14


@dataclass(frozen=True, slots=True)
class Bird:
    """A silhouette and what is cut out of it."""

    outline: tuple[Point, ...]
    wing: tuple[Point, ...] = ()
    eye: Point | None = None
    eye_radius: float = 0


def _outline(start: Point, *curves: tuple[Point, Point, Point]) -> list[Point]:
    points = [start]
    for first, second, end in curves:
        x0, y0 = points[-1]
        for i in range(1, _STEPS + 1):
            t = i / _STEPS
            u = 1 - t
            a, b, c, d = u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t
            points.append((
                a * x0 + b * first[0] + c * second[0] + d * end[0],
                a * y0 + b * first[1] + c * second[1] + d * end[1],
            ))  # fmt: skip
    return points


def swallow() -> Bird:
    """A swallow from above, flying to the upper right: forked tail, swept wings."""
    half = _outline(
        (0, -0.47),
        ((0.045, -0.44), (0.085, -0.39), (0.088, -0.32)),  # head
        ((0.11, -0.275), (0.16, -0.275), (0.215, -0.27)),  # shoulder
        ((0.36, -0.25), (0.47, -0.12), (0.53, 0.15)),  # leading edge to the tip
        ((0.43, 0.02), (0.27, -0.015), (0.105, 0.055)),  # trailing edge
        ((0.09, 0.13), (0.075, 0.18), (0.075, 0.22)),  # flank
        ((0.10, 0.31), (0.14, 0.40), (0.20, 0.50)),  # tail
        ((0.11, 0.45), (0.04, 0.38), (0, 0.30)),  # fork
    )
    whole = half + [(-x, y) for x, y in reversed(half)]
    cos, sin = math.cos(math.radians(35)), math.sin(math.radians(35))
    return Bird(tuple((x * cos - y * sin, x * sin + y * cos + 0.01) for x, y in whole))


def songbird() -> Bird:
    """A plump songbird in profile, looking left."""
    outline = _outline(
        (-0.52, -0.145),
        ((-0.46, -0.185), (-0.42, -0.20), (-0.385, -0.215)),  # beak
        ((-0.36, -0.37), (-0.18, -0.43), (-0.06, -0.32)),  # head
        ((0.03, -0.23), (0.15, -0.16), (0.27, -0.12)),  # back
        ((0.36, -0.14), (0.45, -0.21), (0.55, -0.29)),  # tail, upper edge
        ((0.535, -0.20), (0.50, -0.08), (0.40, 0.04)),  # tail, end
        ((0.33, 0.22), (0.15, 0.40), (-0.08, 0.38)),  # belly
        ((-0.30, 0.36), (-0.42, 0.16), (-0.395, -0.07)),  # breast
        ((-0.43, -0.10), (-0.48, -0.125), (-0.52, -0.145)),  # beak
    )
    wing = _outline(
        (-0.14, -0.05),
        ((0.02, -0.16), (0.18, -0.10), (0.36, -0.03)),
        ((0.26, 0.14), (0.05, 0.24), (-0.09, 0.12)),
        ((-0.15, 0.07), (-0.17, 0), (-0.14, -0.05)),
    )
    return Bird(tuple(outline), tuple(wing), (-0.235, -0.20), 0.04)
