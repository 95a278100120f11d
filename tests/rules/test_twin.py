"""The fast rules against the slow reference: same moves, same positions, and every reason for a refusal is true."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules import GAMES
from rules.ayu import AyuPosition
from rules.ayu_reading import refusal as ayu_refusal
from rules.ayu_units import AyuMove
from rules.core import Change, IllegalMoveError, MoveError, Position, Reason, Refusal
from rules.record import Record
from rules.volo import VoloPosition
from rules.volo_flights import sky
from rules.volo_moves import Addition, Flight
from rules.volo_refusals import refusal as volo_refusal
from tests.rules import reference
from tests.rules.games import ALL_SIZES, random_record, written

# (game, size, games, plies): enough to see clearings and ends, few enough to be quick.
GAMES_TO_COMPARE = [
    *[pytest.param("ayu", size, seed, 400, id=f"ayu{size}-{seed}") for size in (5, 7, 9) for seed in range(3)],
    pytest.param("ayu", 11, 1, 30, id="ayu11"),
    *[pytest.param("volo", 6, seed, 90, id=f"volo6-{seed}") for seed in range(6)],
    *[pytest.param("volo", 7, seed, 60, id=f"volo7-{seed}") for seed in range(3)],
    pytest.param("volo", 8, 1, 40, id="volo8"),
]


@pytest.mark.parametrize(("game", "size", "seed", "plies"), GAMES_TO_COMPARE)
def test_random_games(game: str, size: int, seed: int, plies: int) -> None:
    record = random_record(game, size, seed, plies)
    twin = reference.opening(game, size)
    for ply, position in enumerate(record.positions):
        after = twin.moves()
        assert written(position) == sorted(after), record.texts[:ply]
        assert position.diagram() == twin.diagram(), record.texts[:ply]
        outcome = position.outcome()
        ending = (outcome.ending, outcome.winner) if outcome else None
        assert ending == twin.ending(), record.texts[:ply]
        if ply < len(record.moves):
            twin = after[record.texts[ply]]


@pytest.mark.parametrize(("game", "size"), [("ayu", size) for size in (13, 15, 17, 19)])
def test_positions_of_long_games(game: str, size: int) -> None:
    record = random_record(game, size, size, 500)
    assert len(record.positions) > 100
    for ply in range(0, len(record.positions), len(record.positions) // 6):
        position = record.positions[ply]
        twin = mirrored(position)
        assert written(position) == sorted(twin.moves()), record.texts[:ply]
        assert position.diagram() == twin.diagram(), record.texts[:ply]


def test_random_games_reach_what_matters() -> None:
    records = [random_record(*parameters.values) for parameters in GAMES_TO_COMPARE]  # type: ignore[arg-type]
    texts = {text for record in records for text in record.texts}
    endings = {record.outcome.ending for record in records if record.outcome}
    assert any("/" in text for text in texts)
    assert any(":" in text for text in texts)
    assert len(endings) >= 3


# ---------------------------------------------------------------- refusals


def mirrored(position: Position) -> reference.Reference:
    """The reference's position with the same pieces."""
    board = position.board
    first, second = (frozenset(board.names(position.pieces(side))) for side in type(position.to_move))
    pieces = {1: first, 2: second}
    if isinstance(position, VoloPosition):
        return reference.Volo(position.size, pieces, position.to_move, position.passes)
    return reference.Ayu(position.size, pieces, position.to_move)


def is_true_of_ayu(twin: reference.Ayu, origin: str, goal: str, refusal: Refusal) -> bool:
    """The reason holds for the move, and the refusal's cells and numbers are what `Reason` says they are."""
    cells = frozenset(refusal.cells)
    match refusal.reason:
        case Reason.GAME_OVER:
            return twin.ending() is not None
        case Reason.EMPTY:
            return cells == {origin} <= twin.empty
        case Reason.NOT_YOURS:
            return cells == {origin} <= twin.stones[3 - twin.to_move]
        case Reason.OCCUPIED:
            return cells == {goal} and goal not in twin.empty
        case _ if origin not in twin.own or goal not in twin.empty:
            return False
    unit = twin.unit(origin)
    before = twin.distances(unit)
    after = twin.after(origin, goal)
    match refusal.reason:
        case Reason.UNREACHABLE:
            return not before and cells == unit
        case Reason.NOT_ADJACENT:
            return goal not in twin.border(unit) and refusal.cells == (origin, goal)
        case Reason.LOSES_UNIT:
            rest = unit - {origin}
            return bool(rest) and goal not in twin.border(rest) and cells == {goal}
        case Reason.SPLITS_GROUP:
            whole = unit - {origin} | {goal}
            pieces = reference.parts(whole, twin.near)
            largest = max(map(len, pieces))
            # The stones outside a largest piece; the moved one, which holds on to some of them, is not named.
            cut_off = [(whole - kept) - {goal} for kept in pieces if len(kept) == largest]
            return len(pieces) > 1 and cells in cut_off
        case Reason.NOT_NEARER:
            nearest = min(before.values())
            now = after.distances(after.unit(goal))
            return (
                refusal.before == nearest
                and refusal.after == min(now.values()) >= nearest
                and any(cells == other and distance == nearest for other, distance in before.items())
            )
        case _:
            return False


