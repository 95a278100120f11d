"""What stands before the store, the service, the senders and the renderer, and counts: they know nothing of it."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from bot.messages import Command, Incoming, Outgoing
from bot.ports import Handle, Meter, PlaceGoneError, PlaceMovedError, Render, Sender, SendLaterError, Thinker, Threads
from bot.replies import BadSize, Done, Faulty, Refused, Reply
from bot.request import Request
from bot.service import Service
from renderers.scene import Scene
from storage.base import Behind, Conflict, DamagedRecordError, Place, Store, StoredMatch, StoreUnavailableError
from storage.redis_store import RedisStore
from storage.server import Client

DOUBTFUL: Final = 1000
"""How many messages are remembered of which nobody knows whether they arrived."""


class MeteredStore(RedisStore):
    """The store; counts what is saved, and notes when somebody looks what is to be sent."""

    def __init__(self, client: Client, meter: Meter) -> None:
        super().__init__(client)
        self._meter = meter

    async def create(self, draft: StoredMatch, operation: str) -> StoredMatch:
        """See `Store.create`."""
        try:
            stored = await super().create(draft, operation)
        except StoreUnavailableError:
            self._meter.not_saved()
            raise
        self._meter.saved()
        return stored

    async def save(self, stored: StoredMatch, operation: str) -> StoredMatch:
        """See `Store.save`."""
        try:
            stored = await super().save(stored, operation)
        except Conflict:
            self._meter.conflicted()
            raise
        except StoreUnavailableError:
            self._meter.not_saved()
            raise
        self._meter.saved()
        return stored

    async def behind(self, platforms: Sequence[str], now_ms: int) -> Sequence[Behind]:
        """See `Store.behind`."""
        found = await super().behind(platforms, now_ms)
        self._meter.looked(len(found))
        return found


class MeteredService(Service):
    """The service; counts what comes of the commands."""

    def __init__(
        self, store: Store, meter: Meter, threads: Mapping[str, Threads], thinker: Thinker | None = None
    ) -> None:
        super().__init__(store, threads, thinker)
        self._meter = meter

    async def carry_out(self, command: Command, request: Request) -> Reply | None:
        """See `Service.carry_out`."""
        try:
            reply = await super().carry_out(command, request)
        except StoreUnavailableError:
            raise  # counted where updates come in: most are lost before they get here
        except DamagedRecordError:
            self._meter.handled("damaged")
            raise
        except Exception:
            self._meter.handled("broken")
            raise
        self._meter.handled(_outcome(reply))
        return reply


def metered_handle(handle: Handle, meter: Meter) -> Handle:
    """The pipeline's *handle*; counts the updates that are to come again since nothing can be saved."""

    async def counted(incoming: Incoming) -> Sequence[Outgoing]:
        try:
            return await handle(incoming)
        except StoreUnavailableError:
            meter.handled("unavailable")
            raise

    return counted


class MeteredSender:
    """A platform's *sender*; counts what comes of the boards that are given to it."""

    def __init__(self, platform: str, sender: Sender, meter: Meter) -> None:
        self._platform = platform
        self._sender = sender
        self._meter = meter
        self._doubtful: OrderedDict[tuple[Place, str], None] = OrderedDict()

    async def send(self, outgoing: Outgoing) -> str:
        """See `Sender.send`."""
        key, this, outcome = (outgoing.place, outgoing.key), object(), "failed"
        again = key in self._doubtful
        self._meter.sending(this)
        try:
            message = await self._sender.send(outgoing)
            outcome = "sent"
            self._doubtful.pop(key, None)
        except (SendLaterError, PlaceMovedError):
            outcome = "later"
            raise
        except PlaceGoneError:
            outcome = "gone"
            raise
        except Exception:
            self._doubtful[key] = None
            if len(self._doubtful) > DOUBTFUL:
                self._doubtful.popitem(last=False)
            raise
        finally:
            self._meter.sent(this, self._platform, outcome, again=again)
        return message

    async def retire(self, place: Place, message: str) -> None:
        """See `Sender.retire`."""
        await self._sender.retire(place, message)


class MeteredRender:
    """The renderer; counts the seconds. *now* is a clock that never goes back."""

    def __init__(self, render: Render, meter: Meter, now: Callable[[], float] = time.monotonic) -> None:
        self._render = render
        self._meter = meter
        self._now = now

    async def png(self, scene: Scene) -> bytes:
        """See `Render.png`."""
        begun = self._now()
        png = await self._render.png(scene)
        self._meter.rendered("png", self._now() - begun)
        return png

    async def gif(self, scenes: Sequence[Scene]) -> bytes:
        """See `Render.gif`."""
        begun = self._now()
        gif = await self._render.gif(scenes)
        self._meter.rendered("gif", self._now() - begun)
        return gif


def _outcome(reply: Reply | None) -> str:
    match reply:
        case None:
            return "silent"
        case Done(repeated=True):
            return "repeated"
        case Done():
            return "done"
        case Refused() | Faulty() | BadSize():
            return "refused"
        case _:
            return "answered"
