"""From a typed text or a pressed button to a Command. Pure, never raises, whatever the text.

The words that people may type in their own language stand in the tables of this file; sentences never do.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from difflib import get_close_matches
from types import MappingProxyType
from typing import Final

from bot import payload
from bot.computers import LEVELS
from bot.messages import (
    ANY_LEVEL,
    Abort,
    Accept,
    Cancel,
    Challenge,
    Command,
    Decline,
    Export,
    Forget,
    Games,
    Greet,
    Help,
    Hint,
    Incoming,
    LookBack,
    Move,
    Moves,
    MyData,
    Next,
    NotUnderstood,
    NotYet,
    Offer,
    Pass,
    Rematch,
    Replay,
    Resign,
    Rules,
    Settings,
    ShowBoard,
    Silence,
    Start,
    Swap,
)
from bot.names import shown_name
from bot.texts import LANGUAGES
from rules import find_game
from rules.actions import OfferKind
from rules.core import UnknownGameError
from rules.notation import PASS_WORDS
from storage.base import MatchId

MOVE_LENGTH: Final = 200
"""Longer texts are no moves; what came is quoted no longer than this."""

RESERVED: Final = frozenset(
    [
        "claim",
        "moretime",
        "vacation",
        "if",
        "note",
        "puzzle",
        "stats",
        "top",
        "time",
    ],
)
"""Commands that are kept for later versions."""

_YES: Final = frozenset(["yes", "y", "sí", "si", "s", "да", "д", "confirm"])
_NO_PIE: Final = frozenset(["nopie", "no-pie", "sintarta", "sin-tarta", "безпирога", "без-пирога"])
_PIE: Final = frozenset(["pie", "tarta", "пирог", "пирога"])
_COMPUTER: Final = frozenset(["computer", "bot", "ordenador", "computadora", "компьютер", "бот"])
_OPEN: Final = frozenset(["open", "anyone", "anybody", "abierto", "cualquiera", "открыто", "любой"])
_THREAD: Final = frozenset(["thread", "hilo", "ветка"])
_SWAP: Final = frozenset(["swap", "cambiar", "cambio", "поменяться", "обмен"])
_ON: Final = frozenset(["on", "yes", "sí", "si", "да", "вкл"])
_OFF: Final = frozenset(["off", "no", "нет", "выкл"])
_WITHOUT: Final = _OFF | frozenset(["without", "sin", "без"])
_SETTINGS: Final[Mapping[str, str]] = MappingProxyType(
    {
        **dict.fromkeys(["language", "lang", "idioma", "lengua", "язык"], "language"),
        **dict.fromkeys(["my-language", "mi-idioma", "мой-язык"], "my-language"),
        **dict.fromkeys(["theme", "tema", "тема"], "theme"),
        **dict.fromkeys(["ping", "aviso", "оповещение"], "ping"),
        **dict.fromkeys(["confirm", "confirmar", "подтверждение"], "confirm"),
        **dict.fromkeys(["file", "archivo", "файл"], "file"),
        **dict.fromkeys(["block", "bloquear", "блокировать"], "block"),
        **dict.fromkeys(["unblock", "desbloquear", "разблокировать"], "unblock"),
    }
)
_LANGUAGE_NAMES: Final[Mapping[str, str]] = MappingProxyType(
    {
        **{language: language for language in LANGUAGES},
        **dict.fromkeys(["english", "inglés", "ingles", "английский"], "en"),
        **dict.fromkeys(["spanish", "español", "espanol", "castellano", "испанский"], "es"),
        **dict.fromkeys(["russian", "ruso", "русский"], "ru"),
    }
)
_THEME_NAMES: Final[Mapping[str, str]] = MappingProxyType(
    {
        **dict.fromkeys(["light", "claro", "clara", "светлая"], "light"),
        **dict.fromkeys(["dark", "oscuro", "oscura", "тёмная", "темная"], "dark"),
        **dict.fromkeys(["patterns", "patrones", "tramas", "узоры"], "patterns"),
    }
)
_SWITCHES: Final = frozenset(["ping", "confirm", "file"])
_SIZE: Final = re.compile(r"(\d{1,3})(?:[x×х*]\1)?")
_USERNAME: Final = re.compile(r"@([A-Za-z0-9_.]{2,32})")
_NAME: Final = re.compile(r"[\w-]{1,32}")
"""What looks like a command: paths, sums and smileys do not."""
_HAS_CELL: Final = re.compile(r"[^\W\d_]{1,2}\s*\d{1,2}")


def parse(incoming: Incoming) -> Command:
    """The command that *incoming* is; Silence for what is not meant for the bot."""
    if incoming.joined:
        return Greet()
    if incoming.payload:
        return _filled(payload.decode(incoming.payload), incoming.text.strip())
    text = incoming.text.strip()
    if text.startswith("/") and text[1:2].isalnum():
        return _command(text, incoming)
    about = _quoted_match(incoming.quoted)
    if not incoming.addressed and about is None:
        return Silence()
    command = _free_text(text, about)
    return command if incoming.addressed or not isinstance(command, NotUnderstood) else Silence()


def _filled(command: Command, text: str) -> Command:
    """The command of a button with the *text* that was typed into its form."""
    if not text or not isinstance(command, Move) or command.text:
        return command
    if (other := _swap_or_pass(text, command.match, command.ply)) is not None:
        return other
    return replace(command, text=text) if len(text) <= MOVE_LENGTH else NotUnderstood(text[:MOVE_LENGTH])


def _swap_or_pass(text: str, match: MatchId | None, ply: int | None = None) -> Swap | Pass | None:
    """What is typed in place of a move and is none of the board; None for anything else."""
    folded = text.casefold()
    if folded in _SWAP:
        return Swap(match, ply)
    return Pass(match, ply) if folded in PASS_WORDS else None


def _command(text: str, incoming: Incoming) -> Command:
    first, *others = text[1 : 4 * MOVE_LENGTH].split(maxsplit=1)
    name = first.partition("@")[0].lower()
    read = _COMMANDS.get(name)
    if read is not None:
        return read(_Arguments(tuple(others[0].split()) if others else (), incoming))
    if name in RESERVED:
        return NotYet(name)
    if not incoming.addressed:
        return Silence()  # in a group it may be another bot's
    if not _NAME.fullmatch(name):
        return NotUnderstood(text[:MOVE_LENGTH])
    return NotUnderstood(text[:MOVE_LENGTH], command=name, near=_near(name))


def _near(name: str) -> str:
    """What may be meant by *name*, which is no command: a setting, a command cut short or misspelt, or nothing."""
    if name in _SETTINGS:
        return f"settings {_SETTINGS[name]}"
    if len(name) > 2 and (begun := [command for command in COMMANDS if command.startswith(name)]):
        return begun[0]
    return next(iter(get_close_matches(name, COMMANDS, n=1, cutoff=0.7)), "")


def _free_text(text: str, about: MatchId | None) -> Command:
    words = text.split()
    match, others = _named(words)
    match = match or about
    rest = " ".join(others)
    if (command := _swap_or_pass(rest, match)) is not None:
        return command
    if len(rest) <= MOVE_LENGTH and len(words) <= 12 and _HAS_CELL.search(rest):
        return Move(rest, match, typed=True)
    return NotUnderstood(text[:MOVE_LENGTH])


def _named(words: Sequence[str]) -> tuple[MatchId | None, tuple[str, ...]]:
    """The first match id among the *words*, and those that are none."""
    found = [(word, payload.match_id(word)) for word in words]
    return next((match for _, match in found if match), None), tuple(word for word, match in found if match is None)


def _quoted_match(quoted: str) -> MatchId | None:
    """The match whose id the bot's own message shows, as ``#kfwt`` at its end: names of people stand before it."""
    found = (payload.match_id(word) for word in reversed(re.findall(r"#([a-z]{4,12})\b", quoted)))
    return next((match for match in found if match is not None), None)


