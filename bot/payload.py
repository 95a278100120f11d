"""What a button sends back: commands as short ASCII, at most 64 bytes, and back again. Reading never raises."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Final
from urllib.parse import quote, unquote

from bot.messages import (
    Abort,
    Accept,
    AnswerOffer,
    Cancel,
    Challenge,
    Command,
    Decline,
    Export,
    Forget,
    Games,
    Guide,
    Help,
    Hint,
    Keep,
    LookBack,
    Move,
    Moves,
    MyData,
    Next,
    NotUnderstood,
    Offer,
    Pass,
    Person,
    Rematch,
    Replay,
    Resign,
    Rules,
    Settings,
    ShowBoard,
    Swap,
)
from rules.actions import OfferKind, PersonId
from storage.base import MatchId

LIMIT: Final = 64
"""Bytes of a payload; the narrowest platform's limit."""

_SEPARATOR: Final = "|"
_YES: Final = "!"
_CHOICES: Final[Mapping[str, bool | None]] = MappingProxyType({"": None, "1": True, "0": False})
_MATCH_ID: Final = re.compile(r"[bcdfghjkmnpqrstvwxz]{4,12}")
_PLAIN: Final = re.compile(r"[\x21-\x7e]*")
_SAFE: Final = "".join(map(chr, range(0x21, 0x7F))).replace(_SEPARATOR, "").replace("%", "")
"""What stands for itself in a typed move; everything else is written as in addresses (``%20``)."""


class PayloadError(ValueError):
    """A command that does not fit into a button: our fault."""


def match_id(text: str) -> MatchId | None:
    """The match id that *text* is (with or without a leading ``#``, in any letter case), or None."""
    wanted = text.removeprefix("#").lower()
    return MatchId(wanted) if _MATCH_ID.fullmatch(wanted) else None


def encode(command: Command) -> str:
    """The payload of a button for *command*.

    Of a move, whose text people type as they like, the button begins the guided move if the text does not fit.

    :raises PayloadError: if the command cannot be a button's, or is too long.
    """
    payload = _joined(_parts(command))
    if len(payload) > LIMIT and isinstance(command, Move):
        payload = _joined(_parts(replace(command, text="", confirmed=False)))
    if len(payload) > LIMIT:
        raise PayloadError(payload)
    return payload


def _joined(parts: tuple[str, ...]) -> str:
    payload = _SEPARATOR.join(parts).rstrip(_SEPARATOR)
    if not _PLAIN.fullmatch(payload) or any(_SEPARATOR in part for part in parts):
        raise PayloadError(payload)
    return payload


def decode(payload: str) -> Command:
    """The command of a button, or NotUnderstood."""
    unknown = NotUnderstood(payload[:LIMIT], button=True)
    if len(payload) > LIMIT or not _PLAIN.fullmatch(payload):
        return unknown
    letter, *rest = payload.split(_SEPARATOR)
    read = _READERS.get(letter)
    if read is None:
        return unknown
    try:
        return read(_Fields(tuple(rest)))
    except _MalformedError:
        return unknown


class _MalformedError(ValueError):
    """The payload is none of ours: the fault of whoever made it up, or an older version's."""


def _parts(command: Command) -> tuple[str, ...]:
    match command:
        case (
            Accept()
            | Decline()
            | Cancel()
            | Moves()
            | Rematch()
            | ShowBoard()
            | Replay()
            | Export()
            | Hint()
            | LookBack()
        ):
            return (_LETTERS[type(command)], command.match or "")
        case Resign():
            return ("r", command.match or "", _YES if command.confirmed else "", _number(command.ply))
        case Abort():
            return (_LETTERS[type(command)], command.match or "", _YES if command.confirmed else "")
        case Move():
            text = quote(command.text, safe=_SAFE, errors="replace")
            return ("m", command.match or "", _number(command.ply), text, _YES if command.confirmed else "")
        case Guide():
            return ("g", command.match, str(command.ply), *command.chosen)
        case Pass():
            return ("p", command.match or "", _number(command.ply), _YES if command.confirmed else "")
        case Swap():
            return ("s", command.match or "", _number(command.ply))
        case Offer():
            return ("o", command.match or "", command.kind.value)
        case AnswerOffer():
            return ("y" if command.agree else "n", command.match or "", command.kind.value)
        case Challenge():
            opponent = command.opponent.id if command.opponent else ""
            pie = {None: "", True: "1", False: "0"}[command.pie]
            level = str(command.computer or "")
            thread = _YES if command.thread else ""
            return ("c", command.game, _number(command.size), pie, opponent, command.username, level, thread)
        case Rules():
            return ("u", command.game)
        case Settings(person=None):
            return ("t", command.key, command.value)
        case Games() | Next() | MyData() | Help() | Keep():
            return (_LETTERS[type(command)],)
        case Forget():
            return ("F", _YES if command.confirmed else "")
    raise PayloadError(type(command).__name__)


