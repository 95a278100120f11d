"""The benchmark's peer paints the same picture, so that comparing times is fair."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PIL import Image, ImageChops, ImageStat

from benchmarks import svg_peer
from renderers.png import Renderer
from renderers.scene import Scene
from tests.renderers.pictures import read
from tests.renderers.scenes import ayu, cleared, volo, walled, with_barred, with_hints, with_numbers, won

SCENES: dict[str, Callable[[], Scene]] = {
    "ayu": ayu,
    "volo": volo,
    "hints": lambda: with_hints(ayu("dark")),
    "numbers": lambda: with_numbers(volo("dark")),
    "barred": lambda: with_barred(ayu("patterns")),
    "won": lambda: won(volo("dark")),
    "regions": walled,
    "cleared": lambda: cleared("dark"),
}


def small(data: bytes) -> Image.Image:
    image = read(data)
    assert image.width == 1000
    return image.resize((125, image.height // 8), Image.Resampling.BOX)


def distance(one: Image.Image, other: Image.Image) -> float:
    """The mean difference of two pictures of one size, in levels."""
    return sum(ImageStat.Stat(ImageChops.difference(one, other)).mean) / 3


@pytest.mark.parametrize("name", SCENES)
def test_the_peer_paints_the_same_picture(name: str, renderer: Renderer) -> None:
    scene = SCENES[name]()
    ours, theirs = small(renderer.draw(scene)), small(svg_peer.draw(scene))
    assert ours.size == theirs.size
    bare = small(renderer.draw(Scene(scene.game, scene.size, scene.cards, theme=scene.theme)))
    assert distance(ours, theirs) < 0.5 * distance(ours, bare)
