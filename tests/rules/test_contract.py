"""What holds for every game: the promises of `rules.core.Position` and `Game`, on random positions."""

from __future__ import annotations

import math
import pickle
from collections.abc import Callable
from dataclasses import FrozenInstanceError, fields
from functools import cache
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules import GAMES, find_game
from rules.board import Board
from rules.core import AmbiguousMoveError, Change, Game, MoveError, Position, Side, StepKind, UnknownGameError
from rules.record import Record
from tests.rules.games import ALL_SIZES, random_record

# The larger boards cost more and show the same.
SIZES = [pytest.param(game, size, id=f"{game}{size}") for game, size in ALL_SIZES if size <= 11]
seeds = st.integers(0, 10**6)
plies = st.integers(0, 130)


@pytest.mark.parametrize(("game", "size"), SIZES)
@given(seed=seeds, ply=plies)
def test_list_and_predicate_agree(game: str, size: int, seed: int, ply: int) -> None:
    record = random_record(game, size, seed, ply)
    position = record.position
    legal = position.legal_moves()
    assert all(map(position.is_legal, legal))
    assert len(set(legal)) == len(legal)
    assert (position.outcome() is None) == bool(legal)
    # Moves that are legal elsewhere: most are not here.
    for other in (record.positions[0], *record.positions[-3:-1]):
        for move in other.legal_moves():
            assert position.is_legal(move) == (move in legal)


@pytest.mark.parametrize(("game", "size"), SIZES)
@given(seed=seeds, ply=plies)
def test_playing_changes_nothing_but_the_result(game: str, size: int, seed: int, ply: int) -> None:
    position = random_record(game, size, seed, ply).position
    before = repr(position), hash(position)
    for move in position.legal_moves()[:10]:
        after = position.play(move)
        assert (repr(position), hash(position)) == before
        assert after.to_move is position.to_move.other
        assert after != position
        assert after == position.play(move)
        assert hash(after) == hash(position.play(move))


@pytest.mark.parametrize(("game", "size"), SIZES)
@given(seed=seeds, ply=plies)
def test_what_was_written_is_read_as_the_same_move(game: str, size: int, seed: int, ply: int) -> None:
    position = random_record(game, size, seed, ply).position
    moves = position.legal_moves()
    texts = [position.write(move) for move in moves]
    assert len(set(texts)) == len(texts)
    for move, text in zip(moves, texts, strict=True):
        assert position.read(text) == move


@pytest.mark.parametrize(("game", "size"), SIZES)
@given(seed=seeds, ply=plies, noise=st.randoms(use_true_random=False))
def test_noise_around_a_move_hides_nothing(game: str, size: int, seed: int, ply: int, noise: Random) -> None:
    position = random_record(game, size, seed, ply).position
    moves = position.legal_moves()
    for move in noise.sample(moves, min(12, len(moves))):
        text = noise.choice(("", " ")) + "".join(map(noisy(noise), position.write(move))) + noise.choice(("", "  "))
        try:
            assert position.read(text) == move, text
        except AmbiguousMoveError as error:
            assert position.write(move) in error.refusal.moves, text  # noqa: PT017 - either way is right


def noisy(noise: Random) -> Callable[[str], str]:
    """A way to write one sign of a move differently."""

    def write(sign: str) -> str:
        if sign in "-:":
            return noise.choice(("-", "–", " - ", "→", ">", ":", ",", "", " "))
        return noise.choice((sign.upper(), sign.lower()))

    return write


@pytest.mark.parametrize(("game", "size"), SIZES)
@given(seed=seeds, ply=plies)
def test_steps_tell_moves_apart(game: str, size: int, seed: int, ply: int) -> None:
    position = random_record(game, size, seed, ply).position
    moves = position.legal_moves()
    steps = [position.steps(move) for move in moves]
    assert all(steps)
    assert len(set(steps)) == len(moves)
    # No move is complete on the way to another, so the guided choice never has to ask whether it goes on.
    beginnings = {found[:length] for found in steps for length in range(1, len(found))}
    assert not beginnings & set(steps)
    for found in steps:
        kinds = [step.kind for step in found]
        assert kinds == sorted(kinds, key=list(StepKind).index)


def symmetries(board: Board) -> list[dict[str, str]]:
    """All symmetries of the board as maps of names, found by where the cells lie."""
    places = {_rounded(board.xy(name)): name for name in board.cells}
    quarter = math.pi / 2 if len(board.neighbours(board.cells[0])) == 2 else math.pi / 3
    found = []
    for turn in range(round(2 * math.pi / quarter)):
        cosine, sine = math.cos(turn * quarter), math.sin(turn * quarter)
        for mirror in (1, -1):
            images = {}
            for name in board.cells:
                x, y = board.xy(name)
                images[name] = places[_rounded((mirror * (x * cosine - y * sine), x * sine + y * cosine))]
            found.append(images)
    return found


def _rounded(xy: tuple[float, float]) -> tuple[int, int]:
    return round(xy[0] * 100), round(xy[1] * 100)


def image(position: Position, names: dict[str, str]) -> Position:
    """*position* with every piece moved to its image."""
    board = position.board
    values = {field.name: getattr(position, field.name) for field in fields(position)}  # type: ignore[arg-type]
    for name in ("first", "second"):
        values[name] = board.bits(names[cell] for cell in board.names(values[name]))
    return type(position)(**values)


def changes(
    position: Position, names: dict[str, str]
) -> set[tuple[frozenset[tuple[str, str]], frozenset[str], frozenset[str]]]:
    """What each legal move does, with every name replaced."""
    return {_images(position.change(move), names) for move in position.legal_moves()}