class _Arguments:
    """What stands behind a command's name."""

    def __init__(self, words: tuple[str, ...], incoming: Incoming) -> None:
        named, self.others = _named(words)
        self.incoming = incoming
        self.words = words
        self.confirmed = any(word.casefold() in _YES for word in words)
        self.match = named or _quoted_match(incoming.quoted)

    def strange(self, command: str, word: str) -> NotUnderstood:
        """What comes of a *command* with a *word* that it does not know."""
        return NotUnderstood(self.incoming.text[:MOVE_LENGTH], command=command, word=word[:MOVE_LENGTH])


def _challenge(arguments: _Arguments) -> Command:
    wanted = Challenge(opponent=next(iter(arguments.incoming.mentions), None))
    numbers: list[int] = []
    for typed in arguments.words:
        word = typed.strip(",;")
        folded = word.casefold()
        if folded.startswith("@") and wanted.opponent is not None:
            continue
        if (name := _USERNAME.fullmatch(word)) is not None:
            wanted = replace(wanted, username=name[1].lower())
        elif folded in _COMPUTER:
            wanted = replace(wanted, computer=ANY_LEVEL)
        elif folded in _NO_PIE or folded in _WITHOUT:
            wanted = replace(wanted, pie=False)
        elif folded in _PIE:
            wanted = replace(wanted, pie=wanted.pie is None or wanted.pie)
        elif folded in _OPEN:
            continue
        elif folded in _THREAD:
            wanted = replace(wanted, thread=True)
        elif (size := _SIZE.fullmatch(folded)) is not None:
            numbers.append(int(size[1]))
        elif (game := game_key(folded)) and not wanted.game:
            wanted = replace(wanted, game=game)
        elif not arguments.incoming.mentions:
            return arguments.strange("challenge", typed)
    for number in numbers:
        # No board that is offered is so small: beside the computer it is a level.
        if wanted.computer and number in LEVELS:
            wanted = replace(wanted, computer=number)
        elif wanted.size is None:
            wanted = replace(wanted, size=number)
        else:
            return arguments.strange("challenge", str(number))
    return wanted


