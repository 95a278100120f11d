"""Volo by examples: what people may type, why moves are refused, passing, clearing, the ends."""

from __future__ import annotations

import pytest

from rules import GAMES
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
from rules.volo import VoloPosition
from rules.volo_moves import Addition, Flight, Pass
from tests.rules.games import refused, volo, volo_shown, written

OPENING = GAMES["volo"].opening(7)
# Orange a2 a3 a4 can fly north-east as a line, to d8.
LINE = volo(7, "a2 a3 a4 d8", "l7 g2")
# Orange b1 can join b3 by a step east and e2 by a flight to e1.
BOTH = volo(6, "b1 b3 e2", "i4 g8")
# Orange is to choose with each flight to d8 or d9: Blue a5 and d8 would be cut off from the others.
CUT = volo_shown(
    "#.22.#/.1..22./......2./......2../........../#2...#....#/....2..1.1/......121/.....11./....1../#1.12#"
)


@pytest.mark.parametrize("text", ["c7", "C7", " c7 ", "С7", "с 7", "c07", "c7,"])
def test_lenient_additions(text: str) -> None:
    assert OPENING.write(OPENING.read(text)) == "c7"


@pytest.mark.parametrize(
    "text",
    [
        "a2:a4-NE3", "a2:a4-ne3", "A2:A4-NE3", "a2a4ne3", "a2 a4 NE 3", "a2–a4→NE3", "a4:a2-NE3", "a2:a4-СВ3",
        "а2а4св3", "a2:a4-d5:d7", "a2:a4-d7:d5", "a4:a2-d7:d5", "a2a4d5d7", "A2 A4 > D5 D7", "a2, a4, d5, d7",
        "a2:a4-d5", "a4:a2-d7", "a2a4d5", "а2:а4-д5",
    ],
)  # fmt: skip
def test_lenient_flights_of_a_line(text: str) -> None:
    assert LINE.write(LINE.read(text)) == "a2:a4-NE3"


@pytest.mark.parametrize(
    "text", ["d8-SW3", "d8sw3", "D8 sw 3", "d8-so3", "d8-ЮЗ3", "d8-a5", "d8a5", "Д8→А5", "d8 > a5", "d8-sw"]
)
def test_lenient_flights_of_a_bird(text: str) -> None:
    assert LINE.write(LINE.read(text)) == "d8-SW3"


@pytest.mark.parametrize(
    ("direction", "goal", "words"),
    [
        ("E", "e8", "E e В в Е"),
        ("W", "e4", "W w O o О З з"),
        ("NE", "g8", "NE ne Ne СВ св"),
        ("NW", "g6", "NW nw NO no СЗ сз"),
        ("SE", "c6", "SE se SЕ ЮВ юв"),
        ("SW", "c4", "SW sw SO so ЮЗ юз"),
    ],
)
def test_directions(direction: str, goal: str, words: str) -> None:
    # One bird more, behind the goal.
    behind = {"E": "e9", "W": "e3", "NE": "h8", "NW": "h5", "SE": "b6", "SW": "b3"}[direction]
    position = volo(7, f"e6 {behind}", "l2 l7")
    assert position.write(position.read(f"e6-{goal}")) == f"e6-{direction}2"
    for word in words.split():
        move = position.read(f"e6-{word}2")
        assert position.write(move) == f"e6-{direction}2"


def test_every_reading_is_tried() -> None:
    assert BOTH.write(BOTH.read("b1-E1")) == "b1-E1"
    assert BOTH.write(BOTH.read("b1-NW3")) == "b1-NW3"
    for text in ("b1-e1", "B1-E1", "b1e1", "b1 E1", "B1E1"):
        assert refused(BOTH, text) == (
            AmbiguousMoveError,
            Refusal(Reason.SEVERAL_READINGS, moves=("b1-NW3", "b1-E1")),
        )


def test_one_legal_reading_is_played() -> None:
    only_step = volo(6, "b1 b3 h2", "i4 g8")
    only_goal = volo(6, "b1 b4 e2", "i4 g8")
    assert only_step.write(only_step.read("b1-e1")) == "b1-E1"
    assert only_goal.write(only_goal.read("b1-e1")) == "b1-NW3"
    # "Text in canonical form is that move", though another reading would be legal.
    assert refused(only_goal, "b1-E1")[1].reason is Reason.JOINS_NO_FLOCK


def test_a_direction_without_steps() -> None:
    assert refused(LINE, "a2a4ne")[1] == Refusal(Reason.SEVERAL_READINGS, moves=("a2:a4-NE3", "a2:a4-NE4"))
    assert refused(LINE, "d8-e")[1].reason is Reason.JOINS_NO_FLOCK


