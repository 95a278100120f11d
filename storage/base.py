"""What is stored, as values, and the Store protocol. Knows no bytes and no server.

Only `rules` types and plain values cross this border.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NewType, Protocol

from rules.actions import Event, PersonId
from rules.match import Match

MatchId = NewType("MatchId", str)
"""Four or more letters of ``bcdfghjkmnpqrstvwxz``: never a cell, never a direction."""


FORGOTTEN = "forgotten:"
"""What the ids of those begin with who have asked to be forgotten: ``forgotten:1``, counted in each match by itself."""


def is_forgotten(person: PersonId | None) -> bool:
    """True for somebody who has asked to be forgotten: he cannot be named, asked or found."""
    return person is not None and person.startswith(FORGOTTEN)


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """Where messages go: a chat (and in Telegram a topic of it; empty for none) of one platform."""

    platform: str
    chat: str
    topic: str = ""


@dataclass(frozen=True, slots=True)
class LogEntry:
    """An event of a match and the version of the match that it led to."""

    version: int
    event: Event


LOG_LENGTH = 24
"""How many events a match remembers; a place that is further behind is told of the newest and gets the board anyway."""


@dataclass(frozen=True, slots=True)
class StoredMatch:
    """A match with everything that is saved in the same breath.

    *version* counts the saves (1 for a new match). *places* are the chats it is played in. *names* are the display
    names of its people as they last showed them. *log* are the newest events, oldest first. *operations* are the ids of
    the saved commands, oldest first: an update that is delivered again is recognised by them.
    """

    id: MatchId
    version: int
    match: Match
    places: tuple[Place, ...]
    names: tuple[tuple[PersonId, str], ...] = ()
    log: tuple[LogEntry, ...] = ()
    operations: tuple[str, ...] = ()

    def name_of(self, person: PersonId | None) -> str:
        """The display name of *person*, or the empty string."""
        return next((name for known, name in self.names if known == person), "")


@dataclass(frozen=True, slots=True)
class ChatSettings:
    """What a chat has chosen; empty strings stand for "not chosen"."""

    language: str = ""
    theme: str = ""


@dataclass(frozen=True, slots=True)
class Profile:
    """What a person has chosen, and the *name* he last showed.

    *blocked* are the people whose challenges he does not want. *played* counts matches he took part in.
    """

    name: str = ""
    language: str = ""
    ping: bool = True
    confirm: bool = False
    as_file: bool = False
    blocked: tuple[PersonId, ...] = ()
    played: int = 0


@dataclass(frozen=True, slots=True)
class Shown:
    """What a place has been shown of a match.

    *version* is the newest that was spoken there (0: nothing), *message* the platform's id of the last board, *pinged*
    the version for which somebody was pinged last (marked before the send: a ping comes at most once).
    """

    version: int = 0
    message: str = ""
    pinged: int = 0


@dataclass(frozen=True, slots=True)
class Behind:
    """A place that has not been shown the newest version of a match."""

    place: Place
    match: MatchId


@dataclass(frozen=True, slots=True)
class Listing:
    """A list that the store keeps: the live (or ended) matches of a person or in a place."""

    of: PersonId | Place
    live: bool = True


class StoreError(Exception):
    """Base of what a store raises."""


class Conflict(StoreError):  # noqa: N818 - the event's plain name: nobody's fault, load again and apply again
    """Somebody else saved the match first."""


class DamagedRecordError(StoreError):
    """A record that cannot be read: damaged, or of an unknown schema. The host's or our fault, no player's."""


class StoreUnavailableError(StoreError):
    """The server cannot be reached or refuses to save: nothing was saved as far as is known. The host's to mend."""


