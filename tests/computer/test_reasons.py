"""Why a move: the kinds that hints are worded from."""

from __future__ import annotations

import pytest

from computer.reasons import Kind, grounds, winning_flight
from rules import GAMES
from rules.ayu import AyuPosition
from rules.board import square
from rules.core import Side
from rules.volo import VoloPosition
from tests.computer.examples import REGION_LOSES, THREAT, THREAT_MOVE, volo
from tests.rules.games import random_record


def ayu(rows: str) -> AyuPosition:
    """A position of 5x5, Black (X) to move; the top row first."""
    board = square(5)
    stones = {
        sign: board.bits(
            f"{'abcde'[column]}{5 - row}"
            for row, line in enumerate(rows.split("/"))
            for column, found in enumerate(line)
            if found == sign
        )
        for sign in "XO"
    }
    return AyuPosition(5, stones["X"], stones["O"], Side.FIRST)


@pytest.mark.parametrize(
    ("rows", "move", "kind", "own", "theirs"),
    [
        ("X..XX/...../...../...../O...O", "a5-b5", Kind.NEARS, 1, 3),
        (".X.../O.O../...../.X.../.....", "b5-b4", Kind.BLOCKS, 1, 3),
        ("XX.X./...../...../...../O...O", "d5-c5", Kind.JOINS, 0, 3),
        ("X...X/...../...../...../O...O", "a5-b5", Kind.NEARS, 2, 3),
        ("X..../...../..X../OOOO./...O.", "a5-b5", Kind.NEARS, 2, 0),
    ],
)
def test_ayu(rows: str, move: str, kind: Kind, own: int, theirs: int) -> None:
    position = ayu(rows)
    found = grounds(position, position.read(move))
    assert (found.kind, found.own, found.theirs) == (kind, own, theirs)
    assert grounds(position, position.read(move), wins=True).kind is Kind.WINS


def test_ayu_blocking_tells_by_how_much() -> None:
    position = ayu(".X.../O.O../...../.X.../.....")
    assert grounds(position, position.read("b5-b4")).count == 2
    # A wall from edge to edge, but for one point; a stone taken from its end opens it elsewhere.
    wall = ayu("..O../XX.XX/...../..X../..O..")
    shut = [text for text in _moves(wall) if grounds(wall, wall.read(text)).kind is Kind.SHUTS_OUT]
    assert shut == ["c2-c3"]


def _moves(position: AyuPosition) -> list[str]:
    return [position.write(move) for move in position.legal_moves()]


def test_volo_parries_and_wins() -> None:
    position = volo(THREAT).position
    assert isinstance(position, VoloPosition)
    assert winning_flight(position, Side.FIRST) == THREAT_MOVE
    assert winning_flight(position, Side.SECOND) == ""
    parried = grounds(position, position.read("h5"))
    assert (parried.kind, parried.threat) == (Kind.PARRIES, THREAT_MOVE)
    after = volo(f"{THREAT} a2").position
    assert grounds(after, after.read(THREAT_MOVE)).kind is Kind.WINS


def test_volo_clears_and_adds() -> None:
    record = volo("i1 a2 l2-SW4 g10")
    assert REGION_LOSES not in record.texts
    cleared = grounds(record.position, record.position.read("h2:i1-SE7/a4"))
    assert cleared.count == 1
    opening = GAMES["volo"].opening(7)
    assert grounds(opening, opening.read("c7")).kind is Kind.PREPARES


@pytest.mark.parametrize("game", GAMES)
def test_every_move_has_a_reason(game: str) -> None:
    record = random_record(game, GAMES[game].sizes[0], 3, 60)
    seen = {grounds(position, move).kind for position, move in zip(record.positions, record.moves, strict=False)}
    assert len(seen) > 2
