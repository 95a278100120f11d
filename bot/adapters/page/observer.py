"""Answers what open pages ask: about the boards, and what can be typed."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Mapping
from typing import Any, Final

import msgspec

from bot.adapters.page.frames import Complete, Look, Question
from bot.adapters.page.room import Listener
from bot.messages import Incoming, Person
from bot.ports import Complete as CompletePort
from bot.ports import Live, Place, StoreUnavailableError
from rules.actions import PersonId

RETRY_SECONDS: Final = 0.5

OFFERED: Final = 8
"""Moves that are offered while somebody types."""

_LOG: Final = logging.getLogger(__name__)


class Observer:
    """Asks *live* and *complete* for the pages of *place*."""

    def __init__(self, place: Place, live: Live, complete: CompletePort) -> None:
        self._place = place
        self._live = live
        self._complete = complete

    async def view(self, person: PersonId, language: str) -> Mapping[str, Any] | None:
        """What a page of *person* that has just been opened shows, as JSON values; None where that cannot be told."""
        try:
            shown: Mapping[str, Any] = msgspec.to_builtins(await self._live.view(self._place, person, language))
        except StoreUnavailableError:
            return None  # the page asks again when it is connected
        except Exception:  # noqa: BLE001 - a defect behind the port: the chat goes on without a board
            _LOG.exception("the board of a page that is opened cannot be made")
            return None
        return shown

    async def answer(self, asked: asyncio.Queue[Question | None], person: PersonId, listener: Listener) -> None:
        """Answer one question after the other until there is a None; of several looks in a row the last one alone."""
        while (question := await asked.get()) is not None:
            while isinstance(question, Look) and not asked.empty():
                following = asked.get_nowait()
                if following is None:
                    return
                if not isinstance(following, Look):
                    await self._answer(question, person, listener)
                question = following
            await self._answer(question, person, listener)

    async def _answer(self, question: Question, person: PersonId, listener: Listener) -> None:
        while not listener.is_closed:
            try:
                listener.tell(await self._told(question, person))
            except StoreUnavailableError:
                await asyncio.sleep(RETRY_SECONDS)
            except Exception:  # noqa: BLE001 - a defect behind the port: this one question fails, the page goes on
                error_id = secrets.token_hex(4)
                _LOG.exception("error %s: a question about a board cannot be answered", error_id)
                listener.tell({"type": "unanswered", "number": question.number, "error": error_id})
                return
            else:
                return

    async def _told(self, question: Question, person: PersonId) -> Mapping[str, Any]:
        if isinstance(question, Look):
            view = await self._live.view(self._place, person, question.language, question.match, question.shown)
            return {"type": "view", "number": question.number, "view": msgspec.to_builtins(view)}
        if isinstance(question, Complete):
            incoming = Incoming("", self._place, Person(person, ""), question.text, private=True)
            choices = await self._complete.moves(incoming, question.match, OFFERED)
            return {"type": "completed", "number": question.number, "choices": msgspec.to_builtins(choices)}
        answer = await self._live.weigh(
            self._place, person, question.language, question.match, question.ply, question.text
        )
        return {"type": "weighed", "number": question.number, "answer": msgspec.to_builtins(answer)}
