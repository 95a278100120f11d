"""The names of all keys in Redis. They share one tag, so one script may touch them all on a Redis Cluster too."""

from __future__ import annotations

from typing import Final
from urllib.parse import quote, unquote

from rules.actions import PersonId
from storage.base import Behind, Listing, MatchId, Place

PREFIX: Final = "{bandada}:"
"""What every key begins with. The part in braces alone decides on the slot."""

DUE: Final = PREFIX + "due"
"""Sorted set: match ids by deadline, in seconds since the epoch."""

SEQUENCE: Final = PREFIX + "sequence"
"""Number: how many changes of matches there were; the order of the matches in the indexes."""


def match_key(match: str) -> str:
    """Hash: a match (its fields are told in lua/match.lua)."""
    return f"{PREFIX}match:{match}"


def operation_key(operation: str) -> str:
    """String: the id of the match that an operation created; forgotten after two days."""
    return f"{PREFIX}operation:{operation_text(operation)}"


def answer_key(key: str) -> str:
    """String: that a direct answer has been sent; forgotten after two days."""
    return f"{PREFIX}answered:{operation_text(key)}"


def operation_text(operation: str) -> str:
    """The operation's id in one line: control characters, ``%`` and what is not ASCII are escaped."""
    return quote(operation, safe=" !\"#$&'()*+,/:;<=>?@[\\]^`{|}")


def person_matches(person: PersonId, *, live: bool) -> str:
    """Sorted set: the ids of a person's live (or ended) matches by the order in which they were changed."""
    return f"{PREFIX}{'live' if live else 'ended'}:person:{person}"


def named_in(person: PersonId) -> str:
    """Set: the ids of all matches whose record names a person."""
    return f"{PREFIX}named:{person}"


def place_matches(place: Place, *, live: bool) -> str:
    """Sorted set: the ids of the live (or ended) matches in a place by the order in which they were changed."""
    return f"{PREFIX}{'live' if live else 'ended'}:place:{place_text(place)}"


def listing_key(listing: Listing) -> str:
    """Sorted set: the one of the two above that *listing* names."""
    if isinstance(listing.of, Place):
        return place_matches(listing.of, live=listing.live)
    return person_matches(listing.of, live=listing.live)


def outbox_key(platform: str) -> str:
    """Sorted set: the places of a platform that are behind, by the time when they are due, in ms since the epoch."""
    return f"{PREFIX}outbox:{quote(platform, safe='')}"


def lease_key(place: Place) -> str:
    """String with an expiry: who sends to a place now."""
    return f"{PREFIX}lease:{place_text(place)}"


def chat_key(place: Place) -> str:
    """String: the settings of a chat, for all its topics."""
    return f"{PREFIX}chat:{place_text(Place(place.platform, place.chat))}"


def profile_key(person: PersonId) -> str:
    """String: a person's profile."""
    return f"{PREFIX}person:{person}"


def room_key(room: str) -> str:
    """List: the entries of a room's transcript."""
    return f"{PREFIX}room:{room}"


def room_index_key(room: str) -> str:
    """Hash: the number of each entry of a room's transcript by the entry's key."""
    return f"{PREFIX}room-keys:{room}"


def secret_key(name: str) -> str:
    """String: a secret."""
    return f"{PREFIX}secret:{name}"


def place_text(place: Place) -> str:
    """``platform:chat``, or ``platform:chat:topic``; a colon within a part is escaped."""
    parts = (place.platform, place.chat, place.topic) if place.topic else (place.platform, place.chat)
    return ":".join(quote(part, safe="") for part in parts)


def parse_place(text: str) -> Place:
    """The place that `place_text` makes *text* of.

    :raises ValueError: if there is none.
    """
    return Place(*_three_parts(text))


def place_field(place: Place) -> str:
    """The field of a match's hash that holds what was shown in the place."""
    return f"@{place_text(place)}"


def outbox_member(match: MatchId, place: Place) -> str:
    """What stands for the place and the match in the outbox of the place's platform."""
    return f"{match}:{place_text(place).partition(':')[2]}"


def parse_outbox_member(platform: str, member: str) -> Behind:
    """The place and the match that *member* of the platform's outbox stands for.

    :raises ValueError: if it is no member of an outbox.
    """
    match, chat, topic = _three_parts(member)
    return Behind(Place(platform, chat, topic), MatchId(match))


def _three_parts(text: str) -> tuple[str, str, str]:
    """Two or three parts with a colon between them; the third may be missing."""
    first, second, third, *more = (*map(unquote, text.split(":")), "")
    if more not in ([], [""]):
        raise ValueError(text)
    return first, second, third
