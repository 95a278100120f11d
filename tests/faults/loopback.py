"""A chat platform on the loopback interface: keeps chats, delivers updates, takes messages, and makes trouble.

It records everything that it was sent and everything that people did: the judge reads nothing else of it.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Final

import msgspec
from aiohttp import web

from tests.faults.wire import Sent, Update

REDELIVERY_SECONDS: Final = 2.5
"""After this time an update that is not confirmed is delivered again, to whoever asks."""

_POLL_SECONDS: Final = 1.0
_AT_ONCE: Final = 3


@dataclass(frozen=True, slots=True)
class Trouble:
    """How often what goes wrong, as probabilities."""

    wait: float = 0.03
    refuse: float = 0.015
    refuse_after: float = 0.015
    cut: float = 0.015
    cut_after: float = 0.015
    slow: float = 0.1
    duplicate: float = 0.12
    delay: float = 0.1
    lose_confirmation: float = 0.02


CALM: Final = Trouble(*[0.0] * 9)


@dataclass(slots=True)
class Deed:
    """An update with what became of it. *move* is the canonical text of the move that it makes, if it makes one."""

    update: Update
    move: str
    at: float
    confirmed: bool = False
    deliveries: int = 0
    answers: list[Sent] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Message:
    """A message as it arrived. *known* is True if the sender was told that it did."""

    number: int
    at: float
    sent: Sent
    known: bool


@dataclass(frozen=True, slots=True)
class _Delivery:
    due: float
    id: str
    duplicate: bool


class Platform:
    """The chat service. *hear* is told of every message; *bots* are the processes that have ever asked for updates."""

    def __init__(self, rng: random.Random, trouble: Trouble) -> None:
        self.trouble = trouble
        self.deeds: dict[str, Deed] = {}
        self.messages: list[Message] = []
        self.bots: set[str] = set()
        self.counts: Counter[str] = Counter()
        self.hear: Callable[[Message], None] = lambda _: None
        self.hold: Callable[[Sent], asyncio.Event | None] = lambda _: None
        self._rng = rng
        self._waiting: list[_Delivery] = []
        self._runner: web.AppRunner | None = None
        self.url = ""

    async def start(self) -> None:
        """Listen."""
        app = web.Application()
        app.router.add_get("/updates", self._updates)
        app.router.add_post("/confirmations", self._confirmation)
        app.router.add_post("/messages", self._message)
        app.router.add_post("/retired", self._retired)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.5)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", 0)
        await site.start()
        host, port = self._runner.addresses[0][:2]
        self.url = f"http://{host}:{port}"

    async def stop(self) -> None:
        """Listen no more."""
        if self._runner is not None:
            await self._runner.cleanup()

    # ---- what people do ----------------------------------------------------------------------------------------------

    def submit(self, update: Update, move: str = "") -> Deed:
        """Somebody did something; the update gets its id here."""
        update = replace(update, id=f"u{len(self.deeds)}")
        now = time.monotonic()
        deed = self.deeds[update.id] = Deed(update, move, now)
        late = self._rng.uniform(0, 1.5) if self._happens(self.trouble.delay) else 0.0
        self._waiting.append(_Delivery(now + late, update.id, duplicate=False))
        if self._happens(self.trouble.duplicate):
            self._waiting.append(_Delivery(now + late + self._rng.choice((0, 0.5, 2)), update.id, duplicate=True))
        return deed

    @property
    def is_settled(self) -> bool:
        """True if every update is confirmed and none is to be delivered again."""
        return all(self.deeds[one.id].confirmed and not one.duplicate for one in self._waiting)

    async def _updates(self, request: web.Request) -> web.Response:
        self.bots.add(request.query["bot"])
        end = time.monotonic() + _POLL_SECONDS
        while not (due := self._due()) and time.monotonic() < end:  # noqa: ASYNC110 - time makes them due
            await asyncio.sleep(0.02)
        return web.Response(body=msgspec.json.encode(due), content_type="application/json")

    def _due(self) -> list[Update]:
        """Some of the updates that are due, in any order."""
        now = time.monotonic()
        self._waiting = [one for one in self._waiting if one.duplicate or not self.deeds[one.id].confirmed]
        due = [one for one in self._waiting if one.due <= now]
        chosen = self._rng.sample(due, min(_AT_ONCE, len(due)))
        for one in chosen:
            self._waiting.remove(one)
            self._waiting.append(_Delivery(now + REDELIVERY_SECONDS, one.id, duplicate=False))
            deed = self.deeds[one.id]
            deed.deliveries += 1
        return [self.deeds[one.id].update for one in chosen]

    async def _confirmation(self, request: web.Request) -> web.Response:
        if self._happens(self.trouble.lose_confirmation):
            return web.Response(status=500)
        self.deeds[request.query["id"]].confirmed = True
        return web.Response()

    # ---- what bots send ----------------------------------------------------------------------------------------------

    async def _message(self, request: web.Request) -> web.Response:
        sent = msgspec.json.decode(await request.read(), type=Sent)
        trouble, chance = self.trouble, self._rng.random()
        for name in ("wait", "refuse", "cut", "refuse_after", "cut_after"):
            probability: float = getattr(trouble, name)
            if chance < probability:
                break
            chance -= probability
        else:
            name = ""
        self.counts[name or "taken"] += 1
        match name:
            case "wait":
                return web.Response(status=429, text=f"{self._rng.uniform(0.1, 1):.2f}")
            case "refuse":
                return web.Response(status=500)
            case "cut":
                return _cut(request)
        number = self._record(sent, known=not name)
        match name:
            case "refuse_after":
                return web.Response(status=500)
            case "cut_after":
                return _cut(request)
        if self._happens(trouble.slow):
            await asyncio.sleep(self._rng.uniform(0, 0.5))
        if (held := self.hold(sent)) is not None:
            await held.wait()
        return web.Response(text=str(number))

    def _record(self, sent: Sent, *, known: bool) -> int:
        message = Message(len(self.messages), time.monotonic(), sent, known)
        self.messages.append(message)
        if not sent.board:
            self.deeds[answered(sent)].answers.append(sent)
        self.hear(message)
        return message.number

    async def _retired(self, request: web.Request) -> web.Response:
        self.counts["retired"] += 1
        del request
        return web.Response()

    def _happens(self, probability: float) -> bool:
        return self._rng.random() < probability


def answered(sent: Sent) -> str:
    """The id of the update that the message answers."""
    return sent.key.partition(":")[0].partition(" ")[0]


def _cut(request: web.Request) -> web.Response:
    """The connection is gone, and with it what would have been answered."""
    if request.transport is not None:
        request.transport.abort()
    return web.Response()
