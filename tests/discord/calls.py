"""A request to the API and its reply, apart from HTTP; and the trouble that a test plants for the next ones."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tests.discord.messages import Upload


@dataclass(frozen=True, slots=True)
class Call:
    """A request. *operation* is its name in Discord's description (``create_message``), *body* its JSON."""

    operation: str
    parameters: Mapping[str, str]
    query: Mapping[str, str]
    body: Any
    uploads: tuple[Upload, ...]

    def number(self, name: str) -> int:
        """The id in the address."""
        text = self.parameters[name]
        return int(text) if text.isdecimal() else 0


@dataclass(frozen=True, slots=True)
class Reply:
    """What the API says to a request that it takes."""

    status: int
    body: Any = None


@dataclass(slots=True)
class Logged:
    """A request that arrived; *status* is 0 until it was answered, or if the connection was cut."""

    call: Call
    at: float
    status: int = 0
    code: int = 0


@dataclass(frozen=True, slots=True)
class Fault:
    """Trouble for one request.

    It waits *seconds*; then, unless *status* and *cut* are unset, it answers so instead, or cuts the connection; if
    *after* is True the request has been done all the same.
    """

    seconds: float = 0.0
    status: int = 0
    code: int = 0
    message: str = ""
    retry_after: float | None = None
    is_global: bool = False
    cut: bool = False
    after: bool = False

    @property
    def replaces(self) -> bool:
        """True if the client does not get the true reply."""
        return bool(self.status) or self.cut


def too_many(retry_after: float = 0.2, *, is_global: bool = False) -> Fault:
    """429: wait *retry_after* seconds, on this route or (*is_global*) on all."""
    return Fault(status=429, message="You are being rate limited.", retry_after=retry_after, is_global=is_global)


def bad_gateway(*, after: bool = False) -> Fault:
    """502, as a proxy says it: no JSON."""
    return Fault(status=502, after=after)


def refusal(status: int, code: int, message: str) -> Fault:
    """A refusal of `tests.discord.refusals`: ``refusal(*MISSING_ACCESS)``."""
    return Fault(status=status, code=code, message=message)


def slow(seconds: float) -> Fault:
    """The request is done, but late."""
    return Fault(seconds=seconds)


def cut(*, after: bool = False) -> Fault:
    """The connection breaks before (or *after*) the request was done."""
    return Fault(cut=True, after=after)


@dataclass(slots=True)
class Faults:
    """What is planted. Each fault hits the next requests of its operation, in the order of planting."""

    _planted: list[tuple[str, Fault]] = field(default_factory=list)

    def plant(self, operation: str, fault: Fault, times: int = 1) -> None:
        """Let *fault* hit the next *times* requests of *operation* (``*``: of any)."""
        self._planted += [(operation, fault)] * times

    def take(self, operation: str) -> Fault | None:
        """The fault for this request, which is then used up; None if there is none."""
        for index, (name, fault) in enumerate(self._planted):
            if name in ("*", operation):
                del self._planted[index]
                return fault
        return None

    @property
    def are_used_up(self) -> bool:
        """True if every planted fault has struck."""
        return not self._planted
