"""Ayu by examples: what people may type, and why moves are refused."""

from __future__ import annotations

import pytest

from rules import GAMES
from rules.ayu import AyuPosition
from rules.ayu_units import AyuMove
from rules.core import (
    AmbiguousMoveError,
    BadSizeError,
    Change,
    Ending,
    IllegalMoveError,
    InvalidMoveError,
    MoveError,
    Outcome,
    Reason,
    Refusal,
    Side,
    Step,
    StepKind,
)
from rules.record import Record
from rules.volo_moves import Pass
from tests.rules.games import ayu, refused, written

OPENING = GAMES["ayu"].opening(11)


@pytest.mark.parametrize(
    "text",
    [
        "b9-c9", "B9-C9", "b9c9", "B9 c9", "b9 - c9", "b9–c9", "b9—c9", "b9−c9", "b9‑c9", "b9→c9", "b9 → c9", "b9>c9",
        "b9->c9", "b9:c9", "b9,c9", "b9, c9", "  b9\tc9\n", "b 9 c 9", "b09-c09", "-b9-c9-", "b9\u00a0c9",
        "в9-с9", "В9 С9", "б9с9", "Б9→с9",
    ],
)  # fmt: skip
def test_lenient_writings(text: str) -> None:
    assert OPENING.write(OPENING.read(text)) == "b9-c9"


@pytest.mark.parametrize(
    ("typed", "meant"),
    [*zip("авсенкдфгийлб", "abcehkdfgijlb", strict=True), *zip("АВСЕНКДФГИЙЛБ", "abcehkdfgijlb", strict=True)],
)
def test_cyrillic_letters(typed: str, meant: str) -> None:
    wide = GAMES["ayu"].opening(19)
    assert refused(wide, f"{typed}19a19a19") == refused(wide, f"{meant}19a19a19")
    error, refusal = refused(wide, f"{typed}99")
    assert (error, refusal.cells) == (InvalidMoveError, (f"{meant}99",))


@pytest.mark.parametrize(("typed", "meant"), list(zip("мортхуМОРТХУ", "moptxymoptxy", strict=True)))
def test_more_cyrillic_letters(typed: str, meant: str) -> None:
    assert refused(OPENING, f"{typed}1")[1] == Refusal(Reason.OFF_BOARD, (f"{meant}1",))


@pytest.mark.parametrize(
    "text",
    [
        "", " ", "-", "b", "9", "hello", "b9-c9-d9", "b9/c9", "b9-c9/a1", "b9-NE1", "b1234", "bb9-c9", "b9-c9!",
        "b9.c9", "ж1-з1", "b²-c9", "b9-c９", "b9_c9", "b9-c9" + " " * 200, "b9" * 101,
    ],
)  # fmt: skip
def test_what_is_no_move(text: str) -> None:
    assert refused(OPENING, text) == (InvalidMoveError, Refusal(Reason.NOT_NOTATION))


@pytest.mark.parametrize(
    ("text", "error", "refusal"),
    [
        ("b9-m9", InvalidMoveError, Refusal(Reason.OFF_BOARD, ("m9",))),
        ("z0-z0", InvalidMoveError, Refusal(Reason.OFF_BOARD, ("z0",))),
        ("a12-l1", InvalidMoveError, Refusal(Reason.OFF_BOARD, ("a12", "l1"))),
        ("a1-a2", IllegalMoveError, Refusal(Reason.EMPTY, ("a1",))),
        ("a2-b2", IllegalMoveError, Refusal(Reason.NOT_YOURS, ("a2",))),
        ("a1", IllegalMoveError, Refusal(Reason.EMPTY, ("a1",))),
        ("a2", IllegalMoveError, Refusal(Reason.NOT_YOURS, ("a2",))),
        ("b9-d9", IllegalMoveError, Refusal(Reason.OCCUPIED, ("d9",), ("b9-b8", "b9-b10", "b9-c9"))),
        ("b9-b9", IllegalMoveError, Refusal(Reason.OCCUPIED, ("b9",), ("b9-b8", "b9-b10", "b9-c9"))),
        ("b9-e9", IllegalMoveError, Refusal(Reason.NOT_ADJACENT, ("b9", "e9"), ("b9-b8", "b9-b10", "b9-c9"))),
        ("b9-a9", IllegalMoveError, Refusal(Reason.NOT_NEARER, ("b7",), ("b9-b8", "b9-b10", "b9-c9"), 1, 2)),
        ("b9-", AmbiguousMoveError, Refusal(Reason.GOAL_MISSING, (), ("b9-b8", "b9-b10", "b9-c9"))),
        ("b9", AmbiguousMoveError, Refusal(Reason.GOAL_MISSING, (), ("b9-b8", "b9-b10", "b9-c9"))),
        ("swap", IllegalMoveError, Refusal(Reason.SWAP_IS_NO_MOVE)),
        (" SWAP ", IllegalMoveError, Refusal(Reason.SWAP_IS_NO_MOVE)),
        ("pass", IllegalMoveError, Refusal(Reason.NO_PASS_IN_GAME)),
        ("Пас", IllegalMoveError, Refusal(Reason.NO_PASS_IN_GAME)),
        ("pasar", IllegalMoveError, Refusal(Reason.NO_PASS_IN_GAME)),
        ("пропустить", IllegalMoveError, Refusal(Reason.NO_PASS_IN_GAME)),
    ],
)
def test_refusals_in_the_opening(text: str, error: type[MoveError], refusal: Refusal) -> None:
    assert refused(OPENING, text) == (error, refusal)


# A unit in a bow: taking its middle away splits it, its ends may go.
BOW = ayu("...1./.111./.1.../...../.1...")


