"""What people do on Discord, and what they see of the answers: for tests to read like a story.

    seen = await ana.slash(channel, "move", move="b1b2")
    assert seen.is_private and "not your turn" in seen.text
    await ana.press(channel.last, "Pass")
    names = await ana.autocomplete(channel, "move", "move", "b1")
    form = await ana.press(channel.last, "Type a move")
    await ana.submit(form, {"move": "b1b2"})
    ana.say(channel, f"{service.mention} b1b2")

Every action checks that a person could do it: the command is synced, the option exists, the button is there and not
disabled, he is in the channel. It returns when the app has acknowledged, a deferred answer when it is filled.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from tests.discord.messages import Event, said
from tests.discord.payloads import interaction_json, member_json, user_json
from tests.discord.world import (
    Answer,
    Channel,
    ChannelKind,
    Interaction,
    InteractionKind,
    Message,
    Pressable,
    User,
    walk_components,
)

if TYPE_CHECKING:
    from tests.discord.server import DiscordServer

JSON = dict[str, Any]

_TEXT, _WHOLE, _TRUTH, _PERSON, _NUMBER = 3, 4, 5, 6, 10
_BUTTON, _TEXT_MENU, _TEXT_INPUT, _PEOPLE_MENU, _ROW, _LABEL = 2, 3, 4, 5, 1, 18
_PATIENCE = 15.0


class Person:
    """Somebody with an account."""

    def __init__(self, service: DiscordServer, user: User) -> None:
        self._service = service
        self.user = user

    @property
    def id(self) -> int:
        """The account's id."""
        return self.user.id

    @property
    def mention(self) -> str:
        """How the person is named in a text so that it pings."""
        return f"<@{self.user.id}>"

    def __repr__(self) -> str:
        return f"Person({self.user.name})"

    # ---- commands ----------------------------------------------------------------------------------------------------

    async def slash(self, channel: Channel, name: str, **options: object) -> Interaction:
        """Use a command; *name* may hold subcommands (``settings language``), a value may be a `Person`."""
        command, path = self._command(channel, name)
        described = _described(command, path)
        unknown = set(options) - {one["name"] for one in described}
        assert not unknown, f"/{name} has no option {', '.join(unknown)}"
        missing = [one["name"] for one in described if one.get("required") and one["name"] not in options]
        assert not missing, f"/{name} needs {', '.join(missing)}"
        given = [self._option(one, options[one["name"]]) for one in described if one["name"] in options]
        data = self._data(command, path, given)
        people = [one for one in options.values() if isinstance(one, Person)]
        if people:
            data["resolved"] = self._resolved(channel, people)
        return await self._act(InteractionKind.COMMAND, channel, data)

    async def autocomplete(self, channel: Channel, name: str, option: str, typed: str, **others: object) -> list[str]:
        """The values that are suggested while *typed* stands in *option*; none if the app is late."""
        return [choice["value"] for choice in await self.suggestions(channel, name, option, typed, **others)]

    async def suggestions(
        self, channel: Channel, name: str, option: str, typed: str, **others: object
    ) -> list[dict[str, Any]]:
        """The same with their names: ``{"name": …, "value": …}``."""
        command, path = self._command(channel, name)
        described = {one["name"]: one for one in _described(command, path)}
        assert described[option].get("autocomplete"), f"/{name} {option} has no autocompletion"
        given = [self._option(described[key], value) for key, value in others.items()]
        given.append({"name": option, "type": described[option]["type"], "value": typed, "focused": True})
        data = self._data(command, path, given)
        return (await self._act(InteractionKind.AUTOCOMPLETE, channel, data)).choices

    def _command(self, channel: Channel, name: str) -> tuple[JSON, list[str]]:
        first, *path = name.split()
        synced = {one["name"]: one for one in self._service.world.commands}
        assert first in synced, f"/{first} is not synced, but {', '.join(synced) or 'nothing'}"
        command = synced[first]
        world = self._service.world
        is_dm = channel.kind is ChannelKind.DM
        context = 0 if channel.guild is not None else 1 if is_dm else 2
        contexts = command["contexts"]
        assert contexts is None or context in contexts, f"/{first} does not show in the context {context}"
        of_guild = world.is_member(channel.guild, world.bot) and 0 in command["integration_types"]
        of_user = self.user.has_app and 1 in command["integration_types"]
        assert is_dm or of_guild or of_user, f"/{first} does not show: neither the server nor the person has the app"
        return command, path

    def _data(self, command: JSON, path: Sequence[str], given: list[JSON]) -> JSON:
        options = given
        for depth, word in enumerate(reversed(path), 1):
            options = [{"name": word, "type": 1 if depth == 1 else 2, "options": options}]
        return {"id": command["id"], "name": command["name"], "type": command["type"], "options": options}

    @staticmethod
    def _option(described: JSON, value: object) -> JSON:
        types: dict[int, type] = {_TEXT: str, _WHOLE: int, _TRUTH: bool, _PERSON: Person, _NUMBER: float}
        assert isinstance(value, types[described["type"]]), f"{described['name']}: {value!r} has the wrong type"
        choices = [choice["value"] for choice in described.get("choices") or ()]
        assert not choices or value in choices, f"{described['name']}: {value!r} is none of {choices}"
        if isinstance(value, str):
            least, most = described.get("min_length") or 0, described.get("max_length") or 6000
            assert least <= len(value) <= most, f"{described['name']}: not {least} to {most} characters"
        plain = str(value.id) if isinstance(value, Person) else value
        return {"name": described["name"], "type": described["type"], "value": plain}

    @staticmethod
    def _resolved(channel: Channel, people: Sequence[Person]) -> JSON:
        resolved: JSON = {"users": {str(one.id): user_json(one.user) for one in people}}
        if channel.guild is not None:
            members = [channel.guild.members[one.id] for one in people if one.id in channel.guild.members]
            resolved["members"] = {
                str(one.user.id): {**member_json(one, with_user=False), "permissions": "0"} for one in members
            }
        return resolved

    # ---- components --------------------------------------------------------------------------------------------------

    async def press(self, message: Message, button: str) -> Interaction:
        """Press the button that is labelled *button*, or has it as custom_id."""
        found = self._find(message, button)
        data = {"custom_id": found.custom_id, "component_type": _BUTTON, "id": 1}
        return await self._act(InteractionKind.COMPONENT, message.channel, data, message)

    async def press_custom_id(self, message: Message, custom_id: str) -> Interaction:
        """Press a button that is not there (any more): an old window may still show it."""
        data = {"custom_id": custom_id, "component_type": _BUTTON, "id": 1}
        return await self._act(InteractionKind.COMPONENT, message.channel, data, message)

    async def select(self, message: Message, menu: str, *values: str | Person) -> Interaction:
        """Choose *values* (or what is labelled so) in the menu with this custom_id or placeholder."""
        found = self._find(message, menu)
        assert len(values) <= found.max_values, f"{menu}: at most {found.max_values}"
        data: JSON = {"custom_id": found.custom_id, "component_type": _TEXT_MENU, "id": 1}
        people = [one for one in values if isinstance(one, Person)]
        if people:
            data |= {"component_type": _PEOPLE_MENU, "resolved": self._resolved(message.channel, people)}
            data["values"] = [str(one.id) for one in people]
        else:
            by_label = dict(found.options)
            data["values"] = [by_label.get(str(one), one) for one in values]
            assert set(data["values"]) <= set(by_label.values()), f"{menu}: {values} not in {found.options}"
        return await self._act(InteractionKind.COMPONENT, message.channel, data, message)

    def _find(self, message: Message, name: str) -> Pressable:
        assert self.can_see(message), f"{self} does not see the message"
        there = [one for one in message.pressables if name in (one.label, one.custom_id)]
        assert there, f"no {name!r} among {[one.label for one in message.pressables]}"
        assert not there[0].disabled, f"{name!r} is disabled"
        return there[0]

    async def submit(self, form: Interaction, fields: Mapping[str, str | Sequence[str]]) -> Interaction:
        """Send the modal that *form* was answered with; *fields* by custom_id, others stay as they were filled in."""
        assert form.modal is not None, f"no modal, but {form.answer}"
        inputs = {one["custom_id"]: one for one in walk_components(form.modal["components"]) if "custom_id" in one}
        assert set(fields) <= set(inputs), f"the modal has {', '.join(inputs)}"
        components = [_submitted(one, fields) for one in form.modal["components"]]
        data = {"custom_id": form.modal["custom_id"], "components": components}
        return await self._act(InteractionKind.MODAL, form.channel, data, form.message)

    # ---- messages ----------------------------------------------------------------------------------------------------

    def say(self, channel: Channel, text: str, reply_to: Message | None = None) -> Message:
        """Write a message, or a reply (with the ping on)."""
        world = self._service.world
        permissions = world.permissions(channel, self.user)
        assert permissions.send_messages_in_threads if channel.is_thread else permissions.send_messages
        message = said(world, channel, self.user, text, None if reply_to is None else reply_to.id)
        if channel.archived:
            self._service.archive(channel, archived=False)
        self._service.desk.publish(message)
        return message

    def can_see(self, message: Message) -> bool:
        """True if the message is still there and shown to this person."""
        is_there = message in message.channel.messages
        allowed = self._service.world.permissions(message.channel, self.user).view_channel
        return is_there and allowed and message.only_for in (None, self.user)

    # ---- underneath --------------------------------------------------------------------------------------------------

    async def _act(
        self, kind: InteractionKind, channel: Channel, data: JSON, message: Message | None = None
    ) -> Interaction:
        world = self._service.world
        permissions = world.permissions(channel, self.user)
        assert permissions.view_channel, f"{self} cannot see {channel.name}"
        assert channel.guild is None or permissions.use_application_commands, f"{self} may not use apps here"
        interaction = Interaction(world.new_id(), secrets.token_hex(30), kind, self.user, channel, data, message)
        world.interactions[interaction.id] = interaction
        interaction.sent_at = time.monotonic()
        self._service.deliver(interaction)
        await self._service.until(lambda: interaction.answer is not None, world.acknowledge_within + 0.2, quiet=True)
        if interaction.answer is Answer.DEFERRED:
            await self._service.until(lambda: _is_settled(interaction), _PATIENCE, quiet=True)
        return interaction


