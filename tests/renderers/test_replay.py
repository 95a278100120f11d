"""Replays: the frames of a GIF are the pictures, one after the other."""

from __future__ import annotations

from dataclasses import replace
from io import BytesIO
from typing import Final

import pytest
from PIL import Image, ImageSequence

from renderers import giffile
from renderers.art import ARTS
from renderers.png import Renderer, SceneError
from renderers.replay import replay
from renderers.scene import CardState, Scene
from rules import GAMES
from rules.record import Record
from tests.renderers.pictures import changed_pixels, read
from tests.renderers.scenes import ayu, volo, won

MOVES: Final = {"ayu": ["b1-b2", "a2-a3", "d1-d2"], "volo": ["d4", "h9"]}


def match(game: str, moves: list[str]) -> list[Scene]:
    """The pictures of a real match."""
    record = Record.replay(GAMES[game], GAMES[game].default_size, moves)
    scenes = []
    for ply in range(len(moves) + 1):
        part = record.upto(ply)
        names, position = part.position.board.names, part.position
        change = part.last_change
        template = ayu() if game == "ayu" else volo()
        states = [CardState.TO_MOVE if position.to_move == side else CardState.WAITS for side in (1, 2)]
        first, second = (replace(card, state=state) for card, state in zip(template.cards, states, strict=True))
        sides = (position.to_move, position.to_move.other)[:: 1 if position.to_move == 1 else -1]
        scenes.append(
            replace(
                template,
                cards=(first, second),
                first=names(position.pieces(sides[0])),
                second=names(position.pieces(sides[1])),
                mover=3 - position.to_move if ply else 0,
                moved=change.moved,
                added=change.added,
            )
        )
    return scenes


def frames(data: bytes) -> list[tuple[Image.Image, int]]:
    """The full pictures of a GIF and their milliseconds."""
    with Image.open(BytesIO(data)) as image:
        return [(frame.convert("RGB"), int(frame.info["duration"])) for frame in ImageSequence.Iterator(image)]


@pytest.mark.parametrize("game", ["ayu", "volo"])
def test_the_frames_are_the_pictures(game: str, renderer: Renderer) -> None:
    scenes = match(game, MOVES[game])
    data = replay(scenes, renderer, width=400)
    found = frames(data)
    assert len(found) == len(scenes)
    header = ARTS[game].geometry(scenes[0].size, 400, flipped=False).header
    for (frame, _), scene in zip(found, scenes, strict=True):
        want = read(renderer.draw(scene, 400))
        below = (0, header, *frame.size)
        assert changed_pixels(frame.crop(below), want.crop(below)) == 0
    assert changed_pixels(found[-1][0], read(renderer.draw(scenes[-1], 400))) == 0


def test_the_header_is_still_but_for_the_turn(renderer: Renderer) -> None:
    scenes = match("ayu", MOVES["ayu"])
    changed = [
        replace(scene, cards=(replace(scene.cards[0], line=str(i)), scene.cards[1])) for i, scene in enumerate(scenes)
    ]
    one, other = (frames(replay(variant, renderer, width=400)) for variant in (scenes, changed))
    assert [changed_pixels(a[0], b[0]) for a, b in zip(one, other, strict=True)][:-1] == [0] * (len(scenes) - 1)
    card = (0, 0, 200, 50)
    assert changed_pixels(one[0][0].crop(card), one[1][0].crop(card), 30) >= 40
    assert changed_pixels(one[0][0].crop(card), one[2][0].crop(card)) == 0


def test_the_last_frame_is_held_and_it_runs_for_ever(renderer: Renderer) -> None:
    scenes = [*match("ayu", MOVES["ayu"])[:-1], won(ayu())]
    data = replay(scenes, renderer, width=400, move_ms=700, hold_ms=5000)
    assert [time for _, time in frames(data)] == [700, 700, 700, 5000]
    with Image.open(BytesIO(data)) as image:
        assert image.info["loop"] == 0


def test_a_long_match_runs_faster(renderer: Renderer) -> None:
    scenes = match("ayu", MOVES["ayu"]) * 40
    times = [time for _, time in frames(replay(scenes, renderer, width=202))]
    assert 250 <= times[0] < 900
    assert sum(times) < 100_000


def test_one_scene_is_a_replay_too(renderer: Renderer) -> None:
    (frame,) = frames(replay([volo()], renderer, width=400))
    assert changed_pixels(frame[0], read(renderer.draw(volo(), 400))) == 0


def test_a_repeated_picture_lasts_longer() -> None:
    black, white = (Image.new("L", (4, 4), index) for index in (0, 1))
    data = giffile.encode(
        [(black, 100), (black, 200), (white, 100), (white, 50)], bytes([0, 0, 0, 255, 255, 255] * 128)
    )
    assert [(frame.getpixel((1, 1)), time) for frame, time in frames(data)] == [
        ((0, 0, 0), 300),
        ((255, 255, 255), 150),
    ]


def test_nothing_to_show_is_refused(renderer: Renderer) -> None:
    with pytest.raises(SceneError, match="at least one"):
        replay([], renderer)
    with pytest.raises(ValueError, match="no frames"):
        giffile.encode([], bytes(768))


@pytest.mark.parametrize("other", [volo(), ayu("dark"), replace(ayu(), flipped=True), replace(ayu(), size=13)])
def test_scenes_of_different_kinds_are_refused(other: Scene, renderer: Renderer) -> None:
    with pytest.raises(SceneError, match="differ"):
        replay([ayu(), other], renderer)
