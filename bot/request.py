"""A command's surroundings, as the service needs them."""

from __future__ import annotations

from dataclasses import dataclass

from bot.messages import Incoming
from rules.actions import PersonId
from storage.base import ChatSettings, Profile


@dataclass(frozen=True, slots=True)
class Request:
    """A command's surroundings: the update, its operation id, the time (seconds), and what was chosen here."""

    incoming: Incoming
    operation: str
    now: int
    chat: ChatSettings
    profile: Profile

    @property
    def me(self) -> PersonId:
        """Who asks."""
        return self.incoming.person.id
