"""`bandada play` as a process while its database is away or full.

People are told, nothing is answered that is not saved, it goes on by itself, and the host reads one line.
"""

from __future__ import annotations

import asyncio
import signal
import subprocess
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from aiohttp import ClientSession

from rules.actions import PersonId
from storage.connect import connect
from storage.embedded import ensure_server, find_binary
from storage.redis_store import RedisStore
from storage.transcript import RedisTranscript
from tests.bot.commands import SECONDS, start
from tests.storage.servers import kill_server, own_server
from tests.web.site import Client, text_of


class Playing:
    """A running `bandada play`, its two seats, and (when it has ended) the lines of its log without the time."""

    def __init__(self, process: subprocess.Popen[str], seats: tuple[str, str], session: ClientSession) -> None:
        self.process = process
        self.seats = seats
        self.session = session
        self.log: list[str] = []

    @asynccontextmanager
    async def page(self, seat: int) -> AsyncIterator[Client]:
        """A page on the seat that has seen all there is."""
        async with self.session.ws_connect(f"{self.seats[seat - 1]}/socket") as socket:
            client = Client(socket)
            await client.until("entries", history=True)
            yield client

    async def health(self) -> tuple[int, str]:
        """What /healthz answers."""
        async with self.session.get(f"{self.seats[0].partition('/seat/')[0]}/healthz") as answer:
            return answer.status, (await answer.text()).strip()


@asynccontextmanager
async def playing(folder: Path, **environment: str) -> AsyncIterator[Playing]:
    with start("play", "--no-open", "--port", "0", "--data-dir", str(folder), **environment) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        try:
            lines = [await asyncio.to_thread(process.stdout.readline) for _ in range(3)]
            first, second = (line.split()[-1] for line in lines[:2])
            async with ClientSession() as session:
                game = Playing(process, (first, second), session)
                yield game
            process.send_signal(signal.SIGTERM)
            assert await asyncio.to_thread(process.wait, SECONDS) == 0
            game.log = [line.split(" ", 1)[1].strip() for line in process.stderr]
        finally:
            process.kill()


async def told(page: Client, fits: Callable[[dict[str, Any]], bool]) -> None:
    """Return when the page was told something that *fits*, however long it takes."""
    async with asyncio.timeout(SECONDS):
        while not any(map(fits, page.notices)):
            page.notices.append(await page.socket.receive_json())


async def waited(page: Client, id_: str, kind: str) -> None:
    """Return when the page was told that about what it said."""
    await told(page, lambda notice: notice["type"] == kind and notice.get("id") == id_)


async def until_store(page: Client, *, up: bool) -> None:
    """Return when the page was told that the database is there, or is not."""
    await told(page, lambda notice: notice == {"type": "store", "up": up})


def _about(id_: str) -> Callable[[dict[str, Any]], bool]:
    return lambda notice: notice.get("id") == id_


def has_move(page: Client) -> bool:
    """True if somebody can read of the move."""
    return any("b1-b2" in text_of(entry) for entry in page.shown if "text" in entry)


async def test_a_server_that_is_stopped_and_started_again(tmp_path: Path) -> None:
    data_dir = tmp_path / "redis"
    with own_server(data_dir) as url:
        async with playing(tmp_path / "games", REDIS_URL=url) as game, game.page(1) as ana, game.page(2) as bo:
            await ana.say("1", "/challenge ayu 9 nopie")
            await waited(ana, "1", "ack")
            await bo.say("1", "/accept")
            await waited(bo, "1", "ack")
            assert await game.health() == (200, "ok")

            await asyncio.to_thread(kill_server, data_dir)
            await ana.say("2", "b1b2")
            await ana.say("3", "/help")
            await waited(ana, "2", "waiting")
            await until_store(bo, up=False)
            assert await game.health() == (503, "nothing can be saved: the database does not answer or refuses")
            assert not any(notice["type"] == "ack" and notice["id"] in "23" for notice in ana.notices)
            assert not has_move(ana)
            assert not has_move(bo)

            await asyncio.to_thread(ensure_server, data_dir)
            await waited(ana, "2", "ack")
            await waited(ana, "3", "ack")
            await until_store(bo, up=True)
            async with asyncio.timeout(SECONDS):
                while (await game.health())[0] != 200:  # noqa: ASYNC110 - health is asked for
                    await asyncio.sleep(0.1)
            await told(bo, lambda _: has_move(bo))
        client = connect(url)
        store = RedisStore(client)
        (match,) = [await store.load(match) for match in await store.matches_of(PersonId("web:1"))]
        await client.aclose()
    assert match is not None
    assert match.match.tokens == ("b1-b2",)
    log = game.log
    assert len(log) == len(set(log)), "nothing is written twice"
    assert not any("Traceback" in line for line in log)
    assert len(log) < 10


async def test_a_full_disk(tmp_path: Path) -> None:
    """The server may write no file longer than some kilobytes; the errors are those of a full disk."""
    full, program, data_dir = tmp_path / "full", tmp_path / "server", tmp_path / "games"
    limited = f"#!/bin/sh\ntrap '' XFSZ\nif test -e '{full}'; then ulimit -f 120; fi\nexec {find_binary()} \"$@\"\n"
    program.write_text(limited)
    program.chmod(0o755)
    full.touch()
    acknowledged: list[str] = []
    async with playing(data_dir, REDIS_SERVER_BIN=str(program)) as game, game.page(1) as ana:
        number = 0
        while not any(notice["type"] == "waiting" for notice in ana.notices):
            await ana.say(str(number), f"text {number} " + "x" * 2000)
            await told(ana, _about(str(number)))
            number += 1
        acknowledged = [notice["id"] for notice in ana.notices if notice["type"] == "ack"]
        assert 0 < len(acknowledged) < number
        full.unlink()
        await waited(ana, str(number - 1), "ack")
        async with asyncio.timeout(SECONDS):
            while (await game.health())[0] != 200:  # noqa: ASYNC110 - health is asked for
                await asyncio.sleep(0.1)
    log = game.log
    errors = [line for line in log if line.startswith("ERROR")]
    assert len(errors) == 1, errors
    assert errors[0].startswith(f"ERROR bot.app: the disk of {data_dir} is full (")
    assert len(log) < 10
    with own_server(data_dir) as url:
        client = connect(url)
        kept = b" ".join(line.content for line in await RedisTranscript(client).since("main", 0, 10_000))
        await client.aclose()
    assert [id_ for id_ in acknowledged if f"text {id_} ".encode() not in kept] == []
