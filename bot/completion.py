"""What can still be typed: legal moves, one's own matches, sizes. Asks the store and changes nothing."""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Sequence
from typing import Final

from bot.finding import Finder, Found
from bot.messages import Incoming, Moves
from bot.pages import Reader
from bot.payload import match_id
from bot.ports import Choice, Clock
from bot.present import Presenter
from bot.replies import WhichMatch
from bot.request import Request
from bot.texts import supported
from rules import GAMES, find_game
from rules.core import AmbiguousMoveError, MoveError, Position, UnknownGameError
from rules.notation import LONGEST, PASS_WORDS, folded
from rules.record import Record
from storage.base import ChatSettings, DamagedRecordError, MatchId, Profile, Store, StoredMatch

KEPT: Final = 64
"""Positions whose moves are remembered, since people type one letter after the other."""

_CELL: Final = re.compile(r"([a-z]+)(\d*)")
_Known = tuple[tuple[tuple[str, str], str], ...]


class Completion:
    """Implements `bot.ports.Complete`; *language* is the one of those whose platform names none that is known."""

    def __init__(self, store: Store, presenter: Presenter, clock: Clock, *, language: str) -> None:
        self._store = store
        self._finder = Finder(store)
        self._presenter = presenter
        self._clock = clock
        self._language = language
        self._known: OrderedDict[tuple[MatchId, int], _Known] = OrderedDict()

    async def moves(self, incoming: Incoming, match: str = "", limit: int = 25) -> tuple[Choice, ...]:
        """See `bot.ports.Complete`."""
        if len(incoming.text) > LONGEST:
            return ()
        named = match_id(match.strip()) if match.strip() else None
        if match.strip() and named is None:
            return ()
        matches = await self._waiting(incoming, named)
        choices: list[Choice] = []
        for stored in matches:
            texts = self._fitting(stored, incoming.text)
            if len(matches) == 1:
                choices.extend(Choice(text, text) for text in texts[:limit])
            else:
                choices.extend(Choice(f"{text} · #{stored.id}", f"{text} {stored.id}") for text in texts[:limit])
        return tuple(choices[:limit])

    async def matches(self, incoming: Incoming, limit: int = 25) -> tuple[Choice, ...]:
        """See `bot.ports.Complete`."""
        profile = await self._store.profile(incoming.person.id)
        language = profile.language or supported(incoming.language) or self._language
        reader = Reader(incoming.person.id, incoming.place, language, "light")
        live = await self._finder.load_all(await self._finder.mine(incoming))
        ended = await self._finder.load_all(await self._store.matches_of(incoming.person.id, live=False), limit)
        typed = incoming.text.strip().removeprefix("#").casefold()
        labelled = [(self._presenter.match_label(reader, stored), stored.id) for stored in (*live, *ended)]
        first = [one for one in labelled if one[1].startswith(typed)]
        then = [one for one in labelled if one not in first and typed in one[0].casefold()]
        return tuple(Choice(label, match) for label, match in (*first, *then)[:limit])

    def sizes(self, game: str, typed: str = "") -> tuple[int, ...]:
        """See `bot.ports.Complete`."""
        try:
            games = [find_game(game)] if game else list(GAMES.values())
        except UnknownGameError:
            return ()
        sizes = sorted({size for one in games for size in one.sizes})
        return tuple(size for size in sizes if str(size).startswith(typed.strip()))

    async def _waiting(self, incoming: Incoming, named: MatchId | None) -> Sequence[StoredMatch]:
        """The match that a move would go to, or those between which its mover would be asked to choose."""
        request = Request(incoming, "", self._clock.now_ms() // 1000, ChatSettings(), Profile())
        try:
            found = await self._finder.find(Moves(named), request)
        except DamagedRecordError:
            return ()  # whoever sends the move is told
        if isinstance(found, Found):
            return [found.stored] if found.stored.match.person_to_move == request.me else []
        return [stored for stored, _ in found.choices] if isinstance(found, WhichMatch) else []

    def _fitting(self, stored: StoredMatch, typed: str) -> list[str]:
        """The legal moves that *typed* may become: as it is read first, then what begins so, then what holds it."""
        known = self._moves_of(stored)
        begun = folded(typed)
        passing = bool(begun) and any(word.startswith(begun) for word in map(folded, PASS_WORDS))
        read = _read(stored.match.record, typed)
        first = [
            text
            for writings, text in known
            if any(writing.startswith(begun) for writing in writings) or (passing and text == "pass")
        ]
        then = [text for writings, text in known if begun in writings[0]]
        return list(dict.fromkeys((*read, *first, *then)))

    def _moves_of(self, stored: StoredMatch) -> _Known:
        key = (stored.id, stored.version)
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = in_cell_order(stored.match.record.position)
            if len(self._known) > KEPT:
                self._known.popitem(last=False)
        self._known.move_to_end(key)
        return known


def in_cell_order(position: Position) -> _Known:
    """All legal moves by their cells (the letter, then the number as a number): each text with its folded writings."""
    known = []
    for move in position.legal_moves():
        text, moved = position.write(move), position.change(move).moved
        by_goal = folded("".join(moved[0])) if moved else ""
        known.append((_order(text), (folded(text), by_goal), text))
    return tuple((writings, text) for _, writings, text in sorted(known))


def _order(text: str) -> tuple[bool, tuple[tuple[str, int], ...]]:
    cells = tuple((letters, int(number or 0)) for letters, number in _CELL.findall(text))
    return any(not number for _, number in cells), cells


def _read(record: Record, typed: str) -> tuple[str, ...]:
    """The move that *typed* already is, in whatever writing."""
    if not typed.strip():
        return ()
    try:
        return (record.position.write(record.read(typed)),)
    except AmbiguousMoveError:
        return ()  # they begin as it was typed, or hold it
    except MoveError:
        return ()
