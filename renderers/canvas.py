"""Smooth shapes with Pillow: drawn some times too large and reduced. Lengths in pitches, the origin in the middle."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TypeAlias

from PIL import Image, ImageChops, ImageDraw, ImageFilter, ImageFont

from renderers.geometry import Point
from renderers.theme import Colour

Fonts: TypeAlias = Callable[[int], ImageFont.FreeTypeFont]
_CLEAR = (0, 0, 0, 0)


class Pen:
    """Paints one sprite: a transparent rectangle of *size* pixels in which one unit is *pitch* pixels.

    What is painted later replaces what lies under it (a half-transparent fill too).
    """

    def __init__(self, size: tuple[int, int], pitch: float, fonts: Fonts, *, oversampling: int = 6) -> None:
        self._scale = oversampling
        self._unit = pitch * oversampling
        self._image = Image.new("RGBA", (size[0] * oversampling, size[1] * oversampling), _CLEAR)
        self._draw = ImageDraw.Draw(self._image)
        self._middle = (self._image.width / 2, self._image.height / 2)
        self._fonts = fonts

    def finish(self) -> Image.Image:
        """The sprite, RGBA, at its true size."""
        return self._image.convert("RGBa").reduce(self._scale).convert("RGBA")

    def disc(self, radius: float, fill: Colour, *, at: Point = (0, 0), alpha: float = 1) -> None:
        """A filled circle."""
        self._draw.ellipse(self._circle(at, radius), fill=_ink(fill, alpha))

    def ring(self, radius: float, width: float, fill: Colour, *, at: Point = (0, 0)) -> None:
        """A circle's line, *radius* to its outer edge."""
        self._draw.ellipse(self._circle(at, radius), outline=_ink(fill), width=round(width * self._unit))

    def dashes(self, radius: float, width: float, fill: Colour, count: int) -> None:
        """A ring of *count* dashes."""
        step = 360 / count
        for i in range(count):
            start = i * step + step * 0.1
            self._draw.arc(
                self._circle((0, 0), radius), start, start + step * 0.66, _ink(fill), round(width * self._unit)
            )

    def polygon(self, points: Sequence[Point], fill: Colour, *, alpha: float = 1) -> None:
        """A filled polygon."""
        self._draw.polygon([self._place(point) for point in points], fill=_ink(fill, alpha))

    def bar(self, direction: Point, length: float, width: float, fill: Colour) -> None:
        """A straight bar from the middle towards *direction*, a unit vector."""
        (x, y), half = direction, width / 2
        self.polygon(
            [
                (-y * half, x * half),
                (x * length - y * half, y * length + x * half),
                (x * length + y * half, y * length - x * half),
                (y * half, -x * half),
            ],
            fill,
        )

    def stroke(self, start: Point, end: Point, width: float, fill: Colour) -> None:
        """A straight line with round ends."""
        self._draw.line([self._place(start), self._place(end)], fill=_ink(fill), width=round(width * self._unit))
        for point in (start, end):
            self.disc(width / 2, fill, at=point)

    def shadow(self, radius: float, fall: float, blur: float, fill: Colour, *, alpha: float) -> None:
        """A soft disc, *fall* below the middle; paint it first."""
        mask = self._mask_of_disc((0, fall), radius).filter(ImageFilter.BoxBlur(blur * self._unit))
        self._image.paste(fill, (0, 0), mask)
        self._image.putalpha(mask.point([round(i * alpha) for i in range(256)]))
        self._draw = ImageDraw.Draw(self._image)

    def ball(self, radius: float, light: Colour, shade: Colour, *, focus: Point, reach: float) -> None:
        """A disc lit at *focus*, the shade complete at the distance *reach* from there."""
        side = round(2 * reach * self._unit)
        glow = Image.new("L", self._image.size, 255)
        # Pillow's gradient is 256 pixels wide and reaches 255 at the corners, 180 in the middle of the sides.
        gradient = Image.radial_gradient("L").resize((side, side), Image.Resampling.BILINEAR)
        gradient = gradient.point([min(255, round(i * math.sqrt(2))) for i in range(256)])
        x, y = self._place(focus)
        glow.paste(gradient, (round(x - side / 2), round(y - side / 2)))
        body = Image.composite(
            Image.new("RGB", self._image.size, shade), Image.new("RGB", self._image.size, light), glow
        )
        self._image.paste(body, (0, 0), self._mask_of_disc((0, 0), radius))

    def hatch(
        self, outline: Sequence[Point], fill: Colour, *, period: float, width: float, angle: float, alpha: float = 1
    ) -> None:
        """Parallel lines inside a polygon; *angle* in degrees, 0 for level lines."""
        mask = Image.new("L", self._image.size)
        ImageDraw.Draw(mask).polygon([self._place(point) for point in outline], fill=255)
        self._image.paste(_ink(fill, alpha), (0, 0), ImageChops.multiply(mask, self._stripes(period, width, angle)))

    def text(self, text: str, size: float, fill: Colour, *, at: Point = (0, 0)) -> None:
        """A short text (digits) whose drawn shape is centred on *at*."""
        font = self._fonts(round(size * self._unit))
        left, top, right, bottom = self._draw.textbbox((0, 0), text, font=font)
        x, y = self._place(at)
        self._draw.text((x - (left + right) / 2, y - (top + bottom) / 2), text, fill=_ink(fill), font=font)

    def fade(self, alpha: float) -> None:
        """Make everything painted so far *alpha* times as opaque."""
        self._image.putalpha(self._image.getchannel("A").point([round(i * alpha) for i in range(256)]))
        self._draw = ImageDraw.Draw(self._image)

    def disc_below(self, radius: float, fill: Colour) -> None:
        """A filled circle under everything painted so far."""
        below = Image.new("RGBA", self._image.size, (*fill, 0))
        below.putalpha(self._mask_of_disc((0, 0), radius))
        self._image = Image.alpha_composite(below, self._image)
        self._draw = ImageDraw.Draw(self._image)

    def _place(self, point: Point) -> Point:
        return self._middle[0] + point[0] * self._unit, self._middle[1] + point[1] * self._unit

    def _circle(self, at: Point, radius: float) -> tuple[float, float, float, float]:
        (x, y), r = self._place(at), radius * self._unit
        return x - r, y - r, x + r - 1, y + r - 1

    def _mask_of_disc(self, at: Point, radius: float) -> Image.Image:
        mask = Image.new("L", self._image.size)
        ImageDraw.Draw(mask).ellipse(self._circle(at, radius), fill=255)
        return mask

    def _stripes(self, period: float, width: float, angle: float) -> Image.Image:
        mask = Image.new("L", self._image.size)
        draw = ImageDraw.Draw(mask)
        across = math.radians(angle + 90)
        normal, along = (math.cos(across), math.sin(across)), (math.sin(across), -math.cos(across))
        reach = math.hypot(*self._image.size) / self._unit
        count = math.ceil(reach / 2 / period)
        for i in range(-count, count + 1):
            x, y = normal[0] * i * period, normal[1] * i * period
            ends = [self._place((x + s * along[0] * reach, y + s * along[1] * reach)) for s in (-1, 1)]
            draw.line(ends, fill=255, width=round(width * self._unit))
        return mask


