"""The rules against games recorded from other programs: every list of legal moves, every outcome, and perft."""

from __future__ import annotations

import hashlib
import json
from typing import Any

import pytest

from rules import GAMES
from rules.core import Ending, Position
from rules.record import Record
from tests.rules.games import DATA, lines, recorded, written

PERFT: list[dict[str, Any]] = json.loads((DATA / "perft.json").read_text(encoding="utf-8"))["positions"]
CONTEST = "codecup2015_ayu11.txt.gz"


def chunks(name: str, count: int) -> list[Any]:
    """Parameters (file, chunk, chunks), so that one file keeps several processes busy."""
    return [pytest.param(name, chunk, count, id=f"{name.split('.', maxsplit=1)[0]}-{chunk}") for chunk in range(count)]


def digest(texts: list[str]) -> str:
    return hashlib.sha256(" ".join(texts).encode()).hexdigest()[:16]


@pytest.mark.parametrize(
    ("name", "chunk", "count"),
    [*chunks("ayu.ndjson.gz", 4), *chunks("volo.ndjson.gz", 6), *chunks("volo_literal.ndjson.gz", 2)],
)
def test_recorded_games(name: str, chunk: int, count: int) -> None:
    games = 0
    for game in recorded(name, chunk, count):
        record = Record.opening(GAMES[game["game"]], game["size"])
        where = f"{name} seed {game['seed']}"
        for ply, text in enumerate([*game["moves"], None]):
            check_ply(record.position, game["plies"][ply : ply + 1], f"{where} ply {ply}")
            if text is not None:
                record = record.play(record.read(text))
        check_outcome(record, game["outcome"], where)
        games += 1
    assert games > 20


def check_ply(position: Position, recorded_ply: list[dict[str, Any]], where: str) -> None:
    for ply in recorded_ply:
        texts = written(position)
        if "legal" in ply:
            assert texts == ply["legal"], where
            assert position.diagram() == ply["board"], where
        assert (len(texts), digest(texts)) == (ply["count"], ply["hash"]), where


def check_outcome(record: Record, expected: dict[str, Any], where: str) -> None:
    if expected["reason"] == "cut":
        assert record.outcome is None, where
        return
    outcome = record.outcome
    assert outcome is not None, where
    winners = [1, 2] if outcome.winner is None else [outcome.winner]
    assert (outcome.ending, winners) == (expected["reason"], expected["winner"]), where
    assert record.position.diagram() == expected["board"], where
    if outcome.winner and "winner_units" in expected:
        assert len(record.position.groups(outcome.winner)) == expected["winner_units"], where


@pytest.mark.parametrize(("name", "chunk", "count"), chunks(CONTEST, 6))
def test_contest_games(name: str, chunk: int, count: int) -> None:
    for index, line in enumerate(lines(name, chunk, count)):
        record = Record.replay(GAMES["ayu"], 11, line.split())
        is_unfinished = (chunk, index) == (0, 0)
        ending = record.outcome.ending if record.outcome else None
        assert ending == (None if is_unfinished else Ending.NO_MOVES), f"line {index * count + chunk + 1}"


def test_contest_has_all_its_games() -> None:
    assert sum(1 for _ in lines(CONTEST)) == 1500


def perft(position: Position, depth: int) -> int:
    """How many sequences of *depth* legal moves begin at *position*."""
    moves = position.legal_moves()
    return len(moves) if depth == 1 else sum(perft(position.play(move), depth - 1) for move in moves)


@pytest.mark.parametrize(
    "entry", PERFT, ids=lambda entry: f"{entry['game']}{entry['size']}-{len(entry['moves'])}-{entry['perft'][0]}"
)
def test_perft(entry: dict[str, Any]) -> None:
    position = Record.replay(GAMES[entry["game"]], entry["size"], entry["moves"]).position
    assert [perft(position, depth + 1) for depth in range(2)] == entry["perft"][:2]


@pytest.mark.parametrize(
    "entry", [entry for entry in PERFT if len(entry["perft"]) > 2], ids=lambda e: f"{e['game']}{e['size']}"
)
def test_perft_three_plies(entry: dict[str, Any]) -> None:
    assert perft(GAMES[entry["game"]].opening(entry["size"]), 3) == entry["perft"][2]