@pytest.mark.parametrize(
    "text",
    [
        "", "-", "/", "c", "7", "NE", "NE2", "c7/", "/c7", "a3-NE2/", "a3-NE2/a1/a2", "a2:a4-d5:d7:e8", "a3-XX2",
        "a3-NE2-c5", "c7 please", "a3-NE1234", "a3-щ2", "pass/a5", "pass pass", "c7" + "-" * 200, "a3.NE2", "a3-NE2/NE",
    ],
)  # fmt: skip
def test_what_is_no_move(text: str) -> None:
    assert refused(OPENING, text) == (InvalidMoveError, Refusal(Reason.NOT_NOTATION))


@pytest.mark.parametrize(
    ("text", "error", "refusal"),
    [
        ("g7", InvalidMoveError, Refusal(Reason.OFF_BOARD, ("g7",))),
        ("a1", InvalidMoveError, Refusal(Reason.OFF_BOARD, ("a1",))),
        ("z5", InvalidMoveError, Refusal(Reason.OFF_BOARD, ("z5",))),
        ("l2-n5", InvalidMoveError, Refusal(Reason.OFF_BOARD, ("n5",))),
        ("a9:m1-NE2/a1", InvalidMoveError, Refusal(Reason.OFF_BOARD, ("a9", "m1", "a1"))),
        ("l3", IllegalMoveError, Refusal(Reason.NEXT_TO_FRIEND, ("l3", "l2"))),
        ("l7", IllegalMoveError, Refusal(Reason.NOT_YOURS, ("l7",))),
        ("l7-W2", IllegalMoveError, Refusal(Reason.NOT_YOURS, ("l7",))),
        ("c7-W2", IllegalMoveError, Refusal(Reason.EMPTY, ("c7",))),
        ("c7:c8-W2", IllegalMoveError, Refusal(Reason.EMPTY, ("c7", "c8"))),
        ("l2:g12-W2", IllegalMoveError, Refusal(Reason.NOT_A_LINE, ("g12", "l2"))),
        ("l2-c3", IllegalMoveError, Refusal(Reason.NOT_STRAIGHT, ("l2", "c3"))),
        ("l2-l2", IllegalMoveError, Refusal(Reason.OCCUPIED, ("l2",))),
        ("l2-l7", IllegalMoveError, Refusal(Reason.OCCUPIED, ("l7",))),
        ("l2-E5", IllegalMoveError, Refusal(Reason.OCCUPIED, ("l7",))),
        ("l2-E6", IllegalMoveError, Refusal(Reason.JUMPS, ("l7",))),
        ("l2-E99", IllegalMoveError, Refusal(Reason.JUMPS, ("l7",))),
        ("l2-W2", IllegalMoveError, Refusal(Reason.LEAVES_BOARD, ("l1",))),
        ("l2-NE2", IllegalMoveError, Refusal(Reason.LEAVES_BOARD, ("m2",))),
        ("l2-NW1", IllegalMoveError, Refusal(Reason.JUMPS, ("m1",))),
        ("l2-SE6", IllegalMoveError, Refusal(Reason.JUMPS, ("g7",))),
        ("l2-b7", IllegalMoveError, Refusal(Reason.JUMPS, ("g7",))),
        ("l2-SW1", IllegalMoveError, Refusal(Reason.JOINS_NO_FLOCK, ("k2",))),
        ("l2", IllegalMoveError, Refusal(Reason.NO_FLIGHT, ("l2",))),
        ("c7/a5", IllegalMoveError, Refusal(Reason.NO_CHOICE, ("a5",))),
        ("l3/a5", IllegalMoveError, Refusal(Reason.NEXT_TO_FRIEND, ("l3", "l2"))),
        ("swap", IllegalMoveError, Refusal(Reason.SWAP_IS_NO_MOVE)),
    ],
)  # fmt: skip
def test_refusals_in_the_opening(text: str, error: type[MoveError], refusal: Refusal) -> None:
    assert refused(OPENING, text) == (error, refusal)