class Store(Protocol):
    """Keeps matches, people's and chats' settings, and what has been spoken where.

    Every method may raise StoreUnavailableError.
    """

    async def create(self, draft: StoredMatch, operation: str) -> StoredMatch:
        """The new match, saved as version 1 under a fresh id (*draft.id* is ignored), behind in all its places.

        The same *operation* again returns the match it created the first time (within 48 h), in its present state.
        """

    async def load(self, match: MatchId) -> StoredMatch | None:
        """The match, or None.

        :raises DamagedRecordError: if the record cannot be read.
        """

    async def load_many(self, matches: Sequence[MatchId]) -> Sequence[StoredMatch | DamagedRecordError | None]:
        """For each of the *matches* what `load` returns, or the error that it would raise."""

    async def save(self, stored: StoredMatch, operation: str) -> StoredMatch:
        """The match saved as ``stored.version + 1`` with *operation* remembered; its places are behind from now on.

        :raises Conflict: if the saved version is no longer *stored.version*. If the same operation was saved already
            (a reply that was lost), the saved match is returned instead.
        """

    async def rewrite(self, stored: StoredMatch) -> StoredMatch:
        """The match saved as ``stored.version + 1`` with other people in it, and nobody is told.

        Its place among the matches that changed last, its operations and what its places have been shown stay.

        :raises Conflict: if the saved version is no longer *stored.version*.
        """

    async def naming(self, person: PersonId) -> Sequence[MatchId]:
        """All matches whose record names the person, in whatever part, by their ids."""

    async def listed(self, *lists: Listing) -> Sequence[Sequence[MatchId]]:
        """What stands in each of the *lists*, last changed first; of ended matches the newest 50."""

    async def matches_of(self, person: PersonId, *, live: bool = True) -> Sequence[MatchId]:
        """The one list of a person's live (or ended) matches; see `listed`."""

    async def matches_in(self, place: Place, *, live: bool = True) -> Sequence[MatchId]:
        """The one list of the live (or ended) matches in *place*; see `listed`."""

    async def saved_in(self, matches: Sequence[MatchId], operation: str) -> MatchId | None:
        """The first of the *matches* that remembers *operation*, or None. Damaged records are passed over."""

    async def expired(self, now: int) -> Sequence[MatchId]:
        """The matches whose deadline has passed at *now* (seconds), at most 100."""

    async def settings(self, place: Place, person: PersonId) -> tuple[ChatSettings, Profile]:
        """What `chat` and `profile` return, in one breath."""

    async def chat(self, place: Place) -> ChatSettings:
        """What the chat has chosen (the topic does not matter)."""

    async def change_chat(self, place: Place, change: Callable[[ChatSettings], ChatSettings]) -> ChatSettings:
        """What the chat has chosen after the *change*.

        It is made to what others may have saved meanwhile, so it may be called more than once.
        """

    async def delete_chat(self, place: Place) -> None:
        """Forget what the chat has chosen."""

    async def move_chat(self, old: Place, new: Place) -> None:
        """The chat *old*, which has no topics, goes on as *new*.

        Its matches that `matches_in` knows are played there from now on, with what was shown and what is still to be
        shown, and what it has chosen holds there, unless that chat has chosen something itself. The same again changes
        nothing.
        """

    async def profile(self, person: PersonId) -> Profile:
        """What the person has chosen; the defaults for somebody unknown."""

    async def change_profile(self, person: PersonId, change: Callable[[Profile], Profile]) -> Profile:
        """What the person has chosen after the *change*, which may be called more than once, as in `change_chat`."""

    async def delete_profile(self, person: PersonId) -> None:
        """Forget what the person has chosen."""

    async def behind(self, platforms: Sequence[str], now_ms: int) -> Sequence[Behind]:
        """The places of *platforms* that are behind and due at *now_ms*, longest due first, at most 100."""

    async def lease(self, place: Place, holder: str, milliseconds: int) -> bool:
        """True if *holder* now has the place for itself for that long (also if it had it already)."""

    async def release(self, place: Place, holder: str) -> None:
        """Give the place back, if *holder* still has it."""

    async def shown(self, match: MatchId, place: Place) -> Shown:
        """What the place has been shown of the match."""

    async def mark_pinged(self, match: MatchId, place: Place, version: int) -> bool:
        """True if nobody was pinged there for *version* or a later one before; then it is marked."""

    async def unmark_pinged(self, match: MatchId, place: Place, version: int) -> None:
        """Take the mark for *version* back, if it is the last one: the platform has not taken the message."""

    async def mark_shown(self, match: MatchId, place: Place, version: int, message: str) -> None:
        """Keep that *version* was spoken with *message*; the place leaves the outbox unless the match has gone on."""

    async def answered(self, key: str) -> bool:
        """True if `mark_answered` was called with *key* within the last 48 hours."""

    async def mark_answered(self, key: str) -> None:
        """Keep for 48 hours that the direct answer called *key* has been sent."""

    async def postpone(self, match: MatchId, place: Place, until_ms: int) -> None:
        """The place stays behind but is not due before *until_ms*."""


@dataclass(frozen=True, slots=True)
class Line:
    """One entry of a transcript: its number (from 1, without gaps) and its content."""

    number: int
    content: bytes


class Transcript(Protocol):
    """The messages of the rooms of the local page, which has no platform behind it to keep them.

    Every method may raise StoreUnavailableError.
    """

    async def append(self, room: str, key: str, content: bytes) -> Line:
        """The entry with a new number; the same *key* again changes nothing and returns the first entry."""

    async def since(self, room: str, number: int, limit: int = 500) -> Sequence[Line]:
        """The newest *limit* entries after *number*, in order."""

    async def read(self, room: str, number: int) -> bytes | None:
        """One entry's content, or None."""

    async def secret(self, name: str, candidate: str) -> str:
        """A secret kept under *name*: *candidate* if there was none yet."""
