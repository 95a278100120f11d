"""What travels between the loopback platform and the bots: the platform's own forms, as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from bot.messages import Bold, Code, Mention, Moment, Span, Text
from renderers.scene import Scene

PLATFORM: Final = "loop"
SPEED: Final = 10
"""The bots' clock runs this many times as fast, so that what is tried again after 30 s comes after 3 s."""


@dataclass(frozen=True, slots=True)
class Update:
    """Something that a person did in a chat; *id* is the same however often it is delivered."""

    id: str
    chat: str
    person: str
    name: str
    text: str = ""
    payload: str = ""
    quoted: str = ""
    language: str = "en"


@dataclass(frozen=True, slots=True)
class Board:
    """What a picture shows: the cells of both sides."""

    game: str
    size: int
    first: frozenset[str]
    second: frozenset[str]


@dataclass(frozen=True, slots=True)
class Sent:
    """A message as a bot sends it. *bot* is the process; *buttons* are payloads; *text* is marked up by `marked`."""

    bot: str
    key: str
    chat: str
    text: str
    language: str
    buttons: tuple[str, ...] = ()
    picture: Board | None = None
    match: str = ""
    board: bool = False
    only_for: str = ""
    ping: str = ""


def board_of(scene: Scene) -> Board:
    """The scene as this platform shows it."""
    return Board(scene.game, scene.size, frozenset(scene.first), frozenset(scene.second))


def marked(spans: Sequence[Span]) -> str:
    """The spans in this platform's markup: a mention holds the person's id, a move stands in backticks."""
    return "".join(_marked(span) for span in spans)


def _marked(span: Span) -> str:
    match span:
        case Text() | Moment():
            return span.text
        case Bold():
            return f"**{span.text}**"
        case Code():
            return f"`{span.text}`"
        case Mention():
            return f"<@{span.person}>"
