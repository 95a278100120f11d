"""The Store on Redis or Valkey: one script for each change, so that a match and all indexes change together."""

from __future__ import annotations

import logging
import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Final, TypeVar
from urllib.parse import unquote

import msgspec

from rules.actions import PersonId
from storage import keys
from storage.base import (
    Behind,
    ChatSettings,
    Conflict,
    DamagedRecordError,
    Listing,
    MatchId,
    Place,
    Profile,
    Shown,
    StoredMatch,
)
from storage.codec import OPERATIONS_KEPT, MatchCodec, Pointers
from storage.envelope import Envelope
from storage.server import Client, Server

log = logging.getLogger(__name__)

ID_LETTERS: Final = "bcdfghjkmnpqrstvwxz"
ENDED_KEPT: Final = 50
"""How many ended matches the list of a person or a place keeps."""

AT_ONCE: Final = 100
"""How many entries `expired` and `behind` return at most."""

LOADED_AT_ONCE: Final = 20
"""How many matches are read in one call: their decoding stops everything else for as long."""

SETTINGS_SCHEMA: Final = 1
"""The schema of what chats and people have chosen: the fields of `ChatSettings` and `Profile`."""

_OPERATION_SECONDS: Final = 48 * 3600
_TRIES_PER_LENGTH: Final = 4

# What create.lua and save.lua begin their replies with.
_REFUSED: Final = 0
_KNOWN: Final = 2


_Settings = TypeVar("_Settings", ChatSettings, Profile)


