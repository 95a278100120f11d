"""The client of python-telegram-bot, so set up that the token appears nowhere: no log line, no repr, no message."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from telegram import Bot, Update
from telegram.error import InvalidToken
from telegram.request import HTTPXRequest

log = logging.getLogger(__name__)

API_URL: Final = "https://api.telegram.org"

CONNECTIONS: Final = 64
"""Requests at the same time."""

_TALKATIVE: Final[Iterable[tuple[str, int]]] = (
    # These write whole addresses, and the token is a part of each.
    ("httpx", logging.WARNING),
    ("httpcore", logging.WARNING),
    # This one writes the parameters of each request: what people say, and the webhook's secret.
    ("telegram", logging.INFO),
)


class Client(Bot):
    """The Bot API's client, without the token in its repr."""

    __slots__ = ()

    def __repr__(self) -> str:
        """The class's name."""
        return "Client"

    async def initialize(self) -> None:
        """Connect, and learn who the bot is.

        :raises InvalidToken: if Telegram does not know the token; the library's own message would name it.
        """
        known = True
        try:
            await super().initialize()
        except InvalidToken:
            known = False
        if not known:
            raise InvalidToken("Unauthorized")

    async def updates(self, offset: int, limit: int, seconds: int, kinds: Sequence[str]) -> Sequence[Mapping[str, Any]]:
        """The next updates, not read yet: one that cannot be read is no reason to lose the others.

        Else as the library's `get_updates`.
        """
        asked = {"offset": offset, "limit": limit, "timeout": seconds, "allowed_updates": list(kinds)}
        found: Sequence[Mapping[str, Any]] = await self._post("getUpdates", asked, read_timeout=seconds + 10)
        return found


def readable(raw: object, client: Client) -> Update | None:
    """The update; None (and a line in the log) for one that cannot be read: it must not keep the others from coming."""
    number = raw.get("update_id") if isinstance(raw, dict) else None
    try:
        return Update.de_json(raw, client) if isinstance(raw, dict) else None
    except Exception as error:  # noqa: BLE001 - the library raises what it likes: TypeError, KeyError, ValueError
        log.error("update %s is left out, since it cannot be read: %r", number, error)  # noqa: TRY400 - the same again and again
        return None


def new_client(token: str, api_url: str = API_URL) -> Client:
    """A client that is not connected yet; it is to be initialized."""
    for name, level in _TALKATIVE:
        logger = logging.getLogger(name)
        logger.setLevel(max(level, logger.level))
    # The library's own switch to the future type of waiting times; the present one is deprecated.
    os.environ.setdefault("PTB_TIMEDELTA", "true")
    return Client(
        token,
        base_url=f"{api_url}/bot",
        base_file_url=f"{api_url}/file/bot",
        # A request that waits for one of many others would look like one that Telegram has not answered.
        request=HTTPXRequest(CONNECTIONS, read_timeout=15, pool_timeout=15),
        get_updates_request=HTTPXRequest(2, read_timeout=15),
    )
