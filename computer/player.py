"""The computer player's door: a position and a limit in, a move out."""

from __future__ import annotations

import gc
import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from time import perf_counter
from typing import Final

from computer.ayu_mind import AyuMind
from computer.limits import Limit
from computer.search import CERTAIN, DRAW, WIN, Branch, Found, Mind, Search
from computer.volo_mind import VoloMind
from rules.core import Move, Position, UnknownGameError

Clock = Callable[[], float]

_ALL: Final = 10_000
"""More branches than any position has: a careless player may choose any move."""


@dataclass(frozen=True, slots=True)
class Thought:
    """What the computer thinks: the *move*, the mover's *chance* to win (0 to 1) with it, and how deep it looked.

    *end* is after how many plies the game is surely won (positive) or lost (negative), None while that is open.
    """

    move: Move
    chance: float
    depth: int
    nodes: int
    end: int | None = None


def choose(
    position: Position,
    limit: Limit,
    rng: Random,
    past: Sequence[Position] = (),
    clock: Clock = perf_counter,
) -> Move:
    """A legal move for the side to move in *position*, which must not be over.

    *past* are the positions before it, for games in which a repetition is a draw. *clock* tells seconds.
    """
    return think(position, limit, rng, past, clock).move


def think(
    position: Position,
    limit: Limit,
    rng: Random,
    past: Sequence[Position] = (),
    clock: Clock = perf_counter,
) -> Thought:
    """As `choose`, with what the move is thought to lead to.

    :raises ValueError: if there is no move: the caller's fault.
    """
    until = clock() + limit.seconds
    mind = make_mind(position.game.key, position.size)
    with _without_collector():
        mind.forget()
        states = [mind.state(earlier) for earlier in past] if position.game.repetition_draws else []
        state = mind.state(position)
        width = mind.width(limit.seconds)
        branches = mind.branches(state, 2 * width if limit.depth > 1 else _ALL, lambda: clock() > until)
        if not branches:
            raise ValueError("there is no move: the game is over")
        branches = _clouded([_repeated(branch, states) for branch in branches], limit, mind.step, rng)
        found = Search(mind, clock, until, width, [*states, state]).run(branches, limit.depth)
    return _thought(found, mind)


def choose_even(position: Position, rng: Random) -> Move:
    """The move that leaves both sides most alike at first sight: the one to make where the other may swap after it."""
    mind = make_mind(position.game.key, position.size)
    mind.forget()
    branches = mind.branches(mind.state(position), _ALL, lambda: False)
    rng.shuffle(branches)
    return mind.move(min(branches, key=lambda branch: abs(branch.value)).how)


def _thought(found: Found, mind: Mind) -> Thought:
    value = found.value
    chance = 1 / (1 + math.exp(-max(-30.0, min(30.0, value / mind.scale))))
    end = None if abs(value) <= CERTAIN else round(WIN - abs(value)) * (1 if value > 0 else -1)
    return Thought(mind.move(found.branch.how), chance, found.depth, found.nodes, end)


def _repeated(branch: Branch, past: Sequence[object]) -> Branch:
    """The branch, valued as a draw if its state is one of the *past*."""
    return branch._replace(value=DRAW, over=True) if branch.state in past and not branch.over else branch


def _clouded(branches: list[Branch], limit: Limit, step: float, rng: Random) -> list[Branch]:
    """The branches as a player of this limit sees them, best first; equal ones in a random order."""
    rng.shuffle(branches)
    if limit.noise or limit.blind:
        seen = []
        for branch in branches:
            value = branch.value
            if abs(value) > CERTAIN and rng.random() < limit.blind:
                value = DRAW
            seen.append(branch._replace(value=value + rng.gauss(0, limit.noise * step)))
        branches = seen
    return sorted(branches, key=lambda branch: branch.value, reverse=True)


@lru_cache(maxsize=8)
def make_mind(game: str, size: int) -> Mind:
    """The mind for a board, kept with its tables.

    :raises UnknownGameError: if the computer does not play the game.
    """
    makers: dict[str, Callable[[int], Mind]] = {"ayu": AyuMind, "volo": VoloMind}
    if game not in makers:
        raise UnknownGameError(game)
    return makers[game](size)


@contextmanager
def _without_collector() -> Iterator[None]:
    """No cyclic collection inside: the search makes no cycles worth it, and a collection stops it for long."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
