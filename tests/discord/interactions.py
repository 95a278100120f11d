"""The routes by which an app answers interactions: the callback, and the webhook that the interaction's token opens.

Source: https://discord.com/developers/docs/interactions/receiving-and-responding.
"""

from __future__ import annotations

import time
from typing import Any, Final

from tests.discord import command_limits, limits
from tests.discord.calls import Call, Reply
from tests.discord.messages import Desk
from tests.discord.payloads import EPHEMERAL, message_json
from tests.discord.refusals import (
    ALREADY_ACKNOWLEDGED,
    INVALID_BODY,
    NO_MORE_FOLLOWUPS,
    UNKNOWN_INTERACTION,
    UNKNOWN_MESSAGE,
    UNKNOWN_WEBHOOK,
    Refused,
)
from tests.discord.world import Answer, Interaction, InteractionKind, Message, World

JSON = dict[str, Any]

_MESSAGE, _DEFERRED, _DEFERRED_UPDATE, _UPDATE, _CHOICES, _MODAL = 4, 5, 6, 7, 8, 9
_ANSWERS: Final = {
    _MESSAGE: Answer.MESSAGE,
    _DEFERRED: Answer.DEFERRED,
    _DEFERRED_UPDATE: Answer.DEFERRED_UPDATE,
    _UPDATE: Answer.UPDATE,
    _CHOICES: Answer.CHOICES,
    _MODAL: Answer.MODAL,
}
_FOLLOWUPS_OF_A_STRANGER: Final = 5


def _allowed(interaction: Interaction) -> frozenset[int]:
    """The types of callback that suit what the person did."""
    match interaction.kind:
        case InteractionKind.AUTOCOMPLETE:
            return frozenset({_CHOICES})
        case InteractionKind.COMMAND:
            return frozenset({_MESSAGE, _DEFERRED, _MODAL})
        case InteractionKind.COMPONENT:
            return frozenset({_MESSAGE, _DEFERRED, _DEFERRED_UPDATE, _UPDATE, _MODAL})
        case InteractionKind.MODAL:
            shown = {_DEFERRED_UPDATE, _UPDATE} if interaction.message is not None else set()
            return frozenset({_MESSAGE, _DEFERRED, *shown})


def acknowledge(desk: Desk, call: Call) -> Reply:
    """``create_interaction_response``: once for each interaction, within three seconds."""
    interaction = desk.world.interactions.get(call.number("interaction_id"))
    if interaction is None or interaction.token != call.parameters["interaction_token"]:
        raise Refused(*UNKNOWN_INTERACTION)
    seconds = time.monotonic() - interaction.sent_at
    if interaction.answer is not None:
        raise Refused(*ALREADY_ACKNOWLEDGED)
    if seconds > desk.world.acknowledge_within:
        raise Refused(*UNKNOWN_INTERACTION)
    kind, data = call.body["type"], call.body.get("data") or {}
    if kind not in _allowed(interaction):
        raise Refused(*INVALID_BODY, f"type: {kind} does not answer a {interaction.kind.name.lower()}")
    message = _take(desk, interaction, call, kind, data)
    interaction.answer, interaction.seconds = _ANSWERS[kind], seconds
    if call.query.get("with_response", "").lower() not in ("1", "true"):
        return Reply(204)
    about: JSON = {"id": str(interaction.id), "type": int(interaction.kind)}
    resource: JSON = {"type": kind}
    if message is not None:
        about["response_message_id"] = str(message.id)
        about["response_message_loading"] = message.loading
        about["response_message_ephemeral"] = message.is_private
        resource["message"] = message_json(message, desk.base)
    return Reply(200, {"interaction": about, "resource": resource})


def _take(desk: Desk, interaction: Interaction, call: Call, kind: int, data: JSON) -> Message | None:
    match kind:
        case int() if kind == _MESSAGE:
            return desk.answer(interaction, data, call.uploads)
        case int() if kind == _DEFERRED:
            return _defer(desk, interaction, data)
        case int() if kind == _UPDATE:
            assert interaction.message is not None
            if data or call.uploads:
                desk.edit(interaction.message, data, call.uploads, by_answer=True)
            interaction.updated = True
            return interaction.message
        case int() if kind == _CHOICES:
            choices = data.get("choices") or []
            problems = command_limits.problems_of_suggestions(choices, _focused(interaction.data["options"])["type"])
            if problems:
                raise Refused(*INVALID_BODY, *problems)
            interaction.choices = choices
        case int() if kind == _MODAL:
            problems = limits.problems_of_modal(data)
            if problems:
                raise Refused(*INVALID_BODY, *problems)
            interaction.modal = data
    return None


