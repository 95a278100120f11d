"""The real client for tests that ask the server by hand: what its messages may hold, and what it hears."""

from __future__ import annotations

import io

from PIL import Image
from telegram import InlineKeyboardButton, InlineKeyboardMarkup, Update
from telegram.ext import ExtBot

Client = ExtBot[None]
BUTTONS = InlineKeyboardMarkup(
    [[InlineKeyboardButton("Move", callback_data="g:kfwt:1"), InlineKeyboardButton("Pass", callback_data="p")]]
)


def png(width: int = 64, height: int = 48, shade: int = 40) -> bytes:
    """A picture of one shade."""
    data = io.BytesIO()
    Image.new("L", (width, height), shade).save(data, "PNG")
    return data.getvalue()


async def hear(client: Client, offset: int = 0, kinds: list[str] | None = None) -> list[Update]:
    """What there is now."""
    return list(await client.get_updates(offset=offset, timeout=0, allowed_updates=kinds))
