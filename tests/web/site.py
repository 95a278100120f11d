"""A page to test against: the real server, adapter and transcript, with a bot behind it that only echoes."""

from __future__ import annotations

import asyncio
import struct
import zlib
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Final

from aiohttp import ClientSession, ClientWebSocketResponse

from bot.adapters.http import HttpServer, is_loopback
from bot.adapters.web_adapter import PLACE, Bot, Door, WebAdapter
from bot.live_view import LiveAnswer, LiveView
from bot.messages import (
    Bold,
    Button,
    ButtonStyle,
    Code,
    Document,
    Incoming,
    Mention,
    Moment,
    Outgoing,
    Picture,
    Text,
)
from bot.ports import Choice
from bot.texts import LANGUAGES, Texts
from renderers.scene import Card, Scene
from rules.actions import PersonId
from storage.base import Line, MatchId, Place, StoreUnavailableError, Transcript

SCENE: Final = Scene("ayu", 9, (Card("Ana", "To move"), Card("Бо", "")), ("b1", "d1"), ("a2", "c2"))
COMMANDS: Final = {
    "command.challenge": "Start a match",
    "command.move": "Make a move",
    "command.moves": "What can I play?",
}
HOSTILE: Final = "<img src=x onerror=\"document.title='owned'\"> </script> 'q' {n} %s &amp; \u202e \x00"


@cache
def _texts() -> Texts:
    return Texts.load()


def words(language: str) -> Mapping[str, str]:
    """The page's own texts and three commands."""
    return {**_texts().words(language, "page."), **COMMANDS}


