"""The real discord.py against the loopback server: what the other tests build on."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from typing import Any

import discord
import pytest
from discord import app_commands

from tests.discord.server import DiscordServer


class Echo(discord.Client):
    """A bot that answers everything at once."""

    def __init__(self) -> None:
        super().__init__(intents=discord.Intents.default(), guild_ready_timeout=0.1)
        self.tree = app_commands.CommandTree(self)
        self.heard: list[discord.Message] = []
        self.events: list[str] = []
        self.pressed: list[discord.Interaction] = []

        @self.tree.command(name="move", description="Make a move")
        async def move(interaction: discord.Interaction, move: str, opponent: discord.User | None = None) -> None:
            who = "" if opponent is None else f" against {opponent.display_name}"
            await interaction.response.send_message(f"{interaction.locale}: {move}{who}", view=view())

        @move.autocomplete("move")
        async def suggest(_: discord.Interaction, current: str) -> list[app_commands.Choice[str]]:
            return [app_commands.Choice(name=current + one, value=current + one) for one in "abc"]

    async def setup_hook(self) -> None:
        await self.tree.sync()

    async def on_message(self, message: discord.Message) -> None:
        self.heard.append(message)

    async def on_resumed(self) -> None:
        self.events.append("resumed")

    async def on_interaction(self, interaction: discord.Interaction) -> None:
        if interaction.type is discord.InteractionType.component:
            assert interaction.data is not None
            match interaction.data.get("custom_id"):
                case "defer":
                    await interaction.response.defer(ephemeral=True, thinking=True)
                    await interaction.followup.send("later", ephemeral=True)
                case "modal":
                    await interaction.response.send_modal(Form())
                case "choose":
                    chosen: Any = interaction.data
                    await interaction.response.edit_message(content=str(chosen["values"]), view=None)
                case "silent":
                    self.pressed.append(interaction)
                case other:
                    await interaction.response.send_message(f"pressed {other}", ephemeral=True)
                    await interaction.followup.send("and more", ephemeral=True)
        elif interaction.type is discord.InteractionType.modal_submit:
            form: Any = interaction.data
            await interaction.response.send_message(f"sent {form['custom_id']}")


class Form(discord.ui.Modal, title="Your move"):
    """One line to type in."""

    move: discord.ui.TextInput[Form] = discord.ui.TextInput(label="Move", custom_id="move", max_length=5)

    def __init__(self) -> None:
        super().__init__(custom_id="form")


def view() -> discord.ui.View:
    view = discord.ui.View(timeout=None)
    for name in ("defer", "modal", "silent", "plain"):
        view.add_item(discord.ui.Button(label=name.title(), custom_id=name))
    options = [discord.SelectOption(label=one, value=one) for one in "xyz"]
    view.add_item(discord.ui.Select(custom_id="choose", options=options, max_values=2))
    return view


@contextlib.asynccontextmanager
async def running(service: DiscordServer) -> AsyncIterator[Echo]:
    with service.pointed():
        async with Echo() as bot:
            task = asyncio.ensure_future(bot.start(service.token))
            await service.until(lambda: bot.is_ready() or task.done())
            if task.done():
                task.result()
            yield bot
            await bot.close()
            await task


async def test_a_command_its_buttons_and_a_modal(service: DiscordServer) -> None:
    ana, bo = service.person("Ana", "es-ES"), service.person("Бо", "ru")
    channel = service.channel(service.guild("Casa", ana, bo))
    async with running(service):
        seen = await ana.slash(channel, "move", move="b1b2", opponent=bo)
        assert (seen.text, seen.is_private) == ("es-ES: b1b2 against Бо", False)
        assert await bo.autocomplete(channel, "move", "move", "b") == ["ba", "bb", "bc"]
        board = channel.last
        pressed = await bo.press(board, "Plain")
        assert [one.content for one in pressed.answers] == ["pressed plain", "and more"][: len(pressed.answers)]
        assert pressed.is_private
        assert bo.can_see(pressed.first)
        assert not ana.can_see(pressed.first)
        form = await bo.press(board, "Modal")
        assert (await bo.submit(form, {"move": "b1b2"})).text == "sent form"
        deferred = await ana.press(board, "Defer")
        assert (deferred.text, deferred.is_private) == ("later", True)
        chosen = await ana.select(board, "choose", "x", "z")
        assert chosen.updated
        assert (board.content, board.pressables) == ("['x', 'z']", [])
        assert [one.content for one in channel.public] == ["['x', 'z']", "sent form"]


async def test_content_is_hidden_unless_it_is_meant_for_the_bot(service: DiscordServer) -> None:
    ana = service.person("Ana")
    channel = service.channel(service.guild("Casa", ana))
    async with running(service) as bot:
        board = await channel_of(bot, channel.id).send("board")
        ana.say(channel, "just talking")
        ana.say(channel, f"{service.mention} b1b2")
        ana.say(channel, "c1c2", reply_to=channel.public[0])
        ana.say(service.dm(ana), "d1d2")
        await service.until(lambda: len(bot.heard) == 5)
        assert [one.content for one in bot.heard[1:]] == ["", f"{service.mention} b1b2", "c1c2", "d1d2"]
        reference = bot.heard[3].reference
        assert reference is not None
        assert reference.message_id == board.id


def channel_of(bot: discord.Client, id_: int) -> discord.TextChannel:
    channel = bot.get_channel(id_)
    assert isinstance(channel, discord.TextChannel)
    return channel


async def test_a_dropped_gateway_is_resumed_and_nothing_is_missed(service: DiscordServer) -> None:
    ana = service.person("Ana")
    channel = service.channel(service.guild("Casa", ana))
    async with running(service) as bot:
        service.gateway.drop()
        ana.say(channel, f"{service.mention} while you were away")
        await service.until(lambda: bot.heard, 20)
        assert bot.events == ["resumed"]
        assert len(service.gateway.identified) == 1
        service.gateway.ask_to_reconnect()
        await service.until(lambda: len(bot.events) == 2, 20)


async def test_twenty_press_at_once(service: DiscordServer) -> None:
    people = [service.person(f"P{number}") for number in range(20)]
    channel = service.channel(service.guild("Casa", *people))
    async with running(service):
        await people[0].slash(channel, "move", move="b1b2")
        board = channel.last
        seen = await asyncio.gather(*(one.press(board, "Plain") for one in people))
        assert {one.text for one in seen} == {"pressed plain"}
        assert {one.first.only_for for one in seen} == {one.user for one in people}


async def test_what_is_not_acknowledged_in_time_is_unknown(service: DiscordServer) -> None:
    ana = service.person("Ana")
    channel = service.channel(service.guild("Casa", ana))
    service.world.acknowledge_within = 0.3
    async with running(service) as bot:
        await ana.slash(channel, "move", move="b1b2")
        seen = await ana.press(channel.last, "Silent")
        assert seen.failed
        with pytest.raises(discord.NotFound) as caught:
            await bot.pressed[0].response.defer()
        assert caught.value.code == 10062
