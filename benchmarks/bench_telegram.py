"""Telegram through the real client: from an update to its photo, and 200 private chats that move at once.

The bot is a process of its own on one core, with all its limits on sending lifted; the platform is a small Bot API on
the loopback interface in this process. The server of the games is a third process, with `appendfsync always`.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import random
import re
import statistics
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from itertools import count
from multiprocessing.context import SpawnProcess
from pathlib import Path
from typing import Any, Final

from aiohttp import web

from benchmarks.machine import slowness
from bot.adapters.telegram_adapter import NO_LIMITS, PLATFORM
from bot.app import opened, serve
from bot.config import load
from bot.core import build_telegram
from bot.logs import start_logging
from rules import GAMES
from rules.actions import Accept, PersonId
from rules.match import apply, challenge
from storage.base import MatchId, Place, StoredMatch
from storage.connect import connect
from storage.embedded import ensure_server, stop_server
from storage.redis_store import RedisStore

TOKEN: Final = "7000000001:AAE-a-token-for-measuring-and-nothing"
GAME: Final = ("ayu", 9)
ALONE: Final = 100  # moves of one chat
CHATS: Final = 200  # private chats at the same time
ROUNDS: Final = 6  # moves in each
WAIT_SECONDS: Final = 120.0
_CAPTION: Final = re.compile(rb'name="(\w+)"\r\n\r\n(.*?)\r\n--', re.DOTALL)


@dataclass(slots=True)
class Chat:
    """A private chat, the moves that are typed in it, and how many boards have come."""

    id: int
    moves: list[str]
    boards: int = 0
    typed: float = 0.0
    waits: list[float] = field(default_factory=list)
    wrong: int = 0
    done: asyncio.Event = field(default_factory=asyncio.Event)


class Platform:
    """As much of the Bot API as a move needs; each board that comes brings the next move of its chat."""

    def __init__(self) -> None:
        self.chats: dict[int, Chat] = {}
        self.calls = 0
        self.ready = asyncio.Event()
        self._updates: list[dict[str, Any]] = []
        self._news = asyncio.Event()
        self._ids = count(1000)
        self._messages = count(1)

    def type(self, chat: Chat) -> None:
        """Type the next move of the chat, if there is one."""
        if chat.boards == len(chat.moves):
            chat.done.set()
            return
        number = next(self._ids)
        person = {"id": chat.id + chat.boards % 2 * 1_000_000, "is_bot": False, "first_name": "Ana"}
        message = {
            "message_id": next(self._messages),
            "date": 1_800_000_000,
            "chat": {"id": chat.id, "type": "private", "first_name": "Ana"},
            "from": person,
            "text": chat.moves[chat.boards],
        }
        chat.typed = time.perf_counter()
        self._updates.append({"update_id": number, "message": message})
        self._news.set()

    async def answer(self, request: web.Request) -> web.Response:
        """Answer a call."""
        method = request.match_info["method"]
        body = await request.read()
        self.calls += method != "getUpdates"
        return web.json_response({"ok": True, "result": await self._result(method, body)})

    async def _result(self, method: str, body: bytes) -> object:
        match method:
            case "getMe":
                return {"id": 7000000001, "is_bot": True, "first_name": "Bandada", "username": "bench_bot"}
            case "getUpdates":
                return await self._poll(int((re.search(rb"offset=(\d+)", body) or [b"", b"0"])[1]))
            case "sendPhoto":
                return self._photo(dict(_CAPTION.findall(body)))
            case _:
                return True

    async def _poll(self, offset: int) -> list[dict[str, Any]]:
        self.ready.set()
        self._updates = [update for update in self._updates if update["update_id"] >= offset]
        while not self._updates:
            self._news.clear()
            await self._news.wait()
        return self._updates[:100]

    def _photo(self, fields: dict[bytes, bytes]) -> dict[str, object]:
        chat = self.chats[int(fields[b"chat_id"])]
        now = time.perf_counter()
        if chat.boards < len(chat.moves):
            chat.waits.append(now - chat.typed)
            chat.wrong += chat.moves[chat.boards].encode() not in fields[b"caption"]
        chat.boards += 1
        self.type(chat)
        return {
            "message_id": next(self._messages),
            "date": 1_800_000_000,
            "chat": {"id": chat.id, "type": "private", "first_name": "Ana"},
            "caption": fields[b"caption"].decode(),
            "photo": [{"file_id": "A", "file_unique_id": "u", "width": 1000, "height": 1000}],
        }


def run_bot(url: str, data_dir: Path) -> None:
    """The bot, on one core, until SIGTERM."""
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    start_logging("WARNING", "console")
    config = replace(
        load({"TELEGRAM_TOKEN": TOKEN, "TELEGRAM_API_URL": url, "BANDADA_DATA_DIR": str(data_dir)}),
        telegram_sends_per_second=1e6,
    )

    async def run() -> None:
        async with opened(config) as core:
            await serve(core, {PLATFORM: build_telegram(config, core, NO_LIMITS)}, None, lambda: None)

    asyncio.run(run())


async def _begin(store: RedisStore, number: int, plies: int) -> tuple[StoredMatch, Chat]:
    """A match that has just begun in a private chat, and random moves for it."""
    chat, game = 10_000 + number, GAMES[GAME[0]]
    people = PersonId(f"{PLATFORM}:{chat}"), PersonId(f"{PLATFORM}:{chat + 1_000_000}")
    match, _ = apply(challenge(game, GAME[1], people[0], 0, pie=False), Accept(people[1]), 0)
    draft = StoredMatch(MatchId(""), 0, match, (Place(PLATFORM, str(chat)),), ((people[0], "Ana"), (people[1], "Бо")))
    stored = await store.create(draft, f"begin:{chat}")
    await store.mark_shown(stored.id, stored.places[0], stored.version, "1")
    rng, position = random.Random(number), match.record.position
    moves: list[str] = []
    while len(moves) < plies and (legal := position.legal_moves()):
        moves.append(position.write(move := rng.choice(legal)))
        position = position.play(move)
    return stored, Chat(chat, moves)


def _processor_seconds(process: int | None) -> float:
    """The time for which the process has had a core."""
    fields = Path(f"/proc/{process}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@asynccontextmanager
async def _platform() -> AsyncIterator[tuple[Platform, str]]:
    platform = Platform()
    application = web.Application(client_max_size=10_000_000)
    application.router.add_post("/bot{token}/{method}", platform.answer)
    runner = web.AppRunner(application, access_log=None, shutdown_timeout=0.1)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    try:
        yield platform, f"http://127.0.0.1:{runner.addresses[0][1]}"
    finally:
        await runner.cleanup()


async def _play(platform: Platform, chats: list[Chat]) -> float:
    """The seconds until all moves of all chats are on boards."""
    platform.chats = {chat.id: chat for chat in chats}
    started = time.perf_counter()
    for chat in chats:
        platform.type(chat)
    async with asyncio.timeout(WAIT_SECONDS):
        await asyncio.gather(*(chat.done.wait() for chat in chats))
    return time.perf_counter() - started


async def _measure(data_dir: Path) -> None:
    client = connect(ensure_server(data_dir))
    store = RedisStore(client)
    matches = [await _begin(store, number, ALONE if number == 0 else ROUNDS) for number in range(CHATS + 1)]
    context = multiprocessing.get_context("spawn")
    async with _platform() as (platform, url):
        bot: SpawnProcess = context.Process(target=run_bot, args=(url, data_dir))
        bot.start()
        try:
            async with asyncio.timeout(WAIT_SECONDS):
                await platform.ready.wait()
            await asyncio.sleep(3)  # the pictures' backgrounds are drawn
            alone, *others = (chat for _, chat in matches)
            await _play(platform, [alone])
            median, p95 = statistics.median(alone.waits), statistics.quantiles(alone.waits, n=20)[-1]
            print(
                f"update -> photo, one chat, {len(alone.waits)} moves: median {1000 * median:.0f} ms, "
                f"p95 {1000 * p95:.0f} ms (promised 60)"
            )
            before = _processor_seconds(bot.pid)
            seconds = await _play(platform, others)
            used = _processor_seconds(bot.pid) - before
            boards = sum(len(chat.moves) for chat in others)
            came, wrong = sum(chat.boards for chat in others), sum(chat.wrong for chat in others)
            print(
                f"{CHATS} private chats at once, {ROUNDS} moves each: {boards / seconds:.0f} boards a second "
                f"(promised 60); {came} boards for {boards} moves, {wrong} out of order"
            )
            # What others on the machine take away does not count here.
            print(
                f"the bot's core alone: {boards / used:.0f} boards a second of its time, "
                f"{slowness() * boards / used:.0f} at the reference machine's speed"
            )
        finally:
            bot.terminate()
            bot.join(20)
    await client.aclose()


def main() -> None:
    """Print all figures."""
    print(f"machine x{slowness():.2f} (figures below are as measured here)")
    with tempfile.TemporaryDirectory(prefix="bandada-bench-") as data_dir:
        try:
            asyncio.run(_measure(Path(data_dir)))
        finally:
            stop_server(data_dir)


if __name__ == "__main__":
    main()