def flat_png(width: int, height: int, grey: int) -> bytes:
    """A PNG of one shade."""

    def chunk(name: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    rows = (b"\0" + bytes([grey]) * width) * height
    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


GIF: Final = bytes.fromhex("47494638396101000100800000f6a11affffff2c00000000010001000002024401003b")


class FlatRender:
    """The Render port with pictures of one shade; counts what it drew."""

    def __init__(self) -> None:
        self.drawn = 0
        self.last: Scene | None = None

    async def png(self, scene: Scene) -> bytes:
        """A picture of a board's size."""
        self.drawn += 1
        self.last = scene
        return flat_png(1000, 1088, 20 * (scene.size % 12))

    async def gif(self, scenes: Sequence[Scene]) -> bytes:
        """One pixel."""
        self.drawn += len(scenes)
        return GIF


class NoBoards:
    """The Live port of a room without a match; *troubles* are raised, the first by the first who asks."""

    def __init__(self) -> None:
        self.troubles: list[Exception] = []

    async def view(
        self,
        place: Place,
        person: PersonId,
        language: str,
        match: str = "",
        shown: int | None = None,
    ) -> LiveView:
        """No board."""
        del place, person, match, shown
        if self.troubles:
            raise self.troubles.pop(0)
        return LiveView(language if language in LANGUAGES else LANGUAGES[0], own=False)

    async def weigh(
        self,
        place: Place,
        person: PersonId,
        language: str,
        match: str,
        ply: int,
        text: str,
    ) -> LiveAnswer:
        """Nothing."""
        del place, person, language, match, ply, text
        return LiveAnswer("")


class NoMoves:
    """The Complete port where nobody is to move."""

    async def moves(self, incoming: Incoming, match: str = "", limit: int = 25) -> Sequence[Choice]:
        """Nothing."""
        del incoming, match, limit
        return ()

    async def matches(self, incoming: Incoming, limit: int = 25) -> Sequence[Choice]:
        """Nothing."""
        del incoming, limit
        return ()

    def sizes(self, game: str, typed: str = "") -> Sequence[int]:
        """Nothing."""
        del game, typed
        return ()


class Ticks:
    """The Clock port: every look takes a second."""

    def __init__(self) -> None:
        self.milliseconds = 1_796_000_000_000

    def now_ms(self) -> int:
        """The next second."""
        self.milliseconds += 1000
        return self.milliseconds


def board(match: str = "kfwt", only_for: PersonId | None = None, key: str = "") -> Outgoing:
    """A message with all that a message can have but a file."""
    return Outgoing(
        PLACE,
        (
            Bold("Ana"),
            Text(" played "),
            Code("b1-b2"),
            Text(". "),
            Mention(PersonId("web:2"), "Бо <b>"),
            Text(" moves before "),
            Moment(1_796_000_000, "26 Nov, 03:33 UTC"),
        ),
        picture=Picture(SCENE, "Ayu, nine by nine. Ana to move."),
        buttons=(
            (Button("Move", f"g:{match}", ButtonStyle.PRIMARY), Button("Moves", f"q:{match}")),
            (Button("Resign", f"r:{match}", ButtonStyle.DANGER),),
        ),
        match=MatchId(match),
        board=True,
        only_for=only_for,
        ping=PersonId("web:2"),
        key=key,
    )


def step(person: PersonId, text: str, match: str = "kfwt") -> Outgoing:
    """A private question about a match, with two buttons."""
    buttons = ((Button("Next", "next"), Button("Echo", "echo"), Button("Elsewhere", "elsewhere")),)
    picture = Picture(SCENE, f"{text}, a picture")
    return Outgoing(PLACE, (Text(text),), picture, buttons, match=MatchId(match), only_for=person)


@dataclass
class Echo:
    """The Handle port: answers what it was told; some texts have answers of their own (see `ANSWERS`)."""

    seen: list[Incoming] = field(default_factory=list)
    fail: Exception | None = None

    async def __call__(self, incoming: Incoming) -> Sequence[Outgoing]:
        """The answers."""
        if self.fail is not None:
            raise self.fail
        self.seen.append(incoming)
        special = ANSWERS.get(incoming.text or incoming.payload)
        if special is not None:
            return special(incoming)
        said = f"pressed {incoming.payload}" if incoming.payload else f"heard {incoming.text}"
        return [Outgoing(PLACE, (Text(said),))]


ANSWERS: Final[Mapping[str, Callable[[Incoming], Sequence[Outgoing]]]] = {
    "board": lambda _: [board()],
    "private": lambda incoming: [Outgoing(PLACE, (Text("a secret"),), only_for=incoming.person.id)],
    "secret board": lambda incoming: [board(only_for=incoming.person.id)],
    "choose": lambda incoming: [step(incoming.person.id, "first")],
    "next": lambda incoming: [step(incoming.person.id, "second")],
    "elsewhere": lambda incoming: [step(incoming.person.id, "other match", "bcdf")],
    "file": lambda _: [
        Outgoing(PLACE, (Text("the record"),), document=Document('é "x".json', b"{}", "application/json"))
    ],
    "gif": lambda _: [Outgoing(PLACE, (), document=Document("game.gif", GIF, "image/gif"))],
    "replay": lambda _: [Outgoing(PLACE, (Text("the game"),), replay=(SCENE, SCENE), match=MatchId("kfwt"))],
    "hostile": lambda _: [Outgoing(PLACE, (Text(HOSTILE), Bold(HOSTILE)), buttons=((Button(HOSTILE, HOSTILE[:60]),),))],
    "two": lambda _: [Outgoing(PLACE, (Text("one"),)), Outgoing(PLACE, (Text("two"),))],
    "silence": lambda _: [],
}


class Breakable:
    """A transcript whose server goes away when *down* is set."""

    def __init__(self, transcript: Transcript) -> None:
        self._transcript = transcript
        self.down = False
        self.appended: list[str] = []

    def _check(self) -> None:
        if self.down:
            raise StoreUnavailableError

    async def append(self, room: str, key: str, content: bytes) -> Line:
        """See `Transcript.append`."""
        self._check()
        self.appended.append(key)
        return await self._transcript.append(room, key, content)

    async def since(self, room: str, number: int, limit: int = 500) -> Sequence[Line]:
        """See `Transcript.since`."""
        self._check()
        return await self._transcript.since(room, number, limit)

    async def read(self, room: str, number: int) -> bytes | None:
        """See `Transcript.read`."""
        self._check()
        return await self._transcript.read(room, number)

    async def secret(self, name: str, candidate: str) -> str:
        """See `Transcript.secret`."""
        self._check()
        return await self._transcript.secret(name, candidate)


@dataclass
class Site:
    """What runs, and its address."""

    adapter: WebAdapter
    server: HttpServer
    handle: Echo
    render: FlatRender
    transcript: Breakable
    seats: tuple[str, str]
    boards: NoBoards

    @property
    def url(self) -> str:
        """The address without a slash at the end."""
        return f"http://127.0.0.1:{self.server.port}"

    def seat(self, number: int) -> str:
        """The link of a seat."""
        return self.url + self.seats[number - 1]


@asynccontextmanager
async def serve(transcript: Transcript, *, host: str = "127.0.0.1", port: int = 0) -> AsyncIterator[Site]:
    """A running site."""
    handle, render, breakable = Echo(), FlatRender(), Breakable(transcript)
    door = Door(is_loopback(host))
    boards = NoBoards()
    bot = Bot(handle, boards, NoMoves())
    adapter = WebAdapter(bot, breakable, render, words, Ticks(), languages=LANGUAGES, door=door)
    seats = await adapter.load()
    server = HttpServer([adapter], words, LANGUAGES, host=host, port=port)
    await server.start()
    try:
        async with asyncio.TaskGroup() as tasks:
            following = tasks.create_task(adapter.run())
            yield Site(adapter, server, handle, render, breakable, seats, boards)
            following.cancel()
    finally:
        await server.stop()


class Client:
    """A page without a browser."""

    def __init__(self, socket: ClientWebSocketResponse) -> None:
        self.socket = socket
        self.notices: list[dict[str, Any]] = []

    async def say(self, id_: str, text: str = "", **more: Any) -> None:  # noqa: ANN401 - any JSON
        """Say something as the page does."""
        await self.socket.send_json({"type": "say", "id": id_, "text": text, "name": "Ana", "language": "en", **more})

    async def until(self, kind: str, **wanted: Any) -> dict[str, Any]:  # noqa: ANN401 - any JSON
        """The next notice of that kind with these values; all on the way are kept in `notices`."""
        async with asyncio.timeout(5):
            while True:
                notice: dict[str, Any] = await self.socket.receive_json()
                self.notices.append(notice)
                if notice["type"] == kind and wanted.items() <= notice.items():
                    return notice

    async def entries(self, count: int) -> list[dict[str, Any]]:
        """The entries told so far, as soon as there are *count*."""
        while len(self.shown) < count:
            await self.until("entries")
        return self.shown

    @property
    def shown(self) -> list[dict[str, Any]]:
        """The entries told so far."""
        return [entry for notice in self.notices if notice["type"] == "entries" for entry in notice["entries"]]


@asynccontextmanager
async def open_page(session: ClientSession, site: Site, seat: int = 1, after: int = 0) -> AsyncIterator[Client]:
    """A page on *seat*, without a browser."""
    async with session.ws_connect(f"{site.seat(seat)}/socket?after={after}") as socket:
        yield Client(socket)


def text_of(entry: Mapping[str, Any]) -> str:
    """The words of an entry as a page is told it."""
    text = entry["text"]
    return text if isinstance(text, str) else "".join(span["text"] for span in text)
