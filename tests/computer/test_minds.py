"""What the evaluations rest on, against the rules and against computing it anew."""

from __future__ import annotations

from random import Random

import pytest

from computer.ayu_forest import Forests
from computer.ayu_weights import ayu_weights, place_kinds
from computer.baselines import need
from computer.search import CERTAIN, WIN
from computer.volo_mind import VoloMind
from rules import GAMES
from rules.ayu import AyuPosition
from rules.ayu_units import grid
from rules.board import square
from rules.core import Side
from rules.volo import VoloPosition
from rules.volo_flights import sky
from tests.rules.games import random_record


@pytest.mark.parametrize("size", [5, 9, 11, 13])
def test_remembered_forests_and_moves_are_those_computed_anew(size: int) -> None:
    tables = grid(size)
    kept = Forests(tables, ayu_weights(size))
    compared = 0
    for seed in range(4):
        for position in random_record("ayu", size, seed, 90).positions:
            assert isinstance(position, AyuPosition)
            for side in Side:
                fresh = Forests(tables, ayu_weights(size))
                own = position.pieces(side)
                assert kept.forest(own, position.empty)[4:] == fresh.forest(own, position.empty)[4:]
                assert sorted(kept.moves(own, position.empty)) == sorted(fresh.moves(own, position.empty))
                compared += 1
            # Something elsewhere changes: what is kept must notice what matters.
            for move in position.legal_moves()[:6]:
                after = position.play(move)
                for side in Side:
                    own = after.pieces(side)
                    anew = Forests(tables, ayu_weights(size)).forest(own, after.empty)
                    assert kept.forest(own, after.empty)[4:] == anew[4:]
    assert compared > 100


def test_moves_are_the_rules_moves() -> None:
    for size in (5, 9, 11):
        forests = Forests(grid(size), ayu_weights(size))
        for position in random_record("ayu", size, 1, 80).positions:
            assert isinstance(position, AyuPosition)
            own = position.pieces(position.to_move)
            mine = sorted((origin, goal) for _, origin, goal in forests.moves(own, position.empty))
            assert mine == sorted((move.origin, move.goal) for move in grid(size).moves(own, position.empty))


def forest(rows: str) -> tuple[float, bool, bool]:
    """(cost, open, whole) of the stones X in a 5x5 drawing, O being in the way."""
    lines = rows.split("/")
    names = {f"{'abcde'[column]}{5 - row}": sign for row, line in enumerate(lines) for column, sign in enumerate(line)}
    board = square(5)
    own = board.bits(name for name, sign in names.items() if sign == "X")
    empty = board.bits(name for name, sign in names.items() if sign == ".")
    _, _, _, _, cost, is_open, whole = Forests(grid(5), ayu_weights(5)).forest(own, empty)
    return cost, is_open, whole


def test_an_edge_costs_by_length_and_width() -> None:
    weights = ayu_weights(5)
    pair = 2 * weights.single
    # One empty point between two stones.
    assert forest("...../...../X.X../...../.....") == pytest.approx((weights.edges[1][1] + pair, 1, 0))
    # Two ways around the corner; then one of them blocked.
    assert forest("...../.X.../X..../...../.....")[0] == pytest.approx(weights.edges[1][2] + pair)
    assert forest("O..../.X.../X..../...../.....")[0] == pytest.approx(weights.edges[1][2] + pair)
    assert forest("...../OX.../X..../...../.....")[0] == pytest.approx(weights.edges[1][1] + pair)
    assert forest("...../...../XX.../...../.....") == (0.0, False, True)
    # Walled off: two zones, nothing to play, and not one unit.
    assert forest("XOX../OOO../...../...../.....") == pytest.approx((weights.zone + pair, 0, 0))


def test_need_is_the_smallest_forest() -> None:
    position = GAMES["ayu"].opening(5)
    assert isinstance(position, AyuPosition)
    # Six stones, each two steps from the next one: one empty point between each two.
    assert need(grid(5), position.first, position.empty) == position.first.bit_count() - 1


def test_kinds_of_places_are_alike_in_all_symmetries() -> None:
    kinds = place_kinds(11)
    assert len(set(kinds.values())) == 21
    assert kinds[5, 5] == 0
    for (column, row), kind in kinds.items():
        assert kinds[row, column] == kinds[10 - column, row] == kind


@pytest.mark.parametrize("size", [6, 7, 8])
def test_volo_branches_are_the_rules_moves(size: int) -> None:
    mind = VoloMind(size)
    rng = Random(size)
    for seed in range(3):
        for position in rng.sample(random_record("volo", size, seed, 120).positions[:-1], 12):
            assert isinstance(position, VoloPosition)
            branches = mind.branches(mind.state(position), 10_000, lambda: False)
            moves = set(position.legal_moves())
            if branches[0].value == WIN - 1:
                outcome = position.play(branches[0].how).outcome()
                assert outcome is not None
                assert outcome.winner is position.to_move
                continue
            assert {branch.how for branch in branches} == moves
            for branch in branches:
                after = position.play(branch.how)
                assert isinstance(after, VoloPosition)
                if after.outcome() is None:
                    assert mind.state(after) == branch.state
                    # That the opponent unites next is seen; looked up anew for a few.
                    if rng.random() < 0.02:
                        assert (branch.value < -CERTAIN) == can_unite(after)
                else:
                    assert branch.over


def can_unite(position: VoloPosition) -> bool:
    side = position.to_move
    return any(sky(position.size).is_one_flock(position.play(move).pieces(side)) for move in position.legal_moves())
