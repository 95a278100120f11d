"""The real discord.py against the loopback server: what the other tests build on."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from typing import Any

import aiohttp
import discord
import pytest
from discord import app_commands

from tests.discord.calls import Fault, bad_gateway, cut, refusal, slow, too_many
from tests.discord.refusals import CLOSED_DM, MISSING_ACCESS
from tests.discord.server import DiscordServer


class Echo(discord.Client):
    """A bot that answers everything at once."""

    def __init__(self, intents: discord.Intents, shard: tuple[int | None, int | None]) -> None:
        number, count = shard
        super().__init__(intents=intents, shard_id=number, shard_count=count, guild_ready_timeout=0.1)
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

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """Identify at once: the service does not count."""

    async def on_message(self, message: discord.Message) -> None:
        self.heard.append(message)

    async def on_guild_available(self, guild: discord.Guild) -> None:
        self.events.append(f"{guild.name} is back")

    async def on_guild_unavailable(self, guild: discord.Guild) -> None:
        self.events.append(f"{guild.name} is not to be seen")

    async def on_guild_remove(self, guild: discord.Guild) -> None:
        self.events.append(f"out of {guild.name}")

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
async def running(
    service: DiscordServer,
    intents: discord.Intents | None = None,
    shard: tuple[int | None, int | None] = (None, None),
) -> AsyncIterator[Echo]:
    with service.pointed():
        async with Echo(intents or discord.Intents.default(), shard) as bot:
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
        assert bot.events[-1] == "resumed"
        assert len(service.gateway.identified) == 1
        service.gateway.ask_to_reconnect()
        await service.until(lambda: bot.events.count("resumed") == 2, 20)


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


async def test_an_interaction_that_comes_twice_is_acknowledged_once(service: DiscordServer) -> None:
    ana = service.person("Ana")
    channel = service.channel(service.guild("Casa", ana))
    async with running(service):
        await ana.slash(channel, "move", move="b1b2")
        pressed = await ana.press(channel.last, "Modal")
        service.deliver(pressed)
        await service.until(lambda: [one.code for one in service.requests][-1] == 40060)
        assert service.sent("create_interaction_response") == 3


@pytest.mark.parametrize(
    ("fault", "caught", "arrived"),
    [
        (too_many(0.05), None, 1),
        (too_many(0.05, is_global=True), None, 1),
        (bad_gateway(), None, 1),
        (bad_gateway(after=True), None, 1),
        (slow(0.05), None, 1),
        (refusal(*MISSING_ACCESS), discord.Forbidden, 0),
        (refusal(*CLOSED_DM), discord.Forbidden, 0),
        (cut(), aiohttp.ClientError, 0),
        (cut(after=True), aiohttp.ClientError, 1),
    ],
    ids=str,
)
async def test_trouble_hits_the_next_request(
    service: DiscordServer, fault: Fault, caught: type[Exception] | None, arrived: int
) -> None:
    channel = service.channel(service.guild("Casa"))
    async with running(service) as bot:
        service.faults.plant("create_message", fault)
        with contextlib.nullcontext() if caught is None else pytest.raises(caught):
            await channel_of(bot, channel.id).send("x")
        assert len(channel.messages) == arrived
        assert service.faults.are_used_up


async def test_what_happens_to_a_server_is_told(service: DiscordServer) -> None:
    guild = service.guild("Casa")
    async with running(service) as bot:
        (seen,) = bot.guilds
        channel = service.channel(guild)
        thread = service.thread(channel)
        await service.until(lambda: bot.get_channel(thread.id))
        assert channel_of(bot, channel.id).permissions_for(seen.me).attach_files
        service.permit(channel, service.world.bot, attach_files=False)
        await service.until(lambda: not channel_of(bot, channel.id).permissions_for(seen.me).attach_files)
        service.change_role(guild, guild.roles[guild.id], send_messages=False)
        await service.until(lambda: not channel_of(bot, channel.id).permissions_for(seen.me).send_messages)
        service.archive(thread, locked=True)
        await service.until(lambda: bot.get_channel(thread.id) is None)
        service.delete_channel(channel)
        await service.until(lambda: bot.get_channel(channel.id) is None)
        service.outage(guild)
        service.recover(guild)
        service.remove_bot(guild)
        await service.until(lambda: "out of Casa" in bot.events)
        assert bot.events[-3:] == ["Casa is not to be seen", "Casa is back", "out of Casa"]


async def test_a_session_that_cannot_be_resumed_begins_anew(service: DiscordServer) -> None:
    service.guild("Casa")
    async with running(service):
        service.gateway.invalidate()
        await service.until(lambda: len(service.gateway.identified) == 2, 20)


async def test_an_event_goes_to_the_shard_of_its_server(service: DiscordServer) -> None:
    ana = service.person("Ana")
    first, second = (service.channel(service.guild(f"G{n}", ana, shard=(n, 2))) for n in range(2))
    async with running(service, shard=(1, 2)) as bot:
        assert [guild.name for guild in bot.guilds] == ["G1"]
        assert service.gateway.identified[0]["shard"] == [1, 2]
        ana.say(first, f"{service.mention} first")
        ana.say(service.dm(ana), "to the first shard alone")
        ana.say(second, f"{service.mention} second")
        await service.until(lambda: bot.heard)
        assert [one.content for one in bot.heard] == [f"{service.mention} second"]


@pytest.mark.parametrize(
    ("intents", "shard", "caught"),
    [
        (discord.Intents.all(), (None, None), discord.PrivilegedIntentsRequired),
        (discord.Intents.default(), (2, 2), discord.ConnectionClosed),
    ],
)
async def test_what_the_gateway_refuses(
    service: DiscordServer, intents: discord.Intents, shard: tuple[int | None, int | None], caught: type[Exception]
) -> None:
    with pytest.raises(caught):
        async with running(service, intents, shard):
            pass
    assert service.gateway.closed


async def test_a_wrong_token_does_not_log_in(service: DiscordServer) -> None:
    service.token = "other"
    with pytest.raises(discord.LoginFailure):
        async with running(service):
            pass
    assert service.wrong.pop().startswith("get_my_user: 401")


async def test_heartbeats_are_answered(service: DiscordServer) -> None:
    service.gateway.heartbeat_seconds = 0.1
    async with running(service) as bot:
        await service.until(lambda: service.gateway.heartbeats >= 3)
        assert bot.latency < 60
        assert len(service.gateway.identified) == 1


async def test_a_person_brings_the_app_where_the_bot_is_no_member(service: DiscordServer) -> None:
    ana = service.person("Ana", has_app=True)
    elsewhere = service.guild("Elsewhere", ana, has_bot=False)
    channel, group = service.channel(elsewhere), service.group_dm(ana, service.person("Eva"))
    async with running(service):
        with pytest.raises(AssertionError, match="does not show"):
            await ana.slash(channel, "move", move="b1b2")
        for command in service.world.commands:
            command |= {"integration_types": [0, 1], "contexts": [0, 1, 2]}
        assert not (await ana.slash(channel, "move", move="b1b2")).is_private
        assert (await ana.slash(group, "move", move="b1b2")).text == "en-US: b1b2"
        assert (await ana.press(channel.last, "Plain")).text == "pressed plain"
        service.change_role(elsewhere, elsewhere.roles[elsewhere.id], use_external_apps=False)
        assert (await ana.slash(channel, "move", move="b1b2")).is_private
