"""Chats as people see them: what a chat was told of each match in it."""

from __future__ import annotations

from dataclasses import dataclass, field

from rules import GAMES
from rules.core import MoveError
from rules.match import SWAP
from rules.record import Record
from tests.faults.wire import Sent
from tests.faults.wording import Wording


def playing_ply(sent: Sent) -> int | None:
    """The ply that the buttons of a board are made for; None if the match is not being played."""
    for payload in sent.buttons:
        letter, *fields = payload.split("|")
        if letter == "g":
            return int(fields[1])
    return None


def letters(sent: Sent) -> set[str]:
    """The kinds of the message's buttons."""
    return {payload.partition("|")[0] for payload in sent.buttons}


@dataclass(slots=True)
class Table:
    """A match as a chat was told of it. *tokens* is None once a move was missed."""

    match: str
    version: int = 0
    ply: int | None = None
    to_move: str = ""
    newest: Sent | None = None
    tokens: list[str] | None = field(default_factory=list)
    _record: Record | None = None

    def hear(self, sent: Sent, wording: Wording) -> None:
        """The newest board of the match, or an older one that came late."""
        version = int(sent.key.rpartition(":")[2])
        if version <= self.version:
            return
        self.version, self.newest = version, sent
        self.ply, self.to_move = playing_ply(sent), wording.to_move(sent)
        told = wording.told(sent)
        if self.ply is None or self.tokens is None:
            return
        known = self.ply - len(told)
        self.tokens = [*self.tokens[:known], *told] if known <= len(self.tokens) else None

    @property
    def is_challenge(self) -> bool:
        """True if somebody may accept."""
        return self.newest is not None and "a" in letters(self.newest)

    @property
    def is_live(self) -> bool:
        """True for a challenge and a match that is being played."""
        return self.ply is not None or self.is_challenge

    @property
    def may_swap(self) -> bool:
        """True if the person to move may swap sides."""
        return self.newest is not None and "s" in letters(self.newest)

    @property
    def record(self) -> Record | None:
        """The game so far; None if the chat was told too little, or something impossible."""
        if self.tokens is None or self.newest is None or self.newest.picture is None:
            return None
        moves = [token for token in self.tokens if token != SWAP]
        board = self.newest.picture
        record = self._record
        if record is None or len(record.moves) > len(moves):
            record = Record.opening(GAMES[board.game], board.size)
        try:
            for text in moves[len(record.moves) :]:
                record = record.play(record.read(text))
        except MoveError:
            return None
        self._record = record
        return record


class Chat:
    """What is to be seen in a chat."""

    def __init__(self, name: str, wording: Wording) -> None:
        self.name = name
        self.tables: dict[str, Table] = {}
        self.boards: list[Sent] = []
        self._wording = wording

    def hear(self, sent: Sent) -> None:
        """A board has arrived."""
        self.boards.append(sent)
        self.tables.setdefault(sent.match, Table(sent.match)).hear(sent, self._wording)
