"""What a renderer keeps stays within its bound, and two threads may use one."""

from __future__ import annotations

import random
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from renderers.cache import ByteCache
from renderers.png import Renderer
from renderers.scene import Scene
from tests.renderers.scenes import ayu, board, opening

BOARDS = [("ayu", 5), ("volo", 6), ("ayu", 9)]


def random_scene(dice: random.Random) -> Scene:
    """A board with any pieces, marks and names."""
    game, size = dice.choice(BOARDS)
    cells = list(board(game, size).cells)
    dice.shuffle(cells)
    scene = opening(game, size, dice.choice(("light", "dark")))
    names = [
        "".join(chr(dice.choice((0x41, 0x430, 0x3B1, 0x627, 0x5D0, 0x10D0)) + dice.randrange(20)) for _ in range(8))
        for _ in "12"
    ]
    return replace(
        scene,
        first=tuple(cells[:10]),
        second=tuple(cells[10:18]),
        mover=1,
        moved=((cells[18], cells[0]),),
        dots=tuple(cells[8:22:2]),
        numbered=tuple(cells[17:21]) if dice.random() < 0.3 else (),
        cards=(replace(scene.cards[0], name=names[0]), replace(scene.cards[1], name=names[1])),
        flipped=dice.random() < 0.3,
    )


def test_the_cache_forgets_what_was_used_longest_ago() -> None:
    cache = ByteCache(3 * 1300)
    made: list[str] = []

    def get(key: str) -> str:
        def make() -> str:
            made.append(key)
            return key

        return cache.get(key, make, lambda _: 1000)

    for key in "abcadab":
        assert get(key) == key
    assert "".join(made) == "abcdb"
    assert len(cache) == 3
    assert cache.used <= cache.limit


def test_what_is_larger_than_the_bound_is_not_kept() -> None:
    cache = ByteCache(1000)
    assert cache.get("a", lambda: 1, lambda _: 2000) == 1
    assert cache.used == len(cache) == 0


def test_a_value_made_of_others_is_counted_once() -> None:
    cache = ByteCache(100_000)

    def outer() -> int:
        return cache.get("key", lambda: 1, lambda _: 10) + 1

    assert cache.get("key", outer, lambda _: 20) == 2
    assert len(cache) == 1
    assert cache.used == 20 + 300


@pytest.mark.parametrize("limit", [4_000_000, 8_000_000])
def test_a_renderer_stays_within_its_bound(limit: int) -> None:
    renderer, dice = Renderer(limit, font_directories=()), random.Random(limit)
    most = 0
    for _ in range(20):
        renderer.draw(random_scene(dice), dice.choice((202, 300)))
        most = max(most, renderer.cached_bytes)
    assert limit * 0.8 < most <= limit


def test_a_full_cache_draws_the_same(renderer: Renderer) -> None:
    cramped = Renderer(100_000, font_directories=())
    for scene in (opening("ayu", 5), opening("volo", 6)):
        assert cramped.draw(scene, 300) == renderer.draw(scene, 300)
    assert cramped.cached_bytes <= 100_000


def test_warming_makes_what_a_match_needs() -> None:
    renderer = Renderer(font_directories=())
    renderer.warm("ayu", 11, "light")
    warmed = renderer.cached_bytes
    renderer.draw(replace(ayu(), moved=()))
    # New are the cards, their letters' faces and the marks; the board and the stones were there.
    assert warmed > 2_000_000
    assert renderer.cached_bytes - warmed < warmed


def test_what_was_drawn_before_leaves_no_trace(renderer: Renderer) -> None:
    for flipped in (False, True):
        scene = replace(opening("volo", 6), flipped=flipped)
        for cell in ("a2", "f5", "k5"):
            renderer.draw(replace(scene, second=(cell,)), 300)
        assert renderer.draw(scene, 300) == Renderer(font_directories=()).draw(scene, 300)


def scenes(seed: int) -> Iterator[Scene]:
    dice = random.Random(seed)
    for _ in range(8):
        yield random_scene(dice)


def test_two_threads_draw_what_one_draws() -> None:
    alone = []
    for seed in (1, 2):
        renderer = Renderer(font_directories=())
        alone.append([renderer.draw(scene, 300) for scene in scenes(seed)])
    shared, start = Renderer(8_000_000, font_directories=()), threading.Barrier(2)

    def draw(seed: int) -> list[bytes]:
        start.wait()
        return [shared.draw(scene, 300) for scene in scenes(seed)]

    with ThreadPoolExecutor(2) as pool:
        assert list(pool.map(draw, (1, 2))) == alone
