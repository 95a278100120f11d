"""The game service: one command in, facts out. The same for every platform.

Loads the match, applies the action, saves with the expected version; on a conflict it loads and applies again, which is
free because `rules.match.apply` is pure. Seats and rights are checked here and in the match, never trusted from a
button. Makes no words and sends nothing: what was saved is spoken by the courier, what is answered to the asker comes
back as replies.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, assert_never

from bot.advice import AdviceService
from bot.challenges import MAX_LIVE, ChallengeService
from bot.finding import Finder, Found, known_as
from bot.forgetting import PersonalDataService
from bot.messages import (
    Abort,
    Accept,
    AnswerOffer,
    Cancel,
    Challenge,
    Command,
    Decline,
    Export,
    Forget,
    Games,
    Greet,
    Guide,
    Help,
    Hint,
    Keep,
    LookBack,
    MatchCommand,
    Move,
    Moves,
    MyData,
    Next,
    NotUnderstood,
    NotYet,
    Offer,
    Pass,
    Rematch,
    Replay,
    Resign,
    Rules,
    Settings,
    ShowBoard,
    Silence,
    Start,
    Swap,
)
from bot.play import PlayService, playable, waits_for
from bot.ports import Thinker, Threads
from bot.replies import (
    Board,
    Faulty,
    GamesList,
    Greeting,
    HelpPage,
    Notice,
    RecordFile,
    ReplayFile,
    Reply,
    RulesPage,
    WhichRules,
    unknown_command,
    unknown_word,
)
from bot.request import Request
from bot.saving import Saver
from bot.settings import SettingsService
from rules import GAMES, actions
from rules.actions import MatchError, OfferKind
from storage.base import DamagedRecordError, MatchId, Store, StoredMatch

log = logging.getLogger(__name__)

LISTED: Final = 20
"""Matches that `/games` lists."""


class Service:
    """Carries commands out; *threads* are the platforms, by name, that can open a thread for a match."""

    def __init__(
        self, store: Store, threads: Mapping[str, Threads] = MappingProxyType({}), thinker: Thinker | None = None
    ) -> None:
        self._store = store
        self._finder = Finder(store)
        self._saver = Saver(store)
        self._challenges = ChallengeService(store, self._finder, self._saver, threads, has_computer=thinker is not None)
        self._play = PlayService(self._finder, self._saver)
        self._advice = AdviceService(thinker)
        self._settings = SettingsService(store)
        self._personal = PersonalDataService(store, self._finder, self._saver)
        self._damaged: set[MatchId] = set()

    async def carry_out(self, command: Command, request: Request) -> Reply | None:
        """The reply for the asker; None for a deliberate silence. Nobody plays who does not say who he is.

        :raises DamagedRecordError: if the match it is about cannot be read.
        :raises StoreUnavailableError: if nothing could be loaded or saved.
        """
        if request.incoming.anonymous and not isinstance(command, Help | Rules | Silence):
            return Notice("anonymous")
        try:
            return await self._dispatch(command, request)
        except MatchError as error:
            return Faulty(error.fault)

    async def expire(self, now: int) -> int:
        """How many challenges whose time was over have been closed."""
        closed = 0
        for match in await self._store.expired(now):
            try:
                await self._saver.save_action(match, f"expire:{match}", now, lambda _: actions.Expire())
            except MatchError:
                continue
            except DamagedRecordError as error:
                if match not in self._damaged:
                    self._damaged.add(match)
                    log.error("match %s cannot be closed: %s", match, error)  # noqa: TRY400 - the record is at fault
                continue
            closed += 1
        return closed

    async def _dispatch(self, command: Command, request: Request) -> Reply | None:
        if request.incoming.lacking and isinstance(command, _SPOKEN):
            return Notice("lacking", (("permissions", " ".join(request.incoming.lacking)),))
        match command:
            case Silence() | Keep():
                return Notice("kept") if isinstance(command, Keep) else None
            case Start():
                return await self._challenges.start(command, request)
            case Greet():
                return Greeting()
            case Challenge():
                return await self._challenges.challenge(command, request)
            case Guide():
                return await self._play.guide(command, request)
            case Games():
                return await self._games(request)
            case Next():
                return await self._next(request)
            case Rules():
                return _rules(command)
            case Settings():
                return await self._settings.carry_out(
                    command, request.incoming, chat=request.chat, profile=request.profile
                )
            case MyData():
                return await self._personal.data(request)
            case Forget():
                return await self._personal.forget(command, request)
            case Help():
                return HelpPage()
            case NotYet():
                return Notice("not-yet", (("command", f"/{command.name}"),))
            case NotUnderstood():
                return _not_understood(command)
            case _:
                return await self._about_a_match(command, request)

    async def _about_a_match(self, command: MatchCommand, request: Request) -> Reply:
        found = await self._finder.find(command, request)
        if not isinstance(found, Found):
            if isinstance(command, Accept) and command.match is not None:
                return await self._challenges.gone(command.match)
            offer = await self._offer(command, request) if found == Notice("no-challenge") else None
            if offer is None:
                return found
            found = offer
        stored, command = found.stored, found.command
        try:
            return await self._on_match(command, stored, request)
        except MatchError as error:
            return Faulty(error.fault, await self._store.load(stored.id))

    async def _offer(self, command: MatchCommand, request: Request) -> Found | None:
        """The offer that is meant by accepting or declining where no challenge waits; None if there is no such one."""
        if not isinstance(command, Accept | Decline):
            return None
        for kind in OfferKind:
            found = await self._finder.find(AnswerOffer(kind, isinstance(command, Accept)), request)
            if isinstance(found, Found) and waits_for(found.stored.match, request.me):
                return found
        return None

    async def _on_match(self, command: MatchCommand, stored: StoredMatch, request: Request) -> Reply:
        me = request.me
        match command:
            case Accept():
                return await self._challenges.accept(stored, request)
            case Decline():
                return await self._saver.act(stored, request, lambda _: actions.Decline(me, known_as(request.incoming)))
            case Cancel():
                return await self._saver.act(stored, request, lambda _: actions.Withdraw(me))
            case Move():
                return await self._play.move(command, stored, request)
            case Moves():
                return playable(stored, me)
            case Pass():
                return await self._play.pass_turn(command, stored, request)
            case Swap():
                return await self._saver.act(stored, request, lambda _: actions.Swap(me, command.ply))
            case Resign():
                return await self._play.resign(command, stored, request)
            case Offer():
                return await self._saver.act(stored, request, lambda _: actions.MakeOffer(me, command.kind))
            case AnswerOffer():
                return await self._saver.act(
                    stored, request, lambda _: actions.AnswerOffer(me, command.kind, agree=command.agree)
                )
            case Abort():
                return await self._play.abort(command, stored, request)
            case Rematch():
                return await self._challenges.rematch(stored, request)
            case ShowBoard():
                return Board(stored)
            case Export():
                return RecordFile(stored)
            case Replay():
                return ReplayFile(stored)
            case Hint():
                return await self._advice.hint(stored, request)
            case LookBack():
                return await self._advice.look_back(stored)
        assert_never(command)

    async def _games(self, request: Request) -> Reply:
        ids = await self._finder.mine(request.incoming)
        matches = await self._finder.load_all(ids, MAX_LIVE)
        matches.sort(key=lambda stored: not waits_for(stored.match, request.me))
        return GamesList(tuple(matches[:LISTED]), max(0, len(ids) - LISTED))

    async def _next(self, request: Request) -> Reply:
        mine = await self._finder.load_all(await self._store.matches_of(request.me), MAX_LIVE)
        waiting = [stored for stored in mine if stored.match.person_to_move == request.me]
        if not waiting:
            return Notice("nothing-waits")
        return Board(min(waiting, key=lambda stored: stored.match.changed))


_SPOKEN: Final = (Challenge, Accept, Rematch, Move, Pass, Swap, Offer, AnswerOffer)
"""What is told to the chat: it waits until the bot may speak there."""


def _not_understood(command: NotUnderstood) -> Reply:
    """What is said about something that means nothing here: an unknown command, or a strange word, is named."""
    if command.word:
        return unknown_word(command.command, command.word)
    if command.command:
        return unknown_command(command.command, command.near)
    return Notice("unknown-button" if command.button else "not-understood")


def _rules(command: Rules) -> Reply:
    if not command.game:
        return WhichRules()
    return RulesPage(command.game) if command.game in GAMES else Notice("unknown-game", (("game", command.game),))
