"""What the bot needs from the outside, as protocols; `app` hands in the concrete things."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from bot.live_view import LiveAnswer, LiveView
from bot.messages import Incoming, Outgoing
from renderers.scene import Scene
from rules.actions import PersonId
from storage.base import Place, StoreUnavailableError, Transcript

# What adapters need of storage they get here: they do not import it.
__all__ = [
    "Choice",
    "Clock",
    "Complete",
    "Draw",
    "Handle",
    "Leases",
    "Live",
    "LiveAnswer",
    "LiveView",
    "Memory",
    "Meter",
    "NoThreadError",
    "NotAllowedError",
    "Opinion",
    "Opponent",
    "Place",
    "PlaceGoneError",
    "PlaceMovedError",
    "PlatformError",
    "Question",
    "Render",
    "SendError",
    "SendLaterError",
    "Sender",
    "StoreUnavailableError",
    "Thinker",
    "ThinkingError",
    "Threads",
    "Transcript",
]


class Clock(Protocol):
    """The time."""

    def now_ms(self) -> int:
        """Milliseconds since the epoch."""


@dataclass(frozen=True, slots=True)
class Question:
    """What the computer is to think about: the position after the canonical *moves* of a game.

    *level* and *seconds* say how hard, *depth* how many plies at most, *seed* which chance. *even*: it is the first
    move, and the other may take it over by the pie rule.
    """

    game: str
    size: int
    moves: tuple[str, ...]
    level: int
    seconds: float
    seed: int = 0
    depth: int = 40
    even: bool = False


@dataclass(frozen=True, slots=True)
class Opinion:
    """What the computer thinks: the *move*, the mover's *chance* to win with it (0 to 1), and why.

    *end* is after how many plies the game is surely won (positive) or lost (negative), None while that is open; *depth*
    how many plies it looked ahead. *kind*, *own*, *theirs*, *count* and *threat* are as in `computer.reasons.Grounds`.
    """

    move: str
    chance: float
    end: int | None
    depth: int
    kind: str
    own: int
    theirs: int
    count: int = 0
    threat: str = ""


class ThinkingError(Exception):
    """The computer cannot think now: the host's or our fault; it is logged."""


class Thinker(Protocol):
    """Thinks without holding up the event loop; a task that is cancelled stops thinking."""

    async def think(self, question: Question) -> Opinion:
        """What the computer would play.

        :raises ThinkingError: if it cannot think.
        """


class Opponent(Protocol):
    """The computer player as its adapter sees it. Matches are named by their ids."""

    async def waiting(self) -> Sequence[str]:
        """All matches in which the computer is to do something.

        :raises StoreUnavailableError: if they cannot be looked up.
        """

    async def answer(self, match: str) -> Incoming | None:
        """What the computer does now in *match*, None for nothing; if another process thinks about it, after that.

        :raises StoreUnavailableError: if the match cannot be loaded.
        """

    async def leave(self, match: str) -> None:
        """What `answer` said is done; another process may think about the match."""


class Render(Protocol):
    """Draws without holding up the event loop."""

    async def png(self, scene: Scene) -> bytes:
        """The scene as a PNG, 1000 px wide."""

    async def gif(self, scenes: Sequence[Scene]) -> bytes:
        """The scenes one after the other as a GIF."""


class Draw(Protocol):
    """Draws what a message shows."""

    async def __call__(self, outgoing: Outgoing) -> Outgoing:
        """*outgoing* with its picture and its replay drawn; without them, if they cannot be."""


class Meter(Protocol):
    """Counts for the host; whoever tells it something does nothing else for it."""

    def handled(self, outcome: str) -> None:
        """An update was handled; *outcome* says how: ``done``, ``refused``, ``answered``, ``silent``, ``broken``."""

    def saved(self) -> None:
        """A change of a match was saved."""

    def conflicted(self) -> None:
        """A save came too late."""

    def not_saved(self) -> None:
        """The database did not take a save."""

    def looked(self, places: int) -> None:
        """Somebody looked what is to be sent, and so many *places* wait."""

    def sending(self, message: object) -> None:
        """A message, known by *message*, is under way from now on."""

    def sent(self, message: object, platform: str, outcome: str, *, again: bool) -> None:
        """It is no more: ``sent``, ``later``, ``gone`` or ``failed``; *again* if it had failed before."""

    def rendered(self, kind: str, seconds: float) -> None:
        """A picture (*kind* ``png`` or ``gif``) took so long."""

    def lagged(self, seconds: float) -> None:
        """The event loop was so late."""

    def logged(self, level: str) -> None:
        """A line of this level was logged."""


