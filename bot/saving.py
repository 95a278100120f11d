"""Apply an action and save it: one winner, and on a conflict another try on what the winner saved."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from bot.replies import Done
from bot.request import Request
from rules import actions
from rules.actions import Fault, MatchError
from rules.match import Match, apply
from storage.base import LOG_LENGTH, Conflict, LogEntry, MatchId, Store, StoredMatch, StoreUnavailableError

ATTEMPTS: Final = 12
"""How often an action is applied again after somebody else saved first."""


class Saver:
    """Saves what people (and the clock) do to matches."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def act(
        self,
        stored: StoredMatch,
        request: Request,
        action: Callable[[Match], actions.Action],
        more: Callable[[StoredMatch], StoredMatch] = lambda stored: stored,
    ) -> Done:
        """The match with the asker's action saved, his newest name in it, and what *more* adds.

        :raises MatchError, MoveError: if the match refuses the action.
        """
        person = request.incoming.person

        def finish(after: StoredMatch) -> StoredMatch:
            names = tuple((known, name) for known, name in after.names if known != person.id)
            return more(replace(after, names=(*names, (person.id, person.name))))

        return await self.save_action(stored.id, request.operation, request.now, action, finish, stored)

    async def save_action(
        self,
        match: MatchId,
        operation: str,
        now: int,
        action: Callable[[Match], actions.Action],
        finish: Callable[[StoredMatch], StoredMatch] = lambda stored: stored,
        stored: StoredMatch | None = None,
    ) -> Done:
        """Save *action* on the match as *operation*; if somebody else saved first, on what he saved."""
        for _ in range(ATTEMPTS):
            if stored is None:
                stored = await self._store.load(match)
            if stored is None:
                raise MatchError(Fault.OVER)
            if operation in stored.operations:
                return Done(stored, repeated=True)
            after, events = apply(stored.match, action(stored.match), now)
            entries = tuple(LogEntry(stored.version + 1, event) for event in events)
            changed = finish(replace(stored, match=after, log=(*stored.log, *entries)[-LOG_LENGTH:]))
            try:
                return Done(await self._store.save(changed, operation))
            except Conflict:
                stored = None
        raise StoreUnavailableError(f"match {match}: {ATTEMPTS} others saved first")
