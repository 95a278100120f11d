"""The computer's advice: a hint for the next move, and a look back at a match that is over."""

from __future__ import annotations

import logging
from collections import OrderedDict
from collections.abc import Sequence
from typing import Final

from bot.computers import computer_level
from bot.opponent import question
from bot.play import require_turn
from bot.ports import Question, Thinker, ThinkingError
from bot.replies import Hinted, LookedBack, Notice, Reply, Turn
from bot.request import Request
from computer.limits import STRONGEST
from rules.core import Side
from rules.match import Match, Status
from storage.base import StoredMatch

log = logging.getLogger(__name__)

HINT_SECONDS: Final = 1.0
LOOK_SECONDS: Final = 1.6
"""For the course of a whole match: people wait for the answer."""

LOOK_DEPTH: Final = 2
"""The same for all positions, so that they can be compared."""

TURN_SECONDS: Final = 0.15
TURNS: Final = 3
CANDIDATES: Final = 5
APART: Final = 2
"""Moves that lie no farther apart are one turn."""

LEAST_LOSS: Final = 0.05
"""A move that gave away less of the chance to win than this was no turning point."""

_KEPT: Final = 64
_LONGEST_MOVE_SECONDS: Final = 0.05

_SCORES: Final = {Side.FIRST: 1.0, Side.SECOND: 0.0, None: 0.5}


class AdviceService:
    """Asks the thinker on behalf of people; remembers the matches that were looked back at last."""

    def __init__(self, thinker: Thinker | None) -> None:
        self._thinker = thinker
        self._seen: OrderedDict[tuple[str, int], LookedBack] = OrderedDict()

    async def hint(self, stored: StoredMatch, request: Request) -> Reply:
        """The move that the strongest level would make, and why; only in matches against the computer.

        :raises MatchError: if it is not the asker's turn.
        """
        match = stored.match
        require_turn(match, request.me, None)
        if not computer_level(match.opponent_of(request.me)):
            return Notice("hint-only-computer")
        if self._thinker is None:
            return Notice("computer-away")
        try:
            asked = question(match, STRONGEST, HINT_SECONDS, stored.version)
            return Hinted(stored, await self._thinker.think(asked))
        except ThinkingError:
            log.exception("match %s: no hint", stored.id)
            return Notice("computer-away")

    async def look_back(self, stored: StoredMatch) -> Reply:
        """The course of a match that was played to its end, and where it turned."""
        match = stored.match
        if match.status is not Status.FINISHED:
            return Notice("lookback-too-early")
        if not match.record.moves:
            return Notice("no-moves")
        known = self._seen.get((stored.id, stored.version))
        if known is not None:
            return known
        if self._thinker is None:
            return Notice("computer-away")
        try:
            found = await _looked_back(stored, self._thinker)
        except ThinkingError:
            log.exception("match %s: no look back", stored.id)
            return Notice("computer-away")
        self._seen[stored.id, stored.version] = found
        if len(self._seen) > _KEPT:
            self._seen.popitem(last=False)
        return found


async def _looked_back(stored: StoredMatch, thinker: Thinker) -> LookedBack:
    match = stored.match
    texts = match.record.texts
    seconds = min(_LONGEST_MOVE_SECONDS, LOOK_SECONDS / len(texts))
    # One position after the other: a computer player's move elsewhere gets its turn in between.
    opinions = [await thinker.think(_asked(match, ply, seconds, LOOK_DEPTH)) for ply in range(len(texts))]
    chances = [_of_first(match, ply, opinion.chance) for ply, opinion in enumerate(opinions)]
    chances.append(_SCORES[match.result.winner] if match.result is not None else 0.5)
    worst = sorted(range(len(texts)), key=lambda ply: -_loss(match, ply, chances))[:CANDIDATES]
    found = [turn for ply in worst if (turn := await _turn(match, ply, thinker)) is not None]
    chosen: list[Turn] = []
    for turn in sorted(found, key=lambda turn: -turn.loss):
        if len(chosen) < TURNS and all(abs(turn.ply - other.ply) > APART for other in chosen):
            chosen.append(turn)
    return LookedBack(stored, _smoothed(chances), tuple(sorted(chosen, key=lambda turn: turn.ply)))


async def _turn(match: Match, ply: int, thinker: Thinker) -> Turn | None:
    """The move at *ply*, if a longer look finds one that was much better."""
    played = match.record.texts[ply]
    best = await thinker.think(_asked(match, ply, TURN_SECONDS, 40))
    if best.move == played:
        return None
    if ply + 1 < len(match.record.moves):
        after = 1 - (await thinker.think(_asked(match, ply + 1, TURN_SECONDS, 40))).chance
    elif match.result is None or match.result.winner is None:
        after = 0.5
    else:
        after = 1.0 if match.result.winner is match.record.positions[ply].to_move else 0.0
    loss = best.chance - after
    return Turn(ply, played, best.move, loss) if loss >= LEAST_LOSS else None


def _smoothed(chances: Sequence[float]) -> tuple[float, ...]:
    """The curve without the up and down of whose turn it is; its ends stay."""
    middle = [
        (before + 2 * now + after) / 4 for before, now, after in zip(chances, chances[1:], chances[2:], strict=False)
    ]
    return (*chances[:1], *middle, *chances[-1:])


def _asked(match: Match, ply: int, seconds: float, depth: int) -> Question:
    return Question(match.game.key, match.size, match.record.texts[:ply], STRONGEST, seconds, ply, depth)


def _of_first(match: Match, ply: int, chance: float) -> float:
    """The first side's chance, where the mover after *ply* moves has *chance*."""
    return chance if match.record.positions[ply].to_move is Side.FIRST else 1 - chance


def _loss(match: Match, ply: int, chances: list[float]) -> float:
    """How much of the mover's chance his move at *ply* gave away."""
    change = chances[ply] - chances[ply + 1]
    return change if match.record.positions[ply].to_move is Side.FIRST else -change
