"""Computer against computer: pairs, openings, intervals, and the baselines."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner

from bot.cli import main
from bot.contest import table
from computer.arena import GameResult, Score, UnknownPlayerError, make_player, openings, play_game, play_match
from computer.baselines import BASELINES
from rules import GAMES
from rules.record import Record


def test_openings_differ_and_are_the_same_for_a_seed() -> None:
    found = openings("ayu", 11, 60, 1)
    assert len(set(found)) == 60
    assert {len(moves) for moves in found} == {4}
    assert found == openings("ayu", 11, 60, 1) != openings("ayu", 11, 60, 2)
    for moves in found:
        assert Record.replay(GAMES["ayu"], 11, moves).outcome is None


def test_two_games_of_a_pair_have_one_opening_and_swapped_colours() -> None:
    first, second = play_match("ayu", 7, ("level:4", "random"), 2, slowness=1.0, seed=4)
    assert first.winner == second.winner == 0  # the better player wins with either colour
    assert first.ended == "no-moves"
    again = play_game("ayu", 7, ("level:4", "random"), openings("ayu", 7, 1, 4)[0], 1.0, swapped=False, seed=4)
    assert (again.winner, again.plies) == (first.winner, first.plies)


def test_several_processes_play_the_same_games() -> None:
    one = [(r.winner, r.plies) for r in play_match("volo", 6, ("one-ply", "random"), 4, slowness=1.0)]
    two = [(r.winner, r.plies) for r in play_match("volo", 6, ("one-ply", "random"), 4, slowness=1.0, jobs=2)]
    assert one == two


def test_the_interval_is_wilsons() -> None:
    # 39 of 40: 0.871 to 0.996 (R: prop.test(39, 40, correct = FALSE))
    assert Score(39, 0, 1).interval == pytest.approx((0.8712, 0.9956), abs=2e-4)
    assert Score(0, 2, 0).share == 0.5
    assert Score().interval == (0, 1)


@pytest.mark.parametrize("game", GAMES)
def test_baselines_play_legal_moves(game: str) -> None:
    rng = Random(2)
    for name, player in BASELINES[game].items():
        record = Record.opening(GAMES[game], GAMES[game].sizes[0])
        for _ in range(6):
            move = player(record, rng)
            assert record.position.is_legal(move), name
            record = record.play(move)


@pytest.mark.parametrize("name", ["level:0", "level:6", "level:x", "seconds:x", "one-ply", "grandmaster", ""])
def test_unknown_players_are_named(name: str) -> None:
    with pytest.raises(UnknownPlayerError, match="level:1 to level:5"):
        make_player("ayu", name)


def test_the_table_tells_share_interval_and_times() -> None:
    results = [
        GameResult(0, "no-moves", 40, (2.0, 1.0), (20, 20)),
        GameResult(None, "repetition", 50, (2, 1), (20, 20)),
    ]
    lines = table("ayu", 9, ("level:5", "three"), results, 2.0)
    assert lines == (
        "ayu 9, 2 games",
        "level:5  1 won, 1 drawn, 0 lost: 75 % (95 %: 20 to 97 %)",
        "level:5  50 ms a move, scaled",
        "three    25 ms a move, scaled",
        "plies    45 (40 to 50); no-moves 1, repetition 1",
    )


def test_the_command_says_how_it_went() -> None:
    ran = CliRunner().invoke(main, ["arena", "--game", "ayu", "--size", "5", "greedy", "random", "--games", "2"])
    assert ran.exit_code == 0, ran.output
    assert "times the reference" in ran.output
    assert "1 of 2 games: greedy " in ran.output
    assert "ayu 5, 2 games" in ran.output


def any_left(group: int) -> bool:
    """True while a process of the group runs."""
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_what_was_played_is_told_when_it_is_stopped(jobs: str) -> None:
    """Interrupted by the keyboard, which reaches the helpers too; none of them is left."""
    words = ("arena", "greedy", "random", "--size", "5", "--games", "2000", "--jobs", jobs)
    command = [sys.executable, "-c", "from bot.cli import main; main()", *words]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    ) as process:
        assert process.stdout is not None
        while not process.stdout.readline().startswith("200 of 2000"):
            assert process.poll() is None
        os.killpg(process.pid, signal.SIGINT)
        told, errors = process.communicate(timeout=60)
    assert (process.returncode, errors.strip()) == (1, "Aborted!")
    told_games = re.search(r"Stopped after (\d+) of 2000 games\.\nayu 5, (\d+) games\ngreedy  \d+ won", told)
    assert told_games
    assert int(told_games[1]) == int(told_games[2]) >= 200
    until = time.monotonic() + 20
    while any_left(process.pid):
        assert time.monotonic() < until
        time.sleep(0.05)


def test_the_help_and_the_readme_name_every_player_of_every_game() -> None:
    told = CliRunner().invoke(main, ["arena", "--help"], terminal_width=80).output
    readme = (Path(__file__).parents[2] / "README.md").read_text("utf-8")
    for game, named in BASELINES.items():
        (line,) = [line for line in told.splitlines() if line.strip().startswith(f"{game}:")]
        assert line.strip().removeprefix(f"{game}: ").split(", ") == ["level:1 to level:5", "seconds:0.3", *named]
        assert all(f"`{name}`" in readme for name in named)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["arena", "greedy", "best"], 'no player "best" of ayu'),
        (["arena", "greedy", "three", "--size", "10"], "ayu is played on the sizes"),
        (["arena", "greedy", "three", "--game", "chess"], 'no game "chess"'),
        (["engine", "--level", "3", "--seconds", "1"], "cannot be both"),
        (["engine", "--game", "volo"], "--game and --size are for --protocol codecup"),
        (["engine", "--size", "6"], "--game and --size are for --protocol codecup"),
    ],
)
def test_the_host_reads_what_is_wrong(arguments: list[str], said: str) -> None:
    ran = CliRunner().invoke(main, arguments)
    assert ran.exit_code == 1
    assert said in ran.output
    assert ran.output.count("\n") == 1
