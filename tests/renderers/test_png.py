"""The PNG files: every scene draws, every field is to be seen, nothing that makes no sense gets through."""

from __future__ import annotations

import random
import struct
import zlib
from collections.abc import Callable, Mapping
from dataclasses import fields, replace
from io import BytesIO
from typing import Final

import pytest
from PIL import Image

from renderers.png import Renderer, SceneError
from renderers.scene import Card, CardState, Scene
from renderers.theme import THEMES
from tests.renderers.pictures import changed_pixels, read
from tests.renderers.scenes import (
    ALL_BOARDS,
    ayu,
    board,
    cleared,
    empty_cells,
    middle_game,
    opening,
    volo,
    walled,
    with_course,
    with_hints,
    with_numbers,
    won,
)

GAMES: Final = ("ayu", "volo")


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize(("game", "size"), ALL_BOARDS)
def test_every_size_draws_in_every_theme(game: str, size: int, theme: str, renderer: Renderer) -> None:
    data = renderer.draw(opening(game, size, theme))
    with Image.open(BytesIO(data)) as image:
        image.load()
        assert image.format == "PNG"
        assert image.mode == "P"
        assert "transparency" not in image.info
        assert image.width == 1000
        assert image.height % 2 == 0
        assert image.height <= 1280
    assert len(data) <= 100_000


@pytest.mark.parametrize(("game", "size"), ALL_BOARDS)
def test_the_busiest_board_stays_small(game: str, size: int, renderer: Renderer) -> None:
    for theme in THEMES:
        cells = list(board(game, size).cells)
        random.Random(1).shuffle(cells)
        part = len(cells) // 10
        busy = replace(
            opening(game, size, theme),
            first=tuple(cells[: 4 * part]),
            second=tuple(cells[4 * part : 8 * part]),
            dots=tuple(cells[6 * part : 9 * part]),
            numbered=tuple(cells[9 * part :]),
        )
        assert len(renderer.draw(busy)) <= 100_000


@pytest.mark.parametrize(
    "scene", [with_hints(ayu()), with_numbers(volo()), won(ayu("dark")), walled(), cleared("dark")]
)
@pytest.mark.parametrize("width", [202, 400, 500, 1178])
def test_other_widths_draw_the_same_things(scene: Scene, width: int, renderer: Renderer) -> None:
    image = read(renderer.draw(scene, width))
    large = read(renderer.draw(scene))
    assert image.width == width
    shape = image.size, (large.width, large.height)
    assert shape[0][0] / shape[0][1] == pytest.approx(shape[1][0] / shape[1][1], abs=0.04)
    # Reduced to the size of a thumb both show the same.
    thumbs = [picture.resize((40, 40), Image.Resampling.BOX) for picture in (image, large)]
    assert changed_pixels(thumbs[0], thumbs[1], tolerance=90) < 60


def test_the_file_holds_nothing_but_the_picture(renderer: Renderer) -> None:
    data = renderer.draw(ayu())
    kinds, at = [], 8
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at : at + 8])
        content = data[at + 8 : at + 8 + length]
        assert struct.unpack(">I", data[at + 8 + length : at + 12 + length])[0] == zlib.crc32(kind + content)
        kinds.append(kind)
        at += 12 + length
    assert kinds == [b"IHDR", b"PLTE", b"IDAT", b"IEND"]


def test_the_same_scene_gives_the_same_bytes(renderer: Renderer) -> None:
    assert renderer.draw(volo()) == renderer.draw(volo()) == Renderer(font_directories=()).draw(volo())


def _with_card(scene: Scene, **changes: object) -> Scene:
    return replace(scene, cards=(replace(scene.cards[0], **changes), scene.cards[1]))  # type: ignore[arg-type]


CARD_CHANGES: Final[Mapping[str, Callable[[Scene], tuple[Scene, Scene]]]] = {
    "name": lambda scene: (scene, _with_card(scene, name="Zoë")),
    "line": lambda scene: (scene, _with_card(scene, line="1 unit")),
    "state": lambda scene: (_with_card(scene, state=CardState.WAITS), _with_card(scene, state=CardState.WON)),
    "fallback": lambda scene: (_with_card(scene, name="\u3164"), _with_card(scene, name="\u3164", fallback="zoe")),
}

_PLAIN: Final = {"mover": 0, "moved": (), "added": (), "removed": ()}

