"""`bandada engine`: JSON lines, and the CodeCup protocol."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from rules import GAMES
from rules.record import Record


def engine(*arguments: str, typed: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", "from bot.cli import main; main()", "engine", *arguments],
        input=typed,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def is_legal(record: Record, text: str) -> bool:
    return record.position.is_legal(record.read(text))


def test_json_lines_are_answered_with_moves() -> None:
    lines = [
        {"game": "ayu", "size": 5, "moves": []},
        {"game": "volo", "size": 6, "moves": ["c7"]},
        {"game": "ayu", "size": 5, "moves": ["a1-a2"]},
        {"game": "chess", "moves": []},
    ]
    ran = engine("--level", "3", typed="\n".join(map(json.dumps, lines)) + "\nnot json\n")
    assert ran.returncode == 0, ran.stderr
    ayu, volo, illegal, unknown, broken = map(json.loads, ran.stdout.splitlines())
    assert is_legal(Record.opening(GAMES["ayu"], 5), ayu["move"])
    assert is_legal(Record.replay(GAMES["volo"], 6, ["c7"]), volo["move"])
    assert (illegal["error"]["code"], illegal["error"]["at"]) == ("illegal", 0)
    assert unknown["error"]["code"] == "unknown-game"
    assert broken["error"]["code"] == "bad-json"


def test_a_game_that_is_over_has_no_move() -> None:
    record = Record.opening(GAMES["ayu"], 5)
    while record.outcome is None:
        record = record.play(record.position.legal_moves()[0])
    request = {"game": "ayu", "size": 5, "moves": list(record.texts)}
    ran = engine(typed=json.dumps(request) + "\n")
    assert json.loads(ran.stdout) == {"move": None}


def test_a_contest_game_is_played_in_upper_case() -> None:
    ran = engine("--size", "11", "--level", "2", "--protocol", "codecup", typed="Start\nQuit\n")
    assert ran.returncode == 0, ran.stderr
    record = Record.opening(GAMES["ayu"], 11)
    (first,) = ran.stdout.splitlines()
    assert first == first.upper()
    record = record.play(record.read(first))
    reply = record.texts[0]
    assert reply == first.lower()
    ran = engine("--size", "11", "--level", "2", "--protocol", "codecup", typed="B9-B8\nQuit\n")
    record = Record.replay(GAMES["ayu"], 11, ["b9-b8"])
    assert is_legal(record, ran.stdout.strip())


@pytest.mark.parametrize("line", ["B9-B1", "hello"])
def test_a_contest_line_that_is_no_move_ends_it_with_one_line(line: str) -> None:
    ran = engine("--protocol", "codecup", typed=f"{line}\n")
    assert ran.returncode == 1
    assert ran.stdout == ""
    assert ran.stderr.startswith("bandada: move 0 ")
    assert ran.stderr.count("\n") == 1