@pytest.mark.parametrize(
    ("text", "reason", "cells"),
    [
        ("a3-NE3", Reason.LEAVES_BIRDS_BEHIND, ("a2", "a4")),
        ("a3:a4-NE3", Reason.LEAVES_BIRDS_BEHIND, ("a2",)),
        ("a2:a4-NE2", Reason.JOINS_NO_FLOCK, ("c4", "c5", "c6")),
        ("a2:a4-E1", Reason.JOINS_NO_FLOCK, ("a3", "a4", "a5")),
        ("a2:a4-E3", Reason.JUMPS, ("a7",)),
        ("a2:d8-E1", Reason.NOT_A_LINE, ("a2", "d8")),
        ("a2:a4-d5:d8", Reason.NOT_STRAIGHT, ("a2", "d5")),
        ("a2:a4-d9", Reason.NOT_STRAIGHT, ("a2", "d9")),
        ("a2:a4-SE1", Reason.LEAVES_BOARD, ("a2", "a3", "a4")),  # over the edge: the last spaces before it
        ("a2:a4-NE3/a5", Reason.NO_CHOICE, ("a5",)),
        ("a2-a4", Reason.GOAL_MISSING, ()),
        ("a2-d8", Reason.NOT_STRAIGHT, ("a2", "d8")),
    ],
)  # fmt: skip
def test_refusals_of_a_line(text: str, reason: Reason, cells: tuple[str, ...]) -> None:
    _, refusal = refused(LINE, text)
    assert (refusal.reason, refusal.cells) == (reason, cells)


def test_the_refusal_lists_what_else_the_birds_can_do() -> None:
    assert refused(LINE, "a2:a4-NE2")[1].moves == ("a2:a4-NE3", "a2:a4-NE4")
    assert refused(LINE, "d8-E1")[1].moves == ("d8-SW3",)


def test_a_piece_alone_starts_the_guided_choice() -> None:
    assert refused(LINE, "d8") == (AmbiguousMoveError, Refusal(Reason.GOAL_MISSING, moves=("d8-SW3",)))
    for text in ("a2:a4", "a4a2", "a2-a4", "a3", "a4"):
        assert refused(LINE, text) == (
            AmbiguousMoveError,
            Refusal(Reason.GOAL_MISSING, moves=("a2:a4-NE3", "a2:a4-NE4")),
        )


@pytest.mark.parametrize(
    ("first", "text", "reason", "cells"),
    [
        ("b2 h5", "b2", Reason.NO_FLIGHT, ("b2",)),
        ("e3 e4 e5 l3", "e4", Reason.LEAVES_BIRDS_BEHIND, ("e3",)),
        ("e3 e4 e5 l3", "e3:e4", Reason.NO_FLIGHT, ("e3", "e4")),
        ("k2 k3 l1 l3 m2 l2 c3", "l2", Reason.JUMPS, ("l3", "l1", "m2", "m1", "k3", "k2")),
    ],
)
def test_a_piece_alone_that_cannot_fly(first: str, text: str, reason: Reason, cells: tuple[str, ...]) -> None:
    assert refused(volo(7, first, "l7 g2"), text) == (IllegalMoveError, Refusal(reason, cells))


# ---------------------------------------------------------------- clearing


def test_a_missing_choice_is_asked_for() -> None:
    both = ("d9:e10-NW1/a3", "d9:e10-NW1/a5")
    for text in ("d9:e10-NW1", "d9e10nw1", "d9:e10-e9", "e10:d9-f10"):
        assert refused(CUT, text) == (AmbiguousMoveError, Refusal(Reason.CHOICE_MISSING, moves=both))


@pytest.mark.parametrize(
    ("text", "stays"),
    [
        ("d9:e10-NW1/a5", "a5"), ("d9:e10-NW1/d8", "a5"), ("D9 E10 NW1 / C8", "a5"), ("d9:e10-nw1/Д9", "a5"),
        ("d9:e10-NW1/a3", "a3"), ("d9:e10-NW1/k4", "a3"), ("d9e10-e9/h1", "a3"), ("d9:e10-СЗ1/k4", "a3"),
    ],
)  # fmt: skip
def test_the_region_that_stays_by_any_of_its_cells(text: str, stays: str) -> None:
    assert CUT.write(CUT.read(text)) == f"d9:e10-NW1/{stays}"


@pytest.mark.parametrize("cell", ["a2", "e9", "d7"])
def test_a_cell_that_is_in_no_region(cell: str) -> None:
    error, refusal = refused(CUT, f"d9:e10-NW1/{cell}")
    assert (error, refusal.reason, refusal.cells) == (IllegalMoveError, Reason.NOT_A_REGION, (cell,))
    assert sorted(refusal.moves) == [text for text in written(CUT) if text.startswith("d9:e10-")]