CHANGES: Final[Mapping[str, Callable[[Scene], tuple[Scene, Scene]]]] = {
    "game": lambda scene: (scene, opening("volo" if scene.game == "ayu" else "ayu", 7)),
    "size": lambda scene: (scene, opening(scene.game, 6 if scene.game == "volo" else 9)),
    "cards": lambda scene: (scene, replace(scene, cards=(scene.cards[1], scene.cards[0]))),
    "first": lambda scene: (scene, replace(scene, first=scene.first[:-1])),
    "second": lambda scene: (scene, replace(scene, second=scene.second[1:])),
    "mover": lambda scene: (scene, replace(scene, mover=3 - scene.mover)),
    "moved": lambda scene: (scene, replace(scene, moved=())),
    "added": lambda scene: (scene, replace(scene, added=scene.first[-1:])),
    "removed": lambda scene: (scene, replace(scene, removed=tuple(empty_cells(scene)[3:5]))),
    "dots": lambda scene: (scene, replace(scene, dots=tuple(empty_cells(scene)[8:9]))),
    "numbered": lambda scene: (scene, replace(scene, numbered=tuple(empty_cells(scene)[8:9]))),
    "barred": lambda scene: (scene, replace(scene, barred=tuple(empty_cells(scene)[8:9]))),
    "selected": lambda scene: (scene, replace(scene, selected=scene.first[:1])),
    "regions": lambda scene: (scene, replace(scene, regions=(tuple(empty_cells(scene)[8:12]),))),
    "winners": lambda scene: (scene, replace(scene, winners=scene.first)),
    "beaten": lambda scene: (scene, replace(scene, beaten=1)),
    "flipped": lambda scene: (scene, replace(scene, flipped=True)),
    "theme": lambda scene: (scene, replace(scene, theme="dark")),
    "course": lambda scene: (scene, with_course(scene)),
}


def test_no_field_is_forgotten_here() -> None:
    assert set(CHANGES) == {field.name for field in fields(Scene)}
    assert set(CARD_CHANGES) == {field.name for field in fields(Card)}


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("field", [*CHANGES, *(f"card.{name}" for name in CARD_CHANGES)])
def test_every_field_changes_the_picture(field: str, game: str, theme: str, renderer: Renderer) -> None:
    change = CARD_CHANGES[field[5:]] if field.startswith("card.") else CHANGES[field]
    before, after = (
        read(renderer.draw(scene, 400)) for scene in change(middle_game(game, theme if field != "theme" else "light"))
    )
    assert changed_pixels(before, after, tolerance=16) >= 60


@pytest.mark.parametrize("game", GAMES)
def test_a_dot_a_number_and_a_choice_differ_on_pieces_too(game: str, renderer: Renderer) -> None:
    scene = replace(middle_game(game), **_PLAIN)  # type: ignore[arg-type]
    piece = scene.first[:1]
    looks = [
        read(renderer.draw(changed, 400))
        for changed in (
            scene,
            replace(scene, dots=piece),
            replace(scene, numbered=piece),
            replace(scene, selected=piece),
            replace(scene, winners=piece),
            replace(scene, added=piece, mover=1),
        )
    ]
    for i, look in enumerate(looks):
        for other in looks[i + 1 :]:
            assert changed_pixels(look, other, tolerance=24) >= 40


def test_where_no_one_moved_a_removed_piece_is_nobodys(renderer: Renderer) -> None:
    scene = replace(volo(), **_PLAIN)  # type: ignore[arg-type]
    free = tuple(empty_cells(scene)[:1])
    pictures = [read(renderer.draw(replace(scene, removed=free, mover=mover), 400)) for mover in (0, 1, 2)]
    assert changed_pixels(pictures[0], read(renderer.draw(scene, 400)), tolerance=24) >= 40
    assert changed_pixels(pictures[1], pictures[2], tolerance=16) >= 40


def test_numbers_of_three_digits_fit_their_disc(renderer: Renderer) -> None:
    scene = replace(opening("volo", 8), numbered=tuple(empty_cells(opening("volo", 8))))
    assert len(scene.numbered) > 100
    assert read(renderer.draw(scene)).width == 1000


@pytest.mark.parametrize(
    ("scene", "message"),
    [
        (replace(ayu(), game="chess"), "chess"),
        (replace(ayu(), theme="pink"), "pink"),
        (replace(ayu(), size=10), "10"),
        (replace(ayu(), first=("l1",)), "l1"),
        (replace(ayu(), dots=("a12",)), "a12"),
        (replace(ayu(), moved=(("z9", "a1"),)), "z9"),
        (replace(volo(), regions=(("g7",),)), "g7"),
        (replace(volo(), winners=("a1",)), "a1"),
    ],
)
def test_a_scene_that_makes_no_sense_is_refused(scene: Scene, message: str, renderer: Renderer) -> None:
    with pytest.raises(SceneError, match=message):
        renderer.draw(scene)


@pytest.mark.parametrize("width", [0, 501, 1300])
def test_a_width_that_makes_no_sense_is_refused(width: int, renderer: Renderer) -> None:
    with pytest.raises(SceneError, match=str(width)):
        renderer.draw(ayu(), width)


@pytest.mark.parametrize(
    "scene", [replace(ayu(), first=(), second=(), moved=()), replace(volo(), moved=(("a2", "a2"),))]
)
def test_an_empty_board_and_a_move_to_nowhere_draw(scene: Scene, renderer: Renderer) -> None:
    assert read(renderer.draw(scene)).width == 1000
