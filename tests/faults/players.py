"""People who play as fast as they can, and not carefully: they tap twice, press old buttons, and race each other."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from bot.messages import Move
from bot.payload import encode
from rules.core import Position
from storage.base import MatchId
from tests.faults.loopback import Message, Platform
from tests.faults.tables import Chat, Table
from tests.faults.wire import Sent, Update
from tests.faults.wording import Wording

NAMES: Final = (
    "Ana", "Бо", "Carla", "Diego", "Ева", "Fatima", "Goran", "Hana", "Иво", "João", "Kira", "Lin",
    "Мила", "Noor", "Óscar", "Petra", "Quim", "Рада", "Sven", "Tomás", "Уля", "Vera", "Wen", "Zoe",
)  # fmt: skip
PATIENCE_SECONDS: Final = 4.0
"""When somebody whose move has led to nothing tries again."""

WANTED: Final = ("ayu 9 nopie", "ayu 9 pie", "volo 6")
NEVER_PRESSED: Final = frozenset({"x", "w", "t", "d"})
"""Buttons that end matches without a move, or change settings."""


@dataclass(slots=True)
class Player:
    """Somebody in some chats. *inbox* are the answers that nobody else sees."""

    id: str
    name: str
    language: str
    chats: Sequence[Chat]
    inbox: list[Sent]
    acted: dict[tuple[str, int], float]


@dataclass(frozen=True, slots=True)
class Size:
    """How many people there are in how many chats, and how many live matches they want in each of them."""

    people: int = 24
    chats: int = 12
    live: int = 4


class Crowd:
    """All players on *platform*; they do something every *pause* seconds on average."""

    def __init__(self, platform: Platform, rng: random.Random, size: Size, pause: float) -> None:
        self._platform = platform
        self._rng = rng
        self._live = size.live
        self._pause = pause
        self._stopped = asyncio.Event()
        wording = Wording()
        self.chats = {f"chat{number}": Chat(f"chat{number}", wording) for number in range(size.chats)}
        chats = list(self.chats.values())
        self.players = {
            f"loop:p{number}": Player(
                id=f"loop:p{number}",
                name=name,
                language=("en", "es", "ru")[number % 3],
                chats=(chats[number % size.chats], chats[(number * 5 + 1) % size.chats]),
                inbox=[],
                acted={},
            )
            for number, name in enumerate(NAMES[: size.people])
        }
        platform.hear = self._hear

    def _hear(self, message: Message) -> None:
        sent = message.sent
        if sent.board:
            self.chats[sent.chat].hear(sent)
        elif sent.only_for in self.players:
            self.players[sent.only_for].inbox.append(sent)

    async def play(self) -> None:
        """Play until `stop`."""
        async with asyncio.TaskGroup() as group:
            for player in self.players.values():
                group.create_task(self._play(player))

    def stop(self) -> None:
        """Nobody does anything any more."""
        self._stopped.set()

    async def _play(self, player: Player) -> None:
        while not self._stopped.is_set():
            self._act(player)
            await asyncio.sleep(self._rng.expovariate(1 / self._pause))

    # ---- what to do --------------------------------------------------------------------------------------------------

    def _act(self, player: Player) -> None:
        if player.inbox and self._happens(0.8):
            self._go_on(player)
        elif self._happens(0.06):
            self._press_an_old_button(player)
        elif self._happens(0.03):
            self._say(player, self._rng.choice(player.chats), self._rng.choice(("/games", "/moves", "/board", "/next")))
        else:
            waiting = [
                (chat, table) for chat in player.chats for table in chat.tables.values() if self._may(player, table)
            ]
            if waiting:
                self._move(player, *self._rng.choice(waiting))
            else:
                self._begin(player, self._rng.choice(player.chats))

    def _may(self, player: Player, table: Table) -> bool:
        """True if it is his turn as far as he knows, and he has not just done something about it."""
        if table.ply is None or table.to_move != player.id:
            return False
        return time.monotonic() - player.acted.get((table.match, table.ply), 0.0) > PATIENCE_SECONDS

    def _go_on(self, player: Player) -> None:
        """Press a button of the newest answer: a step of a guided move, a confirmation, a choice."""
        answer = player.inbox.pop()
        player.inbox.clear()
        self._press_one_of(player, answer)

    def _press_an_old_button(self, player: Player) -> None:
        boards = self._rng.choice(player.chats).boards
        if boards:
            self._press_one_of(player, self._rng.choice(boards[-30:]))

    def _press_one_of(self, player: Player, sent: Sent) -> None:
        allowed = [payload for payload in sent.buttons if _is_allowed(payload)]
        rare = [payload for payload in allowed if payload[0] not in "roRve"]
        chosen = allowed if self._happens(0.05) else rare
        if chosen:
            self._press(player, sent.chat, self._rng.choice(chosen))

    def _begin(self, player: Player, chat: Chat) -> None:
        """Accept what is open, or see to it that there is something to play."""
        challenges = [table for table in chat.tables.values() if table.is_challenge]
        if challenges and self._happens(0.5):
            match = self._rng.choice(challenges).match
            if self._happens(0.5):
                self._press(player, chat.name, f"a|{match}")
            else:
                # From another chat, which becomes one of the match's places.
                self._say(player, self._rng.choice(player.chats), f"/accept {match}")
        elif sum(table.is_live for table in chat.tables.values()) < self._live and self._happens(0.2):
            ended = [table for table in chat.tables.values() if not table.is_live]
            if ended and self._happens(0.4):
                self._press(player, chat.name, f"R|{self._rng.choice(ended).match}")
            else:
                self._say(player, chat, f"/challenge {self._rng.choice(WANTED)}")

    def _move(self, player: Player, chat: Chat, table: Table) -> None:
        """Move at this table, in one of the ways there are; sometimes twice, or in two ways at once."""
        assert table.ply is not None
        player.acted[table.match, table.ply] = time.monotonic()
        if table.may_swap and self._happens(0.4):
            self._twice(lambda: self._press(player, chat.name, f"s|{table.match}|{table.ply}"))
            return
        record = table.record
        if record is None or record.outcome is not None or self._happens(0.15):
            self._press(player, chat.name, f"g|{table.match}|{table.ply}")
            return
        move = self._choose(record.position)
        if move == "pass":
            self._press(player, chat.name, f"p|{table.match}|{table.ply}")
            return
        self._twice(lambda: self._make(player, chat, table, move))
        if self._happens(0.1):
            self._make(player, chat, table, self._choose(record.position))

    def _make(self, player: Player, chat: Chat, table: Table, move: str) -> None:
        if move == "pass":
            return
        chance = self._rng.random()
        if chance < 0.35:
            self._say(player, chat, f"{move} {table.match}", move)
        elif chance < 0.5:
            self._say(player, chat, f"/move {move} {table.match}", move)
        elif chance < 0.65:
            self._say(player, chat, move, move, quoted=f"#{table.match}")
        elif chance < 0.85:
            self._say(player, chat, move, move)  # whichever match it is for
        else:
            self._press(player, chat.name, encode(Move(move, MatchId(table.match), table.ply, confirmed=True)))

    def _choose(self, position: Position) -> str:
        moves = [text for text in map(position.write, position.legal_moves()) if text != "pass"]
        return self._rng.choice(sorted(moves)) if moves else "pass"

    def _twice(self, deed: Callable[[], None]) -> None:
        """Done once, or tapped twice."""
        deed()
        if self._happens(0.12):
            deed()

    # ---- how it is done ----------------------------------------------------------------------------------------------

    def _say(self, player: Player, chat: Chat, text: str, move: str = "", *, quoted: str = "") -> None:
        update = self._update(player, chat.name)
        self._platform.submit(replace(update, text=text, quoted=quoted), move)

    def _press(self, player: Player, chat: str, payload: str) -> None:
        self._platform.submit(replace(self._update(player, chat), payload=payload))

    def _update(self, player: Player, chat: str) -> Update:
        return Update("", chat, player.id, player.name, language=player.language)

    def _happens(self, probability: float) -> bool:
        return self._rng.random() < probability


def _is_allowed(payload: str) -> bool:
    letter, *fields = payload.split("|")
    return letter not in NEVER_PRESSED and "takeback" not in fields
