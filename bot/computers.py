"""The computer player as somebody who takes part in matches: five people, one for each level, known by their ids."""

from __future__ import annotations

import re
from typing import Final

from computer.limits import STRONGEST
from rules.actions import PersonId

PLATFORM: Final = "computer"
_ID: Final = re.compile(rf"{PLATFORM}:([1-{STRONGEST}])")

LEVELS: Final = tuple(range(1, STRONGEST + 1))


def computer_id(level: int) -> PersonId:
    """Who plays the computer's *level*."""
    return PersonId(f"{PLATFORM}:{level}")


def computer_level(person: PersonId | None) -> int:
    """The level of the computer player that *person* is, 0 for people."""
    found = _ID.fullmatch(person or "")
    return int(found[1]) if found else 0