def test_clearing_takes_the_birds_of_other_regions() -> None:
    move = CUT.read("d9:e10-NW1/a5")
    change = CUT.change(move)
    assert change.removed == ("e5", "f2", "h7", "i7", "j5", "j6", "k3", "k4")
    assert change.moved == (("d9", "e9"), ("e10", "f10"))
    after = CUT.play(move)
    assert after.board.names(after.pieces(Side.SECOND)) == ("a5", "d8")
    assert after.in_hand(Side.SECOND) == CUT.board.full.bit_count() // 2 - 2
    assert after.outcome() is None


def test_clearing_down_to_one_flock_loses() -> None:
    # Example: of Blue only a2 stays.
    record = Record.replay(GAMES["volo"], 7, ["i1", "a2", "l2-SW4", "g10", "h2:i1-SE7/a2"])
    assert record.outcome == Outcome(Ending.ONE_FLOCK_BY_CLEARING, Side.SECOND)
    other = Record.replay(GAMES["volo"], 7, ["i1", "a2", "l2-SW4", "g10", "h2:i1-SE7/a4"])
    assert other.outcome is None
    assert other.last_change.removed == ("a2",)


def test_regions_come_by_their_first_cell() -> None:
    after = CUT.play(CUT.read("d9:e10-NW1/a5"))
    first, *more = (after.board.names(region)[0] for region in after.regions(Side.SECOND))
    assert (first, more) == ("a5", [])
    assert [CUT.board.names(region)[0] for region in CUT.regions(Side.SECOND)] == ["a3"]


def test_uniting_wins_before_anything_is_cleared() -> None:
    # "uniting wins before anything is cleared": the wall shuts Blue's corner off, but it is Orange's one flock.
    wall = volo(6, "b2 b3 a5", "a2 k3")
    record = Record((), (wall,), None).play(wall.read("a5-W2"))
    assert record.outcome == Outcome(Ending.ONE_FLOCK, Side.FIRST)
    assert record.last_change.removed == ()
    assert record.position.legal_moves() == []


# ---------------------------------------------------------------- passing, supply


def test_a_compulsory_pass() -> None:
    shut_in = volo(6, "a2 k2", "a3 b2 b3 j2 j3 k3")
    assert written(shut_in) == ["pass"]
    for text in ("pass", "PASS", " pasar ", "Пас", "пропустить"):
        assert shut_in.read(text) == Pass()
    for text in ("a2", "c5", "a2-NE2", "e5-E1", "a3"):
        assert refused(shut_in, text) == (IllegalMoveError, Refusal(Reason.MUST_PASS, moves=("pass",)))
    assert refused(shut_in, "z9")[1].reason is Reason.OFF_BOARD
    assert refused(shut_in, "hello")[1].reason is Reason.NOT_NOTATION


def test_a_free_pass() -> None:
    own_space = volo_shown(
        "#.2.2#/.1.2111/..1222.1/.111..22./..121.1.2./#1121#2111#/.1.2.2221./2.222..1./2211111./11.1.../#....#"
    )
    assert written(own_space) == ["a5", "pass"]
    assert own_space.is_legal(Pass())


def test_no_pass_while_the_opponent_could_reach_an_addition() -> None:
    error, refusal = refused(OPENING, "pass")
    assert (error, refusal.reason, len(refusal.moves)) == (IllegalMoveError, Reason.PASS_NOT_ALLOWED, 60)
    with pytest.raises(IllegalMoveError):
        OPENING.play(Pass())


def test_no_pass_with_flights_but_no_additions() -> None:
    crowded = volo_shown(
        "#.22.#/111.211/1..11221/122.22.21/.2.22.112./#.21.#.22.#/.11121212./2.1112121/21.1.12./222111./#.2.1#",
        Side.SECOND,
    )
    assert written(crowded) == ["e5-NW1"]
    assert refused(crowded, "pass") == (IllegalMoveError, Refusal(Reason.PASS_NOT_ALLOWED, moves=("e5-NW1",)))


def test_two_passes_end_the_game_as_a_draw() -> None:
    shut_in = volo(6, "a2 k2", "a3 b2 b3 j2 j3 k3", passes=1)
    after = shut_in.play(Pass())
    assert after.outcome() == Outcome(Ending.DOUBLE_PASS, None)
    assert after.legal_moves() == []
    assert volo(6, "a2 k2", "a3 b2 b3 j2 j3 k3").play(Pass()).outcome() is None


def test_a_move_between_two_passes_counts() -> None:
    position = volo(6, "c3 h5", "f9 i2", passes=1)
    assert position.play(position.read("e7")) == volo(6, "c3 h5 e7", "f9 i2", Side.SECOND)


