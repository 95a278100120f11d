"""Builds everything: the only file that knows what stands behind the ports. Starts and watches all tasks."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import functools
import gc
import logging
import os
import signal
import socket
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Protocol, runtime_checkable
from urllib.parse import urlsplit

from bot.adapters import discord_adapter, telegram_adapter
from bot.adapters.computer_adapter import ComputerAdapter
from bot.adapters.http import HttpServer, Part, is_loopback, own_url
from bot.adapters.status import HEALTH_PATH, METRICS_PATH, HealthPart, MetricsPart
from bot.adapters.web_adapter import Bot, Door, WebAdapter
from bot.completion import Completion
from bot.computers import computer_level
from bot.config import Config, ConfigError
from bot.courier import Courier
from bot.drawing import ThreadRender, drawn_or_plain
from bot.health import Health
from bot.live import LiveBoards
from bot.messages import Abort, Incoming, Settings
from bot.metered import MeteredRender, MeteredSender, MeteredService, MeteredStore, metered_handle
from bot.metrics import LogMeter, Metrics, measure_lag
from bot.opponent import ComputerOpponent
from bot.parse import COMMANDS, parse
from bot.pipeline import Pipeline
from bot.ports import Clock, Complete, Handle, Live, PlatformError, Render, Sender, Thinker, Threads
from bot.present import Presenter
from bot.rush import Rush
from bot.server import StartError, reached
from bot.service import Service
from bot.texts import LANGUAGES, Texts
from bot.thinking import Workers
from renderers.png import Renderer
from rules import GAMES
from storage.base import Place, Store, StoredMatch, StoreUnavailableError, Transcript
from storage.embedded import EmbeddedServerError, supervise
from storage.transcript import RedisTranscript

log = logging.getLogger(__name__)

TICK_SECONDS: Final = 5.0
"""How often challenges are looked at whose time is over."""

OFFERED: Final = tuple(name for name in COMMANDS if name not in ("m", "start"))
"""The commands without those that people know anyway, or never type."""


class Platform(Sender, Protocol):
    """An adapter as the app sees it: it sends, and listens until it is cancelled."""

    async def run(self) -> None:
        """Listen for ever.

        :raises PlatformError: if the platform does not let this process go on.
        """


@runtime_checkable
class Served(Protocol):
    """A platform that is reached through the HTTP server too, by its *parts*."""

    @property
    def parts(self) -> Sequence[Part]:
        """What it adds to the server."""


class SystemClock:
    """The machine's clock."""

    def now_ms(self) -> int:
        """Milliseconds since the epoch."""
        return time.time_ns() // 1_000_000


@dataclass(frozen=True, slots=True)
class Core:
    """Everything but the platforms. *senders* and *threads* take the platforms as they are built."""

    store: Store
    transcript: Transcript
    texts: Texts
    render: Render
    clock: Clock
    service: Service
    courier: Courier
    handle: Handle
    complete: Complete
    live: Live
    senders: dict[str, Sender]
    threads: dict[str, Threads]
    metrics: Metrics
    rush: Rush
    computer: ComputerAdapter | None = None

    def words(self, language: str) -> Mapping[str, str]:
        """The page's own words, and what each command does, in the order in which commands are offered."""
        page = self.texts.words(language, "page.")
        known = self.texts.words(language, "command.")
        offered = {f"command.{name}": known[f"command.{name}"] for name in OFFERED}
        return MappingProxyType({**page, **offered})


def build(
    store: Store,
    transcript: Transcript,
    render: Render,
    *,
    language: str,
    clock: Clock | None = None,
    metrics: Metrics | None = None,
    thinker: Thinker | None = None,
) -> Core:
    """The core over the given store, render port and thinker; without a thinker the computer does not play."""
    metrics = Metrics() if metrics is None else metrics
    texts = Texts.load()
    presenter = Presenter(texts, OFFERED)
    time_source: Clock = SystemClock() if clock is None else clock
    senders: dict[str, Sender] = {}
    rush = Rush()
    courier = Courier(store, presenter, render, MappingProxyType(senders), time_source, language=language, rush=rush)
    threads: dict[str, Threads] = {}
    service = MeteredService(store, metrics, MappingProxyType(threads), thinker)

    def wake(place: Place, stored: StoredMatch) -> None:
        courier.wake(place)
        if computer is not None and any(map(computer_level, stored.match.seats)):
            computer.wake(stored.id)

    pipeline = Pipeline(service, presenter, store, time_source, language=language, wake=wake, rush=rush)
    handle = metered_handle(pipeline.handle, metrics)
    computer = None if thinker is None else ComputerAdapter(handle, ComputerOpponent(store, thinker))
    complete = Completion(store, presenter, time_source, language=language)
    live = LiveBoards(store, texts, presenter, language=language)
    return Core(
        store,
        transcript,
        texts,
        render,
        time_source,
        service,
        courier,
        handle,
        complete,
        live,
        senders,
        threads,
        metrics,
        rush,
        computer,
    )


def build_discord(config: Config, core: Core) -> discord_adapter.DiscordAdapter:
    """The adapter for Discord over *core*."""
    parts = discord_adapter.DiscordParts(
        core.handle,
        core.complete,
        functools.partial(drawn_or_plain, render=core.render),
        core.store,
        functools.partial(core.texts.words, prefix=""),
        tuple(name for name in COMMANDS if name != "m"),
        core.rush.over,
    )
    adapter = discord_adapter.DiscordAdapter(config.discord_token, parts, config.discord_shards)
    core.threads[discord_adapter.PLATFORM] = adapter.threads
    return adapter


PlatformBuilder = Callable[[Config, Core], Platform]


def build_telegram(
    config: Config, core: Core, limits: telegram_adapter.Limits | None = None
) -> telegram_adapter.TelegramAdapter:
    """The adapter for Telegram over *core*; *limits* are what a chat takes, if not the usual."""

    def words(language: str) -> Mapping[str, str]:
        return {**core.texts.words(language, "telegram."), **core.texts.words(language, "command.")}

    def needs_rights(incoming: Incoming) -> bool:
        return isinstance(parse(incoming), Abort | Settings)

    surroundings = telegram_adapter.Core(
        core.handle,
        functools.partial(drawn_or_plain, render=core.render),
        core.store,
        core.transcript,
        words,
        LANGUAGES,
        ("start", *OFFERED, "m"),
        needs_rights,
    )
    return telegram_adapter.TelegramAdapter(config, surroundings, limits)


PLATFORMS: Final[Mapping[str, PlatformBuilder]] = MappingProxyType(
    {discord_adapter.PLATFORM: build_discord, telegram_adapter.PLATFORM: build_telegram}
)
"""The platforms of `bandada run` that are in this version, by name."""


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
