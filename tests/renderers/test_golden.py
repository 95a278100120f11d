"""Golden pictures: what a change did to the looks, to be judged by eye. `make golden` draws them anew."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Final

import pytest
from PIL import Image

from renderers.png import Renderer
from renderers.scene import Card, Scene
from tests.renderers import pictures
from tests.renderers.scenes import (
    ayu,
    cleared,
    opening,
    volo,
    walled,
    with_barred,
    with_course,
    with_hints,
    with_numbers,
    won,
)

WIDTH: Final = 400


def _with_names(scene: Scene) -> Scene:
    long = Card("Константин Константинопольский", "Ходит · 22 группы · 41 камень · ещё")
    return replace(scene, cards=(long, Card("Zoë\u202e & <Τάδε>", "22 unidades", fallback="zoe")))


SCENES: Final[Mapping[str, Callable[[], Scene]]] = {
    "ayu-light": ayu,
    "ayu-dark-flipped": lambda: replace(ayu("dark"), flipped=True),
    "ayu-hints-light": lambda: with_hints(ayu()),
    "ayu-numbers-dark": lambda: with_numbers(ayu("dark")),
    "ayu-barred-light": lambda: with_barred(ayu()),
    "ayu-won-patterns": lambda: won(ayu("patterns")),
    "ayu-19-names-light": lambda: _with_names(opening("ayu", 19)),
    "volo-light": volo,
    "volo-dark-flipped": lambda: replace(volo("dark"), flipped=True),
    "volo-hints-light": lambda: with_hints(volo()),
    "volo-numbers-dark": lambda: with_numbers(volo("dark")),
    "volo-barred-dark": lambda: with_barred(volo("dark")),
    "volo-barred-patterns": lambda: with_barred(volo("patterns")),
    "volo-regions-light": walled,
    "volo-regions-patterns": lambda: walled("patterns"),
    "volo-cleared-dark": lambda: cleared("dark"),
    "course-ayu-light": lambda: with_course(ayu()),
    "course-volo-dark": lambda: with_course(volo("dark"), 2),
    "course-even-patterns": lambda: with_course(ayu("patterns"), 0),
    "volo-won-light": lambda: won(volo()),
}


@pytest.mark.parametrize("name", SCENES)
def test_golden(name: str, renderer: Renderer) -> None:
    pictures.assert_golden(name, renderer.draw(SCENES[name](), WIDTH))


def test_no_golden_picture_is_forgotten() -> None:
    assert sorted(path.stem for path in pictures.GOLDEN.glob("*.png")) == sorted(SCENES)


def test_a_wrong_picture_fails_and_leaves_its_difference(
    renderer: Renderer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("BANDADA_GOLDEN", raising=False)
    monkeypatch.setattr(pictures, "RESULTS", tmp_path)
    one_dot_more = replace(ayu(), dots=("a1",))
    with pytest.raises(AssertionError, match="pixels of ayu-light have changed"):
        pictures.assert_golden("ayu-light", renderer.draw(one_dot_more, WIDTH))
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "ayu-light-difference.png",
        "ayu-light-got.png",
        "ayu-light-want.png",
    ]
    with Image.open(tmp_path / "ayu-light-difference.png") as difference:
        assert difference.getbbox() is not None
