"""A Discord on the loopback interface, for the real discord.py: gateway, API, and a world for tests to act in.

    async with DiscordServer() as service:
        ana, bo = service.person("Ana", locale="es-ES"), service.person("Бо", locale="ru")
        guild = service.guild("Casa", ana, bo)
        channel = service.channel(guild, "games")
        with service.pointed():                       # discord.py now talks to this server
            ...start the bot with `service.token`; `await service.until(lambda: service.gateway.connections)`...
            seen = await ana.slash(channel, "challenge", opponent=bo)
            await bo.press(channel.last, "Accept")
            service.faults.plant("create_message", too_many(0.3))     # trouble for the next request of a route
    assert service.wrong == []                        # requests that Discord's own rules forbid

Changes of the world (`deny`, `archive`, `leave`, …) are told to the bot as Discord tells them. What a route is called
stands in `tests.discord.routes`, what people can do in `tests.discord.people`, trouble in `tests.discord.calls`; the
gateway's own (`drop`, `ask_to_reconnect`, `invalidate`) in `tests.discord.gateway`. `tests.discord.bot_process` points
a bot in another process here.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable, Iterator
from typing import Any, Final, Self

import discord
import yarl
from aiohttp import web

from tests.discord.gateway import Gateway
from tests.discord.messages import Desk, Event
from tests.discord.payloads import channel_json, guild_json, member_json, role_json, user_json
from tests.discord.people import Person, deliver
from tests.discord.rest import Rest
from tests.discord.routes import GUILDS_INTENT, dm_of, tell_channel
from tests.discord.world import (
    EVERYBODY_MAY,
    Channel,
    ChannelKind,
    Guild,
    Interaction,
    Member,
    Message,
    Overwrite,
    Role,
    User,
    World,
)

JSON = dict[str, Any]

TOKEN: Final = "MTIzNDU2Nzg5MDEyMzQ1Njc4.Loopback.not-a-real-token-of-anybody-at-all"
_MEMBERS_INTENT: Final = 1 << 1


@contextlib.contextmanager
def pointed_at(url: str) -> Iterator[None]:
    """Let discord.py of this process talk to the server at *url* (``http://127.0.0.1:1234``)."""
    route, socket = discord.http.Route, discord.gateway.DiscordWebSocket
    before = route.BASE, socket.DEFAULT_GATEWAY
    route.BASE = f"{url}/api/v10"
    socket.DEFAULT_GATEWAY = yarl.URL(url.replace("http", "ws", 1)) / "gateway"
    try:
        yield
    finally:
        route.BASE, socket.DEFAULT_GATEWAY = before


class DiscordServer:
    """The service; see the module's docstring. *token* is the one that it takes."""

    def __init__(self) -> None:
        self.token = TOKEN
        self.world = World()
        self.gateway = Gateway(self.world, TOKEN)
        self.desk = Desk(self.world, self.gateway.emit)
        self.rest = Rest(self.desk, TOKEN)
        self.faults = self.rest.faults
        self.requests = self.rest.requests
        self.wrong = self.rest.wrong
        self._runner: web.AppRunner | None = None
        self.url = ""

    async def __aenter__(self) -> Self:
        app = web.Application(client_max_size=64 * 1024 * 1024)
        app.router.add_route("*", "/api/v10/{path:.+}", self.rest.handle)
        app.router.add_get("/attachments/{id}/{name}", self.rest.attachment)
        app.router.add_get("/gateway", self.gateway.handle)
        app.router.add_get("/gateway/", self.gateway.handle)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.2)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", 0).start()
        host, port = self._runner.addresses[0][:2]
        self.url = self.desk.base = f"http://{host}:{port}"
        self.gateway.url = self.rest.gateway_url = f"ws://{host}:{port}/gateway"
        return self

    async def __aexit__(self, *_: object) -> None:
        self.gateway.drop()
        assert self._runner is not None
        await self._runner.cleanup()

    def pointed(self) -> contextlib.AbstractContextManager[None]:
        """While this lasts, discord.py talks to this server."""
        return pointed_at(self.url)

    async def until(self, condition: Callable[[], object], seconds: float = 20.0, *, quiet: bool = False) -> None:
        """Wait for *condition*; unless *quiet*, fail if it does not come true."""
        end = time.monotonic() + seconds
        while not condition():
            if time.monotonic() > end:
                assert quiet, f"not within {seconds} s; wrong requests: {self.wrong}"
                return
            await asyncio.sleep(0.003)

    def sent(self, operation: str) -> int:
        """How many requests of a route arrived (as `tests.discord.routes` calls it)."""
        return sum(one.call.operation == operation for one in self.requests)

    @property
    def mention(self) -> str:
        """How the bot is named in a text so that it pings."""
        return f"<@{self.world.bot.id}>"

    # ---- people and places -------------------------------------------------------------------------------------------

    def person(self, name: str, locale: str = "en-US", *, has_app: bool = False, is_bot: bool = False) -> Person:
        """Somebody new; *has_app*: the app is installed for the person himself."""
        user = User(self.world.new_id(), name, f"user{len(self.world.users)}", is_bot, locale, has_app=has_app)
        self.world.users[user.id] = user
        return Person(self, user)

    def guild(
        self,
        name: str,
        *people: Person,
        locale: str = "en-US",
        has_bot: bool = True,
        bot_may: discord.Permissions | None = None,
        everybody_may: discord.Permissions = EVERYBODY_MAY,
        shard: tuple[int, int] | None = None,
    ) -> Guild:
        """A server with *people*, owned by somebody else. *bot_may* is what the bot's own role adds.

        *shard* (number, of how many) asks for an id that belongs there.
        """
        id_ = self.world.new_id()
        while shard is not None and (id_ >> 22) % shard[1] != shard[0]:
            id_ += 1 << 22
        owner = self.person(f"owner of {name}")
        guild = Guild(id_, name, locale, owner.user)
        guild.roles[id_] = Role(id_, "@everyone", everybody_may)
        self.world.guilds[id_] = guild
        for person in (owner, *people):
            self.join(guild, person)
        if has_bot:
            self.invite_bot(guild, bot_may)
        return guild

    def invite_bot(self, guild: Guild, bot_may: discord.Permissions | None = None) -> None:
        """Put the bot into a server, with a role of its own."""
        bot = self.world.bot
        role = Role(self.world.new_id(), bot.name, bot_may or discord.Permissions.none(), managed_by=bot.id)
        guild.roles[role.id] = role
        guild.members[bot.id] = Member(bot, [role])
        self._emit("GUILD_CREATE", guild_json(self.world, guild), guild)

    def channel(self, guild: Guild, name: str = "games", kind: ChannelKind = ChannelKind.TEXT) -> Channel:
        """A new channel."""
        channel = Channel(self.world.new_id(), kind, name, guild)
        self.world.channels[channel.id] = channel
        tell_channel(self.desk, channel, "CHANNEL_CREATE")
        return channel

    def thread(self, parent: Channel, name: str = "a match", owner: Person | None = None) -> Channel:
        """A new public thread that a person began."""
        assert parent.guild is not None
        user = parent.guild.owner if owner is None else owner.user
        thread = Channel(self.world.new_id(), ChannelKind.PUBLIC_THREAD, name, parent.guild, parent, user)
        self.world.channels[thread.id] = thread
        tell_channel(self.desk, thread, "THREAD_CREATE")
        return thread

    def dm(self, person: Person) -> Channel:
        """The direct messages of a person with the bot."""
        return dm_of(self.desk, person.id)

    def group_dm(self, *people: Person) -> Channel:
        """A chat of people without the bot, where one who has the app can use it."""
        channel = Channel(self.world.new_id(), ChannelKind.GROUP_DM, recipients=tuple(one.user for one in people))
        self.world.channels[channel.id] = channel
        return channel

    # ---- changes -----------------------------------------------------------------------------------------------------

    def _emit(self, name: str, data: JSON, guild: Guild, intent: int = GUILDS_INTENT) -> None:
        if self.world.is_member(guild, self.world.bot) or name == "GUILD_DELETE":
            self.gateway.emit(Event(name, data, guild.id, intent))

    def join(self, guild: Guild, person: Person) -> None:
        """A person comes into a server."""
        guild.members[person.id] = Member(person.user, [])
        data = {**member_json(guild.members[person.id]), "guild_id": str(guild.id)}
        self._emit("GUILD_MEMBER_ADD", data, guild, _MEMBERS_INTENT)

    def leave(self, guild: Guild, person: Person) -> None:
        """A person leaves a server: the bot is told only with the members intent."""
        del guild.members[person.id]
        data = {"guild_id": str(guild.id), "user": user_json(person.user)}
        self._emit("GUILD_MEMBER_REMOVE", data, guild, _MEMBERS_INTENT)

    def remove_bot(self, guild: Guild) -> None:
        """The bot is put out of a server."""
        member = guild.members.pop(self.world.bot.id)
        for role in member.roles:
            guild.roles.pop(role.id)
        self._emit("GUILD_DELETE", {"id": str(guild.id)}, guild)

    def outage(self, guild: Guild) -> None:
        """Discord loses sight of a server: a GUILD_DELETE that is none."""
        guild.available = False
        self._emit("GUILD_DELETE", {"id": str(guild.id), "unavailable": True}, guild)

    def recover(self, guild: Guild) -> None:
        """The outage is over."""
        guild.available = True
        self._emit("GUILD_CREATE", guild_json(self.world, guild), guild)

    def permit(self, channel: Channel, who: Person | User | Role | None, **values: bool | None) -> None:
        """Allow (True), deny (False) or leave open (None) permissions in a channel, for somebody or (None) for all.

        `service.permit(channel, service.world.bot, attach_files=False)`
        """
        assert channel.guild is not None
        overwrite = channel.overwrites.setdefault(channel.guild.id if who is None else who.id, Overwrite())
        for name, value in values.items():
            setattr(overwrite.allow, name, value is True)
            setattr(overwrite.deny, name, value is False)
        tell_channel(self.desk, channel, "CHANNEL_UPDATE")

    def change_role(self, guild: Guild, role: Role, **values: bool) -> None:
        """Change what a role gives in the whole server; `guild.roles[guild.id]` is @everyone."""
        role.permissions = discord.Permissions(role.permissions.value)
        role.permissions.update(**values)
        data = {"guild_id": str(guild.id), "role": role_json(role, list(guild.roles).index(role.id))}
        self._emit("GUILD_ROLE_UPDATE", data, guild)

    def archive(self, thread: Channel, *, archived: bool = True, locked: bool = False) -> None:
        """Archive (and lock) a thread, or fetch it back."""
        thread.archived, thread.locked = archived, locked
        tell_channel(self.desk, thread, "THREAD_UPDATE")

    def delete_channel(self, channel: Channel) -> None:
        """Delete a channel or a thread."""
        assert channel.guild is not None
        data = channel_json(self.world, channel)
        for one in [one for one in self.world.channels.values() if one.parent is channel]:
            del self.world.channels[one.id]
        del self.world.channels[channel.id]
        self._emit("THREAD_DELETE" if channel.is_thread else "CHANNEL_DELETE", data, channel.guild)

    def delete(self, message: Message) -> None:
        """Somebody deletes a message."""
        self.desk.delete(message)

    def deliver(self, interaction: Interaction) -> None:
        """Tell the bot of an interaction; a second time, Discord delivers it once more."""
        deliver(self, interaction)

    def planted_message(self, channel: Channel, content: str, components: list[dict[str, object]]) -> Message:
        """A message of the bot's from an earlier life: with buttons of any kind."""
        return self.desk.post(channel, {"content": content, "components": components}, ())