def _is_settled(interaction: Interaction) -> bool:
    """True if the deferred answer has come, or was taken back."""
    return not interaction.first.loading or interaction.first not in interaction.channel.messages


def deliver(service: DiscordServer, interaction: Interaction) -> None:
    """Tell the gateway of an interaction: the first time, or once more."""
    world, guild = service.world, interaction.channel.guild
    shard_of = guild.id if guild is not None and world.is_member(guild, world.bot) else None
    data = interaction_json(world, interaction, service.desk.base)
    service.gateway.emit(Event("INTERACTION_CREATE", data, shard_of, 0))


def _described(command: JSON, path: Sequence[str]) -> list[JSON]:
    options: list[JSON] = command.get("options") or []
    for word in path:
        (inner,) = [one for one in options if one["name"] == word]
        options = inner.get("options") or []
    return options


def _submitted(component: JSON, fields: Mapping[str, str | Sequence[str]]) -> JSON:
    """A component of a modal as it comes back."""
    kind = component["type"]
    if kind == _ROW:
        return {"type": kind, "id": 1, "components": [_submitted(one, fields) for one in component["components"]]}
    if kind == _LABEL:
        return {"type": kind, "id": 1, "component": _submitted(component["component"], fields)}
    if "custom_id" not in component:
        return {"type": kind, "id": 1}
    name = component["custom_id"]
    plain: JSON = {"type": kind, "id": 1, "custom_id": name}
    required = component.get("required", True)
    if kind == _TEXT_INPUT:
        text = fields.get(name, component.get("value") or "")
        assert isinstance(text, str), f"{name} is a text"
        least, most = component.get("min_length") or int(required), component.get("max_length") or 4000
        assert least <= len(text) <= most or not (text or required), f"{name}: not {least} to {most} characters"
        return {**plain, "value": text}
    defaults = [one["value"] for one in component.get("options", ()) if one.get("default")]
    values = list(fields.get(name, defaults))
    assert values or not required, f"{name} is required"
    assert set(values) <= {one["value"] for one in component.get("options", ())}
    return {**plain, "values": values}
