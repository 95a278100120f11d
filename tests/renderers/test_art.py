"""The games' art: palettes hold what they promise, marks stay inside their cells, a third game is one class."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import pytest
from PIL import Image, ImageDraw

from renderers import geometry as geo
from renderers.art import ARTS
from renderers.art.base import Art, Kind, MarkStyle, Part
from renderers.board import Boards
from renderers.cache import ByteCache
from renderers.canvas import Fonts, Pen
from renderers.cells import CellLook
from renderers.fontbook import FontBook
from renderers.geometry import Geometry
from renderers.palette import COLOURS, UNCHANGED, Palette, Ramp
from renderers.png import Renderer
from renderers.scene import Card, CardState, Scene
from renderers.sheet import make_palette, sample_looks
from renderers.text import board_text
from renderers.theme import THEMES, Colour, Theme
from rules import GAMES
from rules.board import Board, square
from tests.renderers.pictures import changed_pixels, read
from tests.renderers.scenes import ayu, middle_game, volo, with_hints, won


@pytest.fixture(scope="module")
def boards() -> Boards:
    cache = ByteCache(80_000_000)
    return Boards(FontBook(cache, directories=()), cache)


def test_every_game_has_its_art() -> None:
    assert set(ARTS) == set(GAMES)


@pytest.mark.parametrize("theme", THEMES.values(), ids=lambda theme: theme.key)
@pytest.mark.parametrize("art", ARTS.values(), ids=lambda art: art.key)
def test_large_areas_have_their_exact_colours(art: Art, theme: Theme, boards: Boards) -> None:
    palette = make_palette(art, theme, boards)
    assert len(palette.colours) == len(set(palette.colours)) <= COLOURS
    areas = {theme.page, *(card.fill for card in theme.cards.values()), *art.flats(theme)}
    for area in areas:
        image = Image.new("RGB", (3, 3), area)
        assert palette.colour(palette.index(image)).tobytes() == image.tobytes()


@pytest.mark.parametrize("scene", [with_hints(ayu()), won(volo("patterns"))])
def test_the_index_for_unchanged_pixels_is_never_used(scene: Scene, renderer: Renderer) -> None:
    assert max(renderer.indexes(scene)[0].tobytes()) < UNCHANGED


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("game", list(ARTS))
def test_the_palette_hardly_changes_what_is_drawn(game: str, theme: str, boards: Boards) -> None:
    art, look = ARTS[game], THEMES[theme]
    geometry = art.geometry(art.sample_size, 1000, flipped=False)
    cell = list(geometry.tiles)[len(geometry.tiles) // 2]
    left, top = geometry.tiles[cell]
    box = (left, top, left + geometry.tile[0], top + geometry.tile[1])
    ground, palette = boards.ground(art, geometry, look), make_palette(art, look, boards)
    for sample in sample_looks(art, look):
        exact = ground.crop(box)
        boards.compose(exact, sample, art, geometry, look)
        shown = palette.colour(palette.index(exact))
        off = changed_pixels(exact, shown, tolerance=40) / (exact.width * exact.height)
        assert off < 0.01, sample


@pytest.mark.parametrize("theme", THEMES.values(), ids=lambda theme: theme.key)
@pytest.mark.parametrize("art", ARTS.values(), ids=lambda art: art.key)
def test_every_kind_of_part_paints_something(art: Art, theme: Theme, boards: Boards) -> None:
    geometry = art.geometry(art.sample_size, 500, flipped=False)
    for kind in Kind:
        sprite = art.paint(Part(kind, 1, 1), geometry, theme, boards.fonts)
        assert sprite.size == geometry.tile
        assert sprite.getchannel("A").getbbox() is not None, kind


def test_a_palette_of_too_many_colours_is_refused() -> None:
    with pytest.raises(ValueError, match="too many"):
        Palette.build([(i, 0, 0) for i in range(256)], [], Image.new("RGB", (4, 4)))


def test_a_ramp_keeps_its_ends() -> None:
    palette = Palette.build([(0, 0, 0)], [Ramp((10, 20, 30), (210, 220, 230), 4)], Image.new("RGB", (4, 4)))
    assert {(10, 20, 30), (110, 120, 130), (210, 220, 230)} <= set(palette.colours)
    table = palette.text_table((10, 20, 30), (210, 220, 230))
    assert palette.colours[table[0]] == (10, 20, 30)
    assert palette.colours[table[255]] == (210, 220, 230)


class HashArt(Art):
    """A third game in one class: noughts and crosses."""

    key: ClassVar = "hash"
    sample_size: ClassVar = 3
    symbols: ClassVar = ("x", "o")
    directions: ClassVar = geo.SQUARE_DIRECTIONS
    piece_radius: ClassVar = 0.4
    bar_width: ClassVar = 0.2
    contour_width: ClassVar = 0.05
    faded_radius: ClassVar = 0.4

    def board(self, size: int) -> Board:
        """The empty board."""
        return square(size)

    def geometry(self, size: int, width: int, *, flipped: bool) -> Geometry:
        """Its geometry."""
        return geo.square(self.board(size), width, flipped=flipped)

    def ground(self, geometry: Geometry, theme: Theme, fonts: Fonts) -> Image.Image:
        """A plain field."""
        del fonts
        image = Image.new("RGB", (geometry.width, geometry.height), theme.page)
        ImageDraw.Draw(image).rectangle(geometry.frame, fill=(200, 220, 200))
        return image

    def marks(self, theme: Theme) -> MarkStyle:
        """Its colours."""
        return MarkStyle(
            last=(200, 0, 0),
            hint=theme.hint,
            hint_ink=theme.hint_ink,
            barred=(150, 0, 0),
            halo=theme.halo,
            win=(250, 200, 0),
            ground=(200, 220, 200),
            removed=((0, 0, 90), (90, 0, 0)),
        )

    def flats(self, theme: Theme) -> Sequence[Colour]:
        """Its field."""
        del theme
        return ((200, 220, 200),)

    def ramps(self, theme: Theme) -> Sequence[Ramp]:
        """No texts."""
        del theme
        return ()

    def piece(self, pen: Pen, theme: Theme, part: Part) -> None:
        """A cross or a nought."""
        del theme
        if part.side == 1:
            pen.stroke((-0.3, -0.3), (0.3, 0.3), 0.12, (0, 0, 90))
            pen.stroke((-0.3, 0.3), (0.3, -0.3), 0.12, (0, 0, 90))
        else:
            pen.ring(0.4, 0.12, (90, 0, 0))

    def bar(self, pen: Pen, theme: Theme, part: Part) -> None:
        """A thin bar."""
        del theme
        pen.bar(self.directions[part.arg], 0.6, self.bar_width, (120, 120, 160))

    def covers(self, look: CellLook) -> bool:
        """No names on cells."""
        del look
        return True


def test_a_third_game_is_one_class() -> None:
    renderer = Renderer(font_directories=(), arts={"hash": HashArt()})
    cards = Card("Ana", "", CardState.TO_MOVE), Card("Бо", "")
    scene = Scene("hash", 3, cards, first=("a1", "b2"), second=("c3",), mover=1, added=("b2",), dots=("a3",))
    image = read(renderer.draw(scene, 400))
    assert image.size == (400, 436)
    assert changed_pixels(image, read(renderer.draw(Scene("hash", 3, cards), 400)), 40) > 2000
    assert board_text(scene, {"hash": HashArt()}).split("\n")[3:] == [
        " 3  * . o",
        " 2  .(x).",
        " 1  x . .",
        "    a b c",
    ]


@pytest.mark.parametrize("game", list(ARTS))
def test_what_lies_on_one_cell_changes_no_other(game: str, renderer: Renderer) -> None:
    scene = Scene(game, middle_game(game).size, middle_game(game).cards)
    geometry = ARTS[game].geometry(scene.size, 1000, flipped=False)
    cell = "e5"
    left, top = geometry.tiles[cell]
    empty = read(renderer.draw(scene))
    for changes in (
        {"dots": (cell,)},
        {"numbered": (cell,)},
        {"barred": (cell,)},
        {"first": (cell,), "barred": (cell,)},
        {"first": (cell,)},
        {"second": (cell,), "selected": (cell,)},
    ):
        image = read(renderer.draw(Scene(game, scene.size, scene.cards, **changes)))  # type: ignore[arg-type]
        image.paste((0, 0, 0), (left, top, left + geometry.tile[0], top + geometry.tile[1]))
        bare = empty.copy()
        bare.paste((0, 0, 0), (left, top, left + geometry.tile[0], top + geometry.tile[1]))
        assert changed_pixels(image, bare) == 0