def check_ayu_pairs(record: Record) -> set[Reason]:
    """Every pair of points, by value and by text; the reasons that were given."""
    position = record.position
    assert isinstance(position, AyuPosition)
    twin = mirrored(position)
    assert isinstance(twin, reference.Ayu)
    legal = set(twin.moves())
    board = position.board
    reasons = set()
    for origin in board.cells:
        for goal in board.cells:
            text = f"{origin}-{goal}"
            where = (record.texts, text)
            refusal = ayu_refusal(position, AyuMove(board.bit(origin), board.bit(goal)))
            assert (refusal is None) == (text in legal), where
            if refusal is None:
                assert position.write(position.read(text)) == text, where
                continue
            assert is_true_of_ayu(twin, origin, goal, refusal), (*where, refusal)
            with pytest.raises(MoveError) as caught:
                position.read(text)
            assert caught.value.refusal.reason is refusal.reason, where
            assert caught.value.refusal.cells == refusal.cells, where
            reasons.add(refusal.reason)
    return reasons


@pytest.mark.parametrize(
    ("size", "seed", "plies"),
    [(size, seed, plies) for size in (5, 7) for seed, plies in enumerate((0, 3, 8, 15, 25))],
)
def test_refusals_in_ayu_are_true(size: int, seed: int, plies: int) -> None:
    assert check_ayu_pairs(random_record("ayu", size, seed, plies))


@pytest.mark.parametrize(("game", "size"), [("ayu", 5), ("volo", 6)])
def test_nothing_is_legal_after_the_end(game: str, size: int) -> None:
    record = next(record for seed in range(9) if (record := random_record(game, size, seed, 300)).position.outcome())
    position = record.position
    assert position.legal_moves() == []
    for before, move in zip(record.positions, record.moves, strict=False):
        if before.to_move is position.to_move:
            with pytest.raises(IllegalMoveError) as caught:
                position.play(move)
            assert caught.value.refusal.reason is Reason.GAME_OVER
            assert not position.is_legal(move)
    for text in ("a2", "pass", "swap", record.texts[0]):
        with pytest.raises(IllegalMoveError) as caught:
            position.read(text)
        assert caught.value.refusal.reason is Reason.GAME_OVER


def test_every_reason_of_ayu_is_given() -> None:
    found = set[Reason]()
    for seed in range(6):
        record = random_record("ayu", 7, seed, 14 + 3 * seed)
        found |= check_ayu_pairs(record.upto(len(record.moves) - 1))
    assert found >= {
        Reason.EMPTY,
        Reason.NOT_YOURS,
        Reason.OCCUPIED,
        Reason.NOT_ADJACENT,
        Reason.SPLITS_GROUP,
        Reason.NOT_NEARER,
    }


def flying_of(twin: reference.Volo, birds: frozenset[str], goal: frozenset[str]) -> reference.Flying | None:
    """The vector that takes *birds* to *goal*, None if there is none."""
    for way in reference.DIRECTIONS:
        for count in range(1, 2 * twin.size):
            flying = twin.flying(birds, way, count)
            if flying.goal == goal and not flying.off:
                return flying
    return None


def is_true_of_volo(twin: reference.Volo, flying: reference.Flying, refusal: Refusal) -> bool:
    """The reason holds for the flight of own birds, and the cells are what `Reason` says they are."""
    cells = frozenset(refusal.cells)
    match refusal.reason:
        case Reason.OCCUPIED:
            return bool(cells) and cells <= flying.blocked & flying.goal
        case Reason.JUMPS:
            return bool(cells) and (cells <= flying.blocked or flying.off)
        case Reason.LEAVES_BOARD:
            return flying.off and not flying.blocked
        case _ if flying.blocked or flying.off:
            return False
        case Reason.LEAVES_BIRDS_BEHIND:
            return bool(cells) and cells == twin.left_behind(flying)
        case Reason.JOINS_NO_FLOCK:
            return not twin.joins(flying) and cells == flying.goal
        case Reason.CHOICE_MISSING:
            return twin.is_flight(flying) and len(twin.choices(flying)) > 1
        case _:
            return False


