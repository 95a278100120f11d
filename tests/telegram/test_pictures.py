"""Pictures: no larger than Telegram keeps, crisp after its JPEG, never in the way of an edit; and buttons that fit."""

from __future__ import annotations

import io
import math
from collections.abc import AsyncIterator
from itertools import cycle
from typing import Final

import pytest
import pytest_asyncio
from PIL import Image, ImageChops, ImageStat
from redis.asyncio import Redis

from bot.drawing import ThreadRender
from renderers.png import Renderer
from rules import GAMES
from tests.telegram.acting import press, say
from tests.telegram.bot import Bot, running_bot
from tests.telegram.model import Chat, Message
from tests.telegram.people import Person
from tests.telegram.play import begin, label
from tests.telegram.server import Telegram

KEPT_SIDE: Final = 1280
"""Telegram scales photos down to this side (tginfo/Telegram-Limits#179)."""
JPEG_QUALITY: Final = 80
"""Below what Telegram uses, which is about 87."""
SHARP_DB: Final = 32.0

BOARDS: Final = [(game.key, size) for game in GAMES.values() for size in game.sizes]


@pytest_asyncio.fixture
async def drawing_bot(telegram: Telegram, redis_client: Redis) -> AsyncIterator[Bot]:
    """The bot with its real pictures."""
    render = ThreadRender(Renderer())
    async with running_bot(telegram, redis_client, render=render) as running:
        yield running
    render.close()


def pair(telegram: Telegram) -> tuple[Person, Person]:
    """Two who play."""
    return telegram.person("Ana", username="ana"), telegram.person("Бо")


def decoded(message: Message) -> Image.Image:
    """The picture of a message."""
    assert message.file is not None
    with Image.open(io.BytesIO(message.file.data)) as image:
        return image.convert("RGB")


def as_kept(image: Image.Image) -> Image.Image:
    """The picture as Telegram shows it: as a JPEG with half the colours' resolution."""
    data = io.BytesIO()
    image.save(data, "JPEG", quality=JPEG_QUALITY, subsampling="4:2:0")
    with Image.open(data) as kept:
        return kept.convert("RGB")


def likeness(one: Image.Image, other: Image.Image) -> float:
    """Peak signal to noise ratio of the brightness, in dB."""
    difference = ImageChops.difference(one.convert("L"), other.convert("L"))
    square = ImageStat.Stat(difference).sum2[0] / (difference.width * difference.height)
    return math.inf if square == 0 else 10 * math.log10(255**2 / square)


def refusals(bot: Bot) -> list[str]:
    """What the platform did not take."""
    return [f"{call}" for call in bot.telegram.calls() if call.refused]


# ---- photos (T18) ----------------------------------------------------------------------------------------------------


async def test_every_board_fits_and_stays_crisp(drawing_bot: Bot) -> None:
    people = pair(drawing_bot.telegram)
    themes = cycle(["light", "dark", "patterns"])
    for (game, size), theme in zip(BOARDS, themes, strict=False):
        group = drawing_bot.telegram.group(f"{game} {size}", *people)
        await say(drawing_bot, people[0], group, f"/settings theme {theme}")
        match = await begin(drawing_bot, people, group, f"{game} {size}")
        image = decoded(match.board(0))
        assert max(image.size) <= KEPT_SIDE, (game, size)
        assert likeness(image, as_kept(image)) > SHARP_DB, (game, size)


async def test_as_file_nothing_is_lost(drawing_bot: Bot) -> None:
    ana, bo = pair(drawing_bot.telegram)
    group = drawing_bot.telegram.group("Friends", ana, bo)
    ana.start()
    await begin(drawing_bot, (ana, bo), group)
    (photo,) = await say(drawing_bot, ana, ana.private, "/board")
    await say(drawing_bot, ana, ana.private, "/settings file on")
    (document,) = await say(drawing_bot, ana, ana.private, "/board")
    assert photo.file is not None
    assert document.file is not None
    assert (photo.file.kind, document.file.kind, document.file.name[-4:]) == ("photo", "document", ".png")
    assert ImageChops.difference(decoded(photo), decoded(document)).getbbox() is None
    assert document.buttons == photo.buttons


# ---- a photo stays a photo (T17) -------------------------------------------------------------------------------------


@pytest.mark.parametrize("private", [True, False])
async def test_no_photo_is_turned_into_a_text(bot: Bot, private: bool) -> None:
    people = pair(bot.telegram)
    group = bot.telegram.group("Friends", *people)
    match = await begin(bot, people, group)
    player = people[await match.mover()]
    if private:
        player.start()
        await bot.settle()
    chat = player.private if private else group
    for text in ("/move", "/moves", "/settings", "/rules", "/games", "/help"):
        for message in await say(bot, player, chat, text):
            await press_on(bot, player, message)
    assert [one for one in refusals(bot) if "message is not modified" not in one] == []
    edited = [call.method for call in bot.telegram.calls() if call.method.endswith("MessageMedia")]
    assert edited, "a guided move changes its picture"


async def press_on(bot: Bot, person: Person, message: Message, times: int = 5) -> None:
    """Press a button, one on what came of it, and so on; the newest board is left alone."""
    for number in range(times):
        labels = [one["text"] for row in message.keyboard for one in row if "callback_data" in one]
        if not labels or label(bot, "move") in labels:
            return
        seen = await press(bot, person, message, labels[number % len(labels)])
        message = seen[-1] if seen else message


# ---- buttons fit at every size (T16) ---------------------------------------------------------------------------------


def data_of(messages: list[Message]) -> list[str]:
    """The data of all buttons that the messages ever had."""
    rows = [row for message in messages for keyboard in message.keyboards for row in keyboard]
    return [one["callback_data"] for row in rows for one in row if "callback_data" in one]


@pytest.mark.parametrize(("game", "size"), BOARDS)
async def test_a_guided_move_fits_at_every_size(bot: Bot, game: str, size: int) -> None:
    private = size in (19, 8)  # there the steps are messages of the chat itself
    people = pair(bot.telegram)
    group = bot.telegram.group("Friends", *people)
    match = await begin(bot, people, group, f"{game} {size}")
    chat: Chat = group
    if private:
        for person in people:
            person.start()
        await bot.settle()
        match.chats = (people[0].private, people[1].private)
        chat = match.chats[await match.mover()]
        await say(bot, people[await match.mover()], chat, "/board")
    await match.press_one()
    data = data_of([*chat.written, *chat.whispers])
    assert len(data) > size
    assert max(len(one.encode()) for one in data) <= 64
    assert refusals(bot) == []
