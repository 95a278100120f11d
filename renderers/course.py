"""The course of a game as a picture: a curve of who was ahead, and the boards where it turned."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from PIL import Image, ImageDraw

from renderers.canvas import rounded_mask
from renderers.cards import write
from renderers.geometry import Box
from renderers.labels import Labels
from renderers.scene import CardState, Course, Scene
from renderers.stage import Stage
from renderers.theme import Colour, mix

_GAP: Final = 16
_PANEL: Final = 372
_TITLE: Final = 58
_AXIS: Final = 44
_SIDE: Final = 84  # left of the curve: the sides' pieces
_LABEL: Final = 62
_BOARD: Final = 600  # the widest board of a turn
_LEAST: Final = 200  # pixels: narrower boards are not drawn
_FINE: Final = 4  # the curve is drawn so many times too large and reduced
_TICKS: Final = (5, 10, 20, 50, 100, 200)

Board = Callable[[Scene, int], Image.Image]
"""Draws the board of a scene, as palette indexes, so many pixels wide and without the cards."""


class CoursePictures:
    """Draws courses as palette indexes."""

    def __init__(self, labels: Labels) -> None:
        self._labels = labels

    def draw(self, course: Course, stage: Stage, board: Board) -> Image.Image:
        """The picture of *course* below an empty header."""
        px, palette, width = stage.geometry.length, stage.palette, stage.geometry.width
        gap, top = px(_GAP), stage.geometry.header + px(8)
        boards = self._boards(course, stage, board)
        below = max((picture.height for picture in boards), default=-gap) + (px(_LABEL) if boards else 0)
        height = top + px(_PANEL) + gap + below + gap
        page = palette.index(Image.new("RGB", (1, 1), stage.theme.page)).getpixel((0, 0))
        picture = Image.new("L", (width, height + height % 2), page)
        self._panel(picture, (gap, top, width - gap, top + px(_PANEL)), course, stage)
        room = sum(drawn.width for drawn in boards) + gap * max(0, len(boards) - 1)
        left, line = (width - room) // 2, top + px(_PANEL) + gap
        for number, (turn, drawn) in enumerate(zip(course.turns, boards, strict=True), 1):
            picture.paste(drawn, (left, line + px(_LABEL)))
            self._badge(picture, (left + px(22), line + px(_LABEL) // 2), number, stage, stage.theme.page)
            label = self._labels.line(turn.label, [px(size) for size in (30, 28, 26, 24, 22)], drawn.width - px(52))
            at = left + px(50), line + px(_LABEL) // 2 + px(10) - label.baseline
            write(picture, label, at, palette, (stage.theme.page, stage.theme.coordinate))
            left += drawn.width + gap
        return picture

    def _boards(self, course: Course, stage: Stage, board: Board) -> list[Image.Image]:
        if not course.turns:
            return []
        px, count = stage.geometry.length, len(course.turns)
        side = min(px(_BOARD), (stage.geometry.width - px(_GAP) * (count + 1)) // count)
        return [self._small(board(turn.scene, max(_LEAST, side - side % 2)), side, stage) for turn in course.turns]

    def _small(self, drawn: Image.Image, side: int, stage: Stage) -> Image.Image:
        """The board no wider than *side*: boards are drawn down to a width, and reduced below it."""
        if drawn.width <= side:
            return drawn
        size = side, round(drawn.height * side / drawn.width)
        return stage.palette.index(stage.palette.colour(drawn).resize(size, Image.Resampling.LANCZOS))

    def _panel(self, picture: Image.Image, box: Box, course: Course, stage: Stage) -> None:
        px, palette, theme = stage.geometry.length, stage.palette, stage.theme
        inks = theme.cards[CardState.WAITS]
        left, top, right, bottom = box
        width, height = right - left, bottom - top
        panel = Image.new("RGB", (width, height), theme.page)
        panel.paste(inks.fill, (0, 0), rounded_mask(width, height, px(20)))
        area = (px(_SIDE), px(_TITLE), width - px(34), height - px(_AXIS))
        points = _points(course.chances, area)
        self._curve(panel, area, points, (inks.fill, inks.name, inks.line), stage.geometry.width / 1000)
        for side, middle in ((1, area[1] + px(34)), (2, area[3] - px(34))):
            icon = stage.art.icon(side, px(56), theme, inks.fill, self._labels.book.ui_face)
            panel.paste(icon, (px(44) - icon.width // 2, middle - icon.height // 2), icon)
        picture.paste(palette.index(panel), (left, top))
        title = self._labels.line(course.title, [px(size) for size in (32, 30, 28, 26)], width - px(60))
        write(picture, title, (left + px(28), top + px(40) - title.baseline), palette, (inks.fill, inks.name))
        self._ticks(picture, (left, top), area, len(course.chances) - 1, stage)
        for number, turn in enumerate(course.turns, 1):
            x, y = points[turn.ply]
            self._badge(picture, (left + round(x), top + round(y)), number, stage, inks.fill)

    def _curve(
        self,
        panel: Image.Image,
        area: Box,
        points: list[tuple[float, float]],
        colours: tuple[Colour, Colour, Colour],
        unit: float,
    ) -> None:
        """The curve, the ground between it and the middle, and the middle itself."""
        ground, ink, faint = colours
        left, top, right, bottom = area
        pad = round(8 * unit)  # half of the line hangs over at the ends
        size = (right - left + 2 * pad, bottom - top + 2 * pad)
        fine = Image.new("RGB", (size[0] * _FINE, size[1] * _FINE), ground)
        draw = ImageDraw.Draw(fine)

        def place(x: float, y: float) -> tuple[float, float]:
            return (x - left + pad) * _FINE, (y - top + pad) * _FINE

        middle = (top + bottom) / 2
        outline = [place(points[0][0], middle), *(place(*point) for point in points), place(points[-1][0], middle)]
        draw.polygon(outline, fill=mix(ground, ink, 0.2))
        draw.line([place(left, middle), place(right, middle)], fill=faint, width=round(2 * unit * _FINE))
        thick = round(max(2, 5 * unit) * _FINE)
        draw.line([place(*point) for point in points], fill=ink, width=thick, joint="curve")
        for point in (points[0], points[-1]):
            x, y = place(*point)
            draw.ellipse((x - thick / 2, y - thick / 2, x + thick / 2, y + thick / 2), fill=ink)
        panel.paste(fine.reduce(_FINE), (left - pad, top - pad))

    def _ticks(self, picture: Image.Image, at: tuple[int, int], area: Box, plies: int, stage: Stage) -> None:
        """The numbers of moves below the curve."""
        px, inks = stage.geometry.length, stage.theme.cards[CardState.WAITS]
        left, _, right, bottom = area
        step = next((step for step in _TICKS if plies <= 12 * step), _TICKS[-1])
        for ply in range(0, plies + 1, step):
            label = self._labels.line(str(ply), [px(24)], px(80))
            x = at[0] + round(left + (right - left) * ply / max(1, plies)) - label.width // 2
            write(picture, label, (x, at[1] + bottom + px(34) - label.baseline), stage.palette, (inks.fill, inks.line))

    def _badge(self, picture: Image.Image, middle: tuple[int, int], number: int, stage: Stage, ground: Colour) -> None:
        """A golden disc with a number."""
        px, gold = stage.geometry.length, stage.theme.cards[CardState.WON]
        radius, ring = px(20), px(4)
        side = 2 * (radius + ring)
        disc = Image.new("L", (side * _FINE, side * _FINE))
        ImageDraw.Draw(disc).ellipse((0, 0, side * _FINE - 1, side * _FINE - 1), fill=255)
        left, top = middle[0] - side // 2, middle[1] - side // 2
        under = stage.palette.colour(picture.crop((left, top, left + side, top + side)))
        under.paste(ground, (0, 0), disc.reduce(_FINE))
        inner = disc.resize((2 * radius, 2 * radius), Image.Resampling.LANCZOS)
        under.paste(gold.fill, (ring, ring), inner)
        picture.paste(stage.palette.index(under), (left, top))
        label = self._labels.line(str(number), [px(28)], 2 * radius)
        at = middle[0] - label.width // 2, middle[1] + (label.above - label.below) // 2 - label.baseline
        write(picture, label, at, stage.palette, (gold.fill, gold.name))


def _points(chances: tuple[float, ...], area: Box) -> list[tuple[float, float]]:
    """Where the curve goes: the first side's chance 1 lies at the top of *area*, 0 at its bottom."""
    left, top, right, bottom = area
    last = max(1, len(chances) - 1)
    return [
        (left + (right - left) * place / last, bottom - (bottom - top) * min(1.0, max(0.0, chance)))
        for place, chance in enumerate(chances)
    ]
