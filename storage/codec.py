"""Matches as bytes and back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Annotated, Final

import msgspec

from rules import GAMES
from rules.actions import Event, EventKind, Offer, OfferKind, PersonId
from rules.core import Ending, Game, Side
from rules.match import LIVE, SWAP, Agreement, Match, Result, Status
from storage.base import (
    DamagedRecordError,
    LogEntry,
    MatchId,
    Place,
    StoredMatch,
    is_forgotten,
)
from storage.envelope import NO_UPGRADES, Envelope, Upgrade
from storage.keys import match_key
from storage.replays import Replays

MATCH_SCHEMA: Final = 1

OPERATIONS_KEPT: Final = 400
"""How many operation ids a match remembers."""

_HOWS: Final[Mapping[str, Ending | Agreement]] = MappingProxyType({how.value: how for how in (*Ending, *Agreement)})

_Index = Annotated[int, msgspec.Meta(ge=0)]  # of somebody in the list of people


class _Offer(msgspec.Struct, array_like=True, frozen=True):
    kind: OfferKind
    by: _Index
    ply: int


class _LogEntry(msgspec.Struct, array_like=True, frozen=True):
    version: int
    kind: EventKind
    by: _Index | None
    text: str


class _Match(msgspec.Struct, omit_defaults=True, frozen=True):
    game: str
    size: int
    people: list[PersonId]
    challenger: _Index
    seats: tuple[_Index | None, _Index | None]
    created: int
    changed: int
    places: list[tuple[str, str, str]]
    moves: str = ""  # the tokens with a space between them
    pie: bool = False
    status: Status = Status.CHALLENGE
    invited: _Index | None = None
    result: tuple[str, Side | None] | None = None
    offer: _Offer | None = None
    declined_offer: _Offer | None = None
    deadline: int | None = None
    names: list[tuple[_Index, str]] = []
    log: list[_LogEntry] = []


@dataclass(frozen=True, slots=True)
class Pointers:
    """What a match is found by: the indexes follow from it.

    *people* find it in their lists: the players and, while a seat is free, who is invited. *named* are all people whom
    the record names, in whatever part. In neither are those who are forgotten. *deadline* and *changed* in seconds.
    """

    live: bool
    deadline: int | None
    changed: int
    people: tuple[PersonId, ...]
    named: tuple[PersonId, ...]
    places: tuple[Place, ...]


class MatchCodec:
    """Matches <-> bytes, with a memory of games replayed lately. For one event loop."""

    def __init__(
        self,
        games: Mapping[str, Game] = GAMES,
        *,
        upgrades: Mapping[int, Upgrade] = NO_UPGRADES,
        replays: Replays | None = None,
    ) -> None:
        self._games = games
        self._envelope = Envelope(_Match, MATCH_SCHEMA, upgrades)
        self._replays = Replays() if replays is None else replays

    def encode(self, stored: StoredMatch) -> bytes:
        """The record of *stored*: all but its id, its version and its operations, which lie beside it."""
        match = stored.match
        people = _People()
        tokens = match.tokens
        self._replays.remember(match.game, match.size, _without_swap(tokens), match.record)
        fields = _Match(
            game=match.game.key,
            size=match.size,
            people=people.ids,
            challenger=people.index(match.challenger),
            seats=(people.optional(match.seats[0]), people.optional(match.seats[1])),
            created=match.created,
            changed=match.changed,
            places=[(place.platform, place.chat, place.topic) for place in stored.places],
            moves=" ".join(tokens),
            pie=match.pie,
            status=match.status,
            invited=people.optional(match.invited),
            result=None if match.result is None else (match.result.how.value, match.result.winner),
            offer=people.offer(match.offer),
            declined_offer=people.offer(match.declined_offer),
            deadline=match.deadline,
            names=[(people.index(person), name) for person, name in stored.names],
            log=[
                _LogEntry(entry.version, entry.event.kind, people.optional(entry.event.by), entry.event.text)
                for entry in stored.log
            ],
        )
        return self._envelope.pack(fields)

    def decode(self, match: MatchId, version: int, record: bytes, operations: tuple[str, ...]) -> StoredMatch:
        """The match that *record* describes.

        :raises DamagedRecordError: if it cannot be read.
        """
        key = match_key(match)
        fields = self._envelope.unpack(record, key)
        people = fields.people
        try:
            return StoredMatch(
                id=match,
                version=version,
                match=self._match(fields),
                places=tuple(Place(*place) for place in fields.places),
                names=tuple((people[index], name) for index, name in fields.names),
                log=tuple(
                    LogEntry(entry.version, Event(entry.kind, _somebody(people, entry.by), entry.text))
                    for entry in fields.log
                ),
                operations=operations,
            )
        except (LookupError, ValueError) as error:  # an unknown game, a bad size, no move of the game, no such person
            raise DamagedRecordError(f"{key}: {error!r}") from error

    def pointers(self, match: MatchId, record: bytes) -> Pointers:
        """What the match that *record* describes is found by; its moves are not looked at.

        :raises DamagedRecordError: if it cannot be read.
        """
        key = match_key(match)
        fields = self._envelope.unpack(record, key)
        indexes = {fields.challenger, *fields.seats}
        if None in fields.seats:
            indexes.add(fields.invited)
        try:
            people = [fields.people[index] for index in indexes if index is not None]
        except IndexError as error:
            raise DamagedRecordError(f"{key}: {error!r}") from error
        return Pointers(
            live=fields.status in LIVE,
            deadline=fields.deadline,
            changed=fields.changed,
            people=tuple(sorted(person for person in people if not is_forgotten(person))),
            named=tuple(person for person in fields.people if not is_forgotten(person)),
            places=tuple(Place(*place) for place in fields.places),
        )

    def _match(self, fields: _Match) -> Match:
        game = self._games[fields.game]
        people = fields.people
        tokens = fields.moves.split(" ") if fields.moves else []
        return Match(
            game=game,
            size=fields.size,
            pie=fields.pie,
            challenger=people[fields.challenger],
            invited=_somebody(people, fields.invited),
            seats=(_somebody(people, fields.seats[0]), _somebody(people, fields.seats[1])),
            record=self._replays.record(game, fields.size, _without_swap(tokens)),
            created=fields.created,
            changed=fields.changed,
            status=fields.status,
            swapped=SWAP in tokens[1:2],
            result=None if fields.result is None else Result(_HOWS[fields.result[0]], fields.result[1]),
            offer=_offer(people, fields.offer),
            declined_offer=_offer(people, fields.declined_offer),
            deadline=fields.deadline,
        )


class _People:
    """The list of people that a record's other fields point into."""

    def __init__(self) -> None:
        self.ids: list[PersonId] = []

    def index(self, person: PersonId) -> int:
        if person not in self.ids:
            self.ids.append(person)
        return self.ids.index(person)

    def optional(self, person: PersonId | None) -> int | None:
        return None if person is None else self.index(person)

    def offer(self, offer: Offer | None) -> _Offer | None:
        return None if offer is None else _Offer(offer.kind, self.index(offer.by), offer.ply)


def _somebody(people: Sequence[PersonId], index: int | None) -> PersonId | None:
    return None if index is None else people[index]


def _offer(people: Sequence[PersonId], offer: _Offer | None) -> Offer | None:
    return None if offer is None else Offer(offer.kind, people[offer.by], offer.ply)


def _without_swap(tokens: Sequence[str]) -> str:
    return " ".join((*tokens[:1], *tokens[2:]) if SWAP in tokens[1:2] else tokens)