class Handle(Protocol):
    """The pipeline as an adapter sees it."""

    async def __call__(self, incoming: Incoming) -> Sequence[Outgoing]:
        """The direct answers to *incoming*, to be sent in order; what was saved is spoken by the courier.

        Pictures and replays in them are not drawn yet, so that a platform can be told at once that its update was
        taken.

        When this returns, the command is saved (or refused): the update may be confirmed. Raises StoreUnavailableError
        if it could not be saved, and nothing else.
        """


@dataclass(frozen=True, slots=True)
class Choice:
    """Something that may still be typed: how it is shown, and what is typed if it is chosen."""

    label: str
    value: str


class Complete(Protocol):
    """What people may still type, while they type it. Nothing is saved.

    The text of *incoming* is what was typed so far; its place and person say whose matches count. Every method that
    waits may raise StoreUnavailableError.
    """

    async def moves(self, incoming: Incoming, match: str = "", limit: int = 25) -> Sequence[Choice]:
        """The legal moves that the text may become, at most *limit*.

        First the one that it is, leniently read; then those that begin so; then those that hold it; each in cell order.
        They are those of the match with the id *match*, or of the one that the move would go to. Where that would be
        asked, each value names its match. None if it is not the person's turn.
        """

    async def matches(self, incoming: Incoming, limit: int = 25) -> Sequence[Choice]:
        """The person's own matches whose id begins with the text or whose label holds it; the live ones first."""

    def sizes(self, game: str, typed: str = "") -> Sequence[int]:
        """The sizes that begin with *typed*, ascending, of the *game* (a key or an alias; empty: of all games)."""


class Live(Protocol):
    """Boards to tap. Both methods may raise StoreUnavailableError, and nothing else that is expected."""

    async def view(
        self, place: Place, person: PersonId, language: str, match: str = "", shown: int | None = None
    ) -> LiveView:
        """What *person* sees in *place*; see `bot.live.LiveBoards.view`."""

    async def weigh(self, place: Place, person: PersonId, language: str, match: str, ply: int, text: str) -> LiveAnswer:
        """Why a tap is no move, or what is still to be chosen; see `bot.live.LiveBoards.weigh`."""


class Leases(Protocol):
    """Keeps what only one process may do at a time. Every method may raise StoreUnavailableError."""

    async def lease(self, place: Place, holder: str, milliseconds: int) -> bool:
        """True if *holder* now has *place* for itself for that long (also if it had it already)."""

    async def release(self, place: Place, holder: str) -> None:
        """Give *place* back, if *holder* still has it."""


class Memory(Leases, Protocol):
    """What adapters must know across restarts, and share with the other processes of the same bot.

    Every method may raise StoreUnavailableError.
    """

    async def answered(self, key: str) -> bool:
        """True if the direct answer *key* (`Outgoing.key`) is known to have been sent within the last 48 hours."""

    async def mark_answered(self, key: str) -> None:
        """Keep that the direct answer *key* has been sent."""

    async def move_chat(self, old: Place, new: Place) -> None:
        """The chat *old*, which has no topics, goes on as *new*: its matches and its settings are there from now on."""


class PlatformError(Exception):
    """The platform does not let this process run: the host's to mend. The message is one line and holds no secret."""


class NoThreadError(Exception):
    """No thread can be opened there: a right is missing, or there are no threads. Whoever manages it can mend it."""


class Threads(Protocol):
    """A platform whose chats have threads."""

    async def open(self, place: Place, title: str) -> Place:
        """A new thread in *place*; *place* itself, if that is one.

        :raises NoThreadError: if there can be none.
        """


class Calm(Protocol):
    """What is not urgent waits for it."""

    async def __call__(self, seconds: float) -> None:
        """Return when no update is being handled, or after so many *seconds*."""


class SendError(Exception):
    """Base of what a sender raises."""


class SendLaterError(SendError):
    """The platform asks to wait: nobody's fault."""

    def __init__(self, seconds: float) -> None:
        super().__init__(f"wait {seconds:g} s")
        self.seconds = seconds


class NotAllowedError(SendLaterError):
    """The bot may not post in this chat, and whoever manages it can mend that.

    It is tried again after that time, or once somebody acts there: then the bot was let in again.
    """


class PlaceGoneError(SendError):
    """The chat does not exist any more, or the bot was put out of it."""


class PlaceMovedError(SendError):
    """The chat goes on as the one of *place*: nobody's fault. Nothing was sent."""

    def __init__(self, place: Place) -> None:
        super().__init__("the chat has moved")
        self.place = place


class Sender(Protocol):
    """One platform's way of sending."""

    async def send(self, outgoing: Outgoing) -> str:
        """The platform's id of the message that was sent.

        :raises SendLaterError: if it must be tried later; as NotAllowedError, if people can mend it.
        :raises PlaceGoneError: if it can never be sent.
        :raises PlaceMovedError: if it is to be sent to another place.
        """

    async def retire(self, place: Place, message: str) -> None:
        """Take the buttons off an earlier message; a message that is gone is no error."""
