"""From `Outgoing` to calls of the Bot API: a new message, or another content for one that is there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from telegram import (
    InlineKeyboardButton,
    InlineKeyboardMarkup,
    InputFile,
    InputMediaAnimation,
    InputMediaDocument,
    InputMediaPhoto,
    LinkPreviewOptions,
    Message,
)
from telegram.constants import ParseMode
from telegram.error import TelegramError

from bot.adapters.telegram_adapter.client import Client
from bot.adapters.telegram_adapter.errors import is_no_media, is_no_topic
from bot.adapters.telegram_adapter.markup import (
    CAPTION_LENGTH,
    TEXT_LENGTH,
    Spans,
    fitted,
    html,
    keyboard,
    parts,
    under,
)
from bot.messages import Outgoing

NO_PREVIEW: Final = LinkPreviewOptions(is_disabled=True)


@dataclass(frozen=True, slots=True)
class Target:
    """Where a message goes: a chat, a topic of it (or none). *silent*: nobody's telephone rings.

    *hidden* are the parameters of a message that one person alone sees, *answers* is the message of that kind by which
    he asked for it (0: none).
    """

    chat: int
    topic: int | None = None
    silent: bool = False
    hidden: Mapping[str, Any] | None = None
    answers: int = 0

    @property
    def parameters(self) -> dict[str, Any] | None:
        """What the library does not know of yet."""
        if self.hidden is None:
            return None
        known: dict[str, Any] = {"ephemeral_message_parameters": dict(self.hidden)}
        if self.answers:
            known["reply_parameters"] = {"ephemeral_message_id": self.answers}
        return known


@dataclass(frozen=True, slots=True)
class Content:
    """What a message shows. *kind*: ``text``, or with a file ``photo``, ``document`` or ``animation``."""

    kind: str
    text: Spans
    rows: tuple[tuple[InlineKeyboardButton, ...], ...] = ()
    ping: str | None = None
    name: str = ""
    file: bytes = b""

    @property
    def caption(self) -> str:
        """The words under a picture or a file, as HTML."""
        return html(fitted(self.text, CAPTION_LENGTH), self.ping)

    @property
    def keyboard(self) -> InlineKeyboardMarkup | None:
        """The buttons."""
        return under([list(row) for row in self.rows])


def content(outgoing: Outgoing) -> Content:
    """What the message, which is drawn, shows on Telegram."""
    rows = tuple(tuple(row) for row in keyboard(outgoing.buttons, step=outgoing.step))
    shown = Content("text", outgoing.text, rows, outgoing.ping)
    if (document := outgoing.document) is not None:
        kind = "animation" if document.media_type == "image/gif" else "document"
        return replace(shown, kind=kind, name=document.name, file=document.content)
    if (picture := outgoing.picture) is not None and picture.png:
        name = f"bandada-{outgoing.match or 'board'}.png"
        return replace(shown, kind="document" if outgoing.as_file else "photo", name=name, file=picture.png)
    return shown


class Writer:
    """Makes the calls. What it raises are the library's errors."""

    def __init__(self, client: Client) -> None:
        self._client = client

    async def post(self, target: Target, shown: Content) -> Message:
        """The new message; where the topic is gone it stands in the chat, where no media may be sent it is words."""
        try:
            return await self._post(target, shown)
        except TelegramError as error:
            if target.topic is not None and is_no_topic(error):
                return await self.post(replace(target, topic=None), shown)
            if shown.kind != "text" and is_no_media(error):
                return await self.post(target, replace(shown, kind="text", file=b""))
            raise

    async def _post(self, target: Target, shown: Content) -> Message:
        if shown.kind == "text":
            *before, last = parts(shown.text, TEXT_LENGTH)
            for part in before:
                await self._words(target, html(part, shown.ping), None)
            return await self._words(target, html(last, shown.ping), shown.keyboard)
        common: dict[str, Any] = {
            "caption": shown.caption,
            "parse_mode": ParseMode.HTML,
            "reply_markup": shown.keyboard,
            "message_thread_id": target.topic,
            "disable_notification": target.silent or None,
            "api_kwargs": target.parameters,
        }
        file = InputFile(shown.file, filename=shown.name)
        if shown.kind == "photo":
            return await self._client.send_photo(target.chat, file, **common)
        if shown.kind == "animation":
            return await self._client.send_animation(target.chat, file, **common)
        return await self._client.send_document(target.chat, file, disable_content_type_detection=True, **common)

    async def _words(self, target: Target, text: str, markup: InlineKeyboardMarkup | None) -> Message:
        return await self._client.send_message(
            target.chat,
            text,
            parse_mode=ParseMode.HTML,
            link_preview_options=NO_PREVIEW,
            reply_markup=markup,
            message_thread_id=target.topic,
            disable_notification=target.silent or None,
            api_kwargs=target.parameters,
        )

    async def change(self, chat: int, message: int, shown: Content) -> None:
        """Show *shown* in a message of the same kind that is there."""
        if shown.kind == "text":
            await self._client.edit_message_text(
                html(fitted(shown.text, TEXT_LENGTH)),
                chat,
                message,
                parse_mode=ParseMode.HTML,
                link_preview_options=NO_PREVIEW,
                reply_markup=shown.keyboard,
            )
        else:
            await self._client.edit_message_media(_media(shown), chat, message, reply_markup=shown.keyboard)

    async def change_hidden(self, chat: int, user: int, message: int, shown: Content) -> None:
        """The same for a message that *user* alone sees; its text may be no longer than a caption."""
        known: dict[str, Any] = {"chat_id": chat, "receiver_user_id": user, "ephemeral_message_id": message}
        if (markup := shown.keyboard) is not None:
            known["reply_markup"] = markup
        if shown.kind == "text":
            # Longer ones are refused, whatever the documentation says (tdlib/telegram-bot-api#881).
            text = html(fitted(shown.text, CAPTION_LENGTH))
            more = {"text": text, "parse_mode": ParseMode.HTML, "link_preview_options": NO_PREVIEW}
            await self._client.do_api_request("editEphemeralMessageText", api_kwargs={**known, **more})
        else:
            more_media = {"media": _media(shown)}
            await self._client.do_api_request("editEphemeralMessageMedia", api_kwargs={**known, **more_media})

    async def remove(self, chat: int, message: int) -> None:
        """Delete a message; too old for that, it loses its buttons."""
        try:
            await self._client.delete_message(chat, message)
        except TelegramError:
            await self.strip(chat, message)

    async def remove_hidden(self, chat: int, user: int, message: int) -> None:
        """Delete a message that *user* alone sees."""
        known = {"chat_id": chat, "receiver_user_id": user, "ephemeral_message_id": message}
        await self._client.do_api_request("deleteEphemeralMessage", api_kwargs=known)

    async def strip(self, chat: int, message: int) -> None:
        """Take the buttons off a message."""
        await self._client.edit_message_reply_markup(chat, message)


def _media(shown: Content) -> InputMediaPhoto | InputMediaDocument | InputMediaAnimation:
    if shown.kind == "photo":
        return InputMediaPhoto(shown.file, shown.caption, ParseMode.HTML, filename=shown.name)
    if shown.kind == "animation":
        return InputMediaAnimation(shown.file, caption=shown.caption, parse_mode=ParseMode.HTML, filename=shown.name)
    return InputMediaDocument(
        shown.file, shown.caption, ParseMode.HTML, disable_content_type_detection=True, filename=shown.name
    )
