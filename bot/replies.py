"""What the service answers, as values: facts without words. `bot.present` says them."""

from __future__ import annotations

from dataclasses import dataclass

from bot.messages import Challenge, Command, MatchCommand
from bot.ports import Opinion
from rules.actions import Fault, PersonId
from rules.core import Refusal, StepKind
from storage.base import ChatSettings, MatchId, Profile, StoredMatch


@dataclass(frozen=True, slots=True)
class Done:
    """Saved; the courier tells everybody. *repeated* if this very command had been saved before."""

    stored: StoredMatch
    repeated: bool = False


@dataclass(frozen=True, slots=True)
class Board:
    """The board as it is now, for the asker alone."""

    stored: StoredMatch


@dataclass(frozen=True, slots=True)
class PlayableMoves:
    """What the asker can play; *moves* in canonical writing."""

    stored: StoredMatch
    moves: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Option:
    """One choice of a guided move: *text* as `rules.core.Step` says it (or ``b*``: everything that begins with b).

    *command* is what pressing it means.
    """

    text: str
    command: Command


@dataclass(frozen=True, slots=True)
class GuideStep:
    """The next step of a guided move. *chosen* are the steps made so far; *back* leads one step back."""

    stored: StoredMatch
    kind: StepKind
    options: tuple[Option, ...]
    chosen: tuple[str, ...] = ()
    candidates: tuple[str, ...] = ()
    back: Command | None = None


@dataclass(frozen=True, slots=True)
class Confirm:
    """The question whether that shall really be done; *command* does it."""

    stored: StoredMatch
    command: MatchCommand


@dataclass(frozen=True, slots=True)
class WhichMatch:
    """The command fits several matches; *choices* are the commands that name one each."""

    choices: tuple[tuple[StoredMatch, MatchCommand], ...]


@dataclass(frozen=True, slots=True)
class WhichGame:
    """A challenge without a game; *first_time* if the asker has not played yet."""

    challenge: Challenge
    first_time: bool


@dataclass(frozen=True, slots=True)
class WhichRules:
    """The rules were asked for without saying of which game."""


@dataclass(frozen=True, slots=True)
class RulesPage:
    """How *game* is played."""

    game: str


@dataclass(frozen=True, slots=True)
class GamesList:
    """The asker's live matches: first those that wait for him, then those that changed last; *more* are not listed."""

    matches: tuple[StoredMatch, ...]
    more: int = 0


@dataclass(frozen=True, slots=True)
class Refused:
    """The text is no move here. *tried* is what was typed."""

    stored: StoredMatch
    refusal: Refusal
    tried: str


@dataclass(frozen=True, slots=True)
class Faulty:
    """The match does not allow that now."""

    fault: Fault
    stored: StoredMatch | None = None


@dataclass(frozen=True, slots=True)
class BadSize:
    """The game is not offered on a board of that size."""

    game: str
    size: int


@dataclass(frozen=True, slots=True)
class Notice:
    """A sentence without more to it; *key* without the prefix ``notice.``, *params* for its placeholders."""

    key: str
    params: tuple[tuple[str, str | int], ...] = ()


def unknown_command(command: str, near: str) -> Notice:
    """The sentence that there is no such *command*; *near* is one that may have been meant, or empty."""
    if not near:
        return Notice("unknown-command", (("command", f"/{command}"),))
    return Notice("unknown-command-near", (("command", f"/{command}"), ("near", f"/{near}")))


def unknown_word(command: str, word: str) -> Notice:
    """The sentence that *command* has no use for *word*."""
    return Notice("unknown-word", (("command", f"/{command}"), ("word", word)))


@dataclass(frozen=True, slots=True)
class SettingsPage:
    """What is chosen here; *changed* if something was just set. *chat_too* if the asker may set the chat's language."""

    chat: ChatSettings
    profile: Profile
    changed: bool
    chat_too: bool


@dataclass(frozen=True, slots=True)
class MyDataFile:
    """Everything that is kept about *person*, who is also known as *known_as* (a user name) if somebody invited him.

    *matches* are all that name him, in whatever part, but *damaged*, which cannot be read.
    """

    person: PersonId
    known_as: PersonId | None
    profile: Profile
    matches: tuple[StoredMatch, ...]
    damaged: tuple[MatchId, ...] = ()


@dataclass(frozen=True, slots=True)
class ForgetQuestion:
    """The question whether all about the asker shall really be deleted; he is *playing* so many matches."""

    playing: int


@dataclass(frozen=True, slots=True)
class RecordFile:
    """The record of a match to download."""

    stored: StoredMatch


@dataclass(frozen=True, slots=True)
class ReplayFile:
    """The whole game as a moving picture."""

    stored: StoredMatch


@dataclass(frozen=True, slots=True)
class Hinted:
    """What the computer would play, and why."""

    stored: StoredMatch
    opinion: Opinion


@dataclass(frozen=True, slots=True)
class Turn:
    """A move that changed the course of a match: *played* at *ply* (0: the first), where *best* was better.

    *loss* is how much of the chance to win (0 to 1) it gave away.
    """

    ply: int
    played: str
    best: str
    loss: float


@dataclass(frozen=True, slots=True)
class LookedBack:
    """The course of a match: the first side's chance to win (0 to 1) before each move and at the end, and its turns."""

    stored: StoredMatch
    chances: tuple[float, ...]
    turns: tuple[Turn, ...]


@dataclass(frozen=True, slots=True)
class WhichLevel:
    """A challenge to the computer without a level."""

    challenge: Challenge


@dataclass(frozen=True, slots=True)
class HelpPage:
    """What the bot can do."""


@dataclass(frozen=True, slots=True)
class Welcome:
    """A first greeting."""


@dataclass(frozen=True, slots=True)
class Greeting:
    """The bot is new in this chat."""


@dataclass(frozen=True, slots=True)
class Broken:
    """Something unexpected; *incident* is the id that stands in the log."""

    incident: str


@dataclass(frozen=True, slots=True)
class DamagedMatch:
    """The record of the match cannot be read; *incident* stands in the log."""

    incident: str


Reply = (
    Done
    | Board
    | PlayableMoves
    | GuideStep
    | Confirm
    | WhichMatch
    | WhichGame
    | WhichRules
    | RulesPage
    | GamesList
    | Refused
    | Faulty
    | BadSize
    | Notice
    | SettingsPage
    | MyDataFile
    | ForgetQuestion
    | RecordFile
    | ReplayFile
    | Hinted
    | LookedBack
    | WhichLevel
    | HelpPage
    | Welcome
    | Greeting
    | Broken
    | DamagedMatch
)