@pytest.mark.parametrize(
    ("text", "reason", "cells"),
    [
        ("c4-b2", Reason.SPLITS_GROUP, ("d4", "d5")),
        ("b4-b2", Reason.SPLITS_GROUP, ("b3",)),
        ("b3-b2", Reason.LOSES_UNIT, ("b2",)),
        ("d5-e4", Reason.NOT_NEARER, ("b1",)),
        ("b1-c1", Reason.NOT_NEARER, ("b3", "b4", "c4", "d4", "d5")),
        ("b1-b3", Reason.OCCUPIED, ("b3",)),
        ("b1-c2", Reason.NOT_ADJACENT, ("b1", "c2")),
    ],
)
def test_refusals_of_a_unit(text: str, reason: Reason, cells: tuple[str, ...]) -> None:
    error, refusal = refused(BOW, text)
    assert (error, refusal.reason, refusal.cells) == (IllegalMoveError, reason, cells)


def test_the_refusal_lists_what_else_the_stone_can_do() -> None:
    assert written(BOW) == ["b1-b2", "d5-b2"]
    assert refused(BOW, "d5-e4")[1].moves == ("d5-b2",)
    assert refused(BOW, "c4-b2")[1].moves == ()


def test_a_stone_alone_that_holds_its_unit_together() -> None:
    assert refused(BOW, "c4") == (IllegalMoveError, Refusal(Reason.SPLITS_GROUP, ("d4", "d5")))


# a1 is shut in; b4 and d4 can meet.
SHUT_IN = ayu("...../.1.1./2..../22.../12...")


@pytest.mark.parametrize("text", ["a1", "a1-c1", "a1-c3"])
def test_a_unit_that_reaches_nobody(text: str) -> None:
    assert refused(SHUT_IN, text) == (IllegalMoveError, Refusal(Reason.UNREACHABLE, ("a1",)))


def test_joining_is_coming_nearer() -> None:
    assert written(SHUT_IN) == ["b4-c4", "d4-c4"]
    joined = SHUT_IN.play(SHUT_IN.read("b4c4"))
    assert len(joined.groups(Side.FIRST)) == 2


def test_the_goal_need_not_be_straight_ahead() -> None:
    # From e1 to a1 only around the wall; the first step of the way is the only move of e1.
    around = ayu("...../.222./.222./.222./12221")
    assert written(around) == ["a1-a2", "e1-e2"]
    assert refused(around, "a1")[1].moves == ("a1-a2",)


def test_the_side_that_cannot_move_wins_on_its_turn() -> None:
    united = ayu("...../.111./...../.2.2./.....", Side.SECOND)
    assert united.outcome() is None
    after = united.play(united.read("b2c2"))
    assert after.outcome() == Outcome(Ending.NO_MOVES, Side.FIRST)
    assert after.legal_moves() == []
    assert refused(after, "b4-b3") == (IllegalMoveError, Refusal(Reason.GAME_OVER))
    with pytest.raises(IllegalMoveError):
        after.play(AyuMove(after.board.bit("b4"), after.board.bit("b3")))


def test_units_that_are_cut_off_from_each_other_win_too() -> None:
    assert ayu("..2../..2../1.2.1/..2../..2..").outcome() == Outcome(Ending.NO_MOVES, Side.FIRST)


def test_a_position_that_recurs_is_a_draw() -> None:
    opening = ayu("...../.12.1/.122./.21../..1..")
    record = Record((), (opening,), None)
    for text in ("c1-d2", "c4-e3", "d2-c1"):
        record = record.play(record.read(text))
        assert record.outcome is None
    record = record.play(record.read("e3-c4"))
    assert record.outcome == Outcome(Ending.REPETITION, None)
    assert refused_by_record(record, "c1-d2") is Reason.GAME_OVER
    assert record.position.outcome() is None


def refused_by_record(record: Record, text: str) -> Reason:
    with pytest.raises(IllegalMoveError) as caught:
        record.read(text)
    return caught.value.refusal.reason


def test_steps_and_change() -> None:
    move = OPENING.read("b9c9")
    assert OPENING.steps(move) == (Step(StepKind.CELL, "b9"), Step(StepKind.GOAL, "c9"))
    assert OPENING.change(move) == Change(moved=(("b9", "c9"),))


def test_a_move_of_another_game() -> None:
    with pytest.raises(TypeError):
        OPENING.write(Pass())
    with pytest.raises(IllegalMoveError):
        OPENING.play(Pass())
    assert not OPENING.is_legal(Pass())


@pytest.mark.parametrize(
    "move", [AyuMove(0, 0), AyuMove(-1, -1), AyuMove(3 << 14, 1 << 14), AyuMove(1 << 900, 1), AyuMove(1, 1)]
)
def test_bits_that_are_no_points(move: AyuMove) -> None:
    assert not OPENING.is_legal(move)
    with pytest.raises(IllegalMoveError):
        OPENING.play(move)


@pytest.mark.parametrize("size", [-1, 0, 3, 4, 6, 10, 21, 10**30])
def test_sizes_that_are_not_played(size: int) -> None:
    with pytest.raises(BadSizeError):
        GAMES["ayu"].opening(size)


@pytest.mark.parametrize("size", GAMES["ayu"].all_sizes)
def test_openings(size: int) -> None:
    position = GAMES["ayu"].opening(size)
    assert isinstance(position, AyuPosition)
    stones = (size * size - 1) // 4
    assert [position.pieces(side).bit_count() for side in Side] == [stones, stones]
    assert position.diagram().split("/")[-3:] == [(row * size)[:size] for row in (".1", "2.", ".1")]
    assert position.to_move is Side.FIRST
    assert len(position.groups(Side.FIRST)) == stones
    assert position.regions(Side.FIRST) == ()
    assert position.in_hand(Side.FIRST) is None
