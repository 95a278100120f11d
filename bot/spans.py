"""What words are made of: each platform turns spans into its own markup, and escapes them there."""

from __future__ import annotations

from dataclasses import dataclass

from rules.actions import PersonId


@dataclass(frozen=True, slots=True)
class Text:
    """Plain words."""

    text: str


@dataclass(frozen=True, slots=True)
class Bold:
    """Words that stand out."""

    text: str


@dataclass(frozen=True, slots=True)
class Code:
    """A move, a command or a match id: what one types, or copies."""

    text: str


@dataclass(frozen=True, slots=True)
class Mention:
    """A person by name; whether he is pinged says `Outgoing.ping`."""

    person: PersonId
    name: str


@dataclass(frozen=True, slots=True)
class Moment:
    """A point in time, seconds since the epoch; *text* is how it reads where the platform has no form of its own."""

    seconds: int
    text: str


Span = Text | Bold | Code | Mention | Moment
