"""The values that travel through the bot: what came in, what was asked for, what goes out. No behaviour."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from bot.spans import Bold, Code, Mention, Moment, Span, Text
from renderers.scene import Scene
from rules.actions import OfferKind, PersonId
from storage.base import MatchId, Place

# What words are made of stands in a file of its own; everybody takes it from here.
__all__ = ["Bold", "Code", "Mention", "Moment", "Span", "Text"]

# ---- what comes in ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody on a platform. *name* is the display name, *username* the name people type after ``@`` (or empty)."""

    id: PersonId
    name: str
    username: str = ""
    is_bot: bool = False


@dataclass(frozen=True, slots=True)
class Incoming:
    """One update of a platform: a typed text or a pressed button.

    *id* is the same when the platform delivers the update again, and unique within the platform. *payload* is a
    button's (then *text* is empty). *mentions* are the people the text points at. *quoted* is the text of the bot's own
    message that this one replies to. *addressed* is True where everything is meant for the bot (private chats,
    mentions, replies to it, the page); *private* for a chat with the bot alone, or one whose people manage it together
    (the page); *admin* if the person may manage the chat. *language* is what the platform says the person speaks
    (``es``, ``es-419``; or empty). *anonymous* if somebody speaks as the chat or as a channel: *person* then stands for
    many. *joined* if nothing was typed, but *person* has just brought the bot into the place. *guest* where the
    bot can answer but not speak by itself: it is no member there. *lacking* are the rights that playing needs and the
    bot does not have there (words in the catalogs as ``permission.<name>``).
    """

    id: str
    place: Place
    person: Person
    text: str = ""
    payload: str = ""
    mentions: tuple[Person, ...] = ()
    quoted: str = ""
    addressed: bool = True
    private: bool = False
    admin: bool = False
    language: str = ""
    anonymous: bool = False
    joined: bool = False
    guest: bool = False
    lacking: tuple[str, ...] = ()


# ---- what is asked for -----------------------------------------------------------------------------------------------


MENU: Final = "menu"
"""The code of a link that leads to the bot and to no match."""


@dataclass(frozen=True, slots=True)
class Start:
    """A first greeting (also with the code `MENU`), or with another code the door to a match."""

    code: str = ""


ANY_LEVEL: Final = 9
"""The computer at a level that is still to be chosen."""


@dataclass(frozen=True, slots=True)
class Greet:
    """The bot has just been brought into a chat."""


@dataclass(frozen=True, slots=True)
class Challenge:
    """A new match: *opponent* a known person, *username* somebody known by name alone, both empty: anybody may accept.

    *game* empty: ask which. *computer* is the level of the computer player, `ANY_LEVEL` where it is still to be chosen,
    0 for people. *thread*: in a thread of its own, where the platform has such.
    """

    game: str = ""
    size: int | None = None
    pie: bool | None = None
    opponent: Person | None = None
    username: str = ""
    computer: int = 0
    thread: bool = False


@dataclass(frozen=True, slots=True)
class Accept:
    """Take the free seat of a challenge."""

    match: MatchId | None = None


@dataclass(frozen=True, slots=True)
class Decline:
    """Say no to a challenge."""

    match: MatchId | None = None


@dataclass(frozen=True, slots=True)
class Cancel:
    """Withdraw one's own challenge."""

    match: MatchId | None = None


@dataclass(frozen=True, slots=True)
class Move:
    """Make a move. *text* empty: begin the guided move. *ply* is the one a button was made for.

    *typed* is True where nobody said that this is a move: a text alone, which may be no move at all.
    """

    text: str
    match: MatchId | None = None
    ply: int | None = None
    confirmed: bool = False
    typed: bool = False


@dataclass(frozen=True, slots=True)
class Guide:
    """One step of the guided move: the choices made so far, as `rules.core.Step` texts."""

    match: MatchId
    ply: int
    chosen: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Moves:
    """Ask what can be played."""

    match: MatchId | None = None


@dataclass(frozen=True, slots=True)
class Pass:
    """Pass (Volo)."""

    match: MatchId | None = None
    ply: int | None = None
    confirmed: bool = False


@dataclass(frozen=True, slots=True)
class Swap:
    """Change seats instead of moving (pie rule)."""

    match: MatchId | None = None
    ply: int | None = None


@dataclass(frozen=True, slots=True)
class Resign:
    """Give the match up; *ply* is the one for which a button asked whether that is meant."""

    match: MatchId | None = None
    confirmed: bool = False
    ply: int | None = None


@dataclass(frozen=True, slots=True)
class Offer:
    """Offer a draw, ask for a takeback; or agree, if the other one has."""

    kind: OfferKind
    match: MatchId | None = None


@dataclass(frozen=True, slots=True)
class AnswerOffer:
    """Agree to the other's offer or decline it."""

    kind: OfferKind
    agree: bool
    match: MatchId | None = None


@dataclass(frozen=True, slots=True)
class Abort:
    """End a match without a result."""

    match: MatchId | None = None
    confirmed: bool = False


@dataclass(frozen=True, slots=True)
class Rematch:
    """Challenge the same opponent to the same game with the seats swapped."""

    match: MatchId | None = None


@dataclass(frozen=True, slots=True)
class ShowBoard:
    """The board of a match, now."""

    match: MatchId | None = None


