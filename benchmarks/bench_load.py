"""The whole way of a move under load: typed, saved with a sync to disk, drawn, handed to a sender that counts.

The server of the games runs as its own process, with `appendfsync always`, as it does for people.
"""

from __future__ import annotations

import asyncio
import importlib
import random
import statistics
import tempfile
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final
from unittest.mock import patch

from benchmarks.machine import slowness
from bot.app import spare_the_collector
from bot.core import Core, build
from bot.drawing import ThreadRender
from bot.messages import Incoming, Outgoing, Person
from renderers.png import Renderer
from rules import GAMES
from rules.actions import Accept, PersonId
from rules.match import apply, challenge
from storage.base import MatchId, Place, StoredMatch
from storage.connect import connect
from storage.embedded import ensure_server, stop_server
from storage.redis_store import RedisStore
from storage.transcript import RedisTranscript

PLATFORM: Final = "bench"
ALONE: Final = 200  # moves of one pair of players
AT_ONCE: Final = 200  # matches played at the same time
ROUNDS: Final = 6  # moves in each of them
STORED: Final = 100_000
CREATORS: Final = 64
NAP_SECONDS: Final = 0.001


@dataclass(slots=True)
class Counter:
    """A sender that only counts, and tells when a board for a match has come."""

    boards: int = 0
    bytes: int = 0
    shown: dict[MatchId, int] = field(default_factory=dict)
    came: dict[MatchId, asyncio.Event] = field(default_factory=dict)

    async def send(self, outgoing: Outgoing) -> str:
        """Count the message."""
        self.boards += outgoing.picture is not None
        self.bytes += 0 if outgoing.picture is None else len(outgoing.picture.png)
        if outgoing.match is not None:
            self.shown[outgoing.match] = int(outgoing.key.partition(":")[2])
            self.came.setdefault(outgoing.match, asyncio.Event()).set()
        return str(self.boards)

    async def board_of(self, match: MatchId, version: int) -> None:
        """Return when the board of that version, or a later one, has come."""
        while self.shown.get(match, 0) < version:
            came = self.came.setdefault(match, asyncio.Event())
            came.clear()
            await came.wait()

    async def retire(self, place: Place, message: str) -> None:
        """Nothing to take off."""


class Lag:
    """What keeps the event loop from serving others: its longest callback, and the longest a sleeper overslept."""

    def __init__(self) -> None:
        self.callback = 0.0
        self.cpu = 0.0
        self.overslept = 0.0

    @contextmanager
    def callbacks(self) -> Iterator[None]:
        """Time every callback inside the block; of the longest also the processor's time, since machines are shared."""
        original = asyncio.Handle._run  # noqa: SLF001 - the one place that all callbacks pass

        def run(handle: asyncio.Handle) -> None:
            started, cpu = time.perf_counter(), time.thread_time()
            original(handle)
            seconds = time.perf_counter() - started
            if seconds > self.callback:
                self.callback, self.cpu = seconds, time.thread_time() - cpu

        with patch.object(asyncio.Handle, "_run", run):
            yield

    async def sleeper(self) -> None:
        """Sleep and look, for ever."""
        while True:
            before = time.perf_counter()
            await asyncio.sleep(NAP_SECONDS)
            self.overslept = max(self.overslept, time.perf_counter() - before - NAP_SECONDS)


class Players:
    """Two people and their matches; each match in a chat of its own."""

    def __init__(self, core: Core, counter: Counter, seed: int) -> None:
        self._core = core
        self._counter = counter
        self._rng = random.Random(seed)
        self._number = 0

    async def begin(self, game: str, size: int, chat: str) -> StoredMatch:
        """A match that has just begun."""
        first, second = (PersonId(f"{PLATFORM}:{chat}:{number}") for number in (1, 2))
        match, _ = apply(challenge(GAMES[game], size, first, 0, pie=False), Accept(second), 0)
        place = Place(PLATFORM, chat)
        draft = StoredMatch(MatchId(""), 0, match, (place,), ((first, "Ana"), (second, "Бо")))
        return await self._core.store.create(draft, f"begin:{chat}")

    async def move(self, stored: StoredMatch) -> tuple[StoredMatch, float, float]:
        """The match after a random typed move, and the seconds until it was saved and until its board was there."""
        match = stored.match
        position = match.record.position
        text = position.write(self._rng.choice(position.legal_moves()))
        person = match.person_to_move or match.challenger
        self._number += 1
        update = Incoming(
            f"{stored.places[0].chat}:{stored.version}", stored.places[0], Person(person, "Ana"), text, private=True
        )
        started = time.perf_counter()
        await self._core.handle(update)
        saved = time.perf_counter() - started
        await self._counter.board_of(stored.id, stored.version + 1)
        shown = time.perf_counter() - started
        return await self._core.store.load(stored.id) or stored, saved, shown


@asynccontextmanager
async def bot_on(url: str) -> AsyncIterator[tuple[Core, Counter, ThreadRender]]:
    """A bot with a counting sender, its courier running."""
    client = connect(url)
    render = ThreadRender(Renderer())
    core = build(RedisStore(client), RedisTranscript(client), render, language="en")
    counter = Counter()
    core.senders[PLATFORM] = counter
    try:
        async with asyncio.TaskGroup() as group:
            group.create_task(core.courier.run())
            yield core, counter, render
            core.courier.close()
    finally:
        render.close()
        await client.aclose()


