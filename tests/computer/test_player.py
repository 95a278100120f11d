"""The computer player: legal, on time, and not blind to what the rules decide."""

from __future__ import annotations

import gc
import os
from random import Random

import pytest

from computer.limits import LEVELS, STRONGEST, Limit, level_limit
from computer.player import choose, think
from rules import GAMES
from rules.core import Ending, Side
from rules.record import Record
from tests.computer.examples import REGION_CHOICE, REGION_LOSES, THREAT, THREAT_MOVE, Exhaustive, TooManyError, volo
from tests.rules.games import ALL_SIZES, random_record, recorded

POSITIONS = int(os.environ.get("BANDADA_COMPUTER_POSITIONS", "110"))
FROM_ONE_GAME = 5
BUDGET = int(os.environ.get("BANDADA_COMPUTER_BUDGET", "4000"))
GAMES_TO_SOLVE = int(os.environ.get("BANDADA_COMPUTER_GAMES", "6"))


@pytest.mark.parametrize(("game", "size"), ALL_SIZES)
def test_every_move_is_legal(game: str, size: int) -> None:
    wanted = max(1, POSITIONS // len(ALL_SIZES))
    for seed in range(-(-wanted // FROM_ONE_GAME)):
        rng = Random(f"{game} {size} {seed}")
        record = random_record(game, size, seed, 120)
        plies = range(len(record.moves) + (record.outcome is None))
        for ply in rng.sample(plies, min(FROM_ONE_GAME, wanted, len(plies))):
            limit = rng.choice([*LEVELS[game], Limit()])
            limit = Limit(0.01, limit.depth, limit.noise, limit.blind)
            position, past = record.positions[ply], record.positions[:ply]
            assert position.is_legal(choose(position, limit, rng, past)), (game, size, seed, ply)


def test_there_is_no_move_after_the_end() -> None:
    record = volo(f"{THREAT} a2 {THREAT_MOVE}")
    assert record.outcome is not None
    assert record.outcome.ending is Ending.ONE_FLOCK
    position = GAMES["ayu"].opening(5)
    while position.outcome() is None:
        position = position.play(position.legal_moves()[0])
    with pytest.raises(ValueError, match="no move"):
        choose(position, Limit(), Random(1))


def test_equal_chance_gives_equal_moves() -> None:
    position = GAMES["ayu"].opening(9)
    for level in (1, 3, 4):
        limit = level_limit("ayu", level, 60)
        first, again = (choose(position, limit, Random(5)) for _ in range(2))
        assert first == again
    assert len({choose(position, level_limit("ayu", 1), Random(seed)) for seed in range(20)}) > 3


def test_levels_are_numbered_from_one() -> None:
    for game in GAMES:
        assert len(LEVELS[game]) == STRONGEST
        for level in (0, STRONGEST + 1):
            with pytest.raises(ValueError, match="levels"):
                level_limit(game, level)


class Ticks:
    """A clock that goes on by one second whenever it is looked at."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        self.now += 1
        return self.now


@pytest.mark.parametrize("game", GAMES)
def test_the_search_ends_with_its_time(game: str) -> None:
    position = GAMES[game].opening(GAMES[game].default_size)
    clock = Ticks()
    thought = think(position, Limit(100), Random(1), (), clock)
    # Looked at before and after each position, and after every few of its moves; and nothing more when it is over.
    assert 101 < clock.now <= 104
    assert 0 < thought.nodes < 40
    assert position.is_legal(think(position, Limit(0), Random(1), (), Ticks()).move)


def test_the_collector_rests_while_it_thinks_and_works_again() -> None:
    states = []

    def clock() -> float:
        states.append(gc.isenabled())
        return float(len(states))

    think(GAMES["ayu"].opening(5), Limit(5), Random(1), (), clock)
    assert states[1:]
    assert not any(states[1:])
    assert gc.isenabled()


def test_it_sees_a_threat_and_parries_it() -> None:
    record = volo(THREAT)
    for level in (4, 5):
        after = record.play(choose(record.position, level_limit("volo", level, 0.5), Random(level)))
        assert not Exhaustive(10_000).wins(after.position, 1)


def test_it_takes_the_win() -> None:
    record = volo(f"{THREAT} a2")
    for level in (2, 3, 4, 5):
        limit = level_limit("volo", level)
        thought = think(record.position, Limit(limit.seconds, limit.depth), Random(1))
        assert record.play(thought.move).outcome is not None
        assert (thought.end, thought.depth) == (1, 1)


def test_it_does_not_clear_the_opponent_into_one_flock() -> None:
    record = volo(REGION_CHOICE)
    for seed in range(20):
        thought = choose(record.position, Limit(depth=1), Random(seed))
        assert record.position.write(thought) != REGION_LOSES


def test_a_repetition_is_a_draw() -> None:
    record = Record.opening(GAMES["ayu"], 9)
    rng = Random(3)
    # Whoever is told that all positions have stood already sees nothing but draws.
    seen = [record.position.play(move) for move in record.position.legal_moves()]
    thought = think(record.position, Limit(0.2), rng, seen)
    assert thought.chance == 0.5
    assert think(record.position, Limit(0.2), rng).chance != 0.5


@pytest.mark.parametrize("name", ["ayu.ndjson.gz", "volo_literal.ndjson.gz"])
def test_it_wins_what_can_be_forced(name: str) -> None:
    """Where looking at everything finds a forced win near the end of a recorded game, the strongest level wins it."""
    solved = 0
    for number, game in enumerate(recorded(name)):
        if number >= GAMES_TO_SOLVE:
            break
        record = Record.replay(GAMES[game["game"]], game["size"], game["moves"])
        for back in range(2, min(12, len(record.moves)) + 1):
            start = record.upto(len(record.moves) - back)
            try:
                if Exhaustive(BUDGET).forced(start.position, back) is None:
                    continue
            except TooManyError:
                continue
            solved += 1
            won = played_out(start)
            assert won is start.to_move, (name, game["seed"], len(start.moves))
    assert solved


def played_out(record: Record) -> Side | None:
    """Who wins when the strongest level goes on for both."""
    while record.outcome is None and len(record.moves) < 400:
        limit = level_limit(record.position.game.key, STRONGEST, 0.3)
        record = record.play(choose(record.position, limit, Random(len(record.moves)), record.positions[:-1]))
    return None if record.outcome is None else record.outcome.winner
