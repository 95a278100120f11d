"""Computer against computer: pairs of games with swapped colours from the same random opening, counted with intervals.

Time is the process's own CPU time: other programs on the machine cost no strength.
"""

from __future__ import annotations

import multiprocessing
import signal
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from math import sqrt
from random import Random
from time import process_time
from typing import Final

from computer.baselines import BASELINES, Player
from computer.limits import ARENA_SECONDS, STRONGEST, Limit, level_limit
from computer.player import choose
from rules import GAMES
from rules.core import Move
from rules.record import Record

OPENING_PLIES: Final = 4
MOST_PLIES: Final = 1_000
"""A game that is longer stops unfinished and counts as a draw."""


class UnknownPlayerError(ValueError):
    """There is no such player of this game: the fault of whoever typed it. The message is one line."""


@dataclass(frozen=True, slots=True)
class GameResult:
    """One game: *winner* 0 (the first named player), 1 or None for a draw; *ended* says how."""

    winner: int | None
    ended: str
    plies: int
    seconds: tuple[float, float]
    """CPU seconds that each player thought, by player."""
    moves: tuple[int, int]
    """Moves that each player made."""


def players(game: str) -> tuple[str, ...]:
    """What the players of *game* are called, as `make_player` reads them: the computer's forms, then the baselines."""
    return (f"level:1 to level:{STRONGEST}", "seconds:0.3", *BASELINES[game])


def make_player(game: str, name: str, slowness: float = 1.0) -> Player:
    """The player called *name*: ``level:3``, ``seconds:0.5``, or one of the game's baselines.

    Times are multiplied with *slowness*, so that a slower machine leaves as much thinking as the reference.

    :raises UnknownPlayerError: if there is none.
    """
    kind, _, value = name.partition(":")
    try:
        if kind == "level":
            return _timed(level_limit(game, int(value), ARENA_SECONDS * slowness))
        if kind == "seconds":
            return _timed(level_limit(game, STRONGEST, min(max(float(value), 0.01), 600) * slowness))
        return BASELINES[game][name]
    except (ValueError, KeyError) as error:
        raise UnknownPlayerError(f'no player "{name}" of {game}; there are {", ".join(players(game))}') from error


def _timed(limit: Limit) -> Player:
    def play(record: Record, rng: Random) -> Move:
        return choose(record.position, limit, rng, record.positions[:-1], process_time)

    return play


def openings(game: str, size: int, count: int, seed: int) -> list[tuple[str, ...]]:
    """*count* different openings of four random plies after which the game goes on.

    :raises ValueError: if there are not so many.
    """
    rng = Random(f"{game} {size} {seed}")  # noqa: S311 - chance here is seeded, not secret
    found: dict[tuple[str, ...], None] = {}
    for _ in range(100 * count):
        if len(found) == count:
            return list(found)
        record = Record.opening(GAMES[game], size)
        while record.outcome is None and len(record.moves) < OPENING_PLIES:
            record = record.play(rng.choice(record.position.legal_moves()))
        if record.outcome is None:
            found[record.texts] = None
    raise ValueError("there are not so many openings")


def play_game(
    game: str, size: int, names: tuple[str, str], opening: tuple[str, ...], slowness: float, *, swapped: bool, seed: int
) -> GameResult:
    """One game between the players *names*; *swapped*: the second one moves first."""
    rng = Random(f"{seed} {swapped} {' '.join(opening)}")  # noqa: S311 - the same
    players = [make_player(game, name, slowness) for name in names]
    record = Record.replay(GAMES[game], size, opening)
    seconds, moves = [0.0, 0.0], [0, 0]
    while record.outcome is None and len(record.moves) < MOST_PLIES:
        who = (record.to_move.value - 1) ^ swapped
        started = process_time()
        move = players[who](record, rng)
        seconds[who] += process_time() - started
        moves[who] += 1
        record = record.play(move)
    outcome = record.outcome
    winner = None if outcome is None or outcome.winner is None else (outcome.winner.value - 1) ^ swapped
    ended = "unfinished" if outcome is None else outcome.ending.value
    return GameResult(winner, ended, len(record.moves), (seconds[0], seconds[1]), (moves[0], moves[1]))


def play_match(
    game: str, size: int, names: tuple[str, str], games: int, *, slowness: float, seed: int = 0, jobs: int = 1
) -> Iterator[GameResult]:
    """*games* games in pairs with swapped colours, one after the other, *jobs* of them being played at a time.

    :raises UnknownPlayerError: if one of the *names* is no player.
    """
    for name in names:
        make_player(game, name)
    starts = openings(game, size, (games + 1) // 2, seed)
    plans: list[Callable[[], GameResult]] = [
        partial(play_game, game, size, names, starts[number // 2], slowness, swapped=bool(number % 2), seed=seed)
        for number in range(games)
    ]
    if jobs == 1:
        return (plan() for plan in plans)
    return _in_processes(plans, jobs)


def _in_processes(plans: list[Callable[[], GameResult]], jobs: int) -> Iterator[GameResult]:
    # Whoever stops the arena stops this process; leaving the block ends the others, in the middle of their games.
    with multiprocessing.get_context("spawn").Pool(jobs, signal.signal, (signal.SIGINT, signal.SIG_IGN)) as pool:
        yield from pool.imap(_played, plans)


def _played(plan: Callable[[], GameResult]) -> GameResult:
    return plan()


@dataclass(frozen=True, slots=True)
class Score:
    """The first named player's score: wins count 1, draws ½."""

    wins: int = 0
    draws: int = 0
    losses: int = 0

    @property
    def games(self) -> int:
        """How many games were played."""
        return self.wins + self.draws + self.losses

    @property
    def share(self) -> float:
        """The score as a share of the games, ½ if there are none."""
        return (self.wins + self.draws / 2) / self.games if self.games else 0.5

    def plus(self, result: GameResult) -> Score:
        """The score with one more game."""
        return Score(
            self.wins + (result.winner == 0), self.draws + (result.winner is None), self.losses + (result.winner == 1)
        )

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the share after Wilson (JASA 22, 1927); (0, 1) without a game."""
        games = self.games
        if not games:
            return 0.0, 1.0
        z = 1.96
        middle = self.share + z * z / (2 * games)
        half = z * sqrt(self.share * (1 - self.share) / games + z * z / (4 * games * games))
        bottom = 1 + z * z / games
        return max(0.0, (middle - half) / bottom), min(1.0, (middle + half) / bottom)
