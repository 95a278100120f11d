"""The server as the stores use it: commands and Lua scripts, with the client's errors turned into the store's."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Sequence
from importlib.resources import files
from typing import Any, Final

from redis import exceptions
from redis.asyncio import Redis
from redis.asyncio.cluster import RedisCluster
from redis.commands.core import AsyncScript

from storage.base import DamagedRecordError, StoreUnavailableError

Client = Redis | RedisCluster
"""What a store talks through. It must answer in bytes, as the clients of `storage.connect` do."""

# The files that stand before a script.
_SHARED: Final = dict.fromkeys(("create", "save", "rewrite", "move", "restore", "dump"), ("match",))


class Server:
    """Runs commands and the scripts of storage/lua. Scripts are read when first needed and called by their hash."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._scripts: dict[str, AsyncScript] = {}

    async def run(self, key: str, command: Awaitable[object]) -> Any:  # noqa: ANN401 - each command has its own answer
        """What *command*, a call of the client about *key*, answers.

        :raises StoreUnavailableError: if the server cannot be reached or refuses.
        :raises DamagedRecordError: if the key holds another type of value: waiting does not mend that.
        :raises ResponseError: if the command is wrong: our fault.
        """
        task = asyncio.current_task()
        cancellations = task.cancelling() if task is not None else 0
        try:
            answer = await command
        except exceptions.ResponseError as error:
            if str(error).startswith("WRONGTYPE"):
                raise DamagedRecordError(f"{key}: {error}") from error
            if not _is_refusal(error):
                raise
            raise StoreUnavailableError(f"{type(error).__name__}: {error}") from error
        except (
            exceptions.ConnectionError,
            exceptions.TimeoutError,
            exceptions.ClusterError,
            exceptions.InvalidResponse,
            exceptions.RedisClusterException,
            OSError,
        ) as error:
            raise StoreUnavailableError(f"{type(error).__name__}: {error}") from error
        if task is not None and task.cancelling() > cancellations:
            # The client writes by `asyncio.wait_for`, and that of Python 3.11 forgets a cancellation that comes when
            # the writing is done: whoever cancelled would wait for ever.
            raise asyncio.CancelledError
        return answer

    async def script(self, name: str, keys: Sequence[str], *args: str | bytes | int) -> Any:  # noqa: ANN401 - the same
        """What the script answers for *keys*, the first of which names the record, and *args*. Raises as `run`."""
        script = self._scripts.get(name)
        if script is None:
            folder = files("storage") / "lua"
            parts = (*_SHARED.get(name, ()), name)
            text = "\n".join((folder / f"{part}.lua").read_text(encoding="utf-8") for part in parts)
            script = self._scripts[name] = self._client.register_script(text)
        return await self.run(keys[0], script(keys, args))


def _is_refusal(error: exceptions.ResponseError) -> bool:
    """True if the server's state is the reason: such errors have a class of their own, or begin with a code."""
    return type(error) is not exceptions.ResponseError or str(error).partition(" ")[0].isupper()
