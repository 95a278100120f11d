"""The methods that write: send, edit, delete, answer a button; for all in a chat, or ephemeral for one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from tests.telegram import limits
from tests.telegram.access import check_rights, find_quoted, find_receiver, find_thread, reach
from tests.telegram.markup import Styled
from tests.telegram.model import Chat, File, FileKind, Json, Message
from tests.telegram.people import Answer, Person, Presses
from tests.telegram.refusals import bad, wrong
from tests.telegram.shapes import Fields, Upload
from tests.telegram.wire import account_json, message_json
from tests.telegram.world import Content, World

QUERY_SECONDS: Final = 30.0
"""So long a press can be answered. The real server promises less and often keeps it longer."""
DELETE_SECONDS: Final = 48 * 3600

_UNCHANGED: Final = (
    "message is not modified: specified new message content and reply markup are exactly the same as a current content "
    "and reply markup of the message"
)


@dataclass(slots=True)
class Writing:
    """The world as the writing methods change it.

    *query_seconds*: how long a press can be answered. *old*: a server of before Bot API 10.2, which shows to all what
    was meant for one.
    """

    world: World
    presses: Presses
    query_seconds: float = QUERY_SECONDS
    old: bool = False

    @property
    def methods(self) -> Mapping[str, Callable[[Fields], Any]]:
        """Each by its name."""
        return {
            "sendMessage": lambda fields: self._send(fields, "text"),
            "sendPhoto": lambda fields: self._send(fields, "photo"),
            "sendDocument": lambda fields: self._send(fields, "document"),
            "sendAnimation": lambda fields: self._send(fields, "animation"),
            "sendChatAction": self.send_action,
            "editMessageText": self.edit_text,
            "editMessageCaption": self.edit_caption,
            "editMessageMedia": self.edit_media,
            "editMessageReplyMarkup": self.edit_keyboard,
            "deleteMessage": self.delete,
            "deleteMessages": self.delete_many,
            "answerCallbackQuery": self.answer,
            "editEphemeralMessageText": self.edit_text,
            "editEphemeralMessageCaption": self.edit_caption,
            "editEphemeralMessageMedia": self.edit_media,
            "editEphemeralMessageReplyMarkup": self.edit_keyboard,
            "deleteEphemeralMessage": self.delete_ephemeral,
        }

    def _send(self, fields: Fields, kind: str) -> Json:
        text = limits.message_text(fields) if kind == "text" else limits.caption(fields)
        keyboard = limits.keyboard(fields)
        file = self._file(fields[kind], kind) if kind != "text" else None
        chat = reach(self.world, fields["chat_id"])
        check_rights(self.world, chat, kind)
        content: Content = {
            "text": text.text,
            "entities": self._known_people(text),
            "file": file,
            "keyboards": [keyboard] if keyboard else [],
            "thread": find_thread(self.world, chat, fields),
            "reply_to": find_quoted(chat, fields),
        }
        whispered = None if self.old else find_receiver(self.world, self.presses, chat, fields)
        if whispered is None:
            if chat.kind == "channel":
                content["as_chat"] = chat
            return message_json(self.world.write(chat, None if chat.kind == "channel" else self.world.bot, **content))
        receiver, content["replaces"] = whispered
        content["delivered"] = not (isinstance(receiver, Person) and receiver.offline)
        return message_json(self.world.whisper(chat, self.world.bot, receiver, **content))

    def send_action(self, fields: Fields) -> bool:
        """`sendChatAction`: shows "typing…" and the like for a while."""
        actions = ("typing", "upload_photo", "upload_document", "upload_video", "choose_sticker", "find_location")
        if fields["action"] not in actions:
            raise wrong("wrong parameter action in request")
        find_thread(self.world, reach(self.world, fields["chat_id"]), fields)
        return True

    def _file(self, given: str | Upload, kind: str) -> File:
        """An uploaded file, or a known one by its id."""
        if isinstance(given, str):
            file = self.world.files.get(given)
            if file is None or file.kind != kind:
                raise wrong("wrong file identifier/HTTP URL specified")
            return file
        limits.check_file(given)
        kinds: Mapping[str, FileKind] = {"photo": "photo", "document": "document", "animation": "animation"}
        size = limits.photo_size(given) if kind == "photo" else (0, 0)
        return self.world.add_file(kinds[kind], given.name, given.data, size)

    def _known_people(self, text: Styled) -> tuple[Json, ...]:
        """The entities, mentions with their people; those of people whom the bot never met are dropped."""
        found = []
        for entity in text.entities:
            if entity["type"] == "text_mention":
                number = entity["user"]["id"]
                if number not in self.world.met:
                    continue
                found.append({**entity, "user": account_json(self.world.accounts[number])})
            else:
                found.append(entity)
        return tuple(found)

    # ---- edit --------------------------------------------------------------------------------------------------------

    def _target(self, fields: Fields) -> Message:
        """The own message that shall be changed.

        :raises RefusedError: if it is gone, or somebody else's.
        """
        if "inline_message_id" in fields:
            raise wrong("this bot sends no inline messages")
        if not {"chat_id"} <= set(fields) or not {"message_id", "ephemeral_message_id"} & set(fields):
            raise wrong("message identifier is not specified")
        chat = reach(self.world, fields["chat_id"])
        if "ephemeral_message_id" in fields:
            found = chat.whisper(fields["ephemeral_message_id"])
            if found is not None and (found.receiver is None or found.receiver.id != fields["receiver_user_id"]):
                found = None
        else:
            found = chat.find(fields["message_id"])
        if found is None:
            raise bad("message to edit not found")
        if found.sender is not self.world.bot and found.as_chat is not chat:
            raise bad("message can't be edited")
        return found

    def _edit(self, fields: Fields, message: Message, changes: Mapping[str, Any]) -> Json | bool:
        """Change what is new, and the keyboard: an edit that names none takes it away."""
        keyboard = limits.keyboard(fields) or []
        new = {name: value for name, value in changes.items() if getattr(message, name) != value}
        if keyboard != message.keyboard:
            message.keyboards.append(keyboard)
        elif not new:
            raise bad(_UNCHANGED)
        self.world.edit(message, **new)
        return True if message.ephemeral_id is not None else message_json(message)

    def edit_text(self, fields: Fields) -> Json | bool:
        """`editMessageText`, `editEphemeralMessageText`."""
        text = limits.message_text(fields)
        limits.keyboard(fields)
        message = self._target(fields)
        if message.file is not None:
            raise bad("there is no text in the message to edit")
        if message.ephemeral_id is not None and len(text) > limits.CAPTION_UNITS:
            # As the real server has it, against its documentation: tdlib/telegram-bot-api#881.
            raise bad("MEDIA_CAPTION_TOO_LONG")
        return self._edit(fields, message, {"text": text.text, "entities": self._known_people(text)})

    def edit_caption(self, fields: Fields) -> Json | bool:
        """`editMessageCaption`, `editEphemeralMessageCaption`."""
        text = limits.caption(fields)
        limits.keyboard(fields)
        message = self._target(fields)
        if message.file is None:
            raise bad("there is no caption in the message to edit")
        return self._edit(fields, message, {"text": text.text, "entities": self._known_people(text)})

    def edit_media(self, fields: Fields) -> Json | bool:
        """`editMessageMedia`, `editEphemeralMessageMedia`: another file with its caption, also in place of a text."""
        media = fields["media"]
        text = limits.caption(media)
        limits.keyboard(fields)
        if media["type"] not in ("photo", "document", "animation"):
            raise wrong(f"this server keeps no {media['type']}")
        file = self._file(media["media"], media["type"])
        message = self._target(fields)
        changes = {"file": file, "text": text.text, "entities": self._known_people(text)}
        return self._edit(fields, message, changes)

    def edit_keyboard(self, fields: Fields) -> Json | bool:
        """`editMessageReplyMarkup`, `editEphemeralMessageReplyMarkup`."""
        limits.keyboard(fields)
        return self._edit(fields, self._target(fields), {})

    # ---- delete, answer ----------------------------------------------------------------------------------------------

    def delete(self, fields: Fields) -> bool:
        """`deleteMessage`."""
        chat = reach(self.world, fields["chat_id"])
        message = chat.find(fields["message_id"])
        if message is None:
            raise bad("message to delete not found")
        self._check_deletable(chat, message)
        self.world.delete(message)
        return True

    def _check_deletable(self, chat: Chat, message: Message) -> None:
        own = message.sender is self.world.bot
        old = self.world.now() - message.date > DELETE_SECONDS
        if not chat.status(self.world.bot).admin and (old or not (own or chat.kind == "private")):
            raise bad("message can't be deleted for everyone")

    def delete_many(self, fields: Fields) -> bool:
        """`deleteMessages`: those that are gone are passed over."""
        chat = reach(self.world, fields["chat_id"])
        if not 1 <= len(fields["message_ids"]) <= 100:
            raise wrong("message_ids must hold 1-100 numbers")
        for message in filter(None, map(chat.find, fields["message_ids"])):
            self._check_deletable(chat, message)
            self.world.delete(message)
        return True

    def delete_ephemeral(self, fields: Fields) -> bool:
        """`deleteEphemeralMessage`: an own one, or an incoming one."""
        chat = reach(self.world, fields["chat_id"])
        message = chat.whisper(fields["ephemeral_message_id"])
        people = () if message is None else (message.receiver, message.sender)
        if message is None or fields["receiver_user_id"] not in [one.id for one in people if one is not None]:
            raise bad("message to delete not found")
        self.world.delete(message)
        return True

    def answer(self, fields: Fields) -> bool:
        """`answerCallbackQuery`: once, in time."""
        limits.check_answer(fields)
        query = self.presses.queries.get(fields["callback_query_id"])
        late = query is not None and self.world.bell.time() - query.at > self.query_seconds
        if query is None or query.expired or query.answer is not None or late:
            raise bad("query is too old and response timeout expired or query ID is invalid")
        url = fields.get("url", "")
        if url and not url.startswith(f"https://t.me/{self.world.bot.username}?start="):
            raise bad("URL_INVALID")
        query.answer = Answer(fields.get("text", ""), fields.get("show_alert", False), url)
        self.world.bell.ring()
        return True