_LETTERS: Final[Mapping[type, str]] = MappingProxyType(
    {
        Accept: "a",
        Decline: "d",
        Cancel: "w",
        Moves: "l",
        Rematch: "R",
        ShowBoard: "b",
        Replay: "v",
        Export: "e",
        Hint: "i",
        LookBack: "B",
        Abort: "x",
        Games: "G",
        Next: "N",
        MyData: "D",
        Help: "h",
        Keep: "k",
    }
)


def _number(value: int | None) -> str:
    return "" if value is None else str(value)


class _Fields:
    """The fields of a payload, read by position; what is missing is empty."""

    def __init__(self, fields: tuple[str, ...]) -> None:
        self.all = fields

    def text(self, place: int) -> str:
        return self.all[place] if place < len(self.all) else ""

    def match(self, place: int = 0) -> MatchId | None:
        text = self.text(place)
        found = match_id(text)
        if text and found is None:
            raise _MalformedError
        return found

    def number(self, place: int) -> int | None:
        text = self.text(place)
        if text and not (text.isascii() and text.isdecimal() and len(text) <= 5):
            raise _MalformedError
        return int(text) if text else None

    def yes(self, place: int) -> bool:
        if self.text(place) not in ("", _YES):
            raise _MalformedError
        return self.text(place) == _YES

    def choice(self, place: int) -> bool | None:
        if self.text(place) not in _CHOICES:
            raise _MalformedError
        return _CHOICES[self.text(place)]

    def move(self, place: int) -> str:
        try:
            return unquote(self.text(place), errors="strict")
        except UnicodeDecodeError as error:
            raise _MalformedError from error

    def offer(self, place: int) -> OfferKind:
        try:
            return OfferKind(self.text(place))
        except ValueError as error:
            raise _MalformedError from error


def _guide(fields: _Fields) -> Command:
    match, ply, chosen = fields.match(0), fields.number(1), fields.all[2:]
    if match is None or ply is None or not all(chosen):
        raise _MalformedError
    return Guide(match, ply, chosen)


def _challenge(fields: _Fields) -> Command:
    opponent = fields.text(3)
    person = Person(PersonId(opponent), "") if opponent else None
    return Challenge(
        fields.text(0),
        fields.number(1),
        fields.choice(2),
        person,
        fields.text(4),
        fields.number(5) or 0,
        thread=fields.yes(6),
    )


_READERS: Final[Mapping[str, Callable[[_Fields], Command]]] = MappingProxyType(
    {
        "a": lambda f: Accept(f.match()),
        "d": lambda f: Decline(f.match()),
        "w": lambda f: Cancel(f.match()),
        "l": lambda f: Moves(f.match()),
        "R": lambda f: Rematch(f.match()),
        "b": lambda f: ShowBoard(f.match()),
        "v": lambda f: Replay(f.match()),
        "e": lambda f: Export(f.match()),
        "i": lambda f: Hint(f.match()),
        "B": lambda f: LookBack(f.match()),
        "r": lambda f: Resign(f.match(), f.yes(1), f.number(2)),
        "x": lambda f: Abort(f.match(), f.yes(1)),
        "m": lambda f: Move(f.move(2), f.match(), f.number(1), f.yes(3)),
        "g": _guide,
        "p": lambda f: Pass(f.match(), f.number(1), f.yes(2)),
        "s": lambda f: Swap(f.match(), f.number(1)),
        "o": lambda f: Offer(f.offer(1), f.match()),
        "y": lambda f: AnswerOffer(f.offer(1), agree=True, match=f.match()),
        "n": lambda f: AnswerOffer(f.offer(1), agree=False, match=f.match()),
        "c": _challenge,
        "u": lambda f: Rules(f.text(0)),
        "t": lambda f: Settings(f.text(0), f.text(1)),
        "G": lambda _: Games(),
        "N": lambda _: Next(),
        "D": lambda _: MyData(),
        "F": lambda f: Forget(f.yes(0)),
        "h": lambda _: Help(),
        "k": lambda _: Keep(),
    }
)
