"""The peer of the renderer's benchmark: the same scene as SVG, every shape anew, drawn by resvg.

This is how most chat bots draw boards. Geometry and marks are the renderer's own, as flat shapes; shading and dashes
are as SVG has them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from html import escape
from typing import Final

import resvg_py

from renderers.art import ARTS
from renderers.art.base import Art, Kind, Part
from renderers.art.birds import songbird, swallow
from renderers.canvas import hexagon_points
from renderers.cells import looks, trails
from renderers.fontbook import BUNDLED
from renderers.geometry import POSTED_WIDTH, Geometry, Point
from renderers.scene import CardState, Scene
from renderers.theme import THEMES, WHITE, Colour, Theme

# What is painted over what, on the whole board.
_LAYERS: Final = (
    (Kind.TINT,),
    (Kind.GHOST, Kind.REMOVED),
    (Kind.CONTOUR_BAR, Kind.CONTOUR),
    (Kind.BAR,),
    (Kind.SELECTED, Kind.PIECE, Kind.FADED),
    (Kind.REACHED, Kind.ADDED, Kind.DOT, Kind.PICK, Kind.NUMBER, Kind.BADGE, Kind.BARRED),
)
_FONT: Final = str(BUNDLED / "Inter-600.ttf")


def draw(scene: Scene) -> bytes:
    """The PNG file of *scene*. One font is loaded, which is less than the renderer has to choose from."""
    return resvg_py.svg_to_bytes(svg_string=svg(scene), skip_system_fonts=True, font_files=[_FONT], font_family="Inter")


def svg(scene: Scene) -> str:
    """The scene as an SVG document, `POSTED_WIDTH` wide."""
    art, theme = ARTS[scene.game], THEMES[scene.theme]
    geometry = art.geometry(scene.size, POSTED_WIDTH, flipped=scene.flipped)
    return "\n".join(_Picture(scene, art, theme, geometry).elements())


class _Picture:
    """One scene on its way to SVG; lengths in pixels."""

    def __init__(self, scene: Scene, art: Art, theme: Theme, geometry: Geometry) -> None:
        self._scene, self._art, self._theme, self._geometry = scene, art, theme, geometry
        self._marks = art.marks(theme)
        self._flats, self._ramps = art.flats(theme), art.ramps(theme)
        self._pitch = geometry.pitch
        self._painters: Mapping[Kind, Callable[[Point, Part], Iterator[str]]] = {
            Kind.TINT: self._tint,
            Kind.GHOST: self._ghost,
            Kind.REMOVED: self._ghost,
            Kind.CONTOUR_BAR: self._bar,
            Kind.CONTOUR: self._contour,
            Kind.BAR: self._bar,
            Kind.SELECTED: self._contour,
            Kind.PIECE: self._piece,
            Kind.FADED: self._piece,
        }

    def elements(self) -> Iterator[str]:
        """The document, element by element."""
        width, height = self._geometry.width, self._geometry.height
        yield f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" font-family="Inter">'
        for side, ramp in enumerate(self._ramps[:2], start=1):
            yield (
                f'<radialGradient id="g{side}" cx="0.36" cy="0.3" r="0.8"><stop stop-color="{_hex(ramp.start)}"/>'
                f'<stop offset="1" stop-color="{_hex(ramp.end)}"/></radialGradient>'
            )
        yield _rectangle(0, 0, width, height, 0, self._theme.page)
        yield from self._sky() if self._geometry.hexagonal else self._grid()
        for coordinate in self._geometry.coordinates:
            size = self._geometry.coordinate_size
            yield _text(coordinate.middle, size, self._theme.coordinate, coordinate.text)
        found = looks(self._scene, self._geometry)
        parts = [(self._geometry.middle(cell), part) for cell, look in found.items() for part in self._art.parts(look)]
        for layer in _LAYERS:
            for at, part in parts:
                if part.kind in layer:
                    yield from self._painters.get(part.kind, self._mark)(at, part)
        for start, end in trails(self._scene, self._geometry):
            yield from self._trail(self._geometry.middle(start), self._geometry.middle(end))
        for side in (1, 2):
            yield from self._card(side)
        yield "</svg>"

    def _grid(self) -> Iterator[str]:
        board, line = self._flats[:2]
        left, top, right, bottom = self._geometry.frame
        yield _rectangle(left, top, right - left, bottom - top, 20, board)
        middles = [self._geometry.middle(cell) for cell in self._geometry.tiles]
        xs, ys = (sorted({middle[axis] for middle in middles}) for axis in (0, 1))
        for x in xs:
            yield _line((x, ys[0]), (x, ys[-1]), 5 if x in (xs[0], xs[-1]) else 3, line)
        for y in ys:
            yield _line((xs[0], y), (xs[-1], y), 5 if y in (ys[0], ys[-1]) else 3, line)

    def _sky(self) -> Iterator[str]:
        plate, cell = self._flats[:2]
        middles = {name: self._geometry.middle(name) for name in self._geometry.tiles}
        for radius, fill in ((1.2, plate), (0.955, cell)):
            for at in middles.values():
                yield _polygon(at, hexagon_points(radius * self._pitch / math.sqrt(3)), fill)
        for name, at in middles.items():
            yield _text(at, 0.345 * self._pitch, self._ramps[0].end, name)

    def _piece(self, at: Point, part: Part, pitch: float = 0) -> Iterator[str]:
        pitch = pitch or self._pitch
        radius = self._art.piece_radius * pitch
        yield f'<g opacity="{0.4 if part.kind is Kind.FADED else 1}">'
        if not self._geometry.hexagonal:
            yield _circle((at[0], at[1] + 0.03 * pitch), radius, (60, 40, 20), alpha=0.3)
            yield _circle(at, radius, self._flats[1 + part.side])
            yield _circle(at, radius * 0.97, f"url(#g{part.side})" if self._ramps else self._flats[1 + part.side])
        else:
            fill, rim = self._flats[1 + part.side], self._flats[3 + part.side]
            bird, size = (swallow(), songbird())[part.side - 1], 0.66 * pitch
            ink = (74, 37, 0) if part.side == 1 else WHITE
            yield _circle(at, radius, rim)
            yield _circle(at, radius - 0.032 * pitch, fill)
            yield _polygon(at, [(x * size, y * size) for x, y in bird.outline], ink)
            if bird.eye:
                yield _polygon(at, [(x * size, y * size) for x, y in bird.wing], fill)
                yield _circle((at[0] + bird.eye[0] * size, at[1] + bird.eye[1] * size), bird.eye_radius * size, fill)
        yield "</g>"

    def _bar(self, at: Point, part: Part) -> Iterator[str]:
        x, y = self._art.directions[part.arg]
        width, fill = self._art.bar_width, self._flats[(3 if self._geometry.hexagonal else 1) + part.side]
        if part.kind is Kind.CONTOUR_BAR:
            width, fill = width + 2 * self._art.contour_width, self._marks.win
        end = at[0] + x * 0.5 * self._pitch, at[1] + y * 0.5 * self._pitch
        yield _line(at, end, width * self._pitch, fill)

    def _tint(self, at: Point, part: Part) -> Iterator[str]:
        fill = self._theme.regions[(part.arg - 1) % len(self._theme.regions)]
        yield _polygon(at, hexagon_points(0.955 * self._pitch / math.sqrt(3)), fill, alpha=0.3)

    def _contour(self, at: Point, part: Part) -> Iterator[str]:
        grow = self._art.piece_radius + self._art.contour_width
        yield _circle(at, grow * self._pitch, self._marks.win if part.kind is Kind.CONTOUR else self._marks.hint)

    def _ghost(self, at: Point, part: Part) -> Iterator[str]:
        radius, tint = self._art.piece_radius * 0.9 * self._pitch, self._marks.removed[part.side - 1]
        yield _circle(at, radius, tint, alpha=0.35)
        if part.kind is Kind.GHOST:
            yield _ring(at, radius, 0.062 * self._pitch, self._marks.last, dashes=0.2 * self._pitch)
        else:
            yield from self._cross(at, 0.2, self._marks.last)

    def _mark(self, at: Point, part: Part) -> Iterator[str]:
        pitch, marks = self._pitch, self._marks
        match part.kind:
            case Kind.REACHED | Kind.ADDED:
                yield _ring(at, (self._art.piece_radius if self._geometry.hexagonal else 0.21) * pitch, 6, marks.last)
            case Kind.NUMBER | Kind.BADGE:
                yield _circle(at, 0.345 * pitch, marks.halo)
                yield _circle(at, 0.315 * pitch, marks.hint)
                yield _text(at, 0.42 * pitch, marks.hint_ink, str(part.arg))
            case Kind.BARRED:
                yield from self._cross(at, 0.13, marks.barred)
            case _:
                yield _circle(at, 0.2 * pitch, marks.halo)
                yield _circle(at, 0.165 * pitch, marks.hint)

    def _cross(self, at: Point, arm: float, fill: Colour) -> Iterator[str]:
        (x, y), reach = at, arm * self._pitch
        for slope in (-1, 1):
            yield _line((x - reach, y - slope * reach), (x + reach, y + slope * reach), 0.085 * self._pitch, fill)

    def _trail(self, start: Point, end: Point) -> Iterator[str]:
        length = math.dist(start, end)
        x, y = ((b - a) / length for a, b in zip(start, end, strict=True))
        reach = length - self._pitch * (self._art.piece_radius + 0.17)
        count = max(1, int(reach / self._pitch / 0.3))
        for i in range(count):
            distance = reach - (count - i) * 0.3 * self._pitch
            at = start[0] + x * distance, start[1] + y * distance
            radius = (0.04 + 0.035 * i / count) * self._pitch
            yield _circle(at, radius + 0.022 * self._pitch, self._marks.halo)
            yield _circle(at, radius, self._marks.last)
        head = [(0.15, 0.0), (-0.1, 0.1), (-0.06, 0.0), (-0.1, -0.1)]
        turned = [((a * x - b * y) * self._pitch, (a * y + b * x) * self._pitch) for a, b in head]
        yield _polygon((start[0] + x * reach, start[1] + y * reach), turned, self._marks.last)

    def _card(self, side: int) -> Iterator[str]:
        card, width, height = self._scene.cards[side - 1], 476, 116
        inks, left, top = self._theme.cards[card.state], 16 + (side - 1) * 492, 12
        yield _rectangle(left, top, width, height, 20, inks.fill)
        yield from self._piece((left + 60, top + height / 2), Part(Kind.PIECE, side), 92)
        yield _text((left + 116, top + 35), 42, inks.name, card.name, anchor="start")
        size = 24 if card.state is CardState.TO_MOVE else 30
        yield _text((left + 117, top + 82), size, inks.line, card.line, anchor="start")


def _hex(colour: Colour) -> str:
    return "#{:02x}{:02x}{:02x}".format(*colour)


def _rectangle(x: float, y: float, width: float, height: float, radius: float, fill: Colour) -> str:
    return f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="{radius}" fill="{_hex(fill)}"/>'


def _circle(at: Point, radius: float, fill: Colour | str, *, alpha: float = 1) -> str:
    paint = fill if isinstance(fill, str) else _hex(fill)
    return f'<circle cx="{at[0]:.1f}" cy="{at[1]:.1f}" r="{radius:.1f}" fill="{paint}" fill-opacity="{alpha}"/>'


def _ring(at: Point, radius: float, width: float, stroke: Colour, *, dashes: float = 0) -> str:
    dashed = f' stroke-dasharray="{dashes:.1f} {dashes / 2:.1f}"' if dashes else ""
    return (
        f'<circle cx="{at[0]:.1f}" cy="{at[1]:.1f}" r="{radius:.1f}" fill="none" '
        f'stroke="{_hex(stroke)}" stroke-width="{width:.1f}"{dashed}/>'
    )


def _line(start: Point, end: Point, width: float, stroke: Colour) -> str:
    (x1, y1), (x2, y2) = start, end
    return (
        f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" '
        f'stroke="{_hex(stroke)}" stroke-width="{width:.1f}" stroke-linecap="square"/>'
    )


def _polygon(at: Point, points: Sequence[Point], fill: Colour, *, alpha: float = 1) -> str:
    placed = " ".join(f"{at[0] + x:.1f},{at[1] + y:.1f}" for x, y in points)
    return f'<polygon points="{placed}" fill="{_hex(fill)}" fill-opacity="{alpha}"/>'


def _text(at: Point, size: float, fill: Colour, text: str, *, anchor: str = "middle") -> str:
    return (
        f'<text x="{at[0]:.1f}" y="{at[1] + 0.36 * size:.1f}" font-size="{size:.1f}" font-weight="600" '
        f'text-anchor="{anchor}" fill="{_hex(fill)}">{escape(text)}</text>'
    )
