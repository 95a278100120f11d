"""The updates of the loopback Bot API: kept until they are confirmed, fetched by polling or brought to a web hook."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import count
from typing import Final

from aiohttp import ClientError, ClientSession, ClientTimeout

from tests.telegram.model import Json, Update
from tests.telegram.refusals import RefusedError
from tests.telegram.world import Bell

FIRST_UPDATE: Final = 810_000_000
SECRET_HEADER: Final = "X-Telegram-Bot-Api-Secret-Token"

_KINDS_BY_DEFAULT: Final = frozenset(
    {"message", "edited_message", "channel_post", "edited_channel_post", "callback_query", "my_chat_member"}
)
_KINDS: Final = _KINDS_BY_DEFAULT | {"chat_member", "message_reaction", "inline_query", "poll", "chat_join_request"}
_FIRST_PAUSE: Final = 0.05
_LONGEST_PAUSE: Final = 1.0


@dataclass(slots=True)
class Hook:
    """Where the updates are brought to. *failed* counts the deliveries not taken; *error* says why the last was not."""

    url: str
    secret: str = ""
    most: int = 40
    failed: int = 0
    error: str = ""


@dataclass(slots=True)
class Updates:
    """What the bot has not confirmed yet. *history* is every update that there ever was."""

    bell: Bell
    pending: list[Update] = field(default_factory=list)
    history: list[Update] = field(default_factory=list)
    allowed: frozenset[str] = _KINDS_BY_DEFAULT
    hook: Hook | None = None
    routes: dict[str, str] = field(default_factory=dict)
    conflicts: int = 0
    last_offset: int = 0
    _ids: count[int] = field(default_factory=lambda: count(FIRST_UPDATE))
    _poll: asyncio.Future[None] | None = None
    _busy: set[int] = field(default_factory=set)

    def publish(self, kind: str, body: Json, chat: int) -> None:
        """A new update, if the bot wants its kind."""
        if kind not in self.allowed:
            return
        update = Update(next(self._ids), kind, body, chat)
        self.pending.append(update)
        self.history.append(update)
        self.bell.ring()

    def again(self, last: int = 1) -> None:
        """Bring back the newest *last* updates though they were confirmed, as when a confirmation was lost."""
        known = {update.id for update in self.pending}
        back = [update for update in self.history[-last:] if update.id not in known]
        self.pending = sorted([*back, *self.pending], key=lambda update: update.id)
        self.bell.ring()

    def want(self, kinds: list[str] | None) -> None:
        """Remember which kinds the bot wants; None: as before; empty: those by default."""
        if kinds is not None:
            self.allowed = frozenset(kinds) or _KINDS_BY_DEFAULT

    def drop(self) -> None:
        """Forget what is pending."""
        self.pending.clear()
        self.bell.ring()

    def confirm(self, offset: int) -> None:
        """Forget the updates before *offset*; a negative one keeps so many of the newest."""
        if offset < 0:
            self.pending = self.pending[offset:]
        else:
            self.pending = [update for update in self.pending if update.id >= offset]
            self.last_offset = max(self.last_offset, offset)
        self.bell.ring()

    async def poll(self, offset: int, limit: int, seconds: float) -> list[Json]:
        """The next updates, after at most *seconds*.

        :raises RefusedError: 409 if there is a web hook, or as soon as somebody else polls.
        """
        if self.hook is not None:
            text = "can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first"
            raise RefusedError(409, f"Conflict: {text}")
        if self._poll is not None and not self._poll.done():
            self.conflicts += 1
            self._poll.set_result(None)
        mine: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._poll = mine
        self.confirm(offset)
        try:
            await self.bell.until(lambda: self.pending or mine.done(), seconds)
        except AssertionError:
            return []
        if mine.done():
            text = "terminated by other getUpdates request; make sure that only one bot instance is running"
            raise RefusedError(409, f"Conflict: {text}")
        mine.set_result(None)
        return [update.json for update in self.pending[:limit]]

    def leave(self) -> None:
        """The poller hung up: the next one meets nobody."""
        self._poll = None

    # ---- web hooks ---------------------------------------------------------------------------------------------------

    async def deliver(self) -> None:
        """Bring updates to the web hook, for ever: in order within a chat, again and again until they are taken."""
        async with ClientSession(timeout=ClientTimeout(total=30)) as client, asyncio.TaskGroup() as running:
            while True:
                update = await self.bell.until(self._next_to_deliver, seconds=1e9)
                self._busy.add(update.chat)
                running.create_task(self._bring(client, update))

    def _next_to_deliver(self) -> Update | None:
        if self.hook is None or len(self._busy) >= self.hook.most:
            return None
        return next((update for update in self.pending if update.chat not in self._busy), None)

    async def _bring(self, client: ClientSession, update: Update) -> None:
        pause = _FIRST_PAUSE
        try:
            while self.hook is not None and update in self.pending:
                if await self._post(client, self.hook, update):
                    if update in self.pending:
                        self.pending.remove(update)
                    return
                await asyncio.sleep(pause)
                pause = min(2 * pause, _LONGEST_PAUSE)
        finally:
            self._busy.discard(update.chat)
            self.bell.ring()

    async def _post(self, client: ClientSession, hook: Hook, update: Update) -> bool:
        headers: Mapping[str, str] = {SECRET_HEADER: hook.secret} if hook.secret else {}
        try:
            async with client.post(self._reach(hook.url), json=update.json, headers=headers) as answer:
                if 200 <= answer.status < 300:
                    return True
                hook.error = f"Wrong response from the webhook: {answer.status} {answer.reason}"
        except (ClientError, TimeoutError) as error:
            hook.error = str(error)
        hook.failed += 1
        self.bell.ring()
        return False

    def _reach(self, url: str) -> str:
        """The address on loopback for a public one, as a proxy would have it."""
        for public, here in self.routes.items():
            if url.startswith(public):
                return here + url.removeprefix(public)
        raise AssertionError(f"no route to {url}: tests say `telegram.route(public, here)`")


def check_kinds(kinds: list[str]) -> list[str]:
    """The kinds that no update has."""
    return sorted(set(kinds) - _KINDS)