def game_key(name: str) -> str:
    """The key of the game called *name*, or the empty string."""
    try:
        return find_game(name).key
    except UnknownGameError:
        return ""


def _move(arguments: _Arguments) -> Command:
    text = " ".join(arguments.others)
    if (command := _swap_or_pass(text, arguments.match)) is not None:
        return command
    return Move(text, arguments.match) if len(text) <= MOVE_LENGTH else NotUnderstood(text[:MOVE_LENGTH])


def _rules(arguments: _Arguments) -> Command:
    wanted = arguments.words[0] if arguments.words else ""
    return Rules(game_key(wanted) or shown_name(wanted[:40]))


def _settings(arguments: _Arguments) -> Command:
    if not arguments.words:
        return Settings()
    key = _SETTINGS.get(arguments.words[0].casefold(), "")
    value = arguments.words[1].casefold()[:64] if len(arguments.words) > 1 else ""
    person = next(iter(arguments.incoming.mentions), None)
    if not key:
        return arguments.strange("settings", arguments.words[0])
    if key in ("language", "my-language"):
        value = _LANGUAGE_NAMES.get(value, value)
    elif key == "theme":
        value = _THEME_NAMES.get(value, value)
    elif key in _SWITCHES:
        value = "on" if value in _ON else "off" if value in _OFF else value
    return Settings(key, value, person)


_COMMANDS: Final[Mapping[str, Callable[[_Arguments], Command]]] = MappingProxyType(
    {
        "start": lambda a: Start(a.words[0][:64] if a.words else ""),
        "challenge": _challenge,
        "accept": lambda a: Accept(a.match),
        "decline": lambda a: Decline(a.match),
        "cancel": lambda a: Cancel(a.match),
        "move": _move,
        "m": _move,
        "board": lambda a: ShowBoard(a.match),
        "moves": lambda a: Moves(a.match),
        "pass": lambda a: Pass(a.match, confirmed=a.confirmed),
        "swap": lambda a: Swap(a.match),
        "resign": lambda a: Resign(a.match, a.confirmed),
        "draw": lambda a: Offer(OfferKind.DRAW, a.match),
        "takeback": lambda a: Offer(OfferKind.TAKEBACK, a.match),
        "games": lambda _: Games(),
        "next": lambda _: Next(),
        "replay": lambda a: Replay(a.match),
        "export": lambda a: Export(a.match),
        "hint": lambda a: Hint(a.match),
        "lookback": lambda a: LookBack(a.match),
        "rules": _rules,
        "settings": _settings,
        "help": lambda _: Help(),
        "abort": lambda a: Abort(a.match, a.confirmed),
        "rematch": lambda a: Rematch(a.match),
        "mydata": lambda _: MyData(),
        "forget": lambda a: Forget(a.confirmed),
    }
)

COMMANDS: Final = tuple(_COMMANDS)
"""The names of all commands, in the order in which they are offered."""