def _images(change: Change, names: dict[str, str]) -> tuple[frozenset[tuple[str, str]], frozenset[str], frozenset[str]]:
    moved = frozenset((names[left], names[reached]) for left, reached in change.moved)
    return moved, frozenset(names[name] for name in change.added), frozenset(names[name] for name in change.removed)


@cache
def symmetries_of(game: str, size: int) -> list[dict[str, str]]:
    return symmetries(GAMES[game].opening(size).board)


@pytest.mark.parametrize(("game", "size"), [("ayu", 5), ("ayu", 7), ("ayu", 9), ("volo", 6)])
@given(seed=seeds, ply=plies)
def test_symmetric_positions_have_symmetric_moves(game: str, size: int, seed: int, ply: int) -> None:
    position = random_record(game, size, seed, ply).position
    maps = symmetries_of(game, size)
    same = {name: name for name in position.board.cells}
    for names in Random(seed).sample(maps, 2):
        assert changes(image(position, names), same) == changes(position, names)


@pytest.mark.parametrize(("game", "size", "count"), [("ayu", 5, 8), ("ayu", 19, 8), ("volo", 6, 12), ("volo", 8, 12)])
def test_boards_have_all_symmetries_and_keep_neighbours(game: str, size: int, count: int) -> None:
    board = GAMES[game].opening(size).board
    maps = symmetries(board)
    assert len({tuple(names.items()) for names in maps}) == count
    for names in maps:
        assert len(set(names.values())) == len(board.cells)
        for name in board.cells:
            assert {names[near] for near in board.neighbours(name)} == set(board.neighbours(names[name]))


# ---------------------------------------------------------------- whatever is typed

_pieces_of_moves = st.sampled_from(
    [*"abceghiklmnoswxyABENSWавсенкмортхудфгийлбзюЮЗВ0123456789-–→>:,/ .!?ß²１İΩ\u0301\u200b\n\t\x00",
     "NE", "nw", "СВ", "юз", "pass", "пас", "swap", "a2", "b1", "a3-NE2", "a2:a4", "/a5", "-", "10", "11"]
)  # fmt: skip
hostile = st.one_of(
    st.text(max_size=40),
    st.lists(_pieces_of_moves, max_size=12).map("".join),
    st.lists(_pieces_of_moves, min_size=100, max_size=400).map("".join),
)


@pytest.mark.parametrize(("game", "size"), SIZES)
@given(seed=st.integers(0, 30), ply=st.sampled_from([0, 20, 60, 400]), texts=st.lists(hostile, max_size=20))
def test_whatever_is_typed(game: str, size: int, seed: int, ply: int, texts: list[str]) -> None:
    position = cached_position(game, size, seed, ply)
    legal = set(map(position.write, position.legal_moves()))
    for text in texts:
        try:
            assert position.write(position.read(text)) in legal
        except MoveError as error:
            refusal = error.refusal
            assert set(refusal.moves) <= legal, text
            assert len(refusal.moves) <= 60, text


@cache
def cached_position(game: str, size: int, seed: int, ply: int) -> Position:
    return random_record(game, size, seed, ply).position


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.key)
def test_long_texts_are_refused_unread(game: Game) -> None:
    position = game.opening(game.default_size)
    for text in ("a" * 10**6, " " * 10**6, "-" * 201, "a1" * 10**5, "/" * 10**6):
        with pytest.raises(MoveError):
            position.read(text)


# ---------------------------------------------------------------- values


@pytest.mark.parametrize(("game", "size"), ALL_SIZES)
def test_positions_and_moves_are_values(game: str, size: int) -> None:
    record = random_record(game, size, 1, 30)
    position = record.position
    assert pickle.loads(pickle.dumps(position)) == position  # noqa: S301 - made here
    assert pickle.loads(pickle.dumps(record.moves)) == record.moves  # noqa: S301 - made here
    again = Record.replay(GAMES[game], size, record.texts)
    assert again == record
    assert hash(again.position) == hash(position)
    for value in (position, record.moves[0]):
        with pytest.raises((FrozenInstanceError, AttributeError, TypeError)):
            setattr(value, fields(value)[0].name, 0)  # type: ignore[arg-type]


@pytest.mark.parametrize(("game", "size"), ALL_SIZES)
def test_sides_pieces_and_groups(game: str, size: int) -> None:
    position = random_record(game, size, 2, 40).position
    board = position.board
    assert position.game is GAMES[game]
    assert position.size == size == board.size
    assert not position.pieces(Side.FIRST) & position.pieces(Side.SECOND)
    for side in Side:
        groups = position.groups(side)
        assert sum(groups) == position.pieces(side)
        assert [group & -group for group in groups] == sorted(group & -group for group in groups)
        assert all(len(board.components(group)) == 1 for group in groups)
    rows = [[sign for sign in row if sign != "#"] for row in position.diagram().split("/")]
    assert rows == [[_sign(position, name) for name in row if name] for row in board.rows]


def _sign(position: Position, name: str) -> str:
    bit = position.board.bit(name)
    return "1" if position.pieces(Side.FIRST) & bit else "2" if position.pieces(Side.SECOND) & bit else "."


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.key)
def test_the_games_constants_fit_together(game: Game) -> None:
    assert GAMES[game.key] is game
    assert set(game.sizes) <= set(game.all_sizes)
    assert game.default_size in game.sizes
    assert list(game.all_sizes) == sorted(game.all_sizes)
    assert game.opening(game.default_size).outcome() is None


@pytest.mark.parametrize(
    ("name", "key"), [("ayu", "ayu"), (" Ayu ", "ayu"), ("АЮ", "ayu"), ("VOLO", "volo"), ("воло", "volo")]
)
def test_games_are_found_by_name(name: str, key: str) -> None:
    assert find_game(name).key == key


def test_there_is_no_other_game() -> None:
    with pytest.raises(UnknownGameError):
        find_game("chess")
