"""The header: two cards with a piece, a name and a line. The filled card is to move, the golden one has won."""

from __future__ import annotations

from typing import Final

from PIL import Image

from renderers.cache import ByteCache
from renderers.canvas import rounded_mask
from renderers.geometry import Box, Geometry
from renderers.labels import Label, Labels
from renderers.palette import Palette
from renderers.scene import Card, CardState
from renderers.stage import Stage
from renderers.theme import Colour

_GAP: Final = 16
_TOP: Final = 12
_BOTTOM: Final = 8


class Cards:
    """Draws cards as palette indexes."""

    def __init__(self, labels: Labels, cache: ByteCache) -> None:
        self._labels = labels
        self._cache = cache

    def box(self, geometry: Geometry, side: int) -> Box:
        """Where the card of *side* lies in the picture."""
        gap, top = geometry.length(_GAP), geometry.length(_TOP)
        width = (geometry.width - 3 * gap) // 2
        left = gap + (side - 1) * (width + gap)
        return left, top, left + width, geometry.header - geometry.length(_BOTTOM)

    def paste(self, onto: Image.Image, card: Card, side: int, stage: Stage, *, still: bool = False) -> None:
        """Put the *card* of *side* on the index picture; *still*: as in a replay, a name and a bar for the turn."""
        geometry, theme, palette = stage.geometry, stage.theme, stage.palette
        state, marked = (CardState.WAITS, card.state is not CardState.WAITS) if still else (card.state, False)
        left, top, right, _ = self.box(geometry, side)
        base = self._cache.get(
            ("card", stage.art.key, theme.key, geometry.width, side, state, marked),
            lambda: palette.index(self._base(stage, side, state, marked=marked)),
            lambda image: image.width * image.height,
        )
        onto.paste(base, (left, top))
        inks, px = theme.cards[state], geometry.length
        room = right - left - px(134)
        name = self._labels.name(card.name, card.fallback, [px(size) for size in (42, 38, 34)], room)
        name_line = px(64) if still else px(73)
        if card.line and not still:
            sizes = [px(size) for size in (30, 28, 26, 24, 22)]
            line = self._labels.line(card.line, sizes, right - left - px(128))
            write(onto, line, (left + px(117), top + px(93) - line.baseline), palette, (inks.fill, inks.line))
            name_line = px(50) - _rise(name, px(93) - line.above - px(50), px(50) - px(8))
        write(onto, name, (left + px(116), top + name_line - name.baseline), palette, (inks.fill, inks.name))

    def _base(self, stage: Stage, side: int, state: CardState, *, marked: bool) -> Image.Image:
        geometry, theme, px = stage.geometry, stage.theme, stage.geometry.length
        left, top, right, bottom = self.box(geometry, side)
        width, height, fill = right - left, bottom - top, theme.cards[state].fill
        image = Image.new("RGB", (width, height), theme.page)
        image.paste(fill, (0, 0), rounded_mask(width, height, px(20)))
        icon = stage.art.icon(side, px(92), theme, fill, self._labels.book.ui_face)
        image.paste(icon, (px(60) - icon.width // 2, (height - icon.height) // 2), icon)
        if marked:
            bar = rounded_mask(px(130), px(10), px(5))
            image.paste(theme.cards[CardState.TO_MOVE].fill, (px(117), height - px(24)), bar)
        return image


def _rise(name: Label, room: int, most: int) -> int:
    """How far a name goes up whose dots and marks would reach below *room*; its top stays within *most*."""
    return max(0, min(name.below - room, most - name.above))


def write(
    onto: Image.Image, label: Label, at: tuple[int, int], palette: Palette, colours: tuple[Colour, Colour]
) -> None:
    """Put *label* on a flat ground of *colours* (ground, ink); where it is empty, what lies there stays."""
    line = label.mask.point(palette.text_table(*colours))
    if label.over is not None:
        rgb = palette.colour(line)
        rgb.paste(label.over, (0, 0), label.over)
        line = palette.index(rgb)
    onto.paste(line, at, label.shown)
