"""Empty boards: names, neighbours, coordinates, sets of cells."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.board import Board, each_bit, hexagon, square
from tests.rules import reference

BOARDS = [pytest.param(square(size), id=f"square{size}") for size in range(5, 20, 2)]
BOARDS += [pytest.param(hexagon(edge), id=f"hexagon{edge}") for edge in (6, 7, 8)]
every_board = pytest.mark.parametrize("board", BOARDS)


def near_of(board: Board) -> Callable[[str], reference.Cells]:
    """The reference's neighbours on the same board."""
    if board.holes:
        return lambda name: reference.space_neighbours(board.size, name)
    return lambda name: reference.point_neighbours(board.size, name)


@every_board
def test_cells_and_neighbours(board: Board) -> None:
    expected = reference.spaces(board.size) if board.holes else reference.points(board.size)
    assert list(board.cells) == sorted(expected, key=reference.cell_key)
    near = near_of(board)
    for name in board.cells:
        assert set(board.neighbours(name)) == near(name)
        assert board.names(board.spread(board.bit(name))) == tuple(sorted({name} | near(name), key=reference.cell_key))


@every_board
def test_bits_lie_in_the_order_of_the_notation(board: Board) -> None:
    bits = [board.bit(name) for name in board.cells]
    assert bits == sorted(bits)
    assert board.bits(board.cells) == board.full == sum(bits)
    assert [board.name(bit) for bit in bits] == list(board.cells)
    assert list(each_bit(board.full)) == bits
    assert board.names(board.full) == board.cells


@every_board
def test_names_that_are_no_cells(board: Board) -> None:
    for name in ("a0", "A2", "a02", "z1", "", "a", "1", "a99", *board.holes):
        assert name not in board
        with pytest.raises(KeyError):
            board.bit(name)
    assert all(name in board for name in board.cells)


def test_the_holes_of_a_hexagon() -> None:
    assert set(hexagon(7).holes) == {"a1", "a7", "g1", "g7", "g13", "m1", "m7"}
    assert set(hexagon(6).holes) == {"a1", "a6", "f1", "f6", "f11", "k1", "k6"}
    assert set(hexagon(8).holes) == {"a1", "a8", "h1", "h8", "h15", "o1", "o8"}
    assert not square(11).holes


@every_board
def test_neighbours_are_one_apart_and_others_further(board: Board) -> None:
    for name in board.cells:
        near = set(board.neighbours(name))
        for other in board.cells:
            distance = math.dist(board.xy(name), board.xy(other))
            assert (0.99 < distance < 1.01) == (other in near)


@every_board
def test_rows_are_drawn_from_the_top(board: Board) -> None:
    assert sorted(name for row in board.rows for name in row if name) == sorted(board.cells)
    for row in board.rows:
        ys = {board.xy(name)[1] for name in row if name}
        xs = [board.xy(name)[0] for name in row if name]
        assert len(ys) == 1
        assert xs == sorted(xs)
    tops = [board.xy(next(name for name in row if name))[1] for row in board.rows]
    assert tops == sorted(tops)
    assert tops[0] == -tops[-1]


@pytest.mark.parametrize(
    ("board", "name", "xy"),
    [
        (square(11), "a1", (-5, 5)),
        (square(11), "k11", (5, -5)),
        (square(11), "f6", (0, 0)),
        (hexagon(7), "m2", (-2, -6 * math.sqrt(3) / 2)),
        (hexagon(7), "g2", (-5, 0)),
        (hexagon(7), "a2", (-2, 6 * math.sqrt(3) / 2)),
    ],
)
def test_where_cells_lie(board: Board, name: str, xy: tuple[float, float]) -> None:
    assert board.xy(name) == pytest.approx(xy)


@every_board
@given(data=st.data())
def test_sets_of_cells(board: Board, data: st.DataObject) -> None:
    names = data.draw(st.frozensets(st.sampled_from(board.cells)))
    seeds = data.draw(st.frozensets(st.sampled_from(board.cells), max_size=3))
    bits = board.bits(names)
    near = near_of(board)
    assert board.names(bits) == tuple(sorted(names, key=reference.cell_key))
    spread = names.union(*map(near, names)) if names else names
    assert board.names(board.spread(bits)) == tuple(sorted(spread, key=reference.cell_key))
    assert board.border(bits) == board.spread(bits) ^ bits
    parts = reference.parts(names, near)
    expected = sorted((board.bits(part) for part in parts), key=lambda part: part & -part)
    assert list(board.components(bits)) == expected
    flooded = frozenset[str]().union(*(part for part in parts if part & seeds))
    assert board.flood(board.bits(seeds), bits) == board.bits(flooded)


def test_diagram() -> None:
    board = square(5)
    assert board.diagram(board.bit("a1"), board.bits(["e5", "a2"])) == "....2/...../...../2..../1...."
    sky = hexagon(6)
    shown = sky.diagram(sky.bit("a2"), sky.bit("k5"))
    assert shown.startswith("#...2#/")
    assert shown.endswith("/#1...#")
    assert shown.split("/")[5] == "#....#....#"


def test_boards_are_shared() -> None:
    assert square(11) is square(11)
    assert hexagon(7) is hexagon(7)
