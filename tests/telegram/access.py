"""Where the bot may write, to whom, in which topic and in answer to what."""

from __future__ import annotations

from tests.telegram.markup import units
from tests.telegram.model import Account, Chat, Message
from tests.telegram.people import Person, Presses
from tests.telegram.refusals import RefusedError, bad, forbidden, wrong
from tests.telegram.shapes import Fields, chat_key
from tests.telegram.world import World

EPHEMERAL_SECONDS = 15.0
"""So long after a press, or after an ephemeral command, a bot that is no admin may whisper to who pressed or wrote."""

_RIGHTS = {"photo": "can_send_photos", "document": "can_send_documents", "animation": "can_send_other_messages"}
_CALLED = {"photo": "photos", "document": "documents", "animation": "animations", "text": "text messages"}


def reach(world: World, key: int | str) -> Chat:
    """The chat that the bot means, if it is in it.

    :raises RefusedError: 400 if there is no such chat (any more), 403 if the bot is not in it or blocked.
    """
    key = chat_key(key)
    chat = world.find_chat(key)
    if chat is None:
        if key in world.met:
            raise forbidden("bot can't initiate conversation with a user")
        raise bad("chat not found")
    if chat.migrated_to is not None:
        text = "Bad Request: group chat was upgraded to a supergroup chat"
        raise RefusedError(400, text, {"migrate_to_chat_id": chat.migrated_to.id})
    status = chat.status(world.bot).status
    if chat.kind == "private":
        if isinstance(chat.person, Person) and chat.person.deactivated:
            raise forbidden("user is deactivated")
        if chat.blocked:
            raise forbidden("bot was blocked by the user")
        if status == "left":
            if chat.id in world.met:
                raise forbidden("bot can't initiate conversation with a user")
            raise bad("chat not found")
    elif status == "kicked":
        raise forbidden(f"bot was kicked from the {chat.kind} chat")
    elif status == "left":
        raise forbidden(f"bot is not a member of the {chat.kind} chat")
    return chat


def check_rights(world: World, chat: Chat, kind: str) -> None:
    """:raises RefusedError: if the bot may not write messages of that kind in *chat*."""
    standing = chat.status(world.bot)
    if chat.kind == "channel" and not standing.admin:
        raise bad("need administrator rights in the channel chat")
    if "can_send_messages" in standing.silenced or _RIGHTS.get(kind) in standing.silenced:
        raise bad(f"not enough rights to send {_CALLED[kind]} to the chat")


def find_thread(world: World, chat: Chat, fields: Fields) -> int | None:
    """The topic that a message goes to; None: none, or General.

    :raises RefusedError: if there is no such topic, or it is closed.
    """
    thread: int | None = fields.get("message_thread_id")
    if thread is None:
        return None
    topic = chat.topics.get(thread)
    if topic is None or topic.deleted:
        # General too: its messages carry no thread, and to name it finds none.
        raise bad("message thread not found")
    if topic.closed and not chat.status(world.bot).admin:
        raise bad("TOPIC_CLOSED")
    return thread


def find_quoted(chat: Chat, fields: Fields) -> Message | None:
    """The message that is answered to.

    :raises RefusedError: if it is gone and must not be.
    :raises MistakeError: if the parameters name no message, or a quote that is not in it.
    """
    asked = fields.get("reply_parameters")
    if asked is None:
        return None
    if asked.get("chat_id", chat.id) != chat.id:
        raise wrong("replies to other chats are nothing that this bot needs")
    if "ephemeral_message_id" in asked:
        if "message_id" in asked:
            raise wrong("reply_parameters name a message and an ephemeral message")
        if "ephemeral_message_parameters" not in fields:
            raise wrong("a reply to an ephemeral message must itself be ephemeral")
        found = chat.whisper(asked["ephemeral_message_id"])
    elif "message_id" in asked:
        found = chat.find(asked["message_id"])
    else:
        raise wrong("reply_parameters name no message")
    if found is None:
        if asked.get("allow_sending_without_reply") and "ephemeral_message_id" not in asked:
            return None
        raise bad("message to be replied not found")
    if units(asked.get("quote", "")) > 1024 or asked.get("quote", "") not in found.text:
        raise wrong("QUOTE_TEXT_INVALID")
    return found


def find_receiver(world: World, presses: Presses, chat: Chat, fields: Fields) -> tuple[Account, Message | None] | None:
    """Who alone shall see the message, and the message that it stands in place of; None: it is for all.

    To whom a bot that is no admin may whisper: https://core.telegram.org/bots/api#ephemeral-messages-and-commands.
    The refusals' texts are not documented; these are made up, and a bot should go by the code.

    :raises RefusedError: if the receiver is not here, or the occasion is over.
    :raises MistakeError: if the chat or the parameters cannot be.
    """
    asked = fields.get("ephemeral_message_parameters")
    if asked is None:
        return None
    if chat.kind not in ("group", "supergroup"):
        raise wrong("ephemeral messages can be sent only to groups and supergroups")
    receiver = world.accounts.get(asked["receiver_user_id"])
    if receiver is None or not chat.status(receiver).here:
        raise bad("USER_NOT_PARTICIPANT")
    if receiver.is_bot:
        raise wrong("ephemeral messages can't be sent to bots")
    replaced = None
    if "callback_query_id" in asked:
        query = presses.queries.get(asked["callback_query_id"])
        if query is None or query.person is not receiver or query.message.chat is not chat:
            raise wrong("QUERY_ID_INVALID: no press of that person in that chat")
        if query.expired or world.bell.time() - query.at > EPHEMERAL_SECONDS:
            raise bad("query is too old and response timeout expired or query ID is invalid")
        if asked.get("replace_callback_query_message"):
            if query.message.ephemeral_id is not None:
                raise wrong("an ephemeral message is edited, not replaced")
            replaced = query.message
        return receiver, replaced
    if asked.get("replace_callback_query_message"):
        raise wrong("replace_callback_query_message without callback_query_id")
    if "ephemeral_message_id" in fields.get("reply_parameters", {}):
        answered = chat.whisper(fields["reply_parameters"]["ephemeral_message_id"])
        if answered is None or answered.sender is not receiver:
            raise bad("message to be replied not found")
        if world.bell.time() - answered.at > EPHEMERAL_SECONDS:
            raise bad("message to be replied is too old")
        return receiver, replaced
    if not chat.status(world.bot).admin:
        raise bad("not enough rights to send ephemeral messages to the chat")
    return receiver, replaced
