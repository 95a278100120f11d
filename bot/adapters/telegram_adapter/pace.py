"""How fast Telegram may be sent to: each chat for itself, and all together.

Telegram's own figures (Bots FAQ, "My bot is hitting limits"): about 20 messages a minute in a group, one a second in a
private chat with short bursts, 30 a second in all. Editing counts. A chat that asks to wait is left alone; the others
are not.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Rate:
    """So many sends in so many seconds."""

    sends: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Limits:
    """What one chat takes: a *group*, or a *private* chat."""

    group: Rate = Rate(20, 60.0)
    private: Rate = Rate(20, 20.0)

    def of(self, chat: int) -> Rate:
        """What *chat* takes."""
        return self.group if is_group(chat) else self.private


NO_LIMITS: Final = Limits(Rate(1_000_000, 1.0), Rate(1_000_000, 1.0))
"""For measuring."""

SPARE: Final = 6
"""So many sends to a group are kept free of what can wait, for new boards."""

BURST: Final = 2
"""How many may follow each other at once in the stream of all sends."""

_FORGOTTEN_AT: Final = 5_000
"""From so many chats on, those that were not sent to of late are forgotten."""


def is_group(chat: int) -> bool:
    """True for a group's id: those of private chats are positive."""
    return chat < 0


_USUAL: Final = Limits()


class Pace:
    """Knows how long to wait; *per_second* is the limit of all sends together. *now*: a clock that never goes back."""

    def __init__(self, per_second: float, limits: Limits = _USUAL, now: Callable[[], float] = time.monotonic) -> None:
        self._interval = 1 / per_second
        self._limits = limits
        self._now = now
        self._sent: dict[int, deque[float]] = {}
        self._blocked: dict[int, float] = {}
        self._next = float("-inf")

    def wait(self, chat: int, spare: int = 0) -> float:
        """Seconds until *chat* may be sent to, and *spare* times more; 0 if it may now."""
        now = self._now()
        blocked = self._blocked.get(chat, now) - now
        rate, sent, full = self._limits.of(chat), self._sent.get(chat, ()), 0.0
        if len(sent) > (first := len(sent) - rate.sends + spare) >= 0:
            full = sent[first] + rate.seconds - now
        return max(0.0, blocked, full)

    def take(self, chat: int) -> None:
        """Note that *chat* is sent to now."""
        now = self._now()
        self._sent.setdefault(chat, deque(maxlen=self._limits.of(chat).sends)).append(now)
        if len(self._sent) > _FORGOTTEN_AT:
            self._sent = {
                known: times for known, times in self._sent.items() if times[-1] > now - self._limits.of(known).seconds
            }
            self._blocked = {known: until for known, until in self._blocked.items() if until > now}

    def block(self, chat: int, seconds: float) -> None:
        """Leave *chat* alone for so long."""
        self._blocked[chat] = max(self._blocked.get(chat, 0.0), self._now() + seconds)

    async def turn(self) -> None:
        """Return when it is the caller's turn among all sends, in the order of the calls."""
        now = self._now()
        self._next = max(self._next, now - BURST * self._interval) + self._interval
        if (delay := self._next - now) > 0:
            await asyncio.sleep(delay)

    async def chat_turn(self, chat: int, spare: int = 0) -> None:
        """Return when *chat* may be sent to, *spare* times more, and it is the caller's turn; that counts as sent."""
        while (delay := self.wait(chat, spare)) > 0:  # noqa: ASYNC110 - nothing but the time ends this wait
            await asyncio.sleep(delay)
        self.take(chat)
        await self.turn()