def check_volo_pair(position: VoloPosition, twin: reference.Volo, origin: str, goal: str) -> Reason | None:
    """One bird, one goal: the reason of the refusal, None if the flight is legal."""
    board = position.board
    refusal = volo_refusal(position, Flight(board.bit(origin), board.bit(goal)))
    where = (position.diagram(), position.to_move, origin, goal, refusal)
    flying = flying_of(twin, frozenset({origin}), frozenset({goal}))
    is_legal = origin in twin.own and flying is not None and twin.is_flight(flying) and not twin.choices(flying)
    assert (refusal is None) == is_legal, where
    if refusal is None:
        return None
    match refusal.reason:
        case Reason.EMPTY:
            assert {origin} == set(refusal.cells) <= twin.empty, where
        case Reason.NOT_YOURS:
            assert {origin} == set(refusal.cells) <= twin.foreign, where
        case Reason.NOT_STRAIGHT:
            assert flying is None, where
            assert refusal.cells == (origin, goal), where
        case _:
            assert flying is not None, where
            assert is_true_of_volo(twin, flying, refusal), where
    return refusal.reason


@pytest.mark.parametrize("seed", range(4))
def test_refusals_in_volo_are_true(seed: int) -> None:
    position, twin = volo_pair(seed, 8 + 9 * seed)
    reasons = {
        check_volo_pair(position, twin, origin, goal)
        for origin in position.board.cells
        for goal in position.board.cells
    }
    assert reasons >= {Reason.EMPTY, Reason.NOT_YOURS, Reason.NOT_STRAIGHT, Reason.JUMPS, Reason.JOINS_NO_FLOCK}


def volo_pair(seed: int, plies: int) -> tuple[VoloPosition, reference.Volo]:
    """A position of a random game that is not over, twice."""
    record = random_record("volo", 6, seed, plies)
    position = record.positions[-2] if record.outcome else record.position
    twin = mirrored(position)
    assert isinstance(position, VoloPosition)
    assert isinstance(twin, reference.Volo)
    return position, twin


@pytest.mark.parametrize("seed", range(8))
def test_refusals_of_lines_and_additions_are_true(seed: int) -> None:
    position, twin = volo_pair(seed, 20 + 8 * seed)
    board = position.board
    for birds in twin.lines():
        for way in reference.DIRECTIONS:
            for count in range(1, 5):
                flying = twin.flying(birds, way, count)
                if flying.off or not flying.goal <= set(board.cells):
                    continue
                refusal = volo_refusal(position, Flight(board.bits(birds), board.bits(flying.goal)))
                where = (position.diagram(), position.to_move, flying, refusal)
                assert (refusal is None) == (twin.is_flight(flying) and not twin.choices(flying)), where
                assert refusal is None or is_true_of_volo(twin, flying, refusal), where
    additions = twin.additions()
    reached = frozenset[str]().union(*twin.regions(twin.to_move))
    for name in board.cells:
        refusal = volo_refusal(position, Addition(board.bit(name)))
        assert (refusal is None) == (name in additions), (position.diagram(), name)
        if refusal is None:
            continue
        holds = {
            Reason.OCCUPIED: name not in twin.empty and refusal.cells == (name,),
            Reason.NEXT_TO_FRIEND: set(refusal.cells) == {name} | (twin.near(name) & twin.own),
            Reason.OPPONENT_REGION: name not in reached and refusal.cells == (name,),
        }
        assert holds.get(refusal.reason), (position.diagram(), refusal)


# ---------------------------------------------------------------- changes


@pytest.mark.parametrize(("game", "size"), ALL_SIZES)
@given(seed=st.integers(0, 999), plies=st.integers(0, 30))
def test_a_change_is_what_happens_to_the_board(game: str, size: int, seed: int, plies: int) -> None:
    position = random_record(game, size, seed, plies).position
    for move in Random(seed).sample(moves := list(position.legal_moves()), min(5, len(moves))):
        change = position.change(move)
        after = position.play(move)
        names = position.board.names
        own = set(names(position.pieces(position.to_move)))
        other = set(names(position.pieces(position.to_move.other)))
        left, reached = {pair[0] for pair in change.moved}, {pair[1] for pair in change.moved}
        assert set(names(after.pieces(position.to_move))) == own - left | reached | set(change.added)
        assert set(names(after.pieces(position.to_move.other))) == other - set(change.removed)
        assert change != Change() or position.write(move) == "pass"


def test_the_tables_know_every_heading() -> None:
    for size in GAMES["volo"].all_sizes:
        tables = sky(size)
        names = {bit: name for name, bit in tables.board.holes.items()}
        names |= {tables.board.bit(name): name for name in tables.board.cells}
        expected = {}
        for name in tables.board.cells:
            for way in reference.DIRECTIONS:
                count, place = 1, reference.step(size, name, way)
                while place is not None:
                    expected[name, place] = (way, count)
                    count, place = count + 1, reference.step(size, place, way)
        found = {
            (names[left], names[reached]): (heading.name, heading.count)
            for (left, reached), heading in tables.headings.items()
        }
        assert found == expected
