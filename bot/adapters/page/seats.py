"""The two seats of the room: their links' secrets, who sits there, and whom a text means by ``@name``."""

from __future__ import annotations

import hmac
import re
import secrets
from collections.abc import Callable
from typing import Final

from bot.messages import Person
from bot.ports import Transcript
from rules.actions import PersonId

SEATS: Final = (1, 2)


def person_id(seat: int) -> PersonId:
    """The person who sits on *seat*."""
    return PersonId(f"web:{seat}")


class Seats:
    """The seats; *default_name* tells what somebody is called who has not said his name."""

    def __init__(self, default_name: Callable[[int, str], str]) -> None:
        self._default_name = default_name
        self._tokens: dict[int, str] = {}
        self._names: dict[int, str] = {}

    async def load(self, transcript: Transcript) -> None:
        """Get the links' secrets from where they are kept, or make them.

        :raises StoreUnavailableError: if they can neither be read nor kept.
        """
        for seat in SEATS:
            self._tokens[seat] = await transcript.secret(f"seat-{seat}", secrets.token_urlsafe(18))

    def path(self, seat: int) -> str:
        """The path of the seat's link; `load` comes first."""
        return f"/seat/{self._tokens[seat]}"

    def find(self, token: str) -> int | None:
        """The seat with that secret, or None."""
        found = None
        for seat, secret in self._tokens.items():
            if hmac.compare_digest(secret.encode(), token.encode(errors="backslashreplace")):
                found = seat
        return found

    def call(self, seat: int, name: str) -> None:
        """Remember the name that the person on *seat* showed last."""
        self._names[seat] = name

    def person(self, seat: int, language: str) -> Person:
        """The person on *seat*, known to others as ``@player1`` or by the name he showed last."""
        name = self._names.get(seat) or self._default_name(seat, language)
        return Person(person_id(seat), name, f"player{seat}")

    def mentions(self, text: str, by: int, language: str) -> tuple[str, tuple[Person, ...]]:
        """The text with every ``@name`` of a seat written as its user name, and the people whom it means, in order."""
        # Of two people with the same name the one is meant who did not write it.
        people = sorted((self.person(seat, language) for seat in SEATS), key=lambda person: person.id == person_id(by))
        known = {person.username: person for person in people}
        for person in people:
            known.setdefault(person.name.casefold(), person)
        # The longest first, so that "@Ana María" is not "@Ana".
        names = "|".join(re.escape(name) for name in sorted(known, key=len, reverse=True))
        meant: dict[PersonId, Person] = {}

        def write(found: re.Match[str]) -> str:
            person = known[found[1].casefold()]
            meant[person.id] = person
            return f"@{person.username}"

        written = re.sub(rf"(?<!\w)@({names})(?!\w)", write, text, flags=re.IGNORECASE)
        return written, tuple(meant.values())