def _line(what: str, seconds: list[float], limit: str = "") -> None:
    median = 1000 * statistics.median(seconds)
    p99 = 1000 * statistics.quantiles(seconds, n=100)[-1]
    print(f"{what}: median {median:.1f} ms, p99 {p99:.1f} ms{limit}")


async def _alone(core: Core, counter: Counter, game: str) -> None:
    players = Players(core, counter, 1)
    stored = await players.begin(game, GAMES[game].default_size, f"alone-{game}")
    saves, boards = [], []
    for _ in range(ALONE):
        if not stored.match.live:
            stored = await players.begin(game, GAMES[game].default_size, f"alone-{game}-{stored.id}")
        stored, saved, shown = await players.move(stored)
        saves.append(saved)
        boards.append(shown)
    _line(f"one player's move, {game}: typed -> saved", saves)
    _line(f"one player's move, {game}: typed -> board handed over", boards, " (promised 15 and 60)")


async def _together(core: Core, counter: Counter) -> None:
    players = Players(core, counter, 2)
    games = [("ayu", 9), ("ayu", 11), ("volo", 7), ("ayu", 13)]
    matches = [await players.begin(*games[number % len(games)], f"many-{number}") for number in range(AT_ONCE)]
    await core.courier.drain()

    async def play(stored: StoredMatch) -> None:
        for _ in range(ROUNDS):
            if stored.match.live:
                stored, _, _ = await players.move(stored)

    lag = Lag()
    before, started = counter.boards, time.perf_counter()
    with lag.callbacks():
        await asyncio.gather(*(play(stored) for stored in matches))
    seconds = time.perf_counter() - started
    boards = counter.boards - before
    print(
        f"{AT_ONCE} matches at once: {boards} moves with their boards in {seconds:.1f} s, "
        f"{boards / seconds:.0f} a second (promised 120)"
    )
    longest, own = 1000 * lag.callback, 1000 * lag.cpu
    print(f"  the loop's longest callback {longest:.0f} ms, {own:.0f} of them its own (promised 50)")


async def _cold(render: ThreadRender) -> None:
    lag = Lag()
    async with asyncio.TaskGroup() as group:
        sleeper = group.create_task(lag.sleeper())
        await render.warm("ayu", 19, "dark")
        await render.warm("volo", 8, "patterns")
        sleeper.cancel()
    print(f"a cold size and theme: a sleeper overslept {1000 * lag.overslept:.0f} ms at most (promised 50)")


async def _many_stored(core: Core, counter: Counter) -> None:
    async def moves(chat: str) -> float:
        players = Players(core, counter, 3)
        stored = await players.begin("ayu", 9, chat)
        seconds = []
        for _ in range(40):
            stored, _, shown = await players.move(stored)
            seconds.append(shown)
        return statistics.median(seconds)

    few = await moves("few")
    waiting = asyncio.Semaphore(CREATORS)
    players = Players(core, counter, 4)

    async def create(number: int) -> None:
        async with waiting:
            stored = await players.begin("ayu", 9, f"stored-{number}")
            await core.store.mark_shown(stored.id, stored.places[0], stored.version, "0")

    started = time.perf_counter()
    for first in range(0, STORED, 1000):
        await asyncio.gather(*(create(number) for number in range(first, first + 1000)))
    seconds = time.perf_counter() - started
    await core.courier.drain()
    many = await moves("many")
    print(
        f"a move with {STORED} stored matches: {many / few:.2f} times one with a few (promised 1.3); "
        f"they were stored in {seconds:.0f} s"
    )


def _import_platforms() -> None:
    """Import the platforms' clients, as a process does that serves them all."""
    for name in ("discord", "telegram", "telegram.ext"):
        importlib.import_module(name)


def _process_kb() -> int:
    for line in Path("/proc/self/status").read_text(encoding="ascii").splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1])
    return 0


async def _measure(url: str) -> None:
    _import_platforms()
    async with bot_on(url) as (core, counter, render):
        for game in GAMES.values():
            await render.warm(game.key, game.default_size, "light")
        for size in (9, 13):
            await render.warm("ayu", size, "light")
        spare_the_collector()
        for game_name in GAMES:
            await _alone(core, counter, game_name)
        await _together(core, counter)
        await _cold(render)
        megabytes = _process_kb() / 1000
        print(
            f"the process, with discord.py and python-telegram-bot imported, has needed {megabytes:.0f} MB at most "
            f"after {counter.boards} boards (promised 200)"
        )
        await _many_stored(core, counter)


def main() -> None:
    """Print all figures."""
    print(f"machine x{slowness():.2f} (figures below are as measured here)")
    with tempfile.TemporaryDirectory(prefix="bandada-bench-") as data_dir:
        try:
            asyncio.run(_measure(ensure_server(data_dir)))
        finally:
            stop_server(data_dir)


if __name__ == "__main__":
    main()
