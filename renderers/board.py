"""The board of a picture: empty boards, tiles and trails as palette indexes, each made once and kept."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Final

from PIL import Image, ImageDraw

from renderers.art.base import Art, Part
from renderers.cache import ByteCache
from renderers.canvas import Fonts, hexagon_points
from renderers.cells import CellLook
from renderers.fontbook import FontBook
from renderers.geometry import Geometry, Point
from renderers.stage import Stage
from renderers.theme import Theme

_STEP: Final = 0.30  # pitches between the dots of a trail
_CLEARANCE: Final = 0.17  # from the arrowhead's middle to the rim of the piece it points at


class Boards:
    """Draws boards; whatever it makes goes into the cache."""

    def __init__(self, book: FontBook, cache: ByteCache) -> None:
        self._book = book
        self._cache = cache

    @property
    def fonts(self) -> Fonts:
        """The faces for digits."""
        return self._book.ui_face

    def empty(self, stage: Stage) -> Image.Image:
        """The empty board with its coordinates, L; not to be changed."""
        return self._cache.get(
            ("board", stage.key),
            lambda: stage.palette.index(self.ground(stage.art, stage.geometry, stage.theme)),
            _bytes,
        )

    def ground(self, art: Art, geometry: Geometry, theme: Theme) -> Image.Image:
        """The empty board with its coordinates, RGB."""
        image = art.ground(geometry, theme, self.fonts)
        draw, font = ImageDraw.Draw(image), self.fonts(geometry.coordinate_size)
        for coordinate in geometry.coordinates:
            draw.text(coordinate.middle, coordinate.text, fill=theme.coordinate, font=font, anchor="mm")
        return image

    def paste(self, onto: Image.Image, looks: Mapping[str, CellLook], stage: Stage) -> None:
        """Put what lies on the cells on *onto*, a copy of the empty board."""
        mask = self._mask(stage.geometry) if stage.geometry.hexagonal else None
        for cell, look in looks.items():
            onto.paste(self.tile(cell, look, stage), stage.geometry.tiles[cell], mask)

    def tile(self, cell: str, look: CellLook, stage: Stage) -> Image.Image:
        """The tile (L) of *cell* with *look*; cells whose own ground is covered share it."""
        if stage.art.covers(look):
            cell = stage.geometry.models[stage.geometry.kinds[cell]]
        return self._cache.get(("tile", stage.key, cell, look), lambda: self._tile(cell, look, stage), _bytes)

    def trail(self, onto: Image.Image, start: str, end: str, stage: Stage) -> None:
        """Draw the way from *start* to *end* over everything on *onto*."""
        geometry, theme, art = stage.geometry, stage.theme, stage.art
        (x0, y0), (x1, y1) = geometry.middle(start), geometry.middle(end)
        length, pitch = math.hypot(x1 - x0, y1 - y0), geometry.pitch
        direction = (x1 - x0) / length, (y1 - y0) / length
        reach = length - pitch * (art.piece_radius + _CLEARANCE)
        key = stage.sprite_key
        for distance, radius in _dots(art.trail_start, reach / pitch):
            dot = self._cache.get(
                ("dot", key, radius), partial(art.trail_dot, pitch, radius, theme, self.fonts), _bytes
            )
            _overlay(onto, dot, (x0 + direction[0] * distance * pitch, y0 + direction[1] * distance * pitch), stage)
        rounded = round(direction[0], 2), round(direction[1], 2)
        head = self._cache.get(
            ("head", key, rounded), partial(art.trail_head, pitch, rounded, theme, self.fonts), _bytes
        )
        _overlay(onto, head, (x0 + direction[0] * reach, y0 + direction[1] * reach), stage)

    def warm(self, stage: Stage) -> None:
        """Make the empty board and the tiles that every match needs."""
        self.empty(stage)
        for side in (1, 2):
            for bars in range(2 ** len(stage.art.directions)):
                for cell in stage.geometry.models.values():
                    self.tile(cell, CellLook(side, bars), stage)

    def compose(self, ground: Image.Image, look: CellLook, art: Art, geometry: Geometry, theme: Theme) -> None:
        """Paint the parts of *look* over *ground*, the RGB picture of one tile."""
        for part in art.parts(look):
            sprite = self._sprite(part, art, geometry, theme)
            ground.paste(sprite, (0, 0), sprite)

    def _tile(self, cell: str, look: CellLook, stage: Stage) -> Image.Image:
        left, top = stage.geometry.tiles[cell]
        width, height = stage.geometry.tile
        image = stage.palette.colour(self.empty(stage).crop((left, top, left + width, top + height)))
        self.compose(image, look, stage.art, stage.geometry, stage.theme)
        if ink := stage.art.name_ink(look, stage.theme):
            font = self.fonts(round(stage.art.name_size * stage.geometry.pitch))
            ImageDraw.Draw(image).text((width / 2, height / 2), cell, fill=ink, font=font, anchor="mm")
        return stage.palette.index(image)

    def _sprite(self, part: Part, art: Art, geometry: Geometry, theme: Theme) -> Image.Image:
        return self._cache.get(
            ("sprite", art.key, theme.key, geometry.tile, part),
            lambda: art.paint(part, geometry, theme, self.fonts),
            _bytes,
        )

    def _mask(self, geometry: Geometry) -> Image.Image:
        return self._cache.get(("mask", geometry.tile), lambda: _hexagon_mask(geometry), _bytes)


def _dots(start: float, reach: float) -> Iterator[tuple[float, float]]:
    """Distance from the old place and radius of each dot, in pitches, from *start* on, growing towards *reach*."""
    count = max(1, int((reach - 0.1) / _STEP))
    for i in range(count):
        distance = reach - (count - i) * _STEP
        if distance >= start:
            yield distance, round(0.04 + 0.035 * i / count, 2)


def _overlay(onto: Image.Image, sprite: Image.Image, at: Point, stage: Stage) -> None:
    left, top = math.floor(at[0] - sprite.width / 2 + 0.5), math.floor(at[1] - sprite.height / 2 + 0.5)
    under = stage.palette.colour(onto.crop((left, top, left + sprite.width, top + sprite.height)))
    under.paste(sprite, (0, 0), sprite)
    onto.paste(stage.palette.index(under), (left, top))


def _hexagon_mask(geometry: Geometry) -> Image.Image:
    """The pixels of a cell; a little more than its share, since a gap would show and an overlap does not."""
    width, height = geometry.tile
    mask = Image.new("1", (width, height))
    points = [(x + width / 2 - 0.5, y + height / 2 - 0.5) for x, y in hexagon_points(geometry.radius * 1.01)]
    ImageDraw.Draw(mask).polygon(points, fill=1)
    return mask


def _bytes(image: Image.Image) -> int:
    return image.width * image.height * len(image.getbands())
