"""Playing: typed and guided moves, passing, resigning, ending without a result."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from bot.finding import Finder, same_chat
from bot.guide import Question, ask
from bot.messages import Abort, Command, Guide, Move, Pass, Resign
from bot.replies import Confirm, Done, Faulty, GuideStep, Notice, Option, PlayableMoves, Refused, Reply
from bot.request import Request
from bot.saving import Saver
from rules import actions
from rules.actions import Fault, MatchError, PersonId
from rules.core import AmbiguousMoveError, InvalidMoveError, MoveError, Position, Reason, StepKind
from rules.match import Match, Status, apply
from rules.notation import PASS_WORDS
from storage.base import MatchId, StoredMatch

LISTED: Final = 20
"""Moves that are offered as buttons."""


class PlayService:
    """Makes moves, and asks for the rest of those that are not complete."""

    def __init__(self, finder: Finder, saver: Saver) -> None:
        self._finder = finder
        self._saver = saver

    async def move(self, command: Move, stored: StoredMatch, request: Request) -> Reply:
        """The move made; or the question that is still open; or why it cannot be.

        :raises MatchError: if it is not his turn.
        """
        if request.operation in stored.operations:
            return Done(stored, repeated=True)
        if not command.text:
            return await self.guide(Guide(stored.id, stored.match.ply), request)
        if command.text.strip().casefold() in PASS_WORDS:
            return await self.pass_turn(Pass(command.match, command.ply, command.confirmed), stored, request)
        require_turn(stored.match, request.me, command.ply)
        try:
            if request.profile.confirm and not command.confirmed:
                position = stored.match.record.position
                text = position.write(stored.match.record.read(command.text))
                asked = Move(text, stored.id, stored.match.ply, confirmed=True)
                return Confirm(stored, asked)
            return await self._saver.act(stored, request, lambda _: actions.Play(request.me, command.text, command.ply))
        except AmbiguousMoveError as error:
            return _choose(stored, error, command.text)
        except MoveError as error:
            unclear = isinstance(error, InvalidMoveError) and error.refusal.reason is Reason.NOT_NOTATION
            if unclear and command.typed:
                return Notice("not-understood")
            return Refused(stored, error.refusal, command.text)

    async def guide(self, command: Guide, request: Request) -> Reply:
        """The next question of the guided move."""
        stored = await self._finder.visible(command.match, request.incoming)
        if stored is None:
            return Notice("no-such-match")
        try:
            require_turn(stored.match, request.me, command.ply)
        except MatchError as error:
            return Faulty(error.fault, stored)
        position = stored.match.record.position
        question = ask(position, command.chosen)
        if question is None:
            return Faulty(Fault.STALE, stored)
        if isinstance(question, Question):
            back = Guide(command.match, command.ply, command.chosen[:-1]) if command.chosen else None
            return _step(stored, question, command.chosen, back)
        return Confirm(stored, _making(position, question, stored.id, command.ply, confirmed=True))

    async def pass_turn(self, command: Pass, stored: StoredMatch, request: Request) -> Reply:
        """The pass made, or the question whether it is meant, or why it is not allowed.

        :raises MatchError: if it is not his turn.
        """
        if request.operation in stored.operations:
            return Done(stored, repeated=True)
        require_turn(stored.match, request.me, command.ply)
        try:
            stored.match.record.read("pass")
            if not command.confirmed:
                return Confirm(stored, replace(command, ply=stored.match.ply, confirmed=True))
            return await self._saver.act(stored, request, lambda _: actions.Play(request.me, "pass", command.ply))
        except MoveError as error:
            return Refused(stored, error.refusal, "pass")

    async def abort(self, command: Abort, stored: StoredMatch, request: Request) -> Reply:
        """The match ended without a result, or the question whether that is meant.

        :raises MatchError: if the person may not end it.
        """
        here = any(same_chat(place, request.incoming.place) for place in stored.places)
        action = actions.Abort(request.me, admin=request.incoming.admin and here)
        if request.operation in stored.operations:
            return Done(stored, repeated=True)
        apply(stored.match, action, request.now)
        if not command.confirmed:
            return Confirm(stored, replace(command, confirmed=True))
        return await self._saver.act(stored, request, lambda _: action)

    async def resign(self, command: Resign, stored: StoredMatch, request: Request) -> Reply:
        """The match given up, or the question whether that is meant.

        :raises MatchError: if the person does not play, or the board has changed since the question.
        """
        if request.operation in stored.operations:
            return Done(stored, repeated=True)
        require_player(stored.match, request.me)
        if command.ply is not None and command.ply != stored.match.ply:
            raise MatchError(Fault.STALE)
        if not command.confirmed:
            return Confirm(stored, replace(command, confirmed=True, ply=stored.match.ply))
        return await self._saver.act(stored, request, lambda _: actions.Resign(request.me))


def _choose(stored: StoredMatch, error: AmbiguousMoveError, tried: str) -> Reply:
    position = stored.match.record.position
    moves = [position.read(text) for text in error.refusal.moves]
    question = ask(position, (), moves)
    if question is None:
        return Refused(stored, error.refusal, tried)
    if not isinstance(question, Question):
        return Confirm(stored, _making(position, question, stored.id, stored.match.ply, confirmed=True))
    if error.refusal.reason is Reason.SEVERAL_READINGS:
        ply = stored.match.ply
        options = tuple(Option(text, Move(text, stored.id, ply)) for text in error.refusal.moves[:LISTED])
        return GuideStep(stored, StepKind.ACTION, options, candidates=error.refusal.moves)
    chosen = tuple(step.text for step in question.taken)
    return _step(stored, question, chosen, None)


def require_player(match: Match, person: PersonId) -> None:
    """Return if *person* plays in the match and it is being played.

    :raises MatchError: with the reason, if not.
    """
    if match.status is Status.CHALLENGE:
        raise MatchError(Fault.NOT_STARTED)
    if not match.live:
        raise MatchError(Fault.OVER)
    if match.side_of(person) is None:
        raise MatchError(Fault.NOT_A_PLAYER)


def waits_for(match: Match, person: PersonId) -> bool:
    """True if *person* could do something now: move, accept a challenge that is not his own, answer an offer."""
    if match.status is Status.CHALLENGE:
        return match.challenger != person
    offered = match.offer is not None and match.offer.by != person and match.side_of(person) is not None
    return match.person_to_move == person or offered


def require_turn(match: Match, person: PersonId, ply: int | None) -> None:
    """Return if it is *person*'s turn, and *ply* (if given) the present one.

    :raises MatchError: with the reason, if not.
    """
    require_player(match, person)
    if ply is not None and ply != match.ply:
        raise MatchError(Fault.STALE)
    if match.person_to_move != person:
        raise MatchError(Fault.NOT_YOUR_TURN)


def playable(stored: StoredMatch, person: PersonId) -> Reply:
    """All that *person* can play now.

    :raises MatchError: if it is not his turn.
    """
    require_turn(stored.match, person, None)
    position = stored.match.record.position
    return PlayableMoves(stored, tuple(sorted(position.write(move) for move in position.legal_moves())))


def _making(position: Position, move: object, match: MatchId, ply: int, *, confirmed: bool = False) -> Move | Pass:
    """The command that makes *move*; a pass has one of its own, which asks once more however it was chosen."""
    text = position.write(move)
    return Pass(match, ply, confirmed) if text == "pass" else Move(text, match, ply, confirmed)


def _step(stored: StoredMatch, question: Question, chosen: tuple[str, ...], back: Command | None) -> GuideStep:
    position, ply = stored.match.record.position, stored.match.ply
    options = tuple(
        Option(text, _pressed(stored, position, ply, (*chosen, text), moves)) for text, moves in question.options
    )
    candidates = tuple(position.write(move) for move in question.left)
    taken = tuple(step.text for step in question.taken)
    return GuideStep(stored, question.kind, options, taken, candidates, back)


def _pressed(
    stored: StoredMatch, position: Position, ply: int, chosen: tuple[str, ...], moves: tuple[object, ...]
) -> Command:
    # Only what was shown is played: a piece with one move left leads to the question whether that one is meant.
    if len(moves) == 1 and position.steps(moves[0])[-1].text == chosen[-1]:
        return _making(position, moves[0], stored.id, ply)
    return Guide(stored.id, ply, chosen)
