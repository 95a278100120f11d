"""The renderer: a scene in, a PNG file out."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from PIL import Image

from renderers import pngfile
from renderers.art import ARTS
from renderers.art.base import Art
from renderers.board import Boards
from renderers.cache import ByteCache
from renderers.cards import Cards
from renderers.cells import looks, trails
from renderers.course import CoursePictures
from renderers.fontbook import FontBook
from renderers.geometry import POSTED_WIDTH
from renderers.labels import Labels
from renderers.palette import Palette
from renderers.scene import Scene
from renderers.sheet import make_palette
from renderers.stage import Stage
from renderers.theme import THEMES, Theme

DEFAULT_LIMIT: Final = 80_000_000  # bytes


class SceneError(ValueError):
    """A scene that cannot be drawn (unknown game, size, theme, cell or width): the fault of whoever built it."""


class Renderer:
    """Draws scenes and keeps what it can use again, *limit* bytes in all.

    Meant for one render thread; several may call it, they draw one after the other. *font_directories*: where to look
    for Chinese, Japanese, Korean and emoji fonts; the platform's own directories if None. *arts*: the games' looks.
    """

    def __init__(
        self,
        limit: int = DEFAULT_LIMIT,
        font_directories: Sequence[Path] | None = None,
        arts: Mapping[str, Art] = ARTS,
    ) -> None:
        self.limit = limit
        self._arts = arts
        self._lock = threading.Lock()
        self._cache = ByteCache(limit)
        self._book = FontBook(self._cache, font_directories)
        self._boards = Boards(self._book, self._cache)
        labels = Labels(self._book, self._cache)
        self._cards = Cards(labels, self._cache)
        self._courses = CoursePictures(labels)

    @property
    def cached_bytes(self) -> int:
        """What is kept now."""
        return self._cache.used

    @property
    def fonts(self) -> FontBook:
        """The fonts that were found."""
        return self._book

    def draw(self, scene: Scene, width: int = POSTED_WIDTH) -> bytes:
        """The PNG file of *scene*, *width* pixels wide (even, 200 to 1280), opaque, height even and at most 1280.

        :raises SceneError: if the scene or the width makes no sense.
        """
        picture, palette = self.indexes(scene, width)
        return pngfile.encode(picture, palette.data)

    def indexes(self, scene: Scene, width: int = POSTED_WIDTH, *, still: bool = False) -> tuple[Image.Image, Palette]:
        """The picture as palette indexes (mode L) and its palette; *still*: with names alone on the cards.

        :raises SceneError: if the scene or the width makes no sense.
        """
        with self._lock:
            stage = self._stage(scene.game, scene.size, scene.theme, width, flipped=scene.flipped)
            if scene.course is None:
                picture = self._board(scene, stage)
            else:
                picture = self._courses.draw(scene.course, stage, self._small_board)
            for side, card in enumerate(scene.cards, start=1):
                self._cards.paste(picture, card, side, stage, still=still)
            return picture, stage.palette

    def _board(self, scene: Scene, stage: Stage) -> Image.Image:
        """The picture of *scene* with an empty header."""
        picture = self._boards.empty(stage).copy()
        try:
            cells = looks(scene, stage.geometry)
        except KeyError as error:
            raise SceneError(f"{scene.game} of size {scene.size} has no cell {error}") from error
        self._boards.paste(picture, cells, stage)
        for start, end in trails(scene, stage.geometry):
            self._boards.trail(picture, start, end, stage)
        return picture

    def _small_board(self, scene: Scene, width: int) -> Image.Image:
        """The board of *scene* alone, *width* pixels wide."""
        stage = self._stage(scene.game, scene.size, scene.theme, width, flipped=scene.flipped)
        picture = self._board(scene, stage)
        return picture.crop((0, stage.geometry.header, picture.width, picture.height))

    def warm(self, game: str, size: int, theme: str, width: int = POSTED_WIDTH) -> None:
        """Make what every picture of this game, size and theme needs.

        :raises SceneError: if there is no such game, size or theme.
        """
        with self._lock:
            self._boards.warm(self._stage(game, size, theme, width, flipped=False))

    def _stage(self, game: str, size: int, theme: str, width: int, *, flipped: bool) -> Stage:
        art, look = self._arts.get(game), THEMES.get(theme)
        if art is None or look is None:
            raise SceneError(f"no game {game!r} or no theme {theme!r}")
        try:
            geometry = self._cache.get(
                ("geometry", game, size, width, flipped),
                lambda: art.geometry(size, width, flipped=flipped),
                lambda found: 800 * len(found.tiles),
            )
        except ValueError as error:
            raise SceneError(str(error)) from error
        return Stage(art, size, geometry, look, self._palette(art, look), flipped)

    def _palette(self, art: Art, theme: Theme) -> Palette:
        return self._cache.get(
            ("palette", art.key, theme.key),
            lambda: make_palette(art, theme, self._boards),
            lambda palette: palette.bytes,
        )
