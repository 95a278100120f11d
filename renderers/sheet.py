"""The sheet of everything that can appear on a game's board, from which its palette is made."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from PIL import Image

from renderers.art.base import Art
from renderers.board import Boards
from renderers.cells import DOT, CellLook, Last
from renderers.geometry import Geometry
from renderers.palette import Palette, Ramp
from renderers.scene import CardState
from renderers.theme import Theme

_WIDTH: Final = 500  # pixels: of the board whose parts are laid on the sheet
_COLUMNS: Final = 12


def make_palette(art: Art, theme: Theme, boards: Boards) -> Palette:
    """The palette of *art* in *theme*; the same for all sizes and widths."""
    geometry = art.geometry(art.sample_size, _WIDTH, flipped=False)
    cards = theme.cards.values()
    flats = [theme.page, *(card.fill for card in cards), *art.flats(theme)]
    ramps = [Ramp(theme.page, theme.coordinate), *art.ramps(theme)]
    ramps += [Ramp(card.fill, ink) for card in cards for ink in (card.name, card.line)]
    style = art.marks(theme)
    ramps += [
        Ramp(ink, ground, 4) for ink in (style.last, style.hint, style.barred) for ground in (style.halo, style.ground)
    ]
    return Palette.build(flats, ramps, _sheet(art, theme, geometry, boards))


def _sheet(art: Art, theme: Theme, geometry: Geometry, boards: Boards) -> Image.Image:
    tiles = [*_tiles(art, theme, geometry, boards), *_icons(art, theme, geometry, boards)]
    width, height = geometry.tile
    rows = -(-len(tiles) // _COLUMNS)
    sheet = Image.new("RGB", (_COLUMNS * width, rows * height), art.marks(theme).ground)
    for i, tile in enumerate(tiles):
        sheet.paste(tile, (i % _COLUMNS * width, i // _COLUMNS * height))
    return sheet


def _tiles(art: Art, theme: Theme, geometry: Geometry, boards: Boards) -> Iterator[Image.Image]:
    ground = boards.ground(art, geometry, theme)
    cell = sorted(geometry.tiles, key=lambda name: geometry.kinds[name])[len(geometry.tiles) // 2]
    left, top = geometry.tiles[cell]
    bare = ground.crop((left, top, left + geometry.tile[0], top + geometry.tile[1]))
    for look in sample_looks(art, theme):
        tile = bare.copy()
        boards.compose(tile, look, art, geometry, theme)
        yield tile
    for sprite in (
        art.trail_dot(geometry.pitch, 0.06, theme, boards.fonts),
        art.trail_head(geometry.pitch, (0.6, 0.8), theme, boards.fonts),
    ):
        tile = bare.copy()
        tile.paste(sprite, (0, 0), sprite)
        yield tile


def _icons(art: Art, theme: Theme, geometry: Geometry, boards: Boards) -> Iterator[Image.Image]:
    for state in CardState:
        for side in (1, 2):
            tile = Image.new("RGB", geometry.tile, theme.cards[state].fill)
            icon = art.icon(side, min(geometry.tile), theme, theme.cards[state].fill, boards.fonts)
            tile.paste(icon, (0, 0), icon)
            yield tile


def sample_looks(art: Art, theme: Theme) -> Iterator[CellLook]:
    """One look for everything that can be seen on a cell."""
    every = 2 ** len(art.directions) - 1
    yield CellLook(hint=DOT)
    yield CellLook(hint=8)
    yield CellLook(barred=True)
    for side in (1, 2):
        yield CellLook(side, every)
        yield CellLook(side, every, outlined=True)
        yield CellLook(side, 1, last=Last.REACHED)
        yield CellLook(side, last=Last.ADDED)
        yield CellLook(side, faded=True)
        yield CellLook(side, selected=True)
        yield CellLook(side, hint=DOT)
        yield CellLook(side, hint=8)
        yield CellLook(side, barred=True)
        yield CellLook(last=Last.LEFT, owner=side)
        yield CellLook(last=Last.REMOVED, owner=side)
    for region in range(1, len(theme.regions) + 1):
        yield CellLook(region=region)
        yield CellLook(region=region, badge=region)
