"""What the computer does in a match: from the match as it stands to the update that a person would send."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Sequence
from typing import Final

from bot import payload
from bot.computers import LEVELS, PLATFORM, computer_id, computer_level
from bot.messages import AnswerOffer, Command, Incoming, Move, Pass, Person, Swap
from bot.ports import Opinion, Question, Thinker
from computer.limits import CHAT_SECONDS
from rules.actions import OfferKind, PersonId
from rules.match import Match, Status
from storage.base import DamagedRecordError, MatchId, Place, Store, StoredMatch

log = logging.getLogger(__name__)

LEASE_MS: Final = 12_000
"""How long a match waits at most if the process that thought about it was killed."""

AGAIN_SECONDS: Final = 1.0

DRAW_CHANCE: Final = 0.45
"""The computer agrees to a draw if it thinks that it wins no more often than this."""

SWAP_CHANCE: Final = 0.5
"""It swaps if the side that it would have to play wins less often than this."""

_JUDGE: Final = 4
"""The least level with which a draw offer or a swap is judged: the low ones are careless, not foolish."""

_AT_ONCE: Final = 20
"""How many matches are loaded before others get their turn."""


class ComputerOpponent:
    """The Opponent port over the store and a thinker."""

    def __init__(self, store: Store, thinker: Thinker) -> None:
        self._store = store
        self._thinker = thinker
        self._holder = secrets.token_hex(8)

    async def waiting(self) -> Sequence[str]:
        """See `bot.ports.Opponent`."""
        found: list[str] = []
        seen = 0
        for level in LEVELS:
            for match in await self._store.matches_of(computer_id(level)):
                try:
                    stored = await self._store.load(match)
                except DamagedRecordError:
                    continue  # whoever plays in it is told so, and it is logged then
                if stored is not None and to_act(stored.match) is not None:
                    found.append(match)
                seen += 1
                if seen % _AT_ONCE == 0:
                    await asyncio.sleep(0.05)
        return found

    async def answer(self, match: str) -> Incoming | None:
        """See `bot.ports.Opponent`."""
        while not await self._store.lease(Place(PLATFORM, match), self._holder, LEASE_MS):  # noqa: ASYNC110 - no event
            await asyncio.sleep(AGAIN_SECONDS)  # another process thinks about it, or was killed while it did
        stored = await self._store.load(MatchId(match))
        person = None if stored is None else to_act(stored.match)
        if stored is None or person is None:
            return None
        command = await self._decided(stored, person)
        return Incoming(
            id=f"{PLATFORM}:{match}:{stored.version}",
            place=stored.places[0] if stored.places else Place(PLATFORM, match),
            person=Person(person, "", is_bot=True),
            payload=payload.encode(command),
        )

    async def leave(self, match: str) -> None:
        """See `bot.ports.Opponent`."""
        await self._store.release(Place(PLATFORM, match), self._holder)

    async def _decided(self, stored: StoredMatch, person: PersonId) -> Command:
        match, level = stored.match, computer_level(person)
        if match.offer is not None and match.offer.by != person:
            if match.offer.kind is OfferKind.TAKEBACK:
                return AnswerOffer(OfferKind.TAKEBACK, agree=True, match=stored.id)
            judged = await self._judged(stored, level)
            chance = judged.chance if match.person_to_move == person else 1 - judged.chance
            return AnswerOffer(OfferKind.DRAW, agree=chance <= DRAW_CHANCE, match=stored.id)
        if match.may_swap:
            judged = await self._judged(stored, level)
            if judged.chance < SWAP_CHANCE:
                return Swap(stored.id, match.ply)
        opinion = await self._thinker.think(question(match, level, CHAT_SECONDS, stored.version))
        return played(stored, opinion)

    async def _judged(self, stored: StoredMatch, level: int) -> Opinion:
        """How the match stands, for a draw offer or a swap."""
        return await self._thinker.think(question(stored.match, max(level, _JUDGE), CHAT_SECONDS / 4, stored.version))


def played(stored: StoredMatch, opinion: Opinion) -> Command:
    """The command that makes the move of *opinion*, for the present ply alone."""
    ply = stored.match.ply
    if opinion.move == "pass":
        return Pass(stored.id, ply, confirmed=True)
    return Move(opinion.move, stored.id, ply, confirmed=True)


def question(match: Match, level: int, seconds: float, seed: int, depth: int = 40) -> Question:
    """What to think about where *match* stands."""
    even = match.pie and match.ply == 0
    return Question(match.game.key, match.size, match.record.texts, level, seconds, seed, depth, even)


def to_act(match: Match) -> PersonId | None:
    """The computer player who is to do something in *match*: answer an offer, or move; None if it is people's turn."""
    if match.status is not Status.PLAYING:
        return None
    person = match.person_to_move if match.offer is None else match.opponent_of(match.offer.by)
    return person if computer_level(person) else None
