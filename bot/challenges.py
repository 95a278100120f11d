"""Challenges: who plays whom at what; accepting; once more with the seats swapped."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from bot.computers import LEVELS, computer_id, computer_level
from bot.finding import Finder, by_name, known_as, own_place
from bot.messages import MENU, Challenge, Incoming, Start
from bot.payload import match_id
from bot.ports import NoThreadError, Threads
from bot.replies import BadSize, Board, Done, Notice, Reply, Welcome, WhichGame, WhichLevel, unknown_word
from bot.request import Request
from bot.saving import Saver
from rules import GAMES, actions
from rules.actions import Event, EventKind, Fault, MatchError, PersonId
from rules.core import Game, Side
from rules.match import Match, Status, apply, challenge
from storage.base import LogEntry, MatchId, Place, Store, StoredMatch, is_forgotten

MAX_LIVE: Final = 60
"""Matches and challenges that one person may have at a time."""

DECLINED_SECONDS: Final = 1800
"""How long whoever declined is left in peace by the same challenger."""

ENDED_SEEN: Final = 20
"""Ended matches in which is looked who declined."""

DOUBLE_SECONDS: Final = 60
"""The same open challenge again within this time is a button that was tapped twice."""

_IN_BUTTONS: Final = re.compile(r"[a-z0-9_.-]{1,32}")
"""User names that a button can carry."""


class ChallengeService:
    """Makes new matches and fills their second seat."""

    def __init__(
        self,
        store: Store,
        finder: Finder,
        saver: Saver,
        threads: Mapping[str, Threads],
        *,
        has_computer: bool = False,
    ) -> None:
        self._threads = threads
        self._has_computer = has_computer
        self._store = store
        self._finder = finder
        self._saver = saver

    async def start(self, command: Start, request: Request) -> Reply:
        """A greeting, or the match whose code came along."""
        if command.code.strip() in ("", MENU):
            return Welcome()
        match = match_id(command.code.strip())
        if match is None:
            return Notice("no-such-match")
        stored = await self._finder.visible(match, request.incoming)
        return Board(stored) if stored is not None else await self.gone(match)

    async def gone(self, challenge: MatchId) -> Notice:
        """What somebody is told who may not know of the match, but comes to take up the *challenge* that it was.

        An open challenge was offered to him too: he learns what has become of it. All others stay unknown.

        :raises DamagedRecordError: if its record cannot be read.
        """
        stored = await self._store.load(challenge)
        if stored is None or stored.match.invited is not None:
            return Notice("no-such-match")
        return _missed(stored)

    async def challenge(self, wanted: Challenge, request: Request) -> Reply:
        """A new challenge, the question for which game, or why there can be none."""
        if wanted.computer and not self._has_computer:
            return Notice("computer-away")
        opponent = wanted.opponent
        if opponent is not None and opponent.is_bot:
            return Notice("bot-opponent")
        invited = None if wanted.computer else _invited(wanted, request)
        if wanted.thread and not self._may_have_threads(request.incoming):
            return Notice("no-thread")
        game = GAMES.get(wanted.game)
        if not wanted.game and wanted.size is not None:
            # `/challenge 9`: a size that only one game has names the game too.
            fitting = [known for known in GAMES.values() if wanted.size in known.sizes]
            if not fitting:
                return unknown_word("challenge", str(wanted.size))
            game = fitting[0] if len(fitting) == 1 else None
        if game is None:
            if wanted.username and not _IN_BUTTONS.fullmatch(wanted.username):
                return unknown_word("challenge", f"@{wanted.username}")  # no platform has such user names
            hindrance = await self._hindrance(request, invited, *await self._live(request))
            if hindrance is not None:
                return hindrance
            if opponent is not None and opponent.name:
                await self._keep_name(opponent.id, opponent.name)
            return WhichGame(replace(wanted, game=""), first_time=request.profile.played == 0)
        size = game.default_size if wanted.size is None else wanted.size
        if size not in game.sizes:
            return BadSize(game.key, size)
        if wanted.computer:
            return await self._challenge_computer(wanted, game, size, request)
        match = challenge(game, size, request.me, request.now, invited=invited, pie=wanted.pie)
        names = [(request.me, request.incoming.person.name)]
        if invited is not None:
            if opponent is not None:
                name = opponent.name or (await self._store.profile(invited)).name or opponent.username
            else:
                name = f"@{wanted.username}"
            names.append((invited, name))
        return await self._create(match, request, tuple(names), thread=wanted.thread)

    async def _challenge_computer(self, wanted: Challenge, game: Game, size: int, request: Request) -> Reply:
        """A new match against the computer, or the question at which level."""
        if wanted.computer not in LEVELS:
            hindrance = await self._hindrance(request, None, *await self._live(request))
            return hindrance or WhichLevel(replace(wanted, game=game.key, size=size))
        invited = computer_id(wanted.computer)
        match = challenge(game, size, request.me, request.now, invited=invited, pie=wanted.pie)
        names = ((request.me, request.incoming.person.name),)
        return await self._create(match, request, names, thread=wanted.thread)

    async def _create(
        self, match: Match, request: Request, names: tuple[tuple[PersonId, str], ...], *, thread: bool = False
    ) -> Reply:
        ids, mine = await self._live(request)
        if (saved := await self._finder.saved_before(request, mine)) is not None:
            return Done(saved, repeated=True)
        if (hindrance := await self._hindrance(request, match.invited, ids, mine)) is not None:
            return hindrance
        computer = match.invited if computer_level(match.invited) else None
        if computer is not None and (begun := _begun_just_now(match, mine)) is not None:
            return Board(begun)
        for stored in mine:
            waiting = stored.match
            is_mine = waiting.status is Status.CHALLENGE and waiting.challenger == request.me
            if not is_mine or waiting.invited is not None or match.invited is not None:
                continue
            if request.incoming.place in stored.places and _is_double(waiting, match):
                return Board(stored)
        log = (LogEntry(1, Event(EventKind.CHALLENGED, request.me)),)
        places: tuple[Place, ...] = () if request.incoming.guest else (request.incoming.place,)
        if computer is not None and not places:
            places = (own_place(request.me),)  # somewhere it must be told what the computer plays
        if thread:
            try:
                places = (await self._thread(match, request.incoming, names),)
            except NoThreadError:
                return Notice("no-thread")
        if computer is None:
            draft = StoredMatch(MatchId(""), 0, match, places, names, log)
            return Done(await self._store.create(draft, request.operation))
        # That it accepts goes without saying: whoever has just challenged it is not to be pinged.
        accepted, _ = apply(match, actions.Accept(computer), request.now)
        begun = await self._store.create(StoredMatch(MatchId(""), 0, accepted, places, names, log), request.operation)
        await self._remember(request.me, request.incoming.person.name)
        return Done(begun)

    async def _live(self, request: Request) -> tuple[Sequence[MatchId], list[StoredMatch]]:
        """The asker's live matches, and those of them that can be read."""
        ids = await self._store.matches_of(request.me)
        return ids, await self._finder.load_all(ids)

    async def _hindrance(
        self, request: Request, invited: PersonId | None, ids: Sequence[MatchId], mine: Sequence[StoredMatch]
    ) -> Notice | None:
        """Why the asker can challenge the person *invited* (None: everybody) to nothing now, whatever the game.

        *ids* and *mine* are what `_live` gives.
        """
        if len(ids) >= MAX_LIVE:
            return Notice("too-many-matches", (("limit", MAX_LIVE),))
        if invited is None:
            return None
        if await self._is_blocked(request, invited):
            return Notice("blocked")
        if minutes := await self._minutes_to_wait(request, invited):
            return Notice("declined-recently", (("n", minutes),))
        for stored in mine:
            waiting = stored.match
            if waiting.status is Status.CHALLENGE and (waiting.challenger, waiting.invited) == (request.me, invited):
                return Notice("already-challenged", (("match", stored.id),))
        return None

    def _may_have_threads(self, incoming: Incoming) -> bool:
        """False where there can be no thread, whatever the bot may do there."""
        return incoming.place.platform in self._threads and not (incoming.private or incoming.guest)

    async def _thread(self, match: Match, incoming: Incoming, names: tuple[tuple[PersonId, str], ...]) -> Place:
        """A thread for the match in the chat of *incoming*.

        :raises NoThreadError: if there can be none.
        """
        threads = self._threads.get(incoming.place.platform)
        if threads is None or not self._may_have_threads(incoming):
            raise NoThreadError
        people = " – ".join(name for _, name in names)
        return await threads.open(incoming.place, f"{match.game.key.title()} {match.size} · {people}")

    async def _minutes_to_wait(self, request: Request, invited: PersonId) -> int:
        """How long the asker must not challenge again who has declined just now; 0 if he may."""
        ended = await self._finder.load_all(await self._store.matches_of(request.me, live=False), ENDED_SEEN)
        for stored in ended:
            match, waits = stored.match, stored.match.changed + DECLINED_SECONDS - request.now
            if waits <= 0:
                break  # the last changed come first
            by = [entry.event.by for entry in stored.log if entry.event.kind is EventKind.DECLINED]
            if match.status is Status.DECLINED and match.challenger == request.me and invited in (match.invited, *by):
                return -(-waits // 60)
        return 0

    async def _is_blocked(self, request: Request, by: PersonId) -> bool:
        """True if the person *by* has blocked the asker, by his id or by his user name."""
        blocked = (await self._store.profile(by)).blocked
        return request.me in blocked or known_as(request.incoming) in blocked

    async def accept(self, stored: StoredMatch, request: Request) -> Reply:
        """The match begun, and this chat one of its places; or that somebody else was quicker, or it is too late.

        :raises MatchError: if the person may not take the seat.
        """
        me, place = request.me, request.incoming.place
        try:
            done = await self._saver.act(
                stored,
                request,
                lambda _: actions.Accept(me, known_as(request.incoming)),
                more=lambda s: (
                    s if place in s.places or request.incoming.guest else replace(s, places=(*s.places, place))
                ),
            )
        except MatchError as error:
            now = await self._store.load(stored.id) or stored
            if error.fault not in (Fault.ALREADY_STARTED, Fault.OVER) or now.match.side_of(me) is not None:
                raise
            return _missed(now)
        if not done.repeated:
            await self._remember(stored.match.challenger, stored.name_of(stored.match.challenger))
            await self._remember(me, request.incoming.person.name)
        return done

    async def rematch(self, stored: StoredMatch, request: Request) -> Reply:
        """A challenge to the same opponent with the seats swapped; or, if he has challenged already, that one accepted.

        :raises MatchError: if the person did not play in the match.
        """
        before, me = stored.match, request.me
        mine = before.side_of(me)
        if mine is None:
            raise MatchError(Fault.NOT_A_PLAYER)
        if before.live:
            return Notice("rematch-too-early")
        opponent = before.person_at(mine.other)
        if opponent is None:
            return Notice("nothing-to-repeat")
        if is_forgotten(opponent):
            return Notice("opponent-left")
        mine_now = await self._finder.load_all(await self._store.matches_of(me))
        if (saved := await self._finder.saved_before(request, mine_now)) is not None:
            return Done(saved, repeated=True)
        for other in mine_now:
            new = other.match
            if new.game is not before.game or new.size != before.size or new.created < before.changed:
                continue
            if new.status is Status.CHALLENGE and new.challenger == opponent and new.invited == me:
                return await self.accept(other, request)
            if new.status is Status.PLAYING and new.opponent_of(me) == opponent:
                return Board(other)  # both have pressed already
        match = challenge(
            before.game,
            before.size,
            me,
            request.now,
            invited=opponent,
            pie=before.pie,
            challenger_side=Side(mine.other),
        )
        names = ((me, request.incoming.person.name), (opponent, stored.name_of(opponent)))
        return await self._create(match, request, names)

    async def _keep_name(self, person: PersonId, name: str) -> None:
        """Keep the name of somebody whom the bot has not met: the buttons that ask for the game hold his id alone."""
        await self._store.change_profile(person, lambda p: p if p.name else replace(p, name=name))

    async def _remember(self, person: PersonId, name: str) -> None:
        """Count a match begun by *person*, and keep his name for challenges by others."""
        await self._store.change_profile(person, lambda p: replace(p, name=name, played=p.played + 1))


def _invited(wanted: Challenge, request: Request) -> PersonId | None:
    """Whom the challenge is for; None for everybody.

    :raises MatchError: if that is the asker himself.
    """
    if wanted.opponent is not None:
        invited = wanted.opponent.id
    elif wanted.username:
        invited = by_name(request.incoming.place.platform, wanted.username)
    else:
        return None
    if invited in (request.me, known_as(request.incoming)):
        raise MatchError(Fault.SELF)
    return invited


def _missed(stored: StoredMatch) -> Notice:
    """Why nobody can take up the challenge any more that the match was."""
    key = "challenge-over" if None in stored.match.seats else "challenge-taken"
    return Notice(key, (("match", stored.id),))


def _is_double(waiting: Match, match: Match) -> bool:
    """True if *match* would be the same open challenge as *waiting*, which is quite new."""
    same = waiting.game is match.game and (waiting.size, waiting.pie) == (match.size, match.pie)
    return same and match.created - waiting.created < DOUBLE_SECONDS


def _begun_just_now(match: Match, mine: Sequence[StoredMatch]) -> StoredMatch | None:
    """The match against the same computer player that a button tapped twice has begun already, among *mine*."""
    for stored in mine:
        begun = stored.match
        same = begun.game is match.game and (begun.size, begun.invited) == (match.size, match.invited)
        if same and begun.ply == 0 and match.created - begun.created < DOUBLE_SECONDS:
            return stored
    return None