def _focused(options: list[JSON]) -> JSON:
    for option in options:
        if option.get("focused"):
            return option
        if option.get("options"):
            return _focused(option["options"])
    raise AssertionError("autocompletion without a focused option")


def _defer(desk: Desk, interaction: Interaction, data: JSON) -> Message:
    """The message that says that the app is thinking."""
    flags = data.get("flags") or 0
    if set(data) - {"flags"} or flags & ~EPHEMERAL:
        raise Refused(*INVALID_BODY, "data: a deferred answer has nothing but the ephemeral flag")
    message = Message(desk.world.new_id(), interaction.channel, desk.world.bot, loading=True)
    message.interaction = interaction
    message.only_for = interaction.user if flags & EPHEMERAL else None
    interaction.answers.append(message)
    desk.publish(message)
    return message


# ---- the webhook -----------------------------------------------------------------------------------------------------


def _opened(world: World, call: Call) -> Interaction:
    """The interaction whose token the address holds.

    :raises Refused: if there is none, it is not acknowledged yet or too old.
    """
    if call.number("webhook_id") != world.application_id:
        raise Refused(*UNKNOWN_WEBHOOK)
    token = call.parameters["webhook_token"]
    for interaction in world.interactions.values():
        if interaction.token == token:
            break
    else:
        raise Refused(*UNKNOWN_WEBHOOK)
    if interaction.answer is None:
        raise Refused(*UNKNOWN_WEBHOOK)
    if time.monotonic() - interaction.sent_at > world.token_lives:
        raise Refused(401, 50027, "Invalid Webhook Token")
    return interaction


def _original(interaction: Interaction) -> Message:
    """What ``@original`` means: the first answer, or the message of the button where that was updated.

    :raises Refused: if there is none (any more).
    """
    if interaction.answer in (Answer.MESSAGE, Answer.DEFERRED):
        message = interaction.answers[0]
    elif interaction.answer in (Answer.UPDATE, Answer.DEFERRED_UPDATE) and interaction.message is not None:
        message = interaction.message
    else:
        raise Refused(*UNKNOWN_MESSAGE)
    if message not in message.channel.messages:
        raise Refused(*UNKNOWN_MESSAGE)
    return message


def _named(interaction: Interaction, call: Call) -> Message:
    """The message of this interaction that the address names."""
    if "message_id" not in call.parameters:
        return _original(interaction)
    candidates = [*interaction.answers, *([interaction.message] if interaction.message else [])]
    for message in candidates:
        if message.id == call.number("message_id") and message in message.channel.messages:
            return message
    raise Refused(*UNKNOWN_MESSAGE)


def follow_up(desk: Desk, call: Call) -> Reply:
    """``execute_webhook``: one more message; the first after a deferred answer fills that one."""
    interaction = _opened(desk.world, call)
    first = interaction.answers[0] if interaction.answers else None
    if first is not None and first.loading:
        body = {key: value for key, value in call.body.items() if key != "flags"}
        flags = (call.body.get("flags") or 0) & ~EPHEMERAL
        desk.edit(first, {**body, "flags": flags} if flags else body, call.uploads, by_answer=True)
        return Reply(200, message_json(first, desk.base))
    guild = interaction.channel.guild
    interaction.followups += 1
    is_stranger = guild is not None and not desk.world.is_member(guild, desk.world.bot)
    if is_stranger and interaction.followups > _FOLLOWUPS_OF_A_STRANGER:
        raise Refused(*NO_MORE_FOLLOWUPS)
    message = desk.answer(interaction, call.body, call.uploads)
    if call.query.get("wait", "").lower() not in ("1", "true"):
        return Reply(204)
    return Reply(200, message_json(message, desk.base))


def fetch(desk: Desk, call: Call) -> Reply:
    """``get_original_webhook_message`` and ``get_webhook_message``."""
    return Reply(200, message_json(_named(_opened(desk.world, call), call), desk.base))


def edit(desk: Desk, call: Call) -> Reply:
    """``update_original_webhook_message`` and ``update_webhook_message``."""
    interaction = _opened(desk.world, call)
    message = _named(interaction, call)
    desk.edit(message, call.body, call.uploads, by_answer=True)
    interaction.updated = interaction.updated or message is interaction.message
    return Reply(200, message_json(message, desk.base))


def delete(desk: Desk, call: Call) -> Reply:
    """``delete_original_webhook_message`` and ``delete_webhook_message``."""
    interaction = _opened(desk.world, call)
    desk.delete(_named(interaction, call))
    return Reply(204)
