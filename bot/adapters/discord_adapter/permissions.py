"""What the bot must be allowed where it plays. Nothing else is ever asked for."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

import discord

NEEDED: Final[Mapping[str, str]] = MappingProxyType(
    {"view_channel": "view-channel", "send_messages": "send-messages", "attach_files": "attach-files"}
)
"""Discord's names of the rights, and those of the catalogs (``permission.<name>``)."""

NEEDED_IN_THREADS: Final[Mapping[str, str]] = MappingProxyType(
    {"view_channel": "view-channel", "send_messages_in_threads": "send-in-threads", "attach_files": "attach-files"}
)
FOR_A_THREAD: Final = ("create_public_threads", "send_messages_in_threads")

INVITED_WITH: Final = discord.Permissions(
    view_channel=True,
    send_messages=True,
    send_messages_in_threads=True,
    create_public_threads=True,
    attach_files=True,
)
"""What the invite link asks for."""


def invite_link(application: int | str) -> str:
    """Where whoever manages a server invites the bot."""
    scopes = "bot+applications.commands"
    query = f"client_id={application}&scope={scopes}&permissions={INVITED_WITH.value}"
    return f"https://discord.com/oauth2/authorize?{query}"


def lacking(permissions: discord.Permissions, *, in_thread: bool) -> tuple[str, ...]:
    """The rights that playing needs and *permissions* do not hold, by their names in the catalogs."""
    needed = NEEDED_IN_THREADS if in_thread else NEEDED
    return tuple(name for right, name in needed.items() if not getattr(permissions, right))
