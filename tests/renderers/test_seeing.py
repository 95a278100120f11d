"""Sides, the last move and hints are told apart on a phone, in grey and with three kinds of colour blindness.

By numbers: the 1000 pixels are reduced to 400, as a chat shows them, one cell is cut out, and each pixel's colour is
what that eye sees. Two looks are told apart if enough pixels differ clearly.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Final, TypeAlias

import pytest
from PIL import Image

from renderers.art import ARTS
from renderers.png import Renderer
from renderers.scene import CardState, Scene
from renderers.theme import THEMES
from tests.renderers.pictures import read
from tests.renderers.scenes import empty_cells, middle_game, opening

Linear: TypeAlias = tuple[float, float, float]
Matrix: TypeAlias = tuple[Linear, Linear, Linear]

SHOWN: Final = 400  # pixels
CLEAR: Final = 12.0  # of CIE 1976 colour difference; 2 is just seen side by side
ENOUGH: Final = 0.03  # of a cell's pixels

# Machado, Oliveira, Fernandes: A Physiologically-based Model for Simulation of Color Vision Deficiency (2009), severity
# 1.0, for linear RGB; grey: the luminance of sRGB.
EYES: Final[Mapping[str, Matrix]] = {
    "full": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protan": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deutan": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritan": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
    "grey": ((0.2126, 0.7152, 0.0722),) * 3,
}
# The theme that promises it to every eye is held to more.
PROMISED: Final = {"patterns": 1.5}


def _linear(value: int) -> float:
    share = value / 255
    return share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4


@lru_cache(maxsize=200_000)
def _lab(pixel: tuple[int, int, int], eye: str) -> Linear:
    source = [_linear(value) for value in pixel]
    r, g, b = (min(1.0, max(0.0, sum(m * v for m, v in zip(row, source, strict=True)))) for row in EYES[eye])
    x, y, z = (
        (0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505,
        0.2126 * r + 0.7152 * g + 0.0722 * b,
        (0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.089,
    )
    fx, fy, fz = (t ** (1 / 3) if t > 0.008856 else 7.787 * t + 16 / 116 for t in (x, y, z))
    return 116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)


class Seen:
    """A small picture as the eyes see it."""

    def __init__(self, image: Image.Image) -> None:
        data = image.tobytes()
        pixels = list(zip(data[0::3], data[1::3], data[2::3], strict=True))
        self.by_eye = {eye: [_lab(pixel, eye) for pixel in pixels] for eye in EYES}


def difference(one: Seen, other: Seen, eye: str) -> float:
    """The share of pixels in which this eye sees a clear difference."""
    bound = CLEAR**2
    pairs = list(zip(one.by_eye[eye], other.by_eye[eye], strict=True))
    return sum((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2 + (a[2] - b[2]) ** 2 >= bound for a, b in pairs) / len(pairs)


def shown(renderer: Renderer, scene: Scene, cell: str) -> Seen:
    """What a phone shows of *cell*."""
    geometry = ARTS[scene.game].geometry(scene.size, 1000, flipped=False)
    x, y = geometry.middle(cell)
    half = geometry.pitch / 2
    side = round(geometry.pitch * SHOWN / 1000)
    box = (x - half, y - half, x + half, y + half)
    return Seen(read(renderer.draw(scene)).resize((side, side), Image.Resampling.LANCZOS, box))


PIECES: Final[Mapping[str, Callable[[Scene, str], Scene]]] = {
    "piece": lambda scene, _: scene,
    "moved": lambda scene, cell: replace(scene, mover=1, moved=((empty_cells(scene)[0], cell),)),
    "may be chosen": lambda scene, cell: replace(scene, dots=(cell,)),
    "numbered": lambda scene, cell: replace(scene, numbered=(cell,)),
    "may not be chosen": lambda scene, cell: replace(scene, barred=(cell,)),
    "chosen": lambda scene, cell: replace(scene, selected=(cell,)),
    "of the winner": lambda scene, cell: replace(scene, winners=(cell,)),
    "beaten": lambda scene, cell: replace(scene, beaten=1 if cell in scene.first else 2),
}
FREE: Final[Mapping[str, Callable[[Scene, str], Scene]]] = {
    "free": lambda scene, _: scene,
    "left": lambda scene, cell: replace(scene, mover=1, moved=((cell, scene.first[-1]),)),
    "removed": lambda scene, cell: replace(scene, mover=1, removed=(cell,)),
    "goal": lambda scene, cell: replace(scene, dots=(cell,)),
    "numbered goal": lambda scene, cell: replace(scene, numbered=(cell,)),
    "barred": lambda scene, cell: replace(scene, barred=(cell,)),
    "region": lambda scene, cell: replace(scene, regions=((empty_cells(scene)[-1], cell),)),
}


def bare(game: str, theme: str) -> Scene:
    """The middle game without a mark."""
    return replace(middle_game(game, theme), mover=0, moved=())


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("game", ["ayu", "volo"])
def test_what_lies_on_a_cell_is_told_apart(game: str, theme: str, renderer: Renderer) -> None:
    scene = bare(game, theme)
    first, second, free = scene.first[2], scene.second[2], empty_cells(scene)[len(empty_cells(scene)) // 2]
    kinds = {
        "first": {name: shown(renderer, change(scene, first), first) for name, change in PIECES.items()},
        "second": {name: shown(renderer, change(scene, second), second) for name, change in PIECES.items()},
        "free": {name: shown(renderer, change(scene, free), free) for name, change in FREE.items()},
    }
    enough = ENOUGH * PROMISED.get(theme, 1)
    poor = [
        f"{kind}: {one} and {other} to a {eye} eye: {share:.3f}"
        for kind, looks in kinds.items()
        for one, other in itertools.combinations(looks, 2)
        for eye in EYES
        if (share := difference(looks[one], looks[other], eye)) < enough
    ]
    assert poor == []


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("game", ["ayu", "volo"])
def test_the_sides_are_told_apart(game: str, theme: str, renderer: Renderer) -> None:
    scene = bare(game, theme)
    cell = scene.first[0]
    turned = replace(scene, first=scene.first[1:], second=(cell,))
    alone = replace(scene, first=(cell,), second=())
    other = replace(scene, first=(), second=(cell,))
    for one, two in ((scene, turned), (alone, other)):
        for eye in EYES:
            assert difference(shown(renderer, one, cell), shown(renderer, two, cell), eye) >= 0.4, eye


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("game", ["ayu", "volo"])
def test_a_group_is_seen_as_one(game: str, theme: str, renderer: Renderer) -> None:
    scene = opening(game, 11 if game == "ayu" else 7, theme)
    pair = "e5", "e6"
    joined = replace(scene, first=pair, second=())
    apart = replace(scene, first=pair[:1], second=pair[1:])
    for eye in EYES:
        looks = shown(renderer, joined, pair[0]), shown(renderer, apart, pair[0])
        assert difference(*looks, eye) >= 0.012, eye  # the bar fills the narrow gap between two pieces


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("game", ["ayu", "volo"])
def test_the_cards_tell_whose_turn_it_is(game: str, theme: str, renderer: Renderer) -> None:
    scene = middle_game(game, theme)
    pictures = []
    for state in CardState:
        card = replace(scene.cards[0], name="Ana", line="", state=state)
        image = read(renderer.draw(replace(scene, cards=(card, scene.cards[1]))))
        pictures.append(Seen(image.resize((182, 44), Image.Resampling.LANCZOS, (20, 15, 475, 125))))
    for eye in EYES:
        for one, other in itertools.combinations(pictures, 2):
            assert difference(one, other, eye) >= 0.5, eye
