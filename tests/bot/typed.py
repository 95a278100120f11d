"""What a person types, as the adapters hand it on; and which command it is."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from bot.messages import (
    Command,
    Incoming,
    Person,
)
from bot.parse import parse
from rules.actions import PersonId
from storage.base import MatchId, Place

ANA: Final = Person(PersonId("telegram:1"), "Ana", "ana")
BO: Final = Person(PersonId("telegram:2"), "Бо")
ID: Final = MatchId("kfwt")
OTHER_ID: Final = MatchId("bcdf")
HEADING: Final = "Ana: b1-b2\nБо is to move (Black)\nAyu 11×11 · #kfwt"
"""A message of the bot's about match `ID`."""

TYPED: Final = Incoming("1", Place("telegram", "-100"), ANA)


def typed(text: str, **more: object) -> Command:
    """The command that Ana's *text* is, with *more* fields of the update."""
    return parse(replace(TYPED, text=text, **more))  # type: ignore[arg-type]  # a test may set any field
