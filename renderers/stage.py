"""What is fixed for a picture before anything is known of the position: art, geometry, theme and palette."""

from __future__ import annotations

from dataclasses import dataclass

from renderers.art.base import Art
from renderers.geometry import Geometry
from renderers.palette import Palette
from renderers.theme import Theme


@dataclass(frozen=True, slots=True)
class Stage:
    """One game's board of one size, width, theme and orientation. Two stages are equal if their keys are."""

    art: Art
    size: int
    geometry: Geometry
    theme: Theme
    palette: Palette
    flipped: bool

    @property
    def key(self) -> tuple[object, ...]:
        """What the looks of the empty board and of its tiles depend on."""
        return self.art.key, self.size, self.theme.key, self.geometry.width, self.flipped

    @property
    def sprite_key(self) -> tuple[object, ...]:
        """What the look of a sprite depends on."""
        return self.art.key, self.theme.key, self.geometry.tile
