"""How Ayu looks: a wooden board, black and white stones, a bar between the stones of a unit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import ClassVar, Final

from PIL import Image, ImageDraw

from renderers import geometry as geo
from renderers.art.base import FADED, Art, Framing, Kind, MarkStyle, Part
from renderers.canvas import Fonts, Pen, rounded_mask
from renderers.cells import CellLook
from renderers.geometry import Geometry, Point
from renderers.palette import Ramp
from renderers.theme import WHITE, Colour, Theme, mix, rgb


@dataclass(frozen=True, slots=True)
class _Stone:
    light: Colour
    shade: Colour
    rim: Colour
    bar: Colour
    reached: Colour  # the ring on a stone that moved
    focus: Point
    reach: float
    rim_width: float = 0.016


@dataclass(frozen=True, slots=True)
class _Colours:
    board: Colour
    grid: Colour
    shadow: Colour
    last: Colour
    barred: Colour
    win: Colour
    stones: tuple[_Stone, _Stone]


_PALE_RIM: Final = rgb("#8A919C")
# How much smaller a stone is, so that what lies under it is seen.
_ROOM: Final[Mapping[int, float]] = MappingProxyType(
    {Framing.NONE: 0.0, Framing.OUTLINED: 0.035, Framing.SELECTED: 0.1, Framing.FADED: 0.075}
)
_SHADES: Final = 15
_FADED_SHADES: Final = 6
_SKY: Final = rgb("#7CC4FF")
_GOLD: Final = rgb("#F2B01E")
_BLACK_STONE: Final = _Stone(
    light=rgb("#5F6672"),
    shade=rgb("#131519"),
    rim=rgb("#0B0C0E"),
    bar=rgb("#1B1D21"),
    reached=_SKY,
    focus=(-0.14, -0.2),
    reach=0.66,
)
_WHITE_STONE: Final = _Stone(
    light=WHITE,
    shade=rgb("#CBCAC5"),
    rim=rgb("#8F8C84"),
    bar=rgb("#F3F2EE"),
    reached=rgb("#1457B8"),
    focus=(-0.11, -0.16),
    reach=0.9,
)
_FLAT_BLACK: Final = _Stone(
    light=rgb("#161616"),
    shade=rgb("#161616"),
    rim=rgb("#000000"),
    bar=rgb("#161616"),
    reached=WHITE,
    focus=(0, 0),
    reach=0.5,
)
_FLAT_WHITE: Final = _Stone(
    light=WHITE,
    shade=WHITE,
    rim=rgb("#000000"),
    bar=WHITE,
    reached=rgb("#000000"),
    focus=(0, 0),
    reach=0.5,
    rim_width=0.05,
)

_COLOURS: Final[Mapping[str, _Colours]] = MappingProxyType(
    {
        "light": _Colours(
            board=rgb("#E8C78E"),
            grid=rgb("#8A6A3B"),
            shadow=rgb("#3A260C"),
            last=rgb("#1457B8"),
            barred=rgb("#C3271E"),
            win=_GOLD,
            stones=(_BLACK_STONE, _WHITE_STONE),
        ),
        "dark": _Colours(
            board=rgb("#B08A57"),
            grid=rgb("#5E4426"),
            shadow=rgb("#1E1204"),
            last=rgb("#0B3F8A"),
            barred=rgb("#B01C14"),
            win=_GOLD,
            stones=(_BLACK_STONE, _WHITE_STONE),
        ),
        "patterns": _Colours(
            board=rgb("#D9D9D9"),
            grid=rgb("#6E6E6E"),
            shadow=rgb("#555555"),
            last=rgb("#000000"),
            barred=rgb("#B3261E"),
            win=rgb("#D55E00"),
            stones=(_FLAT_BLACK, _FLAT_WHITE),
        ),
    }
)


class AyuArt(Art):
    """Stones on the points of a grid."""

    key: ClassVar = "ayu"
    sample_size: ClassVar = 11
    symbols: ClassVar = ("X", "O")
    directions: ClassVar = geo.SQUARE_DIRECTIONS
    piece_radius: ClassVar = 0.455
    bar_width: ClassVar = 0.34
    contour_width: ClassVar = 0.045
    faded_radius: ClassVar = 0.38

    def geometry(self, size: int, width: int, *, flipped: bool) -> Geometry:
        """A grid of *size* x *size* points."""
        return geo.square(self.board(size), width, flipped=flipped)

    def ground(self, geometry: Geometry, theme: Theme, fonts: Fonts) -> Image.Image:
        """The board with its grid."""
        colours, pitch = _COLOURS[theme.key], geometry.pitch
        image = Image.new("RGB", (geometry.width, geometry.height), theme.page)
        left, top, right, bottom = geometry.frame
        image.paste(colours.board, (left, top), rounded_mask(right - left, bottom - top, geometry.length(20)))
        draw = ImageDraw.Draw(image)
        xs = sorted({x + pitch // 2 for x, _ in geometry.tiles.values()})
        ys = sorted({y + pitch // 2 for _, y in geometry.tiles.values()})
        thin = geometry.width * 12 // 10_000  # pixels on each side of a line's middle
        edge = thin + 1
        for lines, others, level in ((xs, ys, False), (ys, xs, True)):
            for place in lines:
                half = edge if place in (lines[0], lines[-1]) else thin
                box = (place - half, others[0] - edge, place + half, others[-1] + edge)
                draw.rectangle((box[1], box[0], box[3], box[2]) if level else box, fill=colours.grid)
        star = Pen((pitch, pitch), pitch, fonts)
        star.disc(0.075, colours.grid)
        sprite = star.finish()
        image.paste(sprite, (xs[len(xs) // 2] - pitch // 2, ys[len(ys) // 2] - pitch // 2), sprite)
        return image

    def marks(self, theme: Theme) -> MarkStyle:
        """Blue for the last move, the theme's hint colour."""
        colours = _COLOURS[theme.key]
        return MarkStyle(
            last=colours.last,
            hint=theme.hint,
            hint_ink=theme.hint_ink,
            barred=colours.barred,
            halo=theme.halo,
            win=colours.win,
            ground=colours.board,
            removed=(colours.stones[0].bar, colours.stones[1].bar),
        )

    def flats(self, theme: Theme) -> Sequence[Colour]:
        """Board, grid and bars."""
        colours = _COLOURS[theme.key]
        return colours.board, colours.grid, *(stone.bar for stone in colours.stones)

    def ramps(self, theme: Theme) -> Sequence[Ramp]:
        """The stones' shading."""
        if theme.patterned:
            return ()
        colours = _COLOURS[theme.key]
        ramps = [Ramp(stone.light, stone.shade, _SHADES) for stone in colours.stones]
        return ramps + [
            Ramp(mix(colours.board, light, FADED), mix(colours.board, shade, FADED), _FADED_SHADES)
            for light, shade, _ in ramps
        ]

    def covers(self, look: CellLook) -> bool:
        """True: the points carry no names, so a point's kind says all about its ground."""
        del look
        return True

    def piece(self, pen: Pen, theme: Theme, part: Part) -> None:
        """A stone with a soft shadow."""
        colours = _COLOURS[theme.key]
        stone, radius = colours.stones[part.side - 1], self.piece_radius - _ROOM[part.arg]
        if not theme.patterned and part.arg == Framing.NONE:
            pen.shadow(radius, 0.03, 0.015, colours.shadow, alpha=0.42)
        pen.disc(radius, stone.rim)
        pen.ball(radius - stone.rim_width, stone.light, stone.shade, focus=stone.focus, reach=stone.reach)

    def icon(self, side: int, pitch: int, theme: Theme, ground: Colour, fonts: Fonts) -> Image.Image:
        """A stone; the black one with a pale rim on a dark card."""
        pen = Pen((pitch, pitch), pitch, fonts, oversampling=4)
        if side == 1 and sum(ground) < 3 * 100:
            pen.disc(0.49, _PALE_RIM)
        self.piece(pen, theme, Part(Kind.PIECE, side))
        return pen.finish()

    def bar(self, pen: Pen, theme: Theme, part: Part) -> None:
        """A bar with a fine rim."""
        stone, direction = _COLOURS[theme.key].stones[part.side - 1], self.directions[part.arg]
        rim = max(stone.rim_width, 0.016)
        pen.bar(direction, 0.7, self.bar_width + 2 * rim, stone.rim)
        pen.bar(direction, 0.7, self.bar_width, stone.bar)

    def reached(self, pen: Pen, theme: Theme, part: Part) -> None:
        """A ring inside the stone."""
        pen.ring(0.245, 0.075, _COLOURS[theme.key].stones[part.side - 1].reached)
