"""Killed at any moment, `bandada run telegram` loses no update, plays none twice, and repeats a message at most."""

from __future__ import annotations

import signal
from collections import Counter
from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path
from typing import Final

import pytest
import pytest_asyncio

from storage.embedded import stop_server
from tests.telegram.bot import CUT_OFF
from tests.telegram.faults import refuse, slow
from tests.telegram.model import Chat, Message
from tests.telegram.people import Person
from tests.telegram.play import label_of
from tests.telegram.processes import BotProcess
from tests.telegram.server import Telegram

pytestmark = [*CUT_OFF]

TABLES: Final = 25
"""Matches of two, each in a group of its own: 50 updates in flight."""

MOVES: Final = ("b1-b2", "a2-a3")


@pytest_asyncio.fixture
async def process(telegram: Telegram, tmp_path: Path) -> AsyncIterator[BotProcess]:
    """The bot as a process, not started yet."""
    data_dir = tmp_path / "data"
    data_dir.mkdir()
    bot = BotProcess(telegram, data_dir)
    yield bot
    await bot.close()
    stop_server(data_dir)


def boards(chat: Chat) -> list[Message]:
    """What all were told of the match."""
    return [one for one in chat.messages if "#" in one.text]


def _are_sent(telegram: Telegram, photos: int) -> bool:
    return len(telegram.calls("sendPhoto")) >= photos


Table = tuple[Chat, Person, Person]


async def seated(telegram: Telegram, count: int) -> list[Table]:
    """Matches of two, each in a group of its own, all of them begun."""
    tables: list[Table] = []
    for number in range(count):
        people = telegram.person(f"Ana {number}"), telegram.person(f"Бо {number}")
        tables.append((telegram.group(f"Table {number}", *people), *people))
    for chat, ana, _ in tables:
        ana.say(chat, "/challenge ayu 9 nopie")
    for chat, _, bo in tables:
        challenge = await telegram.wait(chat, "#", seconds=60)
        bo.tap(challenge, label_of("accept", "en"))
    for chat, ana, _ in tables:
        await telegram.wait(chat, f"{ana.name} (Black) to move", seconds=60)
    await telegram.idle(seconds=60)
    return tables


async def interrupted(
    telegram: Telegram, process: BotProcess, tables: list[Table], number: signal.Signals, after: tuple[int, int]
) -> None:
    """Two moves and a question at each of the *tables*; *after* so many boards the process is ended, and started."""
    standing = len(telegram.calls("sendPhoto"))
    for chat, ana, bo in tables:
        ana.say(chat, f"/m {MOVES[0]}")
        bo.say(chat, f"/m {MOVES[1]}")
        bo.say(chat, "/moves")
    for sent in after:
        await telegram.world.bell.until(partial(_are_sent, telegram, standing + sent), 60)
        await process.end(number)
        await process.start()
    for chat, _, bo in tables:
        await telegram.wait(chat, f"{bo.name} plays {MOVES[1]}", seconds=90)
    await telegram.world.bell.until(lambda: not telegram.updates.pending, 60)
    await telegram.idle(0.5, seconds=60)


def said_again(telegram: Telegram, table: Table) -> tuple[int, int]:
    """How many boards of a table told what had been told, and how many answers came again; all is told in the end."""
    chat, ana, bo = table
    told = [one.text.splitlines() for one in boards(chat)]
    moves = [{line for line in lines if " plays " in line} for lines in told]
    assert set().union(*moves) == {f"{ana.name} plays {MOVES[0]}.", f"{bo.name} plays {MOVES[1]}."}
    assert told[-1][-2] == f"{ana.name} (Black) to move."
    # A board may tell two moves at once; it was repeated if it tells any once more.
    repeated = sum(bool(lines & set().union(*moves[:at])) for at, lines in enumerate(moves))
    whispers = [one.text for one in chat.whispers if one.sender is telegram.bot]
    return repeated, sum(count - 1 for count in Counter(whispers).values())


@pytest.mark.timeout(240)
async def test_fifty_updates_in_flight(telegram: Telegram, process: BotProcess) -> None:
    """Two moves in each of 25 groups; the process dies in the midst of them, again and again."""
    await process.start()
    tables = await seated(telegram, TABLES)
    await interrupted(telegram, process, tables, signal.SIGKILL, (1, 12))
    for table in tables:
        # What was on its way to all and what was on its way to one may both have been in flight.
        repeated, again = said_again(telegram, table)
        assert repeated <= 2, "at most one board for each time it was killed"
        assert again <= 2, "at most one answer for each time it was killed"


@pytest.mark.timeout(240)
async def test_asked_to_end_in_the_midst_of_a_rush_it_says_nothing_twice(
    telegram: Telegram, process: BotProcess
) -> None:
    await process.start()
    tables = await seated(telegram, 8)
    await interrupted(telegram, process, tables, signal.SIGTERM, (1, 5))
    assert [said_again(telegram, table) for table in tables] == [(0, 0)] * len(tables)


@pytest.mark.timeout(120)
async def test_killed_between_saving_and_sending(telegram: Telegram, process: BotProcess) -> None:
    """The move is saved, the board is on its way (and arrives): the next process says it once more at most."""
    await process.start()
    ana, bo = telegram.person("Ana"), telegram.person("Бо")
    group = telegram.group("Friends", ana, bo)
    ana.say(group, "/challenge ayu 9 nopie")
    bo.tap(await telegram.wait(group, "#", seconds=60), label_of("accept", "en"))
    await telegram.wait(group, "Ana (Black) to move", seconds=30)
    await telegram.idle(seconds=30)
    planted = telegram.plant(slow(2.0, after=True), "sendPhoto", group)
    ana.say(group, f"/m {MOVES[0]}")
    await telegram.world.bell.until(lambda: planted.hits, 20)
    await process.end()
    await process.start()
    bo.say(group, f"/m {MOVES[1]}")
    await telegram.wait(group, f"Бо plays {MOVES[1]}", seconds=60)
    await telegram.idle(0.5, seconds=30)
    lines = Counter(line for one in boards(group) for line in one.text.splitlines() if " plays " in line)
    assert lines[f"Бо plays {MOVES[1]}."] == 1
    assert 1 <= lines[f"Ana plays {MOVES[0]}."] <= 2


@pytest.mark.timeout(120)
async def test_what_a_host_sees(telegram: Telegram, process: BotProcess) -> None:
    """A clean end, one clear line where it cannot go on, and no token anywhere, even at debug level."""
    await process.start()
    await telegram.world.bell.until(lambda: len(telegram.own.commands) >= 8, 60)
    ana = telegram.person("Ana")
    ana.start()
    await telegram.wait(ana.private, seconds=30)
    assert await process.end(signal.SIGTERM) == 0
    assert not telegram.updates.pending, "what was answered is confirmed at the end"
    telegram.plant(refuse(409), "getUpdates", times=1_000)
    await process.start()
    assert await process.ended() == 1
    log = process.log.read_text(encoding="utf-8")
    assert log.splitlines()[-1].startswith("bandada: another program takes this bot's updates from Telegram")
    assert "Traceback" not in log
    assert telegram.token.partition(":")[2] not in log
