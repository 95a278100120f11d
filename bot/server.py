"""From the host's settings to the server that keeps the games: the one of REDIS_URL, or a private one."""

from __future__ import annotations

import asyncio
import contextlib
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from bot.config import Config
from storage.base import StoreUnavailableError
from storage.connect import BadUrlError, Connection, connect, server_warnings
from storage.embedded import EmbeddedServerError, ensure_server, stop_server


class StartError(Exception):
    """Bandada cannot start here: the host's to mend. The message is one line that says what to do."""


def use_server_program(path: str) -> None:
    """Have a private server run by the program *path*, as the setting REDIS_SERVER_BIN says; empty: the usual one."""
    # The launcher reads the environment, where a setting of the `.env` file is not.
    if path.strip():
        os.environ["REDIS_SERVER_BIN"] = path.strip()


@asynccontextmanager
async def reached(config: Config) -> AsyncIterator[tuple[Connection, tuple[str, ...]]]:
    """A connection to the server, and a line for each setting of it that would lose games.

    A private server is started if it does not run, and stopped afterwards if nobody else uses it.

    :raises StartError: if there is no server to be had.
    """
    url = config.redis_url or await _private_server(config)
    try:
        client = connect(url)
    except BadUrlError as error:
        raise StartError(str(error)) from None
    try:
        yield client, await _warnings(client) if config.redis_url else ()
    finally:
        await client.aclose()
        if not config.redis_url:
            with contextlib.suppress(EmbeddedServerError):
                await asyncio.to_thread(stop_server, config.data_dir)


async def _warnings(client: Connection) -> tuple[str, ...]:
    try:
        return await server_warnings(client)
    except StoreUnavailableError as error:
        raise StartError(f"the server of REDIS_URL cannot be reached: {error}") from error


async def _private_server(config: Config) -> str:
    try:
        return await asyncio.to_thread(ensure_server, config.data_dir)
    except EmbeddedServerError as error:
        raise StartError(str(error)) from error
