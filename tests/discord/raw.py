"""Requests as bytes: a client that can say anything, for what the real one would never say."""

from __future__ import annotations

import asyncio
import io
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import aiohttp

from tests.discord.people import Person
from tests.discord.server import DiscordServer
from tests.discord.world import Channel, Interaction

JSON = dict[str, Any]


def button(label: str = "Move", **changes: object) -> JSON:
    return {"type": 2, "style": 1, "label": label, "custom_id": label.lower()} | changes


def menu(count: int = 3, **changes: object) -> JSON:
    options = [{"label": f"b{number}", "value": f"v{number}"} for number in range(count)]
    return {"type": 3, "custom_id": "unit", "options": options} | changes


def row(*components: JSON) -> JSON:
    return {"type": 1, "components": list(components)}


def text_input(**changes: object) -> JSON:
    return {"type": 4, "custom_id": "move", "style": 1, "label": "Move"} | changes


@dataclass(slots=True)
class Table:
    """A channel with Ana and the bot, and a plain HTTP client that speaks for the bot."""

    service: DiscordServer
    ana: Person
    channel: Channel
    http: aiohttp.ClientSession
    waiting: asyncio.Future[Interaction] = field(default_factory=asyncio.Future)

    async def send(self, method: str, path: str, body: object, files: Mapping[str, bytes] | None = None) -> int:
        """The code of the refusal, or 0."""
        headers = {"Authorization": f"Bot {self.service.token}", "User-Agent": "DiscordBot (https://example.org, 1)"}
        url = f"{self.service.url}/api/v10{path}"
        data: aiohttp.FormData | bytes = json.dumps(body).encode()
        if files is None:
            headers["Content-Type"] = "application/json"
        else:
            data = aiohttp.FormData(quote_fields=False)
            data.add_field("payload_json", json.dumps(body), content_type="application/json")
            for number, (name, content) in enumerate(files.items()):
                data.add_field(f"files[{number}]", io.BytesIO(content), filename=name, content_type="image/png")
        async with self.http.request(method, url, data=data, headers=headers) as response:
            if response.status < 300:
                return 0
            answer: JSON = await response.json()
            return int(answer["code"] or response.status)

    async def post(self, body: JSON, channel: Channel | None = None) -> int:
        """A message into the channel."""
        return await self.send("POST", f"/channels/{(channel or self.channel).id}/messages", body)

    async def press(self) -> Interaction:
        """Ana presses a button that nobody has answered yet."""
        message = self.service.planted_message(self.channel, "", [row(button())])
        count = len(self.service.world.interactions)
        self.waiting = asyncio.ensure_future(self.ana.press(message, "Move"))
        await self.service.until(lambda: len(self.service.world.interactions) > count)
        return list(self.service.world.interactions.values())[-1]

    async def answer(self, interaction: Interaction, kind: int, data: JSON | None = None) -> int:
        """The callback of an interaction."""
        body = {"type": kind} if data is None else {"type": kind, "data": data}
        return await self.send("POST", f"/interactions/{interaction.id}/{interaction.token}/callback", body)

    def webhook(self, interaction: Interaction) -> str:
        """The address of its followups."""
        return f"/webhooks/{self.service.world.application_id}/{interaction.token}"
