"""A chat without a platform: the real core over the real server; people type and press, all that is said is kept."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from redis.asyncio import Redis

from bot.core import Core, build
from bot.messages import Bold, Code, Incoming, Mention, Moment, Outgoing, Person, Span, Text
from bot.ports import Render, Thinker
from renderers.scene import Scene
from rules.actions import PersonId
from storage.base import Place
from storage.redis_store import RedisStore
from storage.transcript import RedisTranscript

PLATFORM = "test"
_LATIN = str.maketrans("абвгдезиклмнопрстуфя", "abvgdeziklmnoprstufa")
START_MS = 1_767_225_600_000  # 2026-01-01 00:00 UTC


class SetClock:
    """A clock that stands still until it is moved."""

    def __init__(self, now_ms: int = START_MS) -> None:
        self.ms = now_ms

    def now_ms(self) -> int:
        return self.ms

    def forward(self, *, hours: float = 0, seconds: float = 0) -> None:
        self.ms += round(hours * 3_600_000 + seconds * 1000)


class NoRender:
    """A Render port for tests in which nobody looks at the pictures."""

    async def png(self, scene: Scene) -> bytes:
        return scene.game.encode()

    async def gif(self, scenes: Sequence[Scene]) -> bytes:
        return f"{len(scenes)} frames".encode()


@dataclass(slots=True)
class Inbox:
    """The sender of the test platform: keeps what it was given."""

    sent: list[Outgoing] = field(default_factory=list)
    retired: list[str] = field(default_factory=list)

    async def send(self, outgoing: Outgoing) -> str:
        self.sent.append(outgoing)
        return str(len(self.sent))

    async def retire(self, place: Place, message: str) -> None:
        del place
        self.retired.append(message)


class World:
    """One bot, one clock, and the people who talk to it."""

    def __init__(
        self,
        client: Redis,
        render: Render | None = None,
        *,
        language: str = "en",
        seed: int = 7,
        thinker: Thinker | None = None,
    ) -> None:
        self.clock = SetClock()
        self.store = RedisStore(client, rng=random.Random(seed))
        self.core: Core = build(
            self.store,
            RedisTranscript(client),
            render or NoRender(),
            language=language,
            clock=self.clock,
            thinker=thinker,
        )
        self.inbox = Inbox()
        self.core.senders[PLATFORM] = self.inbox
        self.place = Place(PLATFORM, "room")
        self.language = ""
        self._number = 0
        self._seen = 0

    def person(self, name: str) -> Person:
        """Somebody called *name*; his user name is made of Latin letters, as on all platforms."""
        known = name.casefold()
        return Person(PersonId(f"{PLATFORM}:{known}"), name, username=known.translate(_LATIN))

    def incoming(self, name: str, text: str = "", payload: str = "", **more: object) -> Incoming:
        """The next update by *name*."""
        self._number += 1
        made = Incoming(
            id=str(self._number),
            place=self.place,
            person=self.person(name),
            text=text,
            payload=payload,
            language=self.language,
            private=True,
        )
        return replace(made, **more)  # type: ignore[arg-type]  # a test may set any field

    async def handle(self, incoming: Incoming) -> list[Outgoing]:
        """Everything that is said because of *incoming*: the private answers first."""
        answers = list(await self.core.handle(incoming))
        return answers + await self.delivered()

    async def delivered(self) -> list[Outgoing]:
        """What the courier has said since the last time."""
        await self.core.courier.drain()
        new = self.inbox.sent[self._seen :]
        self._seen = len(self.inbox.sent)
        return new

    async def say(self, name: str, text: str, **more: object) -> list[Outgoing]:
        """*name* types *text*."""
        return await self.handle(self.incoming(name, text, "", **more))

    async def press(self, name: str, payload: str, **more: object) -> list[Outgoing]:
        """*name* presses a button."""
        return await self.handle(self.incoming(name, "", payload, **more))


def written(spans: Sequence[Span]) -> str:
    """The spans as one line of a conversation."""
    return "".join(_written(span) for span in spans)


def _written(span: Span) -> str:
    match span:
        case Text():
            return span.text
        case Bold():
            return f"**{span.text}**"
        case Code():
            return f"`{span.text}`"
        case Mention():
            return f"@{span.name}"
        case Moment():
            return span.text


def transcript(outgoing: Outgoing) -> list[str]:
    """A message as lines: whom it is for, the words, the picture's words, the buttons."""
    to = "all" if outgoing.only_for is None else str(outgoing.only_for).partition(":")[2]
    lines = [f"  -> {to}:" + (f" (pings {str(outgoing.ping).partition(':')[2]})" if outgoing.ping else "")]
    lines += [f"     {line or '·'}" for line in written(outgoing.text).split("\n")]
    if outgoing.picture is not None:
        marks = outgoing.picture.scene
        extra = f" dots {' '.join(marks.dots[:6])}{' …' if len(marks.dots) > 6 else ''}" if marks.dots else ""
        extra += f" barred {' '.join(marks.barred[:6])}{' …' if len(marks.barred) > 6 else ''}" if marks.barred else ""
        extra += f" selected {' '.join(marks.selected)}" if marks.selected else ""
        extra += f" {len(marks.regions)} regions" if marks.regions else ""
        lines.append(f"     (picture{extra}: {outgoing.picture.alt})")
    if outgoing.replay:
        lines.append(f"     (replay of {len(outgoing.replay)} pictures)")
    if outgoing.document is not None:
        lines.append(f"     (file {outgoing.document.name})")
    lines += [f"     {' '.join(f'[{button.label}]' for button in row)}" for row in outgoing.buttons]
    return lines