@dataclass(frozen=True, slots=True)
class Replay:
    """The whole game as a moving picture."""

    match: MatchId | None = None


@dataclass(frozen=True, slots=True)
class Export:
    """The record of a match as a file."""

    match: MatchId | None = None


@dataclass(frozen=True, slots=True)
class Hint:
    """Ask the computer for a move, in a match against it."""

    match: MatchId | None = None


@dataclass(frozen=True, slots=True)
class LookBack:
    """The course of a match that is over: where it turned, and what was best there."""

    match: MatchId | None = None


@dataclass(frozen=True, slots=True)
class Games:
    """My matches, everywhere."""


@dataclass(frozen=True, slots=True)
class Next:
    """The match that waits longest for me."""


@dataclass(frozen=True, slots=True)
class Rules:
    """How a game is played; *game* empty: ask which."""

    game: str = ""


@dataclass(frozen=True, slots=True)
class Settings:
    """Show the settings, or set *key* to *value*."""

    key: str = ""
    value: str = ""
    person: Person | None = None


@dataclass(frozen=True, slots=True)
class MyData:
    """Ask for everything that is kept about the asker."""


@dataclass(frozen=True, slots=True)
class Forget:
    """Delete everything that is kept about the asker."""

    confirmed: bool = False


@dataclass(frozen=True, slots=True)
class Help:
    """Ask what the bot can do."""


@dataclass(frozen=True, slots=True)
class NotYet:
    """A command that is reserved for a later version."""

    name: str


@dataclass(frozen=True, slots=True)
class Keep:
    """The answer "no" to a question whether something shall really be done."""


@dataclass(frozen=True, slots=True)
class NotUnderstood:
    """A command or a button that does not exist; *text* is what came, shortened.

    Where only a *word* behind a known *command* is strange, both are named. A *command* without a word is one that
    there is not; *near* is then what may have been meant, as it is typed without the slash, or empty.
    """

    text: str
    button: bool = False
    command: str = ""
    word: str = ""
    near: str = ""


@dataclass(frozen=True, slots=True)
class Silence:
    """Something that is not meant for the bot: no answer, on purpose."""


MatchCommand = (
    Accept
    | Decline
    | Cancel
    | Move
    | Moves
    | Pass
    | Swap
    | Resign
    | Offer
    | AnswerOffer
    | Abort
    | Rematch
    | ShowBoard
    | Replay
    | Export
    | Hint
    | LookBack
)
"""The commands that are about one match, which may have to be found out."""

Command = (
    MatchCommand
    | Start
    | Greet
    | Challenge
    | Guide
    | Games
    | Next
    | Rules
    | Settings
    | MyData
    | Forget
    | Help
    | NotYet
    | Keep
    | NotUnderstood
    | Silence
)


# ---- what goes out ---------------------------------------------------------------------------------------------------


class ButtonStyle(StrEnum):
    """How a button stands out."""

    PRIMARY = "primary"
    SECONDARY = "secondary"
    DANGER = "danger"


@dataclass(frozen=True, slots=True)
class Button:
    """A button: what it says, and what comes back when it is pressed (at most 64 bytes of ASCII)."""

    label: str
    payload: str
    style: ButtonStyle = ButtonStyle.SECONDARY


@dataclass(frozen=True, slots=True)
class Picture:
    """What to draw, its words for those who do not see it (at most 1,000 characters), and the PNG once drawn."""

    scene: Scene
    alt: str
    png: bytes = b""


@dataclass(frozen=True, slots=True)
class Document:
    """A file to download."""

    name: str
    content: bytes
    media_type: str


@dataclass(frozen=True, slots=True)
class Outgoing:
    """One message.

    *as_file* asks for the picture without the platform's own loss. *only_for* is the one person who may see it
    (None: everybody in the place); *public* True if that is for the others' peace only: where all saw what was asked,
    and where nothing can be given to one alone, all may see the answer. *replay* are the pictures of a whole game, one
    after the other; they become the *document* when they are drawn. *ping* is the person who is notified. *match* is
    the match that the message shows, *version* which of its versions (0: none), *board* True if it is the newest board
    of the match, whose predecessor loses its buttons. *step* is True if it asks for the next step of a dialogue: the
    answer to its buttons takes its place. *door* is the challenge to which the reader, who made it, may hand out a
    link, so that somebody elsewhere can accept it. *by* is the person whose deed it tells. *key* is the same when the
    same message is sent again.

    The first *choices* of the buttons are answers to one question: a menu, where the platform has menus. *typing* is
    what comes back, beside the typed text, from a form for a move, where the platform has forms.

    *others* are the same message in the other languages, where each reader has a window of his own.
    """

    place: Place
    text: tuple[Span, ...]
    picture: Picture | None = None
    buttons: tuple[tuple[Button, ...], ...] = ()
    document: Document | None = None
    replay: tuple[Scene, ...] = ()
    as_file: bool = False
    only_for: PersonId | None = None
    public: bool = False
    ping: PersonId | None = None
    match: MatchId | None = None
    version: int = 0
    board: bool = False
    step: bool = False
    door: MatchId | None = None
    language: str = "en"
    key: str = ""
    by: PersonId | None = None
    choices: int = 0
    typing: str = ""
    others: tuple[Outgoing, ...] = ()
