"""A match that has begun, wherever it is played: what tests of single situations start from."""

from __future__ import annotations

from dataclasses import dataclass

from bot.ports import Place
from storage.base import MatchId, StoredMatch
from tests.discord.house import House, first_move, whose_turn
from tests.discord.people import Person
from tests.discord.world import Channel, Guild, Message


@dataclass(slots=True)
class Seats:
    """Two people at a board. *channel* is where it stands; *mover* and *other* change with each move."""

    home: House
    guild: Guild
    channel: Channel
    match: MatchId
    mover: Person
    other: Person

    async def stored(self) -> StoredMatch:
        """The match as it is kept."""
        return await self.home.match(self.match)

    async def ply(self) -> int:
        """How many moves are kept."""
        return (await self.stored()).match.ply

    async def waits(self) -> bool:
        """True if some place of the match is still to be told of a move."""
        later = self.home.core.clock.now_ms() + 86_400_000
        return any(one.match == self.match for one in await self.home.core.store.behind(("discord",), later))

    async def move(self, where: Channel | None = None) -> None:
        """The mover plays, in the channel or elsewhere (where he has to name the match); the move is saved then."""
        stored = await self.stored()
        options = {"match": self.match} if where is not None else {}
        seen = await self.mover.slash(where or self.channel, "move", move=first_move(stored), **options)
        assert not seen.failed
        now = await self.stored()
        assert now.match.ply == stored.match.ply + 1, seen.answers and seen.text
        self.mover, self.other = self.other, self.mover

    async def moved(self, where: Channel | None = None) -> Message:
        """The same, and the channel's new board."""
        before = self.channel.last
        await self.move(where)
        return await self.home.board(self.channel, lambda message: bool(message.attachments), after=before)


async def seated(home: House, channel: Channel, ana: Person, bo: Person, **options: object) -> Seats:
    """Ana and Бо at a new board in *channel* (of whose server they are members)."""
    assert channel.guild is not None
    stored = await home.begun(channel, ana, bo, **options)
    mover = whose_turn(stored, ana, bo)
    return Seats(home, channel.guild, channel, stored.id, mover, bo if mover is ana else ana)


async def seated_in_thread(home: House, channel: Channel, ana: Person, bo: Person) -> Seats:
    """The same in a thread that the bot opened for the match."""
    seen = await ana.slash(channel, "challenge", game="ayu", size=9, pie=False, opponent=bo, thread=True)
    assert not seen.failed
    threads = home.service.world.channels.values()
    await home.service.until(lambda: any(one.parent is channel and one.public for one in threads))
    thread = next(one for one in threads if one.parent is channel)
    challenge = thread.last
    await bo.press(challenge, "Accept")
    await home.board(thread, lambda message: bool(message.attachments), after=challenge)
    # The last that the beginning brings: what a test plants is for what comes then.
    await home.service.until(lambda: not challenge.buttons)
    assert channel.guild is not None
    (match,) = await home.core.store.matches_in(Place("discord", str(channel.id), str(thread.id)))
    stored = await home.match(match)
    mover = whose_turn(stored, ana, bo)
    return Seats(home, channel.guild, thread, match, mover, bo if mover is ana else ana)