def rounded_mask(width: int, height: int, radius: int, *, oversampling: int = 4) -> Image.Image:
    """The mask (L) of a rectangle with smooth round corners."""
    mask = Image.new("L", (width, height), 255)
    side = radius * oversampling
    corner = Image.new("L", (side, side))
    ImageDraw.Draw(corner).ellipse((0, 0, 2 * side - 1, 2 * side - 1), fill=255)
    corner = corner.reduce(oversampling)
    flip, mirror = Image.Transpose.FLIP_TOP_BOTTOM, Image.Transpose.FLIP_LEFT_RIGHT
    right, bottom = width - radius, height - radius
    mask.paste(corner, (0, 0))
    mask.paste(corner.transpose(mirror), (right, 0))
    mask.paste(corner.transpose(flip), (0, bottom))
    mask.paste(corner.transpose(mirror).transpose(flip), (right, bottom))
    return mask


def hexagon_points(radius: float) -> list[Point]:
    """The corners of a hexagon with one corner at the top."""
    return [(radius * math.sin(math.radians(a)), -radius * math.cos(math.radians(a))) for a in range(0, 360, 60)]


def circle_points(radius: float) -> list[Point]:
    """A circle as a polygon that no eye tells from it."""
    return [(radius * math.cos(math.radians(a)), radius * math.sin(math.radians(a))) for a in range(0, 360, 4)]


def _ink(colour: Colour, alpha: float = 1) -> tuple[int, int, int, int]:
    return (*colour, round(255 * alpha))