class RedisStore:
    """Implements `storage.base.Store`. *rng* draws the ids of new matches."""

    def __init__(self, client: Client, *, rng: random.Random | None = None, codec: MatchCodec | None = None) -> None:
        self._client = client
        self._server = Server(client)
        self._rng = random.SystemRandom() if rng is None else rng
        self._codec = MatchCodec() if codec is None else codec
        self._chats = Envelope(ChatSettings, SETTINGS_SCHEMA)
        self._profiles = Envelope(Profile, SETTINGS_SCHEMA)

    # ---- matches -----------------------------------------------------------------------------------------------------

    async def create(self, draft: StoredMatch, operation: str) -> StoredMatch:
        """See `Store.create`. Ids have four letters, and more where those drawn are taken."""
        tries = 0
        while True:
            length = 4 + tries // _TRIES_PER_LENGTH
            match = MatchId("".join(self._rng.choice(ID_LETTERS) for _ in range(length)))
            new = replace(draft, id=match, version=1, operations=(operation,))
            record = self._codec.encode(new)
            status, *known = await self._server.script(
                "create",
                (keys.match_key(match), keys.operation_key(operation)),
                self._change(match, record, operation),
                record,
                _OPERATION_SECONDS,
            )
            if status == _KNOWN:
                return self._decode(MatchId(known[0].decode()), known[1:])
            if status != _REFUSED:
                return new
            tries += 1

    async def load(self, match: MatchId) -> StoredMatch | None:
        """See `Store.load`."""
        (found,) = await self.load_many((match,))
        if isinstance(found, DamagedRecordError):
            raise found
        return found

    async def load_many(self, matches: Sequence[MatchId]) -> Sequence[StoredMatch | DamagedRecordError | None]:
        """See `Store.load_many`; `LOADED_AT_ONCE` in one call, so that nobody else waits long while they are read."""
        found: list[StoredMatch | DamagedRecordError | None] = []
        for start in range(0, len(matches), LOADED_AT_ONCE):
            some = matches[start : start + LOADED_AT_ONCE]
            held = await self._server.script("load", [keys.match_key(match) for match in some])
            found += [self._decoded(match, fields) for match, fields in zip(some, held, strict=True)]
        return found

    async def save(self, stored: StoredMatch, operation: str) -> StoredMatch:
        """See `Store.save`; the places are due from the time on at which the match was changed."""
        record = self._codec.encode(stored)
        status, *known = await self._server.script(
            "save",
            (keys.match_key(stored.id),),
            self._change(stored.id, record, operation),
            record,
            stored.version,
            OPERATIONS_KEPT,
        )
        if status == _KNOWN:
            return self._decode(stored.id, known)
        if status == _REFUSED:
            raise _conflict(stored)
        operations = (*stored.operations, operation)[-OPERATIONS_KEPT:]
        return replace(stored, version=stored.version + 1, operations=operations)

    async def rewrite(self, stored: StoredMatch) -> StoredMatch:
        """See `Store.rewrite`."""
        record = self._codec.encode(stored)
        change = self._change(stored.id, record, "")
        if not await self._server.script("rewrite", (keys.match_key(stored.id),), change, record, stored.version):
            raise _conflict(stored)
        return replace(stored, version=stored.version + 1)

    async def naming(self, person: PersonId) -> Sequence[MatchId]:
        """See `Store.naming`."""
        key = keys.named_in(person)
        found: set[bytes] = await self._server.run(key, self._client.smembers(key))
        return sorted(MatchId(match.decode()) for match in found)

    async def listed(self, *lists: Listing) -> Sequence[Sequence[MatchId]]:
        """See `Store.listed`."""
        found = await self._server.script("listed", [keys.listing_key(one) for one in lists])
        return [[MatchId(match.decode()) for match in ids] for ids in found]

    async def matches_of(self, person: PersonId, *, live: bool = True) -> Sequence[MatchId]:
        """See `Store.matches_of`."""
        return (await self.listed(Listing(person, live)))[0]

    async def matches_in(self, place: Place, *, live: bool = True) -> Sequence[MatchId]:
        """See `Store.matches_in`."""
        return (await self.listed(Listing(place, live)))[0]

    async def saved_in(self, matches: Sequence[MatchId], operation: str) -> MatchId | None:
        """See `Store.saved_in`."""
        if not matches:
            return None
        number = await self._server.script(
            "saved_in", [keys.match_key(match) for match in matches], keys.operation_text(operation)
        )
        return matches[number - 1] if number else None

    async def expired(self, now: int) -> Sequence[MatchId]:
        """See `Store.expired`."""
        due = await self._server.run(
            keys.DUE, self._client.zrange(keys.DUE, "-inf", str(now), byscore=True, offset=0, num=AT_ONCE)
        )
        return [MatchId(match.decode()) for match in due]

    # ---- settings ----------------------------------------------------------------------------------------------------

    async def settings(self, place: Place, person: PersonId) -> tuple[ChatSettings, Profile]:
        """See `Store.settings`."""
        names = (keys.chat_key(place), keys.profile_key(person))
        chat, profile = await self._server.run(names[0], self._client.mget(names))
        return (
            _unpacked(chat, names[0], self._chats, ChatSettings()),
            _unpacked(profile, names[1], self._profiles, Profile()),
        )

    async def chat(self, place: Place) -> ChatSettings:
        """See `Store.chat`."""
        key = keys.chat_key(place)
        packed = await self._server.run(key, self._client.get(key))
        return _unpacked(packed, key, self._chats, ChatSettings())

    async def change_chat(self, place: Place, change: Callable[[ChatSettings], ChatSettings]) -> ChatSettings:
        """See `Store.change_chat`."""
        return await self._exchange(keys.chat_key(place), self._chats, ChatSettings(), change)

    async def delete_chat(self, place: Place) -> None:
        """See `Store.delete_chat`."""
        key = keys.chat_key(place)
        await self._server.run(key, self._client.delete(key))

    async def move_chat(self, old: Place, new: Place) -> None:
        """See `Store.move_chat`; a match that cannot be read stays where it was."""
        chosen = await self.chat(old)
        if chosen != ChatSettings():
            await self.change_chat(new, lambda there: chosen if there == ChatSettings() else there)
        for live in (True, False):
            for match in await self.matches_in(old, live=live):
                await self._move_match(match, old, new)
        # Last of all: what could not be finished is found when it is tried again.
        await self.delete_chat(old)

    async def _move_match(self, match: MatchId, old: Place, new: Place) -> None:
        """Have the match played in *new* instead of *old*, whoever saves it meanwhile."""
        while True:
            try:
                stored = await self.load(match)
            except DamagedRecordError as error:
                log.warning("match %s stays in a chat that has moved: %s", match, error)
                return
            if stored is None or old not in stored.places:
                return
            moved = replace(stored, places=tuple(dict.fromkeys(new if at == old else at for at in stored.places)))
            record = self._codec.encode(moved)
            fields = (keys.place_text(old), keys.place_text(new))
            change = self._change(match, record, "")
            if await self._server.script("move", (keys.match_key(match),), change, record, stored.version, *fields):
                return

    async def profile(self, person: PersonId) -> Profile:
        """See `Store.profile`."""
        key = keys.profile_key(person)
        packed = await self._server.run(key, self._client.get(key))
        return _unpacked(packed, key, self._profiles, Profile())

    async def change_profile(self, person: PersonId, change: Callable[[Profile], Profile]) -> Profile:
        """See `Store.change_profile`."""
        return await self._exchange(keys.profile_key(person), self._profiles, Profile(), change)

    async def delete_profile(self, person: PersonId) -> None:
        """See `Store.delete_profile`."""
        key = keys.profile_key(person)
        await self._server.run(key, self._client.delete(key))

    async def _exchange(
        self, key: str, envelope: Envelope[_Settings], default: _Settings, change: Callable[[_Settings], _Settings]
    ) -> _Settings:
        # Whoever comes too late reads what the other has written and tries again: each round one of them is done.
        while True:
            packed = await self._server.run(key, self._client.get(key))
            old = _unpacked(packed, key, envelope, default)
            new = change(old)
            if new == old or await self._server.script("exchange", (key,), packed or b"", envelope.pack(new)):
                return new

    # ---- the outbox --------------------------------------------------------------------------------------------------

    async def behind(self, platforms: Sequence[str], now_ms: int) -> Sequence[Behind]:
        """See `Store.behind`."""
        due: list[tuple[float, Behind]] = []
        for platform in platforms:
            key = keys.outbox_key(platform)
            found = await self._server.run(
                key, self._client.zrange(key, "-inf", str(now_ms), byscore=True, offset=0, num=AT_ONCE, withscores=True)
            )
            due += [(score, keys.parse_outbox_member(platform, member.decode())) for member, score in found]
        due.sort(key=lambda entry: entry[0])
        return [behind for _, behind in due[:AT_ONCE]]

    async def lease(self, place: Place, holder: str, milliseconds: int) -> bool:
        """See `Store.lease`."""
        return bool(await self._server.script("lease", (keys.lease_key(place),), holder, milliseconds))

    async def release(self, place: Place, holder: str) -> None:
        """See `Store.release`."""
        await self._server.script("release", (keys.lease_key(place),), holder)

    async def shown(self, match: MatchId, place: Place) -> Shown:
        """See `Store.shown`; a place in which the match is not played has been shown nothing."""
        key = keys.match_key(match)
        held = await self._server.run(key, self._client.hget(key, keys.place_field(place)))
        if held is None:
            return Shown()
        try:
            version, pinged, message = held.decode().split(" ", 2)
            return Shown(int(version), message, int(pinged))
        except ValueError as error:
            raise DamagedRecordError(f"{key}: {error}") from error

    async def mark_pinged(self, match: MatchId, place: Place, version: int) -> bool:
        """See `Store.mark_pinged`; False also for a place in which the match is not played."""
        marked = await self._server.script("mark_pinged", (keys.match_key(match),), keys.place_field(place), version)
        return bool(marked)

    async def unmark_pinged(self, match: MatchId, place: Place, version: int) -> None:
        """See `Store.unmark_pinged`."""
        await self._server.script("unmark_pinged", (keys.match_key(match),), keys.place_field(place), version)

    async def mark_shown(self, match: MatchId, place: Place, version: int, message: str) -> None:
        """See `Store.mark_shown`; an older version than the one marked before changes nothing."""
        await self._server.script(
            "mark_shown",
            (keys.match_key(match), keys.outbox_key(place.platform)),
            keys.place_field(place),
            keys.outbox_member(match, place),
            version,
            message,
        )

    async def answered(self, key: str) -> bool:
        """See `Store.answered`."""
        name = keys.answer_key(key)
        return bool(await self._server.run(name, self._client.exists(name)))

    async def mark_answered(self, key: str) -> None:
        """See `Store.mark_answered`."""
        name = keys.answer_key(key)
        await self._server.run(name, self._client.set(name, b"", ex=_OPERATION_SECONDS))

    async def postpone(self, match: MatchId, place: Place, until_ms: int) -> None:
        """See `Store.postpone`."""
        key = keys.outbox_key(place.platform)
        await self._server.run(key, self._client.zadd(key, {keys.outbox_member(match, place): until_ms}, xx=True))

    # ---- parts -------------------------------------------------------------------------------------------------------

    def _change(self, match: MatchId, record: bytes, operation: str) -> bytes:
        return packed_change(match, self._codec.pointers(match, record), operation=keys.operation_text(operation))

    def _decode(self, match: MatchId, held: Sequence[Any]) -> StoredMatch:
        """The match of the hash's fields v, s, o."""
        version, record, operations = held
        key = keys.match_key(match)
        if version is None or record is None or operations is None:
            raise DamagedRecordError(f"{key}: a part of the match is missing")
        try:
            number = int(version)
            saved = tuple(unquote(operation) for operation in operations.decode("ascii").split("\n")[1:-1])
        except ValueError as error:
            raise DamagedRecordError(f"{key}: {error}") from error
        return self._codec.decode(match, number, record, saved)

    def _decoded(self, match: MatchId, held: Any) -> StoredMatch | DamagedRecordError | None:  # noqa: ANN401 - the server's
        """What load.lua has read of one match."""
        if isinstance(held, Exception):
            return DamagedRecordError(f"{keys.match_key(match)}: {held}")
        if held == [None, None, None]:
            return None
        try:
            return self._decode(match, held)
        except DamagedRecordError as error:
            return error


def _unpacked(packed: bytes | None, key: str, envelope: Envelope[_Settings], default: _Settings) -> _Settings:
    return default if packed is None else envelope.unpack(packed, key)


def packed_change(match: MatchId, pointers: Pointers, **more: object) -> bytes:
    """What the scripts write beside the record, packed for them; *more* is what only some of them read."""
    return msgspec.msgpack.encode(
        {
            "prefix": keys.PREFIX,
            "id": match,
            "live": pointers.live,
            "deadline": pointers.deadline,
            "due": pointers.changed * 1000,
            "people": pointers.people,
            "named": pointers.named,
            "places": [keys.place_text(place) for place in pointers.places],
            "ended_kept": ENDED_KEPT,
            **more,
        }
    )


def _conflict(stored: StoredMatch) -> Conflict:
    return Conflict(f"match {stored.id}: version {stored.version} is not the newest")
