"""Trouble that tests plant, and the limits on how much a bot may write."""

from __future__ import annotations

import math
from collections import defaultdict, deque
from dataclasses import dataclass, field
from typing import Final

from tests.telegram.model import Chat
from tests.telegram.refusals import RefusedError

_USUAL: Final = {
    401: "Unauthorized",
    403: "Forbidden: bot was blocked by the user",
    404: "Not Found",
    409: "Conflict: terminated by other getUpdates request; make sure that only one bot instance is running",
    500: "Internal Server Error",
    502: "Bad Gateway",
}


@dataclass(frozen=True, slots=True)
class Fault:
    """What happens to a call: an *error*, a *cut* connection, a *delay*. *after*: it takes effect all the same."""

    error: RefusedError | None = None
    cut: bool = False
    delay: float = 0.0
    after: bool = False


def refuse(code: int, text: str = "", *, after: bool = False, retry_after: int = 0, migrate_to: int = 0) -> Fault:
    """An error answer; its usual text if none is given."""
    parameters = {}
    if retry_after:
        code, text, parameters = 429, f"Too Many Requests: retry after {retry_after}", {"retry_after": retry_after}
    if migrate_to:
        text = "Bad Request: group chat was upgraded to a supergroup chat"
        parameters = {"migrate_to_chat_id": migrate_to}
    return Fault(RefusedError(code, text or _USUAL[code], parameters), after=after)


def cut(*, after: bool = False) -> Fault:
    """A connection that breaks, before or *after* the call took effect."""
    return Fault(cut=True, after=after)


def slow(seconds: float, *, after: bool = False) -> Fault:
    """A call that takes its time before it takes effect, or *after*; it does so even if nobody waits for it."""
    return Fault(delay=seconds, after=after)


@dataclass(slots=True, eq=False)
class Planted:
    """A fault that waits for its call; *hits* is how often it struck."""

    fault: Fault
    method: str
    chat: Chat | None
    left: int
    hits: int = 0

    def takes(self, method: str, chat_id: object) -> bool:
        """Whether it strikes this call; counts it then."""
        named = self.method == method.lower() or (self.method == "*" and method != "getUpdates")
        wanted = named and (self.chat is None or self.chat.id == chat_id)
        if not wanted or not self.left:
            return False
        self.left -= 1
        self.hits += 1
        return True


@dataclass(slots=True)
class Rates:
    """How much may be written: *group* sends and edits in a group within *window* seconds, *overall* a second.

    https://core.telegram.org/bots/faq#my-bot-is-hitting-limits-how-do-i-avoid-this
    """

    group: int = 20
    window: float = 60.0
    overall: int = 30
    _groups: dict[int, deque[float]] = field(default_factory=lambda: defaultdict(deque))
    _all: deque[float] = field(default_factory=deque)

    def take(self, chat: Chat, now: float) -> None:
        """Count one.

        :raises RefusedError: 429 if it is too much; it does not count then.
        """
        limits = [(self._all, self.overall, 1.0)]
        if chat.kind in ("group", "supergroup"):
            limits.append((self._groups[chat.id], self.group, self.window))
        for times, most, window in limits:
            while times and times[0] <= now - window:
                times.popleft()
            if len(times) >= most:
                seconds = max(1, math.ceil(times[0] + window - now))
                text = f"Too Many Requests: retry after {seconds}"
                raise RefusedError(429, text, {"retry_after": seconds})
        for times, _, _ in limits:
            times.append(now)
