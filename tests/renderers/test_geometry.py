"""Where everything lies: whole pixels, even sides, every cell once and in its place."""

from __future__ import annotations

import itertools
import math

import pytest

from renderers.art import ARTS
from renderers.geometry import HEX_DIRECTIONS, SQUARE_DIRECTIONS, Geometry
from tests.renderers.scenes import ALL_BOARDS, board

WIDTHS = (1000, 500, 202)
CASES = [*itertools.product(ALL_BOARDS, WIDTHS, (False,)), *itertools.product(ALL_BOARDS, WIDTHS[:1], (True,))]


@pytest.fixture(params=CASES, ids=lambda case: f"{case[0][0]}{case[0][1]}-{case[1]}{'-flipped' * case[2]}")
def case(request: pytest.FixtureRequest) -> tuple[str, int, Geometry, bool]:
    (game, size), width, flipped = request.param
    return game, size, ARTS[game].geometry(size, width, flipped=flipped), flipped


def test_sides_are_even_and_small_enough(case: tuple[str, int, Geometry, bool]) -> None:
    geometry = case[2]
    assert geometry.width % 2 == geometry.height % 2 == geometry.header % 2 == 0
    assert geometry.height <= 1280 * max(1, geometry.width / 1000)
    assert geometry.width <= 1280


def test_every_cell_has_a_tile_of_whole_pixels_inside_the_picture(case: tuple[str, int, Geometry, bool]) -> None:
    game, size, geometry, _ = case
    assert set(geometry.tiles) == set(board(game, size).cells)
    assert len(set(geometry.tiles.values())) == len(geometry.tiles)
    assert all(isinstance(side, int) for side in (*geometry.tile, geometry.pitch))
    for left, top in geometry.tiles.values():
        assert isinstance(left, int)
        assert isinstance(top, int)
        assert left >= 0
        assert left + geometry.tile[0] <= geometry.width
        assert top >= geometry.header
        assert top + geometry.tile[1] <= geometry.height


def test_cells_lie_as_the_rules_say(case: tuple[str, int, Geometry, bool]) -> None:
    game, size, geometry, flipped = case
    cells, turn = board(game, size), -1 if flipped else 1
    names = cells.cells
    first = geometry.middle(names[0])
    for name in names:
        x, y = geometry.middle(name)
        dx, dy = (turn * (a - b) * geometry.pitch for a, b in zip(cells.xy(name), cells.xy(names[0]), strict=True))
        # Rows of hexagons are moved to whole pixels: half a pixel a row at most.
        assert math.isclose(x - first[0], dx, abs_tol=1e-6)
        assert math.isclose(y - first[1], dy, abs_tol=size)


def test_neighbours_are_the_rules_neighbours_in_their_directions(case: tuple[str, int, Geometry, bool]) -> None:
    game, size, geometry, _ = case
    cells = board(game, size)
    directions = HEX_DIRECTIONS if geometry.hexagonal else SQUARE_DIRECTIONS
    for name in cells.cells:
        found = geometry.neighbours[name]
        assert {cell for cell in found if cell} == set(cells.neighbours(name))
        x, y = geometry.middle(name)
        for direction, cell in zip(directions, found, strict=True):
            if cell:
                middle = geometry.middle(cell)
                assert (middle[0] - x) / geometry.pitch == pytest.approx(direction[0], abs=0.51 / geometry.pitch)
                assert (middle[1] - y) / geometry.pitch == pytest.approx(direction[1], abs=0.51 / geometry.pitch)


def test_tiles_of_hexagons_are_even_and_of_squares_odd(case: tuple[str, int, Geometry, bool]) -> None:
    geometry = case[2]
    assert [side % 2 for side in geometry.tile] == ([0, 0] if geometry.hexagonal else [1, 1])


def test_coordinates_stay_clear_of_the_cells_and_inside(case: tuple[str, int, Geometry, bool]) -> None:
    geometry = case[2]
    reach = geometry.coordinate_size / 2
    for coordinate in geometry.coordinates:
        x, y = coordinate.middle
        assert reach <= x <= geometry.width - reach + 1
        assert geometry.header < y - reach * 0.7
        assert y + reach * 0.7 <= geometry.height
        for cell in geometry.tiles:
            other = geometry.middle(cell)
            assert math.hypot(x - other[0], y - other[1]) > geometry.pitch * 0.5 + reach * 0.4


def test_turning_the_board_moves_every_cell_to_the_opposite_place() -> None:
    for game, size in ALL_BOARDS:
        straight, turned = (ARTS[game].geometry(size, 1000, flipped=flipped) for flipped in (False, True))
        sums = {
            (a[0] + b[0], a[1] + b[1])
            for a, b in ((straight.middle(cell), turned.middle(cell)) for cell in straight.tiles)
        }
        assert len(sums) == 1


@pytest.mark.parametrize("width", [0, -2, 999, 198, 1282])
def test_a_width_that_makes_no_sense_is_refused(width: int) -> None:
    with pytest.raises(ValueError, match="width"):
        ARTS["ayu"].geometry(11, width, flipped=False)


@pytest.mark.parametrize(("game", "size"), [("ayu", 10), ("ayu", 3), ("ayu", 21), ("volo", 5), ("volo", 9)])
def test_a_size_that_is_not_played_is_refused(game: str, size: int) -> None:
    with pytest.raises(ValueError, match=str(size)):
        ARTS[game].geometry(size, 1000, flipped=False)
