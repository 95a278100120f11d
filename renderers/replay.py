"""A match as a GIF: one frame a position, the cards still until the last."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from PIL import Image

from renderers import giffile
from renderers.png import Renderer, SceneError
from renderers.scene import Scene

REPLAY_WIDTH: Final = 500
_MOVE: Final = 900  # milliseconds
_HOLD: Final = 4000
_LONGEST: Final = 90_000  # milliseconds for a whole match: longer ones run faster, down to _FASTEST a move
_FASTEST: Final = 250


def replay(
    scenes: Sequence[Scene],
    renderer: Renderer,
    *,
    width: int = REPLAY_WIDTH,
    move_ms: int = _MOVE,
    hold_ms: int = _HOLD,
) -> bytes:
    """The GIF file of *scenes*, all of one game, size, theme and orientation; it runs for ever.

    The header stays as it is (names alone, a bar at whoever is to move), but for the last frame, which is drawn in full
    and held for *hold_ms*. Long matches run faster than *move_ms* a move.

    :raises SceneError: if there are no scenes, if they differ in what must not change, or if one cannot be drawn.
    """
    if not scenes:
        raise SceneError("a replay needs at least one scene")
    if len({(scene.game, scene.size, scene.theme, scene.flipped) for scene in scenes}) > 1:
        raise SceneError("the scenes of a replay differ in game, size, theme or orientation")
    shown = max(_FASTEST, min(move_ms, _LONGEST // len(scenes)))
    _, palette = renderer.indexes(scenes[-1], width)
    return giffile.encode(_frames(scenes, renderer, width, (shown, hold_ms)), palette.data)


def _frames(
    scenes: Sequence[Scene], renderer: Renderer, width: int, times: tuple[int, int]
) -> Iterator[tuple[Image.Image, int]]:
    for scene in scenes[:-1]:
        yield renderer.indexes(scene, width, still=True)[0], times[0]
    yield renderer.indexes(scenes[-1], width)[0], times[1]