def test_an_empty_hand() -> None:
    # Orange has 42 birds in two flocks on the board of 84 spaces: from the bottom up, and one bird at the top.
    board = GAMES["volo"].opening(6).board
    low = [name for name in board.cells if name[0] in "abcdef"][:41]
    position = volo(6, " ".join([*low, "j3"]), "h2 h8")
    assert position.in_hand(Side.FIRST) == 0
    assert not any(isinstance(move, Addition) for move in position.legal_moves())
    assert refused(position, "h5") == (IllegalMoveError, Refusal(Reason.NO_BIRDS_LEFT))
    one_less = volo(6, " ".join([*low[1:], "j3"]), "h2 h8")
    assert one_less.in_hand(Side.FIRST) == 1
    assert one_less.is_legal(one_less.read("h5"))


# ---------------------------------------------------------------- the rest


def test_an_addition_in_the_opponents_region() -> None:
    position = volo(6, "j2 f10", "a3 b2 b3 h7")
    assert refused(position, "a2") == (IllegalMoveError, Refusal(Reason.OPPONENT_REGION, ("a2",)))


def test_steps_and_change() -> None:
    add, line, bird = (LINE.read(text) for text in ("c5", "a2:a4-NE3", "d8-SW3"))
    assert LINE.steps(add) == (Step(StepKind.ACTION, "add"), Step(StepKind.CELL, "c5"))
    fly = Step(StepKind.ACTION, "fly")
    assert LINE.steps(line) == (
        fly,
        Step(StepKind.CELL, "a2"),
        Step(StepKind.PIECE, "a2:a4"),
        Step(StepKind.GOAL, "d5"),
    )
    assert LINE.steps(bird) == (fly, Step(StepKind.CELL, "d8"), Step(StepKind.PIECE, "d8"), Step(StepKind.GOAL, "a5"))
    assert CUT.steps(CUT.read("d9:e10-NW1/d8"))[-1] == Step(StepKind.REGION, "a5")
    assert LINE.steps(Pass()) == (Step(StepKind.ACTION, "pass"),)
    assert LINE.change(add) == Change(added=("c5",))
    assert LINE.change(line) == Change(moved=(("a2", "d5"), ("a3", "d6"), ("a4", "d7")))
    assert LINE.change(Pass()) == Change()


def test_a_move_of_another_game() -> None:
    with pytest.raises(TypeError):
        OPENING.write(AyuMove(1, 2))
    with pytest.raises(IllegalMoveError):
        OPENING.play(AyuMove(1, 2))
    assert not OPENING.is_legal(AyuMove(1, 2))


@pytest.mark.parametrize(
    "move",
    [
        Addition(0), Addition(-1), Addition(3 << 20), Addition(1 << 999), Flight(0, 0), Flight(-1, -1),
        Flight(0, OPENING.board.bit("k2")), Flight(OPENING.board.bit("l2"), 0),
        Flight(1, 1 << 999), Flight(OPENING.board.full, OPENING.board.full),
        Flight(OPENING.board.bit("l2"), OPENING.board.full),
        Flight(OPENING.board.bits(["l2", "g12"]), OPENING.board.bits(["k2", "f12"])),
        Flight(LINE.board.bits(["a2", "a4"]), LINE.board.bits(["d5", "d7"])),
    ],
)  # fmt: skip
def test_bits_that_are_no_move(move: Addition | Flight) -> None:
    for position in (OPENING, LINE):
        assert not position.is_legal(move)
        with pytest.raises(IllegalMoveError):
            position.play(move)


@pytest.mark.parametrize("stays", [0, -1, 1 << 999, CUT.board.bit("d8"), CUT.board.bit("a2")])
def test_a_choice_that_is_not_the_first_cell_of_a_region(stays: int) -> None:
    right = CUT.read("d9:e10-NW1/a5")
    assert isinstance(right, Flight)
    assert not CUT.is_legal(Flight(right.birds, right.goal, stays))
    assert CUT.is_legal(right)


@pytest.mark.parametrize("size", [-1, 0, 5, 9, 10**30])
def test_sizes_that_are_not_played(size: int) -> None:
    with pytest.raises(BadSizeError):
        GAMES["volo"].opening(size)


@pytest.mark.parametrize(("size", "spaces"), [(6, 84), (7, 120), (8, 162)])
def test_openings(size: int, spaces: int) -> None:
    position = GAMES["volo"].opening(size)
    assert isinstance(position, VoloPosition)
    assert len(position.board.cells) == spaces
    assert [position.in_hand(side) for side in Side] == [spaces // 2 - 3] * 2
    assert [len(position.groups(side)) for side in Side] == [3, 3]
    assert [len(position.regions(side)) for side in Side] == [1, 1]
    assert position.to_move is Side.FIRST
