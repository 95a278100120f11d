"""Updates by a webhook: answered 200 after the save, 503 if nothing can be saved, so that Telegram tries again."""

from __future__ import annotations

import hmac
import json
import logging
from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Any, Final
from urllib.parse import urlsplit

from aiohttp import web

from bot.ports import StoreUnavailableError

log = logging.getLogger(__name__)

PATH: Final = "/telegram"
SECRET_HEADER: Final = "X-Telegram-Bot-Api-Secret-Token"
BYTES: Final = 1_000_000
"""Updates are far shorter."""

Take = Callable[[Mapping[str, Any]], Awaitable[None]]


class WebhookPart:
    """The routes of the webhook; *take* saves an update, and may raise StoreUnavailableError."""

    def __init__(self, public_url: str, take: Take) -> None:
        # A proxy passes the path on as it is, or without the part that leads to this server.
        self.paths = tuple(dict.fromkeys((PATH, urlsplit(public_url).path.rstrip("/") + PATH)))
        self._take = take
        self._secret = ""

    def open(self, secret: str) -> None:
        """Take updates that come with *secret* from now on; before, Telegram is asked to come again."""
        self._secret = secret

    def routes(self) -> Iterable[web.AbstractRouteDef]:
        """One route for each path."""
        return [web.post(path, self._answer) for path in self.paths]

    async def close(self) -> None:
        """Nothing is open."""

    async def _answer(self, request: web.Request) -> web.Response:
        given = request.headers.get(SECRET_HEADER)
        if given is None:
            return web.Response(status=401)
        if not self._secret:
            return web.Response(status=503)
        if not hmac.compare_digest(given.encode("utf-8", "surrogateescape"), self._secret.encode()):
            return web.Response(status=403)
        if (request.content_length or 0) > BYTES:
            return web.Response(status=413)
        try:
            update = json.loads(await request.read())
        except ValueError:
            return web.Response(status=400)
        if not isinstance(update, dict) or not isinstance(update.get("update_id"), int):
            return web.Response(status=400)
        try:
            await self._take(update)
        except StoreUnavailableError as error:
            log.warning("an update is left for later: %s", error)
            return web.Response(status=503)
        return web.Response()
