"""What lies on the cells of a scene."""

from __future__ import annotations

from dataclasses import replace

import pytest

from renderers.art import ARTS
from renderers.cells import DOT, CellLook, Last, looks, trails
from renderers.scene import Scene
from tests.renderers.scenes import ayu, cleared, volo, walled


def look(scene: Scene, cell: str) -> CellLook:
    """How *cell* looks."""
    return looks(scene, ARTS[scene.game].geometry(scene.size, 1000, flipped=scene.flipped))[cell]


def ways(scene: Scene) -> list[tuple[str, str]]:
    """The trails of the scene."""
    return trails(scene, ARTS[scene.game].geometry(scene.size, 1000, flipped=scene.flipped))


def test_bars_join_neighbours_of_one_side() -> None:
    east, north, west, south = 1, 2, 4, 8
    scene = replace(ayu(), first=("b2", "c2", "b3"), second=("b1", "d2"), moved=())
    assert look(scene, "b2").bars == east | north
    assert look(scene, "c2").bars == west
    assert look(scene, "b3").bars == south
    assert look(scene, "b1").bars == 0
    assert look(replace(scene, flipped=True), "b2").bars == west | south


def test_a_beaten_side_is_pale_and_has_no_bars() -> None:
    scene = replace(ayu(), beaten=2)
    assert all(look(scene, cell).faded and not look(scene, cell).bars for cell in scene.second)
    assert not any(look(scene, cell).faded for cell in scene.first)


def test_the_last_move() -> None:
    assert look(volo(), "h2") == CellLook(last=Last.LEFT, owner=1)
    assert look(volo(), "i2").last is Last.REACHED
    assert look(cleared(), "e6") == CellLook(last=Last.REMOVED, owner=2)
    assert look(replace(volo(), moved=(), added=("l2",)), "l2").last is Last.ADDED


def test_hints() -> None:
    scene = replace(ayu(), moved=(), dots=("a1",), numbered=("b1", "c1"), selected=("g1",), winners=("h1",))
    assert look(scene, "a1").hint == DOT
    assert [look(scene, cell).hint for cell in ("b1", "c1")] == [1, 2]
    assert look(replace(scene, barred=("i1",)), "i1") == CellLook(barred=True)
    assert not any(look(replace(scene, barred=(cell,)), cell).barred for cell in ("a1", "b1"))
    assert look(scene, "g1").selected
    assert look(scene, "h1").outlined


def test_each_region_is_numbered_once_on_a_free_cell_of_its_middle() -> None:
    scene = walled()
    found = looks(scene, ARTS["volo"].geometry(7, 1000, flipped=False))
    taken = {*scene.first, *scene.second}
    for number, region in enumerate(scene.regions, start=1):
        assert {found[cell].region for cell in region} == {number}
        (badge,) = (cell for cell in region if found[cell].badge)
        assert found[badge].badge == number
        assert badge not in taken
    assert look(replace(scene, regions=(("l7",),)), "l7").badge == 1


@pytest.mark.parametrize(
    ("moved", "expected"),
    [
        ((("e5", "e8"),), [("e5", "e8")]),
        ((("c3", "d3"), ("d3", "e4")), [("c3", "d3")]),  # in file, one step: the birds follow each other
        ((("d4", "f4"), ("e4", "g4")), [("e4", "f4")]),  # in file, two steps: from the foremost to the first goal
        ((("d4", "h3"), ("e4", "i2")), [("e4", "h3")]),
        ((("i2", "e4"), ("h3", "d4")), [("h3", "e4")]),
        ((("d4", "e4"), ("d5", "e5")), [("d4", "e4"), ("d5", "e5")]),  # side by side
        ((("e5", "e5"),), []),
    ],
)
def test_trails(moved: tuple[tuple[str, str], ...], expected: list[tuple[str, str]]) -> None:
    scene = replace(volo(), first=tuple(goal for _, goal in moved), second=(), moved=moved)
    assert ways(scene) == expected


def test_a_stone_that_moved_alone_has_its_trail_whatever_stands_there_now() -> None:
    scene = replace(ayu(), first=("b2",), second=("d2",), moved=(("d2", "b2"),))
    assert ways(scene) == [("d2", "b2")]
