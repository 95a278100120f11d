"""Builds the core and the platforms' adapters: the only file that knows what stands behind the ports."""

from __future__ import annotations

import functools
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Protocol

from bot.adapters import discord_adapter, telegram_adapter
from bot.adapters.computer_adapter import ComputerAdapter
from bot.adapters.web_adapter import PLACE as PAGE
from bot.completion import Completion
from bot.computers import computer_level
from bot.config import Config
from bot.courier import Courier
from bot.drawing import drawn_or_plain
from bot.live import LiveBoards
from bot.messages import Abort, Incoming, Settings
from bot.metered import MeteredService, metered_handle
from bot.metrics import Metrics
from bot.opponent import ComputerOpponent
from bot.parse import COMMANDS, parse
from bot.pipeline import Pipeline
from bot.ports import Clock, Complete, Handle, Live, Render, Sender, Thinker, Threads
from bot.present import Presenter
from bot.rush import Rush
from bot.service import Service
from bot.texts import LANGUAGES, Texts
from storage.base import Place, Store, StoredMatch, Transcript

OFFERED: Final = tuple(name for name in COMMANDS if name not in ("m", "start"))
"""The commands without those that people know anyway, or never type."""


class Platform(Sender, Protocol):
    """An adapter as the app sees it: it sends, and listens until it is cancelled."""

    async def run(self) -> None:
        """Listen for ever.

        :raises PlatformError: if the platform does not let this process go on.
        """


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
    courier = Courier(
        store,
        presenter,
        render,
        MappingProxyType(senders),
        time_source,
        language=language,
        rush=rush,
        own_windows=frozenset({PAGE.platform}),
    )
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
