"""The way to the server, and what its settings would lose."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from redis import exceptions
from redis.asyncio import BlockingConnectionPool, Redis
from redis.asyncio.retry import Retry
from redis.backoff import EqualJitterBackoff

from storage.server import Server

Connection: TypeAlias = Redis
"""What `connect` makes."""

CONNECTIONS: Final = 64
"""How many connections a client holds at most; what comes beyond waits for one."""

_OLDEST: Final = 7  # of Redis; Valkey tells which version of it it is like
_WAIT_SECONDS: Final = 10.0  # for a free connection
_CONNECT_SECONDS: Final = 2.0
_ANSWER_SECONDS: Final = 5.0
_IDLE_SECONDS: Final = 30  # an older connection is tried before it is used
# 1.2 to 2.4 s in all: a server that restarts is waited for, and a platform still gets its answer in time.
_RETRIES: Final = 7
_RETRY_BASE: Final = 0.05
_RETRY_CAP: Final = 0.4


class BadUrlError(ValueError):
    """REDIS_URL is no address of a server: the host's to mend. The message does not repeat it: it may be secret."""


def connect(url: str) -> Redis:
    """A client for *url* (``redis://``, ``rediss://`` or ``unix://``) that answers in bytes; connects when first used.

    A command whose answer is lost is sent again: whoever writes through it must write twice without harm.

    :raises BadUrlError: if *url* is none.
    """
    try:
        pool = BlockingConnectionPool.from_url(
            url,
            max_connections=CONNECTIONS,
            timeout=_WAIT_SECONDS,
            socket_connect_timeout=_CONNECT_SECONDS,
            socket_timeout=_ANSWER_SECONDS,
            health_check_interval=_IDLE_SECONDS,
            # A server that does not answer in time is not asked again: somebody waits.
            retry=Retry(EqualJitterBackoff(cap=_RETRY_CAP, base=_RETRY_BASE), _RETRIES, (exceptions.ConnectionError,)),
            decode_responses=False,
        )
        pool.connection_class(**pool.connection_kwargs)  # not connected, only made: an unknown option shows here
    except (ValueError, TypeError):
        raise BadUrlError(
            "REDIS_URL must look like redis://user:password@host:6379/0, rediss://… (TLS) or unix:///path/to/socket, "
            "with special characters of the password percent-encoded"
        ) from None
    return Redis.from_pool(pool)


@dataclass(frozen=True, slots=True)
class ServerInfo:
    """What the server is; *supported* if Bandada's scripts run on it."""

    name: str
    version: str
    supported: bool


async def server_info(client: Redis) -> ServerInfo:
    """What the server is.

    :raises StoreUnavailableError: if it cannot be reached.
    """
    info: dict[str, Any] = await Server(client).run("INFO", client.info("server"))
    spoken = str(info.get("redis_version", "0"))
    supported = int(spoken.partition(".")[0]) >= _OLDEST
    if "valkey_version" in info:
        return ServerInfo("Valkey", str(info["valkey_version"]), supported)
    return ServerInfo("Redis", spoken, supported)


async def server_warnings(client: Redis) -> tuple[str, ...]:
    """One line for each setting of the server that would lose games, with the setting to change; for the host.

    :raises StoreUnavailableError: if the server cannot be reached.
    """
    server = Server(client)
    info: dict[str, Any] = await server.run("INFO", client.info())
    warnings = []
    if info.get("role") == "slave":
        warnings.append("this Redis is a replica, which cannot save: set REDIS_URL to the primary")
    policy = info.get("maxmemory_policy", "noeviction")
    if policy != "noeviction":
        warnings.append(f"Redis throws games away when its memory is full (maxmemory-policy {policy}): set noeviction")
    if info.get("aof_enabled"):
        fsync: str | None = await server.run("CONFIG", _appendfsync(client))
        if fsync is None:
            warnings.append(
                "Redis does not tell whether a power cut loses the newest moves: see that appendfsync is always"
            )
        elif fsync != "always":
            warnings.append(f"a power cut loses the newest moves (appendfsync {fsync}): set appendfsync always")
    else:
        warnings.append("a crash loses the newest moves (appendonly no): set appendonly yes and appendfsync always")
    return tuple(warnings)


async def _appendfsync(client: Redis) -> str | None:
    """The setting, or None where the server does not tell it, as managed servers often do not."""
    try:
        settings = await client.config_get("appendfsync")
    except exceptions.ResponseError:
        return None
    return settings.get("appendfsync")
