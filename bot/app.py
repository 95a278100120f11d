"""Opens what the core stands on, starts and watches all tasks, ends them in order."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import gc
import logging
import os
import signal
import socket
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Final, Protocol, runtime_checkable
from urllib.parse import urlsplit

from bot.adapters.http import HttpServer, Part, is_loopback, own_url
from bot.adapters.status import HEALTH_PATH, METRICS_PATH, HealthPart, MetricsPart
from bot.adapters.web_adapter import Bot, Door, WebAdapter
from bot.config import Config, ConfigError
from bot.core import PLATFORMS, Core, Platform, build
from bot.drawing import ThreadRender
from bot.health import Health
from bot.metered import MeteredRender, MeteredSender, MeteredStore
from bot.metrics import LogMeter, Metrics, measure_lag
from bot.ports import PlatformError
from bot.server import StartError, reached
from bot.texts import LANGUAGES
from bot.thinking import Workers
from renderers.png import Renderer
from rules import GAMES
from storage.base import StoreUnavailableError
from storage.embedded import EmbeddedServerError, supervise
from storage.transcript import RedisTranscript

log = logging.getLogger(__name__)

TICK_SECONDS: Final = 5.0
"""How often challenges are looked at whose time is over."""


@runtime_checkable
class Served(Protocol):
    """A platform that is reached through the HTTP server too, by its *parts*."""

    @property
    def parts(self) -> Sequence[Part]:
        """What it adds to the server."""


@asynccontextmanager
async def opened(config: Config, *, must_have_url: bool = False) -> AsyncIterator[Core]:
    """The core over the server of REDIS_URL, or over a private one in the data directory that is kept running.

    :raises StartError: if there is no server to be had.
    """
    if must_have_url and not config.redis_url:
        raise StartError("REDIS_URL is not set: without it this host would forget all games with its next restart")
    async with reached(config) as (client, warnings):
        for line in warnings:
            log.warning("%s", line)
        render, metrics, workers = ThreadRender(Renderer()), Metrics(), Workers()
        core = build(
            MeteredStore(client, metrics),
            RedisTranscript(client),
            MeteredRender(render, metrics),
            language=config.language,
            metrics=metrics,
            thinker=workers,
        )
        keeper = contextlib.AsyncExitStack()
        try:
            keeper.enter_context(_counted_log(metrics))
            await keeper.enter_async_context(_running(_warm(render), workers.warm(), measure_lag(metrics)))
            if not config.redis_url:
                keeping = supervise(config.data_dir, _server_failed, recovered=_server_recovered)
                await keeper.enter_async_context(_running(keeping))
            if config.metrics_port is not None:
                await keeper.enter_async_context(_metrics_server(config, core))
            yield core
        finally:
            await keeper.aclose()
            await workers.close()
            render.close()


def spare_the_collector() -> None:
    """Tell the cyclic collector that what exists now stays: going through it again and again stops the loop."""
    gc.collect()
    gc.freeze()


async def serve(
    core: Core, platforms: Mapping[str, Platform], server: HttpServer | None, ready: Callable[[], None]
) -> None:
    """Run the *platforms*, the courier and the clock until SIGINT or SIGTERM; sends in flight are finished."""
    core.senders.update({name: MeteredSender(name, platform, core.metrics) for name, platform in platforms.items()})
    spare_the_collector()
    listening = [platform.run() for platform in platforms.values()]
    if core.computer is not None:
        listening.append(core.computer.run())
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop.set)
    try:
        async with _running(*listening, _tick(core, stop)):
            async with asyncio.TaskGroup() as group:
                group.create_task(core.courier.run())
                try:
                    ready()
                    await stop.wait()
                finally:
                    # Also where a platform has ended: to be cancelled can get lost while a connection is being made.
                    core.courier.close()
            if server is not None:
                await server.stop()
    finally:
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.remove_signal_handler(number)


async def play(config: Config, host: str, port: int, ready: Callable[[str, str], None]) -> None:
    """The local page, until it is stopped; *ready* is told the two seats' links.

    :raises StartError: if it cannot start.
    """
    async with opened(config) as core:
        page = WebAdapter(
            Bot(core.handle, core.live, core.complete),
            core.transcript,
            core.render,
            core.words,
            core.clock,
            languages=LANGUAGES,
            door=Door(is_loopback(host), "" if is_loopback(host) else own_url(host, port)),
        )
        try:
            first, second = await page.load()
        except StoreUnavailableError as error:
            raise StartError(f"the games cannot be read: {error}") from error
        server = await _listening([page, _health(core)], core, host, port)
        await serve(core, {"web": page}, server, lambda: ready(server.url + first, server.url + second))


async def run(config: Config, names: Sequence[str], *, must_have_url: bool = False) -> None:
    """The named platforms (all that are configured, if none is named), until they are stopped.

    :raises StartError: if it cannot start.
    :raises ConfigError: if a named platform is not configured.
    """
    wanted = tuple(names) or config.configured
    if not wanted:
        raise ConfigError("nothing to run: set DISCORD_TOKEN or TELEGRAM_TOKEN (see .env.example)")
    for name in wanted:
        if name not in config.configured:
            raise ConfigError(f"{name.upper()}_TOKEN is not set (see .env.example)")
    async with opened(config, must_have_url=must_have_url) as core:
        platforms = {name: PLATFORMS[name](config, core) for name in wanted}
        where = "REDIS_URL" if config.redis_url else str(config.data_dir)
        log.info("running %s; the games are kept in %s", ", ".join(wanted), where)
        server = None
        parts = [part for platform in platforms.values() if isinstance(platform, Served) for part in platform.parts]
        if config.port is not None:
            server = await _listening(
                [_health(core), *parts], core, config.host, config.port, ("HOST", "PORT"), config.public_url
            )
        elif parts:
            raise ConfigError("PUBLIC_URL is set, but PORT is not: set it to the port that your proxy sends to")
        try:
            await serve(core, platforms, server, lambda: None)
        except BaseExceptionGroup as group:
            if (refusal := _refusal(group)) is None:
                raise
            raise StartError(str(refusal)) from None


def _refusal(group: BaseExceptionGroup[BaseException]) -> PlatformError | None:
    """The reason why a platform has ended, if that is why everything has."""
    for error in group.exceptions:
        found = _refusal(error) if isinstance(error, BaseExceptionGroup) else error
        if isinstance(found, PlatformError):
            return found
    return None


def _health(core: Core) -> HealthPart:
    return HealthPart(Health(core.store, core.metrics).trouble)


@asynccontextmanager
async def _metrics_server(config: Config, core: Core) -> AsyncIterator[None]:
    host, port = config.metrics_host, config.metrics_port or 0
    parts: list[Part] = [MetricsPart(core.metrics.text), _health(core)]
    server = await _listening(parts, core, host, port, ("METRICS_HOST", "METRICS_PORT"))
    try:
        yield
    finally:
        await server.stop()


@contextlib.contextmanager
def _counted_log(metrics: Metrics) -> Iterator[None]:
    handler = LogMeter(metrics)
    logging.getLogger().addHandler(handler)
    try:
        yield
    finally:
        logging.getLogger().removeHandler(handler)


async def _listening(
    parts: Sequence[Part],
    core: Core,
    host: str,
    port: int,
    settings: tuple[str, str] = ("--host", "--port"),
    public_url: str = "",
) -> HttpServer:
    """The server with the *parts*, listening; *settings* are what the host would change if it cannot.

    *public_url* is the address by which others call it.
    """
    # Whoever looks after the program calls it by names that it does not know; where the metrics' host was told to let
    # others in, they may come by any name too.
    open_paths = (HEALTH_PATH,) if is_loopback(host) else (HEALTH_PATH, METRICS_PATH)
    name = urlsplit(public_url).hostname
    names = () if name is None else (name,)
    server = HttpServer(parts, core.words, LANGUAGES, host=host, port=port, names=names, open_paths=open_paths)
    try:
        await server.start()
    except (OSError, UnicodeError) as error:  # the second: what can be no host's name
        number = None if isinstance(error, UnicodeError | socket.gaierror) else error.errno
        if number is None or number == errno.EADDRNOTAVAIL:
            raise StartError(f'"{host}" is no address of this machine: choose another {settings[0]}') from error
        raise StartError(
            f"{host}:{port} cannot be used ({os.strerror(number)}): choose another {settings[1]}"
        ) from error
    return server


def _server_failed(error: EmbeddedServerError) -> None:
    # The rest is the end of the server's log, with other times in it whenever it is told.
    log.error("%s", str(error).partition("\n")[0])


def _server_recovered() -> None:
    log.warning("the private server runs again")


async def _tick(core: Core, stop: asyncio.Event) -> None:
    """Close the challenges whose time is over, again and again until *stop*."""
    while not stop.is_set():
        try:
            if await core.service.expire(core.clock.now_ms() // 1000):
                core.courier.wake()
        except StoreUnavailableError as error:
            log.warning("cannot look for challenges that are over, trying again: %s", error)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(TICK_SECONDS):
                await stop.wait()


async def _warm(render: ThreadRender) -> None:
    """Draw what pictures are made of before the first one is asked for: first what is played most."""
    for game in GAMES.values():
        await render.warm(game.key, game.default_size, "light")
    for game in GAMES.values():
        for size in game.sizes:
            await render.warm(game.key, size, "light")


@asynccontextmanager
async def _running(*coroutines: Coroutine[object, object, None]) -> AsyncIterator[None]:
    """The *coroutines* run while the block does; an error in one of them ends the block."""
    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(one) for one in coroutines]
        try:
            yield
        finally:
            for task in tasks:
                task.cancel()
